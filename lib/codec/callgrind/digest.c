/* SPDX-License-Identifier: ISC */
#include "digest.h"

#include <stdlib.h>

#include "usual.h"
#include "usual_text.h"
#include "util/mem.h"

/* The state while lines are digested. */
struct digester {
	struct digest *d;
	const struct digest_layout *layout;
	const char *end;
	struct base base;
	size_t costs;		/* the function's token of costs + 1; 0: none */
	uint32_t line;		/* lines since DIGEST_ON */
	bool have_cfn;		/* since `fn=` */
	bool moved;		/* a line that changes the file came since the last cost */
	struct jump {		/* the last one without a line of its own, and before it: */
		const char *line, *next;
		size_t tokens, runs, open, text;
		struct digest_run run;
	} jump;

	/* for lines */
	size_t open;		/* tokens up to a run that can go on */
	enum last {		/* the last cost line of any kind: not known, of a self cost,
				 * one whose position the reader will know, or not */
		LAST_UNKNOWN, LAST_SELF, LAST_READ, LAST_TEXT
	} last;
	struct base last_at;	/* its position, of the two latter */
	struct usual_address address;
};

/* Takes cost lines at p.  Returns the first other line. */
typedef const char *take_lines(struct digester *g, const char *p, const bool instr);

static inline struct digest_token *
add(struct digester *g, enum digest_kind kind, const char *p)
{
	struct digest *d = g->d;
	struct digest_token *t;

	if (__builtin_expect(d->n == d->cap, 0))
		d->v = mem_grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
	t = &d->v[d->n++];
	t->p = p;
	t->line = g->line;
	t->n = 0;
	t->kind = (unsigned char)kind;
	return t;
}

/* ---- costs ---- */

static inline struct digest_token *
costs_here(struct digester *g)
{
	if (!g->costs) {
		add(g, DIGEST_COSTS, NULL)->sum = 0;
		g->costs = g->d->n;
	}
	if (g->moved)
		add(g, DIGEST_COSTS_GO_ON, NULL);
	g->moved = false;
	return &g->d->v[g->costs - 1];
}

/* Adds a sum of cost lines [start, p), after which the base is another; returns the first
 * line that is not in the digest. */
static inline __attribute__((always_inline)) const char *
take_costs(struct digester *g, uint64_t sum, const char *start, const char *p,
    const struct base *base)
{
	struct digest_token *t;

	if (p == start)
		return p;
	t = costs_here(g);
	if (__builtin_expect((t->sum | sum) >> 62, 0))
		return start;
	t->sum += sum;
	t->n = 1;
	g->base.addr = base->addr;
	g->base.line = base->line;
	return p;
}

/* Adds any usual cost line at p; returns the next line, p itself for others. */
static inline __attribute__((always_inline)) const char *
add_cost(struct digester *g, const char *p, const bool instr)
{
	struct usual_cost c;
	const char *next;

	if (!usual_cost_any(p, &g->base, g->layout->nevents, &c, instr) ||
	    __builtin_expect(c.value >> 62, 0))
		return p;
	next = take_costs(g, c.value, p, c.end + 1, &c.at);
	g->line += next != p;
	return next;
}

static inline __attribute__((always_inline)) const char *
add_any_costs(struct digester *g, const char *p, const bool instr)
{
	return add_cost(g, p, instr);
}

#ifdef HAVE_WIDE
/* Reads a cost line, whose address may be long. */
WIDE static inline __attribute__((always_inline)) bool
wide_cost(const char *p, const struct usual_classes *k, struct usual_line *c,
    const bool instr, const bool text)
{
	const __m128i before = c->at;

	if (usual_cost_wide(p, k, c, instr, text) || (instr && (p = usual_address_wide(p, c)) &&
	    usual_cost_wide(p, k, c, false, text)))
		return true;
	c->at = before;
	return false;
}

WIDE static inline __attribute__((always_inline)) const char *
add_wide_costs(struct digester *g, const char *p, const bool instr)
{
	const struct usual_classes k = usual_classes_of(g->layout->nevents);
	const char *start = p, *end = g->end, *next;
	uint32_t lines = 0;
	uint64_t sum = 0;
	struct usual_line c;
	struct base base;

	memcpy(&c.at, &g->base, sizeof c.at);
	while (wide_cost(p, &k, &c, instr, false)) {
		sum += c.value;
		p = c.end + 1;
		lines++;
		if (p >= end || !usual_lengths((unsigned char)*p))
			break;
	}
	if (p == start)
		return add_cost(g, p, instr);
	memcpy(&base, &c.at, sizeof base);
	next = take_costs(g, sum, start, p, &base);
	g->line += next == p ? lines : 0;
	return next;
}
#endif

/* ---- costs and jumps as lines of a stream ---- */

#define RUN_TEXT ((size_t)1 << 20)	/* bytes, after which another run begins */

static struct digest_run *
add_run(struct digester *g, const char *p)
{
	struct digest *d = g->d;
	struct digest_run *run;

	add(g, DIGEST_RUN, p)->number = d->nrun;
	d->run = mem_grow(d->run, &d->caprun, d->nrun + 1, sizeof *d->run);
	run = &d->run[d->nrun++];
	*run = (struct digest_run){ .p = p, .end = p, .base = g->base,
	    .at_base = g->last == LAST_SELF, .text = d->text.n };
	return run;
}

static inline bool
run_goes_on(const struct digester *g)
{
	return g->open == g->d->n && g->d->run[g->d->nrun - 1].n_text < RUN_TEXT;
}

/* Returns the run that goes on or begins at p. */
static inline struct digest_run *
run_here(struct digester *g, const char *p)
{
	if (!run_goes_on(g)) {
		add_run(g, p);
		g->open = g->d->n;
	}
	return &g->d->run[g->d->nrun - 1];
}

/* Ends lines of text at `to`, and of the file at p. */
static inline void
end_run(struct digester *g, struct digest_run *run, const char *to, const char *p, uint32_t lines)
{
	g->d->text.n = (size_t)(to - g->d->text.s);
	run->n_text = g->d->text.n - run->text;
	run->end = p;
	run->lines += lines;
	g->line += lines;
}

/* Adds any usual cost line. */
static inline __attribute__((always_inline)) const char *
write_cost(struct digester *g, const char *p, const bool instr)
{
	struct usual_cost c;
	struct digest_run *run;
	char *to;

	if (!usual_cost_any(p, &g->base, g->layout->nevents, &c, instr))
		return p;
	run = run_here(g, p);
	to = buf_room(&g->d->text, (size_t)(c.end - c.costs) + USUAL_TEXT_ROOM);
	to = usual_put_place(to, "cost\t", c.at.addr, c.at.line, instr, &g->address);
	end_run(g, run, usual_put_costs(to, c.costs, c.end), c.end + 1, 1);
	g->base = c.at;
	g->last = LAST_SELF;
	g->moved = false;
	return c.end + 1;
}

static inline __attribute__((always_inline)) const char *
write_any_costs(struct digester *g, const char *p, const bool instr)
{
	return write_cost(g, p, instr);
}

#ifdef HAVE_WIDE
WIDE static inline __attribute__((always_inline)) const char *
write_wide_costs(struct digester *g, const char *p, const bool instr)
{
	const struct usual_classes k = usual_classes_of(g->layout->nevents);
	const char *end = g->end;
	struct buf *text = &g->d->text;
	struct usual_address address = g->address;
	struct usual_line c;
	struct digest_run *run;
	uint32_t lines = 0;
	char *to, *full;

	memcpy(&c.at, &g->base, sizeof c.at);
	if (!wide_cost(p, &k, &c, instr, true))
		return write_cost(g, p, instr);
	run = run_here(g, p);
	to = buf_room(text, 2 * USUAL_TEXT_ROOM);
	full = text->s + text->cap - USUAL_TEXT_ROOM;
	do {
		if (__builtin_expect(to > full, 0)) {
			text->n = (size_t)(to - text->s);
			to = buf_room(text, 2 * USUAL_TEXT_ROOM);
			full = text->s + text->cap - USUAL_TEXT_ROOM;
		}
		to = usual_put_place(to, "cost\t", (uint64_t)_mm_cvtsi128_si64(c.at),
		    (uint64_t)_mm_extract_epi64(c.at, 1), instr, &address);
		to = usual_put_costs_wide(to, c.costs, c.end);
		p = c.end + 1;
		lines++;
	} while (p < end && usual_lengths((unsigned char)*p) && lines < RUN_TEXT / 64 &&
	    wide_cost(p, &k, &c, instr, true));
	end_run(g, run, to, p, lines);
	memcpy(&g->base, &c.at, sizeof g->base);
	g->address = address;
	g->last = LAST_SELF;
	g->moved = false;
	return p;
}
#endif

/* ---- calls and jumps ---- */

/* Passes over the positions of a target, and a blank, up to the newline, which it returns;
 * NULL for others. */
static inline const char *
target(const struct digester *g, const char *p)
{
	if (*p++ != ' ' || (g->layout->instr &&
	    (!(p = usual_pass(p, g->base.addr)) || *p++ != ' ')) ||
	    !(p = usual_pass(p, g->base.line)))
		return NULL;
	p += *p == ' ';
	return *p == '\n' ? p : NULL;
}

/* The same, but reads the positions. */
static inline const char *
read_target(const struct digester *g, const char *p, struct base *at)
{
	p = *p == ' ' ? usual_positions(p + 1, &g->base, at, g->layout->instr, true) : NULL;
	return p && *p == '\n' ? p : NULL;
}

static inline const char *
digits(const char *p)
{
	while (*p >= '0' && *p <= '9')
		p++;
	return p;
}

static inline void
set_base(struct digester *g, const struct base *at)
{
	if (!g->layout->self_base)
		g->base = *at;
}

/* Adds a call, for lines. */
static void
add_call(struct digester *g, const struct digest_call *c)
{
	struct digest *d = g->d;

	add(g, DIGEST_CALL, c->count.s)->number = d->ncall;
	d->call = mem_grow(d->call, &d->capcall, d->ncall + 1, sizeof *d->call);
	d->call[d->ncall++] = *c;
	g->last = LAST_READ;
	g->last_at = c->from;
}

/* The same for sums. */
static void
add_sum_call(struct digester *g, const struct digest_call *c)
{
	struct digest_token *t = add(g, DIGEST_CALL, c->count.s);

	t->n = (uint16_t)c->count.n;
	t->values = c->values.n ? (uint64_t)(c->values.s - c->count.s) : 0;
	t->n_values = c->values.n;
}

/* Digests "calls=" at p, and the cost line after it; returns the line after that, NULL for
 * others. */
static __attribute__((noinline)) const char *
call(struct digester *g, const char *line)
{
	const bool instr = g->layout->instr;
	const char *p = line + strlen("calls="), *q = digits(p);
	struct digest_call c = { .count = { p, (size_t)(q - p) } };

	if (memcmp(line, "calls=", strlen("calls=")) != 0 || q == p ||
	    (*p == '0' && c.count.n > 1) || c.count.n > UINT16_MAX || !g->have_cfn ||
	    !(q = g->layout->lines ? read_target(g, q, &c.to) : target(g, q)) ||
	    ++q == g->end || !cg_begins_cost(*q) ||
	    !(q = usual_positions(q, &g->base, &c.from, instr, true)) ||
	    (*q != '\n' && !(q = cg_usual_values(q, g->layout->nevents, &c.values))))
		return NULL;
	g->line += 2;
	(g->layout->lines ? add_call : add_sum_call)(g, &c);
	set_base(g, &c.from);
	return q + 1;
}

/* Does a line with the position of a jump come at p?  Returns the line after it. */
static inline const char *
own_line(const struct digester *g, const char *p, struct base *at)
{
	const char *q = cg_begins_cost(*p) ?
	    usual_positions(p, &g->base, at, g->layout->instr, true) : NULL;

	return q && *q == '\n' ? q + 1 : NULL;
}

/* Notes how it was before a jump, after which the line at p comes. */
static inline void
keep_jump(struct digester *g, const char *line, const char *p)
{
	const struct digest *d = g->d;

	g->jump.line = line;
	g->jump.next = p;
	g->jump.tokens = d->n;
	g->jump.runs = d->nrun;
	g->jump.open = g->open;
	g->jump.text = d->text.n;
	if (d->nrun)
		g->jump.run = d->run[d->nrun - 1];
}

/* Digests a jump, for sums, whose counts end at p. */
static inline const char *
pass_jump(struct digester *g, const char *line, const char *p)
{
	const char *q = target(g, p), *next;
	struct base at;

	if (!q || ++q == g->end)
		return NULL;
	next = own_line(g, q, &at);
	if (next)
		set_base(g, &at);
	else
		keep_jump(g, line, q);
	if (g->moved)
		add(g, DIGEST_JUMP, NULL);
	g->line += 1 + (next != NULL);
	return next ? next : q;
}

/* Is it a canonical number? */
static inline bool
is_count(const char *p, size_t n)
{
	return n && (*p != '0' || n == 1);
}

/* Writes the jump in the lines [line, p), or leaves it to be read. */
static const char *
write_jump(struct digester *g, const char *line, const char *p, const struct usual_jump *j,
    const struct base *own)
{
	const uint32_t lines = 1 + (own != NULL);
	const bool plain = !g->moved && is_count(j->followed, j->n_followed) &&
	    (!j->executed || is_count(j->executed, j->n_executed));
	struct digest_run *run;
	char *to;

	/* Whoever reads the run must know the position. */
	if (!own && g->last == LAST_TEXT && (!plain || !run_goes_on(g)))
		return NULL;
	run = plain ? run_here(g, line) : add_run(g, line);
	to = buf_room(&g->d->text, j->n_followed + j->n_executed + USUAL_TEXT_ROOM);
	if (plain)
		to = usual_put_jump(to, j, g->layout->instr);
	end_run(g, run, to, p, lines);
	if (own) {
		g->last = plain ? LAST_TEXT : LAST_READ;
		g->last_at = *own;
		set_base(g, own);
	}
	return p;
}

/* The same as pass_jump(), for lines. */
static const char *
take_jump(struct digester *g, const char *line, const char *p, struct usual_jump *j)
{
	const char *q = read_target(g, p, &j->to), *next;
	struct base own;

	if (!q || ++q == g->end)
		return NULL;
	if ((next = own_line(g, q, &own))) {
		j->from = own;
		return write_jump(g, line, next, j, &own);
	}
	if (g->last == LAST_UNKNOWN)
		return NULL;
	j->from = g->last == LAST_SELF ? g->base : g->last_at;
	keep_jump(g, line, q);
	return write_jump(g, line, q, j, NULL);
}

/* Digests "jump=" or "jcnd=" at p, and the line of positions that may come after it. */
static __attribute__((noinline)) const char *
jump(struct digester *g, const char *line)
{
	const bool conditional = memcmp(line, "jcnd=", strlen("jcnd=")) == 0;
	const char *p = line + strlen("jump="), *q = digits(p);
	struct usual_jump j = { .followed = p, .n_followed = (size_t)(q - p) };

	if (q == p || (!conditional && memcmp(line, "jump=", strlen("jump=")) != 0))
		return NULL;
	if (conditional) {
		if (*q != '/' || (p = digits(q + 1)) == q + 1)
			return NULL;
		j.executed = q + 1;
		j.n_executed = (size_t)(p - j.executed);
		q = p;
	}
	return g->layout->lines ? take_jump(g, line, q, &j) : pass_jump(g, line, q);
}

/* The line at p is not usual: returns where those begin that are not in the digest, which is
 * a jump before it if that belongs to it. */
static const char *
take_back(struct digester *g, const char *p)
{
	if (p != g->jump.next)
		return p;
	g->d->n = g->jump.tokens;
	g->d->nrun = g->jump.runs;
	g->d->text.n = g->jump.text;
	g->open = g->jump.open;
	if (g->d->nrun)
		g->d->run[g->d->nrun - 1] = g->jump.run;
	g->line--;
	return g->jump.line;
}

/* ---- names ---- */

/* Returns the newline after the name "(N)" at p, with the number set; NULL for others. */
static inline const char *
numbered(const char *p, uint64_t *number)
{
	const unsigned n = usual_digits(p + 1, false);

	if (*p != '(' || n - 1 >= SCAN_DIGITS || p[1 + n] != ')' || p[2 + n] != '\n')
		return NULL;
	*number = scan_dec(p + 1, n);
	return p + 2 + n;
}

static inline void
set_name(struct digest_token *t, const struct digester *g, const char *p, enum cg_key key)
{
	t->p = p;
	t->line = g->line;
	t->kind = DIGEST_NAME;
	t->key = (unsigned char)key;
}

static __attribute__((noinline)) const char *
any_name(struct digester *g, const char *p, enum cg_key key)
{
	struct digest_token *t = add(g, DIGEST_NAME, p);
	const char *lf = numbered(p, &t->number);

	g->line++;
	set_name(t, g, p, key);
	t->n = lf != NULL;
	return (lf ? lf : scan_newline(p, g->end)) + 1;
}

/* Nearly all names are numbers. */
static const char *
name(struct digester *g, const char *p, enum cg_key key)
{
	struct digest *d = g->d;
	struct digest_token *t;
	uint64_t number;
	const char *lf = numbered(p, &number);

	if (__builtin_expect(!lf || d->n == d->cap, 0))
		return any_name(g, p, key);
	t = &d->v[d->n++];
	g->line++;
	set_name(t, g, p, key);
	t->number = number;
	t->n = 1;
	return lf + 1;
}

/* A function without anything before the next one would not be put. */
static __attribute__((noinline)) const char *
function(struct digester *g, const char *p)
{
	const char *next = scan_newline(p, g->end) + 1;

	if (next == g->end || memcmp(next, "fn=", strlen("fn=")) == 0 ||
	    (g->layout->lines && *next == '\n'))
		return NULL;
	name(g, p, CG_FN);
	if (!g->layout->lines) {
		add(g, DIGEST_COSTS, NULL)->sum = 0;
		g->costs = g->d->n;
	}
	g->have_cfn = g->moved = false;
	return next;
}

static const char *
file(struct digester *g, const char *p, enum cg_key key)
{
	g->moved = true;
	return name(g, p, key);
}

static const char *
callee(struct digester *g, const char *p)
{
	g->have_cfn = true;
	return name(g, p, CG_CFN);
}

#define BYTE(c, at) ((uint32_t)(unsigned char)(c) << 8 * (at))
#define KEY(a, b, c, d) (BYTE(a, 0) | BYTE(b, 1) | BYTE(c, 2) | BYTE(d, 3))

/* Digests a line with a key; returns the next line, NULL for others. */
static inline const char *
key_line(struct digester *g, const char *p)
{
	const uint32_t key = KEY(p[0], p[1], p[2], p[3]);

	switch (key & 0xffffff) {
	case KEY('f', 'i', '=', 0):
		return file(g, p + 3, CG_FI);
	case KEY('f', 'e', '=', 0):
		return file(g, p + 3, CG_FE);
	case KEY('f', 'n', '=', 0):
		return function(g, p + 3);
	case KEY('f', 'l', '=', 0):
		return file(g, p + 3, CG_FL);
	case KEY('o', 'b', '=', 0):
		return name(g, p + 3, CG_OB);
	}
	if (p[3] != '=')
		return key == KEY('c', 'a', 'l', 'l') ? call(g, p) : jump(g, p);
	switch (key & 0xffffff) {
	case KEY('c', 'f', 'n', 0):
		return callee(g, p + 4);
	case KEY('c', 'f', 'i', 0):
		return name(g, p + 4, CG_CFI);
	case KEY('c', 'o', 'b', 0):
		return name(g, p + 4, CG_COB);
	case KEY('c', 'f', 'l', 0):
		return name(g, p + 4, CG_CFL);
	case KEY('c', 'f', 'e', 0):
		return name(g, p + 4, CG_CFE);
	case KEY('j', 'f', 'i', 0):
		return file(g, p + 4, CG_JFI);
	case KEY('j', 'f', 'n', 0):
		return file(g, p + 4, CG_JFN);
	}
	return NULL;
}

/* ---- lines that are not usual ---- */

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads a usual cost line whose positions are absolute: returns its newline, and sets the
 * base; NULL for others. */
static const char *
anchor(const struct digest_layout *l, const char *p, const char *end, struct base *base)
{
	const struct base zero = { 0, 0 };
	const char *second = l->instr ? memchr(p, ' ', (size_t)(end - p)) : NULL;
	struct usual_cost c;

	if (!is_digit(*p) || (l->instr && (!second || !is_digit(second[1]))) ||
	    !usual_cost_any(p, &zero, l->nevents, &c, l->instr))
		return NULL;
	*base = c.at;
	return c.end;
}

/* Finds the next function, from the line at p on, whose first line is an anchor: returns
 * "fn=", with the line after the anchor and its base set; NULL: there is none. */
static const char *
find_start(const struct digest_layout *l, const char *p, const char *end, const char **after,
    struct base *base)
{
	const char *lf;

	for (; p < end; p = lf + 1) {
		lf = scan_newline(p, end);
		if (memcmp(p, "fn=", strlen("fn=")) == 0 && lf + 1 < end &&
		    (*after = anchor(l, lf + 1, end, base))) {
			++*after;
			return p;
		}
	}
	return NULL;
}

const char *
digest_cut(const struct digest_layout *layout, const char *p, const char *end)
{
	const char *line = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1, *after;
	struct base base;
	const char *fn = find_start(layout, line, end, &after, &base);

	return fn ? fn : end;
}

/* Passes over lines from p on, which are not usual, up to a line before which the base is
 * known, or the end.  known: is that of p? */
static const char *
pass(struct digester *g, const char *p, bool known)
{
	struct digest_token *t = add(g, DIGEST_LINES, p);

	t->base = g->base;
	t->n = known;
	if (!find_start(g->layout, p, g->end, &p, &g->base))
		p = g->end;
	g->line = 0;
	t = add(g, DIGEST_ON, p);
	t->base = g->base;
	g->costs = 0;
	g->have_cfn = false;
	g->moved = true;
	g->last = p < g->end ? LAST_SELF : LAST_UNKNOWN;
	return p;
}

/* ---- all lines ---- */

static inline __attribute__((always_inline)) void
digest_all(struct digester *g, const char *p, take_lines *take_any, const bool instr)
{
	const char *next;

	while (p < g->end) {
		if (cg_begins_cost(*p)) {
			next = take_any(g, p, instr);
			next = next == p ? NULL : next;
		} else if (*p == '\n') {
			g->line++;
			next = p + 1;
		} else {
			next = key_line(g, p);
		}
		p = next ? next : pass(g, take_back(g, p), true);
	}
}

#ifdef HAVE_WIDE
WIDE static void
sum_wide(struct digester *g, const char *p)
{
	if (g->layout->instr)
		digest_all(g, p, add_wide_costs, true);
	else
		digest_all(g, p, add_wide_costs, false);
}

WIDE static void
write_wide(struct digester *g, const char *p)
{
	if (g->layout->instr)
		digest_all(g, p, write_wide_costs, true);
	else
		digest_all(g, p, write_wide_costs, false);
}
#endif

static void
digest_any(struct digester *g, const char *p)
{
	const bool instr = g->layout->instr;

	if (g->layout->lines)
		digest_all(g, p, write_any_costs, instr);
	else
		digest_all(g, p, add_any_costs, instr);
}

void
digest_lines(struct digest *d, const struct digest_layout *layout, bool wide,
    const char *p, const char *end, const struct base *base)
{
	struct digester g = { .d = d, .layout = layout, .end = end, .moved = true,
	    .open = SIZE_MAX };

	d->n = d->nrun = d->ncall = d->text.n = 0;
	if (base)
		g.base = *base;
	else
		p = pass(&g, p, false);
#ifdef HAVE_WIDE
	if (wide && layout->lines)
		write_wide(&g, p);
	else if (wide)
		sum_wide(&g, p);
	else
#endif
		digest_any(&g, p);
	pass(&g, end, true);
	(void)wide;
}

void
digest_free(struct digest *d)
{
	free(d->v);
	free(d->run);
	free(d->call);
	buf_free(&d->text);
	*d = (struct digest){ 0 };
}

/* SPDX-License-Identifier: ISC */
#include "digest.h"

#include <stdlib.h>

#include "usual.h"
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
};

/* Adds up cost lines at p.  Returns the first other line. */
typedef const char *add_lines(struct digester *g, const char *p, const bool instr);

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

/* Returns the newline at p or after it. */
static inline const char *
newline(const char *p, const char *end)
{
#if defined __SSE2__
	__m128i v;
	unsigned bits;

	memcpy(&v, p, sizeof v);
	bits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')));
	if (bits)
		return p + __builtin_ctz(bits);
#endif
	return memchr(p, '\n', (size_t)(end - p));
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
	next = take_costs(g, c.value, p, p + c.n + 1, &c.at);
	g->line += next != p;
	return next;
}

static inline __attribute__((always_inline)) const char *
add_any_costs(struct digester *g, const char *p, const bool instr)
{
	return add_cost(g, p, instr);
}

#ifdef HAVE_WIDE
WIDE static inline __attribute__((always_inline)) const char *
add_wide_costs(struct digester *g, const char *p, const bool instr)
{
	/* A position and a cost take at least a byte each, and those before them a blank. */
	const uint64_t nevents = g->layout->nevents;
	const struct usual_classes k = { usual_constant('\n'), usual_constant(' '),
	    usual_constant('0'), usual_constant(9),
	    nevents <= 30 ? ((uint64_t)1 << (2 * nevents + 3)) - 1 : UINT64_MAX };
	const char *start = p, *end = g->end, *next;
	struct base base = { g->base.addr, g->base.line };
	uint32_t lines = 0;
	uint64_t sum = 0;
	struct usual_cost c;

	while (usual_cost_wide(p, &base, nevents, &k, &c, instr)) {
		sum += c.value;
		base = c.at;
		p += c.n + 1;
		lines++;
		if (p >= end || !usual_first[(unsigned char)*p].lengths)
			break;
	}
	if (p == start)
		return add_cost(g, p, instr);
	next = take_costs(g, sum, start, p, &base);
	g->line += next == p ? lines : 0;
	return next;
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

/* Digests "calls=" at p, and the cost line after it; returns the line after that, NULL for
 * others. */
static inline const char *
call(struct digester *g, const char *line)
{
	const char *p = line + strlen("calls="), *count = digits(p), *q;
	struct text values = { 0 };
	struct base at;
	struct digest_token *t;

	if (memcmp(line, "calls=", strlen("calls=")) != 0 || count == p ||
	    (*p == '0' && count - p > 1) ||
	    count - p > UINT16_MAX || !g->have_cfn || !(q = target(g, count)) ||
	    ++q == g->end || !cg_begins_cost(*q) ||
	    !(q = usual_positions(q, &g->base, &at, g->layout->instr, true)) ||
	    (*q != '\n' && !(q = cg_usual_values(q, g->layout->nevents, &values))))
		return NULL;
	g->line += 2;
	t = add(g, DIGEST_CALL, p);
	t->n = (uint16_t)(count - p);
	t->values = values.n ? (uint64_t)(values.s - p) : 0;
	t->n_values = values.n;
	set_base(g, &at);
	return q + 1;
}

/* Digests "jump=" or "jcnd=" at p, and the line of positions that may come after it. */
static inline const char *
jump(struct digester *g, const char *line)
{
	const bool conditional = memcmp(line, "jcnd=", strlen("jcnd=")) == 0;
	const char *p = line + strlen("jump="), *q = digits(p), *r;
	struct base at;
	struct usual_cost own;

	if (q == p || (!conditional && memcmp(line, "jump=", strlen("jump=")) != 0))
		return NULL;
	if (conditional && (*q != '/' || (r = digits(q + 1)) == q + 1))
		return NULL;
	if (!(q = target(g, conditional ? r : q)) || ++q == g->end)
		return NULL;
	if (cg_begins_cost(*q)) {
		r = usual_positions(q, &g->base, &at, g->layout->instr, true);
		if (r && *r == '\n') {
			g->line++;
			set_base(g, &at);
			q = r + 1;
		} else if (!usual_cost_any(q, &g->base, g->layout->nevents, &own,
		    g->layout->instr)) {
			return NULL;
		}
	}
	g->line++;
	add(g, DIGEST_JUMP, NULL)->n = g->moved;
	return q;
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

static inline const char *
name(struct digester *g, const char *p, enum cg_key key)
{
	struct digest_token *t;
	const char *lf;

	g->line++;
	t = add(g, DIGEST_NAME, p);
	t->key = (unsigned char)key;
	lf = numbered(p, &t->number);
	t->n = lf != NULL;
	return (lf ? lf : newline(p, g->end)) + 1;
}

/* A function without anything before the next one would not be put. */
static const char *
function(struct digester *g, const char *p)
{
	const char *next = newline(p, g->end) + 1;

	if (next == g->end || memcmp(next, "fn=", strlen("fn=")) == 0)
		return NULL;
	name(g, p, CG_FN);
	add(g, DIGEST_COSTS, NULL)->sum = 0;
	g->costs = g->d->n;
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
	return p + c.n;
}

/* Finds the next function, from the line at p on, whose first line is an anchor: returns
 * "fn=", with the line after the anchor and its base set; NULL: there is none. */
static const char *
find_start(const struct digest_layout *l, const char *p, const char *end, const char **after,
    struct base *base)
{
	const char *lf;

	for (; p < end; p = lf + 1) {
		lf = newline(p, end);
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
	return p;
}

/* ---- all lines ---- */

static inline __attribute__((always_inline)) void
digest_all(struct digester *g, const char *p, add_lines *add_costs, const bool instr)
{
	const char *next;

	while (p < g->end) {
		if (cg_begins_cost(*p)) {
			next = add_costs(g, p, instr);
			next = next == p ? NULL : next;
		} else if (*p == '\n') {
			g->line++;
			next = p + 1;
		} else {
			next = key_line(g, p);
		}
		p = next ? next : pass(g, p, true);
	}
}

#ifdef HAVE_WIDE
WIDE static void
digest_wide(struct digester *g, const char *p)
{
	if (g->layout->instr)
		digest_all(g, p, add_wide_costs, true);
	else
		digest_all(g, p, add_wide_costs, false);
}
#endif

static void
digest_any(struct digester *g, const char *p)
{
	if (g->layout->instr)
		digest_all(g, p, add_any_costs, true);
	else
		digest_all(g, p, add_any_costs, false);
}

void
digest_lines(struct digest *d, const struct digest_layout *layout, bool wide,
    const char *p, const char *end, const struct base *base)
{
	struct digester g = { .d = d, .layout = layout, .end = end, .moved = true };

	d->n = 0;
	if (base)
		g.base = *base;
	else
		p = pass(&g, p, false);
#ifdef HAVE_WIDE
	if (wide)
		digest_wide(&g, p);
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
	*d = (struct digest){ 0 };
}

/* SPDX-License-Identifier: ISC */
#include "digester.h"

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

const char *
digest_call(struct digester *g, const char *line)
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
	if (g->moved || g->layout->jumps)
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

const char *
digest_jump(struct digester *g, const char *line)
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

const char *
digest_take_back(struct digester *g, const char *p)
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

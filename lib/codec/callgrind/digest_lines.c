/* SPDX-License-Identifier: ISC */
#include "digest_costs.h"

#include <stdlib.h>

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
		return key == KEY('c', 'a', 'l', 'l') ? digest_call(g, p) : digest_jump(g, p);
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
		p = next ? next : pass(g, digest_take_back(g, p), true);
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

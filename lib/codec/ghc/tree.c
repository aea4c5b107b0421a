/* SPDX-License-Identifier: ISC */
/* The tree of calls, while it is read, and its cost centres. */
#include "ghc.h"

#include "util/mem.h"

/* Takes the number that follows one of these characters in t, which then ends before it. */
static uint64_t
cut_number(struct text *t, const char *after)
{
	size_t i = t->n;
	uint64_t n;

	while (i && t->s[i - 1] >= '0' && t->s[i - 1] <= '9')
		i--;
	if (!i || i == t->n || !strchr(after, t->s[i - 1]) || !num_get_u64(t->s + i, &n))
		return 0;
	t->n = i - 1;
	return n;
}

/* Splits "T.hs:27:36-83", "T.hs:27:36" or "T.hs:(5,1)-(6,65)" into the path and where the
 * range begins. */
static void
split_source(struct text source, struct js_function *f)
{
	struct text t = source;

	if (t.n && t.s[t.n - 1] == ')') {	/* several lines */
		const char *dash = memmem(t.s, t.n, ")-(", 3);

		if (!dash)
			return;
		t.n = (size_t)(dash - t.s);
		f->column = cut_number(&t, ",");
		f->line = cut_number(&t, "(");
		t.n -= t.n && t.s[t.n - 1] == ':';
	} else {
		if (!cut_number(&t, "-"))	/* one character has no end */
			t = source;
		f->column = cut_number(&t, ":");
		f->line = cut_number(&t, ":");
	}
	if (f->line && f->column)
		f->file = t;
	else
		f->line = f->column = 0;
}

uint32_t
ghc_function(struct ghc *g, struct text module, struct text label, struct text source)
{
	struct js_function f = { .line = 0 };

	g->text.n = 0;
	buf_text(&g->text, module);
	buf_putc(&g->text, '.');
	buf_text(&g->text, label);
	f.name = buf_as_text(&g->text);
	split_source(source, &f);
	return js_functions_add(&g->functions, g->d->dict, &f);
}

struct ghc_node *
ghc_add(struct ghc *g, uint32_t parent, uint32_t func)
{
	struct ghc_node *n;

	if (func != NO_ID)
		js_functions_use(&g->functions, func);
	g->node = mem_grow(g->node, &g->capnode, g->nnode + 1, sizeof *g->node);
	n = &g->node[g->nnode++];
	*n = (struct ghc_node){ .parent = parent, .func = func, .ctx = NO_ID };
	return n;
}

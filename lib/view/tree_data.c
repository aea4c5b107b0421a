/* SPDX-License-Identifier: ISC */
/* A call tree as TSV and JSON. */
#include "view/data_columns.h"
#include "view/tree_page.h"

#include <stdlib.h>

#include "util/mem.h"

/* Rows are numbered in their order. */
struct data_page {
	const struct tree_page *tp;
	uint32_t *number;	/* by node */
};

/* A line of the table. */
struct tree_row {
	const struct data_page *x;
	size_t node;
	const struct tree_node *v;
	struct tree_rest rest;
};

/* ---- places ---- */

enum { ID, PARENT, DEPTH, MORE };

static struct value
count(const void *row, size_t which)
{
	const struct tree_row *r = row;
	const struct tree_node *v = r->v;
	const uint32_t *number = r->x->number;

	if (which == PARENT && v->depth <= 1)
		return (struct value){ .kind = ABSENT };
	return (struct value){ .kind = WHOLE, .n = which == ID ? number[r->node] :
	    which == PARENT ? number[v->parent] : which == DEPTH ? v->depth :
	    (num)r->rest.n };
}

enum { THREAD, FUNCTION, IN_FILE, OBJECT };

static struct value
place(const void *row, size_t which)
{
	const struct tree_row *r = row;
	const struct dict *d = r->x->tp->q->dict;
	const uint32_t *f = dict_def(d, REC_FUNC, r->v->func);

	return value_of_text(which == THREAD ? dict_text(d, r->v->thread) :
	    which == FUNCTION ? dict_text(d, f[FUNC_NAME]) :
	    which == IN_FILE ? dict_path(d, f[FUNC_FILE]) :
	    dict_object_path(d, f[FUNC_OBJECT]));
}

/* ---- costs ---- */

enum { SELF, INCL, REST, LOST, COSTS };

static const char *const cost_suffix[] = { "", ".incl", ".more", ".lost" };

static const num *
cost_of(const struct tree_row *r, size_t which)
{
	const num *const cost[] = { r->v->self, r->v->cost, r->rest.cost, r->rest.lost };

	return cost[which];
}

/* of: the cost, then its side, or SIDES for the change. */
static struct value
cost(const void *row, size_t of)
{
	const struct tree_row *r = row;
	const size_t which = of / (SIDES + 1), side = of % (SIDES + 1);
	const num *v = cost_of(r, which);

	if (which != INCL && !(r->v->flags & TREE_SETTLED))
		return (struct value){ .kind = ABSENT };
	return (struct value){ .kind = WHOLE, .n = side < SIDES ? v[side] :
	    v[SIDE_NEW] - v[SIDE_OLD] };
}

/* Adds columns for a cost of the event, and before it, in a difference, those of its
 * sides. */
static void
add_costs(struct data_table *d, const struct call_tree *t, size_t which)
{
	static const char *const side_name[] = { ".old", ".new" };
	const size_t of = which * (SIDES + 1);
	struct buf suffix = { 0 };
	size_t side;

	if (!t->name.s)		/* the profile has no event */
		return;
	for (side = 0; t->sides > 1 && side < SIDES; side++) {
		suffix.n = 0;
		buf_printf(&suffix, "%s%s", side_name[side], cost_suffix[which]);
		data_table_column(d, t->name, buf_str(&suffix), cost, of + side);
	}
	data_table_column(d, t->name, cost_suffix[which], cost, of + (t->sides > 1 ? SIDES :
	    0));
	buf_free(&suffix);
}

/* ---- marks ---- */

/* Lists the numbers that are estimates: "cost,self". */
static struct value
guesses(const void *row, size_t i)
{
	static const char *const names[] = { NULL, "cost", "self", "cost,self" };
	const struct tree_row *r = row;
	const struct call_tree *t = r->x->tp->t;

	(void)i;
	return value_of_text(text_of(names[tree_guesses(t, r->node, TREE_COST_ESTIMATED) +
	    2 * tree_guesses(t, r->node, TREE_SELF_ESTIMATED)]));
}

static struct value
recursion(const void *row, size_t i)
{
	const unsigned flags = ((const struct tree_row *)row)->v->flags;

	(void)i;
	return value_of_text(text_of(flags & TREE_RECURSION ? "recursion" :
	    flags & TREE_CYCLE ? "cycle" : NULL));
}

/* ---- the whole ---- */

static void
add_columns(struct data_table *d, const struct tree_page *tp)
{
	data_table_column(d, TEXT("id"), "", count, ID);
	data_table_column(d, TEXT("parent"), "", count, PARENT);
	data_table_column(d, TEXT("depth"), "", count, DEPTH);
	data_table_column(d, TEXT("thread"), "", place, THREAD);
	data_table_column(d, TEXT("function"), "", place, FUNCTION);
	data_table_column(d, TEXT("file"), "", place, IN_FILE);
	data_table_column(d, TEXT("object"), "", place, OBJECT);
	add_costs(d, tp->t, SELF);
	add_costs(d, tp->t, INCL);
	data_table_column(d, TEXT("more"), "", count, MORE);
	add_costs(d, tp->t, REST);
	add_costs(d, tp->t, LOST);
	data_table_column(d, TEXT("estimated"), "", guesses, 0);
	data_table_column(d, TEXT("recursion"), "", recursion, 0);
	data_unit_column(d, &tp->metric);
}

void
tree_data(struct tree_page *tp)
{
	struct data_page x = { .tp = tp, .number = mem_alloc(tp->t->n, sizeof *x.number) };
	struct data_table d;
	struct tree_row r = { .x = &x };
	uint32_t n = 0;

	data_table_init(&d, tp->p.out, tp->v->form);
	add_columns(&d, tp);
	data_table_head(&d, tp->q->diag);
	while (tp->t->name.s && (r.node = tree_next(tp, r.node))) {
		x.number[r.node] = ++n;
		r.v = &tp->t->v[r.node];
		r.rest = tree_rest_of(tp, r.node);
		data_table_row(&d, &r);
	}
	data_table_free(&d);
	free(x.number);
}

/* SPDX-License-Identifier: ISC */
/* The text after the names of a line: its marks, and the nodes below it that are left
 * out. */
#include "view/tree_text.h"

/* Adds "3.20 %"; in a difference the change. */
static void
add_amount(struct text_page *x, struct buf *b, const num *cost)
{
	num change = cost[SIDE_NEW];

	if (x->tp->t->sides == 1) {
		num_add_percent(b, cost[0], x->tp->t->total[0]);
		buf_puts(b, " %");
		return;
	}
	num_sub(&change, cost[SIDE_OLD]);
	metric_add_change(b, &x->tp->metric, change);
}

/* Is the cost too small for a percentage? */
static bool
is_nothing(const struct text_page *x, const num *cost)
{
	static const struct threshold least = { 5000, true };

	return x->tp->t->sides > 1 ? !cost[SIDE_OLD] && !cost[SIDE_NEW] :
	    threshold_cmp(tree_size(cost[0]), least, x->tp->t->total[0]) < 0;
}

static bool
is_none(const struct tree_rest *r)
{
	return !r->n && !r->lost[SIDE_OLD] && !r->lost[SIDE_NEW] && !r->cost[SIDE_OLD] &&
	    !r->cost[SIDE_NEW];
}

/* Returns what else the amount includes; NULL: it is of functions alone. */
static const char *
rest_words(const struct tree_rest *r, bool grown)
{
	const bool lost = r->lost[SIDE_OLD] != r->above[SIDE_OLD] ||
	    r->lost[SIDE_NEW] != r->above[SIDE_NEW];

	return r->n ? " more" : !grown ? "more" : lost ? "not in the profile" : NULL;
}

/* Adds "12 more, 3.20 %"; `brief`: without the number. */
static void
add_more(struct text_page *x, struct buf *b, const struct tree_rest *r, const char *words,
    const char *guess, bool brief)
{
	num sum[SIDES];
	bool nothing;
	size_t side;

	for (side = 0; side < SIDES; side++) {
		sum[side] = r->cost[side];
		num_add(&sum[side], r->lost[side]);
		num_sub(&sum[side], r->above[side]);
	}
	nothing = is_nothing(x, sum) && !(r->n && x->tp->t->sides > 1);
	if (nothing && !r->n)
		return;
	if (words && (!brief || nothing)) {
		if (r->n)
			num_add_grouped(b, (num)r->n);
		buf_puts(b, words);
		buf_puts(b, nothing ? "" : ", ");
	}
	if (nothing)
		return;
	buf_puts(b, guess);
	add_amount(x, b, sum);
}

void
tree_line_rest(struct text_page *x, struct buf *b, size_t node, enum tree_rest_words words)
{
	const struct call_tree *t = x->tp->t;
	struct tree_rest r = tree_rest_of_line(x->tp, node);
	const struct tree_node *last = &t->v[tree_line_last(x->tp, node)];
	const char *guess = r.estimated && node && !tree_line_guesses_any(x, node) &&
	    !x->guesses ? "~" : "";
	size_t from;

	if (last->flags & TREE_SETTLED && is_none(&r))
		return;
	buf_puts(b, "  \xe2\x80\xa6 ");
	from = b->n;
	if (t->cumulative || (node == 0 && t->overlap)) {
		memset(r.cost, 0, sizeof r.cost);
		memset(r.lost, 0, sizeof r.lost);
	}
	if (last->flags & TREE_SETTLED)
		add_more(x, b, &r, rest_words(&r, last->flags & TREE_GROWN), guess,
		    words == REST_COST);
	else
		buf_puts(b, "more");
	if (!is_nothing(x, r.above)) {
		buf_puts(b, b->n > from ? ", above " : "above ");
		buf_puts(b, guess);
		add_amount(x, b, r.above);
		x->mark[MARK_ABOVE] = true;
	}
	if (b->n == from)
		b->n = from - strlen("  \xe2\x80\xa6 ");
	else if (words == REST_DOTS)
		b->n = from - strlen(" ");
}

void
tree_line_marks(struct text_page *x, struct buf *b, size_t node)
{
	const struct tree_node *v = x->tp->t->v;
	unsigned flags = 0;

	for (; node; node = x->tp->next[node])
		flags |= v[node].flags;
	if (flags & TREE_RECURSION)
		buf_puts(b, "  (rec)");
	else if (flags & TREE_ENTERS)
		buf_puts(b, "  (cyc)");
	x->mark[MARK_RECURSION] |= flags & TREE_RECURSION;
	x->mark[MARK_CYCLE] |= !(flags & TREE_RECURSION) && flags & TREE_ENTERS;
}

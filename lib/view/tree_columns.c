/* SPDX-License-Identifier: ISC */
/* The numbers before the names of a line. */
#include "view/tree_text.h"

/* With callers below the nodes have no cost of their own. */
static bool
has_self(const struct text_page *x)
{
	return !x->tp->q->callers;
}

/* Is it shown?  It is the last column. */
static bool
shows_self(const struct text_page *x)
{
	return has_self(x) && !x->numbers.column[x->numbers.n - 1].gone;
}

bool
tree_line_guesses(const struct text_page *x, size_t node)
{
	return tree_guesses(x->tp->t, node, TREE_COST_ESTIMATED);
}

static bool
guesses_self(const struct text_page *x, size_t node)
{
	return tree_guesses(x->tp->t, tree_line_last(x->tp, node), TREE_SELF_ESTIMATED);
}

bool
tree_line_guesses_any(const struct text_page *x, size_t node)
{
	return tree_line_guesses(x, node) || (shows_self(x) && guesses_self(x, node));
}

/* ---- cells ---- */

/* The first estimate of a line has the mark for all that follow. */
static void
mark_guess(struct cell *c, const struct tree_line *l, bool guess)
{
	guess &= c->shown;
	if (guess && !*l->marked && !l->x->guesses)
		buf_putc(&c->b, '~');
	*l->marked |= guess;
}

static void
side_cell(struct cell *c, const void *line, size_t side)
{
	const struct tree_line *l = line;
	const struct call_tree *t = l->x->tp->t;
	const struct tree_node *v = &t->v[l->node];

	mark_guess(c, l, v->flags & tree_bit(TREE_COST_ESTIMATED, side));
	metric_add_whole(&c->b, &l->x->tp->metric, v->cost[side]);
}

static void
change_cell(struct cell *c, const void *line, size_t i)
{
	const struct tree_line *l = line;

	(void)i;
	mark_guess(c, l, tree_line_guesses(l->x, l->node));
	metric_add_change(&c->b, &l->x->tp->metric, tree_cost(l->x->tp->t, l->node));
}

/* Of the total; of a change, of the old cost. */
static void
share_cell(struct cell *c, const void *line, size_t i)
{
	const struct tree_line *l = line;
	const struct call_tree *t = l->x->tp->t;
	const num *cost = t->v[l->node].cost;

	(void)i;
	if (t->sides > 1)
		num_add_change(&c->b, cost[SIDE_OLD], tree_cost(t, l->node));
	else
		num_add_percent(&c->b, cost[0], t->total[0]);
}

/* The cost of the line's last function of its own: its change; or its share. */
static void
self_cell(struct cell *c, const void *line, size_t i)
{
	const struct tree_line *l = line;
	const struct call_tree *t = l->x->tp->t;
	const struct tree_node *last = &t->v[tree_line_last(l->x->tp, l->node)];

	(void)i;
	if (!(last->flags & TREE_SETTLED)) {
		buf_putc(&c->b, '-');
		return;
	}
	mark_guess(c, l, guesses_self(l->x, l->node));
	if (t->sides > 1)
		metric_add_change(&c->b, &l->x->tp->metric,
		    last->self[SIDE_NEW] - last->self[SIDE_OLD]);
	else
		num_add_percent(&c->b, last->self[0], t->total[0]);
}

/* ---- columns ---- */

void
tree_line_columns(struct text_page *x)
{
	struct text_table *tt = &x->numbers;
	const bool change = x->tp->t->sides > 1;
	struct buf head = { 0 };

	tt->changes = change;
	buf_puts(&head, change ? "old " : "");
	metric_add_name(&head, &x->tp->metric);
	text_table_column(tt, buf_str(&head), change ? COLUMN_SIDE : COLUMN_COST, side_cell,
	    SIDE_OLD);
	if (change) {
		text_table_column(tt, "new", COLUMN_SIDE, side_cell, SIDE_NEW);
		text_table_column(tt, "change", COLUMN_COST, change_cell, 0);
	}
	text_table_column(tt, "%", COLUMN_SHARE, share_cell, 0);
	if (has_self(x))
		text_table_column(tt, change ? "self" : "self %", COLUMN_OWN, self_cell, 0);
	buf_free(&head);
}

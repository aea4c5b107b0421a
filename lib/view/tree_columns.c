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
	return has_self(x) && !x->numbers.c.column[x->numbers.c.n - 1].gone;
}

bool
tree_line_guesses(const struct text_page *x, size_t node)
{
	return tree_guesses(x->tp->t, node, TREE_COST_ESTIMATED);
}

bool
tree_line_guesses_any(const struct text_page *x, size_t node)
{
	return tree_line_guesses(x, node) || (shows_self(x) &&
	    tree_guesses(x->tp->t, tree_line_last(x->tp, node), TREE_SELF_ESTIMATED));
}

/* Begins a number.  The first estimate of a line has the mark for all that follow. */
static void
begin_number(struct text_page *x, bool guess, bool *marked)
{
	x->b.n = 0;
	guess &= cells_show_next(&x->numbers.c);
	if (guess && !*marked && !x->guesses)
		buf_putc(&x->b, '~');
	*marked |= guess;
}

static void
set_cost(struct text_page *x, const char *sign, num cost)
{
	buf_puts(&x->b, sign);
	page_add_shown(&x->b, &x->tp->metric, (struct value){ .kind = WHOLE, .n = cost });
	page_set_cell(&x->numbers.c, &x->b);
}

static void
set_share(struct text_page *x, num cost)
{
	num_add_percent(&x->b, cost, x->tp->t->total[0]);
	page_set_cell(&x->numbers.c, &x->b);
}

static void
set_unknown(struct text_page *x)
{
	strcpy(x->numbers.c.s[x->numbers.c.n++], "-");
}

/* Old, new, change and what that is of the old cost; the change of its own. */
static void
change_cells(struct text_page *x, size_t node)
{
	const struct call_tree *t = x->tp->t;
	const struct tree_node *v = &t->v[node], *last = &t->v[tree_line_last(x->tp, node)];
	const num change = tree_cost(t, node);
	bool marked = false;
	size_t side;
	num self;

	for (side = 0; side < SIDES; side++) {
		begin_number(x, v->flags & tree_bit(TREE_COST_ESTIMATED, side), &marked);
		set_cost(x, "", v->cost[side]);
	}
	begin_number(x, tree_line_guesses(x, node), &marked);
	set_cost(x, change > 0 ? "+" : "", change);
	x->b.n = 0;
	num_add_change(&x->b, v->cost[SIDE_OLD], change);
	page_set_cell(&x->numbers.c, &x->b);
	if (!has_self(x))
		return;
	if (!(last->flags & TREE_SETTLED)) {
		set_unknown(x);
		return;
	}
	self = last->self[SIDE_NEW] - last->self[SIDE_OLD];
	begin_number(x, tree_guesses(t, tree_line_last(x->tp, node), TREE_SELF_ESTIMATED),
	    &marked);
	set_cost(x, self > 0 ? "+" : "", self);
}

void
tree_line_cells(struct text_page *x, size_t node)
{
	const struct call_tree *t = x->tp->t;
	const size_t last = tree_line_last(x->tp, node);
	bool marked = false;

	x->numbers.c.n = 0;
	if (t->sides > 1) {
		change_cells(x, node);
		return;
	}
	begin_number(x, tree_line_guesses(x, node), &marked);
	set_cost(x, "", t->v[node].cost[0]);
	x->b.n = 0;
	set_share(x, t->v[node].cost[0]);
	if (!has_self(x))
		return;
	if (!(t->v[last].flags & TREE_SETTLED)) {
		set_unknown(x);
		return;
	}
	begin_number(x, tree_guesses(t, last, TREE_SELF_ESTIMATED), &marked);
	set_share(x, t->v[last].self[0]);
}

void
tree_line_heads(struct text_page *x)
{
	struct cells *c = &x->numbers.c;
	const bool change = x->tp->t->sides > 1;

	c->n = 0;
	x->b.n = 0;
	buf_puts(&x->b, change ? "old " : "");
	page_add_name(&x->b, &x->tp->metric);
	cells_head(c, buf_str(&x->b), change ? COLUMN_SIDE : COLUMN_COST, 0);
	if (change) {
		cells_head(c, "new", COLUMN_SIDE, 0);
		cells_head(c, "change", COLUMN_COST, 0);
	}
	cells_head(c, "%", COLUMN_SHARE, 0);
	if (has_self(x))
		cells_head(c, change ? "self" : "self %", COLUMN_OWN, 0);
}

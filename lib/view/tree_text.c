/* SPDX-License-Identifier: ISC */
/* A call tree for people. */
#include "view/tree_names.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/vis.h"

#define LEVELS 32		/* of a deep tree are drawn */
#define NAME 8			/* the least columns of names */
#define ENOUGH 30		/* that suffice */

/* What a mark says. */
enum { MARK_RECURSION, MARK_CYCLE, MARK_ABOVE, MARK_CHAIN, MARK_LOSSY, MARK_PLAIN, MARKS };
static const char *const mark_says[MARKS] = {
	"(rec) recursion: below itself, or calls itself",
	"(cyc) enters a cycle of calls, which is cut",
	"above: in calls of functions that are above already",
	"a; b: all of the cost of a is that of b",
	"a; b: nearly all of the cost of a is that of b",
	"without a branch: below the line above it, alone",
};

struct text_page {
	struct tree_page *tp;
	struct tree_names names;
	struct cells c;
	size_t *width, used;	/* of each column; of all */
	uint32_t *level;	/* by node that begins a line: how deep it is drawn */
	uint32_t *nshown;	/* by node: children that are shown */
	bool mark[MARKS];
	size_t lines, guessed;	/* lines; those that have an estimate, or begin with one */
	bool narrow;		/* a difference without room for the change of own costs */
	bool guesses;		/* all lines do: that is said once */
	struct buf b;
};

/* ---- numbers ---- */

/* The last node of a line. */
static size_t
last_of(const struct text_page *x, size_t node)
{
	while (x->tp->next[node])
		node = x->tp->next[node];
	return node;
}

static bool
has_self(const struct text_page *x)
{
	return !x->tp->q->callers && !x->narrow;
}

static bool
guesses_cost(const struct text_page *x, size_t node)
{
	return tree_guesses(x->tp->t, node, TREE_COST_ESTIMATED);
}

/* Has any number of the line that is before its names been estimated? */
static bool
guesses_any(const struct text_page *x, size_t node)
{
	return guesses_cost(x, node) || (has_self(x) &&
	    tree_guesses(x->tp->t, last_of(x, node), TREE_SELF_ESTIMATED));
}

/* Begins a number: the first of a line that is an estimate is marked for all that follow. */
static void
begin_number(struct text_page *x, bool guess, bool *marked)
{
	x->b.n = 0;
	if (guess && !*marked && !x->guesses)
		buf_putc(&x->b, '~');
	*marked |= guess;
}

static void
set_cost(struct text_page *x, const char *sign, num cost)
{
	buf_puts(&x->b, sign);
	page_add_shown(&x->b, &x->tp->metric, (struct value){ .kind = WHOLE, .n = cost });
	page_set_cell(&x->c, &x->b);
}

static void
set_share(struct text_page *x, num cost)
{
	num_add_percent(&x->b, cost, x->tp->t->total[0]);
	page_set_cell(&x->c, &x->b);
}

static void
set_unknown(struct text_page *x)
{
	strcpy(x->c.s[x->c.n++], "-");
}

/* Old, new, change and what that is of the old cost; the change of its own. */
static void
change_cells(struct text_page *x, size_t node)
{
	const struct call_tree *t = x->tp->t;
	const struct tree_node *v = &t->v[node], *last = &t->v[last_of(x, node)];
	const num change = tree_cost(t, node);
	bool marked = false;
	size_t side;
	num self;

	for (side = 0; side < SIDES; side++) {
		begin_number(x, v->flags & tree_bit(TREE_COST_ESTIMATED, side), &marked);
		set_cost(x, "", v->cost[side]);
	}
	begin_number(x, false, &marked);
	set_cost(x, change > 0 ? "+" : "", change);
	x->b.n = 0;
	num_add_change(&x->b, v->cost[SIDE_OLD], change);
	page_set_cell(&x->c, &x->b);
	if (!has_self(x))
		return;
	if (!(last->flags & TREE_SETTLED)) {
		set_unknown(x);
		return;
	}
	self = last->self[SIDE_NEW] - last->self[SIDE_OLD];
	begin_number(x, tree_guesses(t, last_of(x, node), TREE_SELF_ESTIMATED), &marked);
	set_cost(x, self > 0 ? "+" : "", self);
}

/* With callers below there is no cost of their own. */
static void
fill_cells(struct text_page *x, size_t node)
{
	const struct call_tree *t = x->tp->t;
	const size_t last = last_of(x, node);
	bool marked = false;

	x->c.n = 0;
	if (t->sides > 1) {
		change_cells(x, node);
		return;
	}
	begin_number(x, guesses_cost(x, node), &marked);
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

static void
head_cells(struct text_page *x)
{
	struct cells *c = &x->c;
	const bool change = x->tp->t->sides > 1;

	c->n = 0;
	x->b.n = 0;
	buf_puts(&x->b, change ? "old " : "");
	page_add_name(&x->b, &x->tp->metric);
	page_set_cell(c, &x->b);
	if (change) {
		strcpy(c->s[c->n++], "new");
		strcpy(c->s[c->n++], "change");
	}
	strcpy(c->s[c->n++], "%");
	if (has_self(x))
		strcpy(c->s[c->n++], change ? "self" : "self %");
}

/* ---- what is behind a name ---- */

/* "3.20 %"; of a difference its change. */
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
	buf_puts(b, change > 0 ? "+" : "");
	page_add_shown(b, &x->tp->metric, (struct value){ .kind = WHOLE, .n = change });
}

/* Does a percentage of it say no more than "little"? */
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

/* What the amount that is not above is of; NULL: of the line's own functions. */
static const char *
rest_says(const struct tree_rest *r, bool grown)
{
	const bool lost = r->lost[SIDE_OLD] != r->above[SIDE_OLD] ||
	    r->lost[SIDE_NEW] != r->above[SIDE_NEW];

	return r->n ? " more" : !grown ? "more" : lost ? "not in the profile" : NULL;
}

/* "12 more, 3.20 %", of what is not above; `brief`: without the number. */
static void
add_more(struct text_page *x, struct buf *b, const struct tree_rest *r, const char *says,
    const char *guess, bool brief)
{
	num sum[SIDES];
	char tmp[NUM_TEXT];
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
	if (says && (!brief || nothing)) {
		if (r->n)
			buf_add(b, tmp, (size_t)(num_put_grouped(tmp, (num)r->n) - tmp));
		buf_puts(b, says);
		buf_puts(b, nothing ? "" : ", ");
	}
	if (nothing)
		return;
	buf_puts(b, guess);
	add_amount(x, b, sum);
}

/* "  ... 12 more, 3.20 %, above 1.20 %" */
static void
add_rest(struct text_page *x, struct buf *b, size_t node, bool brief)
{
	const struct call_tree *t = x->tp->t;
	struct tree_rest r = tree_rest_of_line(x->tp, node);
	const struct tree_node *last = &t->v[last_of(x, node)];
	const char *guess = r.estimated && node && !guesses_any(x, node) && !x->guesses ?
	    "~" : "";
	size_t from;

	if (last->flags & TREE_SETTLED && is_none(&r))
		return;
	buf_puts(b, "  \xe2\x80\xa6 ");
	from = b->n;
	if (node == 0 && t->overlap) {
		memset(r.cost, 0, sizeof r.cost);
		memset(r.lost, 0, sizeof r.lost);
	}
	if (last->flags & TREE_SETTLED)
		add_more(x, b, &r, rest_says(&r, last->flags & TREE_GROWN), guess, brief);
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
}

/* Of all nodes of a line. */
static void
add_marks(struct text_page *x, struct buf *b, size_t node)
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

/* ---- lines ---- */

/* The node that begins the line that this one is below. */
static size_t
line_above(const struct text_page *x, size_t node)
{
	node = x->tp->t->v[node].parent;
	while (node && !tree_begins_line(x->tp, node))
		node = x->tp->t->v[node].parent;
	return node;
}

/* Adds "| | |-", as a tree is drawn; of a very deep one only the last levels. */
static void
add_branches(struct text_page *x, struct buf *b, size_t node)
{
	const size_t level = x->level[node], width = x->tp->v->width;
	const size_t left = width > x->used ? width - x->used : 20;
	size_t most = width ? left / 4 : LEVELS, n, from, at = node;

	if (level <= 1)
		return;
	n = level - 1 < most ? level - 1 : most;
	if (n < level - 1)
		buf_printf(b, "%zu: ", level);
	from = b->n;
	memset(buf_room(b, 2 * n), ' ', 2 * n);
	b->n += 2 * n;
	for (; n > 0; at = line_above(x, at)) {
		if (x->level[at] == x->level[line_above(x, at)])
			continue;	/* without a branch */
		n--;
		if (tree_brother(x->tp, at) != 0)
			b->s[from + 2 * n] = '|';
		else if (at == node)
			b->s[from + 2 * n] = '`';
		if (at == node)
			b->s[from + 2 * n + 1] = '-';
	}
}

/* What is behind the names, and the columns that it leaves them; with numbers only if
 * these do not get too few. */
static size_t
add_behind(struct text_page *x, struct buf *b, size_t node, size_t taken)
{
	const size_t width = x->tp->v->width;
	size_t n;
	int brief;

	for (brief = 0; brief < 2; brief++) {
		b->n = 0;
		add_marks(x, b, node);
		add_rest(x, b, node, brief);
		n = taken + vis_columns(buf_as_text(b));
		if (width == 0)
			return SIZE_MAX;
		if (width >= n + ENOUGH)
			break;
	}
	return width > n + NAME ? width - n : NAME;
}

/* Has the last function of a line all of what the first one costs, or nearly all? */
static void
mark_chain(struct text_page *x, size_t node)
{
	const struct tree_node *first = &x->tp->t->v[node];
	const struct tree_node *last = &x->tp->t->v[last_of(x, node)];
	size_t side;

	x->mark[MARK_CHAIN] |= first != last;
	for (side = 0; side < x->tp->t->sides; side++)
		x->mark[MARK_LOSSY] |= first->cost[side] != last->cost[side];
}

static void
put_line(struct text_page *x, size_t node)
{
	struct page *p = &x->tp->p;
	struct buf branches = { 0 }, names = { 0 }, behind = { 0 };
	size_t room;

	fill_cells(x, node);
	page_add_cells(p, &x->c, x->width);
	add_branches(x, &branches, node);
	room = add_behind(x, &behind, node,
	    x->used + vis_columns(buf_as_text(&branches)));
	tree_names_add(&x->names, &names, node, room);
	mark_chain(x, node);
	page_paint(p, "2");
	buf_text(&p->line, buf_as_text(&branches));
	page_paint(p, "0");
	buf_text(&p->line, buf_as_text(&names));
	page_paint(p, "2");
	buf_text(&p->line, buf_as_text(&behind));
	page_paint(p, "0");
	buf_free(&branches);
	buf_free(&names);
	buf_free(&behind);
}

/* ---- the page ---- */

static void
end_line(struct text_page *x)
{
	struct page *p = &x->tp->p;

	if (x->tp->v->markdown)
		buf_putc(&p->line, '\n');
	else
		page_flush(p);
}

/* How deep each line is drawn: where a line has but one below it, that needs no branch, so
 * that what is deep but does not fork is not wide.  Below roots it has one, as it would
 * look like another root. */
static void
find_levels(struct text_page *x)
{
	const struct call_tree *t = x->tp->t;
	size_t node, up;

	x->level = mem_alloc(t->n, sizeof *x->level);
	x->nshown = mem_alloc(t->n, sizeof *x->nshown);
	for (node = 1; node < t->n; node++)
		x->nshown[t->v[node].parent] += x->tp->shown[node];
	for (node = 0; (node = tree_next(x->tp, node)); ) {
		up = x->level[t->v[node].parent];
		if (!tree_begins_line(x->tp, node)) {
			x->level[node] = (uint32_t)up;
			continue;
		}
		x->lines++;
		x->guessed += guesses_any(x, node);
		x->guesses &= guesses_cost(x, node);
		if (x->nshown[t->v[node].parent] == 1 && up > 1)
			x->mark[MARK_PLAIN] = true;
		else
			up++;
		x->level[node] = (uint32_t)up;
	}
}

static void
measure(struct text_page *x)
{
	size_t node, i;

	memset(x->width, 0, (CHANGE_CELLS + 1) * sizeof *x->width);
	head_cells(x);
	page_widen(x->width, &x->c);
	for (node = 0; (node = tree_next(x->tp, node)); ) {
		if (!tree_begins_line(x->tp, node))
			continue;
		fill_cells(x, node);
		page_widen(x->width, &x->c);
	}
	for (x->used = i = 0; i < x->c.n; i++)
		x->used += x->width[i] + 2;
}

static void
measure_columns(struct text_page *x)
{
	const size_t width = x->tp->v->width;

	x->c.s = mem_alloc(CHANGE_CELLS + 1, CELL);
	x->width = mem_alloc(CHANGE_CELLS + 1, sizeof *x->width);
	measure(x);
	if (x->tp->t->sides > 1 && width && width < x->used + ENOUGH) {
		x->narrow = true;
		measure(x);
	}
}

static void
put_heads(struct text_page *x)
{
	struct page *p = &x->tp->p;

	head_cells(x);
	page_paint(p, "1");
	page_add_cells(p, &x->c, x->width);
	buf_puts(&p->line, x->tp->q->callers ? "function, callers below" : "function");
	page_paint(p, "0");
	end_line(x);
}

/* What is left out of the roots, and what marks mean. */
static void
put_end(struct text_page *x)
{
	struct page *p = &x->tp->p;
	struct buf rest = { 0 };
	int i;

	add_rest(x, &rest, 0, false);
	if (rest.n) {
		buf_puts(&p->line, buf_str(&rest) + 2);
		end_line(x);
	}
	buf_free(&rest);
	if (x->guessed && !x->guesses) {
		buf_printf(&p->line, "~ the rest of the line is estimated, by what calls "
		    "cost: %zu of %zu lines", x->guessed, x->lines);
		end_line(x);
	}
	x->mark[MARK_CHAIN] &= !x->mark[MARK_LOSSY];
	for (i = 0; i < MARKS; i++)
		if (x->mark[i]) {
			buf_puts(&p->line, mark_says[i]);
			end_line(x);
		}
	if (x->tp->t->bounded) {
		buf_puts(&p->line, "too large to be followed everywhere");
		end_line(x);
	}
}

/* Markdown's fence is longer than any in the text. */
static void
fence(struct page *p)
{
	struct buf text = p->line, *b = &p->line;
	size_t longest = 2, run = 0, i;

	for (i = 0; i < text.n; i++) {
		run = text.s[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	*b = (struct buf){ 0 };
	for (i = 0; i <= longest; i++)
		buf_putc(b, '`');
	buf_putc(b, '\n');
	buf_text(b, buf_as_text(&text));
	for (i = 0; i <= longest; i++)
		buf_putc(b, '`');
	buf_free(&text);
	page_flush(p);
}

void
tree_text(struct tree_page *tp)
{
	struct text_page x = { .tp = tp, .guesses = tp->nshown > 0 };
	size_t node;

	tree_names_init(&x.names, tp);
	find_levels(&x);
	measure_columns(&x);
	page_add_heading(&tp->p);
	if (x.guesses)
		buf_puts(&tp->p.line, "all of it is estimated, by what calls cost\n");
	end_line(&x);
	if (tp->nshown)
		put_heads(&x);
	for (node = 0; (node = tree_next(tp, node)); )
		if (tree_begins_line(tp, node)) {
			put_line(&x, node);
			end_line(&x);
		}
	put_end(&x);
	if (tp->v->markdown)
		fence(&tp->p);
	free(x.c.s);
	free(x.width);
	free(x.level);
	free(x.nshown);
	tree_names_free(&x.names);
	buf_free(&x.b);
}

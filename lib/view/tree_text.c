/* SPDX-License-Identifier: ISC */
/* A call tree for people. */
#include "view/tree_page.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/vis.h"

#define LEVELS 32		/* of a deep tree are drawn */
#define CHAIN 12		/* functions of a chain are named, half of them at its end */
#define NAME 8			/* the least columns of a name */

/* What a mark says. */
enum { MARK_GUESS, MARK_RECURSION, MARK_CYCLE, MARK_CHAIN, MARKS };
static const char *const mark_says[MARKS] = {
	"~ estimated, in proportion of what calls cost",
	"(rec) recursion: below itself, or calls itself",
	"(cyc) in a cycle of calls, which is cut",
	"a; b: all of the cost of a is that of b",
};

struct text_page {
	struct tree_page *tp;
	struct cells c;
	size_t *width, used;	/* of each column; of all */
	uint32_t *level;	/* by node: how deep it is drawn; of a link that of its line */
	/* By the number of a name: a function of it, and what tells others of it apart. */
	struct name { uint32_t func1; bool objects, files; } *name;
	size_t capname;
	bool mark[MARKS];
	struct buf b;
};

/* ---- numbers ---- */

static void
set_cost(struct text_page *x, bool guess, const char *sign, num cost)
{
	x->b.n = 0;
	buf_puts(&x->b, guess ? "~" : "");
	buf_puts(&x->b, sign);
	page_add_shown(&x->b, &x->tp->metric, (struct value){ .kind = WHOLE, .n = cost });
	page_set_cell(&x->c, &x->b);
}

static void
set_share(struct text_page *x, bool guess, num cost)
{
	x->b.n = 0;
	buf_puts(&x->b, guess ? "~" : "");
	num_add_percent(&x->b, cost, x->tp->t->total[0]);
	page_set_cell(&x->c, &x->b);
}

/* Old, new, change and what that is of the old cost. */
static void
change_cells(struct text_page *x, size_t node)
{
	const struct call_tree *t = x->tp->t;
	const num *cost = t->v[node].cost, change = tree_cost(t, node);
	const unsigned flags = t->v[node].flags;
	const bool guess = tree_guesses(t, node, TREE_COST_ESTIMATED);

	set_cost(x, flags & tree_bit(TREE_COST_ESTIMATED, SIDE_OLD), "", cost[SIDE_OLD]);
	set_cost(x, flags & tree_bit(TREE_COST_ESTIMATED, SIDE_NEW), "", cost[SIDE_NEW]);
	set_cost(x, guess, change > 0 ? "+" : "", change);
	x->b.n = 0;
	buf_puts(&x->b, guess && cost[SIDE_OLD] && cost[SIDE_NEW] ? "~" : "");
	num_add_change(&x->b, cost[SIDE_OLD], change);
	page_set_cell(&x->c, &x->b);
}

/* With callers below there is no cost of their own. */
static void
fill_cells(struct text_page *x, size_t node)
{
	const struct call_tree *t = x->tp->t;
	const struct tree_node *v = &t->v[node];
	const bool guess = tree_guesses(t, node, TREE_COST_ESTIMATED);

	x->c.n = 0;
	if (t->sides > 1) {
		change_cells(x, node);
		return;
	}
	set_cost(x, guess, "", v->cost[0]);
	set_share(x, guess, v->cost[0]);
	if (x->tp->q->callers)
		return;
	while (tree_is_link(t, node))
		node = t->v[node].first;
	v = &t->v[node];
	if (v->flags & TREE_SETTLED)
		set_share(x, tree_guesses(t, node, TREE_SELF_ESTIMATED), v->self[0]);
	else
		strcpy(x->c.s[x->c.n++], "-");
}

static void
head_cells(struct text_page *x)
{
	struct cells *c = &x->c;

	c->n = 0;
	x->b.n = 0;
	buf_puts(&x->b, x->tp->t->sides > 1 ? "old " : "");
	page_add_name(&x->b, &x->tp->metric);
	page_set_cell(c, &x->b);
	if (x->tp->t->sides > 1) {
		strcpy(c->s[c->n++], "new");
		strcpy(c->s[c->n++], "change");
	}
	strcpy(c->s[c->n++], "%");
	if (x->tp->t->sides == 1 && !x->tp->q->callers)
		strcpy(c->s[c->n++], "self %");
}

/* ---- names ---- */

/* Is this the first node of its line? */
static bool
begins_line(const struct text_page *x, size_t node)
{
	const struct call_tree *t = x->tp->t;

	return t->v[node].parent == 0 || !tree_is_link(t, t->v[node].parent);
}

/* Finds names that several functions have. */
static void
find_names(struct text_page *x)
{
	const struct dict *d = x->tp->q->dict;
	const struct call_tree *t = x->tp->t;
	size_t node;

	for (node = 0; (node = tree_next(x->tp, node)); ) {
		const uint32_t func = t->v[node].func;
		const uint32_t *f = dict_def(d, REC_FUNC, func), *was;
		struct name *name;

		if (f[FUNC_NAME] == NO_ID)
			continue;
		x->name = mem_reach(x->name, &x->capname, f[FUNC_NAME], sizeof *x->name, 0);
		name = &x->name[f[FUNC_NAME]];
		if (!name->func1)
			name->func1 = func + 1;
		was = dict_def(d, REC_FUNC, name->func1 - 1);
		name->objects |= was[FUNC_OBJECT] != f[FUNC_OBJECT];
		name->files |= was[FUNC_FILE] != f[FUNC_FILE];
	}
}

/* What tells a function from others of its name: its object, else its file; absent. */
static struct text
place_of(const struct text_page *x, uint32_t func)
{
	const struct dict *d = x->tp->q->dict;
	const uint32_t *f = dict_def(d, REC_FUNC, func);
	const struct name *name = f[FUNC_NAME] == NO_ID ? NULL : &x->name[f[FUNC_NAME]];
	struct text t = { 0 };

	if (func == NO_ID)
		return t;
	if (!name || name->objects)
		t = dict_object_path(d, f[FUNC_OBJECT]);
	if (!t.s && (!name || name->files))
		t = dict_path(d, f[FUNC_FILE]);
	return t.s ? text_base_name(t) : t;
}

/* "name  [place]", in so many columns. */
static void
add_name(struct text_page *x, struct buf *b, size_t node, size_t room)
{
	const struct text name = tree_node_name(x->tp->t, x->tp->q->dict, node);
	const struct text place = place_of(x, x->tp->t->v[node].func);
	const size_t wide = place.s ? vis_columns(place) + 4 : 0;

	vis_shortened(b, name.s ? name : TEXT("???"), room == SIZE_MAX ? room :
	    room > wide + NAME ? room - wide : NAME);
	if (!place.s || (room != SIZE_MAX && room <= wide + NAME))
		return;
	buf_puts(b, "  [");
	vis_add(b, place);
	buf_putc(b, ']');
}

/* ---- what is behind a name ---- */

/* "  ... 12 more, 3.20 %" */
static void
add_rest(struct text_page *x, struct buf *b, size_t node)
{
	const struct call_tree *t = x->tp->t;
	const struct tree_rest r = tree_rest_of(x->tp, node);
	const bool lost = r.lost[SIDE_OLD] || r.lost[SIDE_NEW];
	char tmp[NUM_TEXT];
	num sum = r.cost[0];

	if (!r.n && !lost && t->v[node].flags & TREE_SETTLED)
		return;
	num_add(&sum, r.lost[0]);
	buf_puts(b, "  \xe2\x80\xa6 ");
	if (r.n)
		buf_add(b, tmp, (size_t)(num_put_grouped(tmp, (num)r.n) - tmp));
	buf_puts(b, r.n ? " more" : !(t->v[node].flags & TREE_GROWN) ? "more" :
	    "not in the profile");
	if ((node == 0 && t->overlap) || !(t->v[node].flags & TREE_SETTLED))
		return;
	buf_puts(b, r.estimated && node ? ", ~" : ", ");
	if (t->sides > 1) {
		const num change = r.cost[SIDE_NEW] + r.lost[SIDE_NEW] - sum;

		buf_puts(b, change > 0 ? "+" : "");
		page_add_shown(b, &x->tp->metric,
		    (struct value){ .kind = WHOLE, .n = change });
		return;
	}
	num_add_percent(b, sum, t->total[0]);
	buf_puts(b, " %");
}

/* Of the n nodes of a line. */
static void
add_marks(struct text_page *x, struct buf *b, size_t node, size_t n)
{
	const struct tree_node *v = x->tp->t->v;
	unsigned flags = 0;

	for (; n > 0; n--, node = v[node].first)
		flags |= v[node].flags;

	if (flags & TREE_RECURSION)
		buf_puts(b, "  (rec)");
	else if (flags & TREE_CYCLE)
		buf_puts(b, "  (cyc)");
	x->mark[MARK_RECURSION] |= flags & TREE_RECURSION;
	x->mark[MARK_CYCLE] |= !(flags & TREE_RECURSION) && flags & TREE_CYCLE;
}

/* ---- lines ---- */

/* Adds "| | |-", as a tree is drawn; of a very deep one only the last levels. */
static void
add_branches(struct text_page *x, struct buf *b, size_t node)
{
	const struct call_tree *t = x->tp->t;
	const size_t level = x->level[node];
	const size_t left = x->tp->v->width > x->used ? x->tp->v->width - x->used : 20;
	size_t most = x->tp->v->width ? left / 4 : LEVELS, n, from = b->n;
	uint32_t at = (uint32_t)node;

	if (level <= 1)
		return;
	n = level - 1 < most ? level - 1 : most;
	if (n < level - 1)
		buf_printf(b, "%zu: ", level);
	from = b->n;
	memset(buf_room(b, 2 * n), ' ', 2 * n);
	b->n += 2 * n;
	while (n-- > 0) {
		const bool more = tree_brother(x->tp, at) != 0;

		if (at == node) {
			b->s[from + 2 * n] = more ? '|' : '`';
			b->s[from + 2 * n + 1] = '-';
		} else if (more) {
			b->s[from + 2 * n] = '|';
		}
		at = t->v[at].parent;
		while (!begins_line(x, at))
			at = t->v[at].parent;
	}
}

/* The last node of a line's chain, and how many there are. */
static size_t
end_of_line(const struct call_tree *t, size_t node, size_t *n)
{
	for (*n = 1; tree_is_link(t, node); ++*n)
		node = t->v[node].first;
	return node;
}

/* The first and the last functions of a chain, `most` in all. */
static void
add_ends(struct text_page *x, struct buf *b, size_t node, size_t n, size_t most)
{
	const struct call_tree *t = x->tp->t;
	size_t i;

	for (i = 0; i < n; i++, node = t->v[node].first) {
		if (n > most && i == most / 2)
			buf_printf(b, "\xe2\x80\xa6 %zu \xe2\x80\xa6; ", n - most);
		if (n > most && i >= most / 2 && i < n - (most - most / 2))
			continue;
		add_name(x, b, node, SIZE_MAX);
		buf_puts(b, i + 1 < n ? "; " : "");
	}
}

/* The names of a line: as many of a chain as have room. */
static void
add_chain(struct text_page *x, struct buf *b, size_t node, size_t n, size_t room)
{
	struct buf all = { 0 };
	size_t most = n < CHAIN ? n : CHAIN;

	if (n == 1) {
		add_name(x, b, node, room);
		return;
	}
	x->mark[MARK_CHAIN] = true;
	for (;; most--) {
		all.n = 0;
		add_ends(x, &all, node, n, most);
		if (most == 1 || vis_columns(buf_as_text(&all)) <= room)
			break;
	}
	if (vis_columns(buf_as_text(&all)) <= room)
		buf_text(b, buf_as_text(&all));
	else
		vis_shortened(b, buf_as_text(&all), room);
	buf_free(&all);
}

static void
put_line(struct text_page *x, size_t node)
{
	struct page *p = &x->tp->p;
	struct buf branches = { 0 }, names = { 0 }, behind = { 0 };
	const size_t width = x->tp->v->width;
	size_t n, last = end_of_line(x->tp->t, node, &n), room = SIZE_MAX, taken;

	fill_cells(x, node);
	page_add_cells(p, &x->c, x->width);
	add_branches(x, &branches, node);
	add_marks(x, &behind, node, n);
	add_rest(x, &behind, last);
	taken = x->used + vis_columns(buf_as_text(&branches)) +
	    vis_columns(buf_as_text(&behind));
	if (width)
		room = width > taken + NAME ? width - taken : NAME;
	add_chain(x, &names, node, n, room);
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

	if (x->tp->v->form == TREE_MARKDOWN)
		buf_putc(&p->line, '\n');
	else
		page_flush(p);
}

static void
measure(struct text_page *x)
{
	const struct call_tree *t = x->tp->t;
	size_t node, i;

	x->c.s = mem_alloc(CHANGE_CELLS + 1, CELL);
	x->width = mem_alloc(CHANGE_CELLS + 1, sizeof *x->width);
	x->level = mem_alloc(t->n, sizeof *x->level);
	head_cells(x);
	page_widen(x->width, &x->c);
	for (node = 0; (node = tree_next(x->tp, node)); ) {
		x->level[node] = x->level[t->v[node].parent] + begins_line(x, node);
		if (!begins_line(x, node))
			continue;
		fill_cells(x, node);
		page_widen(x->width, &x->c);
		x->mark[MARK_GUESS] |= tree_guesses(t, node, TREE_COST_ESTIMATED) ||
		    tree_guesses(t, node, TREE_SELF_ESTIMATED);
	}
	for (i = 0; i < x->c.n; i++)
		x->used += x->width[i] + 2;
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

	add_rest(x, &rest, 0);
	if (rest.n) {
		buf_puts(&p->line, buf_str(&rest) + 2);
		end_line(x);
	}
	buf_free(&rest);
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
	struct text_page x = { .tp = tp };
	size_t node;

	page_add_heading(&tp->p);
	end_line(&x);
	find_names(&x);
	measure(&x);
	if (tp->nshown)
		put_heads(&x);
	for (node = 0; (node = tree_next(tp, node)); )
		if (begins_line(&x, node)) {
			put_line(&x, node);
			end_line(&x);
		}
	put_end(&x);
	if (tp->v->form == TREE_MARKDOWN)
		fence(&tp->p);
	free(x.c.s);
	free(x.width);
	free(x.level);
	free(x.name);
	buf_free(&x.b);
}

/* SPDX-License-Identifier: ISC */
/*
 * The screen of stacks: a flame graph in cells, the roots above.  Each function is as wide as
 * its cost below its callers, and the selected one is named in full at the end.
 */
#include "browse/browser.h"

#include <stdlib.h>

#include "browse/terminal.h"
#include "io/term.h"
#include "util/mem.h"
#include "util/printable.h"
#include "view/metric.h"

struct flame {
	const struct profile *p;
	const struct call_tree *t;
	size_t width, lines;
	uint32_t selected;
	double *wide;		/* by node: its width, in any unit */
	struct buf *line;	/* one for each depth below the zoomed node */
	size_t *used;		/* columns of a line that are filled */
};

/* Finds the widths of nodes.  In a difference they use the larger of the old and the new cost,
 * as in a picture: changes that cancel each other would leave no room for the callees. */
static void
find_widths(struct flame *f)
{
	const struct call_tree *t = f->t;
	double *wide = f->wide = mem_alloc(t->n, sizeof *wide), below;
	size_t i;

	for (i = t->n; i-- > 0; ) {
		below = t->sides > 1 ? wide[i] + (double)tree_most(t, t->v[i].self) : 0;
		wide[i] = (double)tree_most(t, t->v[i].cost);
		if (below > wide[i])
			wide[i] = below;
		if (i)
			wide[t->v[i].parent] += wide[i];
	}
}

/* Adds blanks up to a column. */
static void
fill(struct flame *f, size_t depth, size_t column)
{
	for (; f->used[depth] < column; f->used[depth]++)
		buf_putc(&f->line[depth], ' ');
}

static struct text
node_name(const struct flame *f, uint32_t node)
{
	const struct text name = tree_node_name(f->t, f->p->dict, node);

	return !node ? TEXT("all") : name.s ? name : TEXT("?");
}

/* Adds the cell of a node: its name, as far as it fits, and a rule to its end. */
static void
add_cell(struct flame *f, uint32_t node, size_t depth, size_t from, size_t to)
{
	const struct text name = node_name(f, node);
	struct buf *line = &f->line[depth], cell = { 0 };
	size_t width = to - from - (to - from > 1);

	fill(f, depth, from);
	printable_cut(&cell, name, width);
	buf_puts(line, node == f->selected ? "\033[7m" : "\033[" PAINT_MORE "m");
	if (width > 2)
		buf_text(line, buf_as_text(&cell));
	f->used[depth] = from + (width > 2 ? printable_columns(buf_as_text(&cell)) : 0);
	for (; f->used[depth] < from + width; f->used[depth]++)
		buf_puts(line, term_is_utf8() ? "\xe2\x96\x81" : "_");
	buf_puts(line, "\033[0m");
	buf_free(&cell);
}

/* Draws a node from a column up to another, and those below it. */
static void
draw(struct flame *f, uint32_t node, size_t depth, double from, double to)
{
	const struct tree_node *v = &f->t->v[node];
	const double all = f->wide[node];
	double at = from, width;
	uint32_t i;

	if (depth >= f->lines || (size_t)to <= (size_t)from)
		return;
	add_cell(f, node, depth, (size_t)from, (size_t)to);
	for (i = v->first; i < v->first + v->n && all > 0; i++) {
		width = (to - from) * (f->wide[i] / all);
		if (at + width > to)
			width = to - at;
		draw(f, i, depth + 1, at, at + width);
		at += width;
	}
}

/* Adds the selected function with its cost, or its change, as in the tree. */
static void
describe(struct flame *f, struct buf *b)
{
	const struct call_tree *t = f->t;
	struct metric m = { .name = t->name };
	const num cost = tree_cost(t, f->selected);

	metric_set_unit(&m, t->event);
	m.shown.per = m.per;
	if (t->event)
		metric_scale(&m, t->event->col[EVENT_UNIT].t, tree_most(t, t->total));
	buf_puts(b, t->sides > 1 && cost > 0 ? "+" : "");
	metric_add_amount(b, &m, cost);
	buf_puts(b, "  ");
	if (t->sides > 1) {
		num_add_change_percent(b, t->v[f->selected].cost[SIDE_OLD], cost);
	} else {
		num_add_percent(b, cost, t->total[0]);
		buf_puts(b, " %");
	}
	buf_puts(b, "  ");
	printable_add(b, node_name(f, f->selected));
}

static void
write_lines(struct flame *f, struct output *out)
{
	struct buf about = { 0 }, cut = { 0 };
	size_t i;

	for (i = 0; i < f->lines; i++) {
		out_text(out, buf_as_text(&f->line[i]));
		out_puts(out, "\n");
		buf_free(&f->line[i]);
	}
	describe(f, &about);
	printable_cut(&cut, buf_as_text(&about), f->width);
	out_text(out, buf_as_text(&cut));
	out_puts(out, "\n");
	buf_free(&about);
	buf_free(&cut);
}

static uint64_t
stack_identity(struct browser *b, const struct place *at, uint32_t node)
{
	const struct profile_tree *t = &b->profile->tree[false];

	(void)at;
	return t->tree && node < t->tree->n ? t->path[node] : 0;
}

/* Returns the node with this path; 0: there is none. */
static uint32_t
find_path(const struct profile_tree *t, uint64_t path)
{
	uint32_t i;

	for (i = 0; i < t->tree->n && t->path[i] != path; i++)
		;
	return i < t->tree->n ? i : 0;
}

static int
print_stacks(struct browser *b, struct place *at, struct output *out, struct page_items *items)
{
	struct profile *p = b->profile;
	struct flame f = { .p = p, .width = browser_width(), .lines = browser_lines() - 1 };

	(void)items;
	if (profile_need_tree(p, false) < 0)
		return -1;
	f.t = p->tree[false].tree;
	if (at->keeps) {
		at->node = find_path(&p->tree[false], at->same);
		at->zoomed = find_path(&p->tree[false], at->zoomed_same);
	}
	/* Another filter or event may have left a smaller tree. */
	if (at->node >= f.t->n)
		at->node = 0;
	if (at->zoomed >= f.t->n)
		at->zoomed = 0;
	f.selected = at->node;
	f.line = mem_alloc(f.lines + 1, sizeof *f.line);
	f.used = mem_alloc(f.lines + 1, sizeof *f.used);
	find_widths(&f);
	draw(&f, at->zoomed, 0, 0, (double)f.width);
	write_lines(&f, out);
	free(f.wide);
	free(f.line);
	free(f.used);
	return 0;
}

static struct text
stack_function(struct browser *b, uint32_t node)
{
	const struct profile *p = b->profile;

	return node ? tree_node_name(p->tree[false].tree, p->dict, node) : (struct text){ 0 };
}

/* Returns the neighbour of a node; itself: there is none. */
static uint32_t
neighbour(const struct call_tree *t, uint32_t node, int step)
{
	const struct tree_node *up;

	if (!node)
		return 0;
	up = &t->v[t->v[node].parent];
	if (step > 0 ? node + 1 >= up->first + up->n : node <= up->first)
		return node;
	return step > 0 ? node + 1 : node - 1;
}

/* Returns the child with the largest cost; the node itself: there is none. */
static uint32_t
below(const struct call_tree *t, uint32_t node)
{
	const uint32_t child = tree_heaviest(t, node);

	return child ? child : node;
}

static bool
stacks_key(struct browser *b, struct place *at, unsigned key)
{
	const struct call_tree *t = b->profile->tree[false].tree;

	if (!t)
		return false;
	switch (key) {
	case 'j': case KEYS_DOWN: at->node = below(t, at->node); break;
	case 'k': case KEYS_UP:
		if (at->node != at->zoomed)
			at->node = t->v[at->node].parent == NO_ID ? 0 : t->v[at->node].parent;
		break;
	case 'h': case KEYS_LEFT: at->node = neighbour(t, at->node, -1); break;
	case 'l': case KEYS_RIGHT: at->node = neighbour(t, at->node, 1); break;
	case KEYS_ENTER: at->zoomed = at->node; break;
	case 'z': at->zoomed = at->zoomed ? t->v[at->zoomed].parent : 0; break;
	case '*':
		while (below(t, at->node) != at->node)
			at->node = below(t, at->node);
		break;
	default: return false;
	}
	at->fresh = false;
	return true;
}

/* Stacks of a call graph are estimated, but not from a difference, whose costs may be
 * negative. */
static void
stacks_command(struct browser *b, const struct place *at, struct buf *out)
{
	const struct call_tree *t = b->profile->tree[false].tree;
	const bool graph = t && t->has_costs;

	(void)at;
	if (graph && t->sides > 1)
		profile_command(b->profile, out, "prof-tree", "");
	else
		profile_command(b->profile, out, "prof-to", graph ? "--estimate svg" : "svg");
}

const struct screen screen_stacks = {
	.name = "Stacks", .cells = true,
	.help = "arrows move  Enter zoom  z out  * heaviest path  a callers and callees  "
	    "s source  c command  ? help  q quit",
	.print = print_stacks, .key = stacks_key, .command = stacks_command,
	.function = stack_function, .identity = stack_identity,
};

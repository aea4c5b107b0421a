/* SPDX-License-Identifier: ISC */
/* The screens of call trees: functions below their callers, callers below functions. */
#include "browse/browser.h"

#include "browse/terminal.h"
#include "io/term.h"
#include "util/mem.h"
#include "util/shell_word.h"
#include "view/tree.h"

#define TREE_LINES 2000

static int
print_tree(struct browser *b, bool callers, struct output *out, struct page_items *items)
{
	struct profile *p = b->profile;
	struct tree_view v = { .items = items, .rows = TREE_LINES, .width = browser_width(),
	    .scaled = true, .color = terminal_has_color(), .utf8 = term_is_utf8() };
	struct tree_request request;
	struct profile_tree *t;

	if (profile_need_tree(p, callers) < 0)
		return -1;
	t = &p->tree[callers];
	v.folded = t->folded;
	request = t->request;
	request.min = b->least;
	tree_print(&v, &request, t->tree, tree_builder_heading(t->builder), out);
	return 0;
}

static int
print_callees(struct browser *b, struct place *at, struct output *out, struct page_items *items)
{
	(void)at;
	return print_tree(b, false, out, items);
}

static int
print_callers(struct browser *b, struct place *at, struct output *out, struct page_items *items)
{
	(void)at;
	return print_tree(b, true, out, items);
}

/* Returns the tree that is shown. */
static struct profile_tree *
shown(struct browser *b)
{
	return &b->profile->tree[browser_here(b)->screen == &screen_callers];
}

static uint64_t
node_identity(struct browser *b, const struct place *at, uint32_t node)
{
	const struct profile_tree *t = &b->profile->tree[at->screen == &screen_callers];

	return t->tree && node < t->tree->n ? t->path[node] : 0;
}

/* The function of a thread's line is that below it. */
static struct text
node_function(struct browser *b, uint32_t node)
{
	const struct call_tree *t = shown(b)->tree;
	uint32_t func;

	while (t->v[node].func == NO_ID && t->v[node].n)
		node = tree_heaviest(t, node);
	func = t->v[node].func;
	return func == NO_ID ? (struct text){ 0 } : dict_func_name(b->profile->dict, func);
}

static void
enter_node(struct browser *b, uint32_t node)
{
	const struct text name = node_function(b, node);

	if (name.s)
		browser_go(b, &screen_around, name);
}

/* Folds or unfolds what is below the line's functions. */
static void
fold(struct browser *b, uint32_t node)
{
	const struct call_tree *t = shown(b)->tree;
	bool *folded = shown(b)->folded;
	const bool now = !folded[node];

	while (node) {
		folded[node] = now;
		node = t->v[node].n == 1 ? t->v[node].first : 0;
	}
}

/* Puts the cursor on the last line of the path that costs most, from the selected line on. */
static void
follow(struct browser *b, struct place *at, uint32_t node)
{
	const struct call_tree *t = shown(b)->tree;
	size_t line;

	for (; node; node = tree_heaviest(t, node))
		for (line = at->cursor; line < at->page.n; line++)
			if (at->page.line[line].item == node)
				at->cursor = line;
}

static bool
tree_key(struct browser *b, struct place *at, unsigned key)
{
	const uint32_t node = at->cursor < at->page.n ? at->page.line[at->cursor].item : NO_ITEM;

	switch (key) {
	case 'x': case '\t':
		if (node != NO_ITEM)
			fold(b, node);
		at->fresh = false;
		at->item = node;
		break;
	case '*':
		if (node != NO_ITEM)
			follow(b, at, node);
		break;
	case '<': case '>':
		at->item = node;
		b->least.n = key == '>' ? b->least.n / 10 : b->least.n * 10;
		b->least.n = b->least.n > 10000000 ? 10000000 : b->least.n < 1000 ? 1000 :
		    b->least.n;
		browser_changed(b);
		break;
	default: return false;
	}
	return true;
}

static void
add_arguments(struct browser *b, struct buf *out, bool callers)
{
	struct buf arguments = { 0 };

	buf_puts(&arguments, callers ? "--callers --min " : "--min ");
	buf_puts(&arguments, b->least.n >= 10000000 ? "10%" : b->least.n >= 1000000 ? "1%" :
	    b->least.n >= 100000 ? "0.1%" : b->least.n >= 10000 ? "0.01%" : "0.001%");
	profile_command(b->profile, out, "prof-tree", buf_str(&arguments));
	buf_free(&arguments);
}

static void
callees_command(struct browser *b, const struct place *at, struct buf *out)
{
	(void)at;
	add_arguments(b, out, false);
}

static void
callers_command(struct browser *b, const struct place *at, struct buf *out)
{
	(void)at;
	add_arguments(b, out, true);
}

#define TREE_HELP "Enter callers and callees  x fold  * heaviest path  < > less, more  s source  " \
	"c command  ? help  q quit"

const struct screen screen_callees = {
	.name = "Tree", .help = TREE_HELP, .print = print_callees, .enter = enter_node,
	.key = tree_key, .command = callees_command, .function = node_function,
	.identity = node_identity,
};

const struct screen screen_callers = {
	.name = "Tree of callers", .help = TREE_HELP, .print = print_callers,
	.enter = enter_node, .key = tree_key, .command = callers_command,
	.function = node_function, .identity = node_identity,
};

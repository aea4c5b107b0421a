/* SPDX-License-Identifier: ISC */
/* The heaviest paths: the call tree, with chains of functions as one line. */
#include "report/section.h"

#include <stdlib.h>

#include "util/mem.h"
#include "view/tree_page.h"

#define MOST_LINES 60

/* Both forms are of these lines; 0 rows: of all. */
static struct tree_view
view_of(size_t rows)
{
	return (struct tree_view){ .form = VIEW_TEXT, .rows = rows, .bare = true, .whole = true,
	    .scaled = true, .utf8 = true };
}

static struct tree_page
page_of(const struct page_data *d, const struct tree_view *v)
{
	struct tree_page tp = { .v = v, .q = &d->r->tree_request, .t = d->r->tree };

	tree_page_init(&tp);
	return tp;
}

static void
find_paths(struct page_data *d)
{
	const struct tree_view v = view_of(0);
	struct tree_page tp;
	size_t node;

	if (!d->r->tree)
		return;
	tp = page_of(d, &v);
	for (node = 0; (node = tree_next(&tp, node)); )
		d->npaths += tree_begins_line(&tp, node);
	tree_page_free(&tp);
}

static size_t
count_rows(const struct page_data *d)
{
	return d->npaths < MOST_LINES ? d->npaths : MOST_LINES;
}

static size_t
count_all(const struct page_data *d)
{
	return d->npaths;
}

/* ---- Markdown ---- */

static void
add_markdown(const struct page_data *d, size_t rows, struct buf *b)
{
	const struct tree_view v = view_of(rows);
	struct output *out = out_memory();

	tree_print(&v, &d->r->tree_request, d->r->tree, d->functions.h, out);
	buf_puts(b, "\n## Heaviest paths\n\n```\n");
	buf_add(b, out->s, out->n);
	buf_puts(b, "```\n\nMore of them: ");
	add_command_code(d->r, b, section_paths.all);
	buf_puts(b, ".\n");
	out_close(out, false);
}

/* ---- JSON ---- */

static void
json_frames(const struct page_data *d, const struct tree_page *tp, struct buf *b, size_t node)
{
	json_array(b, "frames");
	for (; node; node = tp->next[node])
		json_name(b, tree_node_name(tp->t, d->r->dict, node));
	buf_putc(b, ']');
}

/* Adds the inclusive cost of a line's first function, and the self cost of its last. */
static void
json_costs(const struct tree_page *tp, struct buf *b, size_t node)
{
	const struct call_tree *t = tp->t;
	const struct tree_node *first = &t->v[node], *last = &t->v[tree_line_last(tp, node)];
	const bool settled = last->flags & TREE_SETTLED;
	const struct value self = { .kind = settled ? WHOLE : ABSENT, .n = last->self[0] };

	if (t->sides > 1) {
		json_num_member(b, "old", first->cost[SIDE_OLD]);
		json_num_member(b, "new", first->cost[SIDE_NEW]);
		json_num_member(b, "change", tree_cost(t, node));
		json_change_member(b, "change_percent", first->cost[SIDE_OLD],
		    tree_cost(t, node));
		json_known_member(b, "self_change", settled,
		    last->self[SIDE_NEW] - last->self[SIDE_OLD]);
		return;
	}
	json_num_member(b, "inclusive", first->cost[0]);
	json_share_member(b, "inclusive_percent", (struct value){ .kind = WHOLE,
	    .n = first->cost[0] }, t->total[0]);
	json_value_member(b, "self", self);
	json_share_member(b, "self_percent", self, t->total[0]);
}

static bool
is_estimated(const struct tree_page *tp, size_t node)
{
	return tree_guesses(tp->t, node, TREE_COST_ESTIMATED) ||
	    tree_guesses(tp->t, tree_line_last(tp, node), TREE_SELF_ESTIMATED);
}

/* Adds a line; number: of lines, by their nodes. */
static void
json_path(const struct page_data *d, const struct tree_page *tp, struct buf *b, size_t node,
    const uint32_t *number)
{
	const uint32_t up = number[tp->t->v[node].parent];

	json_row(b);
	json_num_member(b, "id", number[node]);
	json_known_member(b, "parent", up, up);
	json_frames(d, tp, b, node);
	json_costs(tp, b, node);
	json_bool_member(b, "estimated", is_estimated(tp, node));
	json_num_member(b, "more_functions", (num)tree_rest_of_line(tp, node).n);
	buf_putc(b, '}');
}

static void
add_json(const struct page_data *d, size_t rows, struct buf *b)
{
	const struct tree_view v = view_of(rows);
	struct tree_page tp;
	uint32_t *number, n = 0;
	size_t node;

	json_rows(b, section_paths.key);
	if (rows) {
		tp = page_of(d, &v);
		number = mem_alloc(tp.t->n, sizeof *number);
		for (node = 0; (node = tree_next(&tp, node)); ) {
			number[node] = tree_begins_line(&tp, node) ? ++n :
			    number[tp.t->v[node].parent];
			if (tree_begins_line(&tp, node))
				json_path(d, &tp, b, node, number);
		}
		free(number);
		tree_page_free(&tp);
	}
	buf_putc(b, ']');
}

const struct section section_paths = {
	.name = "heaviest paths", .key = "paths", .least = 3, .good = 12,
	.all = { .tool = "prof-tree", .arguments = "-n 0" }, .find = find_paths,
	.rows = count_rows, .of = count_all, .markdown = add_markdown, .json = add_json,
};

/* SPDX-License-Identifier: ISC */
/* prof-tree: show the call tree. */
#include "tool.h"

#include "filter/filter.h"
#include "io/term.h"
#include "stream/root.h"
#include "view/tree.h"

static struct {
	const char *function;
	struct threshold min;
	uint64_t rows, depth, width;
	enum term_when color;
	bool callers, tsv, json, markdown, whole;
} opt = { .min = { 1000000, true }, .rows = UINT64_MAX, .width = TERM_OWN_WIDTH,
    .color = TERM_AUTO };

static const struct opt opts[] = {
	{ "function", 0, OPT_TEXT, "RE", &opt.function,
	    "begin at matching functions", NULL },
	{ "callers", 0, OPT_FLAG, NULL, &opt.callers,
	    "show callers below, not what is called", NULL },
	{ "depth", 0, OPT_COUNT, "N", &opt.depth, "show at most N levels, 0 for all",
	    NULL },
	{ "min", 0, OPT_SHARE, "SHARE", &opt.min,
	    "leave out what costs less than this share (1%)", NULL },
	{ "rows", 'n', OPT_COUNT, "N", &opt.rows,
	    "print at most N rows, 0 for all", NULL },
	ROOT_OPTION,
	{ "markdown", 0, OPT_FLAG, NULL, &opt.markdown,
	    "print a block for Markdown", NULL },
	{ "tsv", 0, OPT_FLAG, NULL, &opt.tsv,
	    "print an exact table for programs, with a header", NULL },
	{ "json", 0, OPT_FLAG, NULL, &opt.json, "print one JSON object per row", NULL },
	{ "width", 0, OPT_COUNT, "N", &opt.width,
	    "fit the tree into N columns, 0 for no limit", NULL },
	{ "long", 0, OPT_FLAG, NULL, &opt.whole,
	    "whole names, on a terminal, too", NULL },
	{ "color", 0, OPT_WHEN, "WHEN", &opt.color,
	    "color the output: always, never, auto", TERM_CHOICES },
	OPT_END
};

static struct tool tool = {
	.name = "prof-tree",
	.usage = "[options] [FILE...]",
	.says = "Show functions below their callers, with what each costs there.",
	.example = "prof-tree --function '^parse' callgrind.out.123",
	.heading = "tree",
	.opts = opts,
	.pages = true,
	.holds = true,
	.own_events = true,
};

static struct tree_request request;
static struct tree_view view;

#define SCREEN 40		/* rows where there is no window */
#define PASTED 120		/* columns of Markdown */

static void
read_options(void)
{
	const char *list = tool_events();
	struct text more;

	if (opt.tsv + opt.json + opt.markdown > 1)
		tool_misuse(&tool, "--tsv, --json and --markdown cannot be combined");
	if (list && (!list_next(&list, &request.event) || !request.event.n))
		tool_misuse(&tool, "--events: empty event name");
	if (list && list_next(&list, &more))
		tool_misuse(&tool, "--events: a tree is of one event");
	request.functions = tool_match(&tool, opt.function);
	request.callers = opt.callers;
	request.min = opt.min;
	request.depth = opt.depth;
	request.dict = tool.dict;
	request.diag = &tool.diag;
}

static struct tree_view
make_view(void)
{
	struct tree_view v = { .form = opt.tsv ? TREE_TSV : opt.json ? TREE_JSON :
	    opt.markdown ? TREE_MARKDOWN : TREE_TEXT };
	/* The heading, a blank line, names of columns, marks, the prompt. */
	const size_t around = 8;
	const bool people = v.form == TREE_TEXT || v.form == TREE_MARKDOWN;

	v.rows = opt.rows != UINT64_MAX ? opt.rows : people ? SCREEN : 0;
	if (!people)
		return v;
	v.whole = opt.whole;
	v.width = term_table_width(opt.width, opt.whole);
	if (v.form == TREE_MARKDOWN) {
		if (opt.width == TERM_OWN_WIDTH && !opt.whole)
			v.width = PASTED;
		return v;
	}
	v.color = term_wants_color(opt.color);
	if (!term_is())
		return v;
	if (opt.rows == UINT64_MAX)
		v.rows = term_lines() > around + 1 ? term_lines() - around : 1;
	return v;
}

static int
print(struct tree_maker *maker)
{
	const struct call_tree *t = tree_maker_finish(maker);

	if (!t)
		return -1;
	tree_print(&view, &request, t, tree_maker_heading(maker), tool_page(&tool).out);
	return 0;
}

int
main(int argc, char **argv)
{
	struct tree_maker *maker;
	struct loss loss = { 0 };
	struct pipeline p;
	int r;

	tool_begin(&tool, argc, argv);
	read_options();
	view = make_view();
	if (view.form == TREE_TEXT || view.form == TREE_MARKDOWN)
		request.rows = view.rows;
	maker = tree_maker_new(&request);
	p = tool_filters(&tool);
	/* Points of contexts have stacks. */
	pipeline_add(&p, filter_flatten(FLATTEN_POINTS, NULL, tool.dict, &loss, &tool.diag));
	pipeline_add(&p, tree_maker_sink(maker));
	r = tool_run(&tool, &p);
	pipeline_free(&p);
	if (r == 0 && !tool.none.n)
		r = print(maker);
	tree_maker_free(maker);
	loss_free(&loss);
	match_free((struct match *)request.functions);
	return tool_end(&tool, NULL, r, EXIT_DONE);
}

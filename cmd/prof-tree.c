/* SPDX-License-Identifier: ISC */
/* prof-tree: show the call tree. */
#include "table.h"
#include "tools.h"

#include "filter/filter.h"
#include "stream/thread_frame.h"
#include "view/tree.h"

static struct tree_request request = { .root = ROOT_OF_FORMAT };

static struct {
	const char *function;
	struct threshold min;
	uint64_t depth;
	bool callers, markdown;
} opt = { .min = { 1000000, true } };

static const struct opt opts[] = {
	{ "function", 0, OPT_TEXT, "RE", &opt.function,
	    "begin at the functions that match", NULL },
	{ "callers", 0, OPT_FLAG, NULL, &opt.callers,
	    "show callers below functions, instead of callees", NULL },
	{ "depth", 0, OPT_COUNT, "N", &opt.depth,
	    "show at most N levels of lines, 0 for all", NULL },
	{ "min", 0, OPT_SHARE, "SHARE", &opt.min,
	    "omit functions below this share (1%)", NULL },
	TABLE_ROWS,
	ROOT_OPTION(&request.root),
	{ "markdown", 0, OPT_FLAG, NULL, &opt.markdown,
	    "print a block for Markdown", NULL },
	TABLE_FORMS,
	TABLE_WIDTH("fit the tree into N columns, 0 for no limit"),
	TABLE_LONG("do not shorten names"),
	OPT_END
};

static const struct opt more[] = {
	TABLE_EXACT,
	TABLE_COLOR,
	OPT_END
};

static struct tool tool = {
	.name = "prof-tree",
	.usage = "[options] [FILE...]",
	.summary = "Show the call tree with the cost of each path.",
	.example = "prof-tree --function '^parse' callgrind.out.123",
	.heading = "tree",
	.opts = opts,
	.more = more,
	.pages = true,
	.writes_at_end = true,
	.shows = true,
	.own_events = true,
};

static struct tree_view view;

#define SCREEN 40		/* rows, if the terminal's are unknown */
#define PASTED 120		/* columns of Markdown, which will be pasted elsewhere */

static void
read_options(void)
{
	const char *list = tool_events();
	struct text second;

	if (table_opts.tsv + table_opts.json + opt.markdown > 1)
		tool_misuse(&tool, "--tsv, --json and --markdown cannot be combined");
	if (list && (!list_next(&list, &request.event) || !request.event.n))
		tool_misuse(&tool, "--events: empty event name");
	if (list && list_next(&list, &second))
		tool_misuse(&tool, "--events: expected one event, found several: a tree "
		    "shows one");
	request.functions = tool_match(&tool, opt.function);
	request.callers = opt.callers;
	request.min = opt.min;
	/* In text, the functions of a line are on one level. */
	request.depth = table_form(&tool) == VIEW_TEXT ? 0 : opt.depth;
	request.dict = tool.dict;
	request.diag = &tool.diag;
}

static struct tree_view
make_view(void)
{
	struct tree_view v = { .form = table_form(&tool), .markdown = opt.markdown,
	    .whole = table_opts.whole, .scaled = !table_opts.exact, .depth = opt.depth,
	    .utf8 = term_is_utf8() };
	/* The heading, a blank line, names of columns, marks, the prompt. */
	const size_t around = 8;

	v.rows = table_opts.rows != TABLE_OWN_ROWS ? table_opts.rows :
	    v.form == VIEW_TEXT ? SCREEN : 0;
	if (v.form != VIEW_TEXT)
		return v;
	v.width = table_width();
	if (!opt.markdown) {
		v.rows = table_rows(around, SCREEN);
		v.color = table_color();
	} else if (table_opts.width == TERM_OWN_WIDTH && !v.whole) {
		v.width = PASTED;
	}
	return v;
}

static int
print(struct tree_builder *maker)
{
	const struct call_tree *t = tree_builder_finish(maker);

	if (!t)
		return -1;
	events_tell_lacking(&tool.diag, NULL, t->name, t->lacking,
	    tree_builder_heading(maker)->parts);
	tree_print(&view, &request, t, tree_builder_heading(maker), tool_page(&tool).out);
	return 0;
}

int
prof_tree(int argc, char **argv)
{
	struct tree_builder *maker;
	struct loss loss = { 0 };
	struct pipeline p;
	int r;

	tool_begin(&tool, argc, argv);
	read_options();
	view = make_view();
	if (view.form == VIEW_TEXT)
		request.rows = view.rows;
	maker = tree_builder_new(&request);
	p = tool_filters(&tool);
	/* Points with contexts have stacks. */
	pipeline_add(&p, filter_flatten(FLATTEN_POINTS, NULL, tool.dict, &loss, &tool.diag));
	pipeline_add(&p, filter_default_event(&request.usual, tool.dict));
	pipeline_add(&p, tree_builder_sink(maker));
	r = tool_run(&tool, &p);
	pipeline_free(&p);
	if (r == 0 && !tool.none.n)
		r = print(maker);
	tree_builder_free(maker);
	loss_free(&loss);
	match_free((struct match *)request.functions);
	return tool_end(&tool, NULL, r, EXIT_DONE);
}

/* SPDX-License-Identifier: ISC */
/* prof-top: rank functions, lines and the like by cost. */
#include "table.h"
#include "tool_live.h"
#include "tools.h"

#include <stdlib.h>

#include "filter/filter.h"
#include "util/mem.h"
#include "view/metric_list.h"

static struct {
	const char *by, *sort, *callers, *callees;
	bool reverse, values, growth;
	struct opt_list min;
} opt = { .by = "function" };

static const struct opt opts[] = {
	{ "by", 'b', OPT_TEXT, "LIST", &opt.by,
	    "one row per function, file, object, line, ...", BY_CHOICES "|comm" },
	{ "sort", 'k', OPT_TEXT, "COL,...", &opt.sort,
	    "sort by self, inclusive, Ir, Ir.incl, calls, ...",
	    "self|inclusive|calls|function|file|object" },
	{ "reverse", 'r', OPT_FLAG, NULL, &opt.reverse, "reverse the order", NULL },
	TABLE_ROWS,
	{ "min", 0, OPT_LIST, "COL>N,...", &opt.min,
	    "hide rows below this: 1%, Ir>1000, calls>=10", NULL },
	{ "callers", 0, OPT_TEXT, "RE", &opt.callers,
	    "list the callers of matching functions", NULL },
	{ "callees", 0, OPT_TEXT, "RE", &opt.callees,
	    "list the functions that matching functions call", NULL },
	{ "growth", 0, OPT_FLAG, NULL, &opt.growth,
	    "show how cost grows with input size", NULL },
	{ "values", 0, OPT_FLAG, NULL, &opt.values,
	    "list recorded values of expressions (xprof)", NULL },
	{ "live", 0, OPT_SECONDS, "SECONDS", &live_opts.every,
	    "print the table every SECONDS seconds (1)", NULL },
	LIVE_FOLLOW,
	TABLE_FORMS,
	TABLE_WIDTH("fit the table into N columns, 0 for no limit"),
	TABLE_LONG("do not shorten names and paths"),
	OPT_END
};

static const struct opt more[] = {
	TABLE_EXACT,
	TABLE_COLOR,
	TOOL_JOBS,
	OPT_END
};

static struct tool tool = {
	.name = "prof-top",
	.usage = "[options] [FILE...]",
	.summary = "Rank functions, files or lines by cost.",
	.example = "prof-top --min 1% callgrind.out.123",
	.heading = "ranking",
	.opts = opts,
	.more = more,
	.writes_at_end = true,
	.shows = true,
	.own_events = true,
};

static struct rank_request request;
static struct metric_list shown, wanted, summed;	/* of --events; also of -k; of --min */
static struct view view;
static struct value_profiles values;

/* Sets the events to sum: those of --events and of -k, otherwise the default, or all for
 * TSV and JSON. */
static void
read_events(void)
{
	const char *list = opt.sort;
	struct text word;
	size_t i;

	if (!metric_list_add_words(&shown, tool_events()))
		tool_misuse(&tool, "--events: empty event name");
	for (i = 0; i < shown.n; i++)
		metric_list_add(&wanted, shown.v[i]);
	request.all_events = !shown.n && view.form != VIEW_TEXT;
	while (list_next(&list, &word)) {
		view.sort = mem_resize(view.sort, view.nsort + 1, sizeof *view.sort);
		view.sort[view.nsort++] = word;
		word = view_event_of(word);
		if (word.s)
			metric_list_add(&wanted, word);
	}
	for (i = 0; i < wanted.n; i++)
		metric_list_add(&summed, wanted.v[i]);
}

/* Reads the conditions of --min, whose events are summed but not shown. */
static void
read_minima(void)
{
	const char *list;
	struct text word, event;
	struct view_min m;
	size_t i;

	for (i = 0; i < opt.min.n; i++)
		for (list = opt.min.item[i]; list_next(&list, &word); ) {
			if (!view_min_get(word, &m))
				tool_misuse(&tool, "--min: expected a share such as 1%% or "
				    "COLUMN>NUMBER, found %s", QUOTE(word));
			view.min = mem_resize(view.min, view.nmin + 1, sizeof *view.min);
			view.min[view.nmin++] = m;
			event = m.column.s ? view_event_of(m.column) : m.column;
			if (event.s)
				metric_list_add(&summed, event);
		}
	request.default_too = !wanted.n;	/* it is shown */
	request.want = summed.v;
	request.nwant = summed.n;
}

/* Chooses the columns, now that the events are known. */
static void
choose_events(const struct rank *rank)
{
	const bool chosen = shown.n != 0;
	size_t i;

	if (!chosen && request.all_events)
		metric_list_all(&shown, rank);
	for (i = 0; i < wanted.n && !chosen; i++)
		metric_list_add(&shown, wanted.v[i]);
	metric_list_default(&shown, &request, rank);
	view.show = shown.v;
	view.nshow = shown.n;
}

static void
set_page(const struct rank_heading *h)
{
	/* heading, blank, names, remainder, the mark of cycles, prompt; further lines of
	 * the heading */
	const size_t around = 6 + (h->filter.n != 0) + (h->lost.n != 0) + (h->skipped != 0) +
	    (h->diff.n != 0) + (h->diff.n && h->estimate.n) + (live_is_copy() ? LIVE_HEAD : 0);
	const bool table = !opt.callers && !opt.callees && !opt.values;

	view.reverse = opt.reverse;
	view.growth = opt.growth;
	if (view.form == VIEW_TEXT && table)
		view.most = table_rows(around, 0);
	else if (table_opts.rows != TABLE_OWN_ROWS)
		view.most = table_opts.rows;
	if (view.form != VIEW_TEXT)
		return;
	view.scaled = !table_opts.exact;
	view.color = table_color();
	view.width = table_width();
}

static int
print(const struct rank *rank, const struct rank_heading *h)
{
	struct output *out = tool_output(&tool).out;

	choose_events(rank);
	set_page(h);
	if (live_is_copy() && view.form == VIEW_TEXT)
		live_print_head(rank, shown.n ? shown.v[0] : (struct text){ 0 }, view.width, out);
	return view_print(&view, &request, rank, h, out);
}

static struct match *callers, *callees;

static void
read_options(void)
{
	const bool calls = opt.callers || opt.callees;

	view.form = table_form(&tool);
	if (group_by_parse(opt.by, request.group_by, &request.ngroup_by, &tool.diag) < 0)
		tool_misuse(&tool, "%s", buf_str(&tool.diag.error));
	tool.lines = group_by_has(request.group_by, request.ngroup_by, BY_FILE);
	tool.no_labels = !tool_selects() && !group_by_has_label(request.group_by,
	    request.ngroup_by);
	if (opt.values && calls)
		tool_misuse(&tool, "--values cannot be combined with --callers or "
		    "--callees");
	if ((calls || opt.values) &&
	    (request.ngroup_by != 1 || request.group_by[0] != BY_FUNCTION))
		tool_misuse(&tool, "--callers, --callees and --values need "
		    "--by function");
	if (opt.min.n && (calls || opt.values))
		tool_misuse(&tool, "--min cannot be combined with --callers, --callees "
		    "or --values");
	if (opt.growth && (calls || opt.values))
		tool_misuse(&tool, "--growth cannot be combined with --callers, "
		    "--callees or --values");
	read_events();
	read_minima();
	view.callers = callers = tool_match(&tool, opt.callers);
	view.callees = callees = tool_match(&tool, opt.callees);
}

static struct pipeline
make_pipeline(struct ranker *ranker)
{
	struct pipeline p = tool_filters(&tool);

	if (opt.values) {
		view.values = &values;
		pipeline_add(&p, value_profiles_sink(&values, tool.dict, &tool.diag));
	}
	pipeline_add(&p, filter_default_event(&request.event, tool.dict));
	pipeline_add(&p, ranker_sink(ranker));
	return p;
}

static void
free_all(void)
{
	value_profiles_free(&values);
	metric_list_free(&shown);
	metric_list_free(&wanted);
	metric_list_free(&summed);
	free(view.sort);
	free(view.min);
	match_free(callers);
	match_free(callees);
}

int
prof_top(int argc, char **argv)
{
	struct ranker *ranker;
	const struct rank *rank;
	struct pipeline p;
	int r;

	tool_begin(&tool, argc, argv);
	read_options();
	live_begin(&tool);
	request.dict = tool.dict;
	request.diag = &tool.diag;
	ranker = ranker_new(&request);
	p = make_pipeline(ranker);
	r = tool_run(&tool, &p);
	pipeline_free(&p);
	if (r == 0 && !tool.none.n)
		r = (rank = ranker_finish(ranker)) ?
		    print(rank, ranker_heading(ranker)) : -1;
	ranker_free(ranker);
	free_all();
	return tool_end(&tool, NULL, r, EXIT_DONE);
}

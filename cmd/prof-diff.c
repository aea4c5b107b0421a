/* SPDX-License-Identifier: ISC */
/* prof-diff: compare two profiles. */
#include "table.h"
#include "tool_gate.h"
#include "tools.h"

#include "codec/unsupported.h"

#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "rules/rules.h"
#include "sum/diff.h"
#include "util/mem.h"

static struct {
	const char *by, *match, *keep_labels, *fdr, *baseline;
	int scope, metric;	/* enum gate_scope, enum metric; -1: not given */
	bool normalize, strict;
} opt = { .by = "function", .scope = -1, .metric = -1 };

enum metric { METRIC_SELF, METRIC_INCLUSIVE };

static const struct opt opts[] = {
	{ "by", 'b', OPT_TEXT, "LIST", &opt.by,
	    "compare functions, files, objects, lines, ...", BY_PLACES },
	{ "baseline", 0, OPT_TEXT, "FILE", &opt.baseline,
	    "the old profile; all operands are new", NULL },
	{ "match", 0, OPT_TEXT, "LIST", &opt.match,
	    "match names without suffixes of: clones, rust, ...",
	    "clones|rust|recursion" },
	{ "normalize", 0, OPT_FLAG, NULL, &opt.normalize,
	    "compare shares: scale new costs to the old total", NULL },
	GATE_OPTS,
	{ "scope", 0, OPT_ENUM, "WHAT", &opt.scope,
	    "--fail-over checks function, total or both",
	    "function|total|both" },
	{ "metric", 0, OPT_ENUM, "WHAT", &opt.metric,
	    "--fail-over checks self or inclusive cost",
	    "self|inclusive" },
	{ "fdr", 0, OPT_TEXT, "PERCENT", &opt.fdr,
	    "false discovery rate, with several runs", NULL },
	{ "strict", 0, OPT_FLAG, NULL, &opt.strict,
	    "fail if the sides were measured differently", NULL },
	TABLE_ROWS,
	TABLE_FORMS,
	OPT_END
};

static const struct opt more[] = {
	TOOL_KEEP_LABELS(&opt.keep_labels),
	TABLE_WIDTH("fit the table into N columns, 0 for no limit"),
	TABLE_LONG("do not shorten names and paths"),
	TABLE_EXACT,
	TABLE_COLOR,
	OPT_END
};

static struct tool tool = {
	.name = "prof-diff",
	.usage = "[options] OLD... [--] NEW...",
	.summary = "Compare two profiles, or several runs before and after a change.",
	.example = "prof-diff --fail-over 2% old/ new/",
	.heading = "comparing",
	.opts = opts,
	.more = more,
	.writes = true,
	.writes_at_end = true,
	.own_min_cost = true,
	.own_operands = true,
};

static enum view_form form;
static struct sides sides = { .tool = &tool };
static double fdr;
static struct gate gate;

/* Checks options that need, or exclude, several runs. */
static void
check_runs(void)
{
	struct threshold share = { .n = 1000000, .percent = true };

	if (opt.fdr && !sides.several)
		tool_misuse(&tool, "--fdr needs several runs: OLD... -- NEW...");
	if (opt.normalize && sides.several)
		tool_misuse(&tool, "--normalize compares two profiles, not several runs");
	if (opt.fdr && (!threshold_get_share(text_of(opt.fdr), &share) || share.n <= 0 ||
	    share.n > 100000000))
		tool_misuse(&tool, "--fdr: expected a percentage above 0 and up to 100, found %s",
		    diag_quote(opt.fdr, strlen(opt.fdr)));
	fdr = (double)share.n / 1e8;
}

static void
read_options(struct merge_how *how)
{
	size_t i;

	form = table_form(&tool);
	sides.baseline = opt.baseline;
	sides.keep_labels = opt.keep_labels;
	sides.strict = opt.strict;
	sides_find(&sides);
	check_runs();
	tool_read_gate(&tool, &gate);
	if (!gate_opts.fail_over && (opt.scope >= 0 || opt.metric >= 0))
		tool_misuse(&tool, "--%s needs --fail-over", opt.scope >= 0 ? "scope" : "metric");
	if (group_by_parse(opt.by, how->group_by, &how->ngroup_by, &tool.diag) < 0)
		tool_misuse(&tool, "%s", buf_str(&tool.diag.error));
	tool.lines = group_by_has(how->group_by, how->ngroup_by, BY_FILE);
	tool_check_labels(&tool, opt.keep_labels);
	if (opt.match && !(sides.rename = rename_named(opt.match, "--match", &tool.diag)))
		tool_misuse(&tool, "%s", buf_str(&tool.diag.error));
	for (i = 0; i < how->ngroup_by; i++)
		if (group_by_is_fact(how->group_by[i]))
			tool_misuse(&tool, "--by: cannot compare by %s: the parts of "
			    "each profile are summed",
			    group_by_name[how->group_by[i]]);
	gate.inclusive = opt.metric == METRIC_INCLUSIVE;
	gate.scope = opt.scope < 0 ? GATE_BOTH : (enum gate_scope)opt.scope;
}

/* Is the event of this sum shown? */
static bool
is_shown(const struct rank_request *q, const struct rank *r, size_t column, bool text)
{
	const long slot = r->slot[column];
	const struct rank_delta *d = rank_delta_of(r, slot);
	bool gated = false;
	size_t i;

	if (!d || (text && slot != (long)d->change))
		return !d && !text && !gate_opts.fail_over;
	for (i = 0; i < gate.nlimit; i++)
		gated |= gate.limit[i].delta == d;
	/* Text shows only the default, unless more is requested. */
	return gate_opts.fail_over ? gated : !text || tool_events() || text_eq(rank_default(q, r),
	    events_at(&r->events, column)->col[EVENT_NAME].t);
}

/* Writes the table to the tool's output; with --fail-over, the rows that cost more. */
static int
print_table(const struct rank_request *q, const struct rank *rank,
    const struct rank_heading *h, const struct significance *significance, struct output *out)
{
	/* Two lines of heading, a blank one, names, remainder, total, prompt. */
	const size_t around = 7 + (h->estimate.n && !significance);
	struct view view = { .form = form, .significance = significance };
	size_t i;
	int r;

	if (form == VIEW_TEXT && !gate_opts.fail_over)
		view.most = table_rows(around, 0);
	else if (table_opts.rows != TABLE_OWN_ROWS)
		view.most = table_opts.rows;
	if (form == VIEW_TEXT) {
		view.scaled = !table_opts.exact;
		view.color = table_color();
		view.width = table_width();
	}
	if (gate_opts.fail_over)
		view.only = gate.row;
	view.show = mem_alloc(rank->events.n + 1, sizeof *view.show);
	for (i = 0; i < rank->events.measured; i++)
		if (is_shown(q, rank, i, form == VIEW_TEXT))
			view.show[view.nshow++] =
			    events_at(&rank->events, i)->col[EVENT_NAME].t;
	r = view_print(&view, q, rank, h, out);
	free(view.show);
	return r;
}

/* Ranks the difference; 1 if something costs more than allowed, 0, or -1. */
static int
rank_diff(const struct merge_how *how, const struct diff_how *names,
    struct output *out)
{
	struct rank_request q = { .dict = how->dict, .diag = how->diag,
	    .ngroup_by = how->ngroup_by, .all_events = true, .extra = names->extra };
	struct ranker *ranker;
	const struct rank *rank = NULL;
	struct significance *significance = NULL;
	struct pipeline p = { 0 };
	int r;

	memcpy(q.group_by, how->group_by, sizeof q.group_by);
	ranker = ranker_new(&q);
	tool_add_min_cost(&tool, &p);
	pipeline_add(&p, filter_default_event(&q.event, how->dict));
	pipeline_add(&p, ranker_sink(ranker));
	r = diff_write(sides.side[0].merge, sides.side[1].merge, names, p.first);
	pipeline_free(&p);
	if (r == 0 && !(rank = ranker_finish(ranker)))
		r = -1;
	if (r == 0 && sides.several && !(significance = significance_new(rank, fdr, how->diag)))
		r = -1;
	gate.significance = significance;
	gate.normalized = opt.normalize;
	if (r == 0 && gate_opts.fail_over) {
		tool_set_gate_sides(&gate, &sides);
		r = gate_check(&gate, &q, rank, how->diag);
		view_gate(&gate, &q, rank, !table_opts.exact);
	}
	if (r == 0 && (!gate_opts.fail_over || gate.grew))
		r = print_table(&q, rank, ranker_heading(ranker), significance, out);
	significance_free(significance);
	ranker_free(ranker);
	return r < 0 ? r : gate.grew;
}

/* Reads both sides, and writes or ranks their difference: 1 if a limit is exceeded, 0, or
 * -1. */
static int
compare(const struct merge_how *how, const struct diff_how *names, struct output *table,
    struct pipeline *stream)
{
	if (sides_read(&sides, how) < 0)
		return -1;
	return table ? rank_diff(how, names, table) :
	    diff_write(sides.side[0].merge, sides.side[1].merge, names, stream->first);
}

int
prof_diff(int argc, char **argv)
{
	struct merge_how how = { .op = MERGE_SUM };
	struct extra_columns extra = { 0 };
	struct diff_how names;
	struct pipeline out = { 0 };
	struct encode e;
	bool table;
	int r;

	tool_begin(&tool, argc, argv);
	how.dict = tool.dict;
	how.diag = &tool.diag;
	read_options(&how);
	names = (struct diff_how){ tool.dict, &tool.diag, buf_str(&sides.side[0].name),
	    buf_str(&sides.side[1].name), opt.normalize,
	    gate.nlimit && gate.limit[0].event.s, &extra };
	e = tool_output(&tool);
	table = gate_opts.fail_over || table_asked() || e.width;
	how.functions = table;
	how.op = !sides.several ? MERGE_SUM : table ? MERGE_RUNS : MERGE_MEAN;
	how.unknown = gate_opts.fail_over;
	if (!table) {
		tool_add_min_cost(&tool, &out);
		codec_encode(&codec_prof, &e, &out);
	}
	r = compare(&how, &names, table ? e.out : NULL, &out);
	sides_free(&sides);
	extra_columns_free(&extra);
	tool_free_gate(&gate);
	rename_free(sides.rename);
	return tool_end(&tool, &out, r < 0 ? -1 : 0, r > 0 ? EXIT_NO : EXIT_DONE);
}

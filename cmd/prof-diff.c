/* SPDX-License-Identifier: ISC */
/* prof-diff: compare two profiles. */
#include "table.h"
#include "tools.h"

#include "codec/unsupported.h"

#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "rules/rules.h"
#include "sum/diff.h"
#include "sum/gate.h"
#include "util/mem.h"

static struct {
	const char *by, *fail_over, *min_cost, *match, *keep_labels, *fdr;
	int scope, metric;	/* enum gate_scope, enum metric; -1: not given */
	bool normalize;
} opt = { .by = "function", .scope = -1, .metric = -1 };

enum metric { METRIC_SELF, METRIC_INCLUSIVE };

static const struct opt opts[] = {
	{ "by", 'b', OPT_TEXT, "LIST", &opt.by,
	    "compare functions, files, objects, lines, ...", BY_PLACES },
	{ "match", 0, OPT_TEXT, "LIST", &opt.match,
	    "match names without these suffixes: clones, rust, recursion",
	    "clones|rust|recursion" },
	TOOL_KEEP_LABELS(&opt.keep_labels),
	{ "normalize", 0, OPT_FLAG, NULL, &opt.normalize,
	    "compare shares: scale the new costs to the old total", NULL },
	{ "fail-over", 0, OPT_TEXT, "LIST", &opt.fail_over,
	    "exit 1 if a cost grew by more than this: 1%, Ir=1%,Dr=5%", NULL },
	{ "min-cost", 0, OPT_TEXT, "N", &opt.min_cost,
	    "ignore growth up to N, a number or a percentage of the old total",
	    NULL },
	{ "scope", 0, OPT_ENUM, "WHAT", &opt.scope,
	    "what --fail-over checks: function, total, both",
	    "function|total|both" },
	{ "metric", 0, OPT_ENUM, "WHAT", &opt.metric,
	    "functions' cost for --fail-over: self, inclusive",
	    "self|inclusive" },
	{ "fdr", 0, OPT_TEXT, "PERCENT", &opt.fdr,
	    "of several runs: accept this share of false changes", NULL },
	TABLE_ROWS,
	TABLE_FORMS,
	TABLE_WIDTH("fit the table into N columns, 0 for no limit"),
	TABLE_LONG("whole names and paths, on a terminal, too"),
	TABLE_EXACT,
	TABLE_COLOR,
	OPT_END
};

static struct tool tool = {
	.name = "prof-diff",
	.usage = "[options] OLD... [--] NEW...",
	.summary = "Compare two profiles, or several runs before and after a change.",
	.example = "prof-diff callgrind.out.1 callgrind.out.2 | prof-top",
	.heading = "comparing",
	.opts = opts,
	.writes = true,
	.writes_at_end = true,
	.own_min_cost = true,
	.own_operands = true,
};

static enum view_form form;
static struct side {
	char **files;		/* the files of a directory are listed */
	size_t nfiles, capfiles;
	const char *word;
	struct buf name;	/* the first file's, and the number of others */
	struct merge *merge;
} side[2] = { { .word = "old" }, { .word = "new" } };
static bool several;		/* several runs on each side */
static double fdr;
static struct gate gate;
static struct rename *rename_by;

/* Sums a side's files, or computes the means of several runs.  For points, the cost is
 * used. */
static int
read_side(struct side *s)
{
	struct loss loss = { 0 };
	struct pipeline p = tool_filters(&tool);
	int r;

	if (rename_by)
		pipeline_add(&p, rules_match(rename_by, s->word, tool.dict, &tool.diag));
	pipeline_add(&p, filter_flatten(FLATTEN_POINTS, NULL, tool.dict, &loss, &tool.diag));
	pipeline_add(&p, filter_labels(opt.keep_labels, &loss));
	pipeline_add(&p, merge_sink(s->merge));
	tool.files = s->files;
	tool.nfiles = (int)s->nfiles;
	r = tool_run(&tool, &p);
	if (r == 0 && tool.none.n)
		r = diag_fail_plain(&tool.diag, "%s: the %s profile has nothing to compare",
		    buf_str(&s->name), s->word);
	if (r == 0 && several && merge_runs(s->merge) < NOISE_LEAST_RUNS)
		r = diag_fail_plain(&tool.diag, "%s: the noise between runs needs two %s "
		    "ones or more, found %ju", buf_str(&s->name), s->word,
		    (uintmax_t)merge_runs(s->merge));
	if (r == 0)
		r = loss_tell(&loss, "a difference", false, &tool.diag);
	pipeline_free(&p);
	loss_free(&loss);
	return r;
}

static void
set_side(struct side *s, char **operands, int n)
{
	int i;

	for (i = 0; i < n; i++)
		s->files = tool_expand(&tool, operands[i], s->files, &s->nfiles,
		    &s->capfiles);
	if (tool_drops_fact("diff"))	/* that is, the sides' names */
		buf_puts(&s->name, s->word);
	else if (s->nfiles > 1)
		buf_printf(&s->name, "%s and %zu more", *s->files, s->nfiles - 1);
	else
		buf_puts(&s->name, *s->files);
}

/* After "--" an option would be taken for a file. */
static void
check_new_files(int first)
{
	int i;

	for (i = first; i < tool.nfiles; i++)
		if (tool.files[i][0] == '-' && tool.files[i][1])
			tool_misuse(&tool, "%s: options go before '--'; a file of that name "
			    "is ./%s", tool.files[i], tool.files[i]);
}

/* Finds the files of each side: there is one on each, or a directory, or "--" separates
 * them. */
static void
find_sides(void)
{
	int first = tool.nfirst;

	if (!first || first == tool.nfiles) {
		if (tool.nfiles != 2)
			tool_misuse(&tool, "expected two files, found %d%s", tool.nfiles,
			    tool.nfiles > 2 ? "; of several runs: OLD... -- NEW..." : "");
		first = 1;
	} else {
		check_new_files(first);
	}
	set_side(&side[0], tool.files, first);
	set_side(&side[1], tool.files + first, tool.nfiles - first);
	several = side[0].nfiles + side[1].nfiles > 2;
	tool.compares_runs = several;
}

/* Checks options that need, or exclude, several runs. */
static void
check_runs(void)
{
	struct threshold share = { .n = 1000000, .percent = true };

	if (opt.fdr && !several)
		tool_misuse(&tool, "--fdr needs several runs: OLD... -- NEW...");
	if (opt.normalize && several)
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
	find_sides();
	check_runs();
	if (!opt.fail_over && (opt.min_cost || opt.scope >= 0 || opt.metric >= 0))
		tool_misuse(&tool, "%s needs --fail-over", opt.min_cost ? "--min-cost" :
		    opt.scope >= 0 ? "--scope" : "--metric");
	if (group_by_parse(opt.by, how->group_by, &how->ngroup_by, &tool.diag) < 0 ||
	    gate_limits(&gate, opt.fail_over, &tool.diag) < 0 ||
	    gate_min_cost(&gate, opt.min_cost ? opt.min_cost : "0.01%", &tool.diag) < 0)
		tool_misuse(&tool, "%s", buf_str(&tool.diag.error));
	tool.lines = group_by_has(how->group_by, how->ngroup_by, BY_FILE);
	tool_check_labels(&tool, opt.keep_labels);
	if (opt.match && !(rename_by = rename_named(opt.match, "--match", &tool.diag)))
		tool_misuse(&tool, "%s", buf_str(&tool.diag.error));
	for (i = 0; i < how->ngroup_by; i++)
		if (group_by_is_fact(how->group_by[i]))
			tool_misuse(&tool, "--by: the parts of each profile are "
			    "summed, so they cannot be compared by %s",
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
		return !d && !text && !opt.fail_over;
	for (i = 0; i < gate.nlimit; i++)
		gated |= gate.limit[i].delta == d;
	/* Text shows only the default, unless more is requested. */
	return opt.fail_over ? gated : !text || tool_events() || text_eq(rank_default(q, r),
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

	if (form == VIEW_TEXT && !opt.fail_over)
		view.most = table_rows(around, 0);
	else if (table_opts.rows != TABLE_OWN_ROWS)
		view.most = table_opts.rows;
	if (form == VIEW_TEXT) {
		view.scaled = !table_opts.exact;
		view.color = table_color();
		view.width = table_width();
	}
	if (opt.fail_over)
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

/* Sets the default event of each side, which a limit without a name is for. */
static void
set_gate_sides(void)
{
	struct text event;
	size_t i;

	for (i = 0; i < 2; i++) {
		gate.side[i].merge = side[i].merge;
		event = merge_default(side[i].merge);
		gate.side[i].usual = dict_text(tool.dict, dict_str(tool.dict, event));
	}
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
	r = diff_write(side[0].merge, side[1].merge, names, p.first);
	pipeline_free(&p);
	if (r == 0 && !(rank = ranker_finish(ranker)))
		r = -1;
	if (r == 0 && several && !(significance = significance_new(rank, fdr, how->diag)))
		r = -1;
	gate.significance = significance;
	gate.normalized = opt.normalize;
	if (r == 0 && opt.fail_over) {
		set_gate_sides();
		r = gate_check(&gate, &q, rank, how->diag);
		view_gate(&gate, &q, rank, !table_opts.exact);
	}
	if (r == 0 && (!opt.fail_over || gate.grew))
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
	int r = read_side(&side[0]);

	if (r == 0)
		r = read_side(&side[1]);
	if (r < 0)
		return r;
	return table ? rank_diff(how, names, table) :
	    diff_write(side[0].merge, side[1].merge, names, stream->first);
}

static void
side_free(struct side *s)
{
	merge_free(s->merge);
	buf_free(&s->name);
	while (s->nfiles)
		free(s->files[--s->nfiles]);
	free(s->files);
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
	int r, i;

	tool_begin(&tool, argc, argv);
	how.dict = tool.dict;
	how.diag = &tool.diag;
	read_options(&how);
	names = (struct diff_how){ tool.dict, &tool.diag, buf_str(&side[0].name),
	    buf_str(&side[1].name), opt.normalize,
	    gate.nlimit && gate.limit[0].event.s, &extra };
	e = tool_output(&tool);
	table = opt.fail_over || table_asked() || e.width;
	how.functions = table;
	how.op = !several ? MERGE_SUM : table ? MERGE_RUNS : MERGE_MEAN;
	how.unknown = opt.fail_over;
	for (i = 0; i < 2; i++)
		side[i].merge = merge_new(&how);
	if (!table) {
		tool_add_min_cost(&tool, &out);
		codec_encode(&codec_prof, &e, &out);
	}
	r = compare(&how, &names, table ? e.out : NULL, &out);
	for (i = 0; i < 2; i++)
		side_free(&side[i]);
	extra_columns_free(&extra);
	gate_free(&gate);
	rename_free(rename_by);
	return tool_end(&tool, &out, r < 0 ? -1 : 0, r > 0 ? EXIT_NO : EXIT_DONE);
}

/* SPDX-License-Identifier: ISC */
/* prof-report: a profile on one page. */
#include "tool_gate.h"
#include "tool_words.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "report/report.h"
#include "util/shell_word.h"

#define BUDGET 6000		/* bytes: some 1,500 tokens of a language model */
#define FDR 0.01		/* as prof-diff has it */

static struct opt_list dirs;
static bool any_source, strict, json;
static uint64_t budget = BUDGET;
static const char *baseline;

static const struct opt opts[] = {
	{ "budget", 0, OPT_COUNT, "BYTES", &budget,
	    "size of the page in bytes, at most (6000)", NULL },
	{ "include", 'I', OPT_LIST, "DIR", &dirs,
	    "also look for sources in this directory", NULL },
	{ "any-source", 0, OPT_FLAG, NULL, &any_source,
	    "read any file that the profile names", NULL },
	{ "json", 0, OPT_FLAG, NULL, &json, "print one JSON object", NULL },
	{ "baseline", 0, OPT_TEXT, "FILE", &baseline,
	    "the old profile; all operands are new", NULL },
	GATE_OPTS,
	{ "strict", 0, OPT_FLAG, NULL, &strict,
	    "fail if the sides were measured differently", NULL },
	OPT_END
};

static void take_operands(struct tool *t);

static struct tool tool = {
	.name = "prof-report",
	.usage = "[options] [FILE...] [-- NEW...]",
	.summary = "Report on one page of Markdown what a profile, or a change, shows.",
	.example = "prof-report callgrind.out.123 >report.md",
	.heading = "reporting",
	.opts = opts,
	.take = take_operands,
	.writes = true,
	.writes_at_end = true,
	.own_events = true,
	.lines = true,
};

static struct report report;
static struct sides sides = { .tool = &tool };
static struct gate gate;
static bool compares;
static struct buf options, operands, before, before_lines;

/* ---- the command line ---- */

/* Takes the operands as they were given, for the commands that the report names.  Standard
 * input alone comes from a command that is not known. */
static void
take_operands(struct tool *t)
{
	compares = baseline || sides_are_given(t);
	t->own_operands = compares;
	if (t->nfiles != 1 || strcmp(t->files[0], "-") != 0)
		tool_operand_words(t, &operands);
}

/* Adds a command that makes the difference. */
static void
add_before(struct buf *b, const char *command)
{
	buf_puts(b, command);
	if (options.n)
		buf_printf(b, "%s ", buf_str(&options));
	if (baseline) {
		buf_puts(b, "--baseline ");
		shell_word_add(b, text_of(baseline));
		buf_putc(b, ' ');
	}
	buf_printf(b, "%s | ", buf_str(&operands));
}

static void
read_comparison(void)
{
	if (!compares && (gate_opts.fail_over || strict))
		tool_misuse(&tool, "--%s needs two sides: OLD... -- NEW..., or --baseline",
		    gate_opts.fail_over ? "fail-over" : "strict");
	tool_read_gate(&tool, &gate);
	gate.scope = GATE_BOTH;
	report.gate = gate_opts.fail_over ? &gate : NULL;
	if (!compares)
		return;
	sides.baseline = baseline;
	sides.strict = strict;
	sides_find(&sides);
	add_before(&before, "prof-diff ");
	add_before(&before_lines, "prof-diff --by function,line ");
	report.before = buf_str(&before);
	report.before_lines = buf_str(&before_lines);
}

static void
read_options(void)
{
	const char *list = tool_events();
	struct text more;

	if (list && (!list_next(&list, &report.event) || !report.event.n))
		tool_misuse(&tool, "--events: empty event name");
	if (list && list_next(&list, &more))
		tool_misuse(&tool, "--events: expected one event, found several: a "
		    "report shows one");
	report.dict = tool.dict;
	report.diag = &tool.diag;
	report.budget = budget;
	report.json = json;
	tool_input_words(&tool, true, &options);
	report.options = buf_str(&options);
	report.operands = buf_str(&operands);
	read_comparison();
	report.search = (struct source_search){ .dir = dirs.item, .ndir = dirs.n,
	    .any = any_source, .vouched = tool_is_source, .arg = &tool };
}

/* ---- the profile, or the difference ---- */

static int
read_profile(void)
{
	struct pipeline p = tool_filters(&tool);
	int r;

	report_init(&report);
	pipeline_add(&p, filter_default_event(&report.usual, tool.dict));
	pipeline_add(&p, &report.sink);
	r = tool_run(&tool, &p);
	pipeline_free(&p);
	return r;
}

static int
read_difference(void)
{
	const struct merge_how how = { .dict = tool.dict, .diag = &tool.diag,
	    .op = sides.several ? MERGE_RUNS : MERGE_SUM, .unknown = gate_opts.fail_over != NULL };
	struct extra_columns extra = { 0 };
	const struct diff_how names = { tool.dict, &tool.diag, buf_str(&sides.side[0].name),
	    buf_str(&sides.side[1].name), false, gate.nlimit && gate.limit[0].event.s, &extra };
	struct pipeline p = { 0 };
	int r = sides_read(&sides, &how);

	report.extra = &extra;
	report.fdr = FDR;
	report_init(&report);
	pipeline_add(&p, filter_default_event(&report.usual, tool.dict));
	pipeline_add(&p, &report.sink);
	if (r == 0)
		tool_set_gate_sides(&gate, &sides);
	if (r == 0)
		r = diff_write(sides.side[SIDE_OLD].merge, sides.side[SIDE_NEW].merge, &names,
		    p.first);
	pipeline_free(&p);
	if (r == 0)
		r = report_finish(&report);
	if (r == 0)
		r = report_print(&report, tool_output(&tool).out);
	report_free(&report);
	extra_columns_free(&extra);
	return r;
}

static void
free_all(void)
{
	if (compares)
		sides_free(&sides);
	tool_free_gate(&gate);
	tool_forget_sources();
	buf_free(&options);
	buf_free(&operands);
	buf_free(&before);
	buf_free(&before_lines);
	free(dirs.item);
}

int
prof_report(int argc, char **argv)
{
	int r;

	tool_begin(&tool, argc, argv);
	read_options();
	if (compares) {
		r = read_difference();
	} else {
		r = read_profile();
		if (r == 0 && !tool.none.n && (r = report_finish(&report)) == 0)
			r = report_print(&report, tool_output(&tool).out);
		report_free(&report);
	}
	free_all();
	return tool_end(&tool, NULL, r, gate.grew ? EXIT_NO : EXIT_DONE);
}

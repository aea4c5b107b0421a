/* SPDX-License-Identifier: ISC */
/* prof-annotate: show source or instructions with their costs. */
#include "table.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "filter/filter.h"
#include "stream/codec.h"
#include "sum/function_lines.h"
#include "sum/inlined_lines.h"
#include "symbol/object_code.h"
#include "util/mem.h"
#include "view/annotate.h"
#include "view/metric_list.h"

static struct {
	const char *file, *function;
	struct opt_list dirs, maps;
	struct threshold min;
	uint64_t context, files;
	bool all, whole, insns, any_source;
} opt = { .min = { 1000000, true }, .context = 3, .files = 10 };

static const struct opt opts[] = {
	{ "function", 0, OPT_TEXT, "RE", &opt.function,
	    "show only the lines of matching functions", NULL },
	{ "file", 0, OPT_TEXT, "RE", &opt.file, "show only matching files", NULL },
	{ "files", 'n', OPT_COUNT, "N", &opt.files,
	    "show at most N files, 0 for all (10)", NULL },
	{ "min", 0, OPT_SHARE, "SHARE", &opt.min,
	    "show lines that cost this share or more (1%)", NULL },
	{ "context", 0, OPT_COUNT, "N", &opt.context,
	    "show N lines before and after each (3)", NULL },
	{ "all", 0, OPT_FLAG, NULL, &opt.all,
	    "show all lines that have a cost, in all files", NULL },
	{ "whole", 0, OPT_FLAG, NULL, &opt.whole, "show whole files", NULL },
	{ "asm", 0, OPT_FLAG, NULL, &opt.insns,
	    "show instructions, function by function", NULL },
	{ "include", 'I', OPT_LIST, "DIR", &opt.dirs,
	    "also look for sources in this directory", NULL },
	{ "map", 0, OPT_LIST, "OLD=NEW", &opt.maps,
	    "look for sources below OLD in NEW", NULL },
	{ "any-source", 0, OPT_FLAG, NULL, &opt.any_source,
	    "read any file that the profile names", NULL },
	TABLE_FORMS,
	TABLE_WIDTH("fit lines into N columns, 0 for no limit"),
	OPT_END
};

static const struct opt more[] = {
	TABLE_EXACT,
	TABLE_COLOR,
	OPT_END
};

static struct tool tool = {
	.name = "prof-annotate",
	.usage = "[options] [FILE...]",
	.summary = "Show source or instructions with the cost of each line.",
	.example = "prof-annotate -n 3 callgrind.out.123 | less",
	.heading = "showing",
	.opts = opts,
	.more = more,
	.pages = true,
	.writes_at_end = true,
	.shows = true,
	.own_events = true,
};

static struct rank_request request = { .group_by = { BY_FILE, BY_LINE },
    .ngroup_by = 2 };
static struct annotate page;
static struct metric_list shown;
static struct match *file, *function;
static struct lines_of lines;
static struct function_ranges spans;
static struct inlined inlined;
static struct buf format;	/* of the last profile */

/* ---- options ---- */

static void
read_maps(void)
{
	struct source_search *s = &page.search;
	const char *eq;

	s->any = opt.any_source;
	s->vouched = tool_is_source;
	s->arg = &tool;
	s->dir = opt.dirs.item;
	s->ndir = opt.dirs.n;
	s->map = mem_alloc(opt.maps.n + 1, sizeof *s->map);
	for (; s->nmap < opt.maps.n; s->nmap++) {
		const char *item = opt.maps.item[s->nmap];

		if (!(eq = strchr(item, '=')) || eq == item)
			tool_misuse(&tool, "--map: expected OLD=NEW, found %s",
			    diag_quote(item, strlen(item)));
		s->map[s->nmap] = (struct source_map){
		    .old = { item, (size_t)(eq - item) }, .new = eq + 1 };
	}
}

static void
read_options(void)
{
	page.form = table_form(&tool);
	if (opt.all) {
		opt.min.n = 0;
		opt.files = 0;
	}
	if (opt.insns && opt.file)
		tool_misuse(&tool, "--asm and --file cannot be combined: use --function");
	tool.lines = !opt.insns;
	if (opt.insns) {
		request.group_by[0] = BY_OBJECT;
		request.group_by[1] = BY_ADDR;
		tool.by_addr = true;
	}
	if (!metric_list_add_words(&shown, tool_events()))
		tool_misuse(&tool, "--events: empty event name");
	read_maps();
	file = tool_match(&tool, opt.file);
	function = tool_match(&tool, opt.function);
	request.want = shown.v;
	request.nwant = shown.n;
	request.all_events = !shown.n && page.form != VIEW_TEXT;
}

/* Returns when the oldest of the profiles was recorded; 0 if one of them is not a file. */
static int64_t
recorded(void)
{
	int64_t oldest = INT64_MAX;
	struct stat st;
	int i;

	for (i = 0; i < tool.nfiles; i++) {
		if (stat(tool.files[i], &st) < 0 || !S_ISREG(st.st_mode))
			return 0;
		if (!tool_is_exe(tool.files[i]) && st.st_mtime < oldest)
			oldest = st.st_mtime;
	}
	return oldest == INT64_MAX ? 0 : oldest;
}

static void
set_page(void)
{
	page.show = shown.v;
	page.nshow = shown.n;
	page.min = opt.min;
	page.context = opt.context;
	page.whole = opt.whole;
	page.most = opt.files;
	page.file = file;
	page.lines = function ? &lines.lines : NULL;
	page.inlined = opt.insns ? NULL : &inlined.lines;
	if (opt.insns)
		page.code = code_new(tool.dict, &tool.executables, tool.names, &spans);
	page.recorded = recorded();
	if (page.form != VIEW_TEXT)
		return;
	page.scaled = !table_opts.exact;
	page.color = table_color();
	page.width = table_width();
}

/* ---- a profile without lines, or without addresses ---- */

/* Remembers the format of a part. */
static int
note_format(struct sink *sink, const struct record *r)
{
	struct buf scratch = { 0 };

	if (meta_is(r, "format")) {
		format.n = 0;
		buf_text(&format, meta_value(r, &scratch));
	}
	buf_free(&scratch);
	return sink_put(sink->next, r);
}

static struct sink format_sink = { .put = note_format };

static void
say_no_places(const struct rank_heading *h)
{
	const struct codec *c = codec_find(buf_str(&format));
	const char *text = !c ? NULL : opt.insns ? c->addrs_from : c->lines_from;

	if (!text)
		text = opt.insns ? "record it with addresses" : "record it with lines";
	if (h->diff.n)
		text = opt.insns ? "compare with prof-diff --by function,addr" :
		    "compare with prof-diff --by function,line";
	diag_fail_plain(&tool.diag, "the profile has no %s: %s",
	    opt.insns ? "addresses" : "lines", text);
	tool_say_error(&tool);
}

/* ---- the whole ---- */

/* Does the profile have lines, or addresses?  The ranking has those of the requested
 * functions only. */
static bool
has_places(const struct rank *rank)
{
	return function ? lines.places : opt.insns ? annotate_has_addrs(rank) :
	    annotate_has_lines(rank);
}

static int
print(const struct rank *rank, const struct rank_heading *h, int *status)
{
	if (!has_places(rank)) {
		say_no_places(h);
		*status = EXIT_NO;
		return 0;
	}
	if (function && !lines.any)
		return diag_fail_plain(&tool.diag, "no function matches --function %s",
		    diag_quote(opt.function, strlen(opt.function)));
	if (request.all_events)
		metric_list_all(&shown, rank);
	metric_list_default(&shown, &request, rank);
	tool_find_sources(h->cmd);
	set_page();
	return annotate_print(&page, &request, rank, h, tool_page(&tool).out);
}

static struct pipeline
make_pipeline(struct ranker *ranker)
{
	struct pipeline p = tool_filters(&tool);

	pipeline_add(&p, &format_sink);
	if (opt.insns)
		pipeline_add(&p, filter_inline_addrs(tool.dict));
	if (function) {
		lines_of_init(&lines, function, tool.dict, opt.insns);
		pipeline_add(&p, &lines.sink);
		if (!opt.insns)
			pipeline_add(&p, filter_only_places(tool.dict, lines_of_matches,
			    &lines));
	}
	if (opt.insns)
		pipeline_add(&p, filter_without_inlined(tool.dict));
	function_ranges_init(&spans);
	inlined_init(&inlined, tool.dict);
	pipeline_add(&p, opt.insns ? &spans.sink : &inlined.sink);
	pipeline_add(&p, filter_default_event(&request.event, tool.dict));
	pipeline_add(&p, ranker_sink(ranker));
	return p;
}

static void
free_all(void)
{
	code_free(page.code);
	lines_of_free(&lines);
	function_ranges_free(&spans);
	inlined_free(&inlined);
	match_free(file);
	match_free(function);
	metric_list_free(&shown);
	tool_forget_sources();
	free(page.search.map);
	free(opt.dirs.item);
	free(opt.maps.item);
	buf_free(&format);
}

int
prof_annotate(int argc, char **argv)
{
	struct ranker *ranker;
	const struct rank *rank;
	struct pipeline p;
	int r, status = EXIT_DONE;

	tool_begin(&tool, argc, argv);
	read_options();
	request.dict = tool.dict;
	request.diag = &tool.diag;
	ranker = ranker_new(&request);
	p = make_pipeline(ranker);
	r = tool_run(&tool, &p);
	pipeline_free(&p);
	if (r == 0 && !tool.none.n)
		r = (rank = ranker_finish(ranker)) ?
		    print(rank, ranker_heading(ranker), &status) : -1;
	ranker_free(ranker);
	free_all();
	return tool_end(&tool, NULL, r, status);
}

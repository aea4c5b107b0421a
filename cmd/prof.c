/* SPDX-License-Identifier: ISC */
/*
 * All tools in one program, which runs the tool whose name it is called by: prof-top is a
 * link to prof.  So they are small and start fast, without a shared library.  As prof it
 * lists them, and runs the one that its first argument names.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools.h"
#include "util/diag.h"
#include "util/suggest.h"
#include "version.h"

#define PREFIX "prof-"

static const struct purpose {
	const char *summary;
	struct {
		const char *name;
		int (*run)(int argc, char **argv);
		const char *summary;
	} tool[5];
} purposes[] = {
	{ "show", {
		{ "top", prof_top, "rank functions, files or lines by cost; callers" },
		{ "tree", prof_tree, "the call tree: functions below their callers" },
		{ "annotate", prof_annotate, "source or instructions with their cost" },
		{ "view", prof_view, "browse all of these on a terminal" },
		{ "report", prof_report, "one page of Markdown, for a pull request" },
	} },
	{ "select and combine", {
		{ "grep", prof_grep, "keep functions, files or libraries by name" },
		{ "merge", prof_merge, "sum profiles, or the mean and spread of runs" },
		{ "diff", prof_diff, "compare two profiles or sets of runs, also as a gate" },
	} },
	{ "convert", {
		{ "cat", prof_cat, "decode any profile to lines of text, prof-stream(5)" },
		{ "to", prof_to, "encode in a format, or draw a picture" },
	} },
};

#define PURPOSES (sizeof purposes / sizeof *purposes)
#define TOOLS (sizeof purposes->tool / sizeof *purposes->tool)

/* Finds a tool by the name after "prof-"; NULL: there is none. */
static int
(*find(const char *name))(int, char **)
{
	size_t i, k;

	for (i = 0; i < PURPOSES; i++)
		for (k = 0; k < TOOLS && purposes[i].tool[k].name; k++)
			if (strcmp(purposes[i].tool[k].name, name) == 0)
				return purposes[i].tool[k].run;
	return NULL;
}

/* Reports an unknown tool, with a list of all. */
static int
unknown(const char *what)
{
	const char *names[PURPOSES * TOOLS];
	struct buf b = { 0 };
	size_t i, k, n = 0;

	for (i = 0; i < PURPOSES; i++)
		for (k = 0; k < TOOLS && purposes[i].tool[k].name; k++)
			names[n++] = purposes[i].tool[k].name;
	suggest_add(&b, text_of(what), names, n);
	fprintf(stderr, "prof: unknown tool %s%s\n", diag_quote(what, strlen(what)),
	    buf_str(&b));
	buf_free(&b);
	return 2;
}

/* Writes out what was printed: the exit status. */
static int
end_output(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	if (errno != EPIPE)
		fprintf(stderr, "prof: standard output: %s\n", strerror(errno));
	return 2;
}

static int
list(void)
{
	size_t i, k;

	puts("usage: prof TOOL [options] [FILE...], or prof-TOOL [options] [FILE...]\n"
	    "Show, compare and convert profiles of any format.");
	for (i = 0; i < PURPOSES; i++) {
		printf("\n%s\n", purposes[i].summary);
		for (k = 0; k < TOOLS && purposes[i].tool[k].name; k++)
			printf("  %-9s %s\n", purposes[i].tool[k].name,
			    purposes[i].tool[k].summary);
	}
	puts("\nprof help: examples.  prof TOOL --help: the options of a tool; man prof-TOOL\n"
	    "manual: prof(7); by language and profiler: prof-guide(7)");
	return end_output();
}

/* Prints what most people need, on one screen. */
static int
help(void)
{
	puts("Record and look (prof-guide(7) has more)\n"
	    "  perf record --call-graph dwarf ./app  prof top perf.data\n"
	    "  valgrind --tool=callgrind ./app       prof top callgrind.out.*\n"
	    "  go test -bench . -cpuprofile FILE     prof tree FILE\n"
	    "  python3 -m cProfile -o FILE app.py    prof top FILE\n"
	    "Ask\n"
	    "  prof top -b file,line FILE           most expensive lines; or object, cmd\n"
	    "  prof top --callers '^malloc$' FILE   who calls it, and at what cost\n"
	    "  prof tree --min 2% FILE              the call tree\n"
	    "  prof annotate --function main FILE   source with costs; --asm: instructions\n"
	    "  prof report FILE                     one page\n"
	    "  prof view FILE                       browse\n"
	    "Select\n"
	    "  prof grep --in object libc FILE | prof top      only libc; -v: without it\n"
	    "  prof merge runs/ | prof top                     the sum of many runs\n"
	    "  prof top --rules libc FILE                      libc charged to its callers\n"
	    "Compare\n"
	    "  prof diff OLD NEW                    what grew and shrank\n"
	    "  prof diff --fail-over 2% old/ new/   several runs; status 1: it got slower\n"
	    "  prof report OLD -- NEW               the same as a page\n"
	    "Convert\n"
	    "  prof to svg -o flame.svg FILE        or pprof, callgrind, speedscope, tsv ...\n"
	    "  prof cat -o app.prof FILE            a copy that needs no program for names");
	return end_output();
}

static int
front(int argc, char **argv)
{
	static char name[64];
	int (*run)(int, char **);

	if (argc < 2 || strcmp(argv[1], "--help") == 0)
		return list();
	if (strcmp(argv[1], "help") == 0)
		return help();
	if (strcmp(argv[1], "--version") == 0) {
		puts("prof " PROF_VERSION);
		return end_output();
	}
	if (!(run = find(argv[1])))
		return unknown(argv[1]);
	snprintf(name, sizeof name, PREFIX "%s", argv[1]);
	argv[1] = name;
	return run(argc - 1, argv + 1);
}

int
main(int argc, char **argv)
{
	const char *slash = argc ? strrchr(argv[0], '/') : NULL;
	const char *name = slash ? slash + 1 : argc ? argv[0] : "";
	int (*run)(int, char **) = NULL;

	if (strncmp(name, PREFIX, strlen(PREFIX)) == 0)
		run = find(name + strlen(PREFIX));
	return run ? run(argc, argv) : front(argc, argv);
}

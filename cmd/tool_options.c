/* SPDX-License-Identifier: ISC */
/* The options of all tools, and those that end a tool, such as --help. */
#include "tool_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "browse/terminal.h"
#include "filter/filter.h"
#include "io/directory.h"
#include "io/term.h"
#include "symbol/demangle.h"
#include "util/printable.h"
#include "util/suggest.h"
#include "version.h"

#define MOST_JOBS 64

uint64_t tool_jobs;
struct tool_given tool_given = { .help = HELP_NONE, .max_line = 64, .max_whole = UINT64_MAX };

/* ---- the tables ---- */

static const struct opt input_opts[] = {
	{ "events", 0, OPT_TEXT, "LIST", &tool_given.events,
	    "keep only these events: names or formulas", NULL },
	{ "where", 0, OPT_LIST, "KEY=VALUE", &tool_given.where,
	    "keep only this metadata or label (or KEY~REGEX)", NULL },
	{ "rules", 0, OPT_LIST, "FILE|NAME", &tool_given.rules,
	    "apply a rule file, by path or by name", NULL },
	{ "from", 0, OPT_TEXT, "FORMAT", &tool_given.from,
	    "read the files as this format", NULL },
	{ "exe", 0, OPT_TEXT, "FILE", &tool_given.exe,
	    "take symbols from this executable", NULL },
	{ "syms", 0, OPT_TEXT, "FILE", &tool_given.syms,
	    "take symbols from this output of nm", NULL },
	{ "sysroot", 0, OPT_TEXT, "DIR", &tool_given.sysroot,
	    "look for files of the profile's machine below DIR", NULL },
	{ "kallsyms", 0, OPT_TEXT, "FILE", &tool_given.kallsyms,
	    "take kernel symbols from a copy of /proc/kallsyms", NULL },
	{ "no-demangle", 0, OPT_FLAG, NULL, &tool_given.mangled,
	    "do not demangle names of C++, Rust and D", NULL },
	{ "inlines", 0, OPT_FLAG, NULL, &tool_given.inlined,
	    "show inlined functions at addresses of stacks", NULL },
	{ "lenient", 0, OPT_FLAG, NULL, &tool_given.lenient,
	    "skip malformed lines, accept truncated files", NULL },
	{ "max-line", 0, OPT_COUNT, "MIB", &tool_given.max_line,
	    "longest line to read (64), 0 for no limit", NULL },
	{ "max-whole", 0, OPT_COUNT, "MIB", &tool_given.max_whole,
	    "limit on files read whole (7 x max-line, 0: none)", NULL },
	OPT_END
};

static const struct opt output_opts[] = {
	{ "output", 'o', OPT_TEXT, "FILE", &tool_given.output,
	    "write to FILE, complete or not at all", NULL },
	{ "zstd", 0, OPT_FLAG, NULL, &tool_given.zstd,
	    "compress with zstd (as -o NAME.zst does)", NULL },
	{ "gzip", 0, OPT_FLAG, NULL, &tool_given.gzip,
	    "compress with gzip (as -o NAME.gz does)", NULL },
	OPT_END
};

static const struct opt pager_opts[] = {
	{ "no-pager", 0, OPT_FLAG, NULL, &tool_given.no_pager,
	    "do not use $PAGER", NULL },
	OPT_END
};

static const struct opt general_opts[] = {
	{ "quiet", 0, OPT_FLAG, NULL, &tool_given.quiet, "print no notes", NULL },
	{ "list-options", 0, OPT_FLAG, NULL, &tool_given.list,
	    "list the options, machine-readable", NULL },
	{ "version", 0, OPT_FLAG, NULL, &tool_given.version, "show the version", NULL },
	{ "help", 'h', OPT_WHEN, "WHICH", &tool_given.help,
	    "show the tool's own options, or all (--help all)", "own|all" },
	OPT_END
};

static const struct opt no_opts[] = { OPT_END };

/* Gathers the tool's options, then those of formats, then those of all tools. */
static void
gather_options(struct tool *t)
{
	struct opts *o = &t->options;
	const struct codec *const *c;

	o->diag = &t->diag;
	opts_add(o, t->heading, t->opts);
	o->table->own = true;
	opts_add(o, NULL, t->more ? t->more : no_opts);
	t->format_from = o->n;
	for (c = codec_table; *c && t->formats; c++)
		opts_add_group(o, (*c)->name, (*c)->options);
	t->format_to = o->n;
	opts_add(o, "output", t->writes ? output_opts : no_opts);
	opts_add(o, "terminal", t->pages ? pager_opts : no_opts);
	t->ninput = o->n;
	opts_add(o, "input", input_opts);
	for (c = codec_table; *c; c++)
		opts_add_group(o, (*c)->name, (*c)->read_options);
	opts_add(o, "general", general_opts);
}

/* ---- help ---- */

/* Writes --help and the like to standard output; a full disk is an error. */
static _Noreturn void
print_and_exit(const char *s, size_t n)
{
	fwrite(s, 1, n, stdout);
	if (fflush(stdout) || ferror(stdout)) {
		if (errno != EPIPE)
			tool_print("standard output: ", strerror(errno));
		exit(EXIT_TROUBLE);
	}
	exit(EXIT_DONE);
}

#define HELP_WIDTH 79

static size_t
count(const struct opt *opts)
{
	size_t n;

	for (n = 0; opts && opts[n].name; n++)
		;
	return n;
}

/* Adds the last line of --help: what is not in it. */
static void
add_rest(const struct tool *t, struct buf *b)
{
	buf_printf(b, "%s --help all: ", t->name);
	if (t->more)
		buf_printf(b, "%zu more, and ", count(t->more));
	buf_printf(b, "options for input, %s\n", t->writes ? "output and formats" :
	    "formats and messages");
}

static _Noreturn void
help(struct tool *t, bool all)
{
	/* Longer lines are hard to read. */
	const size_t width = term_is() && term_columns() < HELP_WIDTH ? term_columns() :
	    HELP_WIDTH;
	struct buf b = { 0 }, lines = { 0 };

	buf_printf(&b, "usage: %s %s\n%s\n\n", t->name, t->usage, t->summary);
	if (t->help_of)
		t->help_of(t, all, &b);
	opts_help(&t->options, all, &b, width);
	buf_printf(&b, "\nexample: %s\nmanual: %s(1), prof(7)\n", t->example, t->name);
	if (!all)
		add_rest(t, &b);
	printable_wrap(&lines, buf_as_text(&b), term_is() ? width : 0);
	print_and_exit(lines.s, lines.n);
}

static _Noreturn void
version(const struct tool *t)
{
	struct buf b = { 0 };

	buf_printf(&b, "%s (prof) %s\n", t->name, PROF_VERSION);
	zip_versions(&b);
	buf_puts(&b, ", ");
	symbols_version(&b);
	buf_printf(&b, ", %s, ", demangle_version());
	terminal_version(&b);
	buf_puts(&b, "\n");
	print_and_exit(b.s, b.n);
}

void
tool_misuse(struct tool *t, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	tool_abandon();
	tool_print("", buf_str(&b));
	fprintf(stderr, "usage: %s %s\n", t->name, t->usage);
	exit(EXIT_TROUBLE);
}

void
tool_check_labels(struct tool *t, const char *list)
{
	const struct text wrong = list ? filter_labels_wrong(list) : (struct text){ 0 };

	if (wrong.s)
		tool_misuse(t, "--keep-labels: expected some of %s, found %s", filter_run_labels,
		    QUOTE(wrong));
}

enum zip_kind
tool_zip(void)
{
	return tool_given.zstd ? ZIP_ZSTD : tool_given.gzip ? ZIP_GZIP :
	    tool_given.output ? zip_by_suffix(tool_given.output) : ZIP_NONE;
}

/* Checks options that exclude each other, or that have no effect. */
static void
check_options(struct tool *t)
{
	if (tool_given.from && (!codec_find(tool_given.from) ||
	    !codec_find(tool_given.from)->decode))
		tool_misuse(t, "--from: cannot read format '%s'%s; known formats: %s",
		    tool_given.from, suggest_suffix(codec_suggest(tool_given.from, CODEC_READ)),
		    codec_names(CODEC_READ));
	if (tool_given.zstd && tool_given.gzip)
		tool_misuse(t, "--zstd and --gzip cannot be combined");
	if (!zip_writes(tool_zip()))
		tool_misuse(t, "--output: cannot write %s: use .zst or .gz, or pipe to %s",
		    zip_name(tool_zip()), zip_name(tool_zip()));
	if (tool_given.exe && tool_given.syms)
		tool_misuse(t, "--exe and --syms cannot be combined");
	if (tool_given.sysroot && !directory_is(tool_given.sysroot))
		tool_misuse(t, "--sysroot: not a directory: %s", tool_given.sysroot);
	if (tool_given.kallsyms && access(tool_given.kallsyms, R_OK) < 0)
		tool_misuse(t, "--kallsyms: %s: %s", tool_given.kallsyms, strerror(errno));
}

/* Is the last operand "all", as in --help all?  No file is read then. */
static bool
asks_all(const struct tool *t)
{
	return t->nfiles && strcmp(t->files[t->nfiles - 1], "all") == 0;
}

void
tool_parse(struct tool *t, int argc, char **argv)
{
	struct buf b = { 0 };

	gather_options(t);
	t->files = argv;
	t->nfiles = opts_parse(&t->options, argc, argv);
	t->nfirst = t->options.first;
	if (t->nfiles < 0)
		tool_misuse(t, "%s", buf_str(&t->diag.error));
	if (tool_given.help != HELP_NONE)
		help(t, tool_given.help == HELP_ALL || asks_all(t));
	if (tool_given.version)
		version(t);
	if (tool_given.list) {
		opts_list(&t->options, &b);
		print_and_exit(b.s, b.n);
	}
	t->jobs = tool_jobs < MOST_JOBS ? (size_t)tool_jobs : MOST_JOBS;
	t->executables.mangled = tool_given.mangled;
	t->executables.sysroot = tool_given.sysroot;
	t->executables.kallsyms = tool_given.kallsyms;
	check_options(t);
}

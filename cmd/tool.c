/* SPDX-License-Identifier: ISC */
#include "tool_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/fit.h"
#include "filter/filter.h"
#include "io/pager.h"
#include "io/progress.h"
#include "io/term.h"
#include "rules/rules.h"
#include "symbol/demangle.h"
#include "util/suggest.h"
#include "util/vis.h"
#include "version.h"

struct tool_given tool_given = { .max_line = 64, .max_whole = UINT64_MAX };

static const struct opt input_opts[] = {
	{ "events", 0, OPT_TEXT, "LIST", &tool_given.events,
	    "keep only these events: names or formulas", NULL },
	{ "where", 0, OPT_LIST, "KEY=VALUE", &tool_given.where,
	    "keep only parts with this fact (or KEY~REGEX)", NULL },
	{ "rules", 0, OPT_LIST, "FILE|NAME", &tool_given.rules,
	    "apply a rule file, by path or by name", NULL },
	{ "from", 0, OPT_TEXT, "FORMAT", &tool_given.from,
	    "read the files as this format", NULL },
	{ "exe", 0, OPT_TEXT, "FILE", &tool_given.exe,
	    "take symbols from this executable", NULL },
	{ "syms", 0, OPT_TEXT, "FILE", &tool_given.syms,
	    "take symbols from this output of nm", NULL },
	{ "no-demangle", 0, OPT_FLAG, NULL, &tool_given.mangled,
	    "do not demangle names of C++, Rust and D", NULL },
	{ "lenient", 0, OPT_FLAG, NULL, &tool_given.lenient,
	    "skip malformed lines, accept cut files", NULL },
	{ "max-line", 0, OPT_COUNT, "MIB", &tool_given.max_line,
	    "longest line to read (64), 0 for no limit", NULL },
	{ "max-whole", 0, OPT_COUNT, "MIB", &tool_given.max_whole,
	    "limit on files read whole (16 x max-line, 0: none)", NULL },
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
	    "do not go through $PAGER", NULL },
	OPT_END
};

static const struct opt general_opts[] = {
	{ "quiet", 0, OPT_FLAG, NULL, &tool_given.quiet, "print no notes", NULL },
	{ "list-options", 0, OPT_FLAG, NULL, &tool_given.list,
	    "list the options, for programs", NULL },
	{ "version", 0, OPT_FLAG, NULL, &tool_given.version, "show the version", NULL },
	{ "help", 'h', OPT_FLAG, NULL, &tool_given.help, "show this help", NULL },
	OPT_END
};

/* What options select by, compiled. */
static struct rules **view;	/* of tool_given.rules, nview of them */
static size_t nview;
static struct conditions *where;	/* of tool_given.where; NULL: none */
static bool selected;		/* what is read was selected by workers */
static bool paged;		/* the output goes through a pager */

static const struct opt no_opts[] = { OPT_END };

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

static _Noreturn void
help(struct tool *t, const struct opts *o)
{
	struct buf b = { 0 };

	buf_printf(&b, "usage: %s %s\n%s\n\n", t->name, t->usage, t->says);
	if (t->help_of)
		t->help_of(t, &b);
	opts_help(o, &b);
	buf_printf(&b, "\nmanual: %s(1), prof(7)\nexample: %s\n", t->name, t->example);
	print_and_exit(b.s, b.n);
}

static _Noreturn void
version(const struct tool *t)
{
	struct buf b = { 0 };

	buf_printf(&b, "%s (prof) %s\n%s, %s, %s\n", t->name, PROF_VERSION,
	    zip_versions(), symbols_version(), demangle_version());
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

struct match *
tool_match(struct tool *t, const char *pattern)
{
	struct match *m = pattern ? match_new(&pattern, 1, 0, &t->diag) : NULL;

	if (pattern && !m)
		tool_misuse(t, "%s", buf_str(&t->diag.error));
	return m;
}

/* A file that we open must not get the descriptor of a closed standard stream, or
 * messages would go into it.  The placeholders opened here still fail when used. */
static void
keep_standard_fds(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Reports errors in the filters' options before anything is read or written. */
static void
compile_filters(struct tool *t)
{
	struct text wrong = tool_given.events && !t->own_events ?
	    filter_events_wrong(tool_given.events) : (struct text){ 0 };

	if (wrong.s)
		tool_misuse(t, "--events: expected an event or a sum of events, found %s",
		    diag_quote(wrong.s, wrong.n));
	if (tool_given.where.n && !(where = conditions_new(tool_given.where.item,
	    tool_given.where.n, &t->diag)))
		tool_misuse(t, "%s", buf_str(&t->diag.error));
}

static void
read_rules(struct tool *t)
{
	size_t i;

	view = mem_alloc(tool_given.rules.n, sizeof *view);
	for (i = 0; i < tool_given.rules.n; i++, nview++)
		if (!(view[i] = rules_open(tool_given.rules.item[i], &t->diag)) ||
		    rules_share(view[i], &t->diag) < 0)
			tool_misuse(t, "%s", buf_str(&t->diag.error));
		else
			t->holds |= rules_hold(view[i]);
}

static void
add_table(struct opts *o, const char *heading, const struct opt *opts)
{
	o->table = mem_resize(o->table, o->n + 1, sizeof *o->table);
	o->table[o->n++] = (struct opt_table){ .heading = heading, .opts = opts };
}

/* A table of a format's options, once: several formats may have it. */
static void
add_format(struct opts *o, const char *heading, const struct opt *opts)
{
	size_t i;

	for (i = 0; i < o->n && o->table[i].opts != opts; i++)
		;
	if (opts && i == o->n)
		add_table(o, heading, opts);
}

/* The tool's own options, then those of all tools. */
static struct opts
gather_options(struct tool *t)
{
	struct opts o = { .diag = &t->diag };
	const struct codec *const *c;

	add_table(&o, t->heading, t->opts ? t->opts : no_opts);
	for (c = codec_table; *c && t->formats; c++)
		add_format(&o, (*c)->name, (*c)->options);
	t->nformat = o.n - 1;
	add_table(&o, "output", t->writes ? output_opts : no_opts);
	add_table(&o, "terminal", t->pages ? pager_opts : no_opts);
	add_table(&o, "input", input_opts);
	for (c = codec_table; *c; c++)
		add_format(&o, (*c)->name, (*c)->read_options);
	add_table(&o, "general", general_opts);
	t->format = o.table + 1;
	return o;
}

static enum zip_kind
zip_wanted(void)
{
	return tool_given.zstd ? ZIP_ZSTD : tool_given.gzip ? ZIP_GZIP :
	    tool_given.output ? zip_by_suffix(tool_given.output) : ZIP_NONE;
}

void
tool_begin(struct tool *t, int argc, char **argv)
{
	struct opts o;
	struct buf b = { 0 };

	keep_standard_fds();
	tool_begin_messages(t);
	o = gather_options(t);
	t->files = argv;
	t->nfiles = opts_parse(&o, argc, argv);
	t->nfirst = o.first;
	if (t->nfiles < 0)
		tool_misuse(t, "%s", buf_str(&t->diag.error));
	if (tool_given.help)
		help(t, &o);
	if (tool_given.version)
		version(t);
	if (tool_given.list) {
		opts_list(&o, &b);
		print_and_exit(b.s, b.n);
	}
	if (tool_given.from && (!codec_find(tool_given.from) ||
	    !codec_find(tool_given.from)->decode))
		tool_misuse(t, "--from: cannot read format '%s'%s; known "
		    "formats: %s", tool_given.from,
		    suggest_say(suggest_in(text_of(tool_given.from), codec_names(CODEC_READ), ", ")),
		    codec_names(CODEC_READ));
	if (tool_given.zstd && tool_given.gzip)
		tool_misuse(t, "--zstd and --gzip cannot be combined");
	if (!zip_writes(zip_wanted()))
		tool_misuse(t, "--output: cannot write %s: use .zst or .gz, or pipe to %s",
		    zip_name(zip_wanted()), zip_name(zip_wanted()));
	if (tool_given.exe && tool_given.syms)
		tool_misuse(t, "--exe and --syms cannot be combined");
	compile_filters(t);
	read_rules(t);
	t->dict = dict_new();
	t->schema = schema_new();
	if (t->take)
		t->take(t);
	if (!t->own_operands)
		tool_list_files(t);
	if (t->holds)
		tool_show_progress(t);
}

void
tool_show_progress(struct tool *t)
{
	if (!tool_given.quiet)
		progress_begin(t->name, (size_t)t->nfiles);
}

bool
tool_selects(void)
{
	return tool_given.where.n || tool_given.events || tool_given.rules.n;
}

bool
tool_drops_fact(const char *key)
{
	size_t i;

	for (i = 0; i < nview && !rules_drop_fact(view[i], key); i++)
		;
	return i < nview;
}

bool
tool_needs_all(void)
{
	size_t i;

	for (i = 0; i < tool_given.rules.n; i++)
		if (rules_need_all(view[i]))
			return true;
	return tool_given.where.n || tool_given.events;
}

const char *
tool_events(void)
{
	return tool_given.events;
}

void
tool_be_worker(int fd)
{
	if (dup2(fd, STDOUT_FILENO) < 0) {
		tool_print("standard output: ", strerror(errno));
		_exit(EXIT_TROUBLE);
	}
	close(fd);
	tool_given.output = NULL;
	tool_given.zstd = tool_given.gzip = false;
}

void
tool_read_workers(struct tool *t, char **files, int n)
{
	progress_end();
	t->files = files;
	t->nfiles = n;
	selected = true;
	tool_given.events = tool_given.from = tool_given.exe = tool_given.syms = NULL;
	tool_given.lenient = false;
}

/* Output to a terminal, through the pager if there is one to run. */
static struct output *
open_paged(struct tool *t)
{
	const int fd = t->pages && !tool_given.no_pager ? pager_start() : -1;

	if (fd < 0)
		return out_open(NULL, ZIP_NONE, &t->diag);
	paged = true;
	signal(SIGPIPE, SIG_IGN);	/* quitting the pager is not an error */
	progress_end();
	return out_terminal(fd, "the pager", &t->diag);
}

static struct encode
open_output(struct tool *t, bool pages)
{
	enum zip_kind zip = zip_wanted();
	const char *path = tool_given.output;

	if (zip == ZIP_NONE)
		zip = t->zip;
	if (path && strcmp(path, "-") == 0)
		path = NULL;
	tool_catch_signals();
	t->out = pages && !path && zip == ZIP_NONE ? open_paged(t) :
	    out_open(path, zip, &t->diag);
	if (!t->out)
		exit(tool_end(t, NULL, -1, EXIT_TROUBLE));
	return (struct encode){ .out = t->out, .dict = t->dict, .diag = &t->diag,
	    .names = &t->names,
	    .width = !path && term_is() ? term_columns() : 0,
	    .color = !path && term_color("auto") };
}

struct encode
tool_output(struct tool *t)
{
	return open_output(t, false);
}

struct encode
tool_page(struct tool *t)
{
	return open_output(t, true);
}

void
tool_stream(struct tool *t, struct pipeline *p)
{
	struct encode e = tool_page(t);

	codec_encode(e.width ? &codec_text : &codec_prof, &e, p);
}

struct pipeline
tool_filters(struct tool *t)
{
	struct pipeline p = { 0 };
	size_t i;

	if (selected)
		return p;
	if (where)
		pipeline_add(&p, filter_where(where, &t->none));
	for (i = 0; i < nview; i++) {
		if (rules_add(view[i], &p, t->dict, &t->diag) < 0)
			exit(tool_end(t, &p, -1, EXIT_TROUBLE));
		if (!t->own_min_cost)
			rules_add_min_cost(view[i], &p, t->dict, t->schema, &t->diag);
	}
	if (tool_given.events && !t->own_events)
		pipeline_add(&p, filter_events(tool_given.events, "--events", &t->diag));
	return p;
}

void
tool_add_min_cost(struct tool *t, struct pipeline *p)
{
	size_t i;

	for (i = 0; i < nview; i++)
		rules_add_min_cost(view[i], p, t->dict, t->schema, &t->diag);
}

void
tool_put_name(struct tool *t, const char *file)
{
	struct buf b = { 0 };

	if (!tool_given.output && term_is())
		vis_add(&b, text_of(file));
	else
		buf_puts(&b, file);
	out_text(t->out, buf_as_text(&b));
	buf_free(&b);
}

void
tool_forget(struct tool *t)
{
	symbolize_free(t->names);
	t->names = NULL;
	dict_free(t->dict);
	schema_free(t->schema);
	t->dict = dict_new();
	t->schema = schema_new();
}

void
tool_say_error(struct tool *t)
{
	progress_clear();
	if (t->diag.error.n)
		tool_print("", buf_str(&t->diag.error));
	t->diag.error.n = 0;
}

int
tool_end(struct tool *t, struct pipeline *p, int r, int status)
{
	size_t i;

	if (p)
		pipeline_free(p);
	if (t->out && out_close(t->out, r == 0) < 0)
		r = -1;
	if (!pager_wait())
		r = diag_fail_plain(&t->diag, "cannot run the pager: set PAGER, or use "
		    "--no-pager");
	else if (paged && t->diag.stopped)
		r = 0;
	progress_clear();
	if (r < 0)
		tool_say_error(t);
	buf_free(&t->diag.error);
	symbolize_free(t->names);
	dict_free(t->dict);
	schema_free(t->schema);
	free(tool_given.where.item);
	conditions_free(where);
	for (i = 0; i < nview; i++)
		rules_free(view[i]);
	free(view);
	tool_free_files();
	if (r == 0 && t->none.n && status == EXIT_DONE)
		status = EXIT_NO;
	buf_free(&t->none);
	return r < 0 ? EXIT_TROUBLE : status;
}

/* SPDX-License-Identifier: ISC */
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/fit.h"
#include "codec/session.h"
#include "filter/filter.h"
#include "io/folder.h"
#include "io/pager.h"
#include "io/progress.h"
#include "io/term.h"
#include "rules/rules.h"
#include "symbol/demangle.h"
#include "util/mem.h"
#include "util/suggest.h"
#include "util/vis.h"
#include "version.h"

/* The options of all tools. */
static struct {
	bool help, version, list, quiet, lenient;
	bool mangled, no_pager;
	const char *from, *events, *exe, *syms;
	struct opt_list where, rules;
	const char *output;
	bool zstd, gzip;
	uint64_t max_line, max_whole;
} common = { .max_line = 64, .max_whole = UINT64_MAX };

static const struct opt input_opts[] = {
	{ "events", 0, OPT_TEXT, "LIST", &common.events,
	    "keep only these events: names or formulas", NULL },
	{ "where", 0, OPT_LIST, "KEY=VALUE", &common.where,
	    "keep only parts with this fact (or KEY~REGEX)", NULL },
	{ "rules", 0, OPT_LIST, "FILE|NAME", &common.rules,
	    "apply a rule file, by path or by name", NULL },
	{ "from", 0, OPT_TEXT, "FORMAT", &common.from,
	    "read the files as this format", NULL },
	{ "exe", 0, OPT_TEXT, "FILE", &common.exe,
	    "take symbols from this executable", NULL },
	{ "syms", 0, OPT_TEXT, "FILE", &common.syms,
	    "take symbols from this output of nm", NULL },
	{ "no-demangle", 0, OPT_FLAG, NULL, &common.mangled,
	    "do not demangle names of C++, Rust and D", NULL },
	{ "lenient", 0, OPT_FLAG, NULL, &common.lenient,
	    "skip malformed lines, accept cut files", NULL },
	{ "max-line", 0, OPT_COUNT, "MIB", &common.max_line,
	    "longest line to read (64), 0 for no limit", NULL },
	{ "max-whole", 0, OPT_COUNT, "MIB", &common.max_whole,
	    "limit on files read whole (16 x max-line, 0: none)", NULL },
	OPT_END
};

static const struct opt output_opts[] = {
	{ "output", 'o', OPT_TEXT, "FILE", &common.output,
	    "write to FILE, complete or not at all", NULL },
	{ "zstd", 0, OPT_FLAG, NULL, &common.zstd,
	    "compress with zstd (as -o NAME.zst does)", NULL },
	{ "gzip", 0, OPT_FLAG, NULL, &common.gzip,
	    "compress with gzip (as -o NAME.gz does)", NULL },
	OPT_END
};

static const struct opt pager_opts[] = {
	{ "no-pager", 0, OPT_FLAG, NULL, &common.no_pager,
	    "do not go through $PAGER", NULL },
	OPT_END
};

static const struct opt general_opts[] = {
	{ "quiet", 0, OPT_FLAG, NULL, &common.quiet, "print no notes", NULL },
	{ "list-options", 0, OPT_FLAG, NULL, &common.list,
	    "list the options, for programs", NULL },
	{ "version", 0, OPT_FLAG, NULL, &common.version, "show the version", NULL },
	{ "help", 'h', OPT_FLAG, NULL, &common.help, "show this help", NULL },
	OPT_END
};

/* What options select by, compiled. */
static struct rules **view;	/* of common.rules, nview of them */
static size_t nview;
static struct conditions *where;	/* of common.where; NULL: none */
static bool selected;		/* what is read was selected by workers */
static bool paged;		/* the output goes through a pager */

/* The operands, if there is a folder among them: copies. */
static struct {
	char **path;
	size_t n, cap;
} listed;
static char **readable;		/* those that tool_leave_out() has kept */
static int reading, read_before;	/* which one, and how many once already */

static const struct opt no_opts[] = { OPT_END };

static const char *name;	/* for the handlers below */

/* Leaves no temporary file and no pager behind. */
static void
abandon(void)
{
	out_abandon();
	pager_abandon();
}

static void
out_of_memory(size_t size)
{
	progress_clear();
	abandon();
	if (size)
		fprintf(stderr, "%s: out of memory (%zu bytes wanted)\n", name, size);
	else
		fprintf(stderr, "%s: out of memory\n", name);
	_exit(EXIT_TROUBLE);
}

/* An interrupted -o FILE leaves the old file, and no temporary one. */
static void
interrupted(int sig)
{
	abandon();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void
catch_signals(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE,
	    SIGXCPU, SIGXFSZ };
	size_t i;

	for (i = 0; i < sizeof sigs / sizeof *sigs; i++)
		if (signal(sigs[i], interrupted) == SIG_IGN)
			signal(sigs[i], SIG_IGN);
}

/* Prints "NAME: WHAT TEXT" in visible form, since names in it come from anywhere. */
static void
print_message(const char *what, const char *text)
{
	struct buf b = { 0 };

	progress_clear();
	vis_add(&b, text_of(text));
	fprintf(stderr, "%s: %s%s\n", name, what, buf_str(&b));
	buf_free(&b);
}

static void
say(void *arg, enum diag_level level, const char *text)
{
	(void)arg;
	if (level == DIAG_NOTE && common.quiet)
		return;
	print_message(level == DIAG_WARN ? "warning: " : "", text);
}

/* Writes --help and the like to standard output; a full disk is an error. */
static _Noreturn void
print_and_exit(const char *s, size_t n)
{
	fwrite(s, 1, n, stdout);
	if (fflush(stdout) || ferror(stdout)) {
		if (errno != EPIPE)
			fprintf(stderr, "%s: standard output: %s\n", name,
			    strerror(errno));
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
	abandon();
	print_message("", buf_str(&b));
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
	struct text wrong = common.events && !t->own_events ?
	    filter_events_wrong(common.events) : (struct text){ 0 };

	if (wrong.s)
		tool_misuse(t, "--events: expected an event or a sum of events, found %s",
		    diag_quote(wrong.s, wrong.n));
	if (common.where.n && !(where = conditions_new(common.where.item,
	    common.where.n, &t->diag)))
		tool_misuse(t, "%s", buf_str(&t->diag.error));
}

static void
read_rules(struct tool *t)
{
	size_t i;

	view = mem_alloc(common.rules.n, sizeof *view);
	for (i = 0; i < common.rules.n; i++, nview++)
		if (!(view[i] = rules_open(common.rules.item[i], &t->diag)) ||
		    rules_share(view[i], &t->diag) < 0)
			tool_misuse(t, "%s", buf_str(&t->diag.error));
		else
			t->holds |= rules_hold(view[i]);
}

/* What is in a folder that -o names would be read as a profile the next time. */
static void
refuse_output(struct tool *t, const char *folder, char **path, size_t n)
{
	struct stat in, out;
	size_t i;

	if (!common.output || stat(common.output, &out) < 0)
		return;
	for (i = 0; i < n; i++)
		if (stat(path[i], &in) == 0 && in.st_dev == out.st_dev &&
		    in.st_ino == out.st_ino)
			tool_misuse(t, "%s: the output file is in the folder %s, and would "
			    "be read: put it elsewhere", common.output, folder);
}

char **
tool_expand(struct tool *t, const char *path, char **list, size_t *n, size_t *cap)
{
	const size_t before = *n;

	list = folder_expand(path, list, n, cap, &t->diag);
	if (folder_is(path))
		refuse_output(t, path, list + before, *n - before);
	if (*n > INT_MAX)
		diag_fail_plain(&t->diag, "too many files: %zu", *n);
	if (t->diag.error.n)
		exit(tool_end(t, NULL, -1, EXIT_TROUBLE));
	return list;
}

/* A folder stands for the files in it, and no file for standard input. */
static void
list_files(struct tool *t)
{
	static char dash[] = "-", *standard[] = { dash };
	int i;

	if (!t->nfiles) {
		t->files = standard;
		t->nfiles = 1;
	}
	for (i = 0; i < t->nfiles && !folder_is(t->files[i]); i++)
		;
	if (i == t->nfiles)
		return;
	for (i = 0; i < t->nfiles; i++)
		listed.path = tool_expand(t, t->files[i], listed.path, &listed.n,
		    &listed.cap);
	t->files = listed.path;
	t->nfiles = (int)listed.n;
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
	return common.zstd ? ZIP_ZSTD : common.gzip ? ZIP_GZIP :
	    common.output ? zip_by_suffix(common.output) : ZIP_NONE;
}

void
tool_begin(struct tool *t, int argc, char **argv)
{
	struct opts o;
	struct buf b = { 0 };

	keep_standard_fds();
	name = t->name;
	mem_failed = out_of_memory;
	t->diag.say = say;
	t->diag.work = progress_work;
	o = gather_options(t);
	t->files = argv;
	t->nfiles = opts_parse(&o, argc, argv);
	t->nfirst = o.first;
	if (t->nfiles < 0)
		tool_misuse(t, "%s", buf_str(&t->diag.error));
	if (common.help)
		help(t, &o);
	if (common.version)
		version(t);
	if (common.list) {
		opts_list(&o, &b);
		print_and_exit(b.s, b.n);
	}
	if (common.from && (!codec_find(common.from) ||
	    !codec_find(common.from)->decode))
		tool_misuse(t, "--from: cannot read format '%s'%s; known "
		    "formats: %s", common.from,
		    suggest_say(suggest_in(text_of(common.from), codec_names(CODEC_READ), ", ")),
		    codec_names(CODEC_READ));
	if (common.zstd && common.gzip)
		tool_misuse(t, "--zstd and --gzip cannot be combined");
	if (!zip_writes(zip_wanted()))
		tool_misuse(t, "--output: cannot write %s: use .zst or .gz, or pipe to %s",
		    zip_name(zip_wanted()), zip_name(zip_wanted()));
	if (common.exe && common.syms)
		tool_misuse(t, "--exe and --syms cannot be combined");
	compile_filters(t);
	read_rules(t);
	t->dict = dict_new();
	t->schema = schema_new();
	if (t->take)
		t->take(t);
	if (!t->own_operands)
		list_files(t);
	if (t->holds)
		tool_show_progress(t);
}

void
tool_show_progress(struct tool *t)
{
	if (!common.quiet)
		progress_begin(t->name, (size_t)t->nfiles);
}

bool
tool_selects(void)
{
	return common.where.n || common.events || common.rules.n;
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

	for (i = 0; i < common.rules.n; i++)
		if (rules_need_all(view[i]))
			return true;
	return common.where.n || common.events;
}

const char *
tool_events(void)
{
	return common.events;
}

void
tool_be_worker(int fd)
{
	if (dup2(fd, STDOUT_FILENO) < 0) {
		fprintf(stderr, "%s: standard output: %s\n", name, strerror(errno));
		_exit(EXIT_TROUBLE);
	}
	close(fd);
	common.output = NULL;
	common.zstd = common.gzip = false;
}

void
tool_read_workers(struct tool *t, char **files, int n)
{
	progress_end();
	t->files = files;
	t->nfiles = n;
	selected = true;
	common.events = common.from = common.exe = common.syms = NULL;
	common.lenient = false;
}

/* Output to a terminal, through the pager if there is one to run. */
static struct output *
open_paged(struct tool *t)
{
	const int fd = t->pages && !common.no_pager ? pager_start() : -1;

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
	const char *path = common.output;

	if (zip == ZIP_NONE)
		zip = t->zip;
	if (path && strcmp(path, "-") == 0)
		path = NULL;
	catch_signals();
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

/* Reading what one writes would never end. */
static bool
is_output(const struct tool *t, const char *path)
{
	struct stat in, out;

	return out_stat(t->out, &out) == 0 && S_ISREG(out.st_mode) &&
	    (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &in) : stat(path, &in)) == 0 &&
	    in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

/* An operand that is the same file; NULL if there is none. */
static const char *
named_too(const char *path, char **files, int n)
{
	struct stat a, b;
	int i;

	for (i = 0; i < n && stat(path, &a) == 0; i++)
		if (stat(files[i], &b) == 0 && a.st_dev == b.st_dev &&
		    a.st_ino == b.st_ino)
			return files[i];
	return NULL;
}

/*
 * Decodes the gmon.out of an executable named alone: the one in the current directory,
 * where the program leaves it, else the one in the executable's.  Not if it is also an
 * operand, which would count it twice: the operands are in the wrong order.
 */
static int
decode_gmon(struct tool *t, struct session *s, const char *exe, char **files, int n)
{
	const char *slash = strrchr(exe, '/');
	struct buf path = { 0 };
	const char *named;
	int r;

	if (slash && access("gmon.out", F_OK) < 0)
		buf_add(&path, exe, (size_t)(slash + 1 - exe));
	buf_puts(&path, "gmon.out");
	if (access(buf_str(&path), F_OK) < 0) {
		buf_free(&path);
		return diag_fail_plain(&t->diag, "%s: an executable, but there is "
		    "no gmon.out in this directory or beside it", exe);
	}
	if ((named = named_too(buf_str(&path), files, n))) {
		buf_free(&path);
		return diag_fail_plain(&t->diag, "%s: name the executable before "
		    "its profiles (%s comes before it)", exe, named);
	}
	diag_say(&t->diag, DIAG_NOTE, "reading %s for %s", buf_str(&path), exe);
	r = session_read(s, buf_str(&path), NULL, NULL);
	t->names = s->names;	/* others, if it is an executable itself */
	buf_free(&path);
	return r < 0 ? -1 : r == FILE_EXE ? diag_fail_plain(&t->diag,
	    "gmon.out: an executable, not a profile") : 0;
}

/* The symbols that options name. */
static int
read_symbols(struct tool *t, struct session *s)
{
	demangle_off = common.mangled;
	if (common.exe)
		return session_symbols(s, symbols_open(common.exe, &t->diag));
	return common.syms ? session_symbols(s, symbols_nm(common.syms, &t->diag)) : 0;
}

static size_t
mebibytes(uint64_t n)
{
	return n > SIZE_MAX >> 20 ? 0 : (size_t)n << 20;
}

/* Sixteen lines, unless --max-whole says otherwise. */
static size_t
max_whole(void)
{
	return mebibytes(common.max_whole != UINT64_MAX ? common.max_whole :
	    common.max_line > UINT64_MAX / 16 ? 0 : 16 * common.max_line);
}

struct input *
tool_open(struct tool *t, const char *path)
{
	struct input *in = in_open(path, &t->diag);

	if (in)
		in_limit(in, mebibytes(common.max_line), max_whole());
	return in;
}

/* Does it look like an executable?  Does not look into a pipe, which could not be read
 * again. */
bool
tool_is_exe(const char *path)
{
	struct stat st;
	char magic[4];
	bool elf;
	int fd;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	elf = read(fd, magic, 4) == 4 && symbols_is_elf(magic, 4);
	close(fd);
	return elf;
}

static int
count_profiles(char **files, int n)
{
	int i, profiles = 0;

	for (i = 0; i < n; i++)
		profiles += !tool_is_exe(files[i]);
	return profiles;
}

static const struct codec *
from(void)
{
	return common.from ? codec_find(common.from) : NULL;
}

static int
decode_files(struct tool *t, struct session *s, char **files, int n)
{
	const char *exe = NULL;	/* no profile has come after it yet */
	const bool several = t->of_several || count_profiles(files, n) > 1;
	int i, r;

	t->any = false;
	for (i = 0; i < n; i++) {
		/* Before the symbols are those of the next one. */
		if (exe && tool_is_exe(files[i])) {
			if (decode_gmon(t, s, exe, files, i) < 0)
				return -1;
			t->any = true;
		}
		reading = i;
		t->diag.say = i < read_before ? NULL : say;	/* it has been said */
		if (strcmp(files[i], "-") == 0 && isatty(STDIN_FILENO))
			tool_misuse(t, "standard input is a terminal, not a profile");
		progress_file();
		r = session_read(s, files[i], from(), several ? files[i] : NULL);
		t->names = s->names;	/* encoders may need them, too */
		if (r < 0)
			return -1;
		t->any |= r == FILE_DONE;
		exe = r == FILE_EXE ? files[i] : NULL;
	}
	if (exe)
		return decode_gmon(t, s, exe, files, n);
	return t->any || t->one_by_one || t->none_will_do ? 0 : diag_fail_plain(&t->diag,
	    "all files are empty");
}

static struct session
make_session(struct tool *t, struct sink *sink)
{
	return (struct session){ .dict = t->dict, .schema = t->schema, .out = sink,
	    .diag = &t->diag, .lenient = common.lenient,
	    .max_line = mebibytes(common.max_line), .max_whole = max_whole() };
}

static int
decode_all(struct tool *t, struct sink *sink)
{
	struct session s = make_session(t, sink);
	struct record r = rec_make(REC_PROF);
	int ret, i;

	for (i = 0; i < t->nfiles; i++)	/* before anything is written */
		if (t->out && is_output(t, t->files[i]))
			return diag_fail_plain(&t->diag, "%s: the input file is the "
			    "output file", strcmp(t->files[i], "-") ? t->files[i] :
			    "standard input");
	r.col[0].t = TEXT("1");
	if (sink_put(sink, &r) < 0)
		return -1;
	symbolize_free(t->names);	/* of the call before */
	t->names = NULL;
	ret = read_symbols(t, &s);
	t->names = s.names;
	if (ret == 0)
		ret = decode_files(t, &s, t->files, t->nfiles);
	session_end(&s);
	if (ret < 0)
		return -1;
	r = rec_make(REC_END);
	return sink_put(sink, &r);
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
	if (common.events && !t->own_events)
		pipeline_add(&p, filter_events(common.events, "--events", &t->diag));
	return p;
}

void
tool_add_min_cost(struct tool *t, struct pipeline *p)
{
	size_t i;

	for (i = 0; i < nview; i++)
		rules_add_min_cost(view[i], p, t->dict, t->schema, &t->diag);
}

int
tool_run(struct tool *t, struct pipeline *p)
{
	int r;

	t->none.n = 0;
	t->diag.stopped = false;
	r = decode_all(t, p->first);
	progress_clear();
	/* Of files read one by one the caller counts what is left. */
	if (t->none.n && !t->one_by_one)
		diag_say(&t->diag, DIAG_NOTE, "--where keeps nothing: %s",
		    buf_str(&t->none));
	return r;
}

/* Whether a file can be read a second time. */
static bool
is_regular(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && (stat(path, &st) < 0 || S_ISREG(st.st_mode));
}

/* The files that can be read, in an array of their own: operands stay as they are. */
static int
list_readable(struct tool *t, struct session *s)
{
	char **kept = mem_alloc((size_t)t->nfiles + 1, sizeof *kept);
	int i, n = 0;

	for (i = 0; i < t->nfiles; i++) {
		t->diag.say = NULL;	/* that comes when it is summed */
		if (session_read(s, t->files[i], from(), t->files[i]) >= 0)
			kept[n++] = t->files[i];
		t->diag.say = say;
		if (t->diag.error.n)
			diag_demote(&t->diag, DIAG_WARN, "left out: ");
	}
	free(readable);
	t->files = readable = kept;
	return n;
}

int
tool_leave_out(struct tool *t)
{
	struct sink nowhere = { .put = sink_drop };
	struct session s = make_session(t, &nowhere);
	struct buf error = t->diag.error;
	int i, left = 0, n;

	for (i = 0; i < t->nfiles && is_regular(t->files[i]); i++)
		;
	if (i < t->nfiles) {
		diag_say(&t->diag, DIAG_WARN, "nothing is left out: '%s' cannot be read "
		    "a second time, as it is no file", t->files[i]);
		return 0;
	}
	t->diag.error = (struct buf){ 0 };
	n = list_readable(t, &s);
	left = t->nfiles - n;
	t->nfiles = n;
	t->diag.say = NULL;
	session_end(&s);
	t->diag.say = say;
	symbolize_free(s.names);
	progress_end();
	read_before = reading;
	if (left)
		buf_free(&error);
	else
		t->diag.error = error;
	return left;
}

void
tool_put_name(struct tool *t, const char *file)
{
	struct buf b = { 0 };

	if (!common.output && term_is())
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
		print_message("", buf_str(&t->diag.error));
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
	free(common.where.item);
	conditions_free(where);
	for (i = 0; i < nview; i++)
		rules_free(view[i]);
	free(view);
	for (i = 0; i < listed.n; i++)
		free(listed.path[i]);
	free(listed.path);
	free(readable);
	if (r == 0 && t->none.n && status == EXIT_DONE)
		status = EXIT_NO;
	buf_free(&t->none);
	return r < 0 ? EXIT_TROUBLE : status;
}

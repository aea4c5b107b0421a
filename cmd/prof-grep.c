/* SPDX-License-Identifier: ISC */
/* prof-grep: keep the records in which a name matches. */
#include "tool.h"
#include "tools.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/filter.h"
#include "io/input.h"
#include "io/output.h"
#include "rules/rules.h"
#include "util/mem.h"
#include "util/num.h"

/* The kinds of a name, and its role. */
enum in { NAME_FUNCTION, NAME_FILE, NAME_OBJECT, NAME_ANY };
#define IN_CHOICES "function|file|object|any"
enum role { AS_SELF, AS_CALLER, AS_CALLEE, AS_ANY };
#define ROLE_CHOICES "self|caller|callee|any"

static struct {
	bool extended, fixed, nocase, invert, word, whole;
	struct opt_list patterns, files;
	enum in in;
	enum role role;
	const char *after, *before, *context;
	bool count, with, without, silent;
	struct opt_list check;
	bool list;
} opt = { .in = NAME_FUNCTION, .role = AS_ANY };

static const struct opt opts[] = {
	{ "regexp", 'e', OPT_LIST, "PATTERN", &opt.patterns,
	    "match PATTERN; with several, any of them", NULL },
	{ "file", 'f', OPT_LIST, "FILE", &opt.files,
	    "read patterns from FILE, one per line", NULL },
	{ "fixed-strings", 'F', OPT_FLAG, NULL, &opt.fixed,
	    "patterns are plain text", NULL },
	{ "ignore-case", 'i', OPT_FLAG, NULL, &opt.nocase, "ignore case", NULL },
	{ "word-regexp", 'w', OPT_FLAG, NULL, &opt.word, "match whole words", NULL },
	{ "line-regexp", 'x', OPT_FLAG, NULL, &opt.whole,
	    "match whole names (fib also matches fib'2)", NULL },
	{ "invert-match", 'v', OPT_FLAG, NULL, &opt.invert,
	    "keep the records that do not match", NULL },
	{ "in", 0, OPT_ENUM, "WHAT", &opt.in,
	    "match names of: function, file, object, any",
	    IN_CHOICES },
	{ "role", 0, OPT_ENUM, "ROLE", &opt.role,
	    "match only as: self, caller, callee, any",
	    ROLE_CHOICES },
	{ "after-context", 'A', OPT_TEXT, "N", &opt.after,
	    "also keep callees, N levels down, or all", NULL },
	{ "before-context", 'B', OPT_TEXT, "N", &opt.before,
	    "also keep callers, N levels up, or all", NULL },
	{ "context", 'C', OPT_TEXT, "N", &opt.context, "the same as -A N -B N",
	    NULL },
	{ "count", 'c', OPT_FLAG, NULL, &opt.count,
	    "print the number of records kept from each file", NULL },
	{ "files-with-matches", 'l', OPT_FLAG, NULL, &opt.with,
	    "print the names of files with kept records", NULL },
	{ "files-without-match", 'L', OPT_FLAG, NULL, &opt.without,
	    "print the names of files without kept records", NULL },
	{ "silent", 'q', OPT_FLAG, NULL, &opt.silent,
	    "print nothing; stop at the first kept record", NULL },
	{ "list-rules", 0, OPT_FLAG, NULL, &opt.list,
	    "list the rule files that --rules finds by name", NULL },
	OPT_END
};

static const struct opt more[] = {
	{ "check-rules", 0, OPT_LIST, "FILE", &opt.check,
	    "check a rule file for mistakes", NULL },
	{ "extended-regexp", 'E', OPT_FLAG, NULL, &opt.extended,
	    "accepted for grep compatibility; always on", NULL },
	TOOL_JOBS,
	OPT_END
};

static void take_pattern(struct tool *t);

static struct tool tool = {
	.name = "prof-grep",
	.usage = "[options] PATTERN [FILE...]",
	.summary = "Keep the records in which a name matches PATTERN.",
	.example = "prof-grep -v --in object 'libc|ld-linux' callgrind.out.123 | prof-top",
	.heading = "matching",
	.opts = opts,
	.more = more,
	.take = take_pattern,
	.pages = true,
};

/* Adds the lines of a file as patterns. */
static int
read_patterns(const char *path)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	uint64_t at = 0;
	ssize_t n;

	if (!f)
		return diag_fail_plain(&tool.diag, "%s: %s", path, strerror(errno));
	while ((n = getline(&line, &cap, f)) > 0) {
		n -= line[n - 1] == '\n';
		line[n] = '\0';
		at++;
		if (strlen(line) < (size_t)n)
			break;
		opt_list_add(&opt.patterns, mem_copy(line, (size_t)n));
	}
	n = n > 0 ? diag_fail_plain(&tool.diag, "%s:%" PRIu64 ": a NUL byte in a "
	    "pattern", path, at) : feof(f) ? 0 : diag_fail_plain(&tool.diag, "%s: %s", path,
	    strerror(errno));
	free(line);
	if (f != stdin)
		fclose(f);
	return (int)n;
}

/* Parses N or "all"; NULL: the value of -C. */
static uint32_t
levels(const char *s, const char *name, uint32_t both)
{
	const char *end;
	uint64_t n;

	if (!s)
		return both;
	if (strcmp(s, "all") == 0)
		return LEVELS_ALL;
	end = num_get_u64(s, &n);
	if (!end || end == s || *end)
		tool_misuse(&tool, "--%s: expected a number or all, found %s",
		    name, diag_quote(s, strlen(s)));
	return n < LEVELS_ALL ? (uint32_t)n : LEVELS_ALL;
}

static struct match *match;

static struct match *
pattern(void)
{
	unsigned flags = (opt.fixed ? MATCH_FIXED : 0) |
	    (opt.nocase ? MATCH_NOCASE : 0) | (opt.word ? MATCH_WORD : 0) |
	    (opt.whole ? MATCH_WHOLE : 0);
	size_t i;

	if (opt.extended && opt.fixed)
		tool_misuse(&tool, "-E and -F cannot be combined");
	for (i = 0; i < opt.files.n; i++)
		if (read_patterns(opt.files.item[i]) < 0)
			return NULL;
	return match_new(opt.patterns.item, opt.patterns.n, flags, &tool.diag);
}

static void
add_levels(struct buf *b, const char *option, uint32_t n)
{
	if (n == LEVELS_ALL)
		buf_printf(b, "%s all ", option);
	else if (n)
		buf_printf(b, "%s %" PRIu32 " ", option, n);
}

static void
add_choice(struct buf *b, const char *option, struct text word)
{
	buf_printf(b, "%s %.*s ", option, (int)word.n, word.s);
}

/* The options that select, for `meta filter`. */
static const char *
filter_text(const struct selection *sel)
{
	static struct buf b;
	size_t i;

	buf_printf(&b, "%s%s%s%s%s", opt.invert ? "-v " : "", opt.nocase ? "-i " : "",
	    opt.fixed ? "-F " : "", opt.whole ? "-x " : "", opt.word ? "-w " : "");
	if (opt.in != NAME_FUNCTION)
		add_choice(&b, "--in", opt_word(IN_CHOICES, opt.in));
	if (opt.role != AS_ANY)
		add_choice(&b, "--role", opt_word(ROLE_CHOICES, opt.role));
	if (sel->below == sel->above) {
		add_levels(&b, "-C", sel->below);
	} else {
		add_levels(&b, "-A", sel->below);
		add_levels(&b, "-B", sel->above);
	}
	for (i = 0; i < opt.patterns.n; i++)
		buf_printf(&b, "%s%s", i ? " | " : "", opt.patterns.item[i]);
	return buf_str(&b);
}

static const unsigned in_flags[] = {
	[NAME_FUNCTION] = IN_FUNCTION, [NAME_FILE] = IN_FILE,
	[NAME_OBJECT] = IN_OBJECT, [NAME_ANY] = IN_FUNCTION | IN_FILE | IN_OBJECT,
};
static const unsigned role_flags[] = {
	[AS_SELF] = END_SELF, [AS_CALLER] = END_CALLER, [AS_CALLEE] = END_CALLEE,
	[AS_ANY] = END_SELF | END_CALLER | END_CALLEE,
};

/* Does the file look like a profile? */
static bool
is_profile(const char *path)
{
	const struct codec *c = NULL;
	struct diag d = { 0 };
	struct input *in;
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	if ((in = in_open(path, &d)) && codec_probe(in, &c) < 0)
		c = NULL;
	in_close(in);
	buf_free(&d.error);
	return c;
}

/* Do the options ask about rules?  Then there are no operands. */
static bool
about_rules_only(struct tool *t)
{
	if (!opt.check.n && !opt.list)
		return false;
	if (t->nfiles)
		tool_misuse(t, "%s takes no files", opt.check.n ? "--check-rules" :
		    "--list-rules");
	return true;
}

/* Takes the first operand as the pattern, unless options select. */
static void
take_pattern(struct tool *t)
{
	if (about_rules_only(t))
		return;
	if (!opt.patterns.n && !opt.files.n && !tool_selects()) {
		if (!t->nfiles)
			tool_misuse(t, "no pattern given");
		if (t->nfiles == 1 && isatty(STDIN_FILENO) && is_profile(*t->files))
			tool_misuse(t, "standard input is a terminal, and the "
			    "pattern %s is a file: use prof-grep PATTERN FILE",
			    diag_quote(*t->files, strlen(*t->files)));
		opt_list_add(&opt.patterns, *t->files++);
		t->nfiles--;
	}
	/* With --where, --events or --rules the first operand may be a file; patterns
	 * rarely are the names of profiles. */
	if (!opt.patterns.n && !opt.files.n && t->nfiles &&
	    strcmp(t->files[0], "-") != 0 && access(t->files[0], F_OK) < 0)
		tool_misuse(t, "%s: %s (with --where, --events or --rules, give "
		    "the pattern with -e)", t->files[0], strerror(errno));
}

/* Sets the selection of the options, before anything is read. */
static void
select_by_options(struct selection *sel)
{
	const uint32_t both = levels(opt.context, "context", 0);

	sel->below = levels(opt.after, "after-context", both);
	sel->above = levels(opt.before, "before-context", both);
	if (!opt.patterns.n && !opt.files.n) {
		if (opt.after || opt.before || opt.context)
			tool_misuse(&tool, "-A, -B and -C need a pattern");
		return;
	}
	if (!(sel->match = match = pattern()))
		tool_misuse(&tool, "%s", buf_str(&tool.diag.error));
	if (sel->below || sel->above)
		tool_show_progress(&tool);
	tool.lines = opt.in == NAME_FILE;
	sel->in = in_flags[opt.in];
	sel->role = role_flags[opt.role];
	sel->invert = opt.invert;
	sel->text = filter_text(sel);
}

/* ---- -c, -l, -L, -q: one file at a time ---- */

/* One profile: the operands to read, which are at most an executable for its symbols and
 * the profile, and the operand that names it in the output. */
struct one {
	char *file[2];
	int n;
	const char *name;
};

static void
add_one(struct one *v, int *n, char *exe, char *file)
{
	struct one *o = &v[(*n)++];

	if (exe)
		o->file[o->n++] = exe;
	if (file)
		o->file[o->n++] = file;
	o->name = !file ? exe : strcmp(file, "-") == 0 ? "standard input" : file;
}

/* Lists the profiles among the operands, as tool_run() treats them: an executable applies
 * to all files after it up to the next one, or to its own gmon.out if there are none. */
static int
list_profiles(struct one *v)
{
	char *exe = NULL;
	bool alone = false;
	int i, n = 0;

	for (i = 0; i < tool.nfiles; i++) {
		bool is_exe = tool_is_exe(tool.files[i]);

		if (!is_exe)
			add_one(v, &n, exe, tool.files[i]);
		else if (alone)
			add_one(v, &n, exe, NULL);
		alone = is_exe;
		if (is_exe)
			exe = tool.files[i];
	}
	if (alone)
		add_one(v, &n, exe, NULL);
	return n;
}

/* Sets sel->kept: 0, or -1 after printing the error. */
static int
read_one(const struct one *o, struct selection *sel)
{
	struct sink nowhere = { .put = sink_drop };
	struct pipeline p = tool_filters(&tool);
	char *files[2] = { o->file[0], o->file[1] };
	int r;

	sel->kept = 0;
	sel->schema = tool.schema;
	tool.files = files;
	tool.nfiles = o->n;
	filter_grep(&p, sel, tool.dict, &tool.diag);
	pipeline_add(&p, &nowhere);
	r = tool_run(&tool, &p);
	pipeline_free(&p);
	if (tool.diag.stopped)
		r = 0;	/* something was kept: the rest need not be read */
	if (r < 0)
		tool_say_error(&tool);
	tool_forget(&tool);
	return r;
}

static void
print_one(const struct one *o, uint64_t kept, bool several)
{
	if (opt.with || opt.without) {
		if (opt.with != (kept > 0))
			return;
		tool_put_name(&tool, o->name);
		out_puts(tool.out, "\n");
	} else if (several) {
		tool_put_name(&tool, o->name);
		out_printf(tool.out, ":%" PRIu64 "\n", kept);
	} else {
		out_printf(tool.out, "%" PRIu64 "\n", kept);
	}
}

/* Returns the exit status.  As in grep, -q takes precedence over -l, -L and -c in that
 * order, and an error in a file is printed and makes the status 2, unless -q found
 * something. */
static int
count_files(struct selection *sel)
{
	struct one *v = mem_alloc((size_t)tool.nfiles + 1, sizeof *v);
	const int n = list_profiles(v);
	bool any = false, bad = false;
	int i;

	tool.one_by_one = tool.of_several = n > 1;
	sel->first = opt.silent || opt.with || opt.without;
	if (!opt.silent)
		tool_output(&tool);
	for (i = 0; i < n && !(opt.silent && any); i++) {
		if (read_one(&v[i], sel) < 0) {
			bad = true;
			continue;
		}
		any |= sel->kept > 0;
		if (!opt.silent)
			print_one(&v[i], sel->kept, n > 1);
	}
	free(v);
	tool.none.n = 0;	/* for the last file: the counts show it for all */
	return tool_end(&tool, NULL, 0, bad && !(opt.silent && any) ? EXIT_TROUBLE :
	    any ? EXIT_DONE : EXIT_NO);
}

static int
write_stream(struct selection *sel)
{
	struct pipeline p = tool_filters(&tool);
	int r;

	sel->schema = tool.schema;
	filter_grep(&p, sel, tool.dict, &tool.diag);
	tool_stream(&tool, &p);
	r = tool_run(&tool, &p);
	return tool_end(&tool, &p, r, sel->kept ? EXIT_DONE : EXIT_NO);
}

/* Handles the options that need no input: the exit status, or -1 if none was given. */
static int
about_rules(void)
{
	struct rules *r;
	struct buf b = { 0 };
	size_t i;

	if (!opt.check.n && !opt.list)
		return -1;
	for (i = 0; i < opt.check.n; i++) {
		if (!(r = rules_open(opt.check.item[i], &tool.diag)))
			return tool_end(&tool, NULL, -1, EXIT_TROUBLE);
		rules_free(r);
	}
	if (opt.list) {
		if (rules_list(&b, &tool.diag) < 0)
			return tool_end(&tool, NULL, -1, EXIT_TROUBLE);
		tool_output(&tool);
		out_text(tool.out, buf_as_text(&b));
		buf_free(&b);
	}
	return tool_end(&tool, NULL, 0, EXIT_DONE);
}

int
prof_grep(int argc, char **argv)
{
	struct selection sel = { 0 };
	int r;

	tool_begin(&tool, argc, argv);
	if ((r = about_rules()) >= 0)
		return r;
	if (opt.with && opt.without)
		tool_misuse(&tool, "-l and -L cannot be combined");
	select_by_options(&sel);
	r = opt.count || opt.with || opt.without || opt.silent ? count_files(&sel) :
	    write_stream(&sel);
	match_free(match);
	return r;
}

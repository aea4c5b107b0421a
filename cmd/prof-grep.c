/* SPDX-License-Identifier: ISC */
/* prof-grep: keep the records in which a name matches. */
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter.h"
#include "mem.h"
#include "output.h"
#include "rules.h"

static struct {
	bool extended, fixed, nocase, invert, word, whole;
	struct opt_list patterns, files;
	const char *in, *role;
	const char *check;
	bool list;
} opt = { .in = "function", .role = "any" };

static const struct opt opts[] = {
	{ "regexp", 'e', OPT_LIST, "PATTERN", &opt.patterns,
	    "a pattern; any of several", NULL },
	{ "file", 'f', OPT_LIST, "FILE", &opt.files, "patterns, a line each", NULL },
	{ "extended-regexp", 'E', OPT_FLAG, NULL, &opt.extended,
	    "patterns are regular expressions (they are)", NULL },
	{ "fixed-strings", 'F', OPT_FLAG, NULL, &opt.fixed,
	    "patterns are plain text", NULL },
	{ "ignore-case", 'i', OPT_FLAG, NULL, &opt.nocase, "do not tell cases apart",
	    NULL },
	{ "word-regexp", 'w', OPT_FLAG, NULL, &opt.word, "match whole words", NULL },
	{ "line-regexp", 'x', OPT_FLAG, NULL, &opt.whole,
	    "match whole names (fib'2 is fib)", NULL },
	{ "invert-match", 'v', OPT_FLAG, NULL, &opt.invert,
	    "keep what does not match", NULL },
	{ "in", 0, OPT_CHOICE, "WHAT", &opt.in,
	    "names of: function, file, object, any", "function|file|object|any" },
	{ "role", 0, OPT_CHOICE, "ROLE", &opt.role,
	    "of the: self, caller, callee, any", "self|caller|callee|any" },
	{ "check-rules", 0, OPT_TEXT, "FILE", &opt.check,
	    "are there mistakes in this file of rules?", NULL },
	{ "list-rules", 0, OPT_FLAG, NULL, &opt.list, "the rules that have names", NULL },
	OPT_END
};

static struct tool tool = {
	.name = "prof-grep",
	.usage = "[options] PATTERN [FILE...]",
	.says = "Keep the records of a profile in which a name matches PATTERN.",
	.example = "prof-grep -v --in object 'libc|ld-linux' callgrind.out.123 | prof-top",
	.opts = opts,
};

/* Adds the lines of a file as patterns. */
static int
read_patterns(const char *path)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!f)
		return diag_fail_plain(&tool.diag, "%s: %s", path, strerror(errno));
	while ((n = getline(&line, &cap, f)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		opt_list_add(&opt.patterns, mem_copy(line, strlen(line)));
	}
	n = ferror(f) ? diag_fail_plain(&tool.diag, "%s: %s", path,
	    strerror(errno)) : 0;
	free(line);
	if (f != stdin)
		fclose(f);
	return (int)n;
}

static struct match *
pattern(void)
{
	unsigned flags = (opt.fixed ? MATCH_FIXED : 0) |
	    (opt.nocase ? MATCH_NOCASE : 0) | (opt.word ? MATCH_WORD : 0) |
	    (opt.whole ? MATCH_WHOLE : 0);
	size_t i;

	if (opt.extended && opt.fixed)
		tool_misuse(&tool, "-E and -F exclude each other");
	for (i = 0; i < opt.files.n; i++)
		if (read_patterns(opt.files.item[i]) < 0)
			return NULL;
	return match_new(opt.patterns.item, opt.patterns.n, flags, &tool.diag);
}

/* The options that select, for `meta filter`. */
static const char *
filter_text(void)
{
	static struct buf b;
	size_t i;

	buf_printf(&b, "%s%s%s%s%s", opt.invert ? "-v " : "", opt.nocase ? "-i " : "",
	    opt.fixed ? "-F " : "", opt.whole ? "-x " : "", opt.word ? "-w " : "");
	if (strcmp(opt.in, "function") != 0)
		buf_printf(&b, "--in %s ", opt.in);
	if (strcmp(opt.role, "any") != 0)
		buf_printf(&b, "--role %s ", opt.role);
	for (i = 0; i < opt.patterns.n; i++)
		buf_printf(&b, "%s%s", i ? " | " : "", opt.patterns.item[i]);
	return buf_str(&b);
}

static unsigned
in_flags(void)
{
	return strcmp(opt.in, "function") == 0 ? IN_FUNCTION :
	    strcmp(opt.in, "file") == 0 ? IN_FILE :
	    strcmp(opt.in, "object") == 0 ? IN_OBJECT :
	    IN_FUNCTION | IN_FILE | IN_OBJECT;
}

static unsigned
role_flags(void)
{
	return strcmp(opt.role, "self") == 0 ? END_SELF :
	    strcmp(opt.role, "caller") == 0 ? END_CALLER :
	    strcmp(opt.role, "callee") == 0 ? END_CALLEE :
	    END_SELF | END_CALLER | END_CALLEE;
}

/* What needs no input.  The exit status, or -1: neither was asked for. */
static int
about_rules(void)
{
	struct rules *r = NULL;
	struct buf b = { 0 };

	if (!opt.check && !opt.list)
		return -1;
	if (tool.nfiles)
		tool_misuse(&tool, "%s takes no files", opt.check ? "--check-rules" :
		    "--list-rules");
	if (opt.check && !(r = rules_open(opt.check, &tool.diag)))
		return tool_end(&tool, NULL, -1, EXIT_TROUBLE);
	rules_free(r);
	if (opt.list) {
		rules_list(&b);
		tool_output(&tool);
		out_text(tool.out, buf_as_text(&b));
		buf_free(&b);
	}
	return tool_end(&tool, NULL, 0, EXIT_DONE);
}

int
main(int argc, char **argv)
{
	struct selection sel = { 0 };
	struct match *match = NULL;
	struct sink *chain;
	int r = -1;

	tool_begin(&tool, argc, argv);
	if ((r = about_rules()) >= 0)
		return r;
	r = -1;
	if (!opt.patterns.n && !opt.files.n && !tool_selects()) {
		if (!tool.nfiles)
			tool_misuse(&tool, "no pattern given");
		opt_list_add(&opt.patterns, *tool.files++);
		tool.nfiles--;
	}
	/* With --where or --events the first operand is a file, which a pattern
	 * seldom is. */
	if (!opt.patterns.n && !opt.files.n && tool.nfiles &&
	    strcmp(tool.files[0], "-") != 0 && access(tool.files[0], F_OK) < 0)
		tool_misuse(&tool, "%s: %s (with --where or --events a pattern "
		    "needs -e)", tool.files[0], strerror(errno));
	chain = tool_stream(&tool);
	if ((opt.patterns.n || opt.files.n) && (match = pattern()))
		sel = (struct selection){ .match = match, .in = in_flags(),
		    .role = role_flags(), .invert = opt.invert,
		    .text = filter_text() };
	chain = filter_grep(&sel, tool.dict, chain, &tool.diag);
	if (!tool.diag.error.n)
		r = tool_run(&tool, chain);
	r = tool_end(&tool, chain, r, sel.kept ? EXIT_DONE : EXIT_NO);
	match_free(match);
	return r;
}

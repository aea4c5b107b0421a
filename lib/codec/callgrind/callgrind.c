/* SPDX-License-Identifier: ISC */
#include "callgrind.h"
#include "dialect.h"

/* Returns the first of the words, which end with NULL, that [p, end) begins with; NULL:
 * none. */
static const char *
begins(const char *p, const char *end, const char *const *word)
{
	for (; *word; word++)
		if ((size_t)(end - p) > strlen(*word) &&
		    memcmp(p, *word, strlen(*word)) == 0)
			break;
	return *word;
}

/* The lines below `events:`. */
struct body {
	bool any;		/* there are lines of a body */
	bool own;		/* some of them are not in Cachegrind's format */
};

/* Looks for lines of a body.  Callgrind numbers all names or none; in Cachegrind's files
 * (1) may begin a name. */
static struct body
look_at_body(const char *p, const char *end)
{
	static const char *const own[] = { "ob=", "cob=", "cfi=", "cfl=", "cfn=",
	    "calls=", "jump=", "jcnd=", "totals:", NULL };
	static const char *const names[] = { "fl=", "fn=", "fi=", "fe=", NULL };
	size_t named = 0, numbered = 0;
	struct body b = { 0 };
	const char *lf;

	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		b.own |= begins(p, lf, own) != NULL;
		if (!begins(p, lf, names))
			continue;
		named++;
		numbered += lf - p > 4 && p[3] == '(' && p[4] >= '0' && p[4] <= '9';
	}
	b.own |= named && named == numbered;
	b.any = b.own || named;
	return b;
}

/* Is it "KEY:", or another line of a header? */
static bool
in_header(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && cg_in_key(*q))
		q++;
	return p == end || *p == '#' || *p == '\r' || callgrind_is_separator(p, end) ||
	    (q > p && q < end && *q == ':');
}

/*
 * "# callgrind format" is decisive.  Without it: a header, or a body, with lines that
 * Cachegrind does not have; or `events:` without Cachegrind's `cmd:` before it.  Other
 * files also have a `version:`, so one header line is not enough, and neither is a second
 * one that no known profiler writes.
 */
static int
callgrind_probe(const char *p, size_t n)
{
	static const char *const magic[] = { "# callgrind format", NULL };
	static const char *const own[] = { "version:", "creator:", "positions:",
	    "part:", "pid:", "thread:", "event:", NULL };
	static const char *const shared[] = { "cmd:", "desc:", "summary:", NULL };
	static const char *const events[] = { "events:", NULL };
	static const char *const cmd[] = { "cmd:", NULL };
	const char *end = p + n, *lf;
	bool have_cmd = false, others = false;
	unsigned nown = 0;
	struct body b;

	if (begins(p, end, magic))
		return (int)strlen(*magic);
	for (; p < end; p = lf + 1) {
		if (!(lf = memchr(p, '\n', (size_t)(end - p))))
			return nown > 1 && !others ? 4 : 0;
		if (begins(p, lf, events)) {
			b = look_at_body(lf + 1, end);
			return (nown && !others) || b.own ? 12 :
			    (nown || !have_cmd) && b.any ? 7 : 0;
		}
		if (!in_header(p, lf))
			return nown && look_at_body(p, end).any ? 4 : 0;
		nown += begins(p, lf, own) != NULL;
		have_cmd |= begins(p, lf, cmd) != NULL;
		others |= memchr(p, ':', (size_t)(lf - p)) && *p != '#' &&
		    !begins(p, lf, own) && !begins(p, lf, shared);
	}
	return nown > 1 && !others ? 4 : 0;
}

const struct codec codec_callgrind = {
	.name = "callgrind",
	.summary = "Callgrind's profile format, version 1",
	.synonyms = "kcachegrind, qcachegrind, valgrind",
	.patterns = "callgrind.out* *.callgrind",
	.probe = callgrind_probe,
	.decode = callgrind_decode,
	.encode = callgrind_encode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_ADDRS] = SUPPORT_YES,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_YES,
		[FEATURE_OBJECTS] = SUPPORT_YES, [FEATURE_CALLS] = SUPPORT_YES,
		[FEATURE_INCLUSIVE] = SUPPORT_YES, [FEATURE_JUMPS] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_SOME, [FEATURE_SAMPLES] = SUPPORT_SOME,
		[FEATURE_PARTS] = SUPPORT_YES, [FEATURE_EVENTS] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_IN_COMMENTS, [FEATURE_FACTS] = SUPPORT_IN_COMMENTS,
		[FEATURE_TOTAL] = SUPPORT_YES, [FEATURE_END] = SUPPORT_SOME,
	},
	.raw = true,
	.samples_of = DIALECT_STACKS,
	.needs = "costs, calls or jumps",
	.lines_from = "compile the program with -g",
	.addrs_from = "record it with valgrind --tool=callgrind --dump-instr=yes",
};

/* SPDX-License-Identifier: ISC */
#include "cachegrind.h"

/* Finds desc: lines, cmd: and events: in this order.  If Callgrind's lines follow, its
 * probe is surer.  The command may contain newlines (read.c). */
static int
cachegrind_probe(const char *p, size_t n)
{
	const char *end = p + n, *lf;
	struct text rest;
	int lines = 0;		/* of the header, from cmd: on */
	bool body = false;

	for (; p < end && !body; p = lf + 1) {
		if (!(lf = memchr(p, '\n', (size_t)(end - p))))
			break;
		rest = (struct text){ p, (size_t)(end - p) };
		if (lines == 0 && text_begins(rest, "desc:"))
			continue;
		if (lines++ == 0 && !text_begins(rest, "cmd:"))
			return 0;
		body = text_begins(rest, "events:");
	}
	return body && lines == 2 ? 11 : lines ? 3 : 0;
}

const struct codec codec_cachegrind = {
	.name = "cachegrind",
	.summary = "Cachegrind's output, as cg_annotate reads it",
	.patterns = "cachegrind.out*",
	.probe = cachegrind_probe,
	.decode = cachegrind_decode,
	.encode = cachegrind_encode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_EVENTS] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_IN_COMMENTS, [FEATURE_FACTS] = SUPPORT_IN_COMMENTS,
		[FEATURE_TOTAL] = SUPPORT_YES, [FEATURE_END] = SUPPORT_YES,
	},
	.needs = "costs",
	.lines_from = "compile the program with -g",
	.addrs_from = "use valgrind --tool=callgrind --dump-instr=yes",
};

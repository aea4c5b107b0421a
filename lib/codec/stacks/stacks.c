/* SPDX-License-Identifier: ISC */
#include "stacks.h"

#define SURE 16			/* bytes of a line that only the dialect has, at least */
#define FOREIGN 3		/* lines of other programs before it */

static int
stacks_probe(const char *p, size_t n)
{
	return stacks_dialect(p, n, FOREIGN) ? SURE : 0;
}

const struct codec codec_stacks = {
	.name = "stacks",
	.summary = "Stacks as bpftrace, bcc, DTrace, SystemTap, jstack and gdb print them",
	.patterns = "*.stacks",
	.probe = stacks_probe,
	.decode = stacks_decode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_SOME, [FEATURE_OBJECTS] = SUPPORT_SOME,
		[FEATURE_INCLUSIVE] = SUPPORT_YES, [FEATURE_CONTEXTS] = SUPPORT_YES,
		[FEATURE_SAMPLES] = SUPPORT_YES, [FEATURE_EVENTS] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_SOME, [FEATURE_FACTS] = SUPPORT_SOME,
		[FEATURE_END] = SUPPORT_SOME,
	},
	.lines_from = "gdb, jstack and hprof print them, and bpftrace with "
	    "show_debug_info",
};

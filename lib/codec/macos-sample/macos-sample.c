/* SPDX-License-Identifier: ISC */
#include "reader.h"

/* Both lines are in the first few hundred bytes; what the command has said to its
 * terminal may come before them. */
static int
sample_probe(const char *p, size_t n)
{
	static const char analysis[] = "Analysis of sampling ", graph[] = "\nCall graph:";
	const char *at = memmem(p, n, analysis, sizeof analysis - 1);

	if (!at || (at > p && at[-1] != '\n' && at[-1] != ' ') ||
	    !memmem(at, n - (size_t)(at - p), graph, sizeof graph - 1))
		return 0;
	return (int)(sizeof analysis + sizeof graph);
}

const struct codec codec_macos_sample = {
	.name = "macos-sample",
	.alias = "sample",
	.says = "The output of sample(1) and Activity Monitor, of macOS",
	.files = "*.sample.txt",
	.probe = sample_probe,
	.decode = sample_decode,
	.holds = {
		[HOLDS_LINES] = HELD_SOME, [HOLDS_ADDRS] = HELD_YES,
		[HOLDS_FUNCTIONS] = HELD_YES, [HOLDS_FILES] = HELD_SOME,
		[HOLDS_OBJECTS] = HELD_YES, [HOLDS_INCLUSIVE] = HELD_YES,
		[HOLDS_CONTEXTS] = HELD_YES, [HOLDS_SAMPLES] = HELD_YES,
		[HOLDS_FACTS] = HELD_SOME,
	},
};

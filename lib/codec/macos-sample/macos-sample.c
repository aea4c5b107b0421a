/* SPDX-License-Identifier: ISC */
#include "reader.h"

/* Both lines are in the first few hundred bytes; output of the command to its terminal may
 * come before them. */
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
	.summary = "The output of sample(1) and Activity Monitor, of macOS",
	.patterns = "*.sample.txt",
	.probe = sample_probe,
	.decode = sample_decode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_ADDRS] = SUPPORT_YES,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_SOME,
		[FEATURE_OBJECTS] = SUPPORT_YES, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_FACTS] = SUPPORT_SOME,
	},
};

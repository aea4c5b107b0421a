/* SPDX-License-Identifier: ISC */
#include "folded.h"

#include "stream/root.h"

static const struct opt folded_options[] = {
	ROOT_OPTION,
	OPT_END
};

static const struct opt folded_read_options[] = {
	{ "frames", 0, OPT_ENUM, "WHICH", &folded_dialect,
	    "what a frame holds: a name, or file and line, too", FOLDED_DIALECTS },
	OPT_END
};

const struct codec codec_folded = {
	.name = "folded",
	.summary = "Folded stacks, as FlameGraph and inferno use them",
	.patterns = "*.folded",
	.probe = folded_probe,
	.probe_most = 3,
	.decode = folded_decode,
	.encode = folded_encode,
	.options = folded_options,
	.read_options = folded_read_options,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_FILES] = SUPPORT_SOME,
		[FEATURE_UNITS] = SUPPORT_SOME, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_PARTS] = SUPPORT_JOINED, [FEATURE_EVENTS] = SUPPORT_TWO,
	},
	.shows_default = true,
	.needs = "stacks",
};

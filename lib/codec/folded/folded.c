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
	.says = "Folded stacks, as FlameGraph and inferno use them",
	.files = "*.folded",
	.probe = folded_probe,
	.probe_most = 3,
	.decode = folded_decode,
	.encode = folded_encode,
	.options = folded_options,
	.read_options = folded_read_options,
	.holds = {
		[HOLDS_LINES] = HELD_SOME, [HOLDS_FILES] = HELD_SOME,
		[HOLDS_UNITS] = HELD_SOME, [HOLDS_FUNCTIONS] = HELD_YES,
		[HOLDS_INCLUSIVE] = HELD_YES,
		[HOLDS_CONTEXTS] = HELD_YES, [HOLDS_SAMPLES] = HELD_YES,
		[HOLDS_PARTS] = HELD_JOINED, [HOLDS_EVENTS] = HELD_TWO,
	},
	.shows_default = true,
	.needs = "stacks",
};

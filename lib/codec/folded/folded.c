/* SPDX-License-Identifier: ISC */
#include "folded.h"

#include "stream/root.h"

static const struct folded_options defaults = { .root = ROOT_OF_FORMAT };

static const struct opt options[] = {
	ROOT_OPTION(OPT_AT(struct folded_options, root)),
	OPT_END
};

static const struct opt_group group = OPT_GROUP(options, defaults);

static const struct folded_read_options read_defaults = { .dialect = FOLDED_PLAIN };

static const struct opt read_options[] = {
	{ "frames", 0, OPT_ENUM, "WHICH", OPT_AT(struct folded_read_options, dialect),
	    "what a frame holds: a name, or file and line, too", FOLDED_DIALECTS },
	OPT_END
};

static const struct opt_group read_group = OPT_GROUP(read_options, read_defaults);

const struct codec codec_folded = {
	.name = "folded",
	.says = "Folded stacks, as FlameGraph and inferno use them",
	.files = "*.folded",
	.probe = folded_probe,
	.probe_most = 3,
	.decode = folded_decode,
	.encode = folded_encode,
	.options = &group,
	.read_options = &read_group,
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

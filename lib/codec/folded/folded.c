/* SPDX-License-Identifier: ISC */
#include "folded.h"

#include "stream/thread_frame.h"

static const struct folded_options defaults = { .root = ROOT_OF_FORMAT };

static const struct opt options[] = {
	ROOT_OPTION(OPT_AT(struct folded_options, root)),
	OPT_END
};

static const struct opt_group group = OPT_GROUP(options, defaults);

static const struct folded_read_options read_defaults = { .dialect = FOLDED_PLAIN };

static const struct opt read_options[] = {
	{ "frames", 0, OPT_ENUM, "WHICH", OPT_AT(struct folded_read_options, dialect),
	    "syntax of frames: plain, py-spy, austin", FOLDED_DIALECTS },
	OPT_END
};

static const struct opt_group read_group = OPT_GROUP(read_options, read_defaults);

#define NO_PLACES "folded stacks have none: use the profile that they come from"

const struct codec codec_folded = {
	.name = "folded", .alias = "collapsed",
	.summary = "Folded stacks, as FlameGraph and inferno use them",
	.synonyms = "stackcollapse, inferno",
	.purpose = PURPOSE_VIEWER,
	.patterns = "*.folded",
	.probe = folded_probe,
	.probe_most = 3,
	.decode = folded_decode,
	.encode = folded_encode,
	.options = &group,
	.read_options = &read_group,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_FILES] = SUPPORT_SOME,
		[FEATURE_UNITS] = SUPPORT_SOME, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_PARTS] = SUPPORT_JOINED, [FEATURE_EVENTS] = SUPPORT_TWO,
	},
	.shows_default = true,
	.needs = "stacks",
	.lines_from = NO_PLACES,
	.addrs_from = NO_PLACES,
};

/* SPDX-License-Identifier: ISC */
#include "svg.h"

const struct codec codec_svg = {
	.name = "svg", .alias = "flamegraph",
	.summary = "Flame graph, an SVG picture for browsers",
	.synonyms = "flame, icicle, html",
	.encode = svg_encode,
	.options = &svg_options,
	.supports = {
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_OBJECTS] = SUPPORT_SOME,
		[FEATURE_INCLUSIVE] = SUPPORT_YES, [FEATURE_CONTEXTS] = SUPPORT_YES,
		[FEATURE_SAMPLES] = SUPPORT_YES, [FEATURE_PARTS] = SUPPORT_JOINED,
		[FEATURE_EVENTS] = SUPPORT_SOME, [FEATURE_UNITS] = SUPPORT_YES,
		[FEATURE_FACTS] = SUPPORT_SOME, [FEATURE_TOTAL] = SUPPORT_SOME,
		[FEATURE_END] = SUPPORT_YES,
	},
	.shows_default = true,
	.needs = "stacks",
	.scales = true,
	.purpose = PURPOSE_PICTURE,
};

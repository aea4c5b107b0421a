/* SPDX-License-Identifier: ISC */
#include "svg.h"

const struct codec codec_svg = {
	.name = "svg",
	.says = "Flame graph, an SVG picture for browsers",
	.meant = "flamegraph, flame, icicle, html",
	.encode = svg_encode,
	.options = &svg_options,
	.holds = {
		[HOLDS_FUNCTIONS] = HELD_YES, [HOLDS_OBJECTS] = HELD_SOME,
		[HOLDS_INCLUSIVE] = HELD_YES, [HOLDS_CONTEXTS] = HELD_YES,
		[HOLDS_SAMPLES] = HELD_YES, [HOLDS_PARTS] = HELD_JOINED,
		[HOLDS_EVENTS] = HELD_SOME, [HOLDS_UNITS] = HELD_YES,
		[HOLDS_FACTS] = HELD_SOME, [HOLDS_TOTAL] = HELD_SOME,
		[HOLDS_END] = HELD_YES,
	},
	.shows_default = true,
	.needs = "stacks",
	.parts = true,
	.picture = true,
};

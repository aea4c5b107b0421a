/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include "codec/root.h"

bool svg_static, svg_flame;
int svg_colours = -1;
struct threshold svg_min = { 100000, true };	/* 0.1 % */
const char *svg_title;

static const struct opt svg_options[] = {
	{ "flame", 0, OPT_FLAG, NULL, &svg_flame,
	    "callees stand on their callers; else they hang below", NULL },
	{ "static", 0, OPT_FLAG, NULL, &svg_static,
	    "without script, of 1200 pixels", NULL },
	{ "color-by", 0, OPT_ENUM, "WHAT", &svg_colours,
	    "what the colours of frames say", "object|file|name|heat" },
	{ "min-width", 0, OPT_SHARE, "SHARE", &svg_min,
	    "leave out narrower frames; default 0.1%", NULL },
	{ "title", 0, OPT_TEXT, "TEXT", &svg_title, "the title", NULL },
	ROOT_OPTION,
	OPT_END
};

const struct codec codec_svg = {
	.name = "svg",
	.says = "Flame graph, an SVG picture for browsers",
	.encode = svg_encode,
	.options = svg_options,
	.holds = {
		[HOLDS_FUNCTIONS] = HELD_YES, [HOLDS_OBJECTS] = HELD_SOME,
		[HOLDS_INCLUSIVE] = HELD_YES, [HOLDS_CONTEXTS] = HELD_YES,
		[HOLDS_SAMPLES] = HELD_YES, [HOLDS_PARTS] = HELD_JOINED,
		[HOLDS_EVENTS] = HELD_SOME, [HOLDS_UNITS] = HELD_YES,
		[HOLDS_FACTS] = HELD_SOME, [HOLDS_TOTAL] = HELD_SOME,
		[HOLDS_END] = HELD_YES,
	},
	.needs = "stacks",
};

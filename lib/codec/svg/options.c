/* SPDX-License-Identifier: ISC */
/* The options of svg. */
#include "svg.h"

#include "stream/root.h"

bool svg_static, svg_flame;
int svg_colours = SVG_BY_HEAT;
struct threshold svg_min = { 100000, true };	/* 0.1 % */
const char *svg_title;

const struct opt svg_options[] = {
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

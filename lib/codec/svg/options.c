/* SPDX-License-Identifier: ISC */
/* The options of svg. */
#include "svg.h"

#include "stream/thread_frame.h"

static const struct svg_options defaults = {
	.colours = SVG_BY_HEAT,
	.min = { 100000, true },	/* 0.1 % */
	.root = ROOT_OF_FORMAT,
};

static const struct opt options[] = {
	{ "flame", 0, OPT_FLAG, NULL, OPT_AT(struct svg_options, flame),
	    "draw callees above their callers, not below", NULL },
	{ "static", 0, OPT_FLAG, NULL, OPT_AT(struct svg_options, fixed),
	    "no script, 1200 pixels wide", NULL },
	{ "color-by", 0, OPT_ENUM, "WHAT", OPT_AT(struct svg_options, colours),
	    "colour frames by object, file, name or heat", "object|file|name|heat" },
	{ "min-width", 0, OPT_SHARE, "SHARE", OPT_AT(struct svg_options, min),
	    "omit narrower frames (0.1%)", NULL },
	{ "title", 0, OPT_TEXT, "TEXT", OPT_AT(struct svg_options, title),
	    "title of the picture", NULL },
	ROOT_OPTION(OPT_AT(struct svg_options, root)),
	OPT_END
};

const struct opt_group svg_options = OPT_GROUP(options, defaults);

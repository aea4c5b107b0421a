/* SPDX-License-Identifier: ISC */
/*
 * Flame graphs: a picture of all stacks, in which a frame is as wide as its inclusive cost,
 * and stands on its caller.  One file, whose script adds zoom and search; without it the
 * picture is complete.
 *
 *	write.c		collects stacks, and writes the page at the end
 *	layout.c	the frames that are drawn, and their places
 *	colour.c	their colours
 *	frame.c		the frames as text
 *	page.c		the page
 *	flame.css, flame.js	its looks and its script
 */
#ifndef PROF_CODEC_SVG_SVG_H
#define PROF_CODEC_SVG_SVG_H

#include "stream/codec.h"
#include "stream/measure.h"
#include "sum/heading.h"
#include "sum/tree/stacks.h"
#include "util/threshold.h"
#include "view/rank_table.h"

/* ---- options ---- */

enum svg_colours { SVG_BY_OBJECT, SVG_BY_FILE, SVG_BY_NAME, SVG_BY_HEAT };

struct svg_options {
	bool fixed;		/* --static */
	bool flame;
	enum svg_colours colours;
	struct threshold min;
	const char *title;	/* NULL: a default title */
	int root;		/* a root_label */
};

extern const struct opt_group svg_options;

struct sink *svg_encode(const struct encode *e);

/* ---- layout.c ---- */

#define LAYOUT_WIDTH 1000000	/* units of the total width */

struct box {
	uint32_t node, depth;
	uint32_t x, w;		/* in units */
};

struct layout {
	struct box *v;	/* callers before their callees, from left to right */
	size_t n;
	uint32_t deepest;
	uint64_t pruned;	/* nodes that are not drawn */
	uint64_t negative;	/* number of negative self costs, which have no width */
};

/* Makes the layout.  A frame is as wide as its self cost (in a difference the larger side
 * of it) and the frames above it; those below `min` of the whole are not drawn.  0, or -1
 * if a width does not fit 128 bits. */
int layout_make(struct layout *l, const struct stacks *s, struct threshold min);
void layout_free(struct layout *l);

/* ---- colour.c ---- */

#define COLOUR_KEYS 7		/* objects or files with a colour of their own */

struct colour {
	enum svg_colours by;
	bool difference;
	const struct stacks *s;
	num total;
	uint64_t key[COLOUR_KEYS];
	size_t nkey;
	bool others;		/* there are further ones */
};

void colour_init(struct colour *c, enum svg_colours by, const struct stacks *s, num total);

/* The looks of a frame.  They are set by attributes, as some viewers support little of CSS;
 * the class is for the script. */
struct look {
	const char *class, *fill;
	const char *stroke;	/* NULL: the same as all frames */
};

const struct look *colour_of(const struct colour *c, size_t node);

/* Adds the attributes: class, fill and stroke. */
void colour_add(struct buf *b, const struct look *look);

/* Call put(arg, look, meaning) for the looks in the legend, and for all looks. */
typedef void look_fn(void *arg, const struct look *look, struct text meaning);
void colour_legend(const struct colour *c, look_fn *put, void *arg);
void colour_looks(look_fn *put, void *arg);
/* Returns the meaning of colours, as a heading. */
const char *colour_heading(const struct colour *c);

/* ---- frame.c, page.c ---- */

struct picture {
	const struct svg_options *options;
	struct output *out;
	struct loss *loss;
	const struct stacks *s;
	const struct layout *l;
	const struct colour *colour;
	const struct rank_heading *head;
	uint64_t without;	/* number of parts that lack the event */
	struct buf title;
	const num *total;	/* by side: the base of percentages */
	struct text unit;
	struct metric metric;	/* for the heading; frames show all digits */
	struct buf b, scratch;
};

#define ROW 16			/* height of a frame in pixels */
#define BASELINE "10.5"		/* of a name in it, so that an underscore is inside */
#define CHAR_WIDTH 7.25		/* of the font, at most */
#define PAGE_WIDTH 1200		/* of a static picture, for which text is truncated */
#define NAME_LONG 2048		/* bytes of a name that are kept */

/* Adds text of XML: markup escaped, control characters made visible, bytes that are not
 * UTF-8 as U+FFFD. */
void xml_text(struct buf *b, struct text t);

/* Adds the name of a node, in visible form, but not escaped. */
void frame_add_name(struct picture *p, struct buf *b, size_t node);

/* Write the rectangle of a frame with its title; its label, if it has room for one. */
void frame_put(struct picture *p, size_t i);
void frame_put_label(struct picture *p, size_t i);

/* Frames that can only be seen after zooming are lines for the script, "NUMBER X Y WIDTH
 * CLASS NAME<TAB>COST", as a browser is slow with 100,000 rectangles. */
bool frame_is_narrow(const struct picture *p, size_t i);
void frame_put_narrow(struct picture *p, size_t i);

/* Writes the whole page. */
void page_put(struct picture *p);

/* Returns the row of a frame, from the top or from the bottom. */
static inline uint32_t
frame_y(const struct picture *p, const struct box *f)
{
	return ROW * (p->options->flame ? p->l->deepest - f->depth : f->depth);
}

#endif

/* SPDX-License-Identifier: ISC */
/* The graph as text: declarations that nodes and edges share. */
#ifndef PROF_CODEC_DOT_WRITER_H
#define PROF_CODEC_DOT_WRITER_H

#include "dot.h"

struct writer {
	const struct drawing *d;
	const struct table *t;
	struct page p;		/* its line: the current statement */
	struct loss *loss;
	struct buf text;	/* a label or the like, before quoting */
	bool *namesake;		/* by node: another one has the same name */
	bool exact;		/* numbers show all digits */
};

/* ---- attributes.c: these add to the statement ---- */

/* Adds name=value, where the value needs no quotes. */
void dot_add_attr(struct writer *w, const char *name, const char *value);
/* Adds name="text", from w->text, which is then empty. */
void dot_add_text_attr(struct writer *w, const char *name, enum dot_text as);
void dot_flush(struct writer *w);

/* Colours from light to dark. */
enum dot_shades { DOT_HEAT, DOT_GROWN, DOT_SHRUNK };
#define DOT_UNKNOWN "#f0f0f0"

/* Returns the share of a value in the base: 0 to 1. */
double dot_share(const struct drawing *d, num size);
void dot_add_fill(struct writer *w, enum dot_shades shades, double share);
/* Sets the size of letters by the share. */
void dot_add_font(struct writer *w, double share);
void dot_add_line_colour(struct writer *w, enum dot_shades shades);

/* Classifies a change; dot_change_line has the legend text of each class. */
enum change { CHANGE_NONE, CHANGE_GROWN, CHANGE_SHRUNK, CHANGE_NEW, CHANGE_GONE };
enum change dot_change_of(const struct rank_delta *d, const num *sums);
extern const char *const dot_change_line[];

/* ---- attributes.c: these add numbers to w->text ---- */

/* Adds a number in the unit of the label, with that unit if it is not the profile's. */
void dot_add_value(struct writer *w, struct value v);
/* Add "1,669,305 (34.14 %)"; "4 -> 3", with `mark` before each, if not NULL; "-1 (-25.00
 * %)", "+3 (new)"; "2 calls". */
void dot_add_cost(struct writer *w, struct value v);
void dot_add_sides(struct writer *w, const num *sums, const char *const mark[2]);
void dot_add_change(struct writer *w, const num *sums);
void dot_add_calls(struct writer *w, num n);

/* ---- nodes.c, edges.c ---- */

/* Sets w->namesake, which the caller frees. */
void dot_find_namesakes(struct writer *w);
/* Puts all nodes, those of a cycle in a frame. */
void dot_put_nodes(struct writer *w);
void dot_put_edge(struct writer *w, size_t edge);

#endif

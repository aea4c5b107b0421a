/* SPDX-License-Identifier: ISC */
/* The graph as text: what nodes and edges share. */
#ifndef PROF_CODEC_DOT_WRITER_H
#define PROF_CODEC_DOT_WRITER_H

#include "dot.h"

struct writer {
	const struct drawing *d;
	const struct table *t;
	struct page p;		/* its line: the statement that is being made */
	struct loss *loss;
	struct buf text;	/* a label or the like, before it is quoted */
	bool *namesake;		/* by node: another one has its name */
	bool exact;		/* numbers have all digits */
};

/* ---- attributes.c: to the statement ---- */

/* name=value, of which the value is safe. */
void dot_add_attr(struct writer *w, const char *name, const char *value);
/* name="text", of what is in w->text, which is empty then. */
void dot_add_text_attr(struct writer *w, const char *name, enum dot_text as);
void dot_flush(struct writer *w);

/* Colours from light to dark. */
enum dot_shades { DOT_HEAT, DOT_GROWN, DOT_SHRUNK };
#define DOT_UNKNOWN "#f0f0f0"

/* What a value is of the base: 0 to 1. */
double dot_share(const struct drawing *d, num size);
void dot_add_fill(struct writer *w, enum dot_shades shades, double share);
/* The larger the share, the larger the letters. */
void dot_add_font(struct writer *w, double share);
void dot_add_line_colour(struct writer *w, enum dot_shades shades);

/* What a change says of what it is of, and the line that says so. */
enum change { CHANGE_NONE, CHANGE_GROWN, CHANGE_SHRUNK, CHANGE_NEW, CHANGE_GONE };
enum change dot_change_of(const struct rank_delta *d, const num *sums);
extern const char *const dot_change_line[];

/* ---- attributes.c: numbers, to w->text ---- */

/* A number, in the unit of the label, which it names if that is not the profile's. */
void dot_add_value(struct writer *w, struct value v);
/* "1,669,305 (34.14 %)"; "4 -> 3", where `mark` is before each, if
 * not NULL; "-1 (-25.00 %)", "+3 (new)"; "2 calls" */
void dot_add_cost(struct writer *w, struct value v);
void dot_add_sides(struct writer *w, const num *sums, const char *const mark[2]);
void dot_add_change(struct writer *w, const num *sums);
void dot_add_calls(struct writer *w, num n);

/* ---- nodes.c, edges.c ---- */

/* Sets w->namesake, which the caller frees. */
void dot_find_namesakes(struct writer *w);
/* All of them, those of a cycle in a frame. */
void dot_put_nodes(struct writer *w);
void dot_put_edge(struct writer *w, size_t edge);

#endif

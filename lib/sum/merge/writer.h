/* SPDX-License-Identifier: ISC */
/*
 * Writes a merge in normal form, which depends only on the sums: definitions, events,
 * metadata and rows in an order of their own.
 *
 *	write.c		groups, each of which becomes a part
 *	write_header.c	parts, metadata, events
 *	write_defs.c	definitions
 *	write_rows.c	rows of sums
 *	write_plain.c	plain costs: compact rows and addr_costs
 *
 * Functions that write return 0, or -1 with the diag set.
 */
#ifndef PROF_SUM_MERGE_WRITER_H
#define PROF_SUM_MERGE_WRITER_H

#include "state.h"

struct writer {
	struct merge *m;
	struct sink *out;
	struct group *g;
	struct dict *dict;
	uint32_t *place[DEFS];	/* of canonical definitions: their place in the order, */
	uint32_t *final[DEFS];	/* and their final numbers, with attributes */
	size_t *event;		/* columns of the group in the order of their events, */
	bool mixed;		/* which differs from the columns' own */
	const struct rows *rows;	/* the rows that are sorted */
	bool means;		/* their counts are means of runs, and: */
	struct sums rest;	/* remainders of rounding, by the last function named */
	struct buf values;
	num *val;		/* scratch: values by the group's event */
};

/* Compare: less than, equal to or greater than 0. */

static inline int
by_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static inline int
by_text(const struct writer *w, uint32_t a, uint32_t b)
{
	return a == b ? 0 : text_cmp(dict_text(w->dict, a), dict_text(w->dict, b));
}

/* Compares whole numbers of any length. */
int merge_by_int(struct text a, struct text b);

/* Returns the place of a canonical definition + 1, once definitions are written; 0 for
 * NO_ID. */
static inline uint32_t
place(const struct writer *w, enum rec_kind kind, uint32_t id)
{
	return id == NO_ID ? 0 : 1 + w->place[kind - REC_OBJECT][id];
}

/* ---- write_header.c ---- */

/* Writes everything that comes before the rows of w->g, and sets w->event. */
int merge_write_header(struct writer *w, uint64_t run);

/* ---- write_defs.c ---- */

/* Writes the definitions of a kind, after those that they refer to. */
int merge_write_defs(struct writer *w, enum rec_kind kind);

/* ---- write_rows.c ---- */

/* Returns the values of columns, of which only the first n may differ from 0, without
 * trailing zeros; valid until the next call. */
struct text merge_values(struct writer *w, const num *v, size_t n);
/* The same of at most TABLE_WIDE columns, of which only those with a bit differ from 0. */
struct text merge_few_values(struct writer *w, const num *v, uint64_t nonzero);

/* Writes the rows of a kind in w->g. */
int merge_write_rows(struct writer *w, enum rec_kind kind);

/* ---- write_plain.c ---- */

/* Write the plain costs of w->g, if all of its costs are line_costs, or addr_costs. */
int merge_write_line_costs(struct writer *w);
int merge_write_addr_costs(struct writer *w);

#endif

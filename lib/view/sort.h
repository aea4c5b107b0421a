/* SPDX-License-Identifier: ISC */
/*
 * Values, and sorting by several of them.
 */
#ifndef PROF_VIEW_SORT_H
#define PROF_VIEW_SORT_H

#include "util/num.h"
#include "util/scan.h"

/* The value of a cell. */
struct value {
	union { num n; double ratio; struct text name; };
	enum { ABSENT, WHOLE, RATIO, NAME } kind;	/* in the order in which kinds are
							 * sorted */
	uint32_t of;		/* the row or edge, when sorting */
};

/* Returns the value of a row in a column; i distinguishes similar columns. */
typedef struct value cell_value(const void *row, size_t i);

struct sort {
	enum sort_by {
		SORT_KEY, SORT_CALLS, SORT_SIZE, SORT_GROWTH, SORT_CHANGE, SORT_SELF,
		SORT_INCL
	} what;
	size_t i;		/* number of the key's column or of the metric */
	bool down;		/* the largest first */
};

struct order {
	const struct sort *sort;	/* by the first, then by the next */
	size_t nsort;
	struct value (*value)(const void *arg, uint32_t of, const struct sort *s);
	const void *arg;
};

/*
 * Sorts v, n of them, by the values that value() returns for each v[].of.  Only those from
 * the number `from` on, up to `most`, need be in order; those before them come first, in any
 * order.
 */
void order_sort(const struct order *o, struct value *v, size_t n, size_t from, size_t most);

#endif

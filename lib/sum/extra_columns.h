/* SPDX-License-Identifier: ISC */
/*
 * Columns of values that belong to no event, so that no user's name of an event can clash
 * with them.  They come after the values of the events, in records that a difference puts
 * for a ranking.
 */
#ifndef PROF_SUM_EXTRA_COLUMNS_H
#define PROF_SUM_EXTRA_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

struct extra_columns {
	struct extra_column {
		size_t event;	/* the column of its event; in a difference that of the
				 * change */
		int side;	/* in a difference: 0 is the old side, 1 the new one */
		uint64_t run;	/* the cost of this run of the side, from 1; 0: the number
				 * of records whose cost is not known on this side */
		uint64_t scale;	/* values of a run per unit of the event */
	} *v;
	size_t n, cap;
};

void extra_columns_add(struct extra_columns *b, const struct extra_column *column);
void extra_columns_free(struct extra_columns *b);

#endif

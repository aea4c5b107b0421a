/* SPDX-License-Identifier: ISC */
/*
 * Columns of values beside those of the events: no event names them, so no name of a user's
 * can be theirs.  They come after the values of the events, in records that a difference puts
 * for who ranks it.
 */
#ifndef PROF_SUM_EXTRA_COLUMNS_H
#define PROF_SUM_EXTRA_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

struct extra_columns {
	struct extra_column {
		size_t event;	/* the column of the event that it is about; of a difference
				 * that of the change */
		int side;	/* of a difference: 0 is the old one, 1 the new one */
		uint64_t run;	/* what this run of the side costs, from 1; 0: of how many
				 * records the side's cost is not known */
		uint64_t scale;	/* so many values of a run are one of the event's unit */
	} *v;
	size_t n, cap;
};

void extra_columns_add(struct extra_columns *b, const struct extra_column *column);
void extra_columns_free(struct extra_columns *b);

#endif

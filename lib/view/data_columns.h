/* SPDX-License-Identifier: ISC */
/*
 * Columns that several tables for programs have.
 */
#ifndef PROF_VIEW_DATA_COLUMNS_H
#define PROF_VIEW_DATA_COLUMNS_H

#include "view/data_table.h"
#include "view/table.h"

/* A row with its names, as table_keys() lists them. */
struct named_row {
	const struct table *t;
	size_t of;		/* its number */
	struct text name[TABLE_KEYS];
	bool number[TABLE_KEYS];
	char tmp[NUM_TEXT];
};

/* Sets the names. */
void named_row_read(struct named_row *r, const uint64_t *key);
struct value named_row_value(const struct named_row *r, size_t i);
void data_name_columns(struct data_table *d, const struct rank_request *q, const char *prefix,
    data_value *get);

/* Of what the values of a metric are parts, "1/100000000 s"; no column if of nothing. */
void data_unit_column(struct data_table *d, const struct metric *m);

/* After all other columns of a difference: what each inclusive cost is of the true one,
 * as table_bound_name() has it.  get has the number of the metric. */
void data_bound_columns(struct data_table *d, const struct table *t, data_value *get);

#endif

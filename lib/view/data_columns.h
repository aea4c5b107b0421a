/* SPDX-License-Identifier: ISC */
/*
 * Columns that several TSV and JSON tables share.
 */
#ifndef PROF_VIEW_DATA_COLUMNS_H
#define PROF_VIEW_DATA_COLUMNS_H

#include "view/data_table.h"
#include "view/row_costs.h"

/* A row with its names, in the order of table_keys(); or a function without a row. */
struct named_row {
	struct costs of;
	struct text name[TABLE_KEYS];
	bool number[TABLE_KEYS];
	char tmp[NUM_TEXT];
};

/* Sets the names. */
void named_row_read(struct named_row *r, const uint64_t *key);
cell_value named_row_name;
void data_name_columns(struct data_table *d, const struct rank_request *q, const char *prefix,
    cell_value *get);

/* Adds the scale of a metric's values, "1/100000000 s"; no column if they have none. */
void data_unit_column(struct data_table *d, const struct metric *m);

/* For a difference, after all other columns: adds how each inclusive cost relates to the
 * true one, as table_bound_name() does.  `get` gets the number of the metric. */
void data_bound_columns(struct data_table *d, const struct table *t, cell_value *get);

#endif

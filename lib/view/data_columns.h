/* SPDX-License-Identifier: ISC */
/*
 * Columns that several tables for programs have.
 */
#ifndef PROF_VIEW_DATA_COLUMNS_H
#define PROF_VIEW_DATA_COLUMNS_H

#include "view/data_table.h"
#include "view/row_costs.h"

/* A row with its names, as table_keys() lists them; or a function that is in no row. */
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

/* Of what the values of a metric are parts, "1/100000000 s"; no column if of nothing. */
void data_unit_column(struct data_table *d, const struct metric *m);

/* After all other columns of a difference: what each inclusive cost is of the true one,
 * as table_bound_name() has it.  get has the number of the metric. */
void data_bound_columns(struct data_table *d, const struct table *t, cell_value *get);

#endif

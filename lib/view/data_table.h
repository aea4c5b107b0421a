/* SPDX-License-Identifier: ISC */
/*
 * A table in TSV or JSON: columns, each with a name and the values of rows.  TSV has a
 * header; JSON has an object for each row.
 */
#ifndef PROF_VIEW_DATA_TABLE_H
#define PROF_VIEW_DATA_TABLE_H

#include "io/output.h"
#include "util/diag.h"
#include "view/sort.h"
#include "view/view.h"

struct data_table {
	struct output *out;
	bool json;
	struct data_column {
		struct buf name;	/* its name as printed */
		struct buf text;	/* if get is NULL: the text in all rows */
		cell_value *get;
		size_t i;
	} *column;
	size_t n, cap;
	struct buf line;
};

/* form is not VIEW_TEXT. */
void data_table_init(struct data_table *t, struct output *out, enum view_form form);
void data_table_free(struct data_table *t);

/* Adds a column; its name is `name` with a suffix. */
void data_table_column(struct data_table *t, struct text name, const char *suffix,
    cell_value *get, size_t i);
/* Adds a column with the same text in all rows. */
void data_table_constant(struct data_table *t, struct text name, const char *suffix,
    struct text text);

/* Writes the header of TSV; warns if JSON would have two members of one name. */
void data_table_head(struct data_table *t, struct diag *d);
void data_table_row(struct data_table *t, const void *row);

/* Values made of texts, which may be absent; the second one of the text of a number. */
static inline struct value
value_of_text(struct text t)
{
	return (struct value){ .kind = NAME, .name = t };
}

struct value value_of_number(struct text t);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * A table for programs: columns, each a name and the values that rows have in it.  It is
 * printed as TSV with a header, or as JSON, an object for each row.
 */
#ifndef PROF_VIEW_DATA_TABLE_H
#define PROF_VIEW_DATA_TABLE_H

#include "io/output.h"
#include "view/sort.h"
#include "view/view.h"

struct data_table {
	struct output *out;
	bool json;
	struct data_column {
		struct buf name;	/* as it is printed */
		struct buf text;	/* if get is NULL: that of all rows */
		cell_value *get;
		size_t i;
	} *column;
	size_t n, cap;
	struct buf line;
};

/* form is not VIEW_TEXT. */
void data_table_init(struct data_table *t, struct output *out, enum view_form form);
void data_table_free(struct data_table *t);

/* Adds a column: its name is that of what it is of, and a suffix. */
void data_table_column(struct data_table *t, struct text name, const char *suffix,
    cell_value *get, size_t i);
/* Adds one that has the same text in all rows. */
void data_table_constant(struct data_table *t, struct text name, const char *suffix,
    struct text text);

/* Writes the header that TSV has. */
void data_table_head(struct data_table *t);
void data_table_row(struct data_table *t, const void *row);

/* Values of texts, which may be absent; the second is the text of a number. */
static inline struct value
value_of_text(struct text t)
{
	return (struct value){ .kind = NAME, .name = t };
}

struct value value_of_number(struct text t);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * The names of functions and places in a report.
 */
#ifndef PROF_REPORT_NAMES_H
#define PROF_REPORT_NAMES_H

#include "report/json_members.h"
#include "report/markdown.h"
#include "report/page_data.h"

/* Adds a function's name as code, "???" if it is absent; the template arguments of a long one
 * are left out. */
void add_function(struct buf *b, struct text name);

/* Adds "file:line" as code, line NO_LINE: the file alone; nothing if neither is known. */
void add_place(struct buf *b, struct text path, uint64_t line);

/* Adds the columns of a function's names to a table: the heads; those of a row of
 * `functions`.  Paths are the ends that no other path has. */
void add_name_heads(const struct page_data *d, struct markdown_table *m);
void add_names(const struct page_data *d, struct markdown_table *m, size_t row);

/* Adds a function's name, as above, as an item; absent: null. */
void json_name(struct buf *b, struct text name);

/* Add members: "function" with its name, as above; "file" with the whole path, and "line";
 * the names of a row of `functions`, with "object". */
void json_function(struct buf *b, struct text name);
void json_place(struct buf *b, struct text path, uint64_t line);
void json_names(const struct page_data *d, struct buf *b, size_t row);

#endif

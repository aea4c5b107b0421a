/* SPDX-License-Identifier: ISC */
/*
 * The tables of a profile, by their columns, while they are read.
 */
#ifndef PROF_CODEC_FIREFOX_TABLES_H
#define PROF_CODEC_FIREFOX_TABLES_H

#include "reader.h"

enum table { STACKS, FRAMES, FUNCS, RESOURCES, SOURCES, TABLES };
/* Targets of a column's numbers, other than tables. */
enum { STRINGS = TABLES, LIBS, ROWS, NUMBERS = ROWS };

enum {
	STACK_FRAME, STACK_PREFIX, STACK_OFFSET,
	FRAME_FUNC, FRAME_ADDRESS, FRAME_DEPTH, FRAME_CATEGORY, FRAME_LINE, FRAME_COLUMN,
	FRAME_LIB, FRAME_ORIGINAL, FRAME_SUBCATEGORY, FRAME_SYMBOL,
	FUNC_TITLE, FUNC_RESOURCE, FUNC_FILE_NAME, FUNC_SOURCE, FUNC_LINE, FUNC_COLUMN,
	FUNC_ORIGINAL,
	RESOURCE_NAME, RESOURCE_LIB, RESOURCE_TYPE,
	SOURCE_NAME, COLUMNS
};

struct tables {
	const char *at[TABLES];
	struct cells col[COLUMNS];
	size_t n[ROWS];		/* of tables, strings, libs */
};

/* Returns a cell of a column; NO_NUMBER if the column has no such row. */
static inline int64_t
cell(const struct tables *t, size_t column, size_t row)
{
	return row < t->col[column].n ? t->col[column].v[row] : NO_NUMBER;
}

/* The same for numbers that cannot be negative: NO_NUMBER for a negative one. */
static inline int64_t
count(const struct tables *t, size_t column, size_t row)
{
	const int64_t v = cell(t, column, row);

	return v < 0 ? NO_NUMBER : v;
}

/* read_frames.c: adds the frames and stacks of tables, which were checked.  0, or -1 with
 * the diag set. */
int firefox_add_rows(struct reader *rd, const struct tables *t);

#endif

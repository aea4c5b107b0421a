/* SPDX-License-Identifier: ISC */
/*
 * The rows of a ranking by their keys, and adding to them.  Code that runs for each line is
 * inline.
 */
#ifndef PROF_SUM_RANK_ROWS_H
#define PROF_SUM_RANK_ROWS_H

#include "state.h"
#include "stream/sums.h"

/* Returns the row of a function, if that is the whole key. */
size_t rank_row_of_function(struct ranker *s, uint64_t func);

/* Sets the error that a sum does not fit 128 bits: -1. */
int rank_overflow(const struct ranker *s);

static inline uint64_t
rank_key_column(struct ranker *s, enum group_by by, uint64_t func, uint64_t file,
    const struct field *line, const struct field *addr)
{
	char tmp[FIELD_TEXT];
	bool fresh;

	switch (by) {
	case BY_FUNCTION:
		return dict_func_bare(s->q->dict, func, &fresh);
	case BY_FILE:
		return file;
	case BY_OBJECT:
		return dict_def(s->q->dict, REC_FUNC, (uint32_t)func)[FUNC_OBJECT];
	case BY_LINE:
		return line->has & HAS_N ? line->n : NO_LINE;
	case BY_ADDR:
		return !addr->has ? NO_ID : dict_str(s->q->dict, (struct text){ tmp,
		    (size_t)(field_put_addr(tmp, addr) - tmp) });
	case BY_TOTAL: case BY_KINDS:
		return 0;
	default:
		return s->meta[by];
	}
}

/* Returns the row of a place, by any key. */
static inline size_t
rank_find_row(struct ranker *s, uint64_t func, uint64_t file,
    const struct field *line, const struct field *addr)
{
	const struct rank_request *q = s->q;
	const size_t n = q->ngroup_by;
	uint64_t key[BY_KINDS];
	size_t i;

	for (i = 0; i < n; i++)
		key[i] = rank_key_column(s, q->group_by[i], func, file, line, addr);
	return sums_row(&s->r.rows, key);
}

/* Returns the row of a place; file: of the line.  The usual case, --by function, is an
 * array by the function's number, and usually the row of the line before. */
static inline size_t
rank_row(struct ranker *s, uint64_t func, uint64_t file, const struct field *line,
    const struct field *addr)
{
	if (!s->by_function)
		return rank_find_row(s, func, file, line, addr);
	if (func != s->last_func) {
		s->last_row = rank_row_of_function(s, func);
		s->last_func = func;
	}
	return s->last_row;
}

/* Returns the row of a callee. */
static inline size_t
rank_row_of_callee(struct ranker *s, uint64_t func, const struct field *line,
    const struct field *addr)
{
	return s->by_function ? rank_row_of_function(s, func) : rank_find_row(s, func,
	    dict_def(s->q->dict, REC_FUNC, (uint32_t)func)[FUNC_FILE], line, addr);
}

/* Adds the requested ones of a line's values to sum and, if it is not NULL, to self, and
 * their negative parts to `below` likewise.  0, or -1 with the diag set. */
static inline int
rank_add_values(const struct ranker *s, struct text values, num *sum, num *self,
    unsigned __int128 *below)
{
	struct sums_run run = { .values = values, .n = s->ncolumn, .below = below };

	return sums_add_columns(&run, s->column, sum, self) < 0 ? rank_overflow(s) : 0;
}

/* Adds a function's self cost to a row, and to that of the part, likewise. */
static inline int
rank_add_self(struct ranker *s, size_t row, uint64_t func, struct text values)
{
	return rank_add_values(s, values, sums_val(&s->r.rows, row), s->self, s->below) < 0 ||
	    (s->r.placed && rank_own(s, row, func, values) < 0) ? -1 : 0;
}

#endif

/* SPDX-License-Identifier: ISC */
/*
 * The source lines of a compilation unit: the file and line of code.  Rows are in libdw's
 * order: by address, the end of a sequence before a row that begins there, otherwise as
 * they came.
 */
#ifndef PROF_SYMBOL_LINE_TABLE_H
#define PROF_SYMBOL_LINE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"

struct line_row {
	uint64_t addr;
	uint32_t file : 31;
	uint32_t end : 1;	/* the first address after a sequence */
	int32_t line;
};

#define LINE_MOST_FILES INT32_MAX

/* All zeros: empty. */
struct line_table {
	struct line_row *row;
	size_t n, cap;
	struct line_file {
		const char *dir, *name;	/* borrowed; dir may be NULL */
		bool where_run;		/* dir is where the compiler ran */
	} *file;		/* by the number in a row */
	size_t nfile, capfile;
	size_t found[2];	/* recently found rows: the next address is often near one
				 * of two, with callers and callees alternating */
};

/* Adds a row, unless it is equal to the last one. */
static inline void
line_table_add(struct line_table *l, struct line_row row)
{
	const struct line_row *last = l->n ? &l->row[l->n - 1] : NULL;

	if (last && last->addr == row.addr && last->line == row.line &&
	    last->file == row.file && last->end == row.end)
		return;
	l->row = mem_grow(l->row, &l->cap, l->n + 1, sizeof *l->row);
	l->row[l->n++] = row;
}

void line_table_add_file(struct line_table *l, struct line_file file);

/* Sorts rows that came in the order of a line program.  The last one ends a sequence in any
 * case. */
void line_table_sort(struct line_table *l);

void line_table_free(struct line_table *l);

/* Returns the last row for the code at an address; NULL: there is none. */
const struct line_row *line_table_find(struct line_table *l, uint64_t addr);

/* Returns the first row with the address of one that was found. */
const struct line_row *line_table_first(const struct line_table *l,
    const struct line_row *found);

/* Puts the path of a file, relative to where the compiler ran (NULL: unknown), into an
 * empty buffer. */
void line_file_path(const struct line_file *file, const char *comp_dir, struct buf *path);

#endif

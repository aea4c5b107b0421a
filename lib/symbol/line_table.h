/* SPDX-License-Identifier: ISC */
/*
 * The source lines of a compilation unit: which code comes from which line of which
 * file.  Rows are in the order that libdw gives them: by address, the end of a sequence
 * before what begins there, else as they came.
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
	} *file;		/* by the number in a row */
	size_t nfile, capfile;
	size_t found[2];	/* rows: what is looked up next is often near, as with */
				/* callers and callees by turns */
};

/* Adds a row, unless nothing of the last one has changed. */
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

void line_table_add_file(struct line_table *l, const char *dir, const char *name);

/* Orders rows that came as they are in a line program.  The last one ends a sequence,
 * whatever it says. */
void line_table_sort(struct line_table *l);

void line_table_free(struct line_table *l);

/* The last row of those whose code an address is in; NULL: it is in none. */
const struct line_row *line_table_find(struct line_table *l, uint64_t addr);

/* The first row at the address of one that was found. */
const struct line_row *line_table_first(const struct line_table *l,
    const struct line_row *found);

/* Puts the path of a file, from where the compiler ran (NULL: unknown), into an empty
 * buffer. */
void line_file_path(const struct line_file *file, const char *comp_dir, struct buf *path);

#endif

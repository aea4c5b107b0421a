/* SPDX-License-Identifier: ISC */
/*
 * The sections of a report.  Each finds its data, and prints as many rows of it as it is asked
 * for, as Markdown and as JSON.
 */
#ifndef PROF_REPORT_SECTION_H
#define PROF_REPORT_SECTION_H

#include "report/command.h"
#include "report/json_members.h"
#include "report/markdown.h"
#include "report/names.h"
#include "report/page_data.h"

struct section {
	const char *name;	/* of what a page has no room for */
	const char *key;	/* the same in JSON */
	/* The rows that it gets before others get more, and those that are enough for a
	 * reader; 1: it has no rows to choose. */
	size_t least, good;
	struct command all;	/* shows all rows */
	/* Finds its data, once; NULL: the tables are enough. */
	void (*find)(struct page_data *d);
	/* Return how many rows it can have; and how many there are, also for other tools. */
	size_t (*rows)(const struct page_data *d);
	size_t (*of)(const struct page_data *d);
	/* Adds it as Markdown, which says how much is left out and which command shows it. */
	void (*markdown)(const struct page_data *d, size_t rows, struct buf *b);
	/* Adds a row of the list that it is as JSON; NULL: it is no such list, */
	void (*json_row)(const struct page_data *d, size_t i, struct buf *b);
	/* but adds its members of the object by itself, also without rows. */
	void (*json)(const struct page_data *d, size_t rows, struct buf *b);
};

extern const struct section section_measured, section_functions, section_changes, section_paths,
    section_lines, section_callers, section_certainty, section_next;

/* The number of rows of a section that has none to choose. */
static inline size_t
one_row(const struct page_data *d)
{
	(void)d;
	return 1;
}

#endif

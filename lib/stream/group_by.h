/* SPDX-License-Identifier: ISC */
/*
 * The keys that rows, or merged records, are grouped by: the list of --by.
 */
#ifndef PROF_STREAM_GROUP_BY_H
#define PROF_STREAM_GROUP_BY_H

#include "util/diag.h"

enum group_by {
	BY_FUNCTION, BY_FILE, BY_OBJECT, BY_LINE, BY_ADDR, BY_PART, BY_THREAD,
	BY_PID, BY_CMD, BY_SOURCE, BY_COMM, BY_TOTAL, BY_KINDS
};

extern const char *const group_by_name[BY_KINDS];

/* The same as choices for option tables, without the metadata and with them. */
#define BY_PLACES "function|file|object|line|addr|total"
#define BY_CHOICES BY_PLACES "|part|thread|pid|cmd|source"

/* Those from BY_PART on, except the total, are metadata of a part.  A sample has those of
 * its thread as labels; BY_COMM is the thread's name without its number. */
static inline bool
group_by_is_fact(enum group_by by)
{
	return by >= BY_PART && by < BY_TOTAL;
}

/* Parses a comma-separated list without repetitions, *n words, which may be synonyms.  A line
 * needs its file and an address its object, which are inserted before it unless the list has
 * them, or, for an address, the function.  0, or -1 with the diag set. */
int group_by_parse(const char *list, enum group_by by[BY_KINDS], size_t *n, struct diag *d);

/* Is b in a list of n? */
bool group_by_has(const enum group_by *by, size_t n, enum group_by b);
/* Has it a label of samples, as threads are? */
bool group_by_has_label(const enum group_by *by, size_t n);

#endif

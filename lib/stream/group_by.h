/* SPDX-License-Identifier: ISC */
/*
 * What rows, or merged records, are by: the list of --by.
 */
#ifndef PROF_STREAM_GROUP_BY_H
#define PROF_STREAM_GROUP_BY_H

#include "util/diag.h"

enum group_by {
	BY_FUNCTION, BY_FILE, BY_OBJECT, BY_LINE, BY_ADDR, BY_PART, BY_THREAD,
	BY_PID, BY_CMD, BY_SOURCE, BY_TOTAL, BY_KINDS
};

extern const char *const group_by_name[BY_KINDS];

/* The same for tables of options, without the facts and with them. */
#define BY_PLACES "function|file|object|line|addr|total"
#define BY_CHOICES BY_PLACES "|part|thread|pid|cmd|source"

/* Those from BY_PART on, but for the total, are facts of a part. */
static inline bool
group_by_is_fact(enum group_by by)
{
	return by >= BY_PART && by < BY_TOTAL;
}

/* A list with commas between two: each once, *n of them.  A line is one of a file, an
 * address one of an object: these are put in front, if the list has neither them nor,
 * for an address, the function.  0, or -1 with the diag set. */
int group_by_parse(const char *list, enum group_by by[BY_KINDS], size_t *n, struct diag *d);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Sorts records of one size, more of them than memory should hold: sorted runs of them are
 * kept in a temporary file, and merged.
 *
 *	sorter_init(&s, sizeof r, compare, diag)
 *	sorter_add(&s, &r) ...
 *	sorter_end(&s)
 *	while ((ret = sorter_next(&s, &r)) > 0) ...
 *	sorter_free(&s)
 *
 * Memory: a run of 16 MB, 64 KB for each further one.
 */
#ifndef PROF_IO_SORTER_H
#define PROF_IO_SORTER_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/diag.h"

struct sorter_run {
	uint64_t at, end;	/* its records that are in the file, and not yet in memory */
	char *s;		/* those in memory, */
	size_t i, n;		/* the next one, and their number */
};

struct sorter {
	struct diag *diag;
	size_t size;		/* of a record */
	int (*compare)(const void *, const void *);
	char *s;		/* the last run, */
	size_t n, cap;		/* and its records */
	bool unsorted;		/* whether some of these are out of order */
	int fd;			/* the file; -1: none */
	struct buf name;	/* its name, for messages */
	uint64_t written;	/* its bytes */
	struct sorter_run *run;	/* while records are merged, the heap of those that have some */
	size_t nruns, capruns;
};

/* No two records may be equal to compare(), as for qsort(3). */
void sorter_init(struct sorter *s, size_t size, int (*compare)(const void *, const void *),
    struct diag *diag);
void sorter_free(struct sorter *s);

/* Adds a record: 0, or -1 with the diag set. */
int sorter_add(struct sorter *s, const void *record);

/* Ends adding.  0 or -1. */
int sorter_end(struct sorter *s);

/* Takes the next record, in order: 1; 0 at the end; -1 with the diag set. */
int sorter_next(struct sorter *s, void *record);

#endif

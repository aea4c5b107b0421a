/* SPDX-License-Identifier: ISC */
/*
 * How the profiles of each side of a comparison were measured: with which producer, command,
 * options and rate, on what machine.  Costs are comparable if these are equal.
 */
#ifndef PROF_SUM_MEASUREMENT_H
#define PROF_SUM_MEASUREMENT_H

#include "stream/dict.h"
#include "stream/side.h"
#include "stream/sums.h"

/* The facts of a side: a filter that passes all records on and keeps them. */
struct measurement {
	struct sink sink;	/* a pipeline frees no part of it: `free` is NULL */
	struct dict *dict;
	/* Key: the fact, a number, and its text, a string of the dictionary, in the order in
	 * which they first came.  No sums. */
	struct sums facts;
	struct buf scratch, all, text;
};

/* The dictionary must outlive it. */
void measurement_init(struct measurement *m, struct dict *dict);
void measurement_free(struct measurement *m);

/*
 * Adds a text for each fact that both sides have and that differs, "command 'a' and 'b'",
 * with "; " between them.  Of commands, the program's name, the directories of all words and
 * the names of output files may differ.  A fact that only one side has is ignored: the format
 * of the other may have no place for it.
 */
void measurement_compare(const struct measurement side[SIDES], struct buf *differences);

#endif

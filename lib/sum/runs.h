/* SPDX-License-Identifier: ISC */
/*
 * The names of the events of single runs, beside those of their means (MERGE_RUNS): E of
 * the first run is "E\1" "1".
 */
#ifndef PROF_SUM_RUNS_H
#define PROF_SUM_RUNS_H

#include "util/buf.h"
#include "util/num.h"

/* What follows the name of the event, with NUL; end has room for any number. */
void runs_put_name(char end[NUM_TEXT], uint64_t run);

/* Might the name be taken for that of a run? */
bool runs_is_taken(struct text name);

/*
 * The roles, and ends of names, of events that say of how many records of a side of a
 * difference the cost of an event is not known.
 */
#define RUNS_UNKNOWN_OLD "\1unknown.old"
#define RUNS_UNKNOWN_NEW "\1unknown.new"

/* Takes such a name apart: the event it was, and the run; false if it is another. */
bool runs_name(struct text name, struct text *event, uint64_t *run);

#endif

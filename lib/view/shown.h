/* SPDX-License-Identifier: ISC */
/*
 * A list of events and formulas, each once: those that a table shows.
 */
#ifndef PROF_VIEW_SHOWN_H
#define PROF_VIEW_SHOWN_H

#include "stream/lookup.h"
#include "sum/rank.h"

/* All zeros: empty.  The texts are those of who adds them. */
struct shown {
	struct text *v;
	size_t n;
	struct lookup known;
};

void shown_add(struct shown *s, struct text name);

/* Adds the words of a comma-separated list, which may be NULL: false if one is empty. */
bool shown_list(struct shown *s, const char *list);

/* Adds all events of a ranking that are measured or can be computed. */
void shown_all(struct shown *s, const struct rank *r);

/* Adds the default event to an empty list. */
void shown_default(struct shown *s, const struct rank_request *q, const struct rank *r);

void shown_free(struct shown *s);

#endif

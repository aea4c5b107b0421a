/* SPDX-License-Identifier: ISC */
/*
 * A list of the events and formulas that a table shows, each once.
 */
#ifndef PROF_VIEW_METRIC_LIST_H
#define PROF_VIEW_METRIC_LIST_H

#include "stream/name_index.h"
#include "sum/rank.h"

/* All zeros: empty.  The caller owns the texts. */
struct metric_list {
	struct text *v;
	size_t n;
	struct name_index known;
};

void metric_list_add(struct metric_list *s, struct text name);

/* Adds the words of a comma-separated list, which may be NULL: false if a word is empty. */
bool metric_list_add_words(struct metric_list *s, const char *list);

/* Adds all events of a ranking that are measured or can be computed. */
void metric_list_all(struct metric_list *s, const struct rank *r);

/* Adds the default event to an empty list. */
void metric_list_default(struct metric_list *s, const struct rank_request *q, const struct rank *r);

void metric_list_free(struct metric_list *s);

#endif

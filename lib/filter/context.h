/* SPDX-License-Identifier: ISC */
/*
 * The context that prof-grep's -A, -B and -C add to matches: functions up to a number of
 * calls away from one that matches, and frames up to a number above or below one.  The
 * distances are only known when everything was read, so a first pass collects the calls
 * while the stream is spooled, and a second one selects.
 */
#ifndef PROF_FILTER_CONTEXT_H
#define PROF_FILTER_CONTEXT_H

#include "filter/select.h"

struct context;

/* Its stage goes before a filter that uses `selector` and context_has(). */
struct context *context_new(struct selection *sel, struct selector *selector,
    struct diag *d);

/* The stage: puts the whole stream into the next one at `end`.  Freeing it frees the
 * context. */
struct sink *context_sink(struct context *c);

/* Is this record kept as context?  For the second pass. */
bool context_has(const struct context *c, const struct record *r);

#endif

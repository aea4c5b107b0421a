/* SPDX-License-Identifier: ISC */
/*
 * What prof-grep's -A, -B and -C keep beside what matches: functions so many calls
 * away from one that does, and frames so many above one.  How far that is nobody
 * knows before everything was read: so a first pass gathers the calls while the
 * stream is spooled, and what is selected is decided in a second one.
 */
#ifndef PROF_FILTER_CONTEXT_H
#define PROF_FILTER_CONTEXT_H

#include "filter/select.h"

struct context;

/* Stands in front of a filter that asks `selector`, and context_has(). */
struct context *context_new(struct selection *sel, struct selector *selector,
    struct diag *d);

/* The stage: puts all of the stream into the next one at `end`, and frees the context
 * with itself. */
struct sink *context_sink(struct context *c);

/* Is this record kept for what is around it?  For the second pass. */
bool context_has(const struct context *c, const struct record *r);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * A pipeline: the stages that records pass through, in that order, the last of them
 * an encoder or a sum.  It is built whole before anything is read; it owns its
 * stages, and no stage frees another.
 */
#ifndef PROF_STREAM_PIPELINE_H
#define PROF_STREAM_PIPELINE_H

#include "stream/record.h"

/* All zeros: without a stage. */
struct pipeline {
	struct sink *first;	/* where records are put */
	struct sink *last;
};

/* Adds a stage after the last one. */
void pipeline_add(struct pipeline *p, struct sink *stage);

/* Makes the last stage put into `end`, whose owner stays the same.  Returns the sink to put
 * records into: the first stage, or `end` if there is none. */
struct sink *pipeline_into(struct pipeline *p, struct sink *end);

/* Frees the stages, except those whose `free` is NULL, which have other owners. */
void pipeline_free(struct pipeline *p);

#endif

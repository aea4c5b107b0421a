/* SPDX-License-Identifier: ISC */
/*
 * Recordings of what processes map, fork and run, made of any bytes, and what a stream of one
 * must then have: what is mapped at an address is found by going over all that was.
 */
#ifndef PROF_FUZZ_MAPS_H
#define PROF_FUZZ_MAPS_H

#include "util/buf.h"

struct maps_model;

/* Adds a recording to *recording.  free() frees the model. */
struct maps_model *maps_make(struct text input, struct buf *recording);

/* Has the stream, of frames with addresses, each sample with its stack? */
bool maps_check(const struct maps_model *m, struct text stream);

#endif

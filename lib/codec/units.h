/* SPDX-License-Identifier: ISC */
/* Names of units in formats, and the stream's words for them. */
#ifndef PROF_CODEC_UNITS_H
#define PROF_CODEC_UNITS_H

#include "util/buf.h"

/* Returns the stream's word, "ns" for "nanoseconds"; any other unit is returned
 * unchanged. */
struct text unit_ours(struct text unit);

/* Returns the format's word, "nanoseconds" for "ns"; NULL: it has none. */
const char *unit_theirs(struct text unit);

/* Returns how many nanoseconds the stream's word is; 0: it is not a time. */
uint64_t unit_nanoseconds(struct text unit);

#endif

/* SPDX-License-Identifier: ISC */
/* Units as formats spell them out, and the stream's words for them. */
#ifndef PROF_CODEC_UNITS_H
#define PROF_CODEC_UNITS_H

#include "util/buf.h"

/* "ns" of "nanoseconds": the stream's word; any other is itself. */
struct text unit_ours(struct text unit);

/* "nanoseconds" of "ns"; NULL: it is no such word. */
const char *unit_theirs(struct text unit);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Adapts a profile to the features that a codec supports, in one place for all formats:
 * records that the format lacks are flattened, dropped or rejected.
 *
 *	samples, points		become costs, calls or samples where the format has
 *				those (filter_flatten())
 *	parts of whole numbers	are rounded (filter_whole())
 *	cost of another kind	are rejected: without them the profile would be another
 *	other records		are dropped
 *	a second part, events	are rejected if the format has room for one, or two
 *
 * Dropped data is reported at the end, in one note; with `strict` it is an error.
 */
#ifndef PROF_CODEC_UNSUPPORTED_H
#define PROF_CODEC_UNSUPPORTED_H

#include "stream/codec.h"
#include "stream/pipeline.h"

/* Adds the encoder of a format and the stages that it needs before it.  `e` is copied; its
 * format, loss and values of options are not used. */
void codec_encode(const struct codec *c, const struct encode *e, struct pipeline *p);

/* Does the format support stacks, but no calls?  If so, stacks of a call graph can be
 * estimated. */
bool codec_takes_stacks(const struct codec *c);

#endif

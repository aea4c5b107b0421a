/* SPDX-License-Identifier: ISC */
/*
 * From a profile to a format, as the codec says what that holds: what it has no
 * records for is flattened, lost or refused, in one place for all formats.
 *
 *	samples, points		become costs, calls or samples where the format has
 *				those (filter_flatten())
 *	parts of whole numbers	are rounded (filter_whole())
 *	cost of another kind	is refused: without it the profile would be another
 *	other records		are lost
 *	a second part, events	are refused where the format has one, or two
 *
 * What is lost is said at the end, in one note; with `strict` it is an error.
 */
#ifndef PROF_CODEC_UNSUPPORTED_H
#define PROF_CODEC_UNSUPPORTED_H

#include "stream/codec.h"
#include "stream/pipeline.h"

/* Adds the encoder of a format and the stages that it needs in front of it.  `e`
 * needs no format, no loss and no values of options, and is copied. */
void codec_encode(const struct codec *c, const struct encode *e, struct pipeline *p);

/* Does the format hold stacks, and no calls?  Then those of a call graph can be
 * estimated. */
bool codec_takes_stacks(const struct codec *c);

#endif

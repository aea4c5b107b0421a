/* SPDX-License-Identifier: ISC */
/* What Cachegrind's reader and writer share. */
#ifndef PROF_CODEC_CACHEGRIND_CACHEGRIND_H
#define PROF_CODEC_CACHEGRIND_CACHEGRIND_H

#include "stream/codec.h"

int cachegrind_decode(struct decode *d);
struct sink *cachegrind_encode(const struct encode *e);

#endif

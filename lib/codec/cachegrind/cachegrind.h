/* SPDX-License-Identifier: ISC */
/* The interface of Cachegrind's reader and writer. */
#ifndef PROF_CODEC_CACHEGRIND_CACHEGRIND_H
#define PROF_CODEC_CACHEGRIND_CACHEGRIND_H

#include "stream/codec.h"

int cachegrind_decode(struct decode *d);
struct sink *cachegrind_encode(const struct encode *e);

#endif

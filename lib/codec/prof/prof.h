/* SPDX-License-Identifier: ISC */
#ifndef PROF_CODEC_PROF_PROF_H
#define PROF_CODEC_PROF_PROF_H

#include "stream/codec.h"

int prof_decode(struct decode *d);
struct sink *prof_encode(const struct encode *e);

#endif

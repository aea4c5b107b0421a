/* SPDX-License-Identifier: ISC */
/* The base of relative positions. */
#ifndef PROF_CODEC_CALLGRIND_BASE_H
#define PROF_CODEC_CALLGRIND_BASE_H

#include <stdint.h>

struct base {
	uint64_t addr, line;
};

#endif

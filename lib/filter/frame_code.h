/* SPDX-License-Identifier: ISC */
/* The code that a frame is at. */
#ifndef PROF_FILTER_FRAME_CODE_H
#define PROF_FILTER_FRAME_CODE_H

#include "symbol/objects.h"

/* What has the debug information of a function, and the address there of a frame of it, a string;
 * NULL: there is none, or it is not known. */
struct symbolizer *frame_code(struct objects *o, struct dict *dict, uint32_t func,
    uint32_t addr, uint64_t *in_file);

#endif

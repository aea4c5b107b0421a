/* SPDX-License-Identifier: ISC */
/* Which of the objects of a profile is its program. */
#ifndef PROF_CODEC_PROGRAM_H
#define PROF_CODEC_PROGRAM_H

#include "stream/field.h"

/* May it be, by its path?  No library is, and nothing such as "[vdso]". */
bool program_may_be(struct text path);

#endif

/* SPDX-License-Identifier: ISC */
/* Finds the program among the objects of a profile. */
#ifndef PROF_CODEC_PROGRAM_H
#define PROF_CODEC_PROGRAM_H

#include "stream/field.h"

/* May this object be the program, by its path?  Libraries and objects such as "[vdso]" are
 * not. */
bool program_may_be(struct text path);

#endif

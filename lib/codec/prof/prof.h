/* SPDX-License-Identifier: ISC */
#ifndef PROF_PROF_H
#define PROF_PROF_H

#include "codec.h"

#define DEFS (REC_CTX - REC_OBJECT + 1)	/* kinds of definitions */

int prof_decode(struct decode *d);
struct sink *prof_encode(struct encode *e);

#endif

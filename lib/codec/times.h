/* SPDX-License-Identifier: ISC */
/* The times of samples, for the decoders of formats that have them. */
#ifndef PROF_CODEC_TIMES_H
#define PROF_CODEC_TIMES_H

#include <stdbool.h>

/* Keep them, as the option --times says; else samples of one stack may be added up. */
extern bool keep_times;

#endif

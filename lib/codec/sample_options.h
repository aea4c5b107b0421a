/* SPDX-License-Identifier: ISC */
/* How samples are read: the options of the formats that have times or addresses of them. */
#ifndef PROF_CODEC_SAMPLE_OPTIONS_H
#define PROF_CODEC_SAMPLE_OPTIONS_H

#include "util/opt.h"

struct sample_options {
	bool times;		/* keep them; else samples of one stack may be added up */
	bool addrs;		/* keep those of frames */
};

extern const struct opt_group sample_options;

#endif

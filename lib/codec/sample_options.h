/* SPDX-License-Identifier: ISC */
/* Options for reading samples, for formats that have times or addresses. */
#ifndef PROF_CODEC_SAMPLE_OPTIONS_H
#define PROF_CODEC_SAMPLE_OPTIONS_H

#include "util/opt.h"

struct sample_options {
	bool times;		/* keep times; otherwise samples of one stack may be added
				 * up */
	bool addrs;		/* keep the addresses of frames */
};

extern const struct opt_group sample_options;

#endif

/* SPDX-License-Identifier: ISC */
#include "codec/sample_options.h"

static const struct sample_options defaults;

static const struct opt options[] = {
	{ "times", 0, OPT_FLAG, NULL, OPT_AT(struct sample_options, times),
	    "keep the time and processor of samples", NULL },
	{ "addr", 0, OPT_FLAG, NULL, OPT_AT(struct sample_options, addrs),
	    "keep the address of each frame (not firefox, jfr)", NULL },
	OPT_END
};

const struct opt_group sample_options = OPT_GROUP(options, defaults);

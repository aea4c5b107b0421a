/* SPDX-License-Identifier: ISC */
#include "folded.h"

#include "stream/root.h"

static const struct opt folded_options[] = {
	ROOT_OPTION,
	OPT_END
};

const struct codec codec_folded = {
	.name = "folded",
	.says = "Folded stacks, as FlameGraph and inferno use them",
	.files = "*.folded",
	.probe = folded_probe,
	.probe_most = 3,
	.decode = folded_decode,
	.encode = folded_encode,
	.options = folded_options,
	.holds = {
		[HOLDS_FUNCTIONS] = HELD_YES, [HOLDS_INCLUSIVE] = HELD_YES,
		[HOLDS_CONTEXTS] = HELD_YES, [HOLDS_SAMPLES] = HELD_YES,
		[HOLDS_PARTS] = HELD_JOINED, [HOLDS_EVENTS] = HELD_TWO,
	},
	.needs = "stacks",
};

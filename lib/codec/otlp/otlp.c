/* SPDX-License-Identifier: ISC */
#include "reader.h"

const struct codec codec_otlp = {
	.name = "otlp",
	.says = "Profiles of OpenTelemetry, as protocol buffers",
	.files = "*.otlp",
	.probe = otlp_probe,
	.probe_whole = otlp_is_data,
	.decode = otlp_decode,
	.nameless = true,
	.holds = {
		[HOLDS_LINES] = HELD_YES, [HOLDS_ADDRS] = HELD_YES,
		[HOLDS_FUNCTIONS] = HELD_YES, [HOLDS_FILES] = HELD_YES,
		[HOLDS_OBJECTS] = HELD_YES, [HOLDS_KEYS] = HELD_YES,
		[HOLDS_INCLUSIVE] = HELD_YES, [HOLDS_CONTEXTS] = HELD_YES,
		[HOLDS_SAMPLES] = HELD_YES, [HOLDS_PARTS] = HELD_YES,
		[HOLDS_UNITS] = HELD_YES, [HOLDS_FACTS] = HELD_YES,
	},
};

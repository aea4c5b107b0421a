/* SPDX-License-Identifier: ISC */
#include "reader.h"

const struct codec codec_otlp = {
	.name = "otlp",
	.summary = "Profiles of OpenTelemetry, as protocol buffers",
	.patterns = "*.otlp",
	.probe = otlp_probe,
	.probe_whole = otlp_is_data,
	.decode = otlp_decode,
	.nameless = true,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_ADDRS] = SUPPORT_YES,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_YES,
		[FEATURE_OBJECTS] = SUPPORT_YES, [FEATURE_KEYS] = SUPPORT_YES,
		[FEATURE_INCLUSIVE] = SUPPORT_YES, [FEATURE_CONTEXTS] = SUPPORT_YES,
		[FEATURE_SAMPLES] = SUPPORT_YES, [FEATURE_PARTS] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_YES, [FEATURE_FACTS] = SUPPORT_YES,
	},
};

/* SPDX-License-Identifier: ISC */
#include "prof.h"

static int
prof_probe(const char *p, size_t n)
{
	return n >= 5 && memcmp(p, "prof\t", 5) == 0 ? 5 : 0;
}

const struct codec codec_prof = {
	.name = "prof",
	.summary = "the canonical stream, prof-stream(5)",
	.purpose = PURPOSE_TABLE,
	.patterns = "*.prof",
	.probe = prof_probe,
	.decode = prof_decode,
	.encode = prof_encode,
	.supports = { SUPPORTS_ALL, [FEATURE_END] = SUPPORT_YES },
	.raw = true,
};

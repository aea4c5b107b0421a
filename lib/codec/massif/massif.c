/* SPDX-License-Identifier: ISC */
#include "reader.h"

/* Accepts a head with these lines, in this order.  Before the second there may be several
 * of the first, and before the last one those of a command with newlines. */
static int
massif_probe(const char *p, size_t n)
{
	static const char *const keys[] = { "desc: ", "cmd: ", "time_unit: " };
	const char *end = p + n, *lf;
	struct text t;
	size_t i = 0;

	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		const struct text line = { p, (size_t)(lf - p) };

		if (i == 1 && massif_key(line, keys[0], &t))
			continue;
		if (i == 2 && !massif_key(line, keys[i], &t))
			continue;
		if (!massif_key(line, keys[i], &t))
			return 0;
		if (++i == sizeof keys / sizeof *keys)
			return (int)strlen("desc: cmd: time_unit: ");
	}
	return 0;
}

static const struct massif_options defaults;

static const struct opt read_options[] = {
	{ "all-snapshots", 0, OPT_FLAG, NULL, OPT_AT(struct massif_options, all),
	    "read each snapshot as a part, not only the peak", NULL },
	OPT_END
};

static const struct opt_group read_group = OPT_GROUP(read_options, defaults);

const struct codec codec_massif = {
	.name = "massif",
	.summary = "Snapshots of the heap by Valgrind's Massif, ms_print(1)",
	.patterns = "massif.out* *.massif *.ms",
	.probe = massif_probe,
	.decode = massif_decode,
	.read_options = &read_group,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_ADDRS] = SUPPORT_YES,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_YES,
		[FEATURE_OBJECTS] = SUPPORT_SOME, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_PARTS] = SUPPORT_YES, [FEATURE_EVENTS] = SUPPORT_SOME,
		[FEATURE_UNITS] = SUPPORT_YES, [FEATURE_FACTS] = SUPPORT_SOME,
		[FEATURE_TOTAL] = SUPPORT_SOME,
	},
	.lines_from = "compile the program with -g",
};

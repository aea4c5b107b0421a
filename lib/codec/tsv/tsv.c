/* SPDX-License-Identifier: ISC */
#include "tsv.h"

/* Accepts a first line with a TAB and one of the columns that identify tables of profiles;
 * the decoder checks whether it has all that it needs.  This is surer than folded stacks:
 * the rows of one event end in numbers, and so may its name. */
static int
tsv_probe(const char *p, size_t n)
{
	const char *lf = memchr(p, '\n', n);
	struct text rest = { p, lf ? (size_t)(lf - p) : n }, f;
	bool known = false;
	int fields = 0;

	while (fields_next(&rest, &f)) {
		fields++;
		known |= text_is(f, "function") || text_is(f, "stack") ||
		    text_is(f, "of");
	}
	return known && fields > 1 ? 4 : 0;
}

const struct codec codec_tsv = {
	.name = "tsv",
	.summary = "A table of one kind of record, for awk, SQL and spreadsheets",
	.purpose = PURPOSE_TABLE,
	.probe = tsv_probe,
	.decode = tsv_decode,
	.encode = tsv_encode,
	.options = &tsv_options,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_ADDRS] = SUPPORT_YES,
		[FEATURE_COUNTERS] = SUPPORT_YES, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_OBJECTS] = SUPPORT_YES,
		[FEATURE_CALLS] = SUPPORT_ONE, [FEATURE_INCLUSIVE] = SUPPORT_ONE,
		[FEATURE_JUMPS] = SUPPORT_ONE, [FEATURE_CONTEXTS] = SUPPORT_ONE,
		[FEATURE_SAMPLES] = SUPPORT_ONE, [FEATURE_POINTS] = SUPPORT_ONE,
		[FEATURE_VALUES] = SUPPORT_ONE, [FEATURE_PARTS] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_YES, [FEATURE_FACTS] = SUPPORT_THREE,
		[FEATURE_TOTAL] = SUPPORT_ONE,
	},
	.raw = true,
};

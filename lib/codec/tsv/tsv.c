/* SPDX-License-Identifier: ISC */
#include "tsv.h"

/* The first line has a TAB and one of the columns that identify tables of profiles; the
 * decoder checks whether it has all it needs.  It is surer than folded stacks: the rows of
 * one event end in numbers, and so may its name. */
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
	.says = "A table of one kind of record, for awk, SQL and spreadsheets",
	.probe = tsv_probe,
	.decode = tsv_decode,
	.encode = tsv_encode,
	.options = &tsv_options,
	.holds = {
		[HOLDS_LINES] = HELD_YES, [HOLDS_ADDRS] = HELD_YES,
		[HOLDS_COUNTERS] = HELD_YES, [HOLDS_FUNCTIONS] = HELD_YES,
		[HOLDS_FILES] = HELD_YES, [HOLDS_OBJECTS] = HELD_YES,
		[HOLDS_CALLS] = HELD_ONE, [HOLDS_INCLUSIVE] = HELD_ONE,
		[HOLDS_JUMPS] = HELD_ONE, [HOLDS_CONTEXTS] = HELD_ONE,
		[HOLDS_SAMPLES] = HELD_ONE, [HOLDS_POINTS] = HELD_ONE,
		[HOLDS_VALUES] = HELD_ONE, [HOLDS_PARTS] = HELD_YES,
		[HOLDS_EVENTS] = HELD_YES, [HOLDS_FACTS] = HELD_THREE,
		[HOLDS_TOTAL] = HELD_ONE,
	},
	.raw = true,
};

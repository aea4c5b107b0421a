/* SPDX-License-Identifier: ISC */
#include "stream/codec.h"

#include <string.h>

const struct codec *const codec_table[] = {
	&codec_callgrind,
	&codec_cachegrind,
	&codec_aprof,
	&codec_folded,
	&codec_gmon,
	&codec_gmon_bsd44,
	&codec_gmon_bsd,
	&codec_xprof,
	&codec_prof,
	&codec_tsv,
	&codec_json,
	&codec_text,
	NULL,
};

const struct codec *
codec_find(const char *name)
{
	const struct codec *const *c;

	for (c = codec_table; *c; c++)
		if (strcmp((*c)->name, name) == 0 ||
		    ((*c)->alias && strcmp((*c)->alias, name) == 0))
			break;
	return *c;
}

int
codec_probe(struct input *in, const struct codec **best)
{
	const struct codec *const *c, *unsure = NULL;
	int sure, most = 0;
	const char *p;
	size_t all;
	long n = in_peek(in, &p);

	*best = NULL;
	for (c = codec_table; *c && n > 0; c++) {
		sure = (*c)->probe ? (*c)->probe(p, (size_t)n) : 0;
		if (sure > most) {
			most = sure;
			*best = *c;
		} else if (sure == PROBE_WHOLE) {
			unsure = *c;
		}
	}
	if (n < 0 || *best || !unsure)
		return n < 0 ? -1 : 0;
	if (in_all(in, &p, &all) < 0)
		return -1;
	*best = unsure->probe_whole(p, all) ? unsure : NULL;
	return 0;
}

const char *
codec_names(enum codec_use use)
{
	static struct buf text[2];
	const struct codec *const *c;
	struct buf *b = &text[use];

	b->n = 0;
	for (c = codec_table; *c; c++)
		if (use == CODEC_WRITE ? (*c)->encode != NULL : (*c)->decode != NULL)
			buf_printf(b, "%s%s", b->n ? ", " : "", (*c)->name);
	return buf_str(b);
}

const char *const holding_name[HOLDINGS] = {
	[HOLDS_LINES] = "cost by line", [HOLDS_ADDRS] = "cost by address",
	[HOLDS_COUNTERS] = "cost by counter", [HOLDS_FUNCTIONS] = "functions",
	[HOLDS_FILES] = "files", [HOLDS_OBJECTS] = "objects", [HOLDS_KEYS] = "keys",
	[HOLDS_CALLS] = "calls", [HOLDS_INCLUSIVE] = "inclusive cost",
	[HOLDS_JUMPS] = "jumps", [HOLDS_CONTEXTS] = "contexts",
	[HOLDS_SAMPLES] = "samples", [HOLDS_POINTS] = "points",
	[HOLDS_VALUES] = "values at sites", [HOLDS_PARTS] = "several parts",
	[HOLDS_EVENTS] = "several events", [HOLDS_UNITS] = "units",
	[HOLDS_FACTS] = "facts", [HOLDS_TOTAL] = "total", [HOLDS_END] = "end marked",
};

const char *const held_name[HELDS] = {
	[HELD_NO] = "no", [HELD_YES] = "yes", [HELD_RIDES] = "rides",
	[HELD_SOME] = "some", [HELD_ONE] = "one", [HELD_TWO] = "two",
	[HELD_THREE] = "three", [HELD_JOINED] = "joined",
};

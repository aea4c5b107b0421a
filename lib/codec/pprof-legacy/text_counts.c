/* SPDX-License-Identifier: ISC */
/* Go's counts, for example of goroutines. */
#include "text.h"

#include <inttypes.h>

static int
count_header(struct body *b)
{
	const char *blank = memchr(b->first.s, ' ', b->first.n);
	struct legacy_header *h = &b->header;
	const char *p = blank + strlen(" profile: total ");

	b->go = true;
	h->period_type = (struct text){ b->first.s, (size_t)(blank - b->first.s) };
	h->period_unit = "count";
	h->period = 1;
	legacy_add_event(h, h->period_type, NULL, NULL);
	return legacy_take_int(&p, &b->stated[0]) ? 0 :
	    BAD("a total that does not fit 63 bits: %s", QUOTE(b->first));
}

static int
count_line(struct body *b, struct text line)
{
	const char *p = line.s;
	int64_t n;
	int ret;

	if (!legacy_take_int(&p, &n) || n < 0 || !legacy_take_char(&p, '@'))
		return BAD("expected a count, as in '1 @ 0x401000', found %s", QUOTE(line));
	if ((ret = legacy_take_addrs(b, p, line)))
		return ret;
	b->sum[0] += n;
	values_add(&b->rd->values, n);
	return legacy_put_sample(b->rd, ALL_ARE_CALLERS);
}

static int
count_end(struct body *b)
{
	if (b->sum[0] >= b->stated[0] || b->rd->has_maps)
		return 0;
	return decode_cut(b->rd->d, "the file is truncated: the first line states "
	    "%" PRId64 ", the others %" PRId64, b->stated[0], (int64_t)b->sum[0]);
}

const struct legacy_text_kind legacy_counts = {
	.header = count_header,
	.line = count_line,
	.end = count_end,
	.last = "---",
};

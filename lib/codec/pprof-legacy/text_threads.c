/* SPDX-License-Identifier: ISC */
/* Stacks of threads, each of which takes several lines. */
#include "text.h"

static int
thread_header(struct body *b)
{
	struct legacy_header *h = &b->header;

	h->period_type = TEXT("thread");
	h->period_unit = "count";
	h->period = 1;
	/* In JSON, "thread" would clash with that member of a part. */
	legacy_add_event(h, TEXT("threads"), NULL, "thread");
	return 0;
}

static int
put_threads(struct body *b)
{
	int ret;

	if (!b->threads)
		return 0;
	b->rd->values.n = b->rd->attrs.n = 0;
	values_add(&b->rd->values, b->threads);
	ret = legacy_put_sample(b->rd, FIRST_IS_NOT);
	b->threads = b->rd->naddr = 0;
	return ret;
}

static int
thread_line(struct body *b, struct text line)
{
	const char *p = line.s, *end = p + line.n, *q;
	bool any = false;
	uint64_t addr;

	if (text_begins(line, "--- Thread ")) {
		b->fresh = true;
		return LINE_OK;
	}
	if (memmem(line.s, line.n, "same as previous thread", 23)) {
		b->threads += b->threads && b->fresh;
		b->fresh = false;
		return LINE_OK;
	}
	for (; p + 2 < end; p++) {
		if (p[0] != '0' || p[1] != 'x')
			continue;
		if (!(q = num_get_hex(p + 2, &addr)))
			return BAD("an address that does not fit 64 bits: %s", QUOTE(line));
		if (q == p + 2)
			continue;
		if (b->fresh && put_threads(b) < 0)
			return LINE_FATAL;
		b->fresh = false;
		b->threads += !b->threads;
		addr_add(b->rd, addr);
		p = q - 1;
		any = true;
	}
	return any || line.s[line.n - 1] == ':' ? LINE_OK :
	    BAD("expected addresses, such as 0x401000, found %s", QUOTE(line));
}

const struct legacy_text_kind legacy_threads = {
	.header = thread_header,
	.line = thread_line,
	.end = put_threads,
	.last = "---- no stack trace for",
	.long_samples = true,
};

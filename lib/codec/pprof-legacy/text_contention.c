/* SPDX-License-Identifier: ISC */
/* Profiles of contention, such as on mutexes. */
#include "text.h"

#include <inttypes.h>

static int
contention_header(struct body *b)
{
	struct legacy_header *h = &b->header;

	b->go = !text_begins(b->first, "--- contentionz ");
	b->period = 1;
	h->period_type = TEXT("contentions");
	h->period_unit = "count";
	legacy_add_event(h, TEXT("contentions"), NULL, NULL);
	legacy_add_event(h, TEXT("delay"), "cycles", NULL);
	return 0;
}

/* Reads "cycles/second = 1000". */
static int
contention_fact(struct body *b, struct text line, const char *eq)
{
	const struct text key = words_trim((struct text){ line.s, (size_t)(eq - line.s) });
	const char *p = eq + 1;
	int64_t n;

	if (text_is(key, "format") || text_is(key, "resolution")) {
		diag_fail(b->rd->d->diag, "Java's profiles in this format are not "
		    "supported");
		return LINE_FATAL;
	}
	if (!legacy_take_int(&p, &n) || n < 0 || p != line.s + line.n)
		return BAD("expected a number after '=', found %s", QUOTE(line));
	if (text_is(key, "cycles/second"))
		b->hz = n;
	else if (text_is(key, "sampling period"))
		b->period = n ? n : 1;
	else if (text_is(key, "ms since reset"))
		b->header.duration = (num)n * 1000000;
	else if (text_is(key, "discarded samples") && n)
		diag_say(b->rd->d->diag, DIAG_WARN, "%" PRId64 " samples were discarded by "
		    "the profiler", n);
	else if (!text_is(key, "discarded samples"))
		return BAD("an unknown field: %s", QUOTE(line));
	return LINE_OK;
}

/* Adds cycles, sampled from one contention in `period`, as nanoseconds of all. */
static int
contention_values(struct body *b, int64_t cycles, int64_t count, struct text line)
{
	num delay = cycles;

	if (b->hz && (num_mul(delay, b->period, &delay) < 0 ||
	    num_mul(delay, 1000000000, &delay) < 0))
		return BAD("a time that does not fit 128 bits: %s", QUOTE(line));
	values_add(&b->rd->values, (num)count * b->period);
	values_add(&b->rd->values, b->hz ? delay / b->hz : delay);
	return LINE_OK;
}

static int
contention_line(struct body *b, struct text line)
{
	const char *p = line.s, *eq = memchr(line.s, '=', line.n);
	int64_t cycles, count;
	int ret;

	if (eq && !b->begun)
		return contention_fact(b, line, eq);
	if (!b->begun) {
		b->header.period = b->period;
		if (b->hz)
			b->header.event[1].unit = "ns";
		if (legacy_begin(b) < 0)
			return LINE_FATAL;
		b->rd->attrs.n = 0;
	}
	if (!legacy_take_int(&p, &cycles) || !legacy_take_int(&p, &count) || cycles < 0 ||
	    count < 0 || !legacy_take_char(&p, '@'))
		return BAD("expected cycles and a count, as in '1000 1 @ 0x401000', found %s",
		    QUOTE(line));
	if ((ret = legacy_take_addrs(b, p, line)) ||
	    (ret = contention_values(b, cycles, count, line)))
		return ret;
	return legacy_put_sample(b->rd, ALL_ARE_CALLERS);
}

const struct legacy_text_kind legacy_contention = {
	.header = contention_header,
	.line = contention_line,
	.last = "---",
	.long_header = true,
};

/* SPDX-License-Identifier: ISC */
/*
 * CPU profiles: words of 4 or 8 bytes, of either byte order.  A header, then samples: a
 * count, a number of addresses, and these, leaf first; the last one, 0 1 0, ends them.  A
 * memory map follows (gperftools, cpuprofile-fileformat.html).
 */
#include "reader.h"

#include <inttypes.h>

/* Sets the place of an error: a byte of the file. */
#define AT(rd, p) ((rd)->d->at.line = (uint64_t)((p) - (rd)->file.s), \
    (rd)->d->at.bytes = true)

struct sample {
	uint64_t count, n;
	const char *addrs;
};

enum next { NEXT_SAMPLE, NEXT_END, NEXT_CUT, NEXT_FAILED };

/* Reads the sample at *p, which moves past it.  Truncation is handled, if it is allowed. */
static enum next
next_sample(struct legacy *rd, const struct words *w, const char **p, struct sample *s)
{
	const char *end = rd->file.s + rd->file.n;
	const uint64_t left = (uint64_t)(end - *p) / w->size;

	AT(rd, *p);
	if (left < 2)
		return decode_cut(rd->d, "the file is truncated: the words 0 1 0 after "
		    "the last sample are missing") < 0 ? NEXT_FAILED : NEXT_CUT;
	s->count = legacy_word(w, *p);
	s->n = legacy_word(w, *p + w->size);
	s->addrs = *p + 2 * w->size;
	if (s->n > left - 2)
		return decode_cut(rd->d, "the file is truncated: a sample of %" PRIu64
		    " addresses, but only %" PRIu64 " more words", s->n, left - 2) < 0 ?
		    NEXT_FAILED : NEXT_CUT;
	*p = s->addrs + s->n * w->size;
	return !s->count && s->n == 1 && !legacy_word(w, s->addrs) ? NEXT_END : NEXT_SAMPLE;
}

/* Finds the end of the samples, and reads the map after it. */
static int
read_map(struct legacy *rd, const struct words *w, const char *p, const char **samples_end)
{
	const char *end = rd->file.s + rd->file.n;
	struct sample s;
	enum next next;

	do {
		*samples_end = p;
		next = next_sample(rd, w, &p, &s);
	} while (next == NEXT_SAMPLE);
	if (next != NEXT_END)
		return next == NEXT_FAILED ? -1 : 0;
	AT(rd, p);
	if (p < end && end[-1] != '\n') {
		rd->d->at.line = rd->file.n - 1;
		if (decode_last_line(rd->d, "memory map", LAST_ENDS) < 0)
			return -1;
		for (; end > p && end[-1] != '\n'; end--)
			;
	}
	if (maps_read(rd, p, end) < 0)
		return -1;
	if (!rd->has_maps)
		diag_say(rd->d->diag, DIAG_NOTE, "no memory map after the samples, so no "
		    "objects: the file is from an old Go, or it is truncated there");
	return 0;
}

static int
put_sample(struct legacy *rd, const struct words *w, const struct sample *s, num period)
{
	uint64_t i;
	num ns;

	if (num_mul(s->count, period, &ns) < 0)
		return diag_fail(rd->d->diag, "the time of %" PRIu64 " samples does not fit "
		    "128 bits", s->count);
	rd->values.n = 0;
	values_add(&rd->values, s->count);
	values_add(&rd->values, ns);
	rd->naddr = 0;
	for (i = 0; i < s->n; i++)
		addr_add(rd, legacy_word(w, s->addrs + i * w->size));
	return legacy_put_sample(rd, FIRST_IS_NOT);
}

int
legacy_cpu(struct legacy *rd)
{
	const struct words w = legacy_words(rd->file.s, rd->file.n);
	const char *p = rd->file.s + 5 * w.size, *end;
	const num period = (num)legacy_word(&w, rd->file.s + 3 * w.size) * 1000;
	const struct legacy_header h = {
		.period_type = TEXT("cpu"), .period_unit = "nanoseconds", .period = period,
		.event = { { TEXT("samples"), NULL, NULL }, { TEXT("cpu"), "ns", NULL } },
		.nevent = 2,
	};
	struct sample s;

	if (read_map(rd, &w, p, &end) < 0 || legacy_put_header(rd, &h) < 0)
		return -1;
	rd->attrs.n = 0;
	while (p < end) {
		next_sample(rd, &w, &p, &s);
		if (put_sample(rd, &w, &s, period) < 0)
			return -1;
	}
	return 0;
}

/* SPDX-License-Identifier: ISC */
/*
 * A part's costs on their way into a format with 64-bit numbers: copied unchanged
 * and summed.  A number that does not fit is an error that names the function and
 * the event.
 */
#ifndef PROF_CODEC_COST64_H
#define PROF_CODEC_COST64_H

#include "stream/codec.h"
#include "stream/copy_values.h"
#include "stream/loss.h"
#include "util/num.h"

struct cost64 {
	struct encode *e;	/* set by the encoder */
	struct buf *names;	/* of the events, in the format's spelling */
	size_t n, cap;		/* events */
	num *total;		/* of self costs, n of them, after cost64_begin() */
	size_t captotal;
	bool negative;		/* is any cost negative? */
};

/* Adds an event; takes over its name. */
void cost64_event(struct cost64 *c, struct buf *name);
/* Ends the events. */
void cost64_begin(struct cost64 *c);
/* Ends the part, and removes its events. */
void cost64_end(struct cost64 *c);
void cost64_free(struct cost64 *c);

enum cost64_kind { COST64_SELF, COST64_INCLUSIVE };

/* The rest of cost64_put(), from the value at s, the i-th, on. */
long cost64_rest(struct cost64 *c, const struct record *r, enum cost64_kind kind,
    char **out, const char *s, size_t i);

/*
 * Writes " 12 0 3" at *out, each value after a blank, and sums self costs.  Returns
 * their number, or -1 with the diag set.  No value gets longer: "-" becomes "0".
 */
static inline long
cost64_put(struct cost64 *c, const struct record *r, enum cost64_kind kind, char **out)
{
	const char *s = r->values.n ? r->values.s : "", *end = s + r->values.n, *start;
	const size_t most = c->n;		/* copies, as the compiler must assume */
	num *const total = c->total;		/* that writes at p change *c */
	char *p = *out;
	size_t i = 0;

	if (s == end)
		return 0;
	*p++ = ' ';
	*out = values_put(p, s, r->values.n, ' ');
	for (; s < end && i < most; s++, i++) {
		uint64_t v = (unsigned char)*s - (uint64_t)'0';
		unsigned d;

		start = s;
		/* Usually a value has one digit. */
		if (v < 10 && ++s < end && *s != '\t' && *s != ' ') {
			for (; s < end && (d = (unsigned char)*s - '0') < 10; s++)
				v = v * 10 + d;
			if (s - start > 19 || (s < end && *s != ' ' && *s != '\t'))
				s = start;
		}
		if (__builtin_expect(s == start, 0))
			break;
		if (kind == COST64_SELF)
			total[i] += v;	/* 2^64 lines would be needed to overflow */
	}
	if (__builtin_expect(s < end, 0)) {
		*out = p + (s - r->values.s) - 1;
		return cost64_rest(c, r, kind, out, s, i);
	}
	return (long)i;
}

/* Reads a count of calls or jumps into 64 bits; an absent one is `least`, 0 or 1.  0 or
 * -1. */
int cost64_other_count(struct cost64 *c, const struct record *r, struct text t,
    uint64_t least, uint64_t *out);

static inline int
cost64_count(struct cost64 *c, const struct record *r, struct text t, uint64_t least,
    uint64_t *out)
{
	const char *s = t.s, *const end = s + t.n;

	if (!t.n || t.n >= 20 || *s == '-')
		return cost64_other_count(c, r, t, least, out);
	for (*out = 0; s < end; s++)	/* nearly always */
		*out = *out * 10 + (uint64_t)(*s - '0');
	return 0;
}

/* Writes a line of totals: the key, then the values, padded with zeros to `least`
 * of them.  0, or -1 with the diag set. */
int cost64_totals(struct cost64 *c, const char *key, struct text values, size_t least);

/* Returns the sums as values. */
struct text cost64_sums(const struct cost64 *c, struct buf *b);

/* Warns if the profiler's own sum of the lines differs. */
void cost64_check(const struct cost64 *c, struct text stated);

#endif

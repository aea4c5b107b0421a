/* SPDX-License-Identifier: ISC */
/* The unit in which people read the values of an event: one for all of them. */
#include "view/metric.h"

#define LADDER 5

/* Each is so many of the one before it. */
static const struct {
	num factor;
	const char *unit[LADDER];
} ladders[] = {
	{ 1000, { "ns", "us", "ms", "s" } },
	{ 1024, { "B", "KiB", "MiB", "GiB", "TiB" } },
};

#define LADDERS (sizeof ladders / sizeof *ladders)

static void
reduce(num *a, num *b)
{
	num x = *a, y = *b, rest;

	for (; y; x = y, y = rest)
		rest = x % y;
	*a /= x;
	*b /= x;
}

/* Digits after the point, so that there are four in all of what has so many before it, but
 * one at least; and no more than whole grains have. */
static unsigned
decimals_of(num whole, const struct scale *s, num grain)
{
	unsigned n = whole >= 100 ? 1 : whole >= 10 ? 2 : 3, exact = 0;
	num per = (num)s->per;

	if (num_mul(grain, s->times, &grain) < 0)
		return n;
	reduce(&grain, &per);
	for (; per > 1 && per % 10 == 0; per /= 10)
		exact++;
	return per == 1 && exact < n ? exact : n;
}

/* Of values of which `per` are one of a rung, those of which the whole is one or more of the
 * highest rung that it reaches. */
static void
climb(struct metric *m, const char *const *unit, num factor, size_t at, num whole)
{
	struct scale *s = &m->shown;
	num times = 1, per = (num)m->per, more;

	while (whole && whole * times < per && at > 0 &&
	    num_mul(whole, times * factor, &more) == 0) {
		at--;
		times *= factor;
	}
	reduce(&times, &per);
	while (at + 1 < LADDER && unit[at + 1] && times == 1 &&
	    num_mul(per, factor, &more) == 0 && more <= whole && more <= INT64_MAX) {
		at++;
		per = more;
	}
	s->unit = text_of(unit[at]);
	s->times = times;
	s->per = (uint64_t)per;
	s->decimals = decimals_of(whole * times / per, s, (num)m->grain);
}

void
metric_scale(struct metric *m, struct text unit, num whole)
{
	size_t i, k;

	whole = whole == NUM_MIN ? NUM_MAX : whole < 0 ? -whole : whole;
	m->shown = (struct scale){ .per = m->per };
	for (i = 0; i < LADDERS; i++)
		for (k = 0; k < LADDER && ladders[i].unit[k]; k++)
			if (text_is(unit, ladders[i].unit[k])) {
				climb(m, ladders[i].unit, ladders[i].factor, k, whole);
				return;
			}
}

/* SPDX-License-Identifier: ISC */
/* The unit in which an event is displayed, the same for all its values. */
#include "view/metric.h"

#define LADDER 5

/* Units by size: each is `factor` times the one before. */
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

/* Returns the number of decimals: four digits for the largest value, but at least one
 * decimal, and no more than multiples of `grain` have. */
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

/* Chooses the highest unit in which the whole is at least one. */
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

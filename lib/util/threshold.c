/* SPDX-License-Identifier: ISC */
#include "util/threshold.h"

#define MILLION 1000000

/* Parses "12.5", with at most six decimals, as millionths. */
static bool
get_decimal(struct text t, num *n)
{
	size_t i, decimals = 0;
	bool point = false, digit = false;

	*n = 0;
	for (i = 0; i < t.n; i++) {
		if (t.s[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (t.s[i] < '0' || t.s[i] > '9' || decimals == 6 || i > 30)
			return false;
		*n = *n * 10 + (t.s[i] - '0');
		decimals += point;
		digit = true;
	}
	for (; decimals < 6; decimals++)
		*n *= 10;
	return digit;
}

static struct text
without_percent(struct text t, bool *percent)
{
	*percent = t.n && t.s[t.n - 1] == '%';
	t.n -= *percent;
	return t;
}

bool
threshold_get(struct text t, struct threshold *out)
{
	t = without_percent(t, &out->percent);
	return get_decimal(t, &out->n);
}

bool
threshold_get_share(struct text t, struct threshold *out)
{
	t = without_percent(t, &out->percent);
	out->percent = true;
	return get_decimal(t, &out->n);
}

struct threshold
threshold_of_parts(struct threshold a, uint64_t per)
{
	if (!a.percent && num_mul(a.n, (num)per, &a.n) < 0)
		a.n = NUM_MAX;
	return a;
}

/* Compares doubles where 128 bits are too few; they are precise enough there. */
int
threshold_cmp(num v, struct threshold a, num of)
{
	double p, q;
	num x, y;

	if (!a.percent && num_mul(v, MILLION, &x) == 0)
		return (x > a.n) - (x < a.n);
	if (!a.percent)
		return (double)v * MILLION > (double)a.n ? 1 : -1;
	if (of < 0)
		of = -of;
	if (num_mul(v, 100 * (num)MILLION, &x) == 0 && num_mul(of, a.n, &y) == 0)
		return (x > y) - (x < y);
	p = (double)v * 100 * MILLION;
	q = (double)of * (double)a.n;
	return (p > q) - (p < q);
}

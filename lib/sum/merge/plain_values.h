/* SPDX-License-Identifier: ISC */
/*
 * Plain values, as nearly all are: neither absent nor negative, and of no more than 18
 * digits, so that they, and sums of many of them, fit 64 bits.  Stored plus one; 0 is
 * absent.
 */
#ifndef PROF_SUM_MERGE_PLAIN_VALUES_H
#define PROF_SUM_MERGE_PLAIN_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/num.h"

#define PLAIN_DIGITS 18
#define PLAIN_LARGEST ((num)INT64_MAX)	/* sums are smaller */

/* The values of a cost. */
struct plain {
	uint64_t *val;
	size_t found;		/* the number of values */
	size_t n;		/* events; values from `found` on are 0 */
	const long *column;	/* the i-th value is that of column[i], or of i if column is
				 * NULL */
};

/* Reads values, at most v->n, into v->val: false if a value is not plain. */
static inline bool
plain_read(struct plain *v, struct text values)
{
	const char *p = values.n ? values.s : "", *const end = p + values.n, *start;
	const char *const last = values.n ? end - 1 : end;
	uint64_t *const val = v->val, one, digit;
	const size_t n = v->n;
	size_t i;

	for (i = 0; i < n && p < end; i++) {
		one = (uint64_t)(unsigned char)*p - '0';
		/* Usually a value has one digit; of the bytes that may follow, only blanks
		 * are so low. */
		if (one < 10 && p < last && (unsigned char)p[1] <= ' ') {
			val[i] = one;
			p += 2;
			continue;
		}
		if (one >= 10)
			return false;
		start = p++;
		while (p < end && (digit = (uint64_t)(unsigned char)*p - '0') < 10) {
			one = one * 10 + digit;
			p++;
		}
		if (p - start > PLAIN_DIGITS || (p < end && *p != ' ' && *p != '\t'))
			return false;
		p += p < end;
		val[i] = one;
	}
	v->found = i;
	return true;
}

static inline uint64_t
plain_value(const struct plain *v, size_t i)
{
	return i < v->found ? v->val[i] : 0;
}

/* Adds each value to its sum, for which 128 bits suffice. */
static inline void
plain_add(const struct plain *v, num *sum)
{
	const uint64_t *const val = v->val;
	const size_t n = v->found;
	size_t i;

	for (i = 0; i < n; i++)
		sum[i] += val[i];
}

#endif

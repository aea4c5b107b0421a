/* SPDX-License-Identifier: ISC */
/* The values of a cost, if they are plain (stream/record.h), even of more events. */
#ifndef PROF_SUM_MERGE_PLAIN_VALUES_H
#define PROF_SUM_MERGE_PLAIN_VALUES_H

#include "stream/record.h"

#define PLAIN_LARGEST ((num)INT64_MAX)	/* sums are smaller */

struct plain {
	const uint64_t *val;	/* by event: those of `nonzero`; of more than PLAIN_EVENTS
				 * events, the first `found` */
	size_t found, n;	/* the number of values, of events */
	uint64_t nonzero;	/* of at most PLAIN_EVENTS events: those whose value is not 0 */
	const long *column;	/* the i-th value is that of column[i], or of i if column is
				 * NULL */
};

/* Reads values, at most v->n, into val, which v->val becomes: false if a value is not
 * plain. */
static inline bool
plain_read(struct plain *v, struct text values, uint64_t *const val)
{
	const char *p = values.n ? values.s : "", *const end = p + values.n, *start;
	const char *const last = values.n ? end - 1 : end;
	uint64_t one, digit;
	const size_t n = v->n;
	size_t i;

	v->val = val;
	v->nonzero = 0;
	for (i = 0; i < n && p < end; i++) {
		one = (uint64_t)(unsigned char)*p - '0';
		/* Usually a value has one digit; of the bytes that may follow, only blanks
		 * are so low. */
		if (one < 10 && p < last && (unsigned char)p[1] <= ' ') {
			p += 2;
		} else {
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
		}
		val[i] = one;
		v->nonzero |= (uint64_t)(one != 0) << i % PLAIN_EVENTS;
	}
	v->found = i;
	return true;
}

/* Adds each value to its sum, for which 128 bits suffice. */
static inline void
plain_add(const struct plain *v, num *sum)
{
	uint64_t left;
	size_t i;

	for (i = 0; v->n > PLAIN_EVENTS && i < v->found; i++)
		sum[i] += v->val[i];
	for (left = v->n > PLAIN_EVENTS ? 0 : v->nonzero; left; left &= left - 1) {
		i = (size_t)__builtin_ctzll(left);
		sum[i] += v->val[i];
	}
}

#endif

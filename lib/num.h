/* SPDX-License-Identifier: ISC */
/*
 * Numbers and their text.  Costs are summed in 128 bits, signed; nothing
 * wraps.  A number in a record is canonical text until somebody needs it:
 * decimal, one spelling, no plus sign, no leading zero, no "-0".
 */
#ifndef PROF_NUM_H
#define PROF_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "buf.h"

typedef __int128 num;

#define NUM_MAX ((num)(~(unsigned __int128)0 >> 1))
#define NUM_MIN (-NUM_MAX - 1)
#define NUM_TEXT 48		/* room for any num as text, grouped or not, with NUL */

extern const char num_pairs[201];	/* "000102...99" */

/* Each writes at p, without NUL, and returns the end. */
char *num_put_num(char *p, num v);
char *num_put_grouped(char *p, num v);	/* 1,234,567 */

static inline unsigned
num_digits(uint64_t v)
{
	unsigned n = 1;

	for (;;) {
		if (v < 10)
			return n;
		if (v < 100)
			return n + 1;
		if (v < 1000)
			return n + 2;
		if (v < 10000)
			return n + 3;
		v /= 10000;
		n += 4;
	}
}

static inline char *
num_put_u64(char *p, uint64_t v)
{
	char *end, *q;

	if (v < 10) {
		*p = (char)('0' + v);
		return p + 1;
	}
	q = end = p + num_digits(v);
	while (v >= 100) {
		q -= 2;
		memcpy(q, num_pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(p, num_pairs + v * 2, 2);
	else
		*p = (char)('0' + v);
	return end;
}

/* With the leading 0x. */
static inline char *
num_put_hex(char *p, uint64_t v)
{
	int shift = v ? (63 - __builtin_clzll(v)) & ~3 : 0;

	*p++ = '0';
	*p++ = 'x';
	for (; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[v >> shift & 15];
	return p;
}

/*
 * Reads digits at p: the end of them is returned, p itself if there is none,
 * NULL if they do not fit.  What follows the digits is the caller's business;
 * some byte that is no digit must follow.
 */
static inline const char *
num_get_u64(const char *p, uint64_t *out)
{
	uint64_t v = 0;
	const char *start = p;
	unsigned c;

	while ((c = (unsigned)(unsigned char)*p - '0') < 10) {
		v = v * 10 + c;
		p++;
	}
	if (__builtin_expect(p - start > 19, 0)) {
		v = 0;
		for (p = start; (c = (unsigned)(unsigned char)*p - '0') < 10; p++)
			if (__builtin_mul_overflow(v, 10, &v) ||
			    __builtin_add_overflow(v, c, &v))
				return NULL;
	}
	*out = v;
	return p;
}

/* The same for hex digits, either case, without the 0x. */
const char *num_get_hex(const char *p, uint64_t *out);

/* Text of a whole number to num: 0, or -1 if it does not fit 128 bits.
 * The text is canonical already (the decoder saw to that). */
int num_get_num(const char *p, size_t n, num *out);

/* *sum += v: 0, or -1 on overflow with *sum untouched. */
static inline int
num_add(num *sum, num v)
{
	num r;

	if (__builtin_add_overflow(*sum, v, &r))
		return -1;
	*sum = r;
	return 0;
}

static inline int
num_mul(num a, num b, num *out)
{
	return __builtin_mul_overflow(a, b, out) ? -1 : 0;
}

/* Is this the canonical spelling of an integer? */
bool num_is_canonical(struct text t);

#endif

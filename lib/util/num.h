/* SPDX-License-Identifier: ISC */
/*
 * Numbers and their text.  Costs are summed in 128 bits, signed; nothing
 * wraps.  A number in a record stays canonical text until it is needed:
 * decimal, no plus sign, no leading zero, no "-0".
 */
#ifndef PROF_UTIL_NUM_H
#define PROF_UTIL_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "util/buf.h"

#ifndef __SIZEOF_INT128__
#error "prof needs a compiler and a machine with __int128: those of 64 bits"
#endif

typedef __int128 num;

#define NUM_MAX ((num)(~(unsigned __int128)0 >> 1))
#define NUM_MIN (-NUM_MAX - 1)
#define NUM_ABSENT NUM_MIN	/* among sums: of nothing but absent values */
#define NUM_TEXT 64		/* room for any num as text, grouped or not, with NUL */

/* Each writes at p, without NUL, and returns the end. */
char *num_put_num(char *p, num v);
char *num_put_grouped(char *p, num v);	/* 1,234,567 */

extern const char num_pairs[201];	/* "000102...99" */
extern const unsigned char num_nibble[256];	/* hex digits in lower case: 1 to 16 */
char *num_put_large(char *p, uint64_t v);

/* Writes eight bytes at p, of which only the `n` lowest count. */
static inline char *
num_put_bytes(char *p, uint64_t bytes, unsigned n)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	bytes = __builtin_bswap64(bytes);
#endif
	memcpy(p, &bytes, 8);
	return p + n;
}

/* Writes v; like num_put_hex(), it may write up to 8 bytes beyond the end that it
 * returns. */
static inline char *
num_put_u64(char *p, uint64_t v)
{
	unsigned hundreds, zeros;
	uint16_t high, low;
	uint32_t d;

	if (__builtin_expect(v >= 10000, 0))
		return num_put_large(p, v);
	/* Four digits, the first one lowest, then a shift past the leading zeros, without
	 * branches. */
	hundreds = (unsigned)v * 5243 >> 19;
	memcpy(&high, num_pairs + 2 * hundreds, 2);
	memcpy(&low, num_pairs + 2 * ((unsigned)v - 100 * hundreds), 2);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	high = __builtin_bswap16(high);
	low = __builtin_bswap16(low);
#endif
	d = high | (uint32_t)low << 16;
	zeros = (unsigned)__builtin_ctz((d ^ 0x30303030) | 1u << 24) & ~7u;
	return num_put_bytes(p, d >> zeros, 4 - zeros / 8);
}

/* Eight hex digits, the first one lowest. */
static inline uint64_t
num_hex8(uint64_t v)
{
	v = (v & 0xffff) << 32 | v >> 16;
	v = (v & 0x000000ff000000ff) << 16 | (v >> 8 & 0x000000ff000000ff);
	v = (v & 0x000f000f000f000f) << 8 | (v >> 4 & 0x000f000f000f000f);
	return v + 0x3030303030303030 +
	    ((v + 0x0606060606060606) >> 4 & 0x0101010101010101) * ('a' - '9' - 1);
}

/* Writes v in hex, with the leading 0x. */
static inline char *
num_put_hex(char *p, uint64_t v)
{
	unsigned digits = v ? (67 - (unsigned)__builtin_clzll(v)) / 4 : 1;

	*p++ = '0';
	*p++ = 'x';
	if (digits > 8) {
		p = num_put_bytes(p, num_hex8(v >> 32) >> 8 * (16 - digits), digits - 8);
		digits = 8;
	}
	return num_put_bytes(p, num_hex8(v & 0xffffffff) >> 8 * (8 - digits), digits);
}

/* The same as texts in tmp, which must have NUM_TEXT bytes. */
static inline struct text
num_text(char *tmp, num v)
{
	return (struct text){ tmp, (size_t)(num_put_num(tmp, v) - tmp) };
}

static inline struct text
num_text_u64(char *tmp, uint64_t v)
{
	return (struct text){ tmp, (size_t)(num_put_u64(tmp, v) - tmp) };
}

static inline struct text
num_text_hex(char *tmp, uint64_t v)
{
	return (struct text){ tmp, (size_t)(num_put_hex(tmp, v) - tmp) };
}

static inline struct text
num_text_grouped(char *tmp, num v)
{
	return (struct text){ tmp, (size_t)(num_put_grouped(tmp, v) - tmp) };
}

/*
 * Reads digits at p.  Returns their end, p itself if there are none, NULL if the
 * number does not fit.  A byte that is not a digit must follow; checking it is
 * up to the caller.
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
/* The same for exactly 16 digits, in lower case: false if it is something else. */
bool num_get_hex16(const char *p, uint64_t *out);
/* Are the n bytes "0x" and hexadecimal digits?  Callgrind writes a function without a
 * symbol in this way, by its address in its object. */
bool num_is_address(const char *s, size_t n, uint64_t *out);

/* Parses a whole number: 0, or -1 if it does not fit 128 bits.  The text must be canonical
 * (the decoder has checked that). */
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

/*
 * Sums of the positive and of the negative numbers, separately.  With numbers of both
 * signs, whether a running sum leaves the 128 bits depends on the order of the numbers.  So
 * that it does not, a set is rejected in any order if either of these sums does not fit.
 */
struct num_extent {
	unsigned __int128 above, below;
};

static inline void
num_see(struct num_extent *e, num v)
{
	if (v < 0 && __builtin_add_overflow(e->below, -(unsigned __int128)v, &e->below))
		e->below = ~(unsigned __int128)0;
	else if (v > 0 && __builtin_add_overflow(e->above, (unsigned __int128)v, &e->above))
		e->above = ~(unsigned __int128)0;
}

static inline bool
num_fits(const struct num_extent *e)
{
	return !e->above || !e->below || (e->above <= (unsigned __int128)NUM_MAX &&
	    e->below <= -(unsigned __int128)NUM_MIN);
}

/* Adds to each of n sums a value: 0, or -1 on overflow. */
static inline int
num_add_each(num *sums, const num *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (num_add(&sums[i], v[i]) < 0)
			return -1;
	return 0;
}

/* Sets *sum to the sum of v: 0, or -1 on overflow. */
static inline int
num_sum(const num *v, size_t n, num *sum)
{
	size_t i;

	*sum = 0;
	for (i = 0; i < n; i++)
		if (num_add(sum, v[i]) < 0)
			return -1;
	return 0;
}

/* *sum -= v: 0, or -1 on overflow with *sum untouched. */
static inline int
num_sub(num *sum, num v)
{
	num r;

	if (__builtin_sub_overflow(*sum, v, &r))
		return -1;
	*sum = r;
	return 0;
}

static inline int
num_mul(num a, num b, num *out)
{
	return __builtin_mul_overflow(a, b, out) ? -1 : 0;
}

/* v / parts, rounded to nearest, halves up; unless `rest` is NULL, it is set to what remains of
 * v.  If that is added to the next v, the results add up to the rounded sum, and 0 stays 0. */
num num_nearest(num v, num parts, num *rest);

/* The greatest common divisor of two numbers, not negative and not both 0. */
num num_gcd(num a, num b);

/* These append to a text.  A whole number: */
void num_add_whole(struct buf *b, num v);
void num_add_grouped(struct buf *b, num v);

/* v / per, rounded to `decimals` places, at most 6: "1,234.50". */
void num_add_parts(struct buf *b, num v, uint64_t per, unsigned decimals);

/* A share of `total` in percent: "12.34", or "-" if total is 0. */
void num_add_percent(struct buf *b, num v, num total);

/* A change as a share of `old`, in percent: "+12.34", "-5.00", "new", "gone"; nothing if
 * both are 0. */
void num_add_change(struct buf *b, num old, num change);
/* The same with its sign, "+12.34 %", "new"; and after what it is said of, " (+12.34 %)". */
void num_add_change_percent(struct buf *b, num old, num change);
void num_add_change_after(struct buf *b, num old, num change);

/* Is this the canonical spelling of an integer? */
bool num_is_canonical(struct text t);

#endif

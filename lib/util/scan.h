/* SPDX-License-Identifier: ISC */
/*
 * Reading a short line at once: the class of each byte as bits, and numbers of
 * known length without a branch for each digit.  Tokens are one to three bytes
 * long here, so a loop over their bytes would mispredict one branch per token,
 * which is most of the cost of a line.
 *
 * All functions may read SCAN bytes (8 for numbers) from p on, needed or not:
 * inputs have that much room after them.  Without the vector instructions
 * scan_line() finds no newline, and callers take their general path.
 */
#ifndef PROF_UTIL_SCAN_H
#define PROF_UTIL_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/buf.h"
#include "util/num.h"
#include "util/wide.h"

#if defined HAVE_WIDE
#include <immintrin.h>
#elif defined __SSE2__
#include <emmintrin.h>
#endif

#define SCAN 64

/* Bit i is about the byte at p + i; bits from the newline on are 0. */
struct scan {
	unsigned n;		/* bytes before the newline */
	uint64_t digit, zero, letter, blank;	/* 0-9; 0; a-f; the separator */
};

/* The same of all bytes up to the newline and of some after it, whose bits mean nothing. */
struct scan_classes {
	uint64_t lf, digit, zero, letter, blank;
};

#if defined __SSE2__
static inline uint64_t
scan_bits(__m128i eq, unsigned at)
{
	return (uint64_t)(unsigned)_mm_movemask_epi8(eq) << at;
}

static inline void
scan_16(const char *p, unsigned at, char sep, struct scan_classes *c)
{
	__m128i v, d;

	memcpy(&v, p + at, sizeof v);
	d = _mm_sub_epi8(v, _mm_set1_epi8('0'));
	c->digit |= scan_bits(_mm_cmpeq_epi8(_mm_min_epu8(d, _mm_set1_epi8(9)), d), at);
	c->zero |= scan_bits(_mm_cmpeq_epi8(d, _mm_setzero_si128()), at);
	d = _mm_sub_epi8(v, _mm_set1_epi8('a'));
	c->letter |= scan_bits(_mm_cmpeq_epi8(_mm_min_epu8(d, _mm_set1_epi8(5)), d), at);
	c->blank |= scan_bits(_mm_cmpeq_epi8(v, _mm_set1_epi8(sep)), at);
	c->lf |= scan_bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')), at);
}
#endif

/* Classifies bytes until there is a newline.  False: none in the first SCAN bytes, or the
 * processor has no vector instructions. */
static inline __attribute__((always_inline)) bool
scan_classify(const char *p, char sep, struct scan_classes *c)
{
#if defined __SSE2__
	*c = (struct scan_classes){ 0 };
	scan_16(p, 0, sep, c);
	if (c->lf)
		return true;
	scan_16(p, 16, sep, c);
	if (__builtin_expect(!c->lf, 0)) {
		scan_16(p, 32, sep, c);
		scan_16(p, 48, sep, c);
	}
	return c->lf != 0;
#else
	(void)p;
	(void)sep;
	(void)c;
	return false;
#endif
}

#if defined HAVE_WIDE
WIDE static inline __attribute__((always_inline)) uint64_t
scan_bits_wide(__m256i eq, unsigned at)
{
	return (uint64_t)(unsigned)_mm256_movemask_epi8(eq) << at;
}

WIDE static inline __attribute__((always_inline)) void
scan_32(const char *p, unsigned at, char sep, struct scan_classes *c)
{
	const __m256i nine = _mm256_set1_epi8(9), five = _mm256_set1_epi8(5);
	__m256i v = _mm256_loadu_si256((const __m256i_u *)(const void *)(p + at));
	__m256i d = _mm256_sub_epi8(v, _mm256_set1_epi8('0'));
	__m256i x = _mm256_sub_epi8(v, _mm256_set1_epi8('a'));

	c->digit |= scan_bits_wide(_mm256_cmpeq_epi8(_mm256_min_epu8(d, nine), d), at);
	c->zero |= scan_bits_wide(_mm256_cmpeq_epi8(d, _mm256_setzero_si256()), at);
	c->letter |= scan_bits_wide(_mm256_cmpeq_epi8(_mm256_min_epu8(x, five), x), at);
	c->blank |= scan_bits_wide(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(sep)), at);
	c->lf |= scan_bits_wide(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\n')), at);
}

/* The same, for functions that are WIDE. */
WIDE static inline __attribute__((always_inline)) bool
scan_classify_wide(const char *p, char sep, struct scan_classes *c)
{
	*c = (struct scan_classes){ 0 };
	scan_32(p, 0, sep, c);
	if (__builtin_expect(!c->lf, 0))
		scan_32(p, 32, sep, c);
	return c->lf != 0;
}
#endif

/* Returns the bits of the SCAN bytes at p that are c. */
static inline uint64_t
scan_byte(const char *p, char c)
{
	uint64_t bits = 0;
	unsigned i;

#if defined __SSE2__
	for (i = 0; i < SCAN; i += 16) {
		__m128i v;

		memcpy(&v, p + i, sizeof v);
		bits |= scan_bits(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)), i);
	}
#else
	for (i = 0; i < SCAN; i++)
		bits |= (uint64_t)(p[i] == c) << i;
#endif
	return bits;
}

/* The bits of 32 bytes at p that are the same as those at q; 0 without such instructions. */
static inline uint32_t
scan_same(const char *p, const char *q)
{
#if defined __SSE2__
	__m128i a, b, c, d;

	memcpy(&a, p, sizeof a);
	memcpy(&b, q, sizeof b);
	memcpy(&c, p + 16, sizeof c);
	memcpy(&d, q + 16, sizeof d);
	return (uint32_t)(scan_bits(_mm_cmpeq_epi8(a, b), 0) |
	    scan_bits(_mm_cmpeq_epi8(c, d), 16));
#else
	(void)p;
	(void)q;
	return 0;
#endif
}

#if defined HAVE_WIDE
WIDE static inline __attribute__((always_inline)) uint32_t
scan_same_wide(const char *p, const char *q)
{
	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(
	    _mm256_loadu_si256((const __m256i_u *)(const void *)p),
	    _mm256_loadu_si256((const __m256i_u *)(const void *)q)));
}
#endif

/* Returns the classes of the bytes before the newline, which is one of them. */
static inline __attribute__((always_inline)) struct scan
scan_cut(const struct scan_classes *c)
{
	const uint64_t before = (c->lf & -c->lf) - 1;

	return (struct scan){ .n = (unsigned)__builtin_ctzll(c->lf),
	    .digit = c->digit & before, .zero = c->zero & before,
	    .letter = c->letter & before, .blank = c->blank & before };
}

/* Classifies the bytes of a line; returns as scan_classify(). */
static inline __attribute__((always_inline)) bool
scan_line(const char *p, char sep, struct scan *s)
{
	struct scan_classes c;

	if (!scan_classify(p, sep, &c))
		return false;
	*s = scan_cut(&c);
	return true;
}

/* The number of bits set.  On a processor without an instruction for that, the
 * compiler's builtin would call a function. */
static inline unsigned
scan_count(uint64_t v)
{
#if defined __POPCNT__
	return (unsigned)__builtin_popcountll(v);
#else
	v -= v >> 1 & 0x5555555555555555;
	v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
	v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (unsigned)(v * 0x0101010101010101 >> 56);
#endif
}

/* A mask of the bits [from, to); to - from < 64. */
static inline uint64_t
scan_range(unsigned from, unsigned to)
{
	return (((uint64_t)1 << (to - from)) - 1) << from;
}

/* Returns the end of the token at `from`: the next blank, or the end of the line. */
static inline unsigned
scan_token(const struct scan *s, unsigned from)
{
	uint64_t rest = (s->blank | (uint64_t)1 << (s->n & 63)) >> from;

	return from + (unsigned)__builtin_ctzll(rest);
}

/*
 * Are the bytes [from, n) at most `most` canonical whole numbers, separated by
 * single blanks?
 */
static inline __attribute__((always_inline)) bool
scan_numbers(const struct scan *s, unsigned from, uint64_t most)
{
	uint64_t all = scan_range(from, s->n), blank = s->blank & all;
	uint64_t start = blank << 1 | (uint64_t)1 << from;
	uint64_t bad = all & ~(s->digit | blank);

	bad |= start & ~s->digit;		/* none, or two blanks, or one last */
	bad |= start & s->zero & s->digit >> 1;	/* a zero before other digits */
	/* A number takes at least two bytes, so there is rarely a need to count. */
	if (__builtin_expect((s->n - from + 1) / 2 > most, 0))
		bad |= scan_count(blank) + 1 > most;
	return bad == 0;
}

/*
 * Checks numbers up to the newline one by one, in a line of any length.  Returns the
 * newline, with *values set, or NULL.  Negative numbers are accepted, "-" alone (absent) is
 * not.
 */
static inline const char *
scan_values(const char *p, char sep, uint64_t most, struct text *values)
{
	const char *start = p;

	for (;; p++) {
		if (most-- == 0 || (*p == '-' && (p[1] < '1' || p[1] > '9')))
			return NULL;
		p += *p == '-';
		if (*p == '0')
			p++;
		else if (*p < '1' || *p > '9')
			return NULL;
		else
			while (*++p >= '0' && *p <= '9')
				;
		if (*p == '\n')
			break;
		if (*p != sep)
			return NULL;
	}
	*values = (struct text){ start, (size_t)(p - start) };
	return p;
}

/* Returns the length of the word at p, up to a blank or a control character; 16 stands for
 * 16 or more. */
static inline unsigned
scan_word(const char *p)
{
#if defined __SSE2__
	__m128i v;

	memcpy(&v, p, sizeof v);
	v = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(' ')), v);
	return (unsigned)__builtin_ctz((unsigned)_mm_movemask_epi8(v) | 1u << 16);
#else
	unsigned n;

	for (n = 0; n < 16 && (unsigned char)p[n] > ' '; n++)
		;
	return n;
#endif
}

/* Returns the newline at p or after it, which there must be before `end`.  Nearly always it
 * is near. */
static inline const char *
scan_newline(const char *p, const char *end)
{
#if defined __SSE2__
	__m128i v;
	unsigned bits, i;

	for (i = 0; i < 2; i++, p += 16) {
		memcpy(&v, p, sizeof v);
		bits = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')));
		if (bits)
			return p + __builtin_ctz(bits);
	}
#endif
	return memchr(p, '\n', (size_t)(end - p));
}

/* Returns the first byte of [p, end) that is c but for the bits of `any`, or the end.  May
 * read 15 bytes beyond that. */
static inline __attribute__((always_inline)) const char *
scan_find_any(const char *p, const char *end, char c, char any)
{
#if defined __SSE2__
	__m128i v;
	unsigned found;

	for (; p < end; p += 16) {
		memcpy(&v, p, sizeof v);
		v = _mm_or_si128(v, _mm_set1_epi8(any));
		found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c | any)));
		if (found) {
			p += __builtin_ctz(found);
			return p < end ? p : end;
		}
	}
	return end;
#else
	while (p < end && (*p | any) != (c | any))
		p++;
	return p;
#endif
}

/* Returns the first byte c, or the end. */
static inline const char *
scan_find(const char *p, const char *end, char c)
{
	return scan_find_any(p, end, c, 0);
}

/* Returns the first byte c or c + 1, of which c is even, or the end. */
static inline const char *
scan_find_pair(const char *p, const char *end, char c)
{
	return scan_find_any(p, end, c, 1);
}

/* Returns the number of blanks at p; 16 stands for 16 or more. */
static inline unsigned
scan_blanks(const char *p)
{
#if defined __SSE2__
	__m128i v;

	memcpy(&v, p, sizeof v);
	return (unsigned)__builtin_ctz(~(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v,
	    _mm_set1_epi8(' '))));
#else
	unsigned n;

	for (n = 0; n < 16 && p[n] == ' '; n++)
		;
	return n;
#endif
}

#define SCAN_DIGITS 7
#define SCAN_HEX 8

/* The value of n digits at p, n from 0 to SCAN_DIGITS. */
static inline uint64_t
scan_dec(const char *p, unsigned n)
{
	uint64_t v;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	memcpy(&v, p, 8);
	/* Shift the digits to the high end; zeros come in before them. */
	v = (v & 0x0f0f0f0f0f0f0f0f) << 8 << (56 - 8 * n);
	v = (v * 10 + (v >> 8)) & 0x00ff00ff00ff00ff;
	v = (v * 100 + (v >> 16)) & 0x0000ffff0000ffff;
	v = (v * 10000 + (v >> 32)) & 0xffffffff;
#else
	for (v = 0; n; n--)
		v = v * 10 + (uint64_t)(*p++ - '0');
#endif
	return v;
}

/* Reads n lower-case hex digits at p, n from 1 to SCAN_HEX; false if there are other
 * bytes. */
static inline bool
scan_hex(const char *p, unsigned n, uint64_t *out)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const uint64_t ones = 0x0101010101010101;
	uint64_t v, nibble, letter;

	memcpy(&v, p, 8);
	v <<= 64 - 8 * n;	/* to the high end, after zero bytes */
	v |= n < 8 ? 0x3030303030303030 >> 8 * n : 0;
	letter = v >> 6 & ones;
	nibble = (v & 0x0f * ones) + 9 * letter;
	/* Converted back, only 0-9 and a-f give the same bytes. */
	if (nibble & 0xf0 * ones || nibble + 0x30 * ones + ((nibble + 6 * ones) >> 4 &
	    ones) * ('a' - '9' - 1) != v)
		return false;
	v = (nibble << 4 | nibble >> 8) & 0x00ff00ff00ff00ff;
	v = (v << 8 | v >> 16) & 0x0000ffff0000ffff;
	*out = (v << 16 | v >> 32) & 0xffffffff;
	return true;
#else
	(void)p;
	(void)n;
	(void)out;
	return false;
#endif
}

/*
 * Numbers of successive lines often differ in their last two digits only.  This keeps the
 * previous number's other digits, as text and as value.
 */
struct scan_near {
	uint64_t text, high;
	unsigned n;		/* bytes of the number; 0: none */
};

#define SCAN_NEAR_LEAST 3
#define SCAN_NEAR_MOST 10

/* Returns all but the last two of the n bytes that end at `end`, as one word. */
static inline uint64_t
scan_near_text(const char *end, unsigned n)
{
	uint64_t v;

	memcpy(&v, end - SCAN_NEAR_MOST, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v >> 8 * (SCAN_NEAR_MOST - n);
}

/* Remembers a canonical number of n bytes; high: its value without the last two digits.
 * SCAN_NEAR_MOST bytes before `end` must be readable. */
static inline void
scan_near_set(struct scan_near *a, const char *end, unsigned n, uint64_t high)
{
	a->n = n >= SCAN_NEAR_LEAST && n <= SCAN_NEAR_MOST ? n : 0;
	if (a->n)
		a->text = scan_near_text(end, n);
	a->high = high;
}

/* Reads a number of n bytes that differs from the remembered one in its last two digits
 * only; false: it does not.  The same bytes must be readable. */
static inline bool
scan_near(const struct scan_near *a, const char *end, unsigned n, unsigned base,
    uint64_t *out)
{
	unsigned tens = num_nibble[(unsigned char)end[-2]] - 1u;
	unsigned ones = num_nibble[(unsigned char)end[-1]] - 1u;

	if (tens >= base || ones >= base || n != a->n ||
	    scan_near_text(end, n) != a->text)
		return false;
	*out = a->high + base * tens + ones;
	return true;
}

#endif

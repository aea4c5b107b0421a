/* SPDX-License-Identifier: ISC */
/*
 * Usual cost lines: positions, which are one of "*", "+N", "-N", N and 0xN, and canonical
 * costs, with single blanks.  Any other line is left to the general path.
 */
#ifndef PROF_CODEC_CALLGRIND_USUAL_H
#define PROF_CODEC_CALLGRIND_USUAL_H

#include "base.h"
#include "positions.h"
#include "util/wide.h"

#ifdef HAVE_WIDE
#include <immintrin.h>
#endif

/* A cost line: its positions, its first cost, its length without the newline. */
struct usual_cost {
	struct base at;
	uint64_t value;
	size_t n;
};

/* Reads positions that are followed by a blank, and by something else than a blank; eol:
 * or by the newline.  Returns the byte after the blank, or the newline; NULL for others. */
static inline __attribute__((always_inline)) const char *
usual_positions(const char *p, const struct base *base, struct base *at,
    const bool instr, const bool eol)
{
	at->addr = base->addr;
	return (instr && !(p = cg_short_position(p, base->addr, &at->addr, false))) ||
	    !(p = cg_short_position(p, base->line, &at->line, eol)) ? NULL : p;
}

/* Counts the digits at p, 16 for 16 or more; hex: those of hexadecimal numbers. */
static inline __attribute__((always_inline)) unsigned
usual_digits(const char *p, const bool hex)
{
#if defined __SSE2__
	__m128i v, d, h;

	memcpy(&v, p, sizeof v);
	d = _mm_sub_epi8(v, _mm_set1_epi8('0'));
	d = _mm_cmpeq_epi8(_mm_min_epu8(d, _mm_set1_epi8(9)), d);
	if (hex) {
		h = _mm_sub_epi8(v, _mm_set1_epi8('a'));
		d = _mm_or_si128(d, _mm_cmpeq_epi8(_mm_min_epu8(h, _mm_set1_epi8(5)), h));
	}
	return (unsigned)__builtin_ctz(~(unsigned)_mm_movemask_epi8(d));
#else
	unsigned n;

	for (n = 0; n < 16 && ((p[n] >= '0' && p[n] <= '9') ||
	    (hex && p[n] >= 'a' && p[n] <= 'f')); n++)
		;
	return n;
#endif
}

/* Passes over a position that cg_short_position() would read; NULL for others. */
static inline __attribute__((always_inline)) const char *
usual_pass(const char *p, uint64_t base)
{
	const char first = *p;
	unsigned n;

	if (first == '*')
		return p + 1;
	if (first == '0' && p[1] == 'x') {
		n = usual_digits(p + 2, true);
		return n - 1 < SCAN_HEX ? p + 2 + n : NULL;
	}
	p += first == '+' || first == '-';
	n = usual_digits(p, false);
	if (n - 1 >= SCAN_DIGITS || base >= INT64_MAX ||
	    (first == '-' && scan_dec(p, n) > base))
		return NULL;
	return p + n;
}

/* Reads any usual cost line. */
static inline bool
usual_cost_any(const char *p, const struct base *base, uint64_t nevents,
    struct usual_cost *c, const bool instr)
{
	const char *q = usual_positions(p, base, &c->at, instr, false), *lf;
	struct text values;

	if (!q || *q < '0' || *q > '9' || !(lf = cg_usual_values(q, nevents, &values)) ||
	    !num_get_u64(q, &c->value))
		return false;
	c->n = (size_t)(lf - p);
	return true;
}

#ifdef HAVE_WIDE
/*
 * Positions that are read at once, by their first byte: a bit for each length that they may
 * have; the factor of their digits, where a sign and "*" count as zeros; whether the base is
 * added.  No bits: no position begins so.
 */
static const struct {
	unsigned char lengths;
	signed char factor, relative;
	char none;		/* four bytes are found sooner than three */
} usual_first[256] = {
	['*'] = { 1 << 1, 0, -1, 0 },
	['+'] = { 1 << 2 | 1 << 3 | 1 << 4, 1, -1, 0 },
	['-'] = { 1 << 2 | 1 << 3 | 1 << 4, -1, -1, 0 },
	['0' ... '9'] = { 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4, 1, 0, 0 },
};

#define USUAL_COST_LENGTHS 0x1fe	/* of a first cost that is read at once: 1 to 8 */

/* What bytes are compared with, and a bit for each byte that is one. */
struct usual_classes {
	__m256i newline, blank, zero, nine;
	uint64_t few;		/* bits of a line in which costs are few enough */
};

struct usual_masks {
	uint64_t newline, blank, digit;
};

/* Keeps a constant in a register: otherwise the compiler makes it anew for each line. */
WIDE static inline __m256i
usual_constant(char c)
{
	__m256i v = _mm256_set1_epi8(c);

	__asm__("" : "+x" (v));
	return v;
}

WIDE static inline __attribute__((always_inline)) uint64_t
usual_bits(__m256i eq, unsigned at)
{
	return (uint64_t)(unsigned)_mm256_movemask_epi8(eq) << at;
}

WIDE static inline __attribute__((always_inline)) void
usual_classify(const char *p, unsigned at, const struct usual_classes *k,
    struct usual_masks *m)
{
	const __m256i v = _mm256_loadu_si256((const __m256i_u *)(const void *)(p + at));
	const __m256i d = _mm256_sub_epi8(v, k->zero);

	m->newline |= usual_bits(_mm256_cmpeq_epi8(v, k->newline), at);
	m->blank |= usual_bits(_mm256_cmpeq_epi8(v, k->blank), at);
	m->digit |= usual_bits(_mm256_cmpeq_epi8(_mm256_min_epu8(d, k->nine), d), at);
}

/* Returns the n bytes at p, 1 to 4, the last one highest, after zero bytes. */
static inline __attribute__((always_inline)) uint64_t
usual_4(const char *p, unsigned n)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v << (-8 * n & 31);
}

/* The same for 1 to 8. */
static inline __attribute__((always_inline)) uint64_t
usual_8(const char *p, unsigned n)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v << (-8 * n & 63);
}

/* Reads numbers of four bytes each, where a byte below '0' is a zero. */
WIDE static inline __attribute__((always_inline)) __m128i
usual_numbers(uint64_t low, uint64_t high, __m256i zero)
{
	__m128i x = _mm_set_epi64x((long long)high, (long long)low);

	x = _mm_subs_epu8(x, _mm256_castsi256_si128(zero));
	x = _mm_maddubs_epi16(x, _mm_set1_epi16(10 | 1 << 8));
	return _mm_madd_epi16(x, _mm_set1_epi32(100 | 1 << 16));
}

static inline __attribute__((always_inline)) uint64_t
usual_position(unsigned char first, uint64_t n, uint64_t base)
{
	return (base & (uint64_t)(int64_t)usual_first[first].relative) +
	    n * (uint64_t)(int64_t)usual_first[first].factor;
}

/*
 * Reads a cost line of up to 63 bytes, with short positions and a short first cost, without
 * a branch for each token.  All bytes but blanks and the first byte of each position must
 * be digits; values begin with one.  Zeros before other digits do not change a sum.  False
 * for other lines, of which some are usual.
 */
WIDE static inline __attribute__((always_inline)) bool
usual_cost_wide(const char *p, const struct base *base, uint64_t nevents,
    const struct usual_classes *k, struct usual_cost *c, const bool instr)
{
	struct usual_masks m = { 0 };
	uint64_t below, blank, bad, ok, end1, end2, end3, from2;
	unsigned char first, second;
	__m128i x;

	usual_classify(p, 0, k, &m);
	if (__builtin_expect(!m.newline, 0)) {
		usual_classify(p, 32, k, &m);
		if (!m.newline)
			return false;
	}
	below = m.newline ^ (m.newline - 1);	/* with the newline's bit */
	blank = m.blank & below;
	end1 = instr ? _tzcnt_u64(blank) : 0;
	from2 = instr ? (end1 + 1) & 63 : 0;
	blank = instr ? _blsr_u64(blank) : blank;	/* those before costs */
	end2 = _tzcnt_u64(blank);
	end3 = _tzcnt_u64(_blsr_u64(blank) | m.newline);
	first = (unsigned char)*p;
	second = (unsigned char)p[from2];
	bad = below >> 1 & ~(m.blank | m.digit | 1 | (uint64_t)1 << from2);
	bad |= blank << 1 & ~m.digit;
	if (__builtin_expect(below > k->few, 0))
		bad |= (uint64_t)_mm_popcnt_u64(blank) > nevents;
	ok = (uint64_t)usual_first[second].lengths >> ((end2 - from2) & 63);
	ok &= (uint64_t)USUAL_COST_LENGTHS >> ((end3 - end2 - 1) & 63);
	if (instr)
		ok &= (uint64_t)usual_first[first].lengths >> (end1 & 63);
	if (__builtin_expect((bad | (~ok & 1)) != 0, 0))
		return false;
	x = usual_numbers((instr ? usual_4(p, (unsigned)end1) : 0) |
	    usual_4(p + from2, (unsigned)(end2 - from2)) << 32,
	    usual_8(p + end2 + 1, (unsigned)(end3 - end2 - 1)), k->zero);
	ok = (uint64_t)_mm_cvtsi128_si64(x);
	c->at.addr = base->addr;
	if (instr)
		c->at.addr = usual_position(first, (uint32_t)ok, base->addr);
	c->at.line = usual_position(second, ok >> 32, base->line);
	ok = (uint64_t)_mm_extract_epi64(x, 1);
	c->value = (uint32_t)ok * (uint64_t)10000 + (ok >> 32);
	c->n = (size_t)_tzcnt_u64(m.newline);
	return (int64_t)(c->at.addr | c->at.line) >= 0;	/* none is below 0, or far away */
}
#endif

#endif

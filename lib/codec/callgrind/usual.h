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

/* A cost line: its positions, its first cost, where its costs begin, and its newline. */
struct usual_cost {
	struct base at;
	uint64_t value;
	const char *costs, *end;
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
	struct text values;

	c->costs = usual_positions(p, base, &c->at, instr, false);
	return c->costs && *c->costs >= '0' && *c->costs <= '9' &&
	    (c->end = cg_usual_values(c->costs, nevents, &values)) &&
	    num_get_u64(c->costs, &c->value);
}

#ifdef HAVE_WIDE
/*
 * Positions that are read at once, by their first byte: a bit for each length that they may
 * have, and the sign.  No bits: no position begins so.
 */
static const int32_t usual_first[256] = {
	['*'] = 1 << 1,
	['+'] = 1 << 2 | 1 << 3 | 1 << 4,
	['-'] = 1 << 2 | 1 << 3 | 1 << 4 | INT32_MIN,
#define USUAL_ABSOLUTE (1 << 1 | 1 << 2 | 1 << 3 | 1 << 4)
	['0' ... '9'] = USUAL_ABSOLUTE,
};

static inline uint64_t
usual_lengths(unsigned char first)
{
	return (unsigned char)usual_first[first];
}

#define USUAL_COST_LENGTHS 0x1fe	/* of a first cost that is read at once: 1 to 8 */
#define USUAL_ENDS 0x1ffff		/* where it may end, as bits: 0 to 16 */

/* Where the bytes of two positions and of a cost are: each is moved to the end of its four
 * and eight bytes, after zeros.  By their lengths, of which the first may be 0. */
#define USUAL_BYTE(i, n, room, from) ((i) < (room) - (n) ? -1 : (from) + (i) - ((room) - (n)))
#define USUAL_4(n, from) USUAL_BYTE(0, n, 4, from), USUAL_BYTE(1, n, 4, from), \
	USUAL_BYTE(2, n, 4, from), USUAL_BYTE(3, n, 4, from)
#define USUAL_8(n, from) USUAL_BYTE(0, n, 8, from), USUAL_BYTE(1, n, 8, from), \
	USUAL_BYTE(2, n, 8, from), USUAL_BYTE(3, n, 8, from), USUAL_BYTE(4, n, 8, from), \
	USUAL_BYTE(5, n, 8, from), USUAL_BYTE(6, n, 8, from), USUAL_BYTE(7, n, 8, from)
#define USUAL_MOVE(a, b, c) { USUAL_4(a, 0), USUAL_4(b, (a) + ((a) > 0)), \
	USUAL_8(c, (a) + ((a) > 0) + (b) + 1) }
#define USUAL_MOVES(b, c) USUAL_MOVE(0, b, c), USUAL_MOVE(1, b, c), USUAL_MOVE(2, b, c), \
	USUAL_MOVE(3, b, c), USUAL_MOVE(4, b, c)
#define USUAL_MOVES_OF(c) USUAL_MOVES(1, c), USUAL_MOVES(2, c), USUAL_MOVES(3, c), \
	USUAL_MOVES(4, c)

static const signed char usual_moves[8 * 4 * 5][16] __attribute__((aligned(16))) = {
	USUAL_MOVES_OF(1), USUAL_MOVES_OF(2), USUAL_MOVES_OF(3), USUAL_MOVES_OF(4),
	USUAL_MOVES_OF(5), USUAL_MOVES_OF(6), USUAL_MOVES_OF(7), USUAL_MOVES_OF(8),
};

/* What bytes are compared with. */
struct usual_classes {
	__m256i newline, blank, zero, nine;
	uint64_t few;		/* bits of a line in which costs are few enough */
	uint64_t nevents;
};

struct usual_masks {
	uint64_t newline, blank, digit, zero;
};

/* The same of a line that was read at once; at: the base before it and then its positions,
 * the address and the line. */
struct usual_line {
	__m128i at;
	uint64_t value;
	const char *costs, *end;
};

/* Keeps a constant in a register: otherwise the compiler makes it anew for each line. */
WIDE static inline __m256i
usual_constant(char c)
{
	__m256i v = _mm256_set1_epi8(c);

	__asm__("" : "+x" (v));
	return v;
}

/* A position and a cost take at least a byte each, and those before them a blank. */
WIDE static inline __attribute__((always_inline)) struct usual_classes
usual_classes_of(uint64_t nevents)
{
	return (struct usual_classes){ usual_constant('\n'), usual_constant(' '),
	    usual_constant('0'), usual_constant(9),
	    nevents <= 30 ? ((uint64_t)1 << (2 * nevents + 3)) - 1 : UINT64_MAX, nevents };
}

WIDE static inline __attribute__((always_inline)) uint64_t
usual_bits(__m256i eq, unsigned at)
{
	return (uint64_t)(unsigned)_mm256_movemask_epi8(eq) << at;
}

WIDE static inline __attribute__((always_inline)) void
usual_classify(__m256i v, unsigned at, const struct usual_classes *k, struct usual_masks *m)
{
	const __m256i d = _mm256_sub_epi8(v, k->zero);

	m->newline |= usual_bits(_mm256_cmpeq_epi8(v, k->newline), at);
	m->blank |= usual_bits(_mm256_cmpeq_epi8(v, k->blank), at);
	m->digit |= usual_bits(_mm256_cmpeq_epi8(_mm256_min_epu8(d, k->nine), d), at);
	m->zero |= usual_bits(_mm256_cmpeq_epi8(v, k->zero), at);
}

WIDE static inline __m256i
usual_32(const char *p)
{
	return _mm256_loadu_si256((const __m256i_u *)(const void *)p);
}

/* Reads numbers of four bytes each, where a byte below '0' is a zero. */
WIDE static inline __attribute__((always_inline)) __m128i
usual_numbers(__m128i x, __m256i zero)
{
	x = _mm_subs_epu8(x, _mm256_castsi256_si128(zero));
	x = _mm_maddubs_epi16(x, _mm_set1_epi16(10 | 1 << 8));
	return _mm_madd_epi16(x, _mm_set1_epi32(100 | 1 << 16));
}

/* Returns the base after two positions with these numbers and first bytes; none: without the
 * first of them. */
WIDE static inline __attribute__((always_inline)) __m128i
usual_base(__m128i base, __m128i n, unsigned char first, unsigned char second, const bool none)
{
	const __m128i kind = _mm_insert_epi32(none ? _mm_setzero_si128() :
	    _mm_cvtsi32_si128(usual_first[first]), usual_first[second], 1);
	const __m128i absolute = _mm_cvtepi32_epi64(_mm_cmpeq_epi32(kind,
	    _mm_set1_epi32(USUAL_ABSOLUTE)));

	return _mm_add_epi64(_mm_andnot_si128(absolute, base),
	    _mm_cvtepi32_epi64(_mm_sign_epi32(n, kind)));
}

/*
 * Reads a cost line of up to 63 bytes, with short positions and a short first cost, without
 * a branch for each token.  All bytes but blanks and the first byte of each position must
 * be digits; values begin with one.  Zeros before other digits do not change a sum, but
 * text: its costs are canonical, and the first one is not read.  False for other lines, of
 * which some are usual; c->at is then as before.
 */
WIDE static inline __attribute__((always_inline)) bool
usual_cost_wide(const char *p, const struct usual_classes *k, struct usual_line *c,
    const bool instr, const bool text)
{
	struct usual_masks m = { 0 };
	uint64_t below, blank, bad, ok, end1, end2, end3, from2, n2, n3 = 1;
	const __m256i v = usual_32(p);
	unsigned char first, second;
	__m128i x;

	usual_classify(v, 0, k, &m);
	if (__builtin_expect(!m.newline, 0)) {
		usual_classify(usual_32(p + 32), 32, k, &m);
		if (!m.newline)
			return false;
	}
	below = m.newline ^ (m.newline - 1);	/* with the newline's bit */
	blank = m.blank & below;
	end1 = instr ? _tzcnt_u64(blank) : 0;
	from2 = instr ? (end1 + 1) & 63 : 0;
	blank = instr ? _blsr_u64(blank) : blank;	/* those before costs */
	end2 = _tzcnt_u64(blank);
	n2 = end2 - from2;
	first = (unsigned char)*p;
	second = (unsigned char)p[from2];
	bad = below >> 1 & ~(m.blank | m.digit | 1 | (uint64_t)1 << from2);
	bad |= blank << 1 & ~m.digit;
	if (__builtin_expect(below > k->few, 0))
		bad |= (uint64_t)_mm_popcnt_u64(blank) > k->nevents;
	ok = usual_lengths(second) >> (n2 & 63);
	if (text) {
		bad |= blank << 1 & m.zero & m.digit >> 1;
	} else {
		end3 = _tzcnt_u64(_blsr_u64(blank) | m.newline);
		n3 = end3 - end2 - 1;
		ok &= (uint64_t)USUAL_COST_LENGTHS >> (n3 & 63) & (uint64_t)USUAL_ENDS >> end3;
	}
	if (instr)
		ok &= usual_lengths(first) >> (end1 & 63);
	if (__builtin_expect((bad | (~ok & 1)) != 0, 0))
		return false;
	x = _mm_shuffle_epi8(_mm256_castsi256_si128(v), _mm_load_si128((const __m128i *)
	    (const void *)usual_moves[end1 + 5 * (n2 + 4 * n3) - 25]));
	x = usual_numbers(x, k->zero);
	ok = (uint64_t)_mm_extract_epi64(x, 1);
	x = usual_base(c->at, x, first, second, !instr);
	if (__builtin_expect(!_mm_testz_si128(x, _mm_set1_epi64x(INT64_MIN)), 0))
		return false;		/* one is below 0, or far away */
	c->at = x;
	c->value = (uint32_t)ok * (uint64_t)10000 + (ok >> 32);
	c->costs = p + end2 + 1;
	c->end = p + _tzcnt_u64(m.newline);
	return true;
}

/* Reads the address "0xN" and the blank after it: returns what comes then, NULL for others. */
WIDE static inline const char *
usual_address_wide(const char *p, struct usual_line *c)
{
	unsigned n;
	uint64_t addr;

	if (p[0] != '0' || p[1] != 'x')
		return NULL;
	n = scan_word(p + 2);
	if (n - 1 >= SCAN_HEX || p[2 + n] != ' ' || !scan_hex(p + 2, n, &addr))
		return NULL;
	c->at = _mm_insert_epi64(c->at, (long long)addr, 0);
	return p + 3 + n;
}
#endif

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Usual lines of self cost and of jumps as lines of a stream, for put_lines(): the place,
 * which is not known here, has neither a function nor a file.
 */
#ifndef PROF_CODEC_CALLGRIND_USUAL_TEXT_H
#define PROF_CODEC_CALLGRIND_USUAL_TEXT_H

#include "base.h"
#include "stream/copy_values.h"
#include "util/num.h"
#include "util/wide.h"

#ifdef HAVE_WIDE
#include <immintrin.h>
#endif

#define USUAL_PLACE "-\t-\t"	/* the place, as place_lines.as_read */
/* The most bytes of a line, beyond those of its costs or counts, with those that are written
 * after its end. */
#define USUAL_TEXT_ROOM 256

/* The address of the cost before, as text: the next one often differs in its last two digits
 * only. */
struct usual_address {
	uint64_t addr;
	size_t n;		/* of text; 0: there is none */
	char text[24];
};

static inline char *
usual_put_line(char *to, uint64_t line)
{
	if (__builtin_expect(line != 0, 1))
		return num_put_u64(to, line);
	*to = '-';
	return to + 1;
}

static inline __attribute__((always_inline)) char *
usual_put_address(char *to, uint64_t addr, struct usual_address *before)
{
	char *end;

	if (__builtin_expect(!before->n || (addr ^ before->addr) >= 0x100, 0)) {
		end = num_put_hex(to, addr);
		before->addr = addr;
		before->n = addr >= 0x100 ? (size_t)(end - to) : 0;
		memcpy(before->text, to, sizeof before->text);
		return end;
	}
	memcpy(to, before->text, sizeof before->text);
	to += before->n;
	to[-2] = "0123456789abcdef"[addr >> 4 & 15];
	to[-1] = "0123456789abcdef"[addr & 15];
	return to;
}

/* Writes what comes before the costs, with a TAB. */
static inline __attribute__((always_inline)) char *
usual_put_place(char *to, const char *tag, uint64_t addr, uint64_t line, const bool instr,
    struct usual_address *before)
{
	memcpy(to, tag, 5);
	memcpy(to + 5, USUAL_PLACE, 4);
	to = usual_put_line(to + 9, line);
	*to++ = '\t';
	if (instr)
		to = usual_put_address(to, addr, before);
	else
		*to++ = '-';
	*to++ = '\t';
	return to;
}

/* Writes the costs [p, end) and a newline. */
static inline char *
usual_put_costs(char *to, const char *p, const char *end)
{
	to = values_put(to, p, (size_t)(end - p), '\t');
	*to = '\n';
	return to + 1;
}

#ifdef HAVE_WIDE
WIDE static inline __attribute__((always_inline)) void
usual_put_32(char *to, const char *p)
{
	__m256i v = _mm256_loadu_si256((const __m256i_u *)(const void *)p);

	v = _mm256_xor_si256(v, _mm256_and_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(' ')),
	    _mm256_set1_epi8(' ' ^ '\t')));
	_mm256_storeu_si256((__m256i_u *)(void *)to, v);
}

/* The same for at most 63 bytes and the newline at `end`. */
WIDE static inline __attribute__((always_inline)) char *
usual_put_costs_wide(char *to, const char *p, const char *end)
{
	usual_put_32(to, p);
	if (__builtin_expect(end - p >= 32, 0))
		usual_put_32(to + 32, p + 32);
	return to + (end - p) + 1;
}
#endif

/* Jumps within a place: from a position to another. */
struct usual_jump {
	struct base from, to;
	const char *followed, *executed;	/* canonical; executed: NULL if absent */
	size_t n_followed, n_executed;
};

static inline char *
usual_put_jump(char *to, const struct usual_jump *j, const bool instr)
{
	struct usual_address none = { .n = 0 };

	to = usual_put_place(to, "jump\t", j->from.addr, j->from.line, instr, &none);
	memcpy(to, USUAL_PLACE, 4);
	to = usual_put_line(to + 4, j->to.line);
	*to++ = '\t';
	if (instr)
		to = num_put_hex(to, j->to.addr);
	else
		*to++ = '-';
	*to++ = '\t';
	memcpy(to, j->followed, j->n_followed);
	to += j->n_followed;
	*to++ = '\t';
	if (j->executed)
		memcpy(to, j->executed, j->n_executed);
	else
		*to = '-';
	to += j->executed ? j->n_executed : 1;
	*to = '\n';
	return to + 1;
}

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Positions, counts and costs as Callgrind's lines have them: the usual spellings here,
 * inline for speed, the others in positions.c.
 */
#ifndef PROF_CODEC_CALLGRIND_POSITIONS_H
#define PROF_CODEC_CALLGRIND_POSITIONS_H

#include "reader.h"
#include "util/scan.h"

/* All subpositions of a line and the blanks after them; NULL: bad. */
const char *cg_any_positions(const struct reader *rd, const char *p, struct pos *at);

/* As many subpositions as [p, end) has, up to those of a line: *n. */
const char *cg_few_positions(const struct reader *rd, const char *p, const char *end,
    struct pos *at, unsigned *n);

/* A count at p, in any spelling: canonical text in *b.  What follows it; NULL if there is
 * none. */
const char *cg_any_count(const char *p, const char *end, struct buf *b);

/* Any spelling of values made canonical, in rd->scratch.  LINE_OK or LINE_BAD. */
int cg_values(struct reader *rd, const char *p, const char *end, struct text *values);

/* After the blank at p, or at the newline where one may be; else NULL. */
static inline const char *
cg_short_end(const char *p, bool eol)
{
	return *p == ' ' ? p + 1 : eol && *p == '\n' ? p : NULL;
}

/*
 * A position that is one of "*", "+N", "-N", N and 0xN, and the blank after it.
 * Most are the first three with one digit.  NULL for any other.
 */
static inline __attribute__((always_inline)) const char *
cg_short_position(const char *p, uint64_t base, uint64_t *out, const bool eol)
{
	unsigned digit = (unsigned)(unsigned char)p[1] - '0', n;
	bool minus = *p == '-';
	uint64_t v;

	if (*p == '*') {
		*out = base;
		return cg_short_end(p + 1, eol);
	}
	/* base is 9 at least, and far from the end */
	if ((*p == '+' || minus) && digit < 10 && p[2] == ' ' && base - 9 < INT64_MAX) {
		*out = minus ? base - digit : base + digit;
		return p + 3;
	}
	if (*p == '+' || minus) {
		p++;
	} else if (*p == '0' && p[1] == 'x') {
		n = scan_word(p + 2);
		return n - 1 < SCAN_HEX && scan_hex(p + 2, n, out) ?
		    cg_short_end(p + 2 + n, eol) : NULL;
	} else {
		base = 0;
	}
	for (n = 0; p[n] >= '0' && p[n] <= '9'; n++)
		;
	if (n - 1 >= SCAN_DIGITS)
		return NULL;
	v = scan_dec(p, n);
	*out = minus ? base - v : base + v;
	return (minus ? base >= v : *out >= base) ? cg_short_end(p + n, eol) : NULL;
}

/* The two usual layouts are spelt out for the compiler. */
static inline const char *
cg_positions(const struct reader *rd, const char *p, struct pos *at)
{
	const char *q = p;

	if (rd->pos[rd->npos - 1] != POS_LINE || rd->npos > 2 ||
	    (rd->npos == 2 && (rd->pos[0] != POS_ADDR || !(q = cg_short_position(q,
	    rd->base.v[POS_ADDR], &at->v[POS_ADDR], false)) || *q <= ' ')) ||
	    !(q = cg_short_position(q, rd->base.v[POS_LINE], &at->v[POS_LINE], true)) ||
	    (*q <= ' ' && *q != '\n'))
		return cg_any_positions(rd, p, at);
	return q;
}

/* The same as cg_few_positions(); nearly always all are there. */
static inline const char *
cg_some_positions(const struct reader *rd, const char *p, const char *end,
    struct pos *at, unsigned *n)
{
	const char *q = cg_positions(rd, p, at);

	*n = rd->npos;
	return q ? q : cg_few_positions(rd, p, end, at, n);
}

static inline void
cg_set_place(const struct reader *rd, const struct pos *at, struct field *line,
    struct field *addr)
{
	line->n = at->v[POS_LINE];
	line->has = rd->has[POS_LINE] && line->n ? HAS_N : 0;
	addr->n = at->v[POS_ADDR];
	addr->has = rd->has[POS_ADDR] ? HAS_N : 0;
	if (__builtin_expect(rd->has[POS_BB], 0)) {
		addr->m = at->v[POS_BB];
		addr->has |= HAS_BB;
	}
}

/* A count at p, and what follows it; NULL if there is none.  *t is a part of the
 * line, if it is canonical, or *b. */
static inline const char *
cg_read_count(const char *p, const char *end, struct buf *b, struct text *t)
{
	const char *q = p;

	while (*q >= '0' && *q <= '9')	/* up to the newline at most */
		q++;
	if (q > p && *p != '0') {
		*t = (struct text){ p, (size_t)(q - p) };
		return q;
	}
	q = cg_any_count(p, end, b);
	*t = buf_as_text(b);
	return q;
}

#endif

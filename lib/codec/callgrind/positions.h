/* SPDX-License-Identifier: ISC */
/*
 * Positions, counts and costs in Callgrind's lines: the usual spellings here, inline for
 * speed, the others in positions.c.
 */
#ifndef PROF_CODEC_CALLGRIND_POSITIONS_H
#define PROF_CODEC_CALLGRIND_POSITIONS_H

#include "reader.h"
#include "util/scan.h"

/* Reads all subpositions of a line and the blanks after them; NULL: one is malformed. */
const char *cg_any_positions(const struct reader *rd, const char *p, struct pos *at);

/* Reads as many subpositions as [p, end) has, at most those of a line: *n. */
const char *cg_few_positions(const struct reader *rd, const char *p, const char *end,
    struct pos *at, unsigned *n);

/* Reads a count at p, in any spelling, as canonical text in *b.  Returns its end; NULL if
 * there is none. */
const char *cg_any_count(const char *p, const char *end, struct buf *b);

/* Makes values in any spelling canonical, in rd->scratch.  LINE_OK or LINE_BAD. */
int cg_values(struct reader *rd, const char *p, const char *end, struct text *values);

/* Returns the byte after the blank at p, or the newline at p if eol is true; otherwise
 * NULL. */
static inline const char *
cg_short_end(const char *p, bool eol)
{
	return *p == ' ' ? p + 1 : eol && *p == '\n' ? p : NULL;
}

/*
 * Reads a position that is one of "*", "+N", "-N", N and 0xN, and the blank after it.  Most
 * are the first three with one digit.  NULL for any other.
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
	/* base is at least 9, and far from the end */
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

/* The two usual layouts are written out for the compiler. */
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

/* The same as cg_few_positions(), for which nearly always all are there. */
static inline const char *
cg_some_positions(const struct reader *rd, const char *p, const char *end,
    struct pos *at, unsigned *n)
{
	const char *q = cg_positions(rd, p, at);

	*n = rd->npos;
	return q ? q : cg_few_positions(rd, p, end, at, n);
}

/* Reads values in their usual spelling; returns the newline, or NULL for any other. */
static inline const char *
cg_usual_values(const char *p, uint64_t most, struct text *values)
{
	struct scan s;

	if (!scan_line(p, ' ', &s))
		return scan_values(p, ' ', most, values);
	if (!s.n || !scan_numbers(&s, 0, most))
		return NULL;
	*values = (struct text){ p, s.n };
	return p + s.n;
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

/* Reads a count at p, and returns its end; NULL if there is none. *t is a part of the line,
 * if the count is canonical, or *b. */
static inline const char *
cg_read_count(const char *p, const char *end, struct buf *b, struct text *t)
{
	const char *q = p;

	while (*q >= '0' && *q <= '9')	/* at most up to the newline */
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

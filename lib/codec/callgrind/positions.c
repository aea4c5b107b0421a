/* SPDX-License-Identifier: ISC */
/* Positions, counts and costs in any spelling. */
#include "positions.h"

#include <inttypes.h>

#include "util/num.h"

/* Reads a number in decimal or hexadecimal; returns its end, NULL if there is none. */
static const char *
number(const char *p, uint64_t *out)
{
	const char *q;

	if (*p == '0' && p[1] == 'x')
		p += 2, q = num_get_hex(p, out);
	else
		q = num_get_u64(p, out);
	return q && q > p ? q : NULL;
}

/* Reads one subposition of any kind; returns its end, NULL if there is none. */
static const char *
subposition(const char *p, uint64_t base, uint64_t *out)
{
	const char *q;
	uint64_t v;

	switch (*p) {
	case '*':
		*out = base;
		return p + 1;
	case '+':
		q = number(p + 1, &v);
		return q && !__builtin_add_overflow(base, v, out) ? q : NULL;
	case '-':
		q = number(p + 1, &v);
		return q && !__builtin_sub_overflow(base, v, out) ? q : NULL;
	default:
		return number(p, out);
	}
}

/* Reads position k and the blanks after it; NULL: it is malformed. */
static const char *
position(const struct reader *rd, const char *p, unsigned k, struct pos *at)
{
	if (!(p = subposition(p, rd->base.v[k], &at->v[k])) ||
	    (!blank(*p) && *p != '\n' && *p != '\r'))
		return NULL;
	while (blank(*p))
		p++;
	return p;
}

const char *
cg_any_positions(const struct reader *rd, const char *p, struct pos *at)
{
	unsigned i;

	for (i = 0; i < rd->npos && p; i++)
		p = position(rd, p, rd->pos[i], at);
	return p;
}

const char *
cg_few_positions(const struct reader *rd, const char *p, const char *end, struct pos *at,
    unsigned *n)
{
	for (*n = 0; *n < rd->npos && p && p < end; ++*n)
		p = position(rd, p, rd->pos[*n], at);
	return p;
}

const char *
cg_any_count(const char *p, const char *end, struct buf *b)
{
	const char *q;
	char tmp[NUM_TEXT];
	uint64_t v;

	while (p < end && blank(*p))
		p++;
	if (end - p > 2 && p[0] == '0' && (p[1] | 32) == 'x') {
		q = num_get_hex(p + 2, &v);
		if (!q || q == p + 2 || q > end)
			return NULL;
		b->n = 0;
		buf_text(b, num_text_u64(tmp, v));
		return q;
	}
	q = p;
	while (q < end && *q >= '0' && *q <= '9')
		q++;
	if (q == p)
		return NULL;
	while (p < q - 1 && *p == '0')
		p++;
	b->n = 0;
	buf_add(b, p, (size_t)(q - p));
	return q;
}

int
cg_values(struct reader *rd, const char *p, const char *end, struct text *values)
{
	struct buf *b = &rd->scratch;
	char tmp[NUM_TEXT];
	uint64_t n = 0, v;

	b->n = 0;
	while (p < end && (blank(*p) || *p == '\r'))
		p++;
	while (p < end) {
		const char *word = p, *q;
		bool neg = *p == '-';

		while (p < end && !blank(*p) && *p != '\r')
			p++;
		if (n++ == rd->nevents)
			return BAD("more costs than events (%" PRIu64 "): %s",
			    rd->nevents, QUOTE_TO(word, p));
		if (b->n)
			buf_putc(b, ' ');
		q = word + neg;
		if (p - q > 2 && q[0] == '0' && (q[1] | 32) == 'x') {
			if (num_get_hex(q + 2, &v) != p)
				return BAD("expected a cost, found %s", QUOTE_TO(word, p));
			buf_add(b, "-", neg && v);
			buf_text(b, num_text_u64(tmp, v));
		} else {
			const char *digits = q;

			while (q < p && *q >= '0' && *q <= '9')
				q++;
			if (q == digits || q != p)
				return BAD("expected a cost, found %s", QUOTE_TO(word, p));
			while (digits < p - 1 && *digits == '0')
				digits++;
			buf_add(b, "-", neg && *digits != '0');
			buf_add(b, digits, (size_t)(p - digits));
		}
		while (p < end && (blank(*p) || *p == '\r'))
			p++;
	}
	*values = b->n ? buf_as_text(b) : (struct text){ 0 };
	return LINE_OK;
}

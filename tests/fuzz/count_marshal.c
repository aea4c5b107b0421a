/* SPDX-License-Identifier: ISC */
/* Python's marshal (Python/marshal.c), of which a profile is a dict of tuples. */
#include "count.h"

#define DEEPEST 20

struct reader {
	const unsigned char *p, *end;
	struct value { bool is_int; int64_t n; } ref[4096];
	size_t nref;
	wide *sum;		/* of the numbers of functions */
	uint64_t functions;
};

/* n bytes, the lowest one first. */
static bool
take(struct reader *rd, size_t n, int64_t *v)
{
	size_t i;

	if ((size_t)(rd->end - rd->p) < n)
		return false;
	for (*v = 0, i = 0; i < n && i < 8; i++)
		*v |= (int64_t)((uint64_t)rd->p[i] << 8 * i);
	rd->p += n;
	return true;
}

static bool
skip(struct reader *rd, int64_t n)
{
	int64_t v;

	return n >= 0 && take(rd, (size_t)n, &v);
}

static bool read_value(struct reader *rd, unsigned depth, struct value *v);

/* The numbers of a function are calls that are not recursive, and all. */
static bool
members(struct reader *rd, unsigned depth, int64_t n)
{
	struct value v;
	int64_t i;

	for (i = 0; i < n; i++) {
		if (!read_value(rd, depth + 1, &v))
			return false;
		if (depth != 1 || n != 5 || i > 1)
			continue;
		if (!v.is_int)
			return false;
		rd->sum[3 - i] += (wide)(__int128)v.n;
		rd->functions += i == 0;
	}
	return true;
}

static bool
read_dict(struct reader *rd, unsigned depth)
{
	struct value v;

	while (rd->p < rd->end && *rd->p != '0')
		if (!read_value(rd, depth + 1, &v) || !read_value(rd, depth + 1, &v))
			return false;
	return rd->p++ < rd->end;
}

/* Digits of 15 bits; the sign is that of how many there are. */
static bool
read_long(struct reader *rd, struct value *v)
{
	int64_t n, i, digit;
	uint64_t sum = 0;

	if (!take(rd, 4, &n))
		return false;
	n = (int32_t)n;
	for (i = 0; i < (n < 0 ? -n : n); i++) {
		if (i > 3 || !take(rd, 2, &digit))
			return false;
		sum |= (uint64_t)digit << 15 * i;
	}
	*v = (struct value){ true, (int64_t)(n < 0 ? -sum : sum) };
	return true;
}

/* What a value of this type has after it. */
static bool
read_rest(struct reader *rd, unsigned depth, int type, struct value *v)
{
	int64_t n;

	switch (type) {
	case 'i':
		if (!take(rd, 4, &n))
			return false;
		*v = (struct value){ true, (int32_t)n };
		return true;
	case 'l': return read_long(rd, v);
	case 'g': return skip(rd, 8);
	case 'z': case 'Z': return take(rd, 1, &n) && skip(rd, n);
	case 'a': case 'A': case 'u': case 't': return take(rd, 4, &n) && skip(rd, n);
	case ')': return take(rd, 1, &n) && members(rd, depth, n);
	case '{': return read_dict(rd, depth);
	case 'r':
		if (!take(rd, 4, &n) || (uint64_t)n >= rd->nref)
			return false;
		*v = rd->ref[n];
		return true;
	default: return false;	/* another number, or code */
	}
}

static bool
read_value(struct reader *rd, unsigned depth, struct value *v)
{
	const size_t at = rd->nref;
	int64_t type;

	*v = (struct value){ false, 0 };
	if (depth > DEEPEST || !take(rd, 1, &type))
		return false;
	if (type & 0x80 && rd->nref++ == sizeof rd->ref / sizeof *rd->ref)
		return false;
	if (!read_rest(rd, depth, (int)type & 0x7f, v))
		return false;
	if (type & 0x80)
		rd->ref[at] = *v;
	return true;
}

bool
count_pstats(struct text input, struct counts *c)
{
	static struct reader rd;
	struct count *cost = &c->kind[COUNT_COST];
	struct value v;

	*cost = (struct count){ .known = true, .sums = 0xc };
	rd = (struct reader){ .p = (const unsigned char *)input.s,
	    .end = (const unsigned char *)input.s + input.n, .sum = cost->sum };
	if (!input.n || (*rd.p & 0x7f) != '{' || !read_value(&rd, 0, &v))
		return false;
	cost->records = rd.functions;
	return true;
}

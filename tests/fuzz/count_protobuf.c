/* SPDX-License-Identifier: ISC */
/* Messages of protobuf.dev/programming-guides/encoding.  What is malformed anywhere on
 * the way to a sample has no samples that may be read. */
#include "count.h"

struct field {
	uint64_t number, n;
	unsigned type;
	struct text bytes;
};

/* Takes a varint of at most 64 bits off a message. */
static bool
varint(struct text *m, uint64_t *n)
{
	wide v = 0;
	size_t i = 0;

	do {
		if (i == m->n || i == 10)
			return false;
		v |= (wide)(m->s[i] & 0x7f) << 7 * i;
	} while (m->s[i++] & 0x80);
	*m = (struct text){ m->s + i, m->n - i };
	*n = (uint64_t)v;
	return v == *n;
}

static bool
take(struct text *m, struct field *f)
{
	static const size_t sizes[] = { [1] = 8, [5] = 4 };
	uint64_t key;

	if (!varint(m, &key))
		return false;
	*f = (struct field){ .number = key >> 3, .type = key & 7 };
	if (f->type == 0)
		return varint(m, &f->n);
	if (f->type == 2 && !varint(m, &f->n))
		return false;
	if (f->type == 1 || f->type == 5)
		f->n = sizes[f->type];
	else if (f->type != 2)
		return false;
	if (f->n > m->n)
		return false;
	f->bytes = (struct text){ m->s, f->n };
	*m = (struct text){ m->s + f->n, m->n - f->n };
	return true;
}

/* Values come one by one or packed. */
static bool
add_values(const struct field *f, struct count *c, size_t *n)
{
	struct text rest = f->bytes;
	uint64_t v = f->n;

	do {
		if (f->type == 2 && rest.n && !varint(&rest, &v))
			return false;
		if (f->type != 2 || f->bytes.n) {
			if (*n < COUNT_SUMS)
				c->sum[*n] += (wide)(__int128)(int64_t)v;
			++*n;
		}
	} while (f->type == 2 && rest.n);
	return f->type == 2 || f->type == 0;
}

static bool
pprof_sample(struct text m, struct count *c)
{
	struct field f;
	size_t n = 0;

	while (m.n) {
		if (!take(&m, &f) || (f.number == 2 && !add_values(&f, c, &n)))
			return false;
		c->labels += f.number == 3;
	}
	c->records++;
	return true;
}

bool
count_pprof(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	struct field f;

	*samples = (struct count){ .known = true, .labels_known = true, .sums = UINT32_MAX };
	while (input.n)
		if (!take(&input, &f) || (f.number == 2 && !pprof_sample(f.bytes, samples)))
			return false;
	return true;
}

/* Resources have scopes, these profiles, and these samples: fields 1, 2, 2 and 2. */
static bool
otlp(struct text m, unsigned level, struct count *c)
{
	struct field f;

	while (m.n) {
		if (!take(&m, &f))
			return false;
		if (f.number != 1 + (level > 0))
			continue;
		if (level == 3)
			c->records++;
		else if (!otlp(f.bytes, level + 1, c))
			return false;
	}
	return true;
}

bool
count_otlp(struct text input, struct counts *c)
{
	const unsigned char *p = (const unsigned char *)input.s;
	size_t n;

	c->kind[COUNT_SAMPLE].known = true;
	if (!input.n || *p == 10 || *p == 18)
		return otlp(input, 0, &c->kind[COUNT_SAMPLE]);
	/* Messages, each after its length. */
	for (; input.n; input.s += n, input.n -= n) {
		p = (const unsigned char *)input.s;
		n = input.n < 4 ? SIZE_MAX : (size_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
		if (input.n < 4 || n > input.n - 4 ||
		    !otlp((struct text){ input.s + 4, n }, 0, &c->kind[COUNT_SAMPLE]))
			return false;
		n += 4;
	}
	return true;
}

/* SPDX-License-Identifier: ISC */
#include "merge/compact.h"

#include <stdlib.h>

#include "mem.h"

#define MANY ((size_t)1 << 20)	/* rows that are left unsorted at least */
#define NUMBER 10		/* the most bytes of a number */
#define LARGEST ((uint64_t)INT64_MAX)

static void
chunks_free(struct chunks *c)
{
	free(c->v);
	free(c->byte);
	*c = (struct chunks){ 0 };
}

void
compact_init(struct compact *c)
{
	*c = (struct compact){ 0 };
	table_init(&c->block, 2, 0);
}

void
compact_free(struct compact *c)
{
	table_free(&c->block);
	chunks_free(&c->done);
	chunks_free(&c->fresh);
}

/* ---- rows in ---- */

static inline unsigned char *
put_number(unsigned char *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (unsigned char)(v | 0x80);
	*p++ = (unsigned char)v;
	return p;
}

static struct chunk *
add_chunk(struct chunks *c, uint32_t block, size_t ncol)
{
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	c->v[c->n] = (struct chunk){ .block = block, .sorted = true, .ncol = ncol,
	    .from = c->nbyte };
	return &c->v[c->n++];
}

/* Room for a row. */
static inline unsigned char *
room(struct chunks *c, size_t ncol)
{
	const size_t most = NUMBER * (ncol + 1);

	if (c->nbyte + most > c->capbyte)
		c->byte = mem_grow(c->byte, &c->capbyte, c->nbyte + most, 1);
	return c->byte + c->nbyte;
}

static inline void
end_row(struct chunks *c, struct chunk *k, uint32_t line, const unsigned char *end)
{
	c->nbyte = (size_t)(end - c->byte);
	k->bytes = c->nbyte - k->from;
	k->sorted &= !k->n || line > k->last;
	k->last = line;
	k->n++;
	c->nrow++;
}

void
compact_begin(struct compact *c, uint64_t func, uint64_t file, size_t ncol)
{
	const uint64_t key[2] = { func, file };

	if (c->fresh.nrow > MANY && c->fresh.nrow > c->done.nrow)
		compact_settle(c);
	add_chunk(&c->fresh, (uint32_t)table_row(&c->block, key), ncol);
}

/* The next value of a run, 0 behind its end; false if it is none of ours. */
static inline bool
next_value(const char **p, const char *end, uint64_t *out)
{
	const char *start = *p;
	uint64_t v = 0;
	unsigned d;

	while (*p < end && (d = (unsigned char)**p - '0') < 10) {
		v = v * 10 + d;
		++*p;
	}
	*out = v;
	if (*p == end)
		return *p != start && *p - start <= 18;
	if (*p == start || *p - start > 18 || (**p != ' ' && **p != '\t'))
		return false;
	++*p;
	return true;
}

/* The first n values were added, and one of the others is none of ours. */
static void
take_back(struct text values, size_t n, num *self)
{
	const char *p = values.s, *end = p + values.n;
	uint64_t v;
	size_t i;

	for (i = 0; i < n && next_value(&p, end, &v); i++)
		self[i] -= v;
}

/* In any order: by way of an array. */
static bool
add_mapped(struct chunk *k, unsigned char **to, struct text values, size_t n,
    const size_t *column, num *self)
{
	uint64_t *val = mem_alloc(k->ncol + 1, sizeof *val), v = 0;
	const char *p = values.n ? values.s : "", *end = p + values.n;
	bool good = true;
	size_t i;

	for (i = 0; i < n && good; i++) {
		good = p == end || next_value(&p, end, &v);
		if (good)
			self[i] += v;
		else
			take_back(values, i, self);
		val[column[i]] = v + 1;
		v = 0;
	}
	for (i = 0; i < k->ncol && good; i++)
		*to = put_number(*to, val[i]);
	free(val);
	return good;
}

bool
compact_add(struct compact *c, uint32_t line, struct text values, size_t n,
    const size_t *column, num *self)
{
	struct chunk *k = &c->fresh.v[c->fresh.n - 1];
	unsigned char *to = put_number(room(&c->fresh, k->ncol), line);
	const char *p = values.n ? values.s : "", *const end = p + values.n;
	size_t i;

	if (column) {
		if (!add_mapped(k, &to, values, n, column, self))
			return false;
		end_row(&c->fresh, k, line, to);
		return true;
	}
	for (i = 0; i < n && p < end; i++) {
		uint64_t v = (unsigned char)*p - (uint64_t)'0';

		/* Mostly it is one digit. */
		if (v < 10 && p + 1 < end && (p[1] == ' ' || p[1] == '\t'))
			p += 2;
		else if (!next_value(&p, end, &v)) {
			take_back(values, i, self);
			return false;
		}
		self[i] += v;
		to = put_number(to, v + 1);
	}
	for (; i < n; i++)
		*to++ = 1;
	for (; i < k->ncol; i++)
		*to++ = 0;
	end_row(&c->fresh, k, line, to);
	return true;
}

/* ---- sorting ---- */

/* A row of several chunks. */
struct ref {
	uint32_t line, ncol;
	const unsigned char *val, *end;
};

static int
by_line(const void *pa, const void *pb)
{
	const struct ref *a = pa, *b = pb;

	return a->line < b->line ? -1 : a->line > b->line;
}

struct settling {
	struct compact *c;
	struct chunks out;
	struct ref *ref, *other;	/* of the block at hand */
	size_t nref, capref, capother;
	uint64_t *sum, *val;
	size_t ncol;		/* the most that a chunk has */
};

static void
add_refs(struct settling *s, const struct chunks *from, const struct chunk *k)
{
	const unsigned char *p = from->byte + k->from;
	struct ref *r;
	size_t i, col;

	s->ref = mem_grow(s->ref, &s->capref, s->nref + k->n, sizeof *s->ref);
	r = s->ref + s->nref;
	for (i = 0; i < k->n; i++, r++) {
		r->line = (uint32_t)compact_get(&p);
		r->ncol = (uint32_t)k->ncol;
		r->val = p;
		for (col = 0; col < k->ncol; p++)
			col += *p < 0x80;
		r->end = p;
	}
	s->nref += k->n;
}

/* Both sorted: [0, middle) and the rest. */
static void
join(struct settling *s, size_t middle)
{
	const struct ref *a = s->ref, *a_end = a + middle, *b = a_end,
	    *b_end = s->ref + s->nref;
	struct ref *to;

	if (!middle || middle == s->nref || a_end[-1].line <= b->line)
		return;
	to = s->other = mem_grow(s->other, &s->capother, s->nref, sizeof *s->other);
	while (a < a_end && b < b_end)
		*to++ = b->line < a->line ? *b++ : *a++;
	while (a < a_end)
		*to++ = *a++;
	memcpy(s->ref, s->other, (size_t)(to - s->other) * sizeof *to);
}

static void
get_row(const struct ref *r, uint64_t *val, size_t ncol)
{
	const unsigned char *p = r->val;
	size_t i;

	for (i = 0; i < r->ncol; i++)
		val[i] = compact_get(&p);
	for (; i < ncol; i++)
		val[i] = 0;
}

/* Adds a row to s->sum unless something does not fit. */
static bool
add_row(struct settling *s, const struct ref *r)
{
	size_t i;

	get_row(r, s->val, s->ncol);
	for (i = 0; i < s->ncol; i++)
		if (s->val[i] && s->sum[i] && s->val[i] + s->sum[i] > LARGEST)
			return false;
	for (i = 0; i < s->ncol; i++)
		s->sum[i] += s->val[i] - (s->val[i] && s->sum[i]);
	return true;
}

/* The rows [i, n) of one line, as one. */
static void
put_rows(struct settling *s, struct chunk *out, const struct ref *r, size_t n)
{
	unsigned char *to = put_number(room(&s->out, s->ncol), r->line);
	size_t i;

	if (n == 1 && r->ncol == s->ncol) {
		memcpy(to, r->val, (size_t)(r->end - r->val));
		end_row(&s->out, out, r->line, to + (r->end - r->val));
		return;
	}
	get_row(r, s->sum, s->ncol);
	for (i = 1; i < n; i++)
		if (!add_row(s, &r[i]))
			s->c->large(s->c->arg, table_key(&s->c->block, out->block),
			    r->line, s->val, s->ncol);
	for (i = 0; i < s->ncol; i++)
		to = put_number(to, s->sum[i]);
	end_row(&s->out, out, r->line, to);
}

/* The chunks of a block: next[] leads from one to the other. */
static void
settle_block(struct settling *s, uint32_t block, size_t chunk, const size_t *next)
{
	const struct compact *c = s->c;
	struct chunk *out;
	size_t i, n;

	s->nref = 0;
	if (block < c->done.n)
		add_refs(s, &c->done, &c->done.v[block]);
	for (; chunk; chunk = next[chunk - 1]) {
		const struct chunk *k = &c->fresh.v[chunk - 1];
		size_t middle = s->nref;

		add_refs(s, &c->fresh, k);
		if (!k->sorted)
			qsort(s->ref + middle, k->n, sizeof *s->ref, by_line);
		join(s, middle);
	}
	out = add_chunk(&s->out, block, s->ncol);
	for (i = 0; i < s->nref; i += n) {
		for (n = 1; i + n < s->nref && s->ref[i + n].line == s->ref[i].line; n++)
			;
		put_rows(s, out, &s->ref[i], n);
	}
}

static size_t
most_columns(const struct chunks *c, size_t most)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		most = c->v[i].ncol > most ? c->v[i].ncol : most;
	return most;
}

void
compact_settle(struct compact *c)
{
	struct settling s = { .c = c };
	size_t *first, *next, i;

	if (!c->fresh.n)
		return;
	s.ncol = most_columns(&c->done, most_columns(&c->fresh, 0));
	s.sum = mem_alloc(s.ncol + 1, sizeof *s.sum);
	s.val = mem_alloc(s.ncol + 1, sizeof *s.val);
	first = mem_alloc(c->block.n + 1, sizeof *first);
	next = mem_alloc(c->fresh.n + 1, sizeof *next);
	for (i = c->fresh.n; i-- > 0; ) {
		next[i] = first[c->fresh.v[i].block];
		first[c->fresh.v[i].block] = i + 1;
	}
	for (i = 0; i < c->block.n; i++)
		settle_block(&s, (uint32_t)i, first[i], next);
	chunks_free(&c->done);
	c->done = s.out;
	c->fresh.n = c->fresh.nrow = c->fresh.nbyte = 0;
	free(s.sum);
	free(s.val);
	free(s.ref);
	free(s.other);
	free(first);
	free(next);
}

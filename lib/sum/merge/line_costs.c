/* SPDX-License-Identifier: ISC */
#include "line_costs.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/scan.h"

#define MANY ((size_t)1 << 20)	/* possible duplicates before summing */
#define NUMBER 10		/* the most bytes of a number */

void
line_costs_init(struct line_costs *c)
{
	*c = (struct line_costs){ 0 };
	sums_init(&c->block, 2, 0);
}

void
line_costs_free(struct line_costs *c)
{
	sums_free(&c->block);
	free(c->v);
	free(c->byte);
	free(c->val);
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
add_chunk(struct line_costs *c, uint32_t block, size_t ncol)
{
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	c->v[c->n] = (struct chunk){ .block = block, .sorted = true,
	    .ncol = (uint32_t)ncol, .from = c->nbyte };
	return &c->v[c->n++];
}

/* Are there many columns? */
static inline bool
is_wide(size_t ncol)
{
	return ncol > TABLE_WIDE;
}

/* Returns room for a row of n values. */
static inline unsigned char *
room(struct line_costs *c, size_t n)
{
	const size_t most = NUMBER * (n + 3);

	if (c->nbyte + most > c->capbyte)
		c->byte = mem_grow(c->byte, &c->capbyte, c->nbyte + most, 1);
	return c->byte + c->nbyte;
}

static inline void
end_row(struct line_costs *c, struct chunk *k, uint32_t line, const unsigned char *end)
{
	c->nbyte = (size_t)(end - c->byte);
	k->sorted &= !k->n || line > k->last;
	k->last = line;
	k->n++;
	c->nrow++;
}

/* Writes values that came in another order, by way of an array. */
static unsigned char *
put_mapped(struct line_costs *c, unsigned char *to, const struct plain *v)
{
	const size_t ncol = c->v[c->n - 1].ncol;
	uint64_t *val;
	size_t i;

	val = c->val = mem_grow(c->val, &c->capval, ncol + 1, sizeof *val);
	memset(val, 0, ncol * sizeof *val);
	for (i = 0; i < v->n; i++)
		val[v->column[i]] = plain_value(v, i) + 1;
	for (i = 0; i < ncol; i++)
		to = put_number(to, val[i]);
	return to;
}

static unsigned char *
put_in_order(unsigned char *to, const struct plain *v, size_t ncol)
{
	const uint64_t *const val = v->val;
	const size_t found = v->found, n = v->n;
	size_t i;

	for (i = 0; i < found; i++)
		to = put_number(to, val[i] + 1);
	for (; i < n; i++)
		*to++ = 1;
	for (; i < ncol; i++)
		*to++ = 0;
	return to;
}

/* Writes many columns, without the zeros at the end. */
static unsigned char *
put_wide(unsigned char *to, const struct plain *v)
{
	size_t i;

	to = put_number(put_number(to, v->found), v->n);
	for (i = 0; i < v->found; i++)
		to = put_number(to, v->val[i] + 1);
	return to;
}

bool
line_costs_add(struct line_costs *c, uint32_t line, const struct plain *v)
{
	struct chunk *k = &c->v[c->n - 1];
	unsigned char *to;

	if (is_wide(k->ncol) && v->column)
		return false;
	to = put_number(room(c, is_wide(k->ncol) ? v->found : k->ncol), line);
	if (is_wide(k->ncol))
		to = put_wide(to, v);
	else
		to = v->column ? put_mapped(c, to, v) : put_in_order(to, v, k->ncol);
	end_row(c, k, line, to);
	c->nvalue += v->found;
	return true;
}

/* ---- rows out ---- */

static int
by_line(const void *pa, const void *pb)
{
	const struct line_cost *a = pa, *b = pb;

	return a->line < b->line ? -1 : a->line > b->line;
}

void
line_costs_read(struct line_costs_reader *r, const struct line_costs *c)
{
	size_t i;

	*r = (struct line_costs_reader){ .c = c };
	r->first = mem_alloc(c->block.n + 1, sizeof *r->first);
	r->next = mem_alloc(c->n + 1, sizeof *r->next);
	for (i = c->n; i-- > 0; ) {
		r->next[i] = r->first[c->v[i].block];
		r->first[c->v[i].block] = i + 1;
	}
}

void
line_costs_ahead(const struct line_costs_reader *r, size_t block)
{
	const struct chunk *k;
	size_t chunk;

	for (chunk = r->first[block]; chunk; chunk = r->next[chunk - 1]) {
		k = &r->c->v[chunk - 1];
		__builtin_prefetch(r->c->byte + k->from);
		__builtin_prefetch(r->c->byte + k->from + 64);
	}
}

void
line_costs_read_end(struct line_costs_reader *r)
{
	free(r->first);
	free(r->next);
	free(r->row);
	free(r->other);
	free(r->place);
}

/* Reads the number of values that follow; *ncol: their number including zeros after
 * them. */
static inline size_t
get_counts(const unsigned char **p, size_t *ncol)
{
	size_t n = *ncol;

	if (is_wide(n)) {
		n = line_costs_get(p);
		*ncol = line_costs_get(p);
	}
	return n;
}

static inline void
skip_values(const unsigned char **p, size_t ncol)
{
	const uint64_t more = 0x8080808080808080;	/* these bits are 0 in a last byte */
	size_t n = get_counts(p, &ncol);
	uint64_t v;

	for (; n >= sizeof v; *p += sizeof v) {
		memcpy(&v, *p, sizeof v);
		n -= scan_count(~v & more);
	}
	for (; n; ++*p)
		n -= **p < 0x80;
}

static void
add_rows(struct line_costs_reader *r, const struct chunk *k)
{
	const unsigned char *p = r->c->byte + k->from;
	struct line_cost *row;
	size_t i;

	r->row = mem_grow(r->row, &r->cap, r->n + k->n, sizeof *r->row);
	row = r->row + r->n;
	for (i = 0; i < k->n; i++, row++) {
		row->line = (uint32_t)line_costs_get(&p);
		row->ncol = k->ncol;
		row->val = p;
		skip_values(&p, k->ncol);
		row->end = p;
	}
	r->n += k->n;
}

#define DENSE 8			/* the most lines for each row to sort by counting */

/* Sorts rows, usually by counting those of each line: the lines of a function are few. */
static void
sort_rows(struct line_costs_reader *r)
{
	uint32_t least = UINT32_MAX, most = 0;
	struct line_cost *row;
	size_t i, at = 0, n, lines;

	for (i = 0; i < r->n; i++) {
		least = r->row[i].line < least ? r->row[i].line : least;
		most = r->row[i].line > most ? r->row[i].line : most;
	}
	lines = (size_t)(most - least) + 1;
	if (lines / DENSE > r->n) {
		qsort(r->row, r->n, sizeof *r->row, by_line);
		return;
	}
	r->place = mem_grow(r->place, &r->capplace, lines, sizeof *r->place);
	memset(r->place, 0, lines * sizeof *r->place);
	for (i = 0; i < r->n; i++)
		r->place[r->row[i].line - least]++;
	for (i = 0; i < lines; i++, at += n) {
		n = r->place[i];
		r->place[i] = at;
	}
	r->other = mem_grow(r->other, &r->capother, r->cap, sizeof *r->other);
	for (i = 0; i < r->n; i++)
		r->other[r->place[r->row[i].line - least]++] = r->row[i];
	row = r->row;
	r->row = r->other;
	r->other = row;
	n = r->cap;
	r->cap = r->capother;
	r->capother = n;
}

void
line_costs_open(struct line_costs_reader *r, size_t block)
{
	const struct chunk *k;
	size_t chunk, middle;
	bool sorted = true;

	r->n = r->at = 0;
	for (chunk = r->first[block]; chunk; chunk = r->next[chunk - 1]) {
		k = &r->c->v[chunk - 1];
		middle = r->n;
		add_rows(r, k);
		sorted &= k->sorted && (!middle || !k->n ||
		    r->row[middle - 1].line <= r->row[middle].line);
	}
	if (!sorted)
		sort_rows(r);
}

/* Returns the number of rows of the current line. */
static size_t
same_line(const struct line_costs_reader *r)
{
	size_t n = 1;

	while (r->at + n < r->n && r->row[r->at + n].line == r->row[r->at].line)
		n++;
	return n;
}

#define ZEROS 8			/* values of 0 that are passed over at once */

/* Adds a row to val, of which columns may be absent, but not if val is `whole`. */
static inline void
add_row(const struct line_cost *row, num *val, bool whole)
{
	const unsigned char *p = row->val;
	const size_t n = row->ncol;
	size_t i = 0;
	uint64_t v;

	while (i < n) {
		if (whole && n - i >= ZEROS && memcmp(p, "\1\1\1\1\1\1\1\1", ZEROS) == 0) {
			p += ZEROS;
			i += ZEROS;
			continue;
		}
		v = line_costs_get(&p);
		if (v)
			val[i] = (num)(v - 1) + (!whole && val[i] == NUM_ABSENT ? 0 : val[i]);
		i++;
	}
}

/* Sets val to a row of few columns.  Returns whether none is absent. */
static bool
set_row(const struct line_cost *row, num *val, size_t ncol)
{
	const unsigned char *p = row->val;
	bool whole = ncol == row->ncol;
	size_t i;

	for (i = 0; i < row->ncol; i++) {
		uint64_t v = line_costs_get(&p);

		val[i] = v ? (num)(v - 1) : NUM_ABSENT;
		whole &= v != 0;
	}
	for (; i < ncol; i++)
		val[i] = NUM_ABSENT;
	return whole;
}

/* Adds rows of many columns.  Only the first `was` of val may differ from 0; returns how
 * many may now. */
static size_t
sum_wide(const struct line_cost *row, size_t n, num *val, size_t ncol, size_t was)
{
	size_t most = 0, known = 0, columns, count, i, k;
	const unsigned char *p;

	for (k = 0; k < n; k++) {
		p = row[k].val;
		columns = row[k].ncol;
		count = get_counts(&p, &columns);
		most = count > most ? count : most;
		known = columns > known ? columns : known;
	}
	for (i = 0; i < most; i++)
		val[i] = NUM_ABSENT;
	for (; i < known && i < was; i++)
		val[i] = 0;
	for (i = known; i < ncol; i++)
		val[i] = NUM_ABSENT;
	for (; i < was; i++)
		val[i] = 0;
	for (; n--; row++) {
		p = row->val;
		columns = row->ncol;
		count = get_counts(&p, &columns);
		for (i = 0; i < count; i++) {
			uint64_t v = line_costs_get(&p);

			if (v)
				val[i] = (num)(v - 1) + (val[i] == NUM_ABSENT ? 0 : val[i]);
		}
		for (; i < columns && i < most; i++)
			val[i] = val[i] == NUM_ABSENT ? 0 : val[i];
	}
	return known < ncol ? ncol : most;
}

/* Sums rows into val, of which only the first `was` may differ from 0; returns how many may
 * now. */
static size_t
sum_rows(const struct line_cost *row, size_t n, num *val, size_t ncol, size_t was)
{
	bool whole;
	size_t i;

	if (is_wide(ncol))
		return sum_wide(row, n, val, ncol, was);
	whole = set_row(row, val, ncol);
	for (i = 1; i < n; i++)
		if (whole)
			add_row(&row[i], val, true);
		else
			add_row(&row[i], val, false);
	return ncol;
}

bool
line_costs_next(struct line_costs_reader *r, uint32_t *line, num *val, size_t ncol)
{
	size_t n;

	if (r->at == r->n)
		return false;
	n = same_line(r);
	*line = r->row[r->at].line;
	r->used = sum_rows(&r->row[r->at], n, val, ncol, r->used);
	r->at += n;
	return true;
}

/* ---- merging rows ---- */

static void
copy_row(struct line_costs *to, struct chunk *k, const struct line_cost *row)
{
	size_t n = (size_t)(row->end - row->val), i;
	unsigned char *p = put_number(room(to, is_wide(k->ncol) ? n : k->ncol), row->line);

	if (is_wide(k->ncol) && !is_wide(row->ncol))
		p = put_number(put_number(p, row->ncol), row->ncol);
	memcpy(p, row->val, n);
	p += n;
	for (i = row->ncol; i < k->ncol && !is_wide(k->ncol); i++)
		*p++ = 0;
	end_row(to, k, row->line, p);
}

/* Writes the rows of one line as one; false if a sum does not fit. */
static bool
put_sum(struct line_costs *to, struct chunk *k, struct line_costs_reader *r, size_t n, num *val)
{
	const struct line_cost *row = &r->row[r->at];
	size_t ncol = k->ncol, count = ncol, i;
	unsigned char *p;

	r->used = sum_rows(row, n, val, ncol, r->used);
	if (is_wide(k->ncol)) {
		while (ncol && val[ncol - 1] == NUM_ABSENT)
			ncol--;
		for (count = ncol; count && val[count - 1] == 0; )
			count--;
	}
	p = put_number(room(to, count), row->line);
	if (is_wide(k->ncol))
		p = put_number(put_number(p, count), ncol);
	for (i = 0; i < count; i++) {
		if (val[i] != NUM_ABSENT && val[i] >= PLAIN_LARGEST)
			return false;
		p = put_number(p, val[i] == NUM_ABSENT ? 0 : (uint64_t)val[i] + 1);
	}
	end_row(to, k, row->line, p);
	return true;
}

/* Writes the rows of a block as one chunk. */
static void
settle_block(struct line_costs *to, uint32_t block, struct line_costs_reader *r, num *val)
{
	size_t ncol = 0, i, n;
	struct chunk *k;

	line_costs_open(r, block);
	for (i = 0; i < r->n; i++)
		ncol = r->row[i].ncol > ncol ? r->row[i].ncol : ncol;
	k = add_chunk(to, block, ncol);
	for (; r->at < r->n; r->at += n) {
		n = same_line(r);
		if (n > 1 && put_sum(to, k, r, n, val))
			continue;
		for (i = 0; i < n; i++)	/* rows whose sum does not fit stay separate */
			copy_row(to, k, &r->row[r->at + i]);
	}
}

static size_t
most_columns(const struct line_costs *c)
{
	size_t i, most = 0;

	for (i = 0; i < c->n; i++)
		most = c->v[i].ncol > most ? c->v[i].ncol : most;
	return most;
}

/* Sums the rows of equal lines. */
static void
settle(struct line_costs *c)
{
	struct line_costs to = { .block = c->block, .val = c->val, .capval = c->capval,
	    .nvalue = c->nvalue };
	num *val = mem_alloc(most_columns(c) + 1, sizeof *val);
	struct line_costs_reader r;
	size_t i;

	line_costs_read(&r, c);
	for (i = 0; i < c->block.n; i++)
		settle_block(&to, (uint32_t)i, &r, val);
	line_costs_read_end(&r);
	free(val);
	free(c->v);
	free(c->byte);
	*c = to;
}

/* Counts the rows of the last chunk that may repeat a line. */
static void
count_again(struct line_costs *c)
{
	const struct chunk *last = c->n ? c->v + c->n - 1 : NULL;

	if (last && (c->seen || !last->sorted))
		c->again += last->n;
}

void
line_costs_begin(struct line_costs *c, uint64_t func, uint64_t file, size_t ncol)
{
	const uint64_t key[2] = { func, file };
	size_t blocks = c->block.n;

	count_again(c);
	if (c->again > MANY && c->again > c->nrow / 2)
		settle(c);
	add_chunk(c, (uint32_t)sums_row(&c->block, key), ncol);
	c->seen = c->block.n == blocks;
}

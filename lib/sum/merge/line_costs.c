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
add_chunk(struct line_costs *c, uint32_t block, size_t ncol, uint64_t known)
{
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	c->v[c->n] = (struct chunk){ .block = block, .sorted = true,
	    .ncol = (uint32_t)ncol & INT32_MAX, .known = known, .from = c->nbyte };
	return &c->v[c->n++];
}

/* Are there many columns? */
static inline bool
is_wide(size_t ncol)
{
	return ncol > TABLE_WIDE;
}

/* Begins a row of n values: puts its line.  Returns where they go. */
static inline unsigned char *
begin_row(struct line_costs *c, const struct chunk *k, uint32_t line, size_t n)
{
	const size_t most = NUMBER * (n + 3);
	const int64_t step = (int64_t)line - k->last;

	if (c->nbyte + most > c->capbyte)
		c->byte = mem_grow(c->byte, &c->capbyte, c->nbyte + most, 1);
	return put_number(c->byte + c->nbyte, (uint64_t)step << 1 ^ (uint64_t)(step >> 63));
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

/* Returns a row's values by column, and sets *bits to those that are not 0. */
static const uint64_t *
in_columns(struct line_costs *c, const struct plain *v, uint64_t *bits)
{
	uint64_t left;
	size_t i;

	*bits = v->nonzero;
	if (!v->column)
		return v->val;
	c->val = mem_grow(c->val, &c->capval, TABLE_WIDE, sizeof *c->val);
	for (*bits = 0, left = v->nonzero; left; left &= left - 1) {
		i = (size_t)__builtin_ctzll(left);
		c->val[v->column[i]] = v->val[i];
		*bits |= (uint64_t)1 << v->column[i];
	}
	return c->val;
}

static inline unsigned char *
put_few(unsigned char *to, uint64_t bits, const uint64_t *val)
{
	to = put_number(to, bits);
	for (; bits; bits &= bits - 1)
		to = put_number(to, val[__builtin_ctzll(bits)]);
	return to;
}

/* Writes many columns, without the zeros at the end. */
static unsigned char *
put_many(unsigned char *to, const uint64_t *val, size_t found, size_t ncol)
{
	size_t i;

	to = put_number(put_number(to, found), ncol);
	for (i = 0; i < found; i++)
		to = put_number(to, val[i] + 1);
	return to;
}

bool
line_costs_add(struct line_costs *c, uint32_t line, const struct plain *v)
{
	struct chunk *k = &c->v[c->n - 1];
	const uint64_t *val;
	unsigned char *to;
	uint64_t bits;

	if (is_wide(k->ncol) && v->column)
		return false;
	to = begin_row(c, k, line, is_wide(k->ncol) ? v->found : k->ncol);
	if (is_wide(k->ncol)) {
		to = put_many(to, v->val, v->found, v->n);
	} else {
		val = in_columns(c, v, &bits);
		to = put_few(to, bits, val);
	}
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
line_costs_read(struct line_costs_reader *r, const struct line_costs *c, size_t ncol)
{
	size_t i;

	*r = (struct line_costs_reader){ .c = c, .ncol = ncol };
	r->val = mem_alloc(ncol + 1, sizeof *r->val);
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
	free(r->val);
}

/* Returns the number of values that follow: of few columns, those with a bit; of many, sets
 * *ncol to the number including zeros after them. */
static inline size_t
get_counts(const unsigned char **p, size_t *ncol)
{
	const uint64_t n = line_costs_get(p);

	if (!is_wide(*ncol))
		return scan_count(n);
	*ncol = line_costs_get(p);
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

/* Goes to the next row, whose line is at p. */
static inline void
read_row(struct line_cursor *at, const unsigned char *p)
{
	const uint64_t step = line_costs_get(&p);

	at->row.line += (uint32_t)(step >> 1 ^ -(step & 1));
	at->row.val = p;
}

static inline bool
next_row(struct line_cursor *at)
{
	const unsigned char *p = at->row.val;

	if (!--at->left)
		return false;
	skip_values(&p, at->row.ncol);
	read_row(at, p);
	return true;
}

/* Goes to the first row of a chunk; false: there is none. */
static inline bool
first_row(const struct line_costs *c, const struct chunk *k, struct line_cursor *at)
{
	*at = (struct line_cursor){ k, k->n, { .ncol = k->ncol, .known = k->known } };
	if (!k->n)
		return false;
	read_row(at, c->byte + k->from);
	return true;
}

static void
add_rows(struct line_costs_reader *r, const struct chunk *k)
{
	struct line_cursor at;

	r->row = mem_grow(r->row, &r->cap, r->n + k->n, sizeof *r->row);
	if (first_row(r->c, k, &at))
		do
			r->row[r->n++] = at.row;
		while (next_row(&at));
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

/* Makes cursors of a block's chunks; false if they are many, or not sorted. */
static bool
zip(struct line_costs_reader *r, size_t block)
{
	const struct chunk *k;
	size_t chunk;

	r->ncursor = 0;
	r->row = mem_grow(r->row, &r->cap, LINE_CURSORS, sizeof *r->row);
	for (chunk = r->first[block]; chunk; chunk = r->next[chunk - 1]) {
		k = &r->c->v[chunk - 1];
		if (r->ncursor == LINE_CURSORS || !k->sorted) {
			r->ncursor = 0;
			return false;
		}
		r->ncursor += first_row(r->c, k, &r->cursor[r->ncursor]);
	}
	return true;
}

void
line_costs_open(struct line_costs_reader *r, size_t block)
{
	size_t chunk;

	r->n = r->at = 0;
	if (zip(r, block))
		return;
	for (chunk = r->first[block]; chunk; chunk = r->next[chunk - 1])
		add_rows(r, &r->c->v[chunk - 1]);
	sort_rows(r);
}

/* Takes the rows of the least line off the cursors. */
static size_t
take_rows(struct line_costs_reader *r)
{
	uint32_t line = r->cursor[0].row.line;
	size_t i, n = 0;

	for (i = 1; i < r->ncursor; i++)
		line = r->cursor[i].row.line < line ? r->cursor[i].row.line : line;
	for (i = r->ncursor; i-- > 0; )
		if (r->cursor[i].row.line == line) {
			r->row[n++] = r->cursor[i].row;
			if (!next_row(&r->cursor[i]))
				r->cursor[i] = r->cursor[--r->ncursor];
		}
	return n;
}

/* Sets *row to the rows of the next line, and returns their number; 0: there is none. */
static size_t
next_rows(struct line_costs_reader *r, const struct line_cost **row)
{
	size_t n = 1;

	*row = r->row;
	if (r->ncursor)
		return take_rows(r);
	if (r->at == r->n)
		return 0;
	*row += r->at;
	while (r->at + n < r->n && (*row)[n].line == (*row)->line)
		n++;
	r->at += n;
	return n;
}

/* Sets val to the sums of rows of few columns. */
static void
sum_few(struct line_costs_reader *r, const struct line_cost *row, size_t n)
{
	uint64_t set = 0, known = 0, absent, left, bits, v;
	num *const val = r->val;
	const unsigned char *p;
	size_t i;

	for (; n--; row++) {
		p = row->val;
		bits = line_costs_get(&p);
		known |= bits | row->known;
		for (left = bits; left; left &= left - 1) {
			i = (size_t)__builtin_ctzll(left);
			v = line_costs_get(&p);
			if (!v)
				continue;
			val[i] = (num)v + (set >> i & 1 ? val[i] : 0);
			set |= (uint64_t)1 << i;
		}
	}
	absent = line_costs_first(r->ncol) & ~known;
	for (left = r->nonzero & ~set; left; left &= left - 1)
		val[__builtin_ctzll(left)] = 0;
	for (left = absent; left; left &= left - 1)
		val[__builtin_ctzll(left)] = NUM_ABSENT;
	r->nonzero = set | absent;
}

static inline void
add(num *sum, uint64_t v)
{
	*sum = (num)v + (*sum == NUM_ABSENT ? 0 : *sum);
}

/* Adds a row to the first `most` columns of val. */
static void
add_row(const struct line_cost *row, num *val, size_t most)
{
	const unsigned char *p = row->val;
	size_t ncol = row->ncol, n, i;
	uint64_t bits, v;

	if (!is_wide(ncol)) {
		bits = line_costs_get(&p);
		for (i = 0; i < ncol; i++)
			if ((bits | row->known) >> i & 1)
				add(&val[i], bits >> i & 1 ? line_costs_get(&p) : 0);
		return;
	}
	n = get_counts(&p, &ncol);
	for (i = 0; i < n; i++)
		if ((v = line_costs_get(&p)))
			add(&val[i], v - 1);
	for (; i < ncol && i < most; i++)
		add(&val[i], 0);
}

/* The same of many columns, among which may be rows of few. */
static void
sum_many(struct line_costs_reader *r, const struct line_cost *row, size_t n)
{
	size_t most = 0, known = 0, columns, count, i, k;
	num *const val = r->val;
	const unsigned char *p;

	for (k = 0; k < n; k++) {
		p = row[k].val;
		columns = row[k].ncol;
		count = is_wide(columns) ? get_counts(&p, &columns) : columns;
		most = count > most ? count : most;
		known = columns > known ? columns : known;
	}
	for (i = 0; i < most; i++)
		val[i] = NUM_ABSENT;
	for (; i < known && i < r->used; i++)
		val[i] = 0;
	for (i = known; i < r->ncol; i++)
		val[i] = NUM_ABSENT;
	for (; i < r->used; i++)
		val[i] = 0;
	for (k = 0; k < n; k++)
		add_row(&row[k], val, most);
	r->used = known < r->ncol ? r->ncol : most;
}

static void
sum_rows(struct line_costs_reader *r, const struct line_cost *row, size_t n)
{
	if (is_wide(r->ncol))
		sum_many(r, row, n);
	else
		sum_few(r, row, n);
}

bool
line_costs_next(struct line_costs_reader *r, uint32_t *line)
{
	const struct line_cost *row;
	const size_t n = next_rows(r, &row);

	if (!n)
		return false;
	*line = row->line;
	sum_rows(r, row, n);
	return true;
}

/* ---- merging rows ---- */

/* Copies the sums of columns, NUM_ABSENT as 0; false if one does not fit. */
static bool
copy_sums(struct line_costs *to, const num *val, size_t ncol)
{
	size_t i;

	to->val = mem_grow(to->val, &to->capval, ncol + 1, sizeof *to->val);
	for (i = 0; i < ncol; i++) {
		if (val[i] != NUM_ABSENT && val[i] >= PLAIN_LARGEST)
			return false;
		to->val[i] = val[i] == NUM_ABSENT ? 0 : (uint64_t)val[i];
	}
	return true;
}

/* Returns the columns that a row has values of: those that are not 0, and those that are
 * not absent although the chunk's usually are. */
static uint64_t
bits_of(const struct chunk *k, const num *val)
{
	uint64_t bits = 0;
	size_t i;

	for (i = 0; i < k->ncol; i++)
		bits |= (uint64_t)(val[i] != NUM_ABSENT &&
		    (val[i] != 0 || !(k->known >> i & 1))) << i;
	return bits;
}

/* Writes rows of one line as one; false if a sum does not fit. */
static bool
put_sum(struct line_costs *to, struct chunk *k, struct line_costs_reader *r,
    const struct line_cost *row, size_t n)
{
	size_t ncol = k->ncol, count, i;
	unsigned char *p;

	sum_rows(r, row, n);
	if (!copy_sums(to, r->val, ncol))
		return false;
	if (!is_wide(k->ncol)) {
		p = begin_row(to, k, row->line, ncol);
		end_row(to, k, row->line, put_few(p, bits_of(k, r->val), to->val));
		return true;
	}
	while (ncol && r->val[ncol - 1] == NUM_ABSENT)
		ncol--;
	for (count = ncol; count && r->val[count - 1] == 0; )
		count--;
	for (i = 0; i < count; i++)	/* put_many() adds one */
		to->val[i] -= r->val[i] == NUM_ABSENT;
	p = begin_row(to, k, row->line, count);
	end_row(to, k, row->line, put_many(p, to->val, count, ncol));
	return true;
}

/* Writes the rows of a block as one chunk. */
static void
settle_block(struct line_costs *to, uint32_t block, struct line_costs_reader *r)
{
	uint64_t known = UINT64_MAX;
	const struct line_cost *row;
	const struct chunk *from;
	size_t ncol = 0, i, n;
	struct chunk *k;

	for (i = r->first[block]; i; i = r->next[i - 1]) {
		from = &r->c->v[i - 1];
		ncol = from->ncol > ncol ? from->ncol : ncol;
		known &= from->known;
	}
	k = add_chunk(to, block, ncol, known);
	line_costs_open(r, block);
	while ((n = next_rows(r, &row)))
		if (!put_sum(to, k, r, row, n))	/* they stay separate */
			for (i = 0; i < n; i++)
				put_sum(to, k, r, &row[i], 1);
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
	struct line_costs_reader r;
	size_t i;

	line_costs_read(&r, c, most_columns(c));
	for (i = 0; i < c->block.n; i++)
		settle_block(&to, (uint32_t)i, &r);
	line_costs_read_end(&r);
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
line_costs_begin(struct line_costs *c, uint64_t func, uint64_t file, size_t ncol,
    uint64_t known)
{
	const uint64_t key[2] = { func, file };
	size_t blocks = c->block.n;

	count_again(c);
	if (c->again > MANY && c->again > c->nrow / 2)
		settle(c);
	add_chunk(c, (uint32_t)sums_row(&c->block, key), ncol, known);
	c->seen = c->block.n == blocks;
}

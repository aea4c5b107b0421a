/* SPDX-License-Identifier: ISC */
/*
 * Records as readable text: names written out, a table for each kind.  A table has at most
 * a few hundred records, so that output streams; columns that are empty in a table are left
 * out, and so are columns that do not fit the terminal.
 */
#include <stdlib.h>

#include "stream/codec.h"
#include "stream/columns.h"
#include "util/mem.h"
#include "util/printable.h"

#define CHUNK 1000		/* records, of all kinds */

/* A table being gathered: rows of `ncol` cells. */
struct sheet {
	struct columns cols;	/* cols.def: NULL until it is needed */
	size_t ncol;		/* the columns of cols, events, attributes */
	struct buf text;	/* of all cells */
	size_t *end;		/* of each cell's text */
	size_t n, cap;		/* number of cells */
};

struct writer {
	struct sink sink;
	struct encode e;
	struct sheet sheet[REC_DECLARED + 1];	/* by kind */
	size_t rows;
	bool any;		/* has a table been written? */
	struct part part;
	char *defined;		/* by function: was it written? */
	size_t capdefined, nfunc;
	struct columns_used used;
	struct buf scratch, line;
};

/* ---- cells ---- */

static struct text
cell_at(const struct sheet *s, size_t i)
{
	size_t from = i ? s->end[i - 1] : 0;

	return (struct text){ s->text.s + from, s->end[i] - from };
}

static void
end_cell(struct sheet *s)
{
	s->end = mem_grow(s->end, &s->cap, s->n + 1, sizeof *s->end);
	s->end[s->n++] = s->text.n;
}

/* Adds a cell; without text it is unknown. */
static void
add_cell(struct sheet *s, struct text t)
{
	if (t.s && !t.n)
		buf_puts(&s->text, "''");
	else if (t.s)
		printable_add(&s->text, t);
	end_cell(s);
}

static void
add_number(struct sheet *s, struct text t)
{
	char tmp[NUM_TEXT];
	num n;

	if (t.s && num_get_num(t.s, t.n, &n) == 0)
		t = num_text_grouped(tmp, n);
	add_cell(s, t);
}

static void
add_value_cells(struct writer *w, struct sheet *s, struct text values)
{
	struct text v;
	size_t i;

	for (i = 0; i < w->part.events.measured; i++) {
		if (!values_next(&values, &v))
			v = TEXT("0");
		if (text_is(v, "-"))
			add_cell(s, (struct text){ 0 });
		else
			add_number(s, v);
	}
}

/* Adds the last column: fields, two blanks between two. */
static void
add_fields(struct writer *w, struct sheet *s, struct text fields)
{
	struct text f, t;
	bool any = false;

	for (; fields_next(&fields, &f); any = true) {
		w->scratch.n = 0;
		if (!field_unescape(f, &w->scratch, &t))
			t = f;
		buf_puts(&s->text, any ? "  " : "");
		printable_add(&s->text, t.s ? t : TEXT("-"));
	}
	end_cell(s);
}

static void
add_row(struct writer *w, struct sheet *s, const struct record *r)
{
	unsigned i;

	for (i = 0; i < s->cols.n; i++) {
		const struct spelt_column *c = &s->cols.col[i];
		struct text t;

		w->scratch.n = 0;
		t = columns_text(w->e.dict, r, c, &w->scratch);
		if (c->part == COLUMN_PLAIN && c->type == COL_INT)
			add_number(s, t);
		else
			add_cell(s, t);
	}
	if (r->def->tail & REC_VALUES)
		add_value_cells(w, s, r->values);
	add_fields(w, s, r->attrs);
	w->rows++;
}

/* ---- writing a table ---- */

/* Returns the heading of a column; attributes and lists are the last one. */
static struct text
heading(struct writer *w, const struct sheet *s, size_t col)
{
	w->scratch.n = 0;
	if (col < s->cols.n)
		printable_add(&w->scratch, text_of(s->cols.col[col].name));
	else if (col == s->ncol - 1)
		return s->cols.def->tail & REC_LIST ? TEXT("values") :
		    TEXT("attributes");
	else
		printable_add(&w->scratch,
		    events_at(&w->part.events, col - s->cols.n)->col[EVENT_NAME].t);
	return buf_as_text(&w->scratch);
}

static bool
to_the_right(const struct sheet *s, size_t col)
{
	const struct spelt_column *c;

	if (col >= s->cols.n)
		return col < s->ncol - 1;
	c = &s->cols.col[col];
	return c->part == COLUMN_PLAIN && (c->type == COL_INT ||
	    c->type == COL_LINE || c->type == COL_ID);
}

/* Is it the function's file, and equal to the line's file in all rows? */
static bool
repeats(const struct sheet *s, size_t col)
{
	int file = columns_find(&s->cols, TEXT("file"));
	size_t row, rows = s->n / s->ncol;

	if (file < 0 || col >= s->cols.n || s->cols.col[col].part != COLUMN_FILE ||
	    s->cols.col[col].col != PLACE_FUNC)
		return false;
	for (row = 0; row < rows; row++)
		if (!text_eq(cell_at(s, row * s->ncol + col),
		    cell_at(s, row * s->ncol + (size_t)file)))
			return false;
	return true;
}

#define TAG 6			/* "record" */
#define NARROW 12		/* texts become narrower than this only after columns were
				 * dropped */

/* Sets the widths of columns; 0 for one that is left out.  Headings of numbers have
 * `most`. */
static void
measure(struct writer *w, const struct sheet *s, size_t *width, size_t most)
{
	size_t col, row, n, rows = s->n / s->ncol;

	for (col = 0; col < s->ncol; col++) {
		width[col] = 0;
		for (row = 0; row < rows; row++) {
			n = printable_columns(cell_at(s, row * s->ncol + col));
			if (n > width[col])
				width[col] = n;
		}
		if (width[col] && repeats(s, col))
			width[col] = 0;
		n = printable_columns(heading(w, s, col));
		n = n > most && to_the_right(s, col) ? most : n;
		if (width[col] && width[col] < n)
			width[col] = n;
	}
}

/* Returns the width of lines, without the blanks at their end. */
static size_t
used_by(const struct sheet *s, const size_t *width)
{
	size_t col, used = strlen(s->cols.def->tag);

	used = used < TAG ? TAG : used;
	for (col = 0; col < s->ncol; col++)
		used += width[col] ? width[col] + 2 : 0;
	return used;
}

/* Returns how much narrower a line gets if no text in it is wider than `most`. */
static size_t
saved(const struct sheet *s, const size_t *width, size_t most)
{
	size_t col, sum = 0;

	for (col = 0; col < s->ncol; col++)
		if (!to_the_right(s, col) && width[col] > most)
			sum += width[col] - most;
	return sum;
}

/* Narrows the widest texts until the line fits, if possible, but none below `least`. */
static void
shorten(const struct writer *w, const struct sheet *s, size_t *width, size_t least)
{
	const size_t used = used_by(s, width);
	size_t low = least, high = used, col, over, spare;

	if (used <= w->e.width)
		return;
	over = used - w->e.width;
	while (low < high) {	/* find the widest that fits */
		size_t mid = high - (high - low) / 2;

		if (saved(s, width, mid) >= over)
			low = mid;
		else
			high = mid - 1;
	}
	spare = saved(s, width, low);
	spare = spare > over ? spare - over : 0;
	for (col = 0; col < s->ncol; col++)
		if (!to_the_right(s, col) && width[col] > low) {
			width[col] = low + (spare > 0);
			spare -= spare > 0;
		}
}

/* Returns the rank in which a column is dropped, the smallest first; 0: never. */
static unsigned
leaves(const struct sheet *s, size_t col)
{
	static const unsigned of[] = {
		[COLUMN_OBJECT] = 2, [COLUMN_KEY] = 2, [COLUMN_FILE] = 3, [COLUMN_PATH] = 3,
		[COLUMN_PLAIN] = 5,
	};

	if (col < s->cols.n)
		return of[s->cols.col[col].part];
	if (col == s->ncol - 1)
		return s->cols.def->tail & REC_LIST ? 0 : 1;
	return col > s->cols.n ? 4 : 0;		/* the value of the first event stays */
}

/* Returns the column to drop next, of several the one on the right; SIZE_MAX: none. */
static size_t
find_next(const struct sheet *s, const size_t *width)
{
	size_t col, next = SIZE_MAX;

	for (col = 0; col < s->ncol; col++)
		if (width[col] && leaves(s, col) &&
		    (next == SIZE_MAX || leaves(s, col) <= leaves(s, next)))
			next = col;
	return next;
}

static void
fit(struct writer *w, const struct sheet *s, size_t *width)
{
	size_t next;

	measure(w, s, width, SIZE_MAX);
	if (!w->e.width || used_by(s, width) <= w->e.width)
		return;
	shorten(w, s, width, NARROW);
	if (used_by(s, width) > w->e.width) {
		measure(w, s, width, NARROW);
		shorten(w, s, width, NARROW);
	}
	while (used_by(s, width) > w->e.width && (next = find_next(s, width)) != SIZE_MAX)
		width[next] = 0;
	shorten(w, s, width, 1);
}

static void
put_cell(struct writer *w, struct text t, size_t width, bool right, bool last)
{
	size_t n = printable_columns(t), pad = n < width ? width - n : 0;

	if (right)
		buf_pad(&w->line, pad);
	printable_shortened(&w->line, t, width);
	if (!right && !last)
		buf_pad(&w->line, pad);
	buf_puts(&w->line, last ? "\n" : "  ");
}

/* row: SIZE_MAX for the headings. */
static void
put_row(struct writer *w, const struct sheet *s, const size_t *width, size_t row,
    size_t last, size_t tag)
{
	bool head = row == SIZE_MAX;
	size_t col;

	w->line.n = 0;
	if (head && w->e.color)
		buf_puts(&w->line, "\033[1m");
	put_cell(w, text_of(head ? "record" : s->cols.def->tag), tag, false,
	    last == SIZE_MAX);
	for (col = 0; col < s->ncol; col++) {
		struct text t = head ? heading(w, s, col) :
		    cell_at(s, row * s->ncol + col);

		if (width[col])
			put_cell(w, t.n ? t : TEXT("-"), width[col],
			    to_the_right(s, col), col == last);
	}
	if (head && w->e.color) {
		w->line.n--;
		buf_puts(&w->line, "\033[0m\n");
	}
	out_write(w->e.out, w->line.s, w->line.n);
}

static void
put_sheet(struct writer *w, struct sheet *s)
{
	size_t *width = mem_alloc(s->ncol + 1, sizeof *width);
	size_t col, row, last = SIZE_MAX, tag = strlen(s->cols.def->tag);

	tag = tag < TAG ? TAG : tag;
	fit(w, s, width);
	for (col = 0; col < s->ncol; col++)
		if (width[col])
			last = col;
	if (w->any)
		out_puts(w->e.out, "\n");
	w->any = true;
	put_row(w, s, width, SIZE_MAX, last, tag);
	for (row = 0; row < s->n / s->ncol; row++)
		put_row(w, s, width, row, last, tag);
	s->n = s->text.n = 0;
	free(width);
}

static void
flush(struct writer *w)
{
	int i;

	for (i = 0; i <= REC_DECLARED; i++)
		if (w->sheet[i].n)
			put_sheet(w, &w->sheet[i]);
	w->rows = 0;
}

/* ---- records ---- */

static struct sheet *
sheet_of(struct writer *w, const struct rec_def *def)
{
	struct sheet *s = &w->sheet[def->kind];

	if (s->cols.def && s->cols.def != def) {	/* another declared kind */
		flush(w);
		columns_free(&s->cols);
		s->cols.def = NULL;
	}
	if (!s->cols.def)
		columns_init(&s->cols, def);
	s->ncol = s->cols.n + 1 +
	    (def->tail & REC_VALUES ? w->part.events.measured : 0);
	return s;
}

static void
define(struct writer *w, uint64_t func)
{
	w->defined = mem_reach(w->defined, &w->capdefined, func, 1, 0);
	w->defined[func] = 1;
	if (func >= w->nfunc)
		w->nfunc = func + 1;
}

/* Writes a line for functions without records. */
static void
put_unused(struct writer *w)
{
	struct record r;
	size_t i;

	for (i = 0; i < w->nfunc; i++) {
		if (!w->defined[i] || columns_is_used(&w->used, i))
			continue;
		dict_record(w->e.dict, REC_FUNC, (uint32_t)i, &r);
		add_row(w, sheet_of(w, r.def), &r);
		if (w->rows >= CHUNK)
			flush(w);
	}
}

static int
text_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	/* The events are columns, which must not change within a table. */
	if (rec_kind(r) == REC_PART)
		flush(w);
	part_take(&w->part, r);
	switch (rec_kind(r)) {
	case REC_PROF: case REC_TAG: case REC_OBJECT: case REC_FILE: case REC_CTX:
		break;		/* written where they are used */
	case REC_FUNC:
		define(w, r->col[0].n);
		break;
	case REC_END:
		put_unused(w);
		flush(w);
		break;
	default:
		columns_use(&w->used, w->e.dict, r);
		add_row(w, sheet_of(w, r->def), r);
		if (w->rows >= CHUNK)
			flush(w);
	}
	return w->e.out->error ? out_check(w->e.out) : 0;
}

static void
text_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;
	int i;

	for (i = 0; i <= REC_DECLARED; i++) {
		columns_free(&w->sheet[i].cols);
		buf_free(&w->sheet[i].text);
		free(w->sheet[i].end);
	}
	part_free(&w->part);
	free(w->defined);
	columns_used_free(&w->used);
	buf_free(&w->scratch);
	buf_free(&w->line);
	free(w);
}

static struct sink *
text_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = text_put, .free = text_free };
	w->e = *e;
	out_set_content(e->out, OUT_TERMINAL);
	return &w->sink;
}

const struct codec codec_text = {
	.name = "text",
	.summary = "Aligned human-readable tables, as on a terminal",
	.purpose = PURPOSE_TABLE,
	.encode = text_encode,
	.supports = { SUPPORTS_ALL },
	.scales = true,
	.raw = true,
};

/* SPDX-License-Identifier: ISC */
#include "view/text_table.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/printable.h"

#define CELL 63			/* the most columns of a cell */
#define SUM 20			/* extra columns that must remain where a sum is shown */
#define HEAD 12			/* columns to which headings are truncated before a column
				 * is dropped */

static struct text_column *
add_column(struct text_table *t, const char *head, enum column_kind kind, size_t i)
{
	struct text_column *c;

	t->column = mem_grow(t->column, &t->cap, t->n + 1, sizeof *t->column);
	c = &t->column[t->n++];
	*c = (struct text_column){ .kind = kind, .i = i };
	buf_puts(&c->head, head);
	return c;
}

void
text_table_column(struct text_table *t, const char *head, enum column_kind kind,
    text_cell *cell, size_t i)
{
	add_column(t, head, kind, i)->cell = cell;
}

void
text_table_values(struct text_table *t, const char *head, enum column_kind kind,
    cell_value *get, size_t i)
{
	add_column(t, head, kind, i)->get = get;
}

void
text_table_costs(struct text_table *t, const char *head, enum column_kind kind,
    cell_value *get, size_t i, const struct metric *m)
{
	struct text_column *c = add_column(t, head, kind, i);

	c->get = get;
	c->metric = m;
}

void
text_table_shares(struct text_table *t, enum column_kind kind, cell_value *get, size_t i,
    num total)
{
	struct text_column *c = add_column(t, "%", kind, i);

	c->get = get;
	c->share = true;
	c->total = total;
}

void
text_table_free(struct text_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		buf_free(&t->column[i].head);
	free(t->column);
	buf_free(&t->cell.b);
}

static void
add_value(struct buf *b, const struct text_column *c, struct value v)
{
	if (c->metric)
		metric_add_value(b, c->metric, v);
	else if (c->share)
		value_add_share(b, v, c->total);
	else if (v.kind == NAME)
		printable_add(b, v.name.s ? v.name : TEXT("???"));
	else
		value_add(b, v, DIGITS_GROUPED);
}

static struct text
make_cell(struct text_table *t, const struct text_column *c, const void *row)
{
	t->cell.b.n = 0;
	t->cell.marks = 0;
	t->cell.shown = !c->gone;
	if (c->cell)
		c->cell(&t->cell, row, c->i);
	else
		add_value(&t->cell.b, c, c->get(row, c->i));
	buf_str(&t->cell.b);	/* may move it: look_of() wants its NUL */
	return buf_as_text(&t->cell.b);
}

/* ---- widths ---- */

/* A text longer than the largest cell will be shortened. */
static size_t
columns_of(struct text s)
{
	const size_t n = printable_columns(s);

	return n < CELL ? n : CELL;
}

void
text_table_measure(struct text_table *t, const void *row)
{
	size_t i, n;

	for (i = 0; i < t->n; i++) {
		struct text_column *c = &t->column[i];
		const struct text s = make_cell(t, c, row);

		n = columns_of(s);
		c->body = n > c->body ? n : c->body;
		c->filled |= n && !text_is(s, "-") && !text_is(s, ".");
	}
}

void
text_table_clear(struct text_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		t->column[i].body = 0;
}

static size_t
width_of(const struct text_column *c, bool cut_heads)
{
	const size_t n = columns_of(buf_as_text(&c->head));
	const size_t head = cut_heads && n > HEAD ? HEAD : n;

	return c->gone ? 0 : c->body > head ? c->body : head;
}

static size_t
used(const struct text_table *t, bool cut_heads)
{
	size_t i, n = 0;

	for (i = 0; i < t->n; i++)
		if (!t->column[i].gone)
			n += width_of(&t->column[i], cut_heads) + 2;
	return n;
}

/* Is column a dropped before b, which is to the right of it? */
static bool
leaves_before(const struct text_column *a, const struct text_column *b)
{
	if (a->filled != b->filled)
		return !a->filled;
	return a->kind != b->kind ? a->kind < b->kind : a->i > b->i;
}

/* Returns the column to drop next; NULL: only one is left. */
static struct text_column *
find_next(const struct text_table *t)
{
	struct text_column *next = NULL;
	size_t i, left = 0;

	for (i = t->n; i-- > 0; )
		if (!t->column[i].gone) {
			left++;
			if (!next || leaves_before(&t->column[i], next))
				next = &t->column[i];
		}
	return left > 1 ? next : NULL;
}

void
text_table_fit(struct text_table *t, size_t width, size_t least)
{
	struct text_column *next;
	bool cut_heads;
	size_t i;

	while (width && (next = find_next(t)) && used(t, true) + least +
	    (next->kind == COLUMN_SUM ? SUM : 0) > width)
		next->gone = true;
	cut_heads = width && used(t, false) + least > width;
	for (i = 0; i < t->n; i++)
		t->column[i].width = width_of(&t->column[i], cut_heads);
	t->used = used(t, cut_heads);
}

/* ---- lines ---- */

#define HOT 10			/* a large share of the total, in percent */
#define MARKS "~<?!"		/* before a number */

/* Returns the looks of a number; NULL: plain.  Only changes have a sign, or words
 * instead. */
static const char *
look_of(const struct text_table *t, const struct text_column *c, const char *s)
{
	const bool share = c->kind == COLUMN_SHARE || c->kind == COLUMN_INCL_SHARE;

	if (!t->changes)
		return c->kind == COLUMN_SHARE && strtod(s, NULL) >= HOT ? PAINT_MORE : NULL;
	s += strspn(s, MARKS);
	if (*s == '+' || (share && (strcmp(s, "new") == 0 || strcmp(s, "from 0") == 0)))
		return PAINT_MORE;
	return *s == '-' && s[1] ? PAINT_LESS : share && (strcmp(s, "gone") == 0 ||
	    strcmp(s, "to 0") == 0) ? PAINT_LESS : NULL;
}

static void
add_cell(struct page *p, const struct text_column *c, struct text s, const char *look)
{
	const size_t n = printable_columns(s), pad = c->width > n ? c->width - n : 0;

	buf_pad(&p->line, pad);
	if (look)
		page_paint(p, look);
	if (n > c->width)
		printable_shortened(&p->line, s, c->width);
	else
		buf_text(&p->line, s);
	if (look)
		page_paint(p, PAINT_PLAIN);
	buf_puts(&p->line, "  ");
}

void
text_table_heads(struct text_table *t, struct page *p)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (!t->column[i].gone)
			add_cell(p, &t->column[i], buf_as_text(&t->column[i].head), NULL);
}

void
text_table_row(struct text_table *t, struct page *p, const void *row)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct text_column *c = &t->column[i];
		struct text s;

		if (c->gone)
			continue;
		s = make_cell(t, c, row);
		t->marks |= t->cell.marks;
		add_cell(p, c, s, look_of(t, c, t->cell.b.s));
	}
}

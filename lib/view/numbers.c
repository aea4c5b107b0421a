/* SPDX-License-Identifier: ISC */
/* Columns of numbers in the width of the page: which of them leave, and how wide the others
 * are. */
#include "view/page.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/vis.h"

#define SUM 20			/* more columns that are left where a sum is shown */
#define HEAD 12			/* columns to which heads are cut before a column leaves */

void
page_set_cell(struct cells *c, const struct buf *b)
{
	size_t n = b->n < CELL ? b->n : CELL - 1;

	while (n && n < b->n && ((unsigned char)b->s[n] & 0xc0) == 0x80)
		n--;		/* no part of a character */
	if (n)
		memcpy(c->s[c->n], b->s, n);
	c->s[c->n++][n] = '\0';
}

void
page_add_mark(struct page *p, const struct cells *c, struct buf *b, unsigned mark)
{
	buf_puts(b, table_mark_text(mark));
	if (cells_show_next(c))
		p->marks |= table_mark_bit(mark);
}

void
numbers_begin(struct numbers *l, size_t ncell)
{
	*l = (struct numbers){ .c = { .s = mem_alloc(ncell, CELL),
	    .column = mem_alloc(ncell, sizeof *l->c.column) } };
}

void
numbers_free(struct numbers *l)
{
	free(l->c.s);
	free(l->c.column);
}

void
cells_head(struct cells *c, const char *head, enum column_kind kind, size_t event)
{
	struct page_column *column = &c->column[c->n];
	struct buf b = { 0 };

	column->kind = kind;
	column->event = event;
	buf_puts(&b, head);
	column->head = vis_columns(buf_as_text(&b));
	page_set_cell(c, &b);
	buf_free(&b);
}

void
numbers_widen(struct numbers *l)
{
	size_t i, n;

	for (i = 0; i < l->c.n; i++) {
		struct page_column *column = &l->c.column[i];
		const char *s = l->c.s[i];

		n = vis_columns(text_of(s));
		column->body = n > column->body ? n : column->body;
		column->filled |= n && strcmp(s, "-") != 0 && strcmp(s, ".") != 0;
	}
}

static size_t
width_of(const struct page_column *column, bool cut)
{
	const size_t head = cut && column->head > HEAD ? HEAD : column->head;

	return column->gone ? 0 : column->body > head ? column->body : head;
}

static size_t
used(const struct numbers *l, bool cut)
{
	size_t i, n = 0;

	for (i = 0; i < l->c.n; i++)
		if (!l->c.column[i].gone)
			n += width_of(&l->c.column[i], cut) + 2;
	return n;
}

/* Does a leave before b, which is to the right of it? */
static bool
leaves_before(const struct page_column *a, const struct page_column *b)
{
	if (a->filled != b->filled)
		return !a->filled;
	return a->kind != b->kind ? a->kind < b->kind : a->event > b->event;
}

/* The one that leaves next; NULL: only one is left. */
static struct page_column *
find_next(const struct numbers *l)
{
	struct page_column *next = NULL;
	size_t i, left = 0;

	for (i = l->c.n; i-- > 0; )
		if (!l->c.column[i].gone) {
			left++;
			if (!next || leaves_before(&l->c.column[i], next))
				next = &l->c.column[i];
		}
	return left > 1 ? next : NULL;
}

bool
numbers_fit(struct numbers *l, size_t width, size_t least)
{
	struct page_column *next;
	bool cut, left = false;
	size_t i;

	while (width && (next = find_next(l)) && used(l, true) + least +
	    (next->kind == COLUMN_SUM ? SUM : 0) > width)
		next->gone = left = true;
	cut = width && used(l, false) + least > width;
	for (i = 0; i < l->c.n; i++)
		l->c.column[i].width = width_of(&l->c.column[i], cut);
	l->used = used(l, cut);
	return left;
}

void
numbers_clear(struct numbers *l)
{
	size_t i;

	for (i = 0; i < l->c.n; i++)
		l->c.column[i].body = 0;
}

bool
cells_show_next(const struct cells *c)
{
	return !c->column[c->n].gone;
}

#define HOT 10			/* a share of the total that is much, in percent */

/* The looks of a number; NULL: as others.  Only changes have a sign, or words instead. */
static const char *
look_of(const struct page *p, const struct page_column *column, const char *s)
{
	const bool share = column->kind == COLUMN_SHARE || column->kind == COLUMN_INCL_SHARE;

	if (!p->t->nmetric || !p->t->metric[0].delta)
		return column->kind == COLUMN_SHARE && strtod(s, NULL) >= HOT ? PAINT_MORE : NULL;
	s += strspn(s, TABLE_MARKS);
	if (*s == '+' || (share && (strcmp(s, "new") == 0 || strcmp(s, "from 0") == 0)))
		return PAINT_MORE;
	return *s == '-' && s[1] ? PAINT_LESS : share && (strcmp(s, "gone") == 0 ||
	    strcmp(s, "to 0") == 0) ? PAINT_LESS : NULL;
}

void
numbers_add(struct page *p, struct numbers *l)
{
	size_t i, n, pad;

	for (i = 0; i < l->c.n; i++) {
		const struct page_column *column = &l->c.column[i];
		const struct text t = text_of(l->c.s[i]);
		const char *look = look_of(p, column, t.s);

		if (column->gone)
			continue;
		n = vis_columns(t);
		pad = column->width > n ? column->width - n : 0;
		buf_printf(&p->line, "%*s", (int)pad, "");
		if (look)
			page_paint(p, look);
		vis_shortened(&p->line, t, column->width);
		if (look)
			page_paint(p, PAINT_PLAIN);
		buf_puts(&p->line, "  ");
	}
}

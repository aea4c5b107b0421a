/* SPDX-License-Identifier: ISC */
/* What tables for people are made of: numbers in columns, names behind them. */
#include "view/page.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/vis.h"

/* ---- cells ---- */

/* Hundredths of a percent, rounded: exactly, but for numbers that no one has. */
void
page_add_percent(struct buf *b, struct value v, num total)
{
	if (v.kind == WHOLE)
		num_add_percent(b, v.n, total);
	else
		buf_putc(b, '-');
}

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
page_widen(size_t *width, const struct cells *c)
{
	size_t i, n;

	for (i = 0; i < c->n; i++)
		if ((n = vis_columns(text_of(c->s[i]))) > width[i])
			width[i] = n;
}

void
page_add_cells(struct page *p, const struct cells *c, const size_t *width)
{
	size_t i, pad;

	for (i = 0; i < c->n; i++) {
		pad = width[i] - vis_columns(text_of(c->s[i]));
		memset(buf_room(&p->line, pad), ' ', pad);
		p->line.n += pad;
		buf_puts(&p->line, c->s[i]);
		buf_puts(&p->line, "  ");
	}
}

/* ---- names ---- */

void
page_paint(struct page *p, const char *code)
{
	if (p->t->v->color)
		buf_printf(&p->line, "\033[%sm", code);
}

bool
page_accompanies(const struct page *p, enum group_by key)
{
	return (key == BY_FILE || key == BY_OBJECT) && !table_by(p->t->q, key);
}

/*
 * Makes names fit: paths to their last component, then what only accompanies
 * a function is dropped, then the longest is shortened to *room.
 */
static size_t
fit_names(const struct page *p, struct text *part, const enum group_by *keys,
    size_t n, size_t width, size_t *longest, size_t *room)
{
	size_t i, used = 0;

	for (i = 0; i < n; i++)
		used += vis_columns(part[i]) + 2 + 2 * (keys[i] == BY_OBJECT);
	for (i = 0; i < n && used > width + 2; i++)
		if (keys[i] == BY_FILE || keys[i] == BY_OBJECT) {
			used -= vis_columns(part[i]);
			part[i] = text_base_name(part[i]);
			used += vis_columns(part[i]);
		}
	while (n > 1 && used > width + 2 && page_accompanies(p, keys[n - 1])) {
		n--;
		used -= vis_columns(part[n]) + 2 + 2 * (keys[n] == BY_OBJECT);
	}
	for (i = 1, *longest = 0; i < n; i++)
		if (vis_columns(part[i]) > vis_columns(part[*longest]))
			*longest = i;
	*room = SIZE_MAX;
	if (n && used > width + 2) {
		size_t over = used - width - 2, most = vis_columns(part[*longest]);

		*room = most > over + 8 ? most - over : 8;
	}
	return n;
}

/* Names of a row: the first bright, the others dim behind it. */
void
page_names(struct page *p, const struct text *t, const enum group_by *keys, size_t n,
    size_t width)
{
	struct text part[TABLE_KEYS];
	size_t i, longest = 0, room = SIZE_MAX;

	for (i = 0; i < n; i++)
		part[i] = t[i].s ? t[i] : TEXT("???");
	if (width)
		n = fit_names(p, part, keys, n, width, &longest, &room);
	for (i = 0; i < n; i++) {
		bool object = keys[i] == BY_OBJECT;

		buf_puts(&p->line, i ? "  " : "");
		if (i)
			page_paint(p, "2");
		buf_puts(&p->line, object ? "[" : "");
		vis_shortened(&p->line, part[i], i == longest ? room : SIZE_MAX);
		buf_puts(&p->line, object ? "]" : "");
		if (i)
			page_paint(p, "0");
	}
}

/* ---- lines ---- */

void
lines_begin(struct lines *l, size_t ncell)
{
	l->c.s = mem_alloc(ncell, CELL);
	l->width = mem_alloc(ncell, sizeof *l->width);
	l->heads(l->p, &l->c);
	page_widen(l->width, &l->c);
}

void
lines_widen(struct lines *l, size_t row)
{
	l->fill(l->p, &l->c, row);
	page_widen(l->width, &l->c);
}

void
lines_add_heads(struct lines *l)
{
	const size_t width = l->p->t->v->width;
	size_t i, used = 0;

	l->heads(l->p, &l->c);
	for (i = 0; i < l->c.n; i++)
		used += l->width[i] + 2;
	l->left = !width ? 0 : width > used + 20 ? width - used : 20;
	page_paint(l->p, "1");
	page_add_cells(l->p, &l->c, l->width);
	for (i = 0; i < l->nkey; i++)
		buf_printf(&l->p->line, "%s%s", i ? "  " : "",
		    group_by_name[l->key[i]]);
	page_paint(l->p, "0");
}

void
lines_add_cells(struct lines *l, size_t row)
{
	l->fill(l->p, &l->c, row);
	page_add_cells(l->p, &l->c, l->width);
}

void
lines_add_row(struct lines *l, size_t row)
{
	struct text all[TABLE_KEYS], t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i;

	lines_add_cells(l, row);
	table_key_texts(l->p->t->q, sums_key(&l->p->t->r->rows, row), all, tmp);
	for (i = 0; i < l->nkey; i++)
		t[i] = all[l->column[i]];
	page_names(l->p, t, l->key, l->nkey, l->left);
}

void
lines_free(struct lines *l)
{
	free(l->c.s);
	free(l->width);
}

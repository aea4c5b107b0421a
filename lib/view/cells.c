/* SPDX-License-Identifier: ISC */
/* Lines of tables for people: numbers in columns, then names. */
#include "view/page.h"

#include <stdlib.h>

#include "util/abbreviate.h"
#include "util/mem.h"
#include "util/vis.h"

/* ---- cells ---- */

/* Hundredths of a percent, rounded: exactly, but for huge numbers. */
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
page_is_path(enum group_by key)
{
	return key == BY_FILE || key == BY_OBJECT;
}

bool
page_accompanies(const struct page *p, enum group_by key)
{
	return page_is_path(key) && !table_by(p->t->q, key);
}

#define NAME_ROOM 28		/* columns that a name gets before what accompanies it */

/*
 * Makes names fit: the longest is shortened to *room; where that is too little, what only
 * accompanies a function is dropped first.
 */
static size_t
fit_names(const struct page *p, const struct text *part, const enum group_by *keys,
    size_t n, size_t width, size_t *longest, size_t *room)
{
	size_t i, used, most;

	for (;; n--) {
		for (i = 0, used = 0, *longest = 0; i < n; i++) {
			used += vis_columns(part[i]) + 2 * (i > 0) + 2 * (keys[i] == BY_OBJECT);
			if (vis_columns(part[i]) > vis_columns(part[*longest]))
				*longest = i;
		}
		*room = SIZE_MAX;
		if (!n || used <= width)
			return n;
		if (!table_by(p->t->q, keys[*longest]))
			*longest = 0;
		most = vis_columns(part[*longest]);
		*room = most + width > used + 8 ? most + width - used : 8;
		if (n == 1 || !page_accompanies(p, keys[n - 1]) ||
		    (*room >= NAME_ROOM && *room < most))
			return n;
	}
}

/* Names of a row: the first one bright, those after it dim. */
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
			page_paint(p, PAINT_DIM);
		buf_puts(&p->line, object ? "[" : "");
		if (i != longest || p->names == NAMES_WHOLE)
			vis_add(&p->line, part[i]);
		else if (keys[i] == BY_FUNCTION && p->names == NAMES_ABBREVIATED)
			abbreviate(&p->line, part[i], room);
		else
			vis_shortened(&p->line, part[i], room);
		buf_puts(&p->line, object ? "]" : "");
		if (i)
			page_paint(p, PAINT_PLAIN);
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

/* The names of a row, in the columns that are shown. */
static void
row_names(const struct lines *l, size_t row, struct text *t, char *tmp)
{
	struct text all[TABLE_KEYS];
	size_t i;

	table_key_texts(l->p->t->q, sums_key(&l->p->t->r->rows, row), all, tmp);
	for (i = 0; i < l->nkey; i++)
		t[i] = all[l->column[i]];
}

void
lines_widen(struct lines *l, size_t row)
{
	struct text t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i;

	l->fill(l->p, &l->c, row);
	page_widen(l->width, &l->c);
	if (!l->p->t->v->width || row >= l->p->t->r->rows.n)
		return;
	row_names(l, row, t, tmp);
	for (i = 0; i < l->nkey; i++)
		if (page_is_path(l->key[i]))
			paths_add(&l->paths, t[i]);
	l->row = mem_grow(l->row, &l->caprow, l->nrow + 1, sizeof *l->row);
	l->row[l->nrow++] = (uint32_t)row;
}

/* Adds the names of a row as they are shown. */
static void
add_names(const struct lines *l, size_t row)
{
	struct text t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i;

	row_names(l, row, t, tmp);
	for (i = 0; i < l->nkey && l->p->t->v->width; i++)
		if (page_is_path(l->key[i]) && t[i].s)
			t[i] = paths_end(&l->paths, t[i]);
	page_names(l->p, t, l->key, l->nkey, l->left);
}

struct shown {
	struct text names;
	size_t at;		/* in l->row */
};

static int
by_names(const void *a, const void *b)
{
	const struct shown *s = a, *t = b;

	return text_cmp(s->names, t->names);
}

/* Rows whose names look alike are shown in the next way. */
static void
tell_apart(struct lines *l)
{
	struct shown *v = mem_alloc(l->nrow, sizeof *v);
	const size_t begin = l->p->line.n;
	size_t i;

	for (i = 0; i < l->nrow; i++) {
		struct text names;

		l->p->names = l->names[i];
		add_names(l, l->row[i]);
		names = (struct text){ l->p->line.s + begin, l->p->line.n - begin };
		v[i] = (struct shown){ { mem_copy(names.s, names.n), names.n }, i };
		l->p->line.n = begin;
	}
	if (l->nrow)
		qsort(v, l->nrow, sizeof *v, by_names);
	for (i = 1; i < l->nrow; i++)
		if (text_eq(v[i - 1].names, v[i].names))
			l->names[v[i].at] = l->names[v[i - 1].at] = l->names[v[i].at] ==
			    NAMES_ABBREVIATED ? NAMES_BOTH_ENDS : NAMES_WHOLE;
	for (i = 0; i < l->nrow; i++)
		free((char *)v[i].names.s);
	free(v);
	l->p->names = NAMES_ABBREVIATED;
}

void
lines_add_heads(struct lines *l)
{
	const size_t width = l->p->t->v->width;
	size_t i, used = 0;

	paths_sort(&l->paths);
	l->heads(l->p, &l->c);
	for (i = 0; i < l->c.n; i++)
		used += l->width[i] + 2;
	l->left = !width ? 0 : width > used + 20 ? width - used : 20;
	l->names = mem_alloc(l->nrow, sizeof *l->names);
	tell_apart(l);
	tell_apart(l);
	page_paint(l->p, PAINT_BOLD);
	page_add_cells(l->p, &l->c, l->width);
	for (i = 0; i < l->nkey; i++)
		buf_printf(&l->p->line, "%s%s", i ? "  " : "",
		    group_by_name[l->key[i]]);
	page_paint(l->p, PAINT_PLAIN);
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
	lines_add_cells(l, row);
	if (l->next < l->nrow)
		l->p->names = l->names[l->next++];
	add_names(l, row);
	l->p->names = NAMES_ABBREVIATED;
}

void
lines_free(struct lines *l)
{
	free(l->c.s);
	free(l->width);
	paths_free(&l->paths);
	free(l->row);
	free(l->names);
}

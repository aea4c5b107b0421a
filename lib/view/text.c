/* SPDX-License-Identifier: ISC */
/* The table for people. */
#include "page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "mem.h"
#include "show.h"

/* Hundredths of a percent, rounded: exactly, but for numbers that no one has. */
void
page_add_percent(struct buf *b, struct value v, num total)
{
	const num most = NUM_MAX / 20002;
	char tmp[NUM_TEXT];
	bool minus = (v.n < 0) != (total < 0);
	num n;

	if (v.kind != WHOLE || total == 0) {
		buf_putc(b, '-');
	} else if (v.n > most || v.n < -most || total > most || total < -most) {
		buf_printf(b, "%.2f", 100.0 * (double)v.n / (double)total);
	} else {
		total = total < 0 ? -total : total;
		n = ((v.n < 0 ? -v.n : v.n) * 20000 + total) / (2 * total);
		buf_add(b, "-", minus && n);
		buf_add(b, tmp, (size_t)(num_put_num(tmp, n / 100) - tmp));
		buf_putc(b, '.');
		buf_add(b, num_pairs + 2 * (int)(n % 100), 2);
	}
}

void
page_paint(struct page *p, const char *code)
{
	if (p->v->color)
		buf_printf(&p->line, "\033[%sm", code);
}

/* A function's own file or object, which only says more of it. */
static bool
accompanies(const struct page *p, const char *name)
{
	return (strcmp(name, "file") == 0 && !page_by(p->r, BY_FILE)) ||
	    (strcmp(name, "object") == 0 && !page_by(p->r, BY_OBJECT));
}

/*
 * Makes names fit: paths to their last component, then what only accompanies
 * a function is dropped, then the longest is shortened to *room.
 */
static size_t
fit_names(const struct page *p, struct text *part, const char *const *names,
    size_t n, size_t width, size_t *longest, size_t *room)
{
	size_t i, used = 0;

	for (i = 0; i < n; i++)
		used += show_columns(part[i]) + 2 + 2 * (strcmp(names[i], "object") == 0);
	for (i = 0; i < n && used > width + 2; i++)
		if (strcmp(names[i], "file") == 0 || strcmp(names[i], "object") == 0) {
			used -= show_columns(part[i]);
			part[i] = text_base_name(part[i]);
			used += show_columns(part[i]);
		}
	while (n > 1 && used > width + 2 && accompanies(p, names[n - 1])) {
		n--;
		used -= show_columns(part[n]) + 2 + 2 * (strcmp(names[n], "object") == 0);
	}
	for (i = 1, *longest = 0; i < n; i++)
		if (show_columns(part[i]) > show_columns(part[*longest]))
			*longest = i;
	*room = SIZE_MAX;
	if (n && used > width + 2) {
		size_t over = used - width - 2, most = show_columns(part[*longest]);

		*room = most > over + 8 ? most - over : 8;
	}
	return n;
}

/* Names of a row: the first bright, the others dim behind it. */
void
page_names(struct page *p, const struct text *t, const char *const *names, size_t n,
    size_t width)
{
	struct text part[PAGE_KEYS];
	size_t i, longest = 0, room = SIZE_MAX;

	for (i = 0; i < n; i++)
		part[i] = t[i].s ? t[i] : TEXT("???");
	if (width)
		n = fit_names(p, part, names, n, width, &longest, &room);
	for (i = 0; i < n; i++) {
		bool object = strcmp(names[i], "object") == 0;

		buf_puts(&p->line, i ? "  " : "");
		if (i)
			page_paint(p, "2");
		buf_puts(&p->line, object ? "[" : "");
		show_shortened(&p->line, part[i], i == longest ? room : SIZE_MAX);
		buf_puts(&p->line, object ? "]" : "");
		if (i)
			page_paint(p, "0");
	}
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

/* self, %, incl, % of each metric, then calls and sizes: what comes of calls or
 * points only if there can be any.  Growth is that of inclusive cost. */
static void
fill_cells(struct page *p, struct cells *c, const struct value *self,
    const struct value *incl, const struct value *counts, bool cycle)
{
	struct buf b = { 0 };
	size_t i;
	int k;

	c->n = 0;
	for (i = 0; i < p->v->nshow; i++) {
		const struct value *v[2] = { &self[i], &incl[i] };

		for (k = p->growth ? 1 : 0; k < 1 + p->r->incl_known; k++) {
			b.n = 0;
			if (k == 1 && cycle && v[k]->kind != ABSENT)
				buf_putc(&b, '~');
			page_add_shown(&b, &p->metric[i], *v[k]);
			page_set_cell(c, &b);
			b.n = 0;
			page_add_percent(&b, *v[k], p->metric[i].under ? 0 :
			    p->metric[i].total);
			page_set_cell(c, &b);
		}
	}
	for (i = 0; i < 1 + SIZES; i++) {
		if (i == 0 ? !p->r->calls_known : !p->r->sizes)
			continue;
		b.n = 0;
		page_add_value(&b, counts[i], true);
		page_set_cell(c, &b);
	}
	buf_free(&b);
}

static void
row_cells(struct page *p, struct cells *c, size_t row)
{
	struct value *v = mem_alloc(2 * p->v->nshow + 1, sizeof *v);
	struct value counts[1 + SIZES] = { page_calls(p, row) };
	size_t i, n = p->v->nshow;

	for (i = 0; i < n; i++) {
		v[i] = page_self(p, row, i);
		v[n + i] = page_incl(p, row, i);
	}
	for (i = 0; i < SIZES; i++)
		counts[1 + i] = page_size(p, row, i);
	fill_cells(p, c, v, v + n, counts, p->r->flags[row] & GRAPH_CYCLE);
	if (p->growth)
		page_growth_cells(p, c, row);
	free(v);
}

static void
head_cells(struct page *p, struct cells *c)
{
	struct buf b = { 0 };
	size_t i;

	c->n = 0;
	for (i = 0; i < p->v->nshow; i++) {
		if (!p->growth) {
			b.n = 0;
			page_add_name(&b, &p->metric[i]);
			page_set_cell(c, &b);
			strcpy(c->s[c->n++], "%");
		}
		if (p->r->incl_known) {
			strcpy(c->s[c->n++], "inclusive");
			strcpy(c->s[c->n++], "%");
		}
	}
	if (p->r->calls_known)
		strcpy(c->s[c->n++], "calls");
	if (p->r->sizes) {
		strcpy(c->s[c->n++], "sizes");
		strcpy(c->s[c->n++], "smallest");
		strcpy(c->s[c->n++], "largest");
	}
	if (p->growth)
		page_growth_heads(c);
	buf_free(&b);
}

void
page_widen(size_t *width, const struct cells *c)
{
	size_t i, n;

	for (i = 0; i < c->n; i++)
		if ((n = show_columns(text_of(c->s[i]))) > width[i])
			width[i] = n;
}

void
page_add_cells(struct page *p, const struct cells *c, const size_t *width)
{
	size_t i, pad;

	for (i = 0; i < c->n; i++) {
		pad = width[i] - show_columns(text_of(c->s[i]));
		memset(buf_room(&p->line, pad), ' ', pad);
		p->line.n += pad;
		buf_puts(&p->line, c->s[i]);
		buf_puts(&p->line, "  ");
	}
}

void
page_heading(struct page *p)
{
	const struct rank *r = p->r;
	bool some = false;
	size_t i, n;

	page_paint(p, "1");
	for (i = 0; i < p->v->nshow; i++) {
		const struct metric *m = &p->metric[i];

		if (m->under)
			continue;
		buf_puts(&p->line, some ? ", " : "");
		some = true;
		if (m->delta && m->total > 0)
			buf_putc(&p->line, '+');
		page_add_shown(&p->line, m,
		    (struct value){ .kind = WHOLE, .n = m->total });
		buf_putc(&p->line, ' ');
		if (m->unit.s) {
			show_add(&p->line, m->unit);
			buf_puts(&p->line, " of ");
		}
		show_add(&p->line, m->name);
	}
	page_paint(p, "0");
	if (page_is_diff(p) && r->parts == 1)
		buf_puts(&p->line, " between two profiles");
	else
		buf_printf(&p->line, "%s%" PRIu64 " profile%s, %" PRIu64 " part%s",
		    some ? " in " : "", r->runs, r->runs == 1 ? "" : "s", r->parts,
		    r->parts == 1 ? "" : "s");
	if (r->cmds_differ)
		buf_puts(&p->line, ": several commands");
	else if (r->cmd.s) {
		buf_puts(&p->line, ": ");
		n = show_columns(buf_as_text(&p->line)) - (p->v->color ? 8 : 0);
		show_shortened(&p->line, r->cmd, !p->v->width ? SIZE_MAX :
		    p->v->width > n + 10 ? p->v->width - n : 10);
	}
	page_flush(p);
	if (r->diff.n) {
		struct text list = buf_as_text(&r->diff), field, name;
		struct buf scratch = { 0 };

		for (n = 0; fields_next(&list, &field); n++) {
			scratch.n = 0;
			if (!field_unescape(field, &scratch, &name))
				name = field;
			buf_puts(&p->line, n ? ", new: " : "old: ");
			show_add(&p->line, name);
		}
		buf_free(&scratch);
		page_flush(p);
	}
	if (r->filter.n) {
		buf_puts(&p->line, "filter: ");
		show_add(&p->line, buf_as_text(&r->filter));
		page_flush(p);
	}
	if (r->skipped) {
		buf_printf(&p->line, "skipped: %" PRIu64 " malformed or cut line%s",
		    r->skipped, r->skipped == 1 ? "" : "s");
		page_flush(p);
	}
	page_flush(p);
}

/* "... 812 more, 3.10 %": of the first metric, self. */
static void
remainder_line(struct page *p, size_t from)
{
	struct value sum = { .kind = WHOLE };
	char tmp[NUM_TEXT];
	size_t i;

	for (i = from; i < p->r->rows.n && p->nmetric; i++) {
		struct value v = page_self(p, p->order[i].of, 0);

		if (v.kind != WHOLE || num_add(&sum.n, v.n) < 0)
			sum.kind = ABSENT;
	}
	buf_puts(&p->line, "\xe2\x80\xa6 ");
	buf_add(&p->line, tmp,
	    (size_t)(num_put_grouped(tmp, (num)(p->r->rows.n - from)) - tmp));
	buf_puts(&p->line, " more");
	if (p->nmetric && sum.kind == WHOLE && p->metric[0].total != 0) {
		buf_puts(&p->line, ", ");
		page_add_percent(&p->line, sum, p->metric[0].total);
		buf_puts(&p->line, " %");
	}
	page_flush(p);
}

/* Says what the mark of fill_cells() means, if a row that is shown has it. */
static void
cycle_line(struct page *p, size_t limit)
{
	size_t i;

	for (i = 0; i < limit && !(p->r->flags[p->order[i].of] & GRAPH_CYCLE); i++)
		;
	if (i == limit)
		return;
	buf_puts(&p->line, "~ in a cycle of calls: at least this");
	page_flush(p);
}

/* Does a row that is shown have a name in this column? */
static bool
is_named(const struct page *p, size_t column, size_t limit)
{
	struct text t[PAGE_KEYS];
	char tmp[NUM_TEXT];
	size_t i;

	for (i = 0; i < limit; i++) {
		page_key_texts(p->r, table_key(&p->r->rows, p->order[i].of), t, tmp);
		if (t[column].s)
			return true;
	}
	return false;
}

/* The columns of names, less those that only accompany a function and know
 * nothing: their numbers and how many they are. */
static size_t
choose_names(const struct page *p, const char **names, size_t *column, size_t limit)
{
	size_t i, n = page_key_names(p->r, names), m = 0;

	for (i = 0; i < n; i++)
		if (!accompanies(p, names[i]) || is_named(p, i, limit)) {
			names[m] = names[i];
			column[m++] = i;
		}
	return m;
}

/* A table of ??? is no answer: there may be an executable that has one. */
static void
hint_names(const struct page *p)
{
	const struct rank *r = p->r;
	size_t row;

	if (!r->rows.n || r->nby != 1 || r->by[0] != BY_FUNCTION)
		return;
	for (row = 0; row < r->rows.n; row++)
		if (dict_func_name(r->dict, (uint32_t)*table_key(&r->rows, row)).s)
			return;
	diag_say(r->diag, DIAG_NOTE, "no function has a name: an executable may know "
	    "them (--exe)");
}

void
page_text(struct page *p)
{
	const char *names[PAGE_KEYS];
	struct text all[PAGE_KEYS], t[PAGE_KEYS];
	char tmp[NUM_TEXT];
	size_t column[PAGE_KEYS], limit = page_limit(p), used = 0, left, i, k;
	size_t n = choose_names(p, names, column, limit);
	size_t ncell = 4 * p->v->nshow + 1 + SIZES + GROWTH_CELLS;
	size_t *width = mem_alloc(ncell, sizeof *width);
	struct cells c = { .s = mem_alloc(ncell, CELL) };

	hint_names(p);
	page_heading(p);
	head_cells(p, &c);
	page_widen(width, &c);
	for (i = 0; i < limit; i++) {
		row_cells(p, &c, p->order[i].of);
		page_widen(width, &c);
	}
	for (i = 0; i < c.n; i++)
		used += width[i] + 2;
	left = !p->v->width ? 0 : p->v->width > used + 20 ? p->v->width - used : 20;
	head_cells(p, &c);
	page_paint(p, "1");
	page_add_cells(p, &c, width);
	for (i = 0; i < n; i++)
		buf_printf(&p->line, "%s%s", i ? "  " : "", names[i]);
	page_paint(p, "0");
	page_flush(p);
	for (i = 0; i < limit; i++) {
		row_cells(p, &c, p->order[i].of);
		page_add_cells(p, &c, width);
		page_key_texts(p->r, table_key(&p->r->rows, p->order[i].of), all, tmp);
		for (k = 0; k < n; k++)
			t[k] = all[column[k]];
		page_names(p, t, names, n, left);
		page_flush(p);
	}
	if (limit < p->r->rows.n)
		remainder_line(p, limit);
	cycle_line(p, limit);
	if (p->growth)
		page_growth_line(p, limit);
	free(width);
	free(c.s);
}

/* SPDX-License-Identifier: ISC */
/* The table for people. */
#include "view/page.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/vis.h"

/* self, %, incl, % of each metric, then calls and sizes: what comes of calls or
 * points only if there can be any.  Growth is that of inclusive cost. */
static void
fill_cells(struct page *p, struct cells *c, const struct value *self,
    const struct value *incl, const char *const *mark, const struct value *counts)
{
	struct buf b = { 0 };
	size_t i;
	int k;

	c->n = 0;
	for (i = 0; i < p->v->nshow; i++) {
		const struct value *v[2] = { &self[i], &incl[i] };

		for (k = p->growth ? 1 : 0; k < 1 + p->r->incl_known; k++) {
			b.n = 0;
			if (k == 1)
				buf_puts(&b, mark[i]);
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
		page_add_value(&b, counts[i], DIGITS_GROUPED);
		page_set_cell(c, &b);
	}
	buf_free(&b);
}

static void
row_cells(struct page *p, struct cells *c, size_t row)
{
	struct value *v = mem_alloc(2 * p->v->nshow + 1, sizeof *v);
	const char **mark = mem_alloc(p->v->nshow + 1, sizeof *mark);
	struct value counts[1 + SIZES] = { page_calls(p, row) };
	size_t i, n = p->v->nshow;

	for (i = 0; i < n; i++) {
		v[i] = page_self(p, row, i);
		v[n + i] = page_incl(p, row, i);
		mark[i] = page_mark(p, row, i);
	}
	for (i = 0; i < SIZES; i++)
		counts[1 + i] = page_size(p, row, i);
	fill_cells(p, c, v, v + n, mark, counts);
	if (p->growth)
		page_growth_cells(p, c, row);
	free(mark);
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

/* What the profile costs in all; false if nothing that is shown has a total. */
static bool
add_totals(struct page *p)
{
	bool some = false;
	size_t i;

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
			vis_add(&p->line, m->unit);
			buf_puts(&p->line, " of ");
		}
		vis_add(&p->line, m->name);
	}
	return some;
}

/* In what the line has left of its width. */
static void
add_command(struct page *p)
{
	const struct rank_heading *h = p->h;
	size_t n;

	if (h->cmds_differ) {
		buf_puts(&p->line, ": several commands");
	} else if (h->cmd.s) {
		buf_puts(&p->line, ": ");
		n = vis_columns(buf_as_text(&p->line)) - (p->v->color ? 8 : 0);
		vis_shortened(&p->line, h->cmd, !p->v->width ? SIZE_MAX :
		    p->v->width > n + 10 ? p->v->width - n : 10);
	}
}

/* The names of what was compared. */
static void
sides_line(struct page *p)
{
	struct text list = buf_as_text(&p->h->diff), field, name;
	struct buf scratch = { 0 };
	size_t n;

	for (n = 0; fields_next(&list, &field); n++) {
		scratch.n = 0;
		if (!field_unescape(field, &scratch, &name))
			name = field;
		buf_puts(&p->line, n ? ", new: " : "old: ");
		vis_add(&p->line, name);
	}
	buf_free(&scratch);
	page_flush(p);
}

void
page_heading(struct page *p)
{
	const struct rank_heading *h = p->h;
	bool some;

	page_paint(p, "1");
	some = add_totals(p);
	page_paint(p, "0");
	if (page_is_diff(p) && h->parts == 1)
		buf_puts(&p->line, " between two profiles");
	else
		buf_printf(&p->line, "%s%" PRIu64 " profile%s, %" PRIu64 " part%s",
		    some ? " in " : "", h->runs, h->runs == 1 ? "" : "s", h->parts,
		    h->parts == 1 ? "" : "s");
	add_command(p);
	page_flush(p);
	if (h->diff.n)
		sides_line(p);
	if (h->filter.n) {
		buf_puts(&p->line, "filter: ");
		vis_add(&p->line, buf_as_text(&h->filter));
		page_flush(p);
	}
	if (h->skipped) {
		buf_printf(&p->line, "skipped: %" PRIu64 " malformed or cut line%s",
		    h->skipped, h->skipped == 1 ? "" : "s");
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

static bool
has_mark(const struct page *p, size_t limit, const char *mark)
{
	size_t i, k;

	for (i = 0; i < limit; i++)
		for (k = 0; k < p->v->nshow; k++)
			if (strcmp(page_mark(p, p->order[i].of, k), mark) == 0)
				return true;
	return false;
}

/* Says what the marks mean that rows have which are shown. */
static void
mark_lines(struct page *p, size_t limit)
{
	static const struct { const char *mark, *says; } marks[] = {
		{ MARK_BOUND, "in a cycle of calls: at least this" },
		{ MARK_PARTIAL, "calls may be nested, the filter has hidden which: "
		    "at most this of what is left" },
		{ MARK_OVER, "more than the whole, as the producer measured it" },
	};
	size_t i;

	for (i = 0; i < sizeof marks / sizeof *marks && p->r->incl_known; i++)
		if (has_mark(p, limit, marks[i].mark)) {
			buf_printf(&p->line, "%s %s", marks[i].mark, marks[i].says);
			page_flush(p);
		}
}

/* Does a row that is shown have a name in this column? */
static bool
is_named(const struct page *p, size_t column, size_t limit)
{
	struct text t[PAGE_KEYS];
	char tmp[NUM_TEXT];
	size_t i;

	for (i = 0; i < limit; i++) {
		page_key_texts(p->q, sums_key(&p->r->rows, p->order[i].of), t, tmp);
		if (t[column].s)
			return true;
	}
	return false;
}

/* The columns of names, less those that only accompany a function and know
 * nothing. */
static void
choose_names(struct lines *l, size_t limit)
{
	enum group_by keys[PAGE_KEYS];
	size_t i, n = page_keys(l->p->q, keys);

	for (i = 0; i < n; i++)
		if (!page_accompanies(l->p, keys[i]) || is_named(l->p, i, limit)) {
			l->key[l->nkey] = keys[i];
			l->column[l->nkey++] = i;
		}
}

/* A table of ??? is no answer: there may be an executable that has one. */
static void
hint_names(const struct page *p)
{
	const struct rank_request *q = p->q;
	const struct sums *rows = &p->r->rows;
	size_t row;

	if (!rows->n || q->ngroup_by != 1 || q->group_by[0] != BY_FUNCTION)
		return;
	for (row = 0; row < rows->n; row++)
		if (dict_func_name(q->dict, (uint32_t)*sums_key(rows, row)).s)
			return;
	diag_say(q->diag, DIAG_NOTE, "no function has a name: give the executable with "
	    "--exe");
}

void
page_text(struct page *p)
{
	struct lines l = { .p = p, .heads = head_cells, .fill = row_cells };
	size_t limit = page_limit(p), i;

	choose_names(&l, limit);
	hint_names(p);
	page_heading(p);
	lines_begin(&l, 4 * p->v->nshow + 1 + SIZES + GROWTH_CELLS);
	for (i = 0; i < limit; i++)
		lines_widen(&l, p->order[i].of);
	lines_add_heads(&l);
	page_flush(p);
	for (i = 0; i < limit; i++) {
		lines_add_row(&l, p->order[i].of);
		page_flush(p);
	}
	if (limit < p->r->rows.n)
		remainder_line(p, limit);
	mark_lines(p, limit);
	if (p->growth)
		page_growth_line(p, limit);
	lines_free(&l);
}

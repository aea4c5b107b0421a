/* SPDX-License-Identifier: ISC */
/* Tables for programs: TSV, JSON. */
#include "view/page.h"

#include <inttypes.h>

#include "util/json.h"

/* The heading of an event's column, escaped as all fields are. */
void
page_tsv_event(struct page *p, size_t metric, const char *suffix)
{
	struct buf name = { 0 };

	buf_text(&name, p->metric[metric].name);
	buf_puts(&name, suffix);
	buf_putc(&p->line, '\t');
	field_escape(&p->line, buf_as_text(&name));
	buf_free(&name);
}

static void
add_unit(struct buf *b, const struct metric *m)
{
	buf_printf(b, "1/%" PRIu64 "%s", m->per, m->unit.s ? " " : "");
	buf_text(b, m->unit);
}

void
page_tsv_unit(struct page *p, size_t metric)
{
	struct buf unit = { 0 };

	if (p->metric[metric].per == 1)
		return;
	add_unit(&unit, &p->metric[metric]);
	buf_putc(&p->line, '\t');
	field_escape(&p->line, buf_as_text(&unit));
	buf_free(&unit);
}

void
page_json_unit(struct page *p, size_t metric)
{
	struct buf unit = { 0 };

	if (p->metric[metric].per == 1)
		return;
	add_unit(&unit, &p->metric[metric]);
	page_json_member(&p->line, p->metric[metric].name, ".unit");
	json_string(&p->line, buf_as_text(&unit));
	buf_free(&unit);
}

void
page_tsv_unit_head(struct page *p, size_t metric)
{
	if (p->metric[metric].per != 1)
		page_tsv_event(p, metric, ".unit");
}

void
page_tsv_head(struct page *p, const enum group_by *keys, size_t nkeys)
{
	size_t i;

	for (i = 0; i < nkeys; i++)
		buf_printf(&p->line, "%s\t", group_by_name[keys[i]]);
	buf_puts(&p->line, "calls");
	for (i = 0; i < p->v->nshow; i++) {
		page_tsv_event(p, i, "");
		page_tsv_event(p, i, ".incl");
		page_tsv_unit_head(p, i);
	}
	for (i = 0; i < SIZES && p->r->sizes; i++)
		buf_printf(&p->line, "\t%s", page_size_name[i]);
	if (p->growth)
		page_growth_tsv_head(p);
	page_flush(p);
}

void
page_tsv_row(struct page *p, size_t row)
{
	enum group_by keys[PAGE_KEYS];
	struct text t[PAGE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = page_keys(p->q, keys);

	page_key_texts(p->q, sums_key(&p->r->rows, row), t, tmp);
	for (i = 0; i < n; i++) {
		field_escape(&p->line, t[i]);
		buf_putc(&p->line, '\t');
	}
	page_add_value(&p->line, page_calls(p, row), DIGITS_PLAIN);
	for (i = 0; i < p->v->nshow; i++) {
		buf_putc(&p->line, '\t');
		page_add_value(&p->line, page_self(p, row, i), DIGITS_PLAIN);
		buf_putc(&p->line, '\t');
		page_add_value(&p->line, page_incl(p, row, i), DIGITS_PLAIN);
		page_tsv_unit(p, i);
	}
	for (i = 0; i < SIZES && p->r->sizes; i++) {
		buf_putc(&p->line, '\t');
		page_add_value(&p->line, page_size(p, row, i), DIGITS_PLAIN);
	}
	if (p->growth)
		page_growth_tsv(p, row);
	page_flush(p);
}

void
page_json_member(struct buf *b, struct text name, const char *suffix)
{
	struct buf key = { 0 };

	buf_puts(b, b->n > 1 ? "," : "");
	buf_text(&key, name);
	buf_puts(&key, suffix);
	json_string(b, buf_as_text(&key));
	buf_putc(b, ':');
	buf_free(&key);
}

void
page_json_value(struct buf *b, struct value v)
{
	if (v.kind == WHOLE)
		json_num(b, v.n);
	else if (v.kind == RATIO)
		buf_printf(b, "%.6g", v.ratio);
	else
		buf_puts(b, "null");
}

void
page_json_row(struct page *p, size_t row)
{
	enum group_by keys[PAGE_KEYS];
	struct text t[PAGE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = page_keys(p->q, keys);
	struct buf *b = &p->line;

	page_key_texts(p->q, sums_key(&p->r->rows, row), t, tmp);
	buf_putc(b, '{');
	for (i = 0; i < n; i++) {
		page_json_member(b, text_of(group_by_name[keys[i]]), "");
		if (keys[i] == BY_LINE && t[i].s)
			buf_text(b, t[i]);
		else
			json_string(b, t[i]);
	}
	page_json_member(b, TEXT("calls"), "");
	page_json_value(b, page_calls(p, row));
	for (i = 0; i < p->v->nshow; i++) {
		page_json_member(b, p->metric[i].name, "");
		page_json_value(b, page_self(p, row, i));
		page_json_member(b, p->metric[i].name, ".incl");
		page_json_value(b, page_incl(p, row, i));
		page_json_unit(p, i);
	}
	for (i = 0; i < SIZES && p->r->sizes; i++) {
		page_json_member(b, text_of(page_size_name[i]), "");
		page_json_value(b, page_size(p, row, i));
	}
	if (p->growth)
		page_growth_json(p, row);
	buf_putc(b, '}');
	page_flush(p);
}

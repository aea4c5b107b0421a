/* SPDX-License-Identifier: ISC */
/* Tables for programs: TSV, JSON. */
#include "view/page.h"

#include "util/json.h"

void
page_tsv_head(struct page *p, const enum group_by *keys, size_t nkeys)
{
	const struct table *t = p->t;
	size_t i;

	for (i = 0; i < nkeys; i++)
		buf_printf(&p->line, "%s\t", group_by_name[keys[i]]);
	buf_puts(&p->line, "calls");
	for (i = 0; i < t->v->nshow; i++) {
		page_tsv_event(p, i, "");
		page_tsv_event(p, i, ".incl");
		page_tsv_noise_head(p, i);
		page_tsv_unit_head(p, i);
	}
	for (i = 0; i < SIZES && t->r->sizes; i++)
		buf_printf(&p->line, "\t%s", table_size_name[i]);
	if (t->growth)
		page_growth_tsv_head(p);
	page_tsv_bound_heads(p);
	page_flush(p);
}

void
page_tsv_row(struct page *p, size_t row)
{
	const struct table *t = p->t;
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = table_keys(t->q, keys);

	table_key_texts(t->q, sums_key(&t->r->rows, row), name, tmp);
	for (i = 0; i < n; i++) {
		field_escape(&p->line, name[i]);
		buf_putc(&p->line, '\t');
	}
	page_add_value(&p->line, table_calls(t, row), DIGITS_PLAIN);
	for (i = 0; i < t->v->nshow; i++) {
		buf_putc(&p->line, '\t');
		page_add_value(&p->line, table_self(t, row, i), DIGITS_PLAIN);
		buf_putc(&p->line, '\t');
		page_add_value(&p->line, table_incl(t, row, i), DIGITS_PLAIN);
		page_tsv_noise(p, i, row);
		page_tsv_unit(p, i);
	}
	for (i = 0; i < SIZES && t->r->sizes; i++) {
		buf_putc(&p->line, '\t');
		page_add_value(&p->line, table_size(t, row, i), DIGITS_PLAIN);
	}
	if (t->growth)
		page_growth_tsv(p, row);
	for (i = 0; i < t->v->nshow; i++)
		page_tsv_bound(p, i, table_bound_name(t, row, i));
	page_flush(p);
}

void
page_json_row(struct page *p, size_t row)
{
	const struct table *t = p->t;
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = table_keys(t->q, keys);
	struct buf *b = &p->line;

	table_key_texts(t->q, sums_key(&t->r->rows, row), name, tmp);
	buf_putc(b, '{');
	for (i = 0; i < n; i++) {
		page_json_member(b, text_of(group_by_name[keys[i]]), "");
		if (keys[i] == BY_LINE && name[i].s)
			buf_text(b, name[i]);
		else
			json_string(b, name[i]);
	}
	page_json_member(b, TEXT("calls"), "");
	page_json_value(b, table_calls(t, row));
	for (i = 0; i < t->v->nshow; i++) {
		page_json_member(b, t->metric[i].name, "");
		page_json_value(b, table_self(t, row, i));
		page_json_member(b, t->metric[i].name, ".incl");
		page_json_value(b, table_incl(t, row, i));
		page_json_noise(p, i, row);
		page_json_unit(p, i);
	}
	for (i = 0; i < SIZES && t->r->sizes; i++) {
		page_json_member(b, text_of(table_size_name[i]), "");
		page_json_value(b, table_size(t, row, i));
	}
	if (t->growth)
		page_growth_json(p, row);
	for (i = 0; i < t->v->nshow; i++)
		page_json_bound(p, i, table_bound_name(t, row, i));
	buf_putc(b, '}');
	page_flush(p);
}

/* SPDX-License-Identifier: ISC */
/* The fields of TSV and the members of JSON objects. */
#include "view/page.h"

#include <inttypes.h>

#include "util/json.h"

/* The heading of an event's column, escaped as all fields are. */
void
page_tsv_event(struct page *p, size_t metric, const char *suffix)
{
	struct buf name = { 0 };

	buf_text(&name, p->t->metric[metric].name);
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

	if (p->t->metric[metric].per == 1)
		return;
	add_unit(&unit, &p->t->metric[metric]);
	buf_putc(&p->line, '\t');
	field_escape(&p->line, buf_as_text(&unit));
	buf_free(&unit);
}

void
page_json_unit(struct page *p, size_t metric)
{
	const struct table *t = p->t;
	struct buf unit = { 0 };

	if (t->metric[metric].per == 1)
		return;
	add_unit(&unit, &t->metric[metric]);
	page_json_member(&p->line, t->metric[metric].name, ".unit");
	json_string(&p->line, buf_as_text(&unit));
	buf_free(&unit);
}

void
page_tsv_unit_head(struct page *p, size_t metric)
{
	if (p->t->metric[metric].per != 1)
		page_tsv_event(p, metric, ".unit");
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

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

/* ---- bounds ---- */

void
page_tsv_bound_heads(struct page *p)
{
	size_t i;

	for (i = 0; i < p->t->v->nshow; i++)
		if (table_has_bounds(p->t, i))
			page_tsv_event(p, i, ".incl.bound");
}

void
page_tsv_bound(struct page *p, size_t metric, struct text bound)
{
	if (!table_has_bounds(p->t, metric))
		return;
	buf_putc(&p->line, '\t');
	field_escape(&p->line, bound);
}

void
page_json_bound(struct page *p, size_t metric, struct text bound)
{
	if (!table_has_bounds(p->t, metric))
		return;
	page_json_member(&p->line, p->t->metric[metric].name, ".incl.bound");
	json_string(&p->line, bound);
}

/* ---- noise ---- */

/* The columns of an event: the deviation of a run, and the share of false ones among the
 * changes that are as sure or surer; of self and of inclusive cost. */
#define NOISE_FIELDS 4
static const char *const noise_suffix[NOISE_FIELDS] = {
	".noise", ".q", ".incl.noise", ".incl.q",
};

/* What was judged of the event; NULL. */
static const struct contrast_event *
judged(const struct page *p, size_t metric)
{
	const struct contrast *c = p->t->v->contrast;
	const struct rank_delta *d = p->t->metric[metric].delta;

	return c && d ? contrast_find(c, d) : NULL;
}

static struct value
noise_value(const struct contrast_event *e, size_t field, size_t row)
{
	const struct noise_row *rows = e->row[field / 2];
	struct value v = { .kind = ABSENT };

	if (rows && rows[row].spread > 0)
		v = (struct value){ .kind = RATIO, .ratio = field % 2 ?
		    rows[row].q[NOISE_CHANGED] : rows[row].spread };
	return v;
}

void
page_tsv_noise_head(struct page *p, size_t metric)
{
	size_t i;

	for (i = 0; i < NOISE_FIELDS && judged(p, metric); i++)
		page_tsv_event(p, metric, noise_suffix[i]);
}

void
page_tsv_noise(struct page *p, size_t metric, size_t row)
{
	const struct contrast_event *e = judged(p, metric);
	size_t i;

	for (i = 0; i < NOISE_FIELDS && e; i++) {
		buf_putc(&p->line, '\t');
		page_add_value(&p->line, noise_value(e, i, row), DIGITS_PLAIN);
	}
}

void
page_json_noise(struct page *p, size_t metric, size_t row)
{
	const struct contrast_event *e = judged(p, metric);
	size_t i;

	for (i = 0; i < NOISE_FIELDS && e; i++) {
		page_json_member(&p->line, p->t->metric[metric].name, noise_suffix[i]);
		page_json_value(&p->line, noise_value(e, i, row));
	}
}

/* SPDX-License-Identifier: ISC */
/* Callers and callees for programs: TSV, JSON. */
#include "view/calls.h"

#include "util/json.h"

void
calls_rows_head(struct page *p, enum page_side side)
{
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(p->t->q, keys);

	for (i = 0; i < n; i++)
		buf_printf(&p->line, "%s\t", group_by_name[keys[i]]);
	for (i = 0; i < n; i++)
		buf_printf(&p->line, "%s.%s\t", side == PAGE_CALLERS ? "caller" : "callee",
		    group_by_name[keys[i]]);
	buf_puts(&p->line, "calls");
	for (i = 0; i < p->t->v->nshow; i++) {
		page_tsv_event(p, i, ".incl");
		page_tsv_unit_head(p, i);
	}
	page_flush(p);
}

/* The columns of a call as a table has them: the function asked about, the other one,
 * calls, inclusive costs. */
static void
put_tsv(const struct block *b, uint32_t edge)
{
	struct page *p = b->p;
	const struct table *t = p->t;
	const size_t row[2] = { b->of, calls_other_end(b, edge) };
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, k, n = table_keys(t->q, keys);

	for (i = 0; i < 2; i++) {
		table_key_texts(t->q, sums_key(&t->r->rows, row[i]), name, tmp);
		for (k = 0; k < n; k++) {
			field_escape(&p->line, name[k]);
			buf_putc(&p->line, '\t');
		}
	}
	page_add_value(&p->line, calls_edge_count(b, edge), DIGITS_PLAIN);
	for (i = 0; i < t->v->nshow; i++) {
		buf_putc(&p->line, '\t');
		page_add_value(&p->line, calls_edge_cost(b, edge, i), DIGITS_PLAIN);
		page_tsv_unit(p, i);
	}
	page_flush(p);
}

static void
put_json(const struct block *b, uint32_t edge)
{
	struct page *p = b->p;
	const struct table *t = p->t;
	const size_t row[2] = { b->of, calls_other_end(b, edge) };
	const struct text prefix[2] = { TEXT(""), b->side == PAGE_CALLERS ?
	    TEXT("caller.") : TEXT("callee.") };
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, k, n = table_keys(t->q, keys);

	buf_putc(&p->line, '{');
	for (i = 0; i < 2; i++) {
		table_key_texts(t->q, sums_key(&t->r->rows, row[i]), name, tmp);
		for (k = 0; k < n; k++) {
			page_json_member(&p->line, prefix[i], group_by_name[keys[k]]);
			json_string(&p->line, name[k]);
		}
	}
	page_json_member(&p->line, TEXT("calls"), "");
	page_json_value(&p->line, calls_edge_count(b, edge));
	for (i = 0; i < t->v->nshow; i++) {
		page_json_member(&p->line, t->metric[i].name, ".incl");
		page_json_value(&p->line, calls_edge_cost(b, edge, i));
		page_json_unit(p, i);
	}
	buf_putc(&p->line, '}');
	page_flush(p);
}

void
calls_rows(const struct block *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		(b->p->t->v->form == VIEW_JSON ? put_json : put_tsv)(b, b->edge[i].of);
}

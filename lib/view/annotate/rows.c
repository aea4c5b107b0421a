/* SPDX-License-Identifier: ISC */
/* Annotated source for programs: TSV, JSON. */
#include "pages.h"

#include <stdlib.h>

#include "util/json.h"

/* The columns before those of events, and the one after them. */
static const char *const column[] = { "row", "file", "line", "function", "calls" };
enum { ROW, FILE_NAME, LINE, FUNCTION, CALLS, COLUMNS };
#define LAST_COLUMN "text"

/* A row: what is absent of it is not known or not there. */
struct row {
	struct text name[COLUMNS];	/* the line and the calls are numbers */
	struct text text;
	struct value (*cost)(const struct row *r, size_t metric, bool incl);
	const struct table *t;
	const struct listed_line *line;
	const num *sums;	/* of a call or a sum */
};

void
annotate_rows_head(struct page *p)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		buf_printf(&p->line, "%s%s", i ? "\t" : "", column[i]);
	for (i = 0; i < p->t->v->nshow; i++) {
		page_tsv_event(p, i, "");
		page_tsv_event(p, i, ".incl");
		page_tsv_unit_head(p, i);
	}
	buf_puts(&p->line, "\t" LAST_COLUMN);
	page_flush(p);
}

static void
put_tsv(struct page *p, const struct row *r)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		field_escape(&p->line, r->name[i]);
		buf_putc(&p->line, '\t');
	}
	p->line.n--;
	for (i = 0; i < p->t->v->nshow; i++) {
		buf_putc(&p->line, '\t');
		page_add_value(&p->line, r->cost(r, i, false), DIGITS_PLAIN);
		buf_putc(&p->line, '\t');
		page_add_value(&p->line, r->cost(r, i, true), DIGITS_PLAIN);
		page_tsv_unit(p, i);
	}
	buf_putc(&p->line, '\t');
	field_escape(&p->line, r->text);
	page_flush(p);
}

static void
put_json(struct page *p, const struct row *r)
{
	struct buf *b = &p->line;
	size_t i;

	buf_putc(b, '{');
	for (i = 0; i < COLUMNS; i++) {
		page_json_member(b, text_of(column[i]), "");
		if (i == LINE || i == CALLS)
			json_int(b, r->name[i]);
		else
			json_string(b, r->name[i]);
	}
	for (i = 0; i < p->t->v->nshow; i++) {
		page_json_member(b, p->t->metric[i].name, "");
		page_json_value(b, r->cost(r, i, false));
		page_json_member(b, p->t->metric[i].name, ".incl");
		page_json_value(b, r->cost(r, i, true));
		page_json_unit(p, i);
	}
	page_json_member(b, TEXT(LAST_COLUMN), "");
	json_string(b, r->text);
	buf_putc(b, '}');
	page_flush(p);
}

static void
put_row(struct page *p, const struct row *r)
{
	if (p->t->v->form == VIEW_TSV)
		put_tsv(p, r);
	else
		put_json(p, r);
}

/* ---- costs ---- */

static struct value
line_cost(const struct row *r, size_t metric, bool incl)
{
	if (r->line)
		return incl ? table_incl(r->t, r->line->row, metric) :
		    table_self(r->t, r->line->row, metric);
	return (struct value){ .kind = incl && !r->t->r->incl_known ? ABSENT : WHOLE };
}

static struct value
call_cost(const struct row *r, size_t metric, bool incl)
{
	return incl ? table_value(&r->t->metric[metric], r->sums) :
	    (struct value){ .kind = ABSENT };
}

static struct value
sum_cost(const struct row *r, size_t metric, bool incl)
{
	return incl ? (struct value){ .kind = ABSENT } :
	    table_value(&r->t->metric[metric], r->sums);
}

/* ---- rows ---- */

static void
put_call(struct page *p, const struct listing *l, const struct row *line, uint32_t call)
{
	const num *count = listing_count_of(l, call);
	struct row r = *line;
	char tmp[NUM_TEXT];

	r.cost = call_cost;
	r.sums = listing_cost_of(l, call);
	r.name[ROW] = TEXT("call");
	r.name[FUNCTION] = listing_callee(l, call);
	if (count)
		r.name[CALLS] = (struct text){ tmp,
		    (size_t)(num_put_num(tmp, *count) - tmp) };
	r.text = (struct text){ 0 };
	put_row(p, &r);
}

void
annotate_rows_file(struct page *p, const struct listing *l,
    const struct listed_file *f, const struct source *s)
{
	struct walk w = { .a = l->a, .f = f, .s = s };
	struct row r = { .cost = line_cost, .t = p->t };
	struct walk_line line;
	char tmp[NUM_TEXT];
	uint32_t *call;
	size_t i, n;

	r.name[ROW] = TEXT("line");
	r.name[FILE_NAME] = dict_path(p->t->q->dict, f->file);
	while (walk_next(&w, &line)) {
		r.name[LINE] = (struct text){ tmp,
		    (size_t)(num_put_num(tmp, line.line) - tmp) };
		r.line = line.of;
		r.text = line.text;
		put_row(p, &r);
		if (!line.of)
			continue;
		call = listing_calls(l, line.of->row, &n);
		for (i = 0; i < n; i++)
			put_call(p, l, &r, call[i]);
		free(call);
	}
}

void
annotate_rows_sums(struct page *p, const struct listing *l)
{
	struct row r = { .cost = sum_cost, .t = p->t };
	int kind;

	for (kind = 0; kind <= LISTED_KINDS; kind++) {
		r.name[ROW] = text_of(listed_name[kind].word);
		r.sums = kind < LISTED_KINDS ? l->sum[kind] : p->t->r->total;
		put_row(p, &r);
	}
}

/* SPDX-License-Identifier: ISC */
/* Annotated source for programs: TSV, JSON. */
#include "pages.h"

#include <stdlib.h>

#include "util/json.h"

/* The columns before those of events, of lines and of instructions, which have a
 * source, too; and those after them. */
static const char *const line_column[] = { "row", "file", "line", "function", "calls" };
static const char *const insn_column[] = { "row", "object", "addr", "function", "calls",
    "file", "line" };
enum { ROW, FILE_NAME, LINE, FUNCTION, CALLS, LINE_COLUMNS,
    INSN_FILE = LINE_COLUMNS, INSN_LINE, COLUMNS };
enum { TEXT_COLUMN, INLINED, LAST_COLUMNS };	/* instructions have no INLINED */
static const char *const last_column[] = { "text", "inlined" };

/* A row: what is absent of it is not known or not there. */
struct row {
	struct text name[COLUMNS];
	struct text last[LAST_COLUMNS];
	struct value (*cost)(const struct row *r, size_t metric, bool incl);
	const struct table *t;
	const struct listed_line *line;
	const num *sums;	/* of a call or a sum */
	/* What the columns are. */
	const char *const *column;
	size_t ncolumn, nlast;
};

static struct row
new_row(const struct page *p, const struct listing *l)
{
	struct row r = { .t = p->t, .column = line_column, .ncolumn = LINE_COLUMNS,
	    .nlast = LAST_COLUMNS };

	if (l->code) {
		r.column = insn_column;
		r.ncolumn = COLUMNS;
		r.nlast = INLINED;
	}
	return r;
}

void
annotate_rows_head(struct page *p, const struct listing *l)
{
	const struct row r = new_row(p, l);
	size_t i;

	for (i = 0; i < r.ncolumn; i++)
		buf_printf(&p->line, "%s%s", i ? "\t" : "", r.column[i]);
	for (i = 0; i < p->t->v->nshow; i++) {
		page_tsv_event(p, i, "");
		page_tsv_event(p, i, ".incl");
		page_tsv_unit_head(p, i);
	}
	for (i = 0; i < r.nlast; i++)
		buf_printf(&p->line, "\t%s", last_column[i]);
	page_tsv_bound_heads(p);
	page_flush(p);
}

/* What the inclusive cost is: that of a call was measured, as was that of a line that has
 * none. */
static struct text
bound_of(const struct row *r, size_t metric)
{
	if (r->cost(r, metric, true).kind == ABSENT)
		return (struct text){ 0 };
	return r->line && !r->sums ? table_bound_name(r->t, r->line->row, metric) :
	    TEXT("exact");
}

static void
put_tsv(struct page *p, const struct row *r)
{
	size_t i;

	for (i = 0; i < r->ncolumn; i++) {
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
	for (i = 0; i < r->nlast; i++) {
		buf_putc(&p->line, '\t');
		field_escape(&p->line, r->last[i]);
	}
	for (i = 0; i < p->t->v->nshow; i++)
		page_tsv_bound(p, i, bound_of(r, i));
	page_flush(p);
}

/* Lines and counts; addresses are text, as everywhere. */
static bool
is_number(const struct row *r, size_t column)
{
	return column == CALLS || column == INSN_LINE ||
	    (column == LINE && r->column == line_column);
}

static void
put_json(struct page *p, const struct row *r)
{
	struct buf *b = &p->line;
	size_t i;

	buf_putc(b, '{');
	for (i = 0; i < r->ncolumn; i++) {
		page_json_member(b, text_of(r->column[i]), "");
		if (is_number(r, i))
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
	for (i = 0; i < r->nlast; i++) {
		page_json_member(b, text_of(last_column[i]), "");
		if (i == INLINED)
			json_int(b, r->last[i]);
		else
			json_string(b, r->last[i]);
	}
	for (i = 0; i < p->t->v->nshow; i++)
		page_json_bound(p, i, bound_of(r, i));
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
		r.name[CALLS] = num_text(tmp, *count);
	memset(r.last, 0, sizeof r.last);
	put_row(p, &r);
}

static void
put_calls(struct page *p, const struct listing *l, const struct row *line)
{
	uint32_t *call;
	size_t i, n;

	call = listing_calls(l, line->line->row, &n);
	for (i = 0; i < n; i++)
		put_call(p, l, line, call[i]);
	free(call);
}

/* The texts of numbers. */
struct tmp {
	char line[FIELD_TEXT], source[NUM_TEXT];
};

static void
name_file(struct row *r, const struct listing *l, const struct listed_file *f)
{
	const struct dict *d = r->t->q->dict;

	r->name[ROW] = l->code ? TEXT("insn") : TEXT("line");
	r->name[FILE_NAME] = !l->code ? dict_path(d, f->file) :
	    dict_object_path(d, code_pages_object(l->code, f->file));
	if (l->code && code_pages_can(l->code, f->file))
		r->name[FUNCTION] = code_pages_name(l->code, f->file);
}

static void
name_insn(struct row *r, const struct source *s, const struct walk_line *line,
    struct tmp *tmp)
{
	const struct source_insn *insn = source_insn(s, line->line);

	r->name[LINE] = num_text_hex(tmp->line, line->number);
	r->name[INSN_FILE] = r->name[INSN_LINE] = (struct text){ 0 };
	if (!insn || insn->file == NO_ID)
		return;
	r->name[INSN_FILE] = dict_path(r->t->q->dict, insn->file);
	r->name[INSN_LINE] = num_text(tmp->source, insn->line);
}

static void
name_line(struct row *r, const struct walk_line *line, struct tmp *tmp)
{
	r->name[LINE] = num_text(tmp->line, line->line);
	r->last[INLINED] = line->of && line->of->inlined ? TEXT("1") : TEXT("0");
}

void
annotate_rows_file(struct page *p, const struct listing *l,
    const struct listed_file *f, const struct source *s)
{
	struct walk w = { .a = l->a, .f = f, .s = s };
	struct row r = new_row(p, l);
	struct walk_line line;
	struct tmp tmp;

	r.cost = line_cost;
	name_file(&r, l, f);
	while (walk_next(&w, &line)) {
		if (l->code)
			name_insn(&r, s, &line, &tmp);
		else
			name_line(&r, &line, &tmp);
		r.line = line.of;
		r.last[TEXT_COLUMN] = line.text;
		put_row(p, &r);
		if (line.of)
			put_calls(p, l, &r);
	}
}

void
annotate_rows_sums(struct page *p, const struct listing *l)
{
	struct row r = new_row(p, l);
	int kind;

	r.cost = sum_cost;
	for (kind = 0; kind <= LISTED_KINDS; kind++) {
		r.name[ROW] = text_of(listed_name[kind].word);
		r.sums = kind < LISTED_KINDS ? l->sum[kind] : p->t->r->total;
		put_row(p, &r);
	}
}

/* SPDX-License-Identifier: ISC */
/* Annotated source as TSV and JSON. */
#include "pages.h"

#include <stdlib.h>

/* The cells of a row; an absent one is not known or does not exist. */
enum { ROW, FILE_NAME, LINE, FUNCTION, CALLS, SOURCE_FILE, SOURCE_LINE, TEXT_COLUMN, INLINED,
    COLUMNS };

struct row {
	struct text name[COLUMNS];
	struct value (*cost)(const struct row *r, size_t metric, bool incl);
	const struct table *t;
	const struct listed_line *line;
	const num *sums;	/* of a call or a sum */
};

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

/* ---- columns ---- */

static struct value
text(const void *row, size_t i)
{
	return value_of_text(((const struct row *)row)->name[i]);
}

static struct value
number(const void *row, size_t i)
{
	return value_of_number(((const struct row *)row)->name[i]);
}

static struct value
self(const void *row, size_t metric)
{
	return ((const struct row *)row)->cost(row, metric, false);
}

static struct value
inclusive(const void *row, size_t metric)
{
	return ((const struct row *)row)->cost(row, metric, true);
}

/* Returns how the inclusive cost relates to the true one: those of a call, and of a line
 * without calls, are measured. */
static struct value
bound(const void *row, size_t metric)
{
	const struct row *r = row;

	if (inclusive(r, metric).kind == ABSENT)
		return (struct value){ .kind = ABSENT };
	return value_of_text(r->line && !r->sums ? table_bound_name(r->t, r->line->row, metric) :
	    TEXT("exact"));
}

/* Adds the columns before the costs; addresses are text, as everywhere. */
static void
add_places(struct data_table *d, const struct listing *l)
{
	data_table_column(d, TEXT("row"), "", text, ROW);
	data_table_column(d, l->code ? TEXT("object") : TEXT("file"), "", text, FILE_NAME);
	if (l->code)
		data_table_column(d, TEXT("addr"), "", text, LINE);
	else
		data_table_column(d, TEXT("line"), "", number, LINE);
	data_table_column(d, TEXT("function"), "", text, FUNCTION);
	data_table_column(d, TEXT("calls"), "", number, CALLS);
	if (l->code) {
		data_table_column(d, TEXT("file"), "", text, SOURCE_FILE);
		data_table_column(d, TEXT("line"), "", number, SOURCE_LINE);
	}
}

void
annotate_rows_begin(struct data_table *d, struct output *out, const struct listing *l)
{
	const struct table *t = l->t;
	size_t i;

	data_table_init(d, out, l->a->form);
	add_places(d, l);
	for (i = 0; i < t->v->nshow; i++) {
		data_table_column(d, t->metric[i].name, "", self, i);
		data_table_column(d, t->metric[i].name, ".incl", inclusive, i);
		data_unit_column(d, &t->metric[i]);
	}
	data_table_column(d, TEXT("text"), "", text, TEXT_COLUMN);
	if (!l->code)
		data_table_column(d, TEXT("inlined"), "", number, INLINED);
	data_bound_columns(d, t, bound);
	data_table_head(d, t->q->diag);
}

/* ---- rows ---- */

static void
put_call(struct data_table *d, const struct listing *l, const struct row *line, uint32_t call)
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
	r.name[TEXT_COLUMN] = r.name[INLINED] = (struct text){ 0 };
	data_table_row(d, &r);
}

static void
put_calls(struct data_table *d, const struct listing *l, const struct row *line)
{
	uint32_t *call;
	size_t i, n;

	call = listing_calls(l, line->line->row, &n);
	for (i = 0; i < n; i++)
		put_call(d, l, line, call[i]);
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
	r->name[SOURCE_FILE] = r->name[SOURCE_LINE] = (struct text){ 0 };
	if (!insn || insn->file == NO_ID)
		return;
	r->name[SOURCE_FILE] = dict_path(r->t->q->dict, insn->file);
	r->name[SOURCE_LINE] = num_text(tmp->source, insn->line);
}

static void
name_line(struct row *r, const struct walk_line *line, struct tmp *tmp)
{
	r->name[LINE] = num_text(tmp->line, line->line);
	r->name[INLINED] = line->of && line->of->inlined ? TEXT("1") : TEXT("0");
}

void
annotate_rows_file(struct data_table *d, const struct listing *l,
    const struct listed_file *f, const struct source *s)
{
	struct walk w = { .a = l->a, .f = f, .s = s };
	struct row r = { .t = l->t, .cost = line_cost };
	struct walk_line line;
	struct tmp tmp;

	name_file(&r, l, f);
	while (walk_next(&w, &line)) {
		if (l->code)
			name_insn(&r, s, &line, &tmp);
		else
			name_line(&r, &line, &tmp);
		r.line = line.of;
		r.name[TEXT_COLUMN] = line.text;
		data_table_row(d, &r);
		if (line.of)
			put_calls(d, l, &r);
	}
}

void
annotate_rows_sums(struct data_table *d, const struct listing *l)
{
	struct row r = { .t = l->t, .cost = sum_cost };
	int kind;

	for (kind = 0; kind <= LISTED_KINDS; kind++) {
		r.name[ROW] = text_of(listed_name[kind].word);
		r.sums = kind < LISTED_KINDS ? l->sum[kind] : l->t->r->total;
		data_table_row(d, &r);
	}
}

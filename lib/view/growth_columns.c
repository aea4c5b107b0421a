/* SPDX-License-Identifier: ISC */
/* Columns for the growth of rows' costs with the size of the input. */
#include "view/rank_page.h"

static const char *const verdict_name[] = {
	[GROWTH_FEW] = "few", [GROWTH_NEAR] = "near", [GROWTH_RANGE] = "range",
	[GROWTH_CLEAR] = "clear",
};

static const struct growth *
growth_of(const struct costs *row)
{
	return &row->t->growth[row->row];
}

/* Adds "n log n", "n to n^1.5", "near n^2", "too few sizes". */
static void
law_cell(struct cell *c, const void *row, size_t i)
{
	const struct growth *g = growth_of(row);

	(void)i;
	if (g->verdict == GROWTH_FEW)
		buf_puts(&c->b, "too few sizes");
	else if (g->verdict == GROWTH_RANGE)
		buf_printf(&c->b, "%s to %s", growth_name[g->low], growth_name[g->high]);
	else
		buf_printf(&c->b, "%s%s", g->verdict == GROWTH_NEAR ? "near " : "",
		    growth_name[g->law]);
}

static void
r2_cell(struct cell *c, const void *row, size_t i)
{
	const struct growth *g = growth_of(row);

	(void)i;
	if (g->verdict == GROWTH_FEW || g->law == GROWTH_1)
		buf_putc(&c->b, '-');
	else
		buf_printf(&c->b, "%.3f", g->r2);
}

static void
deviation_cell(struct cell *c, const void *row, size_t i)
{
	const struct growth *g = growth_of(row);

	(void)i;
	if (g->verdict == GROWTH_FEW)
		buf_putc(&c->b, '-');
	else
		buf_printf(&c->b, "%.1f %%", 100 * g->error);
}

void
growth_text_columns(struct text_table *tt)
{
	text_table_column(tt, "growth", COLUMN_SORTED, law_cell, 0);
	text_table_column(tt, "R2", COLUMN_FIT, r2_cell, 0);
	text_table_column(tt, "deviation", COLUMN_FIT, deviation_cell, 0);
}

/* Prints the meaning of "near", if a row that is shown has it. */
void
growth_line(struct page *p, const struct table *t, size_t limit)
{
	size_t i;

	for (i = 0; i < limit && t->growth[t->order[i].of].verdict != GROWTH_NEAR; i++)
		;
	if (i < limit)
		page_put_line(p, "near: no law fits; this one is the closest");
}

/* ---- TSV and JSON ---- */

/* The numbers of a fit, by the names of their columns.  Shares have millionths: smaller
 * parts are rounding errors. */
static const struct {
	const char *name;
	size_t at;
	bool ratio;
} number[] = {
	{ "growth.r2", offsetof(struct growth, r2), true },
	{ "growth.error", offsetof(struct growth, error), true },
	{ "growth.a", offsetof(struct growth, a), false },
	{ "growth.b", offsetof(struct growth, b), false },
	{ "growth.c", offsetof(struct growth, c), false },
};

#define NUMBERS (sizeof number / sizeof *number)

static struct value
number_value(const void *row, size_t i)
{
	const struct growth *g = growth_of(row);
	const double x = *(const double *)(const void *)((const char *)g + number[i].at);

	if (g->verdict == GROWTH_FEW)
		return (struct value){ .kind = ABSENT };
	return (struct value){ .kind = RATIO, .ratio = number[i].ratio && x < 1e6 ?
	    (double)(int64_t)(x * 1e6 + 0.5) / 1e6 : x };
}

enum { LAW, LOW, HIGH };

static struct value
law_value(const void *row, size_t i)
{
	const struct growth *g = growth_of(row);

	if (g->verdict == GROWTH_FEW)
		return (struct value){ .kind = ABSENT };
	return value_of_text(text_of(growth_name[i == LAW ? g->law : i == LOW ? g->low :
	    g->high]));
}

static struct value
verdict_value(const void *row, size_t i)
{
	(void)i;
	return value_of_text(text_of(verdict_name[growth_of(row)->verdict]));
}

void
growth_columns(struct data_table *d)
{
	size_t i;

	data_table_column(d, TEXT("growth"), "", law_value, LAW);
	data_table_column(d, TEXT("growth"), ".low", law_value, LOW);
	data_table_column(d, TEXT("growth"), ".high", law_value, HIGH);
	data_table_column(d, TEXT("growth"), ".verdict", verdict_value, 0);
	for (i = 0; i < NUMBERS; i++)
		data_table_column(d, text_of(number[i].name), "", number_value, i);
}

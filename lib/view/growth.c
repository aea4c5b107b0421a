/* SPDX-License-Identifier: ISC */
/* How the costs of rows grow with the size of the input. */
#include "view/page.h"

#include <stdio.h>

static const char *const verdict_name[] = {
	[GROWTH_FEW] = "few", [GROWTH_NEAR] = "near", [GROWTH_RANGE] = "range",
	[GROWTH_CLEAR] = "clear",
};

/* "n log n", "n to n^1.5", "near n^2", "too few sizes"; then how good the fit
 * is. */
void
page_growth_cells(const struct page *p, struct cells *c, size_t row)
{
	const struct growth *g = &p->t->growth[row];
	char *law = c->s[c->n++], *r2 = c->s[c->n++], *error = c->s[c->n++];

	strcpy(r2, "-");
	strcpy(error, "-");
	if (g->verdict == GROWTH_FEW) {
		strcpy(law, "too few sizes");
		return;
	}
	if (g->verdict == GROWTH_RANGE)
		snprintf(law, CELL, "%s to %s", growth_name[g->low],
		    growth_name[g->high]);
	else
		snprintf(law, CELL, "%s%s", g->verdict == GROWTH_NEAR ? "near " : "",
		    growth_name[g->law]);
	if (g->law != GROWTH_1)
		snprintf(r2, CELL, "%.3f", g->r2);
	snprintf(error, CELL, "%.1f %%", 100 * g->error);
}

void
page_growth_heads(struct cells *c)
{
	cells_head(c, "growth", COLUMN_SORTED, 0);
	cells_head(c, "R2", COLUMN_FIT, 0);
	cells_head(c, "deviation", COLUMN_FIT, 0);
}

/* What "near" means, if a row that is shown is so. */
void
page_growth_line(struct page *p, size_t limit)
{
	const struct table *t = p->t;
	size_t i;

	for (i = 0; i < limit && t->growth[t->order[i].of].verdict != GROWTH_NEAR; i++)
		;
	if (i == limit)
		return;
	buf_puts(&p->line, "near: no law fits, this one is the least far off");
	page_flush(p);
}

/* ---- for programs ---- */

/* The numbers of a fit, by the names of their columns.  Shares are to millionths:
 * what is less comes of rounding. */
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

static const struct growth *
of_row(const struct named_row *row)
{
	return &row->t->growth[row->of];
}

static struct value
number_value(const void *row, size_t i)
{
	const struct growth *g = of_row(row);
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
	const struct growth *g = of_row(row);

	if (g->verdict == GROWTH_FEW)
		return (struct value){ .kind = ABSENT };
	return value_of_text(text_of(growth_name[i == LAW ? g->law : i == LOW ? g->low :
	    g->high]));
}

static struct value
verdict_value(const void *row, size_t i)
{
	(void)i;
	return value_of_text(text_of(verdict_name[of_row(row)->verdict]));
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

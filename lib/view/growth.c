/* SPDX-License-Identifier: ISC */
/* How the costs of rows grow with the size of the input. */
#include "view/page.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/json.h"
#include "util/mem.h"

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

static double
number_of(const struct growth *g, size_t i)
{
	double x = *(const double *)(const void *)((const char *)g + number[i].at);

	return number[i].ratio && x < 1e6 ? (double)(int64_t)(x * 1e6 + 0.5) / 1e6 : x;
}

static const char *const law_name[] = { "growth", "growth.low", "growth.high" };

#define LAWS (sizeof law_name / sizeof *law_name)

static const char *
law_of(const struct growth *g, size_t i)
{
	return g->verdict == GROWTH_FEW ? NULL :
	    growth_name[i == 0 ? g->law : i == 1 ? g->low : g->high];
}

void
page_growth_tsv_head(struct page *p)
{
	size_t i;

	for (i = 0; i < LAWS; i++)
		buf_printf(&p->line, "\t%s", law_name[i]);
	buf_puts(&p->line, "\tgrowth.verdict");
	for (i = 0; i < NUMBERS; i++)
		buf_printf(&p->line, "\t%s", number[i].name);
}

void
page_growth_tsv(struct page *p, size_t row)
{
	const struct growth *g = &p->t->growth[row];
	size_t i;

	for (i = 0; i < LAWS; i++) {
		buf_putc(&p->line, '\t');
		field_escape(&p->line, text_of(law_of(g, i)));
	}
	buf_printf(&p->line, "\t%s", verdict_name[g->verdict]);
	for (i = 0; i < NUMBERS; i++)
		if (g->verdict == GROWTH_FEW)
			buf_puts(&p->line, "\t-");
		else
			buf_printf(&p->line, "\t%.6g", number_of(g, i));
}

void
page_growth_json(struct page *p, size_t row)
{
	const struct growth *g = &p->t->growth[row];
	struct buf *b = &p->line;
	size_t i;

	for (i = 0; i < LAWS; i++) {
		page_json_member(b, text_of(law_name[i]), "");
		json_string(b, text_of(law_of(g, i)));
	}
	page_json_member(b, TEXT("growth.verdict"), "");
	json_string(b, text_of(verdict_name[g->verdict]));
	for (i = 0; i < NUMBERS; i++) {
		page_json_member(b, text_of(number[i].name), "");
		if (g->verdict == GROWTH_FEW)
			buf_puts(b, "null");
		else
			buf_printf(b, "%.6g", number_of(g, i));
	}
}

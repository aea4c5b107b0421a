/* SPDX-License-Identifier: ISC */
/* The page: sections in their order, each with as many rows as the budget allows. */
#include "report/section.h"

#include <stddef.h>

/* ---- the sections ---- */

static size_t
one_row(const struct page_data *d)
{
	(void)d;
	return 1;
}

static const struct section {
	const char *name;
	size_t at;		/* of its number in struct report_rows */
	size_t (*rows)(const struct page_data *d);
	void (*add)(const struct page_data *d, size_t rows, struct buf *b);
	/* The rows that it gets before others get more, and those that are enough for a
	 * reader; 1: it has no rows to choose. */
	size_t least, good;
} section[] = {
#define ROWS(name) offsetof(struct report_rows, name)
	{ "facts", ROWS(measured), one_row, section_measured, 1, 1 },
	{ "functions", ROWS(functions), rows_of_functions, section_functions, 3, 10 },
	{ "changes", ROWS(changes), rows_of_changes, section_changes, 3, 12 },
	{ "heaviest paths", ROWS(paths), rows_of_paths, section_paths, 3, 12 },
	{ "lines", ROWS(lines), rows_of_lines, section_lines, 1, 6 },
	{ "callers", ROWS(callers), rows_of_callers, section_callers, 1, 3 },
	{ "certainty", ROWS(certainty), one_row, section_certainty, 1, 1 },
	{ "next commands", ROWS(next), one_row, section_next, 1, 1 },
};

#define SECTIONS (sizeof section / sizeof *section)

/* ---- the budget ---- */

#define LEFT_OUT 160		/* bytes for the names of sections without room */

struct page_plan {
	const struct page_data *d;
	size_t budget;
	struct report_rows rows;
	size_t most[SECTIONS], size[SECTIONS];
	size_t used;
};

static size_t *
rows_of(struct page_plan *p, size_t i)
{
	return (size_t *)((char *)&p->rows + section[i].at);
}

static size_t
size_of(const struct page_plan *p, size_t i, size_t rows)
{
	struct buf b = { 0 };
	size_t n;

	section[i].add(p->d, rows, &b);
	n = b.n;
	buf_free(&b);
	return n;
}

/* Gives a section this many rows if they fit. */
static bool
give(struct page_plan *p, size_t i, size_t rows)
{
	const size_t size = size_of(p, i, rows);

	if (p->used - p->size[i] + size > p->budget)
		return false;
	p->used = p->used - p->size[i] + size;
	p->size[i] = size;
	*rows_of(p, i) = rows;
	return true;
}

/* Gives a section as many rows as fit, up to a number.  More rows are longer. */
static void
give_up_to(struct page_plan *p, size_t i, size_t rows)
{
	size_t low = *rows_of(p, i), high = rows < p->most[i] ? rows : p->most[i], middle;

	if (high <= low || give(p, i, high))
		return;
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (give(p, i, middle))
			low = middle;
		else
			high = middle;
	}
}

/* Sections without rows to choose come first: they are short, and the reader needs them;
 * then all get few rows, then enough, then as many as there are. */
static void
plan(struct page_plan *p)
{
	size_t i;

	p->budget = p->d->r->budget > LEFT_OUT ? p->d->r->budget - LEFT_OUT : 0;
	for (i = 0; i < SECTIONS; i++) {
		p->most[i] = section[i].rows(p->d);
		if (section[i].good == 1)
			give_up_to(p, i, 1);
	}
	for (i = 0; i < SECTIONS; i++)
		give_up_to(p, i, section[i].least);
	for (i = 0; i < SECTIONS; i++)
		give_up_to(p, i, section[i].good);
	for (i = 0; i < SECTIONS; i++)
		give_up_to(p, i, SIZE_MAX);
}

/* ---- the report ---- */

/* Names the sections that the budget has no room for. */
static void
add_left_out(struct page_plan *p, struct buf *b)
{
	const char *between = "\nOmitted to fit --budget: ";
	size_t i;

	for (i = 0; i < SECTIONS; i++)
		if (p->most[i] && !*rows_of(p, i)) {
			buf_printf(b, "%s%s", between, section[i].name);
			between = ", ";
		}
	if (*between == ',')
		buf_puts(b, ".\n");
}

static void
add_page(struct page_plan *p, struct buf *b)
{
	size_t i;

	for (i = 0; i < SECTIONS; i++)
		if (*rows_of(p, i))
			section[i].add(p->d, *rows_of(p, i), b);
	add_left_out(p, b);
}

int
report_print(struct report *r, struct output *out)
{
	struct page_data d;
	struct page_plan p = { .d = &d };
	struct buf b = { 0 };
	int ret = page_data_init(&d, r);

	if (ret == 0) {
		plan(&p);
		if (!p.rows.measured)
			ret = diag_fail_plain(r->diag, "--budget: the metadata of the "
			    "profile alone needs more than %zu bytes", r->budget);
		else if (r->json)
			ret = report_json(&d, &p.rows, &b);
		else
			add_page(&p, &b);
		out_text(out, buf_as_text(&b));
	}
	page_data_free(&d);
	buf_free(&b);
	return ret;
}

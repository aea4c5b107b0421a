/* SPDX-License-Identifier: ISC */
/* The page: sections in their order, each with as many rows as the budget allows. */
#include "report/section.h"

#include "util/json.h"

static const struct section *const section[] = {
	&section_measured, &section_functions, &section_changes, &section_paths, &section_lines,
	&section_callers, &section_certainty, &section_next,
};

#define SECTIONS (sizeof section / sizeof *section)

struct page_plan {
	const struct page_data *d;
	size_t budget;
	bool json;
	bool commands;		/* JSON has the commands that show what is left out */
	size_t rows[SECTIONS];	/* 0: there is no room for any */
	size_t most[SECTIONS], size[SECTIONS];
	size_t used;		/* the sum of sizes */
};

/* ---- the parts of the page ---- */

static void
add_list(const struct page_plan *p, const struct section *s, size_t rows, struct buf *b)
{
	size_t i;

	json_rows(b, s->key);
	for (i = 0; i < rows; i++)
		s->json_row(p->d, i, b);
	buf_putc(b, ']');
}

/* Adds a section with this number of rows; Markdown of none is nothing. */
static void
add_section(const struct page_plan *p, size_t i, size_t rows, struct buf *b)
{
	if (p->json && section[i]->json_row)
		add_list(p, section[i], rows, b);
	else if (p->json)
		section[i]->json(p->d, rows, b);
	else if (rows)
		section[i]->markdown(p->d, rows, b);
}

/* Names the sections that the budget has no room for. */
static void
add_no_room(const struct page_plan *p, struct buf *b)
{
	const char *between = "\nOmitted to fit --budget: ";
	size_t i;

	for (i = 0; i < SECTIONS; i++)
		if (p->most[i] && !p->rows[i]) {
			buf_printf(b, "%s%s", between, section[i]->name);
			between = ", ";
		}
	if (*between == ',')
		buf_puts(b, ".\n");
}

static void
json_left_out_of(const struct page_plan *p, size_t i, size_t rows, struct buf *b)
{
	struct buf command = { 0 };

	if (p->commands)
		add_command(p->d->r, &command, section[i]->all);
	json_member(b, section[i]->key);
	buf_putc(b, '{');
	json_num_member(b, "rows", (num)rows);
	json_text_member(b, "command", p->commands ? buf_as_text(&command) :
	    (struct text){ 0 });
	buf_putc(b, '}');
	buf_free(&command);
}

/* Adds how many rows are left out, and the commands that show them. */
static void
json_left_out(const struct page_plan *p, struct buf *b)
{
	size_t i, of;

	buf_puts(b, ",\n\"left_out\": {");
	for (i = 0; i < SECTIONS; i++) {
		of = section[i]->of(p->d);
		if (of > p->rows[i])
			json_left_out_of(p, i, of - p->rows[i], b);
	}
	buf_puts(b, "}}\n");
}

static void
add_end(const struct page_plan *p, struct buf *b)
{
	(p->json ? json_left_out : add_no_room)(p, b);
}

/* ---- the budget ---- */

static size_t
size_of(const struct page_plan *p, size_t i, size_t rows)
{
	struct buf b = { 0 };
	size_t n;

	add_section(p, i, rows, &b);
	n = b.n;
	buf_free(&b);
	return n;
}

/* It becomes shorter with each row that a section gets. */
static size_t
size_of_end(const struct page_plan *p)
{
	struct buf b = { 0 };
	size_t n;

	add_end(p, &b);
	n = b.n;
	buf_free(&b);
	return n;
}

/* Gives a section this many rows if they fit. */
static bool
give(struct page_plan *p, size_t i, size_t rows)
{
	const size_t size = size_of(p, i, rows), was = p->rows[i];

	p->rows[i] = rows;
	if (p->used - p->size[i] + size + size_of_end(p) > p->budget) {
		p->rows[i] = was;
		return false;
	}
	p->used = p->used - p->size[i] + size;
	p->size[i] = size;
	return true;
}

/* Gives a section as many rows as fit, up to a number.  More rows are longer. */
static void
give_up_to(struct page_plan *p, size_t i, size_t rows)
{
	size_t low = p->rows[i], high = rows < p->most[i] ? rows : p->most[i], middle;

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
give_all(struct page_plan *p)
{
	size_t i;

	for (i = 0; i < SECTIONS; i++)
		if (section[i]->good == 1)
			give_up_to(p, i, 1);
	for (i = 0; i < SECTIONS; i++)
		give_up_to(p, i, section[i]->least);
	for (i = 0; i < SECTIONS; i++)
		give_up_to(p, i, section[i]->good);
	for (i = 0; i < SECTIONS; i++)
		give_up_to(p, i, SIZE_MAX);
}

/* Returns the plan of a page; it has no facts if the budget is too small. */
static struct page_plan
plan(const struct page_data *d, bool commands)
{
	struct page_plan p = { .d = d, .budget = d->r->budget, .json = d->r->json,
	    .commands = commands };
	size_t i;

	for (i = 0; i < SECTIONS; i++) {
		p.most[i] = section[i]->rows(d);
		p.size[i] = size_of(&p, i, 0);
		p.used += p.size[i];
	}
	give_all(&p);
	return p;
}

/* ---- the report ---- */

static int
print_page(struct report *r, const struct page_data *d, struct output *out)
{
	struct page_plan p = plan(d, true);
	struct buf b = { 0 };
	size_t i;

	/* The names of many files make commands long. */
	if (!p.rows[0] && p.json)
		p = plan(d, false);
	if (!p.rows[0])
		return diag_fail_plain(r->diag, "--budget: the metadata of the profile "
		    "alone needs more than %zu bytes", r->budget);
	for (i = 0; i < SECTIONS; i++)
		add_section(&p, i, p.rows[i], &b);
	add_end(&p, &b);
	out_text(out, buf_as_text(&b));
	buf_free(&b);
	return 0;
}

int
report_print(struct report *r, struct output *out)
{
	struct page_data d;
	size_t i;
	int ret = page_data_init(&d, r);

	if (ret == 0) {
		for (i = 0; i < SECTIONS; i++)
			if (section[i]->find)
				section[i]->find(&d);
		ret = print_page(r, &d, out);
	}
	page_data_free(&d);
	return ret;
}

/* SPDX-License-Identifier: ISC */
#include "report/section.h"

#include <stdlib.h>

#include "util/abbreviate.h"
#include "util/mem.h"
#include "util/num.h"

/* ---- tables ---- */

static int
choose(struct page_data *d, struct table *t, const struct report_ranking *k)
{
	*t = (struct table){ .v = &d->view, .q = &k->request, .r = k->rank,
	    .h = ranker_heading(k->ranker) };
	return table_choose(t);
}

/* Notes the most expensive line of each function. */
static void
find_hottest(struct page_data *d)
{
	const struct table *t = &d->places;
	size_t i;

	for (i = 0; i < t->r->rows.n; i++) {
		const size_t row = t->order[i].of;
		const uint64_t *key = sums_key(&t->r->rows, row);

		if (key[2] == NO_LINE || key[0] == NO_ID)
			continue;
		d->lines = true;
		d->hottest = mem_reach(d->hottest, &d->caphottest, key[0], sizeof *d->hottest, 0);
		if (!d->hottest[key[0]])
			d->hottest[key[0]] = row + 1;
	}
}

static void
find_paths(struct page_data *d)
{
	struct dict *dict = d->r->dict;
	uint32_t i;

	for (i = 0; i < dict_count(dict, REC_FILE); i++)
		paths_add(&d->paths, dict_path(dict, i));
	for (i = 0; i < dict_count(dict, REC_OBJECT); i++)
		paths_add(&d->paths, dict_object_path(dict, i));
	paths_sort(&d->paths);
}

int
page_data_init(struct page_data *d, const struct report *r)
{
	const struct report_ranking *k = &r->functions;

	*d = (struct page_data){ .r = r };
	d->event = r->event.s ? r->event : rank_default(&k->request, k->rank);
	d->view = (struct view){ .form = VIEW_TEXT, .show = &d->event,
	    .nshow = d->event.s != NULL, .scaled = true, .significance = r->significance };
	if (choose(d, &d->functions, &r->functions) < 0 || choose(d, &d->places, &r->places) < 0)
		return -1;
	find_hottest(d);
	find_paths(d);
	if (table_is_diff(&d->functions)) {
		d->changed = mem_alloc(d->functions.r->rows.n + 1, sizeof *d->changed);
		d->nchanged = page_changed_rows(&d->functions, d->changed, &d->changes);
	}
	return 0;
}

void
page_data_free(struct page_data *d)
{
	table_free(&d->functions);
	table_free(&d->places);
	paths_free(&d->paths);
	free(d->hottest);
	free(d->changed);
}

/* ---- names ---- */

void
add_head(struct markdown_table *m, const char *name)
{
	buf_puts(markdown_cell(m), name);
	markdown_cell_end(m);
}

void
add_name_heads(const struct page_data *d, struct markdown_table *m)
{
	add_head(m, "function");
	add_head(m, d->lines ? "hottest line" : "file");
	add_head(m, "object");
}

void
add_names(const struct page_data *d, struct markdown_table *m, size_t row)
{
	const struct dict *dict = d->r->dict;
	const uint64_t func = *sums_key(&d->functions.r->rows, row);
	const uint32_t *f = dict_def(dict, REC_FUNC, (uint32_t)func);
	const size_t at = func < d->caphottest ? d->hottest[func] : 0;
	const uint64_t *place = at ? sums_key(&d->places.r->rows, at - 1) : NULL;

	add_function(markdown_cell(m), dict_text(dict, f[FUNC_NAME]));
	markdown_cell_end(m);
	add_place(d, markdown_cell(m), dict_path(dict, place ? (uint32_t)place[1] : f[FUNC_FILE]),
	    place ? place[2] : NO_LINE);
	markdown_cell_end(m);
	add_place(d, markdown_cell(m), dict_object_path(dict, f[FUNC_OBJECT]), NO_LINE);
	markdown_cell_end(m);
}

/* ---- texts ---- */

static void
add_command_behind(const char *before, const struct page_data *d, struct buf *b, const char *tool,
    const char *arguments)
{
	struct buf c = { 0 };

	if (before)
		buf_puts(&c, before);
	else if (!*d->r->operands)
		buf_puts(&c, "... | ");	/* it read a pipe */
	buf_puts(&c, tool);
	if (*arguments)
		buf_printf(&c, " %s", arguments);
	if (!before && *d->r->options)
		buf_printf(&c, " %s", d->r->options);
	if (!before && *d->r->operands)
		buf_printf(&c, " %s", d->r->operands);
	markdown_code(b, buf_as_text(&c));
	buf_free(&c);
}

void
add_command(const struct page_data *d, struct buf *b, const char *tool, const char *arguments)
{
	add_command_behind(d->r->before, d, b, tool, arguments);
}

void
add_command_of_lines(const struct page_data *d, struct buf *b, const char *tool,
    const char *arguments)
{
	add_command_behind(d->r->before_lines, d, b, tool, arguments);
}

#define LONG_NAME 160		/* bytes */

void
add_function(struct buf *b, struct text name)
{
	struct buf shorter = { 0 };

	if (name.n > LONG_NAME)
		abbreviate_most(&shorter, name);
	markdown_cell_code(b, !name.s ? TEXT("???") : shorter.n ? buf_as_text(&shorter) : name);
	buf_free(&shorter);
}

void
add_place(const struct page_data *d, struct buf *b, struct text path, uint64_t line)
{
	add_whole_place(b, path.s ? paths_end(&d->paths, path) : path, line);
}

void
add_whole_place(struct buf *b, struct text path, uint64_t line)
{
	struct buf place = { 0 };
	char tmp[NUM_TEXT];

	buf_text(&place, path);
	if (line != NO_LINE) {
		buf_puts(&place, path.s ? ":" : "line ");
		buf_text(&place, num_text_u64(tmp, line));
	}
	if (place.n)
		markdown_cell_code(b, buf_as_text(&place));
	buf_free(&place);
}

void
add_share(const struct table *t, struct buf *b, struct value v)
{
	value_add_share(b, v, t->nmetric ? t->metric[0].total : 0);
}

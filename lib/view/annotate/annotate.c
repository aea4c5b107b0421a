/* SPDX-License-Identifier: ISC */
/* Annotated source, file by file. */
#include "pages.h"

/* For TSV and JSON; text has it in the heading of the file. */
static void
warn_newer(const struct table *t, const struct annotate *a, int64_t changed,
    struct text path)
{
	if (a->recorded && changed > a->recorded)
		diag_say(t->q->diag, DIAG_WARN, "%s is newer than the profile",
		    QUOTE(path));
}

static void
warn_object(const struct table *t, const struct annotate *a, uint32_t object)
{
	const struct code_object *o = code_object(a->code, object);
	const struct text path = dict_object_path(t->q->dict, object);

	if (o->why.n)
		diag_say(t->q->diag, DIAG_WARN, "%s %s: its instructions are missing",
		    path.n ? QUOTE(path) : "an object without a path", o->why.s);
	else
		warn_newer(t, a, o->changed, text_of(symbols_path(symbolize_symbols(
		    o->symbolizer))));
}

/* Warns once for each object. */
static void
warn_objects(const struct listing *l)
{
	struct sums warned;
	uint64_t object;
	size_t i, n;

	sums_init(&warned, 1, 0);
	for (i = 0; i < l->nfile; i++) {
		object = code_pages_object(l->code, l->file[i].file);
		n = warned.n;
		if (sums_row(&warned, &object) == n)
			warn_object(l->t, l->a, (uint32_t)object);
	}
	sums_free(&warned);
}

/* text: NULL for TSV and JSON. */
static int
print_file(struct listing *l, const struct listed_file *f,
    struct annotate_text *text, struct data_table *rows)
{
	struct source s = { 0 };
	int r;

	r = listing_source(l, f, &s);
	if (!text && !l->code)
		warn_newer(l->t, l->a, s.changed, buf_as_text(&s.path));
	if (r == 0)
		r = listing_count(l, f, &s);
	if (r == 0 && text)
		annotate_text_file(text, f, &s);
	else if (r == 0)
		annotate_rows_file(rows, l, f, &s);
	source_keep(&s, l->a->search.kept);
	return r;
}

static int
print_all(struct page *p, struct listing *l)
{
	struct annotate_text *text = NULL;
	struct data_table rows = { 0 };
	size_t i;
	int r = 0;

	if (l->a->form == VIEW_TEXT)
		text = annotate_text_begin(p, l);
	else
		annotate_rows_begin(&rows, p->out, l);
	if (!text && l->code)
		warn_objects(l);
	for (i = 0; i < l->nfile && r == 0; i++)
		r = print_file(l, &l->file[i], text, &rows);
	if (r == 0)
		r = listing_end(l);
	if (r == 0 && text)
		annotate_text_sums(text);
	else if (r == 0)
		annotate_rows_sums(&rows, l);
	annotate_text_free(text);
	data_table_free(&rows);
	return r;
}

int
annotate_print(const struct annotate *a, const struct rank_request *q,
    const struct rank *r, const struct rank_heading *h, struct output *out)
{
	const struct view v = { .show = a->show, .nshow = a->nshow,
	    .scaled = a->scaled };
	struct table t = { .v = &v, .q = q, .r = r, .h = h };
	struct page p = { .out = out, .items = a->items, .width = a->width,
	    .color = a->color };
	struct listing l = { 0 };
	struct source kept = { 0 };
	struct annotate with = *a;
	int ret = table_choose(&t);

	with.search.kept = &kept;
	if (a->form == VIEW_TEXT)
		out_set_content(out, OUT_TERMINAL);
	if (ret == 0)
		table_tell_absent(&t);
	if (ret == 0)
		ret = listing_make(&l, &with, &t);
	if (ret == 0)
		ret = listing_sum_calls(&l);
	if (ret == 0)
		ret = print_all(&p, &l);
	listing_free(&l);
	source_free(&kept);
	table_free(&t);
	buf_free(&p.line);
	return ret;
}

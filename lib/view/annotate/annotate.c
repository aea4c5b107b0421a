/* SPDX-License-Identifier: ISC */
/* Annotated source, file by file. */
#include "pages.h"

/* For programs: people are told in the file's heading. */
static void
warn_changed(const struct page *p, const struct annotate *a, const struct source *s)
{
	if (a->form != VIEW_TEXT && a->recorded && s->changed > a->recorded)
		diag_say(p->t->q->diag, DIAG_WARN, "%s is newer than the profile",
		    diag_quote(s->path.s, s->path.n));
}

/* text: NULL, it is for programs. */
static int
print_file(struct page *p, struct listing *l, const struct listed_file *f,
    struct annotate_text *text)
{
	struct source s = { 0 };
	int r;

	source_find(&s, dict_path(p->t->q->dict, f->file), &l->a->search);
	warn_changed(p, l->a, &s);
	r = listing_count(l, f, &s);
	if (text)
		annotate_text_file(text, f, &s);
	else
		annotate_rows_file(p, l, f, &s);
	source_free(&s);
	return r;
}

static int
print_all(struct page *p, struct listing *l)
{
	struct annotate_text *text = NULL;
	size_t i;
	int r = 0;

	if (l->a->form == VIEW_TEXT)
		text = annotate_text_begin(p, l);
	else if (l->a->form == VIEW_TSV)
		annotate_rows_head(p);
	for (i = 0; i < l->nfile && r == 0; i++)
		r = print_file(p, l, &l->file[i], text);
	if (r == 0)
		r = listing_end(l);
	if (r == 0 && text)
		annotate_text_sums(text);
	else if (r == 0)
		annotate_rows_sums(p, l);
	annotate_text_free(text);
	return r;
}

int
annotate_print(const struct annotate *a, const struct rank_request *q,
    const struct rank *r, const struct rank_heading *h, struct output *out)
{
	const struct view v = { .form = a->form, .show = a->show, .nshow = a->nshow,
	    .width = a->width, .color = a->color };
	struct table t = { .v = &v, .q = q, .r = r, .h = h };
	struct page p = { .t = &t, .out = out };
	struct listing l = { 0 };
	int ret = table_choose(&t);

	if (a->form == VIEW_TEXT)
		out_holds(out, OUT_PEOPLE);
	if (ret == 0)
		ret = listing_make(&l, a, &t);
	if (ret == 0)
		ret = print_all(&p, &l);
	listing_free(&l);
	table_free(&t);
	buf_free(&p.line);
	return ret;
}

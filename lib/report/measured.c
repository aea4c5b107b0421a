/* SPDX-License-Identifier: ISC */
/* The measurement: the title, and the facts of the profile. */
#include "report/section.h"

#include "util/json.h"

/* ---- the facts of both forms ---- */

static void
put_list(const char *name, const struct buf *list, info_put *put, void *arg)
{
	struct info_value v = { .kind = INFO_TEXT, .text = buf_as_text(list) };

	if (list->n)
		put(arg, &(struct info_fact){ name, &v, 1 });
}

/* The facts of a difference, without the names of its sides. */
static void
each_of_difference(const struct page_data *d, info_put *put, void *arg)
{
	const struct rank_heading *h = d->functions.h;

	/* If the only estimate is means of runs, the title has it already. */
	if (!d->view.significance || memmem(h->estimate.s, h->estimate.n, "; ", 2))
		put_list("estimated", &h->estimate, put, arg);
	put_list("filter", &h->filter, put, arg);
	put_list("lost", &h->lost, put, arg);
	info_put_skipped((num)h->skipped, put, arg);
}

static void
each_fact(const struct page_data *d, info_put *put, void *arg)
{
	if (d->changed)
		each_of_difference(d, put, arg);
	else
		info_each(d->r->info, put, arg);
}

/* ---- Markdown ---- */

static void
add_title(const struct page_data *d, struct buf *b)
{
	const struct table *t = &d->functions;
	const struct metric *m = t->metric;

	buf_puts(b, "# ");
	if (t->nmetric) {
		buf_puts(b, d->changed && m->total > 0 ? "+" : "");
		metric_add_amount(b, m, m->total);
	} else {
		buf_puts(b, "No event");
	}
	if (d->changed)
		heading_add_number(b, &(struct heading){ .of = t->h, .metric = m,
		    .n = t->nmetric, .difference = true, .significance = d->view.significance },
		    true);
	if (t->h->cmd.s && !t->h->cmds_differ) {
		buf_puts(b, ": ");
		markdown_code(b, t->h->cmd);
	}
	buf_putc(b, '\n');
}

static void
add_fact(void *buf, const struct info_fact *f)
{
	struct buf *b = buf, text = { 0 };

	info_fact_add(&text, f);
	buf_printf(b, "- %s: ", f->name);
	markdown_text(b, buf_as_text(&text));
	buf_putc(b, '\n');
	buf_free(&text);
}

/* Adds the profiles of a difference as a line. */
static void
add_sides(const struct page_data *d, struct buf *b)
{
	struct text list = heading_sides(d->functions.h), name;
	struct buf scratch = { 0 };
	const char *before = "- old: ";

	while (heading_next_side(&list, &scratch, &name)) {
		buf_puts(b, before);
		markdown_text(b, name);
		before = ", new: ";
	}
	buf_puts(b, *before == ',' ? "\n" : "");
	buf_free(&scratch);
}

static void
add_markdown(const struct page_data *d, size_t rows, struct buf *b)
{
	const struct table *t = &d->functions;

	(void)rows;
	add_title(d, b);
	if (d->changed)
		add_sides(d, b);
	else
		buf_putc(b, '\n');
	each_fact(d, add_fact, b);
	if (d->changed) {
		buf_puts(b, "\nPercentages are of the old cost.\n");
	} else if (t->nmetric) {
		buf_puts(b, "\nAll percentages are of the total, ");
		metric_add_amount(b, &t->metric[0], t->metric[0].total);
		buf_puts(b, ".\n");
	}
}

/* ---- JSON ---- */

/* Adds the unit of values; null: the event's name contains it, or it has none. */
static void
json_unit(struct buf *b, const struct metric *m)
{
	struct buf unit = { 0 };

	if (m)
		metric_add_unit(&unit, m);
	json_text_member(b, "unit", unit.n ? buf_as_text(&unit) : (struct text){ 0 });
	buf_free(&unit);
}

static void
json_sides(const struct page_data *d, struct buf *b)
{
	static const char *const key[] = { "old", "new" };
	const struct table *t = &d->functions;
	const struct rank_delta *delta = t->nmetric ? t->metric[0].delta : NULL;
	struct text list = heading_sides(t->h), name;
	struct buf scratch = { 0 };
	size_t i;

	for (i = 0; i < SIDES && heading_next_side(&list, &scratch, &name); i++)
		json_text_member(b, key[i], name);
	if (delta) {
		json_num_member(b, "old_total", t->r->total[delta->old]);
		json_num_member(b, "new_total", t->r->total[delta->new]);
	}
	buf_free(&scratch);
}

/* Values without a name are an array. */
static void
json_fact(void *buf, const struct info_fact *f)
{
	struct buf *b = buf;
	const struct info_value *v, *end = f->value + f->n;

	json_row(b);
	json_text_member(b, "name", text_of(f->name));
	json_array(b, "values");
	for (v = f->value; v < end && !v->key; v++) {
		json_item(b);
		if (v->kind == INFO_TEXT)
			json_string(b, v->text);
		else
			json_num(b, v->n);
	}
	buf_putc(b, ']');
	for (; v < end; v++) {
		const struct value whole = { .kind = WHOLE, .n = v->n };

		if (v->kind == INFO_SHARE)
			json_share_member(b, v->key, whole, v->of);
		else
			json_value_member(b, v->key, whole);
	}
	buf_putc(b, '}');
}

static void
add_json(const struct page_data *d, size_t rows, struct buf *b)
{
	const struct table *t = &d->functions;
	const struct metric *m = t->nmetric ? &t->metric[0] : NULL;

	buf_putc(b, '{');
	json_text_member(b, "event", d->event);
	json_unit(b, m);
	json_known_member(b, "total", m, m ? m->total : 0);
	if (d->changed)
		json_sides(d, b);
	json_text_member(b, "percent_of", d->changed ? TEXT("old cost") : TEXT("total"));
	json_rows(b, "facts");
	if (rows)
		each_fact(d, json_fact, b);
	buf_putc(b, ']');
}

const struct section section_measured = {
	.name = "facts", .key = "facts", .least = 1, .good = 1, .all = COMMAND_OF_MORE,
	.rows = one_row, .of = one_row, .markdown = add_markdown, .json = add_json,
};

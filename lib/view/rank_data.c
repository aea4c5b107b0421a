/* SPDX-License-Identifier: ISC */
/* The rows of a ranking as TSV and JSON. */
#include "view/rank_page.h"

static struct value
bound(const void *row, size_t metric)
{
	const struct costs *of = row;

	return value_of_text(table_bound_name(of->t, of->row, metric));
}

/* ---- noise ---- */

/* For a change between several runs: the deviation of a run, and the q-value; for self and
 * for inclusive cost. */
#define NOISE_FIELDS 4
static const char *const noise_suffix[NOISE_FIELDS] = {
	".noise", ".q", ".incl.noise", ".incl.q",
};

/* Returns the significance of an event's changes; NULL: not judged. */
static const struct significance_event *
judged(const struct table *t, size_t metric)
{
	const struct significance *c = t->v->significance;
	const struct rank_delta *d = t->metric[metric].delta;

	return c && d ? significance_find(c, d) : NULL;
}

static struct value
noise(const void *row, size_t i)
{
	const struct costs *of = row;
	const size_t field = i % NOISE_FIELDS;
	const struct noise_row *n = judged(of->t, i / NOISE_FIELDS)->row[field / 2];

	if (!n || !(n[of->row].spread > 0))
		return (struct value){ .kind = ABSENT };
	return (struct value){ .kind = RATIO, .ratio = field % 2 ?
	    n[of->row].q[NOISE_CHANGED] : n[of->row].spread };
}

/* ---- the whole ---- */

static void
add_metric(struct data_table *d, const struct table *t, size_t metric)
{
	const struct text event = t->metric[metric].name;
	size_t i;

	data_table_column(d, event, "", costs_self, metric);
	data_table_column(d, event, ".incl", costs_incl, metric);
	for (i = 0; i < NOISE_FIELDS && judged(t, metric); i++)
		data_table_column(d, event, noise_suffix[i], noise,
		    metric * NOISE_FIELDS + i);
	data_unit_column(d, &t->metric[metric]);
}

static void
add_columns(struct data_table *d, const struct table *t)
{
	size_t i;

	data_name_columns(d, t->q, "", named_row_name);
	data_table_column(d, TEXT("calls"), "", costs_calls, 0);
	for (i = 0; i < t->v->nshow; i++)
		add_metric(d, t, i);
	for (i = 0; i < SIZES && t->r->sizes; i++)
		data_table_column(d, text_of(table_size_name[i]), "", costs_size, i);
	if (t->growth)
		growth_columns(d);
	data_bound_columns(d, t, bound);
}

void
page_rows(struct output *out, const struct table *t)
{
	struct data_table d;
	struct named_row row;
	size_t i, n;

	data_table_init(&d, out, t->v->form);
	add_columns(&d, t);
	data_table_head(&d, t->q->diag);
	for (i = n = 0; i < t->kept && n < table_limit(t); i++) {
		table_prefetch(t, i, t->kept);
		row.of = costs_of_row(t, t->order[i].of);
		if (t->v->only && !t->v->only[row.of.row])
			continue;
		n++;
		named_row_read(&row, sums_key(&t->r->rows, row.of.row));
		data_table_row(&d, &row);
	}
	data_table_free(&d);
}

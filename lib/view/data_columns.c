/* SPDX-License-Identifier: ISC */
#include "view/data_columns.h"

void
named_row_read(struct named_row *r, const uint64_t *key)
{
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(r->of.t->q, keys);

	table_key_texts(r->of.t->q, key, r->name, r->tmp);
	for (i = 0; i < n; i++)
		r->number[i] = keys[i] == BY_LINE;
}

struct value
named_row_name(const void *row, size_t i)
{
	const struct named_row *r = row;

	return (r->number[i] ? value_of_number : value_of_text)(r->name[i]);
}

void
data_name_columns(struct data_table *d, const struct rank_request *q, const char *prefix,
    cell_value *get)
{
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(q, keys);

	for (i = 0; i < n; i++)
		data_table_column(d, text_of(prefix), group_by_name[keys[i]], get, i);
}

void
data_unit_column(struct data_table *d, const struct metric *m)
{
	struct buf unit = { 0 };

	if (m->per == 1)
		return;
	metric_add_unit(&unit, m);
	data_table_constant(d, m->name, ".unit", buf_as_text(&unit));
	buf_free(&unit);
}

void
data_bound_columns(struct data_table *d, const struct table *t, cell_value *get)
{
	size_t i;

	for (i = 0; i < t->v->nshow; i++)
		if (table_has_bounds(t, i))
			data_table_column(d, t->metric[i].name, ".incl.bound", get, i);
}

/* SPDX-License-Identifier: ISC */
#include "view/data_table.h"

#include <stdlib.h>

#include "stream/field.h"
#include "stream/name_index.h"
#include "util/json.h"
#include "util/mem.h"

/* ---- columns ---- */

void
data_table_init(struct data_table *t, struct output *out, enum view_form form)
{
	*t = (struct data_table){ .out = out, .json = form == VIEW_JSON };
}

void
data_table_free(struct data_table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		buf_free(&t->column[i].name);
		buf_free(&t->column[i].text);
	}
	free(t->column);
	buf_free(&t->line);
}

static void
add_text(const struct data_table *t, struct buf *b, struct text text)
{
	(t->json ? json_string : field_escape)(b, text);
}

static struct data_column *
add_column(struct data_table *t, struct text name, const char *suffix)
{
	struct data_column *c;
	struct buf whole = { 0 };

	t->column = mem_grow(t->column, &t->cap, t->n + 1, sizeof *t->column);
	c = &t->column[t->n++];
	*c = (struct data_column){ 0 };
	buf_text(&whole, name);
	buf_puts(&whole, suffix);
	add_text(t, &c->name, buf_as_text(&whole));
	buf_free(&whole);
	return c;
}

void
data_table_column(struct data_table *t, struct text name, const char *suffix,
    cell_value *get, size_t i)
{
	struct data_column *c = add_column(t, name, suffix);

	c->get = get;
	c->i = i;
}

void
data_table_constant(struct data_table *t, struct text name, const char *suffix,
    struct text text)
{
	add_text(t, &add_column(t, name, suffix)->text, text);
}

/* ---- rows ---- */

static void
end_line(struct data_table *t)
{
	buf_putc(&t->line, '\n');
	out_write(t->out, t->line.s, t->line.n);
	t->line.n = 0;
}

/* An event may have the name of another column. */
static void
warn_of_twins(const struct data_table *t, struct diag *d)
{
	struct name_index names = { 0 };
	size_t i;

	for (i = 0; i < t->n; i++)
		if (name_index_add(&names, buf_as_text(&t->column[i].name), i) != i) {
			diag_say(d, DIAG_WARN, "each object has two members %s: choose events with "
			    "--events, or use --tsv", buf_str(&t->column[i].name));
			break;
		}
	name_index_free(&names);
}

void
data_table_head(struct data_table *t, struct diag *d)
{
	size_t i;

	if (t->json) {
		warn_of_twins(t, d);
		return;
	}
	for (i = 0; i < t->n; i++) {
		buf_puts(&t->line, i ? "\t" : "");
		buf_text(&t->line, buf_as_text(&t->column[i].name));
	}
	end_line(t);
}

static void
add_value(const struct data_table *t, struct buf *b, struct value v)
{
	switch (v.kind) {
	case ABSENT:
		buf_puts(b, t->json ? "null" : "-");
		break;
	case WHOLE:
		(t->json ? json_num : num_add_whole)(b, v.n);
		break;
	case RATIO:
		buf_printf(b, "%.6g", v.ratio);
		break;
	case NAME:
		add_text(t, b, v.name);
		break;
	}
}

void
data_table_row(struct data_table *t, const void *row)
{
	struct buf *b = &t->line;
	size_t i;

	if (t->json)
		buf_putc(b, '{');
	for (i = 0; i < t->n; i++) {
		const struct data_column *c = &t->column[i];

		if (i)
			buf_putc(b, t->json ? ',' : '\t');
		if (t->json) {
			buf_add(b, c->name.s, c->name.n);
			buf_putc(b, ':');
		}
		if (c->get)
			add_value(t, b, c->get(row, c->i));
		else
			buf_add(b, c->text.s, c->text.n);
	}
	if (t->json)
		buf_putc(b, '}');
	end_line(t);
}

struct value
value_of_number(struct text t)
{
	struct value v = { .kind = WHOLE };

	return t.s && num_get_num(t.s, t.n, &v.n) == 0 ? v : value_of_text(t);
}

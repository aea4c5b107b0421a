/* SPDX-License-Identifier: ISC */
#include "report/markdown.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/printable.h"

/* ---- text ---- */

/* Returns the length of the longest run of backticks. */
static size_t
longest_ticks(struct text t)
{
	size_t i, n = 0, most = 0;

	for (i = 0; i < t.n; i++) {
		n = t.s[i] == '`' ? n + 1 : 0;
		most = n > most ? n : most;
	}
	return most;
}

/* Code is between more backticks than it has in a row, and a blank beside its own. */
static void
add_code(struct buf *b, struct text name, bool cell)
{
	struct buf shown = { 0 };
	size_t i, ticks;

	if (!name.s) {
		buf_puts(b, "-");
		return;
	}
	printable_add(&shown, name);
	ticks = longest_ticks(buf_as_text(&shown)) + 1;
	for (i = 0; i < ticks; i++)
		buf_putc(b, '`');
	buf_puts(b, ticks > 1 ? " " : "");
	for (i = 0; i < shown.n; i++) {
		if (cell && shown.s[i] == '|')
			buf_putc(b, '\\');
		buf_putc(b, shown.s[i]);
	}
	buf_puts(b, ticks > 1 ? " " : "");
	for (i = 0; i < ticks; i++)
		buf_putc(b, '`');
	buf_free(&shown);
}

void
markdown_code(struct buf *b, struct text name)
{
	add_code(b, name, false);
}

void
markdown_cell_code(struct buf *b, struct text name)
{
	add_code(b, name, true);
}

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Does a character have a meaning?  An underscore between letters has none, nor has "&" unless
 * it may begin an entity, as in "&lt;". */
static bool
is_special(const struct buf *b, size_t i)
{
	const char next = i + 1 < b->n ? b->s[i + 1] : '\0';

	if (b->s[i] == '_')
		return !i || !next || !is_word(b->s[i - 1]) || !is_word(next);
	if (b->s[i] == '&')
		return is_word(next) || next == '#';
	return b->s[i] && strchr("\\`*[<|~", b->s[i]);
}

void
markdown_text(struct buf *b, struct text t)
{
	struct buf shown = { 0 };
	size_t i;

	printable_add(&shown, t);
	for (i = 0; i < shown.n; i++) {
		if (is_special(&shown, i))
			buf_putc(b, '\\');
		buf_putc(b, shown.s[i]);
	}
	buf_free(&shown);
}

/* ---- tables ---- */

struct buf *
markdown_cell(struct markdown_table *t)
{
	return &t->text;
}

void
markdown_cell_end(struct markdown_table *t)
{
	t->end = mem_grow(t->end, &t->cap, t->n + 1, sizeof *t->end);
	t->end[t->n++] = t->text.n;
}

void
markdown_head(struct markdown_table *t, const char *name)
{
	buf_puts(markdown_cell(t), name);
	markdown_cell_end(t);
}

static struct text
cell(const struct markdown_table *t, size_t i)
{
	const size_t from = i ? t->end[i - 1] : 0;

	return (struct text){ t->text.s + from, t->end[i] - from };
}

/* Does a column have any text below its head? */
static bool
is_filled(const struct markdown_table *t, size_t column, size_t columns)
{
	size_t i;

	for (i = column + columns; i < t->n; i += columns)
		if (cell(t, i).n)
			return true;
	return false;
}

#define NO_COLUMN SIZE_MAX	/* as a width: the column is left out */

/* Only numbers are padded: names may be long. */
static size_t
column_width(const struct markdown_table *t, size_t column, size_t columns)
{
	size_t i, w, most = 3;

	if (!is_filled(t, column, columns))
		return NO_COLUMN;
	if (t->align[column] != 'r')
		return 0;
	for (i = column; i < t->n; i += columns)
		if ((w = printable_columns(cell(t, i))) > most)
			most = w;
	return most;
}

static void
add_row(const struct markdown_table *t, size_t row, const size_t *width, size_t columns,
    struct buf *b)
{
	size_t i, w;

	for (i = 0; i < columns; i++) {
		const struct text c = cell(t, row * columns + i);

		if (width[i] == NO_COLUMN)
			continue;
		buf_puts(b, "| ");
		for (w = printable_columns(c); w < width[i]; w++)
			buf_putc(b, ' ');
		buf_text(b, c);
		buf_puts(b, c.n ? " " : "");
	}
	buf_puts(b, "|\n");
}

/* Adds the line below the heads, which aligns the columns. */
static void
add_rule(const struct markdown_table *t, const size_t *width, size_t columns, struct buf *b)
{
	size_t i, w;

	for (i = 0; i < columns; i++) {
		if (width[i] == NO_COLUMN)
			continue;
		buf_puts(b, "|--");
		for (w = 1; w < width[i]; w++)
			buf_putc(b, '-');
		buf_puts(b, t->align[i] == 'r' ? ":" : "-");
	}
	buf_puts(b, "|\n");
}

void
markdown_table_end(struct markdown_table *t, struct buf *b)
{
	const size_t columns = strlen(t->align);
	size_t *width = mem_alloc(columns, sizeof *width);
	size_t i;

	for (i = 0; i < columns; i++)
		width[i] = column_width(t, i, columns);
	for (i = 0; b && i < t->n / columns; i++) {
		add_row(t, i, width, columns, b);
		if (!i)
			add_rule(t, width, columns, b);
	}
	free(width);
	free(t->end);
	buf_free(&t->text);
	*t = (struct markdown_table){ 0 };
}

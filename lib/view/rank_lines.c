/* SPDX-License-Identifier: ISC */
#include "view/rank_lines.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/printable.h"

/* Sets the names of a row in the columns that are shown. */
static void
row_names(const struct lines *l, size_t row, struct text *t, char *tmp)
{
	struct text all[TABLE_KEYS];
	size_t i;

	table_key_texts(l->t->q, sums_key(&l->t->r->rows, row), all, tmp);
	for (i = 0; i < l->nkey; i++)
		t[i] = all[l->column[i]];
}

void
lines_measure(struct lines *l, const struct costs *row)
{
	struct text t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n;

	text_table_measure(&l->numbers, row);
	if (!l->p->width || row->row == NO_ROW)
		return;
	row_names(l, row->row, t, tmp);
	for (i = 0; i < l->nkey; i++) {
		if (names_is_path(l->key[i]))
			paths_add(&l->paths, t[i]);
		if (i == 0 && (n = printable_columns(t[i])) > l->longest)
			l->longest = n;
	}
	l->row = mem_grow(l->row, &l->caprow, l->nrow + 1, sizeof *l->row);
	l->row[l->nrow++] = (uint32_t)row->row;
}

/* Adds the names of a row as shown, and returns their number. */
static size_t
add_names(const struct lines *l, struct names as, size_t row)
{
	struct text t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i;

	row_names(l, row, t, tmp);
	for (i = 0; i < l->nkey && l->p->width; i++)
		if (names_is_path(l->key[i]) && t[i].s)
			t[i] = paths_end(&l->paths, t[i]);
	return names_put(l->p, l->t->q, as, t, l->key, l->nkey, l->left);
}

/* A row by its names as shown, then by its function's name. */
struct shown_names {
	struct text names, name;
	size_t at;		/* in l->row */
};

static int
by_names(const void *a, const void *b)
{
	const struct shown_names *s = a, *t = b;
	const int c = text_cmp(s->names, t->names);

	return c ? c : text_cmp(s->name, t->name);
}

static size_t
common(struct text a, struct text b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && a.s[n] == b.s[n])
		n++;
	return n;
}

/* Makes two rows differ, the second of which has not changed since: both are shown in the
 * next way. */
static void
tell_two_apart(struct lines *l, const struct shown_names *a, const struct shown_names *b)
{
	struct names *before = &l->names[a->at], *this = &l->names[b->at];
	const size_t same = common(a->name, b->name);
	const size_t from = before->how == NAMES_APART && before->from > same ? before->from :
	    same;

	this->from = same;
	this->how = this->how == NAMES_ABBREVIATED ? NAMES_BOTH_ENDS : NAMES_APART;
	*before = (struct names){ this->how, from };
}

static void
tell_apart(struct lines *l)
{
	struct shown_names *v = mem_alloc(l->nrow, sizeof *v);
	const size_t begin = l->p->line.n;
	struct text t[TABLE_KEYS], names;
	char tmp[NUM_TEXT];
	size_t i, n;

	for (i = 0; i < l->nrow; i++) {
		n = add_names(l, l->names[i], l->row[i]);
		l->nshown = n > l->nshown ? n : l->nshown;
		names = (struct text){ l->p->line.s + begin, l->p->line.n - begin };
		row_names(l, l->row[i], t, tmp);
		v[i] = (struct shown_names){ { mem_copy(names.s, names.n), names.n },
		    l->nkey && l->key[0] == BY_FUNCTION ? t[0] : (struct text){ 0 }, i };
		l->p->line.n = begin;
	}
	if (l->nrow)
		qsort(v, l->nrow, sizeof *v, by_names);
	for (i = 1; i < l->nrow; i++)
		if (text_eq(v[i - 1].names, v[i].names))
			tell_two_apart(l, &v[i - 1], &v[i]);
	for (i = 0; i < l->nrow; i++)
		free((char *)v[i].names.s);
	free(v);
}

#define NAMES_LEAST 20		/* the fewest columns of names, if they need as many */

/* Gives names the columns that the numbers leave. */
static void
fit_lines(struct lines *l)
{
	const size_t width = l->p->width;
	const size_t head = l->nkey ? strlen(group_by_name[l->key[0]]) : 0;
	const size_t longest = l->longest > head ? l->longest : head;
	const size_t least = longest < NAMES_LEAST ? longest : NAMES_LEAST;

	text_table_fit(&l->numbers, width, least);
	l->left = !width ? SIZE_MAX : width > l->numbers.used ? width - l->numbers.used : 1;
	if (!width)
		l->nshown = l->nkey;
	paths_sort(&l->paths);
	l->names = mem_alloc(l->nrow, sizeof *l->names);
	tell_apart(l);
	tell_apart(l);
}

void
lines_add_heads(struct lines *l)
{
	size_t i, n, used = 0;

	fit_lines(l);
	page_bold(l->p, true);
	text_table_heads(&l->numbers, l->p);
	for (i = 0; i < l->nshown; i++, used += n) {
		n = strlen(group_by_name[l->key[i]]) + 2 * (i > 0);
		if (used + n > l->left)
			break;
		buf_printf(&l->p->line, "%s%s", i ? "  " : "", group_by_name[l->key[i]]);
	}
	page_bold(l->p, false);
}

void
lines_add_row(struct lines *l, const struct costs *row)
{
	text_table_row(&l->numbers, l->p, row);
	add_names(l, l->next < l->nrow ? l->names[l->next++] : (struct names){ 0 }, row->row);
}

void
lines_free(struct lines *l)
{
	text_table_free(&l->numbers);
	paths_free(&l->paths);
	free(l->row);
	free(l->names);
}

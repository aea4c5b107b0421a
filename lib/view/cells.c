/* SPDX-License-Identifier: ISC */
/* Lines of tables for people: numbers in columns, then names. */
#include "view/page.h"

#include <stdlib.h>

#include "util/abbreviate.h"
#include "util/mem.h"
#include "util/vis.h"

/* ---- cells ---- */

/* Hundredths of a percent, rounded: exactly, but for huge numbers. */
void
page_add_percent(struct buf *b, struct value v, num total)
{
	if (v.kind == WHOLE)
		num_add_percent(b, v.n, total);
	else
		buf_putc(b, '-');
}

/* ---- names ---- */

bool
page_is_path(enum group_by key)
{
	return key == BY_FILE || key == BY_OBJECT;
}

bool
page_accompanies(const struct page *p, enum group_by key)
{
	return page_is_path(key) && !table_by(p->t->q, key);
}

#define NAME_ROOM 28		/* columns that a name gets before what accompanies it */

/* May it lose its middle? */
static bool
is_cut(const struct page *p, enum group_by key)
{
	return key != BY_LINE && key != BY_ADDR && table_by(p->t->q, key);
}

/* How wide names are, if those that may be cut have at most `room` columns. */
static size_t
names_columns(const struct page *p, const struct text *part, const enum group_by *keys,
    size_t n, size_t room)
{
	size_t i, one, all = 0;

	for (i = 0; i < n; i++) {
		one = vis_columns(part[i]);
		if (one > room && is_cut(p, keys[i]))
			one = room;
		all += one + 2 * (i > 0) + 2 * (keys[i] == BY_OBJECT);
	}
	return all;
}

/*
 * Makes names fit: the longest are cut to *room; where that is too little, what only
 * accompanies a function is dropped first.
 */
static size_t
fit_names(const struct page *p, const struct text *part, const enum group_by *keys,
    size_t n, size_t width, size_t *room)
{
	size_t low, high, mid;

	*room = SIZE_MAX;
	for (; n && names_columns(p, part, keys, n, SIZE_MAX) > width; n--) {
		const bool extra = n > 1 && page_accompanies(p, keys[n - 1]);

		low = extra ? NAME_ROOM : 1;
		if (extra && names_columns(p, part, keys, n, low) > width)
			continue;
		for (high = width > low ? width : low; low < high; ) {
			mid = high - (high - low) / 2;
			if (names_columns(p, part, keys, n, mid) <= width)
				low = mid;
			else
				high = mid - 1;
		}
		*room = low;
		break;
	}
	return n;
}

/* "std::vec…, int>::insert": the beginning, and what comes after what others have, too. */
static void
add_apart(struct buf *b, struct text name, size_t from, size_t room)
{
	const size_t before = 2;	/* bytes that are the same */
	struct text rest = name;

	while (from > before && (name.s[from - before] & 0xc0) == 0x80)
		from--;
	from = from > before ? from - before : 0;
	rest.s += from;
	rest.n -= from;
	if (vis_columns(name) <= room || from < room / 2 || room < 8) {
		vis_cut(b, name, room);
		return;
	}
	vis_cut(b, name, room / 2);
	vis_cut(b, rest, room - room / 2);
}

static void
add_name(struct page *p, struct text name, bool function, size_t room)
{
	if (room >= vis_columns(name))
		vis_add(&p->line, name);
	else if (!function || p->names.how == NAMES_BOTH_ENDS)
		vis_shortened(&p->line, name, room);
	else if (p->names.how == NAMES_APART)
		add_apart(&p->line, name, p->names.from, room);
	else
		abbreviate(&p->line, name, room);
}

/* Names of a row: the first one bright, those after it dim. */
size_t
page_names(struct page *p, const struct text *t, const enum group_by *keys, size_t n,
    size_t width)
{
	struct text part[TABLE_KEYS];
	size_t i, room;

	for (i = 0; i < n; i++)
		part[i] = t[i].s ? t[i] : TEXT("???");
	n = fit_names(p, part, keys, n, width, &room);
	for (i = 0; i < n; i++) {
		bool object = keys[i] == BY_OBJECT;

		buf_puts(&p->line, i ? "  " : "");
		if (i)
			page_paint(p, PAINT_DIM);
		buf_puts(&p->line, object ? "[" : "");
		add_name(p, part[i], keys[i] == BY_FUNCTION, is_cut(p, keys[i]) ? room :
		    SIZE_MAX);
		buf_puts(&p->line, object ? "]" : "");
		if (i)
			page_paint(p, PAINT_PLAIN);
	}
	return n;
}

/* ---- lines ---- */

void
lines_begin(struct lines *l, size_t ncell)
{
	numbers_begin(&l->numbers, ncell);
	l->heads(l->p, &l->numbers.c);
}

/* The names of a row, in the columns that are shown. */
static void
row_names(const struct lines *l, size_t row, struct text *t, char *tmp)
{
	struct text all[TABLE_KEYS];
	size_t i;

	table_key_texts(l->p->t->q, sums_key(&l->p->t->r->rows, row), all, tmp);
	for (i = 0; i < l->nkey; i++)
		t[i] = all[l->column[i]];
}

void
lines_widen(struct lines *l, size_t row)
{
	struct text t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n;

	l->fill(l->p, &l->numbers.c, row);
	numbers_widen(&l->numbers);
	if (!l->p->t->v->width || row >= l->p->t->r->rows.n)
		return;
	row_names(l, row, t, tmp);
	for (i = 0; i < l->nkey; i++) {
		if (page_is_path(l->key[i]))
			paths_add(&l->paths, t[i]);
		if (i == 0 && (n = vis_columns(t[i])) > l->longest)
			l->longest = n;
	}
	l->row = mem_grow(l->row, &l->caprow, l->nrow + 1, sizeof *l->row);
	l->row[l->nrow++] = (uint32_t)row;
}

/* Adds the names of a row as they are shown: how many there are. */
static size_t
add_names(const struct lines *l, size_t row)
{
	struct text t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i;

	row_names(l, row, t, tmp);
	for (i = 0; i < l->nkey && l->p->t->v->width; i++)
		if (page_is_path(l->key[i]) && t[i].s)
			t[i] = paths_end(&l->paths, t[i]);
	return page_names(l->p, t, l->key, l->nkey, l->left);
}

/* A row by what is shown of its names, then by its function's name. */
struct shown {
	struct text names, name;
	size_t at;		/* in l->row */
};

static int
by_names(const void *a, const void *b)
{
	const struct shown *s = a, *t = b;
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

/* Two rows that look alike, of which the second one is as it was, are shown in the next way. */
static void
tell_two_apart(struct lines *l, const struct shown *a, const struct shown *b)
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
	struct shown *v = mem_alloc(l->nrow, sizeof *v);
	const size_t begin = l->p->line.n;
	struct text t[TABLE_KEYS], names;
	char tmp[NUM_TEXT];
	size_t i, n;

	for (i = 0; i < l->nrow; i++) {
		l->p->names = l->names[i];
		n = add_names(l, l->row[i]);
		l->nshown = n > l->nshown ? n : l->nshown;
		names = (struct text){ l->p->line.s + begin, l->p->line.n - begin };
		row_names(l, l->row[i], t, tmp);
		v[i] = (struct shown){ { mem_copy(names.s, names.n), names.n },
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
	l->p->names = (struct names){ 0 };
}

#define NAMES_LEAST 20		/* columns of names, if they are as long */

/* Gives names what the numbers leave. */
static void
fit_lines(struct lines *l)
{
	const size_t width = l->p->t->v->width;
	const size_t head = l->nkey ? strlen(group_by_name[l->key[0]]) : 0;
	const size_t longest = l->longest > head ? l->longest : head;
	const size_t least = longest < NAMES_LEAST ? longest : NAMES_LEAST;

	numbers_fit(&l->numbers, width, least);
	l->left = !width ? SIZE_MAX : width > l->numbers.used ? width - l->numbers.used : 1;
	if (!width)
		l->nshown = l->nkey;
	paths_sort(&l->paths);
	l->names = mem_alloc(l->nrow, sizeof *l->names);
	tell_apart(l);
	tell_apart(l);
	l->p->marks = 0;
}

void
lines_add_heads(struct lines *l)
{
	size_t i, n, used = 0;

	fit_lines(l);
	l->heads(l->p, &l->numbers.c);
	page_bold(l->p, true);
	numbers_add(l->p, &l->numbers);
	for (i = 0; i < l->nshown; i++, used += n) {
		n = strlen(group_by_name[l->key[i]]) + 2 * (i > 0);
		if (used + n > l->left)
			break;
		buf_printf(&l->p->line, "%s%s", i ? "  " : "", group_by_name[l->key[i]]);
	}
	page_bold(l->p, false);
}

void
lines_add_cells(struct lines *l, size_t row)
{
	l->fill(l->p, &l->numbers.c, row);
	numbers_add(l->p, &l->numbers);
}

void
lines_add_row(struct lines *l, size_t row)
{
	lines_add_cells(l, row);
	if (l->next < l->nrow)
		l->p->names = l->names[l->next++];
	add_names(l, row);
	l->p->names = (struct names){ 0 };
}

void
lines_free(struct lines *l)
{
	numbers_free(&l->numbers);
	paths_free(&l->paths);
	free(l->row);
	free(l->names);
}

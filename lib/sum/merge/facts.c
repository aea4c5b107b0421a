/* SPDX-License-Identifier: ISC */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

/* Metadata whose values are united over all parts, each value once. */
static const char *const united[] = { "calls", "estimate", "filter", "lost" };

/* Metadata that merging itself sets: the number of runs, the name of a file if parts are
 * grouped by that, and the sum of lines that were skipped. */
static const char *const own[] = { "runs", "source", "skipped" };

static bool
is_among(struct text key, const char *const *list, size_t n)
{
	while (n && !text_is(key, list[n - 1]))
		n--;
	return n != 0;
}

#define AMONG(key, list) is_among(key, list, sizeof list / sizeof *list)

static struct fact *
find(const struct facts *f, struct text key)
{
	size_t i;

	return name_index_find(&f->keys, key, &i) ? &f->v[i] : NULL;
}

const struct fact *
facts_find(const struct facts *f, const char *key)
{
	return find(f, text_of(key));
}

static struct fact *
make(struct facts *f, struct text key)
{
	f->v = mem_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n] = (struct fact){ 0 };
	buf_text(&f->v[f->n].key, key);
	name_index_add(&f->keys, key, f->n);
	return &f->v[f->n++];
}

static void
add_line(struct fact *f, struct text line)
{
	buf_text(&f->values, line);
	buf_putc(&f->values, '\n');
}

/* Adds a line to united metadata, unless it is there. */
static void
add_once(struct facts *f, struct fact *fact, struct text line)
{
	size_t before = f->lines.n;
	struct buf b = { 0 };

	buf_text(&b, buf_as_text(&fact->key));
	buf_putc(&b, '\n');
	buf_text(&b, line);
	name_index_add(&f->lines, buf_as_text(&b), 0);
	buf_free(&b);
	if (f->lines.n > before)
		add_line(fact, line);
}

void
facts_add(struct facts *f, const struct record *meta)
{
	struct text key = meta->col[0].t, list = meta->attrs.s ? meta->attrs :
	    (struct text){ "", 0 };
	struct fact *fact = find(f, key);

	if (!fact)
		fact = make(f, key);
	if (AMONG(key, united))
		add_once(f, fact, list);
	else
		add_line(fact, list);
}

/* Takes the next line off; false at the end. */
static bool
next_line(struct text *rest, struct text *line)
{
	const char *lf = rest->n ? memchr(rest->s, '\n', rest->n) : NULL;

	if (!lf)
		return false;
	*line = (struct text){ rest->s, (size_t)(lf - rest->s) };
	rest->n -= line->n + 1;
	rest->s = lf + 1;
	return true;
}

/* Lines, and which of the two lists has each. */
struct lines {
	struct line {
		struct text t;
		bool other;
	} *v;
	size_t n, cap;
};

static void
split(struct lines *l, struct text lines, bool other)
{
	struct text line;

	while (next_line(&lines, &line)) {
		l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
		l->v[l->n++] = (struct line){ line, other };
	}
}

static int
by_text(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;
	int c = text_cmp(a->t, b->t);

	return c ? c : a->other - b->other;
}

enum keep { KEEP_COMMON, KEEP_EACH };

/* Reduces the values to the lines that both lists have, or to its own lines, without
 * duplicates; sorted. */
static void
keep_lines(struct fact *all, struct text lines, enum keep keep)
{
	struct buf was = all->values;
	struct lines l = { 0 };
	size_t i, first;

	split(&l, buf_as_text(&was), false);
	split(&l, lines, true);
	if (l.n)
		qsort(l.v, l.n, sizeof *l.v, by_text);
	all->values = (struct buf){ 0 };
	for (i = first = 0; i < l.n; i++) {
		if (i + 1 < l.n && text_eq(l.v[i + 1].t, l.v[first].t))
			continue;
		if (keep == KEEP_EACH || (!l.v[first].other && l.v[i].other))
			add_line(all, l.v[i].t);
		first = i + 1;
	}
	free(l.v);
	buf_free(&was);
}

/* Adds the values of any part. */
static void
unite(struct facts *f, struct fact *all, struct text lines)
{
	struct text was = buf_as_text(&all->values), line;
	struct buf copy = { 0 };

	if (!all->differ) {
		buf_text(&copy, was);
		was = buf_as_text(&copy);
		all->values.n = 0;
		while (next_line(&was, &line))
			add_once(f, all, line);
		buf_free(&copy);
	}
	all->differ = true;
	while (next_line(&lines, &line))
		add_once(f, all, line);
}

/* Combines two parts' values.  Equal ones stay, in their order; otherwise the lines that
 * both have remain or, if united, those of either. */
static void
combine(struct facts *f, struct fact *all, struct text lines)
{
	if (text_eq(buf_as_text(&all->values), lines))
		return;
	if (AMONG(buf_as_text(&all->key), united))
		unite(f, all, lines);
	else
		keep_lines(all, lines, KEEP_COMMON);
}

void
facts_sort(struct facts *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->v[i].differ)
			keep_lines(&f->v[i], (struct text){ 0 }, KEEP_EACH);
}

static void
fact_free(struct fact *f)
{
	buf_free(&f->key);
	buf_free(&f->values);
}

/* Removes metadata without values. */
static void
drop_empty(struct facts *f)
{
	size_t i, n = 0;

	for (i = 0; i < f->n && f->v[i].values.n; i++)
		;
	if (i == f->n)
		return;
	name_index_clear(&f->keys);
	for (i = 0; i < f->n; i++) {
		if (!f->v[i].values.n) {
			fact_free(&f->v[i]);
			continue;
		}
		f->v[n] = f->v[i];
		name_index_add(&f->keys, buf_as_text(&f->v[n].key), n);
		n++;
	}
	f->n = n;
}

void
facts_join(struct facts *all, const struct facts *part, bool first)
{
	struct fact *f;
	size_t i;

	for (i = 0; i < part->n; i++) {
		struct text key = buf_as_text(&part->v[i].key);

		if (AMONG(key, own) || find(all, key))
			continue;
		if (first)
			buf_text(&make(all, key)->values, buf_as_text(&part->v[i].values));
		else if (AMONG(key, united))
			make(all, key);
	}
	for (i = 0; i < all->n; i++) {
		f = find(part, buf_as_text(&all->v[i].key));
		combine(all, &all->v[i], f ? buf_as_text(&f->values) :
		    (struct text){ "", 0 });
	}
	drop_empty(all);
}

void
facts_clear(struct facts *f)
{
	while (f->n)
		fact_free(&f->v[--f->n]);
	name_index_clear(&f->keys);
	name_index_clear(&f->lines);
}

void
facts_free(struct facts *f)
{
	facts_clear(f);
	name_index_free(&f->keys);
	name_index_free(&f->lines);
	free(f->v);
	*f = (struct facts){ 0 };
}

/* SPDX-License-Identifier: ISC */
#include "merge/state.h"

#include <stdlib.h>

#include "mem.h"

/* Facts of which every part's count, each value once. */
static const char *const united[] = { "calls", "estimate", "filter" };

/* Facts that merging tells itself: how many runs there are, the name of a file
 * where that is what parts are by. */
static const char *const told[] = { "runs", "source", "skipped" };

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

	for (i = 0; i < f->n; i++)
		if (text_eq(buf_as_text(&f->v[i].key), key))
			return &f->v[i];
	return NULL;
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
	return &f->v[f->n++];
}

/* Is it one of the lines? */
static bool
has_line(struct text lines, struct text line)
{
	const char *p = lines.s, *end = lines.s + lines.n, *lf;

	for (; p < end; p = lf + 1) {
		lf = memchr(p, '\n', (size_t)(end - p));
		if (text_eq((struct text){ p, (size_t)(lf - p) }, line))
			return true;
	}
	return false;
}

static void
add_line(struct fact *f, struct text line)
{
	buf_text(&f->values, line);
	buf_putc(&f->values, '\n');
}

void
facts_add(struct facts *f, const struct record *meta)
{
	struct text key = meta->col[0].t, list = meta->attrs.s ? meta->attrs :
	    (struct text){ "", 0 };
	struct fact *fact = find(f, key);

	if (!fact)
		fact = make(f, key);
	if (!AMONG(key, united) || !has_line(buf_as_text(&fact->values), list))
		add_line(fact, list);
}

struct lines {
	struct text *v;
	size_t n, cap;
};

static void
split(struct lines *l, struct text lines)
{
	const char *p = lines.s, *end = lines.s + lines.n, *lf;

	for (; p < end; p = lf + 1) {
		lf = memchr(p, '\n', (size_t)(end - p));
		l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
		l->v[l->n++] = (struct text){ p, (size_t)(lf - p) };
	}
}

static int
by_text(const void *pa, const void *pb)
{
	return text_cmp(*(const struct text *)pa, *(const struct text *)pb);
}

/*
 * What two parts say of a fact.  Where it is the same it stays, in its order;
 * else it is what both say or, united, what any says: sorted, so that it does
 * not matter which parts were joined first.
 */
static void
combine(struct fact *all, struct text lines, bool any)
{
	struct text was = buf_as_text(&all->values);
	struct buf joined = { 0 };
	struct lines l = { 0 };
	size_t i;

	if (text_eq(was, lines))
		return;
	split(&l, was);
	split(&l, lines);
	qsort(l.v, l.n, sizeof *l.v, by_text);
	for (i = 0; i < l.n; i++)
		if ((!i || !text_eq(l.v[i], l.v[i - 1])) &&
		    (any || (has_line(was, l.v[i]) && has_line(lines, l.v[i])))) {
			buf_text(&joined, l.v[i]);
			buf_putc(&joined, '\n');
		}
	free(l.v);
	buf_free(&all->values);
	all->values = joined;
}

static void
drop(struct facts *f, size_t i)
{
	buf_free(&f->v[i].key);
	buf_free(&f->v[i].values);
	f->v[i] = f->v[--f->n];
}

void
facts_join(struct facts *all, const struct facts *part, bool first)
{
	struct fact *f;
	size_t i;

	for (i = 0; i < part->n; i++) {
		struct text key = buf_as_text(&part->v[i].key);

		if (AMONG(key, told) || find(all, key))
			continue;
		if (first)
			buf_text(&make(all, key)->values, buf_as_text(&part->v[i].values));
		else if (AMONG(key, united))
			make(all, key);
	}
	for (i = all->n; i-- > 0; ) {
		struct text key = buf_as_text(&all->v[i].key);

		f = find(part, key);
		combine(&all->v[i], f ? buf_as_text(&f->values) :
		    (struct text){ "", 0 }, AMONG(key, united));
		if (!all->v[i].values.n)
			drop(all, i);
	}
}

void
facts_free(struct facts *f)
{
	while (f->n)
		drop(f, f->n - 1);
	free(f->v);
	*f = (struct facts){ 0 };
}

/* SPDX-License-Identifier: ISC */
#include "merge/state.h"

#include <stdlib.h>

#include "mem.h"

/* Facts of which every part's count, each value once. */
static const char *const united[] = { "estimate", "filter" };

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
	f->v[f->n] = (struct fact){ .seen = true };
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

static void
unite(struct fact *all, struct text lines)
{
	const char *p = lines.s, *end = lines.s + lines.n, *lf;

	for (; p < end; p = lf + 1) {
		struct text line;

		lf = memchr(p, '\n', (size_t)(end - p));
		line = (struct text){ p, (size_t)(lf - p) };
		if (!has_line(buf_as_text(&all->values), line))
			add_line(all, line);
	}
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
	size_t i;

	for (i = 0; i < all->n; i++)
		all->v[i].seen = false;
	for (i = 0; i < part->n; i++) {
		struct text key = buf_as_text(&part->v[i].key);
		struct text values = buf_as_text(&part->v[i].values);
		struct fact *f = find(all, key);

		if (AMONG(key, told))
			continue;
		if (!f && (first || AMONG(key, united)))
			f = make(all, key);
		if (!f)
			continue;
		if (first || AMONG(key, united))
			unite(f, values);
		f->seen = text_eq(buf_as_text(&f->values), values);
	}
	for (i = all->n; i-- > 0; )
		if (!all->v[i].seen && !AMONG(buf_as_text(&all->v[i].key), united))
			drop(all, i);
}

void
facts_free(struct facts *f)
{
	while (f->n)
		drop(f, f->n - 1);
	free(f->v);
	*f = (struct facts){ 0 };
}

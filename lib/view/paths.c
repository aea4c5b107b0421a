/* SPDX-License-Identifier: ISC */
/* Shortens paths: each to its shortest end that no other path has. */
#include "view/row_names.h"

#include <stdlib.h>

#include "util/mem.h"

/* Compares paths from their ends. */
static int
compare(const void *a, const void *b)
{
	const struct text *s = a, *t = b;
	size_t i, n = s->n < t->n ? s->n : t->n;

	for (i = 1; i <= n; i++)
		if (s->s[s->n - i] != t->s[t->n - i])
			return (unsigned char)s->s[s->n - i] < (unsigned char)t->s[t->n - i] ?
			    -1 : 1;
	return (s->n > t->n) - (s->n < t->n);
}

void
paths_add(struct paths *p, struct text path)
{
	if (!path.n || (p->n && text_eq(p->v[p->n - 1], path)))
		return;
	p->v = mem_grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	p->v[p->n++] = path;
}

void
paths_sort(struct paths *p)
{
	size_t i, n = 0;

	if (p->n)
		qsort(p->v, p->n, sizeof *p->v, compare);
	for (i = 0; i < p->n; i++)
		if (!n || !text_eq(p->v[n - 1], p->v[i]))
			p->v[n++] = p->v[i];
	p->n = n;
}

/* Returns the length of the common end of two paths. */
static size_t
common(struct text a, struct text b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && a.s[a.n - n - 1] == b.s[b.n - n - 1])
		n++;
	return n;
}

/* A path's neighbours in that order share the longest end with it. */
struct text
paths_end(const struct paths *p, struct text path)
{
	const struct text *at = p->n ? bsearch(&path, p->v, p->n, sizeof *p->v, compare) :
	    NULL;
	size_t same = 0, n, from;

	if (!at)
		return path;
	if (at > p->v)
		same = common(at[-1], path);
	if (at + 1 < p->v + p->n && (n = common(at[1], path)) > same)
		same = n;
	if (same == path.n)
		return path;	/* another path ends with all of it */
	for (from = path.n - same - 1; from > 0 && path.s[from - 1] != '/'; from--)
		;
	return (struct text){ path.s + from, path.n - from };
}

void
paths_free(struct paths *p)
{
	free(p->v);
}

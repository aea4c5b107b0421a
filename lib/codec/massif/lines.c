/* SPDX-License-Identifier: ISC */
/* The lines of a massif.out. */
#include "reader.h"

bool
massif_key(struct text line, const char *key, struct text *rest)
{
	const size_t n = strlen(key);

	if (line.n < n || memcmp(line.s, key, n) != 0)
		return false;
	*rest = (struct text){ line.s + n, line.n - n };
	return true;
}

bool
massif_number(struct text t, uint64_t *n)
{
	const char *end;

	/* A byte that is no digit follows: the file has a newline there. */
	return t.n && (end = num_get_u64(t.s, n)) == t.s + t.n && end > t.s;
}

/* Reads a number and the text `after` it: returns the end of that; NULL. */
static const char *
take_number(const char *p, const char *end, const char *after, uint64_t *n)
{
	const char *q = num_get_u64(p, n);
	const size_t k = strlen(after);

	return q && q > p && (size_t)(end - q) >= k && memcmp(q, after, k) == 0 ? q + k : NULL;
}

bool
massif_tree_line(struct text line, struct massif_line *l)
{
	const char *p = line.s, *end = line.s + line.n;

	while (p < end && *p == ' ')
		p++;
	l->depth = (uint64_t)(p - line.s);
	if (p == end || *p++ != 'n' || !(p = take_number(p, end, ": ", &l->children)) ||
	    !(p = take_number(p, end, " ", &l->bytes)))
		return false;
	l->what = (struct text){ p, (size_t)(end - p) };
	return true;
}

/* SPDX-License-Identifier: ISC */
#include "stream/lookup.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/mem.h"

static struct text
text_of_name(const struct lookup *l, const struct lookup_name *name)
{
	return name->absent ? (struct text){ 0 } :
	    (struct text){ l->text.s + name->from, name->n };
}

/* NULL: there is none. */
static const struct lookup_name *
find(const struct lookup *l, struct text name, uint32_t hash)
{
	size_t i = hash;
	uint32_t id1;

	while ((id1 = index_next(&l->index, hash, &i)))
		if (text_eq(text_of_name(l, &l->v[id1 - 1]), name))
			return &l->v[id1 - 1];
	return NULL;
}

bool
lookup_find(const struct lookup *l, struct text name, size_t *at)
{
	const struct lookup_name *found = find(l, name, hash_upper(hash_bytes(name.s, name.n)));

	if (found)
		*at = found->at;
	return found;
}

size_t
lookup_add(struct lookup *l, struct text name, size_t at)
{
	const uint32_t hash = hash_upper(hash_bytes(name.s, name.n));
	const struct lookup_name *found = find(l, name, hash);
	uint32_t i;

	if (found)
		return found->at;
	if (index_grows(&l->index))
		for (i = 0; i < l->n; i++)
			index_put(&l->index, l->v[i].hash, i);
	index_put(&l->index, hash, (uint32_t)l->n);
	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct lookup_name){ hash, !name.s, l->text.n, name.n, at };
	buf_text(&l->text, name);
	buf_str(&l->text);	/* not NULL, even if all names are empty */
	return at;
}

void
lookup_clear(struct lookup *l)
{
	index_clear(&l->index);
	l->n = l->text.n = 0;
}

void
lookup_free(struct lookup *l)
{
	index_free(&l->index);
	free(l->v);
	buf_free(&l->text);
	*l = (struct lookup){ 0 };
}

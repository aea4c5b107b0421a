/* SPDX-License-Identifier: ISC */
#include "stream/name_index.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/mem.h"

static struct text
text_of_name(const struct name_index *l, const struct name_index_entry *name)
{
	return name->absent ? (struct text){ 0 } :
	    (struct text){ l->text.s + name->from, name->n };
}

/* NULL: there is none. */
static const struct name_index_entry *
find(const struct name_index *l, struct text name, uint32_t hash)
{
	size_t i = hash;
	uint32_t id1;

	while ((id1 = index_next(&l->index, hash, &i)))
		if (text_eq(text_of_name(l, &l->v[id1 - 1]), name))
			return &l->v[id1 - 1];
	return NULL;
}

bool
name_index_find(const struct name_index *l, struct text name, size_t *at)
{
	const struct name_index_entry *found =
	    find(l, name, hash_upper(hash_bytes(name.s, name.n)));

	if (found)
		*at = found->at;
	return found;
}

size_t
name_index_add(struct name_index *l, struct text name, size_t at)
{
	const uint32_t hash = hash_upper(hash_bytes(name.s, name.n));
	const struct name_index_entry *found = find(l, name, hash);
	uint32_t i;

	if (found)
		return found->at;
	if (index_grows(&l->index))
		for (i = 0; i < l->n; i++)
			index_put(&l->index, l->v[i].hash, i);
	index_put(&l->index, hash, (uint32_t)l->n);
	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct name_index_entry){ hash, !name.s, l->text.n, name.n, at };
	buf_text(&l->text, name);
	buf_str(&l->text);	/* not NULL, even if all names are empty */
	return at;
}

void
name_index_clear(struct name_index *l)
{
	index_clear(&l->index);
	l->n = l->text.n = 0;
}

void
name_index_free(struct name_index *l)
{
	index_free(&l->index);
	free(l->v);
	buf_free(&l->text);
	*l = (struct name_index){ 0 };
}

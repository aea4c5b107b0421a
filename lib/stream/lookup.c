/* SPDX-License-Identifier: ISC */
#include "stream/lookup.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/mem.h"

static struct text
text_at(const struct lookup *l, const struct lookup_slot *name)
{
	return name->absent ? (struct text){ 0 } :
	    (struct text){ l->text.s + name->from, name->n };
}

/* The slot where the name is, or would be. */
static struct lookup_slot *
find(const struct lookup *l, struct text name, uint32_t hash)
{
	size_t i = hash & (l->size - 1);

	for (; l->slot[i].at1; i = (i + 1) & (l->size - 1))
		if (l->slot[i].hash == hash && text_eq(text_at(l, &l->slot[i]), name))
			break;
	return &l->slot[i];
}

static void
grow(struct lookup *l)
{
	struct lookup_slot *was = l->slot;
	size_t n = l->size, i, k;

	l->size = n ? 2 * n : 4;
	l->slot = mem_alloc(l->size, sizeof *l->slot);
	for (i = 0; i < n; i++) {
		if (!was[i].at1)
			continue;
		for (k = was[i].hash & (l->size - 1); l->slot[k].at1;
		    k = (k + 1) & (l->size - 1))
			;
		l->slot[k] = was[i];
	}
	free(was);
}

bool
lookup_find(const struct lookup *l, struct text name, size_t *at)
{
	const struct lookup_slot *found;

	if (!l->n)
		return false;
	found = find(l, name, hash_bytes(name.s, name.n));
	if (found->at1)
		*at = found->at1 - 1;
	return found->at1;
}

size_t
lookup_add(struct lookup *l, struct text name, size_t at)
{
	uint32_t hash = hash_bytes(name.s, name.n);
	struct lookup_slot *to;

	if (4 * l->n >= 3 * l->size)
		grow(l);
	to = find(l, name, hash);
	if (to->at1)
		return to->at1 - 1;
	*to = (struct lookup_slot){ hash, !name.s, l->text.n, name.n, at + 1 };
	buf_text(&l->text, name);
	buf_str(&l->text);	/* not NULL, even if all names are empty */
	l->n++;
	return at;
}

void
lookup_clear(struct lookup *l)
{
	if (l->n)
		memset(l->slot, 0, l->size * sizeof *l->slot);
	l->n = l->text.n = 0;
}

void
lookup_free(struct lookup *l)
{
	free(l->slot);
	buf_free(&l->text);
	*l = (struct lookup){ 0 };
}

/* SPDX-License-Identifier: ISC */
/*
 * Recent stacks that came more than once, by their text: in files that were not added up,
 * most lines are one of these.  Where no two stacks are equal, none is kept.
 */
#include "reader.h"

#include <stdlib.h>

#include "util/hash.h"

#define RECENT 8192		/* number of stacks */
#define LONG 4096		/* bytes of a stack that is too long to be kept */
#define ENDS 24			/* bytes of a stack that are hashed, near its root and its leaf */

struct recent_stacks {
	uint32_t came[RECENT];	/* the hash of the last stack that came here, */
	struct recent_stack {	/* and the last one that came twice in a row */
		struct buf text;
		uint32_t ctx;
	} v[RECENT];
};

uint32_t
folded_recent_hash(struct text t)
{
	const size_t n = t.n < ENDS ? t.n : ENDS;

	return hash_upper(hash_number(hash_bytes(t.s, n), hash_bytes(t.s + t.n - n, n)) + t.n);
}

bool
folded_recent_find(const struct recent_stacks *all, struct text t, uint32_t hash,
    uint32_t *ctx)
{
	const struct recent_stack *r;

	if (!all || all->came[hash % RECENT] != hash)
		return false;
	r = &all->v[hash % RECENT];
	if (!r->text.n || !text_eq(buf_as_text(&r->text), t))
		return false;
	*ctx = r->ctx;
	return true;
}

void
folded_recent_keep(struct recent_stacks **all, struct text t, uint32_t hash, uint32_t ctx)
{
	struct recent_stack *r;

	if (!*all)
		*all = mem_alloc(1, sizeof **all);
	if ((*all)->came[hash % RECENT] == hash && t.n <= LONG) {
		r = &(*all)->v[hash % RECENT];
		r->text.n = 0;
		buf_text(&r->text, t);
		r->ctx = ctx;
	}
	(*all)->came[hash % RECENT] = hash;
}

void
folded_recent_free(struct recent_stacks *all)
{
	size_t i;

	for (i = 0; all && i < RECENT; i++)
		buf_free(&all->v[i].text);
	free(all);
}

/* SPDX-License-Identifier: ISC */
/* Constants by their number: where their values are. */
#include "jfr.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

/* Adds the constants of one type.  One that comes again is the same, or is a thread that the
 * virtual machine has started anew: the first counts, as in the JDK's reader. */
static void
read_pool(struct jfr *j, const struct jfr_type *type, struct bytes *b)
{
	struct jfr_pools *p = &j->pools;
	uint64_t n = bytes_number(b, 4), key[POOL_KEYS];

	key[POOL_TYPE] = (uint64_t)(type - j->types.v);
	for (; n && !b->ended; n--) {
		const size_t known = p->keys.n;
		size_t row;
		const char *at;

		key[POOL_KEY] = bytes_number(b, 8);
		at = b->p;
		jfr_skip_type(&j->types, type, b);
		if (b->ended)
			break;
		if ((row = sums_row(&p->keys, key)) < known)
			continue;
		p->v = mem_reach(p->v, &p->cap, row, sizeof *p->v, 0);
		p->v[row] = (struct jfr_constant){ .at = at, .id = NO_ID };
	}
}

int
jfr_pools_read(struct jfr *j, struct bytes b)
{
	uint64_t n;

	bytes_number(&b, 8);		/* its start, */
	bytes_number(&b, 8);		/* its duration, */
	bytes_number(&b, 8);		/* and how far back the event before it is */
	bytes_skip(&b, 1);
	for (n = bytes_number(&b, 4); n && !b.ended; n--) {
		const char *at = b.p;
		const uint64_t id = bytes_number(&b, 8);
		const struct jfr_type *type = jfr_type_find(&j->types, id);

		if (!type || type->broken)
			return jfr_bad(j, at, "constants of type %" PRIu64 ", which the "
			    "metadata do not describe", id);
		read_pool(j, type, &b);
		if (b.ended)
			return jfr_bad(j, at, "constants of type %s are malformed",
			    QUOTE(type->name));
	}
	return b.ended ? jfr_bad(j, b.p, "constants are malformed") : 0;
}

struct jfr_constant *
jfr_constant_find(struct jfr *j, uint32_t type, uint64_t key)
{
	const uint64_t keys[POOL_KEYS] = { type, key };
	size_t row;

	return sums_find(&j->pools.keys, keys, &row) ? &j->pools.v[row] : NULL;
}

struct bytes
jfr_constant_bytes(const struct jfr *j, const struct jfr_constant *c)
{
	return (struct bytes){ .p = c->at, .end = j->chunk.end, .packed = j->chunk.packed };
}

void
jfr_pools_clear(struct jfr_pools *p)
{
	sums_clear(&p->keys);
}

void
jfr_pools_free(struct jfr_pools *p)
{
	sums_free(&p->keys);
	free(p->v);
}

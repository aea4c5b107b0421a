/* SPDX-License-Identifier: ISC */
#include "util/cache.h"

#include <stdlib.h>
#include <string.h>

#include "util/hash.h"
#include "util/mem.h"

static void
add(struct cache *m, struct cache_entry e)
{
	uint32_t i;

	if (index_grows(&m->index))
		for (i = 0; i < m->n; i++)
			index_put(&m->index, m->v[i].hash, i);
	index_put(&m->index, e.hash, (uint32_t)m->n);
	m->v = mem_grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	m->v[m->n++] = e;
}

bool
cache_add(struct cache *m, struct text key, uint64_t hash, uint32_t id)
{
	if (!key.n || key.n > CACHE_MOST || m->text.n > CACHE_MOST - key.n)
		return false;
	add(m, (struct cache_entry){ hash_upper(hash), (uint32_t)m->text.n, (uint32_t)key.n, id });
	buf_text(&m->text, key);
	return true;
}

void
cache_free(struct cache *m)
{
	index_free(&m->index);
	free(m->v);
	buf_free(&m->text);
	*m = (struct cache){ 0 };
}

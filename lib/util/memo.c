/* SPDX-License-Identifier: ISC */
#include "util/memo.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

uint64_t
memo_hash(struct text key)
{
	const char *p = key.s;
	size_t n = key.n;
	uint64_t h[2] = { n, ~n }, w[2];

	for (; n >= sizeof w; p += sizeof w, n -= sizeof w) {
		memcpy(w, p, sizeof w);
		h[0] = (h[0] ^ w[0]) * 0x9e3779b97f4a7c15;
		h[1] = (h[1] ^ w[1]) * 0xc2b2ae3d27d4eb4f;
		h[0] ^= h[0] >> 32;
		h[1] ^= h[1] >> 29;
	}
	memset(w, 0, sizeof w);
	memcpy(w, p, n);
	h[0] = (h[0] ^ w[0]) * 0x9e3779b97f4a7c15;
	h[0] = (h[0] ^ h[0] >> 32 ^ h[1] ^ w[1]) * 0xc2b2ae3d27d4eb4f;
	return h[0] ^ h[0] >> 32;
}

bool
memo_find(const struct memo *m, struct text key, uint64_t hash, uint32_t *id)
{
	const struct memo_slot *s;
	size_t i;

	for (i = hash; m->size; i++) {
		s = &m->slot[i & (m->size - 1)];
		if (!s->n)
			break;
		if (s->hash == hash && s->n == key.n &&
		    memcmp(m->text.s + s->at, key.s, key.n) == 0) {
			*id = s->id;
			return true;
		}
	}
	return false;
}

static void
put(struct memo *m, struct memo_slot s)
{
	size_t i = s.hash;

	while (m->slot[i & (m->size - 1)].n)
		i++;
	m->slot[i & (m->size - 1)] = s;
}

static void
grow(struct memo *m)
{
	struct memo_slot *old = m->slot;
	size_t size = m->size, i;

	m->size = size ? size * 2 : 1024;
	m->slot = mem_alloc(m->size, sizeof *m->slot);
	for (i = 0; i < size; i++)
		if (old[i].n)
			put(m, old[i]);
	free(old);
}

void
memo_add(struct memo *m, struct text key, uint64_t hash, uint32_t id)
{
	if (!key.n || key.n > MEMO_MOST || m->text.n > MEMO_MOST - key.n)
		return;
	if (m->n * 2 >= m->size)
		grow(m);
	put(m, (struct memo_slot){ hash, m->text.n, (uint32_t)key.n, id });
	m->n++;
	buf_text(&m->text, key);
}

void
memo_free(struct memo *m)
{
	free(m->slot);
	buf_free(&m->text);
	*m = (struct memo){ 0 };
}

/* SPDX-License-Identifier: ISC */
#include "util/memo.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

/* Fewer than 16 bytes as two words, some of them twice. */
static inline void
last_words(const char *p, size_t n, uint64_t w[2])
{
	uint32_t a, b;

	w[0] = w[1] = 0;
	if (n >= 8) {
		memcpy(&w[0], p, 8);
		memcpy(&w[1], p + n - 8, 8);
	} else if (n >= 4) {
		memcpy(&a, p, 4);
		memcpy(&b, p + n - 4, 4);
		w[0] = (uint64_t)a << 32 | b;
	} else if (n) {
		w[0] = (uint64_t)(unsigned char)p[0] << 16 |
		    (uint64_t)(unsigned char)p[n / 2] << 8 | (unsigned char)p[n - 1];
	}
}

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
	last_words(p, n, w);
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
		if (s->hash == (uint32_t)hash && s->n == key.n &&
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

bool
memo_add(struct memo *m, struct text key, uint64_t hash, uint32_t id)
{
	if (!key.n || key.n > MEMO_MOST || m->text.n > MEMO_MOST - key.n)
		return false;
	if (m->n * 2 >= m->size)
		grow(m);
	m->last = (uint32_t)m->text.n;
	put(m, (struct memo_slot){ (uint32_t)hash, m->last, (uint32_t)key.n, id });
	m->n++;
	buf_text(&m->text, key);
	return true;
}

void
memo_add_first(struct memo *m, size_t n, uint64_t hash, uint32_t id)
{
	if (!n)
		return;
	if (m->n * 2 >= m->size)
		grow(m);
	put(m, (struct memo_slot){ (uint32_t)hash, m->last, (uint32_t)n, id });
	m->n++;
}

void
memo_free(struct memo *m)
{
	free(m->slot);
	buf_free(&m->text);
	*m = (struct memo){ 0 };
}

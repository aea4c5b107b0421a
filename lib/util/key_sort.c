/* SPDX-License-Identifier: ISC */
#include "util/key_sort.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/system.h"

/* ---- keys ---- */

#define FEW 48			/* sorted by insertion */
#define BYTES 8
#define DIGIT(key, byte) ((key) >> 8 * (byte) & 0xff)

static void
insert(struct keyed *v, size_t n)
{
	struct keyed t;
	size_t i, k;

	for (i = 1; i < n; i++) {
		t = v[i];
		for (k = i; k && v[k - 1].key > t.key; k--)
			v[k] = v[k - 1];
		v[k] = t;
	}
}

/* Moves v to `to`, sorted by a byte of the key; count: the elements with each value of it. */
static void
move_by(const struct keyed *v, size_t n, struct keyed *to, unsigned byte, size_t *count)
{
	size_t i, at = 0, here;

	for (i = 0; i < 256; i++) {
		here = count[i];
		count[i] = at;
		at += here;
	}
	for (i = 0; i < n; i++)
		to[count[DIGIT(v[i].key, byte)]++] = v[i];
}

static void
sort_by_bytes(struct keyed *v, size_t n, struct keyed *other)
{
	size_t count[BYTES][256] = { { 0 } }, i;
	struct keyed *from = v, *to = other, *t;
	unsigned byte;

	for (i = 0; i < n; i++)
		for (byte = 0; byte < BYTES; byte++)
			count[byte][DIGIT(v[i].key, byte)]++;
	for (byte = 0; byte < BYTES; byte++) {
		if (count[byte][DIGIT(v->key, byte)] == n)	/* it is the same in all */
			continue;
		move_by(from, n, to, byte, count[byte]);
		t = from;
		from = to;
		to = t;
	}
	if (from != v)
		memcpy(v, from, n * sizeof *v);
}

void
key_sort(struct keyed *v, size_t n, struct keyed *other)
{
	if (n > FEW)
		sort_by_bytes(v, n, other);
	else
		insert(v, n);
}

/* ---- texts ---- */

struct sorting {
	const struct texts *texts;
	struct keyed *other;
	uint32_t *id;
};

/* Returns the next bytes of a text, with zeros after its end. */
static uint64_t
bytes_at(struct text t, size_t at)
{
	uint64_t key = 0;
	size_t i;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (at + BYTES <= t.n) {
		memcpy(&key, t.s + at, sizeof key);
		return __builtin_bswap64(key);
	}
#endif
	for (i = 0; i < BYTES; i++)
		key = key << 8 | (at + i < t.n ? (unsigned char)t.s[at + i] : 0);
	return key;
}

/* Sorts those that no key can decide. */
static void
sort_rest(struct sorting *s, struct keyed *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		s->id[i] = v[i].of;
	system_sort(s->id, n, sizeof *s->id, s->texts->compare,
	    s->texts->compare_arg);
	for (i = 0; i < n; i++)
		v[i].of = s->id[i];
}

#define SHALLOW 512		/* bytes of texts that are compared as keys */

/* Sorts texts that are equal before the byte `at`. */
static void
sort_from(struct sorting *s, struct keyed *v, size_t n, size_t at)
{
	const struct texts *const t = s->texts;
	bool ends = false;
	struct text one;
	size_t i, to;

	for (i = 0; i < n; i++) {
		one = t->text(t->arg, v[i].of);
		v[i].key = bytes_at(one, at);
		ends |= one.n < at + BYTES;
	}
	key_sort(v, n, s->other);
	for (i = 0; i < n; i = to) {
		for (to = i + 1; to < n && v[to].key == v[i].key; to++)
			;
		if (to - i < 2)
			continue;
		if (at >= SHALLOW || (ends && t->text(t->arg, v[i].of).n < at + BYTES))
			sort_rest(s, v + i, to - i);
		else
			sort_from(s, v + i, to - i, at + BYTES);
	}
}

void
key_sort_texts(uint32_t *id, size_t n, const struct texts *t)
{
	struct keyed *v = mem_alloc(2 * n + 1, sizeof *v);
	struct sorting s = { t, v + n, mem_alloc(n + 1, sizeof *s.id) };
	size_t i;

	for (i = 0; i < n; i++)
		v[i].of = id[i];
	sort_from(&s, v, n, 0);
	for (i = 0; i < n; i++)
		id[i] = v[i].of;
	free(v);
	free(s.id);
}

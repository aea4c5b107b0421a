/* SPDX-License-Identifier: ISC */
/*
 * Pseudonyms: SipHash-2-4 of a name (Aumasson and Bernstein, "SipHash: a fast
 * short-input PRF", 2012) under a key of 128 bits, so that nobody without the key can
 * verify guesses of names.
 */
#include "rules/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "stream/sums.h"
#include "util/mem.h"

struct hide {
	const struct pseudonym_key *key;
	struct sums of;	/* key: a pseudonym; its sum: the name */
	bool clashed;
};

static inline uint64_t
rotate(uint64_t x, int n)
{
	return x << n | x >> (64 - n);
}

static inline void
mix(uint64_t v[4], int rounds)
{
	while (rounds--) {
		v[0] += v[1];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[0] = rotate(v[0], 32);
		v[2] += v[3];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[2] = rotate(v[2], 32);
	}
}

static inline void
mix_in(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	mix(v, 2);
	v[0] ^= word;
}

/* The bytes of s after the last whole word become the low ones of `word`. */
static uint64_t
siphash(const uint64_t key[2], const char *s, size_t n)
{
	uint64_t v[4] = { key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
	    key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573 };
	uint64_t word = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		word |= (uint64_t)(unsigned char)s[i] << 8 * (i % 8);
		if (i % 8 == 7) {
			mix_in(v, word);
			word = 0;
		}
	}
	mix_in(v, word | (uint64_t)n << 56);
	v[2] ^= 0xff;
	mix(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* getrandom(2) never returns fewer bytes when so few are requested. */
static int
random_key(uint64_t key[2], struct diag *d)
{
	const size_t n = 2 * sizeof *key;

	if (getrandom(key, n, 0) != (ssize_t)n)
		return diag_fail_plain(d, "cannot get random numbers for a key: %s",
		    strerror(errno));
	diag_say(d, DIAG_NOTE, "PROF_KEY is not set: names get different pseudonyms "
	    "each time");
	return 0;
}

int
hide_key(struct pseudonym_key *k, struct diag *d)
{
	static const uint64_t first[2] = { 0, 0 }, second[2] = { 1, 0 };
	const char *key = getenv("PROF_KEY");

	if (k->is_set)
		return 0;
	if (key && *key) {
		k->v[0] = siphash(first, key, strlen(key));
		k->v[1] = siphash(second, key, strlen(key));
	} else if (random_key(k->v, d) < 0)
		return -1;
	k->is_set = true;
	return 0;
}

struct hide *
hide_new(const struct pseudonym_key *key)
{
	struct hide *h = mem_alloc(1, sizeof *h);

	h->key = key;
	sums_init(&h->of, 1, 1);
	h->of.init = -1;
	return h;
}

void
hide_free(struct hide *h)
{
	if (!h)
		return;
	sums_free(&h->of);
	free(h);
}

uint32_t
hide_text(struct hide *h, struct dict *dict, enum name kind, uint32_t text)
{
	struct text t = dict_text(dict, text);
	uint64_t hash = siphash(h->key->v, t.s, t.n);
	char name[40];
	num *whose = sums_val(&h->of, sums_row(&h->of, &hash));

	if (*whose >= 0 && *whose != text)
		h->clashed = true;
	*whose = text;
	snprintf(name, sizeof name, "%s-%016llx", name_of[kind], (unsigned long long)hash);
	return dict_str(dict, text_of(name));
}

bool
hide_clashed(const struct hide *h)
{
	return h && h->clashed;
}

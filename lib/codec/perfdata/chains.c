/* SPDX-License-Identifier: ISC */
/* A cache of chains of addresses with their contexts. */
#include "perfdata.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/mem.h"

void
pd_chains_free(struct perf_chains *c)
{
	size_t i;

	for (i = 0; c->v && i < CHAINS; i++)
		free(c->v[i].addrs);
	free(c->v);
	free(c->came);
}

static struct chain_key
key_of(const struct perf_sample *s)
{
	return (struct chain_key){ s->misc & MISC_MODE, s->attr->chain_most, s->maps->version,
	    s->kernel->version };
}

static bool
is_key(const struct chain_key *a, const struct chain_key *b)
{
	return a->mode == b->mode && a->most == b->most && a->maps == b->maps &&
	    a->kernel == b->kernel;
}

/* Has a chain with this hash been here before?  Most come only once, and would displace
 * others that come again. */
static bool
has_come(struct perf_chains *all, uint32_t hash)
{
	uint32_t *came = &all->came[hash % CHAINS_CAME];
	const bool has = *came == hash;

	*came = hash;
	return has;
}

struct known_chain *
pd_chains_find(struct perfdata *pd, const struct perf_sample *s, struct chain_key *key,
    bool *known)
{
	struct perf_chains *all = &pd->chains;
	const size_t n = bytes_left(&s->chain);
	struct known_chain *c;
	uint32_t hash;

	*key = key_of(s);
	*known = false;
	if (!n || s->abi || s->waits || bytes_left(&s->branches))
		return NULL;
	if (!all->v) {
		all->v = mem_alloc(CHAINS, sizeof *all->v);
		all->came = mem_alloc(CHAINS_CAME, sizeof *all->came);
	}
	hash = hash_upper(hash_number(s->maps->version, hash_bytes(s->chain.p, n)));
	c = &all->v[hash % CHAINS];
	*known = n == c->n && hash == c->hash && is_key(key, &c->key) &&
	    memcmp(c->addrs, s->chain.p, n) == 0;
	if (!*known && !has_come(all, hash))
		return NULL;
	if (!*known)
		c->hash = hash;
	return c;
}

void
pd_chains_keep(struct known_chain *c, const struct perf_sample *s, const struct chain_key *key,
    uint32_t context)
{
	const struct chain_key now = key_of(s);

	c->n = bytes_left(&s->chain);
	c->addrs = mem_reach(c->addrs, &c->cap, c->n, 1, 0);
	memcpy(c->addrs, s->chain.p, c->n);
	c->key = now;
	c->context = context;
	if (!is_key(&now, key))		/* exec was over amid its frames */
		c->n = 0;
}

/* SPDX-License-Identifier: ISC */
/* Chains of addresses that came before, and the contexts that they are. */
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
}

static struct chain_key
key_of(struct perfdata *pd, const struct perf_sample *s)
{
	return (struct chain_key){ s->pid, s->misc & MISC_MODE, s->attr->chain_most,
	    pd_state_maps(pd, s->pid)->version, pd->state.kernel.version };
}

static bool
is_key(const struct chain_key *a, const struct chain_key *b)
{
	return a->pid == b->pid && a->mode == b->mode && a->most == b->most &&
	    a->maps == b->maps && a->kernel == b->kernel;
}

struct chain *
pd_chain_find(struct perfdata *pd, const struct perf_sample *s, struct chain_key *key, bool *known)
{
	struct perf_chains *all = &pd->chains;
	const size_t n = bytes_left(&s->chain);
	struct chain *c;

	*key = key_of(pd, s);
	*known = false;
	if (!n || s->abi || s->waits || bytes_left(&s->branches))
		return NULL;
	if (!all->v)
		all->v = mem_alloc(CHAINS, sizeof *all->v);
	c = &all->v[hash_upper(hash_number(s->pid, hash_bytes(s->chain.p, n))) % CHAINS];
	*known = n == c->n && is_key(key, &c->key) && memcmp(c->addrs, s->chain.p, n) == 0;
	return c;
}

void
pd_chain_set(struct perfdata *pd, struct chain *c, const struct perf_sample *s,
    const struct chain_key *key, uint32_t ctx, bool full)
{
	const struct chain_key now = key_of(pd, s);

	c->n = bytes_left(&s->chain);
	c->addrs = mem_reach(c->addrs, &c->cap, c->n, 1, 0);
	memcpy(c->addrs, s->chain.p, c->n);
	c->key = now;
	c->ctx = ctx;
	c->full = full;
	if (!is_key(&now, key))		/* exec was over amid its frames */
		c->n = 0;
}

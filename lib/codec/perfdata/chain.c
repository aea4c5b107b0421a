/* SPDX-License-Identifier: ISC */
/* The functions of a sample's stack, leaf first: those of the kernel's chain, then those that
 * are unwound. */
#include "perfdata.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/mem.h"

#define MARKERS ((uint64_t)-4095)	/* an address from here on says whose the next are */
#define MARK_KERNEL ((uint64_t)-128)
#define MARK_USER ((uint64_t)-512)
#define CHAIN_MOST 127		/* the kernel's limit, unless it was told another */

/* Is it of a virtual machine, of which nothing is known?  Its process is the machine's. */
static bool
is_guest(const struct perf_sample *s)
{
	const unsigned mode = s->misc & MISC_MODE;

	return mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER;
}

void
pd_chain_init(struct perf_chain *c)
{
	c->known = mem_alloc(KNOWN_FUNCTIONS, sizeof *c->known);
}

void
pd_chain_free(struct perf_chain *c)
{
	free(c->known);
	free(c->v);
}

static struct function *
add(struct perf_chain *c)
{
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	return &c->v[c->n++];
}

/* What memory without a file has for code may be another function later. */
static bool
is_known_from_now_on(const struct perfdata *pd, const struct maps *maps, const struct map *map)
{
	return maps->version && !maps->before && map &&
	    pd->places.v[map->place].kind != PLACE_ANON;
}

/* Finds the function at an address, which is remembered: mostly it was asked for before. */
static int
find_function(struct perfdata *pd, struct maps *maps, uint64_t addr, bool kernel,
    struct function *f)
{
	struct known_function *k = &pd->chain.known[hash_upper(hash_number(maps->version,
	    addr)) % KNOWN_FUNCTIONS];
	const struct map *map;

	if (k->version && k->addr == addr && k->version == maps->version && !maps->before) {
		*f = k->f;
		return 0;
	}
	map = maps_find(maps, addr);
	if (pd_places_func(pd, map, addr, kernel, f) < 0)
		return -1;
	if (!pd->addrs)
		f->addr = 0;
	if (is_known_from_now_on(pd, maps, map))
		*k = (struct known_function){ maps->version, addr, *f };
	return 0;
}

/* Adds the function at an address to those of the sample's stack. */
static int
add_function(struct perfdata *pd, struct perf_sample *s, uint64_t addr, bool kernel, enum pc pc)
{
	struct maps none = { 0 };
	struct maps *maps = is_guest(s) ? &none : kernel ? &pd->state.kernel :
	    pd_state_maps(pd, s->pid);

	return find_function(pd, maps, addr - (pc == PC_RETURN), kernel, add(&pd->chain));
}

/* A caller's address is where it goes on, which may be in the next function: that of its call
 * is before it.  1: the kernel keeps no longer chains. */
static int
add_chain(struct perfdata *pd, struct perf_sample *s)
{
	const size_t most = s->attr->chain_most ? s->attr->chain_most : CHAIN_MOST;
	bool kernel = (s->misc & MISC_MODE) == MODE_KERNEL;
	enum pc pc = PC_EXACT;	/* so is that which the kernel has interrupted */
	struct bytes chain = s->chain;

	while (bytes_left(&chain)) {
		const uint64_t addr = bytes_u64(&chain);

		if (addr == MARK_KERNEL || addr == MARK_USER) {
			kernel = addr == MARK_KERNEL;
			pc = PC_EXACT;
			continue;
		}
		if (addr >= MARKERS)
			break;		/* what the register had that is no frame's */
		if (add_function(pd, s, addr, kernel, pc) < 0)
			return -1;
		pc = PC_RETURN;
	}
	if (pd->chain.n < most)
		return 0;
	pd_unfinished_add(pd, UNFINISHED_CHAIN, NULL);
	return 1;
}

/* Its callers, which are missing. */
static int
add_unfinished(struct perfdata *pd)
{
	struct function *f = add(&pd->chain);

	f->addr = 0;
	return pd_unfinished_func(pd, &f->func);
}

int
pd_chain_find(struct perfdata *pd, struct perf_sample *s)
{
	int ret;

	pd->chain.n = 0;
	if ((ret = add_chain(pd, s)) < 0 ||
	    (s->abi && s->copied && (ret = pd_unwind(pd, s, add_function)) < 0) ||
	    (!pd->chain.n && add_function(pd, s, s->ip, (s->misc & MISC_MODE) == MODE_KERNEL,
	    PC_EXACT) < 0))
		return -1;
	return ret > 0 ? add_unfinished(pd) : 0;
}

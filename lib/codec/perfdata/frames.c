/* SPDX-License-Identifier: ISC */
/* Finds the functions of a sample's stack, leaf first: those of the kernel's chain, then
 * unwound ones. */
#include "perfdata.h"

#include "util/mem.h"

#define CHAIN_MOST 127		/* the kernel's default limit */
#define BRANCHES_MOST 32	/* the default limit of processors */

static struct function *
add(struct perf_frames *c)
{
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	return &c->v[c->n++];
}

static inline int
find_function(struct perfdata *pd, struct perf_sample *s, uint64_t addr, bool kernel,
    struct function *f)
{
	const struct map *map = maps_find(kernel ? s->kernel : s->maps, addr);
	const struct function *known = map ? perf_recent_func(&pd->places, map, addr) : NULL;

	if (known)
		*f = *known;
	return known ? 0 : pd_places_func(pd, map, addr, kernel, f);
}

/* Adds the function at an address to those of the sample's stack.  No call is in the padding
 * before a function of the kernel, so it was the function's first instruction that was
 * interrupted. */
static int
add_function(struct perfdata *pd, struct perf_sample *s, uint64_t addr, bool kernel, enum pc pc)
{
	struct function *f = add(&pd->frames);

	if (find_function(pd, s, addr - (pc == PC_RETURN), kernel, f) < 0 ||
	    (kernel && pc == PC_RETURN && f->padding &&
	    find_function(pd, s, addr, kernel, f) < 0))
		return -1;
	return 0;
}

/* Adds the calls that the processor recorded: the newest led to the leaf, and each comes
 * from its caller (tools/perf/util/machine.c, lbr_callchain_add_lbr_ip()).  The exact
 * address in the leaf is the kernel chain's, if that begins with the same function.
 * Returns 0; 1: callers are missing, as the processor keeps no more; or -1. */
static int
add_branches(struct perfdata *pd, struct perf_sample *s, struct bytes chain)
{
	const uint64_t most = pd->branches_most ? pd->branches_most : BRANCHES_MOST;
	const size_t n = bytes_left(&s->branches) / BRANCH_SIZE, leaf = pd->frames.n;
	struct perf_frames *c = &pd->frames;
	struct bytes b = s->branches;

	bytes_skip(&b, 8);
	if (add_function(pd, s, bytes_u64(&b), false, PC_EXACT) < 0 || (bytes_left(&chain) &&
	    add_function(pd, s, bytes_u64(&chain), false, PC_EXACT) < 0))
		return -1;
	if (c->n > leaf + 1 && c->v[leaf].func == c->v[leaf + 1].func)
		c->v[leaf] = c->v[leaf + 1];
	c->n = leaf + 1;
	for (b = s->branches; bytes_left(&b); bytes_skip(&b, BRANCH_SIZE - 8))
		if (add_function(pd, s, bytes_u64(&b), false, PC_EXACT) < 0)
			return -1;
	if (n < most)
		return 0;
	pd_unfinished_add(pd, UNFINISHED_BRANCHES, NULL);
	return 1;
}

/* Adds the kernel's chain.  A caller's address is its return address, which may be in the
 * next function: the call is before it.  Returns 0; 1: callers are missing; or -1. */
static int
add_chain(struct perfdata *pd, struct perf_sample *s)
{
	const size_t most = s->attr->chain_most ? s->attr->chain_most : CHAIN_MOST;
	bool kernel = (s->misc & MISC_MODE) == MODE_KERNEL;
	enum pc pc = PC_EXACT;	/* also for the frame that the kernel interrupted */
	struct bytes chain = s->chain;

	while (bytes_left(&chain)) {
		const uint64_t addr = bytes_u64(&chain);

		if (addr == MARK_USER && bytes_left(&s->branches))
			return add_branches(pd, s, chain);
		if (addr == MARK_DEFERRED) {
			if (!bytes_left(&s->later)) {
				pd_unfinished_add(pd, UNFINISHED_DEFERRED, NULL);
				return 1;
			}
			chain = s->later;
		}
		if (addr == MARK_KERNEL || addr == MARK_USER || addr == MARK_DEFERRED) {
			kernel = addr == MARK_KERNEL;
			pc = PC_EXACT;
			continue;
		}
		if (addr >= MARKERS)
			break;		/* the register did not point to a frame */
		if (add_function(pd, s, addr, kernel, pc) < 0)
			return -1;
		pc = PC_RETURN;
	}
	if (pd->frames.n < most)
		return 0;
	pd_unfinished_add(pd, UNFINISHED_CHAIN, NULL);
	return 1;
}

/* Adds the function that stands for missing callers. */
static int
add_unfinished(struct perfdata *pd)
{
	struct function *f = add(&pd->frames);

	f->addr = 0;
	return pd_unfinished_func(pd, &f->func);
}

int
pd_frames_find(struct perfdata *pd, struct perf_sample *s)
{
	int ret;

	pd->frames.n = 0;
	if ((ret = add_chain(pd, s)) < 0 ||
	    (s->abi && s->copied && (ret = pd_unwind(pd, s, add_function)) < 0) ||
	    (!pd->frames.n && add_function(pd, s, s->ip, (s->misc & MISC_MODE) == MODE_KERNEL,
	    PC_EXACT) < 0))
		return -1;
	return ret > 0 && add_unfinished(pd) < 0 ? -1 : ret;
}

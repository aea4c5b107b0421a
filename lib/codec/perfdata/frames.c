/* SPDX-License-Identifier: ISC */
/* The functions of a sample's stack, leaf first: those of the kernel's chain, then those that
 * are unwound. */
#include "perfdata.h"

#include "util/mem.h"

#define CHAIN_MOST 127		/* the kernel's limit, unless it was told another */
#define BRANCHES_MOST 32	/* the same of processors */

/* Is it of a virtual machine, of which nothing is known?  Its process is the machine's. */
static bool
is_guest(const struct perf_sample *s)
{
	const unsigned mode = s->misc & MISC_MODE;

	return mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER;
}

static struct function *
add(struct perf_frames *c)
{
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	return &c->v[c->n++];
}

/* Adds the function at an address to those of the sample's stack. */
static int
add_function(struct perfdata *pd, struct perf_sample *s, uint64_t addr, bool kernel, enum pc pc)
{
	struct maps *maps = kernel ? &pd->state.kernel : s->maps;
	const uint64_t call = addr - (pc == PC_RETURN);
	const struct map *map = !is_guest(s) ? maps_find(maps, call) : NULL;
	struct function *f = add(&pd->frames);

	if (pd_places_func(pd, map, call, kernel, f) < 0)
		return -1;
	if (!pd->addrs)
		f->addr = 0;
	return 0;
}

/* The calls that the processor has kept, as perf has them: the newest has led to the leaf, each
 * comes from its caller (tools/perf/util/machine.c, lbr_callchain_add_lbr_ip()).  Where in the
 * leaf it was, the kernel's chain says, if it has begun with the same function.  1: the
 * processor keeps no more. */
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

/* A caller's address is where it goes on, which may be in the next function: that of its call
 * is before it.  1: callers are missing. */
static int
add_chain(struct perfdata *pd, struct perf_sample *s)
{
	const size_t most = s->attr->chain_most ? s->attr->chain_most : CHAIN_MOST;
	bool kernel = (s->misc & MISC_MODE) == MODE_KERNEL;
	enum pc pc = PC_EXACT;	/* so is that which the kernel has interrupted */
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
			break;		/* what the register had that is no frame's */
		if (add_function(pd, s, addr, kernel, pc) < 0)
			return -1;
		pc = PC_RETURN;
	}
	if (pd->frames.n < most)
		return 0;
	pd_unfinished_add(pd, UNFINISHED_CHAIN, NULL);
	return 1;
}

/* Its callers, which are missing. */
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

	s->maps = pd_state_maps(pd, s->pid);
	pd->frames.n = 0;
	if ((ret = add_chain(pd, s)) < 0 ||
	    (s->abi && s->copied && (ret = pd_unwind(pd, s, add_function)) < 0) ||
	    (!pd->frames.n && add_function(pd, s, s->ip, (s->misc & MISC_MODE) == MODE_KERNEL,
	    PC_EXACT) < 0))
		return -1;
	return ret > 0 && add_unfinished(pd) < 0 ? -1 : ret;
}

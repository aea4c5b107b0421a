/* SPDX-License-Identifier: ISC */
/* Puts the stacks of a speedscope file as contexts. */
#include "reader.h"

#include <stdlib.h>

#include "util/mem.h"

/* Puts the context of a stack, after those of the stacks around it that have none, from the
 * outermost on. */
static int
put_stack(void *arg, uint32_t stack, uint32_t *ctx)
{
	struct reader *rd = arg;
	struct decode *d = rd->doc.d;
	struct ctx_def c = NO_CTX;
	size_t n = 0;

	for (; stack && rd->ctx[stack] == NO_ID;
	    stack = (uint32_t)sums_key(&rd->stacks, stack - 1)[0])
		rd->path[n++] = stack;
	*ctx = stack ? rd->ctx[stack] : NO_ID;
	while (n--) {
		c.parent = *ctx;
		if (js_functions_put(&rd->starts, d, (uint32_t)sums_key(&rd->stacks,
		    rd->path[n] - 1)[1], &c.func) < 0 ||
		    decode_ctx(d, &c, ctx) < 0)
			return -1;
		rd->ctx[rd->path[n]] = *ctx;
	}
	return 0;
}

/* Marks the functions with inclusive cost; only these are distinguished. */
static void
use_functions(struct reader *rd)
{
	bool *used = mem_alloc(rd->stacks.n + 1, sizeof *used);
	const struct profile *p = rd->profiles.v;
	size_t i, k;
	uint32_t s;

	for (i = 0; i < rd->profiles.n; i++)
		for (k = 0; k < p[i].n; k++)
			if (p[i].v[k].n)
				used[p[i].v[k].stack] = true;
	for (s = (uint32_t)rd->stacks.n; s > 0; s--)
		if (used[s]) {
			const uint64_t *key = sums_key(&rd->stacks, s - 1);

			used[key[0]] = true;
			js_functions_use(&rd->starts, (uint32_t)key[1]);
		}
	free(used);
}

int
speedscope_put_all(struct reader *rd)
{
	rd->path = mem_alloc(rd->stacks.n + 1, sizeof *rd->path);
	rd->ctx = mem_alloc(rd->stacks.n + 1, sizeof *rd->ctx);
	memset(rd->ctx, 0xff, (rd->stacks.n + 1) * sizeof *rd->ctx);
	use_functions(rd);
	rd->profiles.put_stack = put_stack;
	rd->profiles.arg = rd;
	return profiles_put(&rd->profiles, rd->doc.d, "speedscope", rd->name);
}

/* SPDX-License-Identifier: ISC */
/* Puts the result of a part's points and samples. */
#include "filter/flatten_state.h"

#include <stdlib.h>

#include "util/mem.h"

enum { PLACE_KEYS = 4, CALL_KEYS };

/* Sets a record's values, without trailing zeros, but at least one value. */
static void
set_values(struct flattener *s, struct record *r, const num *v)
{
	size_t n = s->nval, i;

	while (n > 1 && !v[n - 1])
		n--;
	s->values.n = 0;
	for (i = 0; i < n; i++)
		values_add(&s->values, v[i]);
	r->values = buf_as_text(&s->values);
}

int
flatten_put_funcs(struct flattener *s)
{
	struct record r;
	size_t i;

	rec_init(&r, REC_COST);
	for (i = 0; i < s->self.n; i++) {
		r.col[PLACE_FUNC].n = *sums_key(&s->self, i);
		set_values(s, &r, sums_val(&s->self, i));
		if (sink_put(s->sink.next, &r) < 0)
			return -1;
	}
	return 0;
}

static bool
all_zero(const num *v, size_t n)
{
	while (n && !v[n - 1])
		n--;
	return n == 0;
}

int
flatten_put_samples(struct flattener *s)
{
	struct record r;
	size_t i;

	rec_init(&r, REC_SAMPLE);
	for (i = 0; i < s->cct.n; i++) {
		const num *self = cct_self(&s->cct, i);

		if (all_zero(self, s->nval))
			continue;
		r.col[0].n = cct_ctx(&s->cct, i);
		set_values(s, &r, self);
		if (sink_put(s->sink.next, &r) < 0)
			return -1;
	}
	return 0;
}

/* ---- the tree as a call graph ---- */

/* Sets the place of a context as columns of a record. */
static void
set_place(struct flattener *s, struct record *r, uint32_t ctx)
{
	struct record c;
	unsigned i;

	dict_record(s->dict, REC_CTX, ctx, &c);
	for (i = 0; i < PLACE_KEYS; i++)
		r->col[i] = c.col[1 + CTX_FUNC + i];
}

static void
place_key(struct flattener *s, uint32_t ctx, uint64_t *key)
{
	const uint32_t *c = dict_frame(s->dict, ctx);
	unsigned i;

	for (i = 0; i < PLACE_KEYS; i++)
		key[i] = c[CTX_FUNC + i];
}

static int
enter_call(struct flattener *s, struct flatten_path *to, size_t node)
{
	const uint32_t up = to[-1].ctx;
	uint64_t key[CALL_KEYS], pair[2];
	size_t call;

	place_key(s, up, key);
	key[PLACE_KEYS] = dict_frame(s->dict, to->ctx)[CTX_FUNC];
	to->call = (uint32_t)(call = sums_row(&s->calls, key));
	s->call_at = mem_reach(s->call_at, &s->capcall_at, call, sizeof *s->call_at, 0);
	s->call_at[call] = up;
	pair[0] = key[0];
	pair[1] = key[PLACE_KEYS];
	to->step = (uint32_t)sums_row(&s->steps, pair);
	++*sums_val(&s->steps, to->step);
	s->counted = mem_reach(s->counted, &s->capcounted, call, sizeof *s->counted, 0);
	s->counted[call] |= cct_is_counted(&s->cct, node);
	return num_add(&sums_val(&s->calls, call)[0], cct_activations(&s->cct, node));
}

static int
enter_node(void *arg, size_t node, size_t depth)
{
	struct flattener *s = arg;
	const uint32_t ctx = cct_ctx(&s->cct, node);
	uint64_t key[PLACE_KEYS];
	size_t cost;

	place_key(s, ctx, key);
	cost = sums_row(&s->costs, key);
	s->cost_at = mem_reach(s->cost_at, &s->capcost_at, cost, sizeof *s->cost_at, 0);
	s->cost_at[cost] = ctx;
	s->path = mem_grow(s->path, &s->cappath, depth + 1, sizeof *s->path);
	s->path[depth] = (struct flatten_path){ .ctx = ctx };
	if (num_add_each(sums_val(&s->costs, cost), cct_self(&s->cct, node), s->nval) < 0)
		return -1;
	return depth ? enter_call(s, &s->path[depth], node) : 0;
}

/* Adds the cost of a call.  Recursion counts once: the cost of a call from one function to
 * another is that of the outermost one on the path from the root. */
static int
leave_node(void *arg, size_t node, size_t depth, const num *incl)
{
	struct flattener *s = arg;
	const struct flatten_path *p = &s->path[depth];

	(void)node;
	if (!depth || --*sums_val(&s->steps, p->step))
		return 0;
	return num_add_each(sums_val(&s->calls, p->call) + 1, incl, s->nval);
}

static int
put_cost(struct flattener *s, size_t cost)
{
	struct record r;

	rec_init(&r, REC_COST);
	if (all_zero(sums_val(&s->costs, cost), s->nval))
		return 0;
	set_values(s, &r, sums_val(&s->costs, cost));
	set_place(s, &r, s->cost_at[cost]);
	return sink_put(s->sink.next, &r);
}

static int
put_call(struct flattener *s, size_t call)
{
	struct record r;
	const num *v = sums_val(&s->calls, call);
	char tmp[NUM_TEXT];

	rec_init(&r, REC_CALL);
	if (s->as == FLATTEN_COSTS)
		return 0;
	set_place(s, &r, s->call_at[call]);
	r.col[CALL_CALLEE].n = sums_key(&s->calls, call)[PLACE_KEYS];
	if (s->counted[call])
		r.col[CALL_COUNT].t = num_text(tmp, v[0]);
	set_values(s, &r, v + 1);
	return sink_put(s->sink.next, &r);
}

/* Puts rows grouped by function, in the order in which functions came. */
static int
put_rows(struct flattener *s)
{
	size_t funcs = dict_count(s->dict, REC_FUNC) + 1, n = s->costs.n + s->calls.n;
	uint32_t *first = mem_alloc(funcs, sizeof *first);
	uint32_t *next = mem_alloc(n + 1, sizeof *next);
	size_t i, k;
	int ret = 0;

	for (i = n; i-- > 0; ) {
		uint64_t func = i < s->costs.n ? *sums_key(&s->costs, i) :
		    *sums_key(&s->calls, i - s->costs.n);

		func = func == NO_ID ? funcs - 1 : func;
		next[i] = first[func];
		first[func] = (uint32_t)i + 1;
	}
	for (i = 0; i < s->costs.n && ret == 0; i++) {
		uint64_t func = *sums_key(&s->costs, i);

		func = func == NO_ID ? funcs - 1 : func;
		for (k = first[func]; k && ret == 0; k = next[k - 1])
			ret = k - 1 < s->costs.n ? put_cost(s, k - 1) :
			    put_call(s, k - 1 - s->costs.n);
		first[func] = 0;
	}
	free(first);
	free(next);
	return ret;
}

int
flatten_put_graph(struct flattener *s)
{
	const struct cct_walk walk = { enter_node, leave_node, s };
	int ret;

	sums_init(&s->costs, PLACE_KEYS, s->nval);
	sums_init(&s->calls, CALL_KEYS, 1 + s->nval);
	sums_init(&s->steps, 2, 1);
	if (s->counted)
		memset(s->counted, 0, s->capcounted * sizeof *s->counted);
	ret = cct_walk(&s->cct, &walk) ? flatten_overflow(s) : put_rows(s);
	sums_free(&s->costs);
	sums_free(&s->calls);
	sums_free(&s->steps);
	return ret;
}

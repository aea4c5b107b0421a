/* SPDX-License-Identifier: ISC */
/* The calls of lines. */
#include "listing.h"

#include <stdlib.h>

#include "util/mem.h"

static void
index_calls(struct listing *l)
{
	size_t i, row;

	l->call = mem_alloc(l->t->r->rows.n + 1, sizeof *l->call);
	l->next_call = mem_alloc(l->calls.n + 1, sizeof *l->next_call);
	for (i = l->calls.n; i-- > 0; ) {
		row = sums_key(&l->calls, i)[LISTED_CALLER];
		l->next_call[i] = l->call[row];
		l->call[row] = (uint32_t)i + 1;
	}
}

int
listing_sum_calls(struct listing *l)
{
	const struct sums *edges = &l->t->r->edges;
	uint64_t key[LISTED_CALL_KEYS];
	size_t e, k;
	num *sums;

	sums_init(&l->calls, LISTED_CALL_KEYS, edges->nval);
	for (e = 0; e < edges->n; e++) {
		key[LISTED_CALLER] = sums_key(edges, e)[EDGE_ROW];
		key[LISTED_CALLEE] = l->t->r->family[sums_key(edges, e)[EDGE_TO]];
		sums = sums_val(&l->calls, sums_row(&l->calls, key));
		for (k = 0; k < edges->nval; k++)
			if (num_add(&sums[k], sums_val(edges, e)[k]) < 0)
				return listing_overflow(l);
	}
	index_calls(l);
	return 0;
}

struct text
listing_callee(const struct listing *l, uint32_t call)
{
	const uint64_t family = sums_key(&l->calls, call)[LISTED_CALLEE];

	return dict_func_name(l->t->q->dict,
	    (uint32_t)*sums_key(&l->t->r->families, family));
}

/* A difference has two counts, which are events. */
const num *
listing_count_of(const struct listing *l, uint32_t call)
{
	return l->t->r->counts_known && !l->t->r->ndelta ?
	    sums_val(&l->calls, call) : NULL;
}

const num *
listing_cost_of(const struct listing *l, uint32_t call)
{
	return sums_val(&l->calls, call) + 1;
}

static int
by_call_cost(const void *a, const void *b)
{
	const struct value *x = a, *y = b;

	return x->kind == WHOLE && y->kind == WHOLE && x->n != y->n ?
	    (x->n > y->n ? -1 : 1) : x->of < y->of ? -1 : x->of > y->of;
}

uint32_t *
listing_calls(const struct listing *l, size_t row, size_t *n)
{
	struct value *v = NULL;
	uint32_t *call, e;
	size_t i, cap = 0;

	*n = 0;
	for (e = l->call[row]; e; e = l->next_call[e - 1]) {
		const num *sums = listing_cost_of(l, e - 1);

		if (!listing_is_hot(l, sums))
			continue;
		v = mem_grow(v, &cap, *n + 1, sizeof *v);
		v[*n] = table_value(&l->t->metric[0], sums);
		if (v[*n].kind == WHOLE)
			v[*n].n = table_magnitude(v[*n].n);
		v[(*n)++].of = e - 1;
	}
	if (*n)
		qsort(v, *n, sizeof *v, by_call_cost);
	call = mem_alloc(*n + 1, sizeof *call);
	for (i = 0; i < *n; i++)
		call[i] = v[i].of;
	free(v);
	return call;
}

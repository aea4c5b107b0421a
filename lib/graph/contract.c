/* SPDX-License-Identifier: ISC */
/* The sums, and the elimination of nodes. */
#include "graph/contract.h"

#include <stdlib.h>

#include "graph/apportion.h"
#include "util/mem.h"

/* ---- sums ---- */

enum { EDGE_SOURCE, EDGE_CALLEE, EDGE_AT, CONTRACT_KEYS };

static int
add(num *sum, num v)
{
	return v == NUM_ABSENT ? 0 : sums_add(sum, v, NUM_ABSENT);
}

static int
add_sums(num *sums, const num *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (add(&sums[i], v[i]) < 0)
			return -1;
	return 0;
}

/* Merges calls with equal keys. */
static int
merge_calls(const struct contraction *f, struct contract_calls *c)
{
	struct sums t;
	size_t i;
	int ret = 0;

	if (c->merged == c->n)
		return 0;
	sums_init(&t, 1, 1 + f->nval);
	t.init = NUM_ABSENT;
	for (i = 0; i < c->n && ret == 0; i++)
		ret = add_sums(sums_val(&t, sums_row(&t, &c->key[i])),
		    c->val + i * t.nval, t.nval);
	free(c->key);
	free(c->val);
	*c = (struct contract_calls){ .key = t.key, .val = t.val, .n = t.n,
	    .merged = t.n, .capkey = t.capkey, .capval = t.capval };
	t.key = NULL;
	t.val = NULL;
	sums_free(&t);
	return ret;
}

/* Returns room for the sums of one more call; NULL if a sum of merged calls does not fit
 * 128 bits.  Calls are merged when their number has doubled. */
static num *
append_call(const struct contraction *f, struct contract_calls *c, uint64_t key)
{
	if (c->n > 2 * c->merged + 64 && merge_calls(f, c) < 0)
		return NULL;
	c->key = mem_grow(c->key, &c->capkey, c->n + 1, sizeof *c->key);
	c->val = mem_grow(c->val, &c->capval, (c->n + 1) * (1 + f->nval),
	    sizeof *c->val);
	c->key[c->n] = key;
	return c->val + c->n++ * (1 + f->nval);
}

void
contract_begin(struct contraction *f)
{
	size_t i;

	f->self = mem_alloc(f->nsources * f->nval + 1, sizeof *f->self);
	for (i = 0; i < f->nsources * f->nval; i++)
		f->self[i] = NUM_ABSENT;
	f->calls = mem_alloc(f->nsources + 1, sizeof *f->calls);
	sums_init(&f->edges, CONTRACT_KEYS, 1 + f->nval);
	f->edges.init = NUM_ABSENT;
}

int
contract_self(struct contraction *f, uint32_t source, const num *costs)
{
	return add_sums(f->self + source * f->nval, costs, f->nval);
}

int
contract_call(struct contraction *f, uint32_t from, uint32_t to, uint32_t at, const num *sums)
{
	const uint64_t key[CONTRACT_KEYS] = { from, to, at };
	num *v;

	if (f->folded[to])
		return add_sums(sums_val(&f->edges, sums_row(&f->edges, key)), sums,
		    1 + f->nval);
	v = append_call(f, &f->calls[from], CONTRACT_KEY(to, at));
	if (v)
		memcpy(v, sums, (1 + f->nval) * sizeof *v);
	return v ? 0 : -1;
}

static void
calls_free(struct contract_calls *c)
{
	free(c->key);
	free(c->val);
	*c = (struct contract_calls){ 0 };
}

/* ---- elimination ---- */

/* An edge into the current node. */
struct in {
	uint64_t from, at;
	uint32_t edge;
};

struct run {
	struct contraction *f;
	size_t ncol;		/* the count, then the events */

	/* Edges, as lists: an edge + 1. */
	uint32_t *first_in, *first_out;		/* by node */
	uint32_t *next_in, *next_out;		/* by edge */
	bool *gone;
	size_t capin_list, capout_list, capgone;

	/* The current node. */
	struct in *in;
	uint32_t *out;
	size_t nin, nout, capin, capout;
	num *weight, *all;	/* weight[column * nin + i], and their sums */
	num *part;		/* the same for the shares */
	size_t capweight, cappart;
	bool any;		/* was there something to divide? */
	struct apportion apportion;
	uint64_t shares, ncalls;	/* left before the bounds */
};

/* Adds a new edge to the lists. */
static void
link_edge(struct run *r, uint32_t edge)
{
	struct contraction *f = r->f;
	const uint64_t *key = sums_key(&f->edges, edge);
	uint32_t from = f->node[key[EDGE_SOURCE]], to = (uint32_t)key[EDGE_CALLEE];

	r->gone = mem_reach(r->gone, &r->capgone, edge, sizeof *r->gone, 0);
	r->next_in = mem_reach(r->next_in, &r->capin_list, edge, sizeof *r->next_in, 0);
	r->next_in[edge] = r->first_in[to];
	r->first_in[to] = edge + 1;
	r->next_out = mem_reach(r->next_out, &r->capout_list, edge,
	    sizeof *r->next_out, 0);
	r->next_out[edge] = r->first_out[from];
	r->first_out[from] = edge + 1;
}

static int
by_source(const void *pa, const void *pb)
{
	const struct in *a = pa, *b = pb;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Takes the edges into and out of the node, which are removed with it. */
static void
take_edges(struct run *r, uint32_t node)
{
	struct contraction *f = r->f;
	uint32_t edge;

	r->nin = r->nout = 0;
	for (edge = r->first_in[node]; edge; edge = r->next_in[edge - 1]) {
		const uint64_t *key = sums_key(&f->edges, edge - 1);

		if (r->gone[edge - 1])
			continue;
		r->gone[edge - 1] = true;
		if (f->node[key[EDGE_SOURCE]] == node)
			continue;
		r->in = mem_grow(r->in, &r->capin, r->nin + 1, sizeof *r->in);
		r->in[r->nin++] = (struct in){ key[EDGE_SOURCE], key[EDGE_AT], edge - 1 };
	}
	for (edge = r->first_out[node]; edge; edge = r->next_out[edge - 1]) {
		if (r->gone[edge - 1])
			continue;
		r->gone[edge - 1] = true;
		r->out = mem_grow(r->out, &r->capout, r->nout + 1, sizeof *r->out);
		r->out[r->nout++] = edge - 1;
	}
	if (r->nin)
		qsort(r->in, r->nin, sizeof *r->in, by_source);
}

static bool
is_derived(const struct contraction *f, size_t column)
{
	return column && f->derived && f->derived[column - 1];
}

/* Adds the absolute values of a column in the calls into the node. */
static int
weigh_column(struct run *r, size_t column)
{
	num *weight = r->weight + column * r->nin, v;
	size_t i;

	r->all[column] = 0;
	for (i = 0; i < r->nin; i++) {
		v = sums_val(&r->f->edges, r->in[i].edge)[column];
		weight[i] = v == NUM_ABSENT ? 0 : v < 0 ? -v : v;
		if (num_add(&r->all[column], weight[i]) < 0)
			return -1;
	}
	return 0;
}

/* Gives a column without weights those of another one, or equal ones. */
static void
borrow_weights(struct run *r, size_t column, size_t from)
{
	num *weight = r->weight + column * r->nin;
	size_t i;

	if (from < r->ncol && r->all[from]) {
		memcpy(weight, r->weight + from * r->nin, r->nin * sizeof *weight);
		r->all[column] = r->all[from];
		return;
	}
	for (i = 0; i < r->nin; i++)
		weight[i] = 1;
	r->all[column] = (num)r->nin;
}

static int
set_weights(struct run *r)
{
	size_t column, first;

	r->weight = mem_grow(r->weight, &r->capweight, r->ncol * r->nin,
	    sizeof *r->weight);
	r->part = mem_grow(r->part, &r->cappart, r->ncol * r->nin, sizeof *r->part);
	for (column = 0; column < r->ncol; column++)
		if (weigh_column(r, column) < 0)
			return -1;
	for (first = 1; first < r->ncol &&
	    (!r->all[first] || is_derived(r->f, first)); first++)
		;
	for (column = 1; column < r->ncol; column++)
		if (!r->all[column])
			borrow_weights(r, column, 0);
	if (!r->all[0])
		borrow_weights(r, 0, first);
	return 0;
}

/* Sets r->part to the shares of a number, one for each call into the node. */
static void
share_column(struct run *r, size_t column, num whole)
{
	num *part = r->part + column * r->nin;
	size_t i;

	r->any |= whole && whole != NUM_ABSENT;
	if (r->nin == 1 || !whole || whole == NUM_ABSENT)
		for (i = 0; i < r->nin; i++)
			part[i] = whole;
	else
		apportion(&r->apportion, whole, r->weight + column * r->nin,
		    r->all[column], r->nin, part);
}

static int
share_self(struct run *r, uint32_t node)
{
	struct contraction *f = r->f;
	size_t column, i;

	for (column = 1; column < r->ncol; column++) {
		if (is_derived(f, column))
			continue;
		share_column(r, column, f->self[f->whole[node] * f->nval + column - 1]);
		for (i = 0; i < r->nin; i++)
			if (add(&f->self[r->in[i].from * f->nval + column - 1],
			    r->part[column * r->nin + i]) < 0)
				return -1;
	}
	return 0;
}

/* Has the call no count and no cost?  Such a call of a node that stays is dropped. */
static bool
is_nothing(const struct run *r, size_t i)
{
	size_t column;
	num v;

	for (column = 0; column < r->ncol; column++) {
		v = r->part[column * r->nin + i];
		if (v && v != NUM_ABSENT)
			return false;
	}
	return true;
}

/* Counts a new call: 0, or -1 if there are too many. */
static int
take_call(struct run *r)
{
	if (r->ncalls-- == 0)
		r->f->refused = true;
	return r->f->refused ? -1 : 0;
}

/* Gives the i-th caller a call of a node that stays, by its key. */
static int
add_call(struct run *r, size_t i, uint64_t key)
{
	size_t column;
	num *v;

	if (is_nothing(r, i))
		return 0;
	if (take_call(r) < 0)
		return -1;
	v = append_call(r->f, &r->f->calls[r->in[i].from], key);
	for (column = 0; v && column < r->ncol; column++)
		v[column] = r->part[column * r->nin + i];
	return v ? 0 : -1;
}

/* The same for a call of a node still to be eliminated; also if the call cost nothing, as
 * that node's cost must go somewhere. */
static int
add_edge(struct run *r, size_t i, uint64_t to, uint64_t at)
{
	struct contraction *f = r->f;
	const uint64_t key[CONTRACT_KEYS] = { r->in[i].from, to, at };
	size_t n = f->edges.n, edge, column;
	num *sums;

	if (f->node[key[EDGE_SOURCE]] == to)
		return 0;
	edge = sums_row(&f->edges, key);
	if (edge == n) {
		if (take_call(r) < 0)
			return -1;
		link_edge(r, (uint32_t)edge);
	}
	sums = sums_val(&f->edges, edge);
	for (column = 0; column < r->ncol; column++)
		if (add(&sums[column], r->part[column * r->nin + i]) < 0)
			return -1;
	return 0;
}

static void
share_sums(struct run *r, const num *sums)
{
	size_t column;

	for (column = 0; column < r->ncol; column++)
		share_column(r, column, is_derived(r->f, column) ? NUM_ABSENT :
		    sums[column]);
}

static int
share_calls(struct run *r, uint32_t node)
{
	struct contraction *f = r->f;
	struct contract_calls *c = &f->calls[f->whole[node]];
	const uint64_t *key;
	size_t k, i;

	if (merge_calls(f, c) < 0)
		return -1;
	for (k = 0; k < c->n; k++) {
		share_sums(r, c->val + k * r->ncol);
		for (i = 0; i < r->nin; i++)
			if (add_call(r, i, c->key[k]) < 0)
				return -1;
	}
	for (k = 0; k < r->nout; k++) {
		uint64_t to, at;

		key = sums_key(&f->edges, r->out[k]);
		to = key[EDGE_CALLEE];
		at = key[EDGE_AT];
		share_sums(r, sums_val(&f->edges, r->out[k]));
		for (i = 0; i < r->nin; i++)
			if (add_edge(r, i, to, at) < 0)
				return -1;
	}
	calls_free(c);
	return 0;
}

/* Counts the shares that a node makes: 0, or -1 if there are too many. */
static int
take_shares(struct run *r, uint32_t node)
{
	uint64_t calls = r->nout + r->f->calls[r->f->whole[node]].n;
	unsigned __int128 shares = (unsigned __int128)r->nin * (2 + calls) * r->ncol;

	r->f->refused = shares > r->shares;
	r->shares -= r->f->refused ? 0 : (uint64_t)shares;
	return r->f->refused ? -1 : 0;
}

/* Divides the node's cost and each of its calls among its callers. */
static int
eliminate(struct run *r, uint32_t node)
{
	take_edges(r, node);
	r->any = false;
	if (take_shares(r, node) < 0 || set_weights(r) < 0 || share_self(r, node) < 0 ||
	    share_calls(r, node) < 0)
		return -1;
	r->f->shared[node] &= r->any;
	return 0;
}

static void
run_free(struct run *r)
{
	free(r->first_in);
	free(r->first_out);
	free(r->next_in);
	free(r->next_out);
	free(r->gone);
	free(r->in);
	free(r->out);
	free(r->weight);
	free(r->all);
	free(r->part);
	apportion_free(&r->apportion);
}

int
contract_run(struct contraction *f)
{
	struct run r = { .f = f, .ncol = 1 + f->nval };
	size_t i;
	int ret = 0;

	r.first_in = mem_alloc(f->nnodes + 1, sizeof *r.first_in);
	r.first_out = mem_alloc(f->nnodes + 1, sizeof *r.first_out);
	r.all = mem_alloc(r.ncol, sizeof *r.all);
	r.ncalls = f->edges.n;
	for (i = 0; i < f->edges.n; i++)
		link_edge(&r, (uint32_t)i);
	for (i = 0; i < f->nsources; i++)
		r.ncalls += f->calls[i].n;
	r.shares = CONTRACT_SHARES + CONTRACT_SHARES_EACH * r.ncalls * r.ncol;
	r.ncalls = CONTRACT_CALLS + CONTRACT_CALLS_EACH * r.ncalls;
	for (i = 0; i < f->norder && ret == 0; i++)
		ret = eliminate(&r, f->order[i]);
	for (i = 0; i < f->nsources && ret == 0; i++)
		ret = merge_calls(f, &f->calls[i]);
	run_free(&r);
	return ret;
}

void
contract_free(struct contraction *f)
{
	size_t i;

	for (i = 0; f->calls && i < f->nsources; i++)
		calls_free(&f->calls[i]);
	free(f->calls);
	free(f->folded);
	sums_free(&f->links);
	free(f->order);
	free(f->shared);
	free(f->node);
	free(f->whole);
	free(f->derived);
	free(f->self);
	sums_free(&f->edges);
	*f = (struct contraction){ 0 };
}

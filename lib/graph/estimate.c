/* SPDX-License-Identifier: ISC */
#include "graph/estimate.h"

#include <stdlib.h>

#include "graph/adjacency.h"
#include "graph/apportion.h"
#include "graph/heavy_callers.h"
#include "graph/widest_paths.h"
#include "util/mem.h"
#include "util/protobuf.h"

#define ROOT WIDEST_ROOT		/* instead of a caller */
#define MANY 64			/* so many callers are not all looked at each time */

struct walk {
	const struct stack_estimate *s;
	size_t nval;
	struct adjacency into;	/* the calls into each node, */
	uint32_t *from;		/* and the caller of each of them */
	num *root;		/* by node and event: its weight as a root */
	uint32_t *up;		/* the caller on the widest path from a root; ROOT */
	num *least;		/* by event: the smallest share to make; 0: it has no cost */
	/* By node and event, while no caller is on the path: */
	struct heaviest { uint32_t caller; bool alone; } *heaviest;

	/* The paths still to be followed, and the current one. */
	struct way { uint32_t node, depth; } *way;
	num *cost;		/* nval for each way */
	size_t nway, capway, capcost;
	uint32_t *path;
	size_t npath;
	bool *on_path;
	num *here;		/* the cost of the current path; 0, except: */
	size_t *live, nlive;	/* the events of which it has a cost, usually few */

	/* The callers that may get a share of it; the root last. */
	uint32_t *caller, *edge;
	size_t ncaller;
	bool alone;		/* all its callers are on the path */
	struct heavy_callers heavy;
	struct buf picked;	/* places of callers in `into`: not all of them, so that */
	num *all;		/* the sum of all weights is known, of the i-th live event; or
				 * 0 */
	num *weight, *part;	/* of the i-th live event: part[i * ncaller + caller] */
	struct apportion apportion;
	size_t cappart;

	/* The stacks: how many nodes each shares with the one before and how many it has
	 * besides, those nodes, the number of its costs, and for each its event and its
	 * halves; all but the nodes as varints. */
	struct buf kept;
	size_t frames, contexts;	/* of all stacks: ESTIMATE_FRAMES */
	size_t same;		/* nodes of the path that the last stack has */
	uint32_t *last;		/* that stack */
	size_t nlast;
};

/* ---- shares ---- */

static size_t
largest(const num *v, size_t n)
{
	size_t best = 0, i;

	for (i = 1; i < n; i++)
		if (v[i] > v[best])
			best = i;
	return best;
}

/* Removes the weights of callers whose share would be too small. */
static int
drop_small(num *weight, size_t n, num cost, num least, num *all)
{
	size_t best = largest(weight, n), i;
	num limit, x;

	if (least <= 1)
		return 0;
	if (num_mul(least, *all, &limit) < 0)
		return -1;
	for (i = 0; i < n; i++)
		if (i != best && (num_mul(cost, weight[i], &x) < 0 || x < limit))
			weight[i] = 0;
	return num_sum(weight, n, all);
}

/* all: the sum of all weights; 0: that of these. */
static int
apportion_cost(struct walk *w, num cost, num least, num all, size_t n, num *part)
{
	num x;

	if ((!all && num_sum(w->weight, n, &all) < 0) || num_mul(cost, all, &x) < 0 ||
	    drop_small(w->weight, n, cost, least, &all) < 0)
		return ESTIMATE_LARGE;
	apportion(&w->apportion, cost, w->weight, all, n, part);
	return 0;
}

/* Sets the weights of the callers: costs, or counts if there are none; if there are
 * neither, the root gets everything. */
static void
set_weights(struct walk *w, uint32_t node, size_t event)
{
	size_t i, n = w->ncaller - 1, column = 1 + event;
	num any = w->weight[n] = w->root[node * w->nval + event];

	for (;;) {
		for (i = 0; i < n; i++)
			any |= w->weight[i] = sums_val(w->s->calls, w->edge[i])[column];
		if (any || column == 0)
			break;
		column = 0;
	}
	w->weight[n] += !any;
}

/* Returns the caller with the largest weight, the first one if there are several. */
static struct heaviest
find_heaviest(struct walk *w, uint32_t node, size_t event)
{
	size_t best = 0, i, any = 0;

	set_weights(w, node, event);
	for (i = 0; i < w->ncaller; i++) {
		any += w->weight[i] != 0;
		if (w->weight[i] > w->weight[best])
			best = i;
	}
	return (struct heaviest){ w->caller[best], any == 1 };
}

/* Does the heaviest caller get all of an event's cost, because no other has a weight, or
 * there is too little to share? */
static bool
takes_all(const struct walk *w, const struct heaviest *h, size_t event)
{
	return h->alone || w->here[event] / 2 < w->least[event];
}

static int
share_event(struct walk *w, uint32_t node, size_t event, num all, num *part)
{
	const struct heaviest h = find_heaviest(w, node, event);
	size_t i;

	if (!takes_all(w, &h, event))
		return apportion_cost(w, w->here[event], w->least[event], all, w->ncaller,
		    part);
	memset(part, 0, w->ncaller * sizeof *part);
	for (i = 0; w->caller[i] != h.caller; i++)
		;
	part[i] = w->here[event];
	return 0;
}

/* ---- ways up ---- */

static void
find_callers(struct walk *w, uint32_t node)
{
	const uint32_t end = w->into.first[node + 1];
	uint32_t i, n = 0;

	for (i = w->into.first[node]; i < end; i++) {
		if (w->on_path[w->from[i]])
			continue;
		w->edge[n] = w->into.edge[i];
		w->caller[n++] = w->from[i];
	}
	w->caller[n++] = ROOT;
	w->ncaller = n;
}

static int
by_place(const void *pa, const void *pb)
{
	const uint32_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* Picks the callers that may get a share of a live event: false if all have to be looked
 * at. */
static bool
pick(struct walk *w, uint32_t node, size_t i)
{
	const size_t event = w->live[i];
	const struct heavy_ask ask = { .node = node, .event = event, .cost = w->here[event],
	    .least = w->least[event], .root = w->root[node * w->nval + event],
	    .path = w->path, .npath = w->npath, .on_path = w->on_path };

	return ask.least > 1 && heavy_callers_pick(&w->heavy, &ask, &w->picked, &w->all[i]);
}

/* Finds the callers that may get a share, where there are many. */
static bool
pick_callers(struct walk *w, uint32_t node)
{
	const size_t many = w->into.first[node + 1] - w->into.first[node];
	uint32_t *place;
	size_t i, n;

	if (many <= MANY || w->npath > many / 8)
		return false;
	w->picked.n = 0;
	for (i = 0; i < w->nlive; i++)
		if (!pick(w, node, i))
			return false;
	place = (uint32_t *)(void *)w->picked.s;
	n = w->picked.n / sizeof *place;
	if (n)
		qsort(place, n, sizeof *place, by_place);
	for (i = w->ncaller = 0; i < n; i++) {
		if (i && place[i] == place[i - 1])
			continue;
		w->edge[w->ncaller] = w->into.edge[place[i]];
		w->caller[w->ncaller++] = w->from[place[i]];
	}
	w->caller[w->ncaller++] = ROOT;
	return true;
}

/* Are all callers of the node on the path? */
static bool
is_alone(const struct walk *w, uint32_t node)
{
	const uint32_t end = w->into.first[node + 1];
	uint32_t i;

	for (i = w->into.first[node]; i < end && w->on_path[w->from[i]]; i++)
		;
	return i == end;
}

/* Finds the caller that gets all of the cost: false if there may be several.  A heaviest
 * caller that is not on the path is also the heaviest of those that are not. */
static bool
sole_caller(const struct walk *w, uint32_t node, uint32_t *caller)
{
	const struct heaviest *h = w->heaviest + node * w->nval;
	size_t i;

	*caller = w->nlive ? h[w->live[0]].caller : ROOT;
	for (i = 0; i < w->nlive; i++) {
		const size_t k = w->live[i];

		if (h[k].caller != *caller || !takes_all(w, &h[k], k))
			return false;
	}
	return *caller == ROOT || !w->on_path[*caller];
}

/* Sets w->here to the share of the i-th caller; false if there is none. */
static bool
take_share(struct walk *w, size_t i)
{
	num any = 0;
	size_t k;

	for (k = 0; k < w->nlive; k++)
		any |= w->here[w->live[k]] = w->part[k * w->ncaller + i];
	return any != 0;
}

static void
find_live(struct walk *w)
{
	size_t k;

	w->nlive = 0;
	for (k = 0; k < w->nval; k++)
		if (w->here[k])
			w->live[w->nlive++] = k;
}

static void
add_way(struct walk *w, uint32_t node)
{
	w->way = mem_grow(w->way, &w->capway, w->nway + 1, sizeof *w->way);
	w->cost = mem_grow(w->cost, &w->capcost, (w->nway + 1) * w->nval,
	    sizeof *w->cost);
	w->way[w->nway] = (struct way){ node, (uint32_t)w->npath };
	memcpy(w->cost + w->nway++ * w->nval, w->here, w->nval * sizeof *w->cost);
}

/* Counts the frames of a stack, and those whose callers are others than in the last one. */
static int
count_frames(struct walk *w, size_t n)
{
	size_t same = 0;

	while (same < n && same < w->nlast &&
	    w->path[n - 1 - same] == w->last[w->nlast - 1 - same])
		same++;
	w->frames += n;
	w->contexts += n - same;
	memcpy(w->last, w->path, n * sizeof *w->last);
	w->nlast = n;
	return w->frames > ESTIMATE_FRAMES || w->contexts > ESTIMATE_CONTEXTS ?
	    ESTIMATE_MANY : 0;
}

/* Keeps the current stack, which is complete.  If recursion has left no caller, the rest is
 * the widest path, through functions that are in the stack already. */
static int
keep_stack(struct walk *w)
{
	size_t n = w->npath, i, costs = 0;
	uint32_t up;

	if (w->alone)
		while ((up = w->up[w->path[n - 1]]) != ROOT)
			w->path[n++] = up;
	if (count_frames(w, n) < 0)
		return ESTIMATE_MANY;
	pb_put_varint(&w->kept, w->same);
	pb_put_varint(&w->kept, n - w->same);
	buf_add(&w->kept, w->path + w->same, (n - w->same) * sizeof *w->path);
	for (i = 0; i < w->nlive; i++)
		costs += w->here[w->live[i]] != 0;
	pb_put_varint(&w->kept, costs);
	for (i = 0; i < w->nlive; i++) {
		const num cost = w->here[w->live[i]];

		if (!cost)
			continue;
		pb_put_varint(&w->kept, w->live[i]);
		pb_put_varint(&w->kept, (uint64_t)cost);
		pb_put_varint(&w->kept, (uint64_t)(cost >> 64));
	}
	w->same = w->npath;
	return 0;
}

/* Divides the cost of the path, which ends at the node, among the callers. */
static int
branch(struct walk *w, uint32_t node)
{
	size_t k;
	int r = 0;

	if (!pick_callers(w, node)) {
		memset(w->all, 0, w->nval * sizeof *w->all);
		find_callers(w, node);
	}
	w->part = mem_grow(w->part, &w->cappart, w->ncaller * w->nlive, sizeof *w->part);
	for (k = 0; k < w->nlive && r == 0; k++)
		r = share_event(w, node, w->live[k], w->all[k], w->part + k * w->ncaller);
	for (k = w->ncaller; k-- && r == 0;)
		if (!take_share(w, k))
			continue;
		else if (w->caller[k] == ROOT)
			r = keep_stack(w);
		else
			add_way(w, w->caller[k]);
	return r;
}

static void
go_back(struct walk *w, size_t depth)
{
	while (w->npath > depth)
		w->on_path[w->path[--w->npath]] = false;
	if (w->same > depth)
		w->same = depth;
}

/* Goes up the last path until it ends, or others branch off. */
static int
go_up(struct walk *w)
{
	const struct way at = w->way[--w->nway];
	uint32_t node = at.node, up;
	bool sole;

	memcpy(w->here, w->cost + w->nway * w->nval, w->nval * sizeof *w->here);
	find_live(w);
	go_back(w, at.depth);
	for (;; node = up) {
		w->path[w->npath++] = node;
		w->on_path[node] = true;
		sole = sole_caller(w, node, &up);
		if (sole && up != ROOT)
			continue;
		w->alone = is_alone(w, node);
		return sole ? keep_stack(w) : branch(w, node);
	}
}

static int
walk_up(struct walk *w, uint32_t node)
{
	num any = 0;
	size_t k;
	int r = 0;

	for (k = 0; k < w->nval; k++)
		any |= w->here[k] = sums_val(w->s->self, node)[k];
	if (!any)
		return 0;
	add_way(w, node);
	while (w->nway && r == 0)
		r = go_up(w);
	go_back(w, 0);
	return r;
}

static int
walk_all(struct walk *w)
{
	const size_t n = w->s->self->n;
	uint32_t node;
	int r = 0;

	for (node = 0; node < n && r == 0; node++) {
		w->s->step(w->s->arg, node, 2 * n);
		r = walk_up(w, node);
	}
	return r;
}

/* ---- the stacks that were kept ---- */

static uint64_t
take(const char **p)
{
	uint64_t n = 0;

	pb_varint(p, *p + 10, &n);
	return n;
}

static int
put_all(struct walk *w)
{
	const char *p = w->kept.s, *end = p + w->kept.n;
	const size_t nodes = w->s->self->n;
	size_t n, i, event;
	int r = 0;

	while (p < end && r == 0) {
		w->s->step(w->s->arg, nodes + nodes * (size_t)(p - w->kept.s) / w->kept.n,
		    2 * nodes);
		i = take(&p);
		n = take(&p);
		memcpy(w->path + i, p, n * sizeof *w->path);
		p += n * sizeof *w->path;
		n += i;
		memset(w->here, 0, w->nval * sizeof *w->here);
		for (i = take(&p); i > 0; i--) {
			event = take(&p);
			w->here[event] = (num)take(&p);
			w->here[event] |= (num)take(&p) << 64;
		}
		r = w->s->put(w->s->arg, w->path, n, w->here);
	}
	return r;
}

/* ---- the graph ---- */

static bool
is_recursion(const struct sums *calls, size_t i)
{
	return sums_key(calls, i)[ESTIMATE_FROM] == sums_key(calls, i)[ESTIMATE_TO];
}

/* Finds to what extent a function is a root: not at all if it is called, and the calls cost
 * nothing. */
static int
find_roots(struct walk *w)
{
	const struct sums *calls = w->s->calls;
	num *in = mem_alloc(w->s->self->n + 1, sizeof *in);
	num *count = mem_alloc(w->s->self->n + 1, sizeof *count);
	size_t i, k, n = w->nval;
	int r = 0;

	for (i = 0; i < w->s->self->n * n; i++)
		w->root[i] = w->s->self->val[i];
	for (k = 0; k < n; k++) {
		memset(in, 0, w->s->self->n * sizeof *in);
		memset(count, 0, w->s->self->n * sizeof *count);
		for (i = 0; i < calls->n; i++) {
			const uint64_t *key = sums_key(calls, i);
			const num *v = sums_val(calls, i);

			if (is_recursion(calls, i))
				continue;
			r |= num_add(&w->root[key[ESTIMATE_FROM] * n + k], v[1 + k]);
			r |= num_add(&in[key[ESTIMATE_TO]], v[1 + k]);
			r |= num_add(&count[key[ESTIMATE_TO]], v[0]);
		}
		for (i = 0; i < w->s->self->n; i++) {
			num *root = &w->root[i * n + k];

			*root = *root > in[i] && (in[i] || !count[i]) ? *root - in[i] : 0;
		}
	}
	free(in);
	free(count);
	return r ? ESTIMATE_LARGE : 0;
}

/* Finds widest paths by the sum of all events, since they share their stacks. */
static int
find_widest(struct walk *w)
{
	const struct widest_graph g = { .edges = w->s->calls, .from = ESTIMATE_FROM,
	    .to = ESTIMATE_TO, .nodes = w->s->self->n, .root = w->root, .nval = w->nval };

	return widest_paths(&g, w->up) < 0 ? ESTIMATE_LARGE : 0;
}

static int
find_least(struct walk *w)
{
	size_t i;

	for (i = 0; i < w->s->self->n * w->nval; i++)
		if (num_add(&w->least[i % w->nval], w->s->self->val[i]) < 0)
			return ESTIMATE_LARGE;
	for (i = 0; i < w->nval; i++) {
		const num all = w->least[i];

		w->least[i] = all / ESTIMATE_SHARES + (all % ESTIMATE_SHARES != 0);
	}
	return 0;
}

static void
walk_free(struct walk *w)
{
	adjacency_free(&w->into);
	free(w->from);
	free(w->root);
	free(w->up);
	free(w->least);
	free(w->heaviest);
	free(w->way);
	free(w->cost);
	free(w->path);
	free(w->last);
	free(w->on_path);
	free(w->here);
	free(w->live);
	free(w->caller);
	free(w->edge);
	heavy_callers_free(&w->heavy);
	buf_free(&w->picked);
	free(w->all);
	free(w->weight);
	free(w->part);
	apportion_free(&w->apportion);
	buf_free(&w->kept);
}

/* Also makes room for the callers of the node that has the most. */
static void
find_heaviest_callers(struct walk *w)
{
	const size_t n = w->s->self->n;
	uint32_t node, most = 0;
	size_t k;

	for (node = 0; node < n; node++)
		if (w->into.first[node + 1] - w->into.first[node] > most)
			most = w->into.first[node + 1] - w->into.first[node];
	w->caller = mem_alloc(most + 1, sizeof *w->caller);
	w->edge = mem_alloc(most + 1, sizeof *w->edge);
	w->weight = mem_alloc(most + 1, sizeof *w->weight);
	w->heaviest = mem_alloc(n * w->nval + 1, sizeof *w->heaviest);
	for (node = 0; node < n; node++) {
		w->on_path[node] = true;	/* so that it calls itself in no stack */
		find_callers(w, node);
		w->on_path[node] = false;
		for (k = 0; k < w->nval; k++)
			if (w->least[k])
				w->heaviest[node * w->nval + k] = find_heaviest(w, node, k);
	}
}

static void
walk_init(struct walk *w)
{
	const size_t n = w->s->self->n, ncalls = w->s->calls->n;
	size_t i;

	w->into = adjacency_make(w->s->calls, ESTIMATE_TO, n, NULL, NULL);
	w->from = mem_alloc(ncalls + 1, sizeof *w->from);
	for (i = 0; i < ncalls; i++)
		w->from[i] = (uint32_t)sums_key(w->s->calls, w->into.edge[i])[ESTIMATE_FROM];
	heavy_callers_init(&w->heavy, w->s->calls, &w->into, n);
	w->all = mem_alloc(w->nval + 1, sizeof *w->all);
	w->root = mem_alloc(n * w->nval + 1, sizeof *w->root);
	w->up = mem_alloc(n + 1, sizeof *w->up);
	w->least = mem_alloc(w->nval + 1, sizeof *w->least);
	w->path = mem_alloc(2 * n + 1, sizeof *w->path);
	w->last = mem_alloc(2 * n + 1, sizeof *w->last);
	w->on_path = mem_alloc(n + 1, sizeof *w->on_path);
	w->here = mem_alloc(w->nval + 1, sizeof *w->here);
	w->live = mem_alloc(w->nval + 1, sizeof *w->live);
}

int
estimate_stacks(const struct stack_estimate *s)
{
	struct walk w = { .s = s, .nval = s->self->nval };
	int r;

	walk_init(&w);
	r = find_roots(&w);
	if (r == 0)
		r = find_widest(&w);
	if (r == 0)
		r = find_least(&w);
	if (r == 0) {
		find_heaviest_callers(&w);
		r = walk_all(&w);
	}
	if (r == 0)
		r = put_all(&w);
	walk_free(&w);
	return r;
}

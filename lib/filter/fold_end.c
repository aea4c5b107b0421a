/* SPDX-License-Identifier: ISC */
#include "filter/fold_end.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- sums ---- */

/* Computes the change of an event: the new cost less the old. */
static void
find_changes(struct ending *e)
{
	const struct events *events = &e->fd->part.events;
	size_t i;

	e->fold.derived = mem_alloc(events->measured + 1, sizeof *e->fold.derived);
	e->change = mem_alloc(events->measured + 1, sizeof *e->change);
	for (i = 0; i < events->measured; i++)
		e->fold.derived[i] = event_is_change(events, i, &e->change[i].old,
		    &e->change[i].new);
}

static int
fill_calls(struct ending *e)
{
	struct fold *fd = e->fd;
	size_t i;

	for (i = 0; i < fd->calls.n; i++) {
		const uint64_t *key = sums_key(&fd->calls, i);
		uint32_t from = e->fold.whole[fold_caller_of(e, i)];

		if (fold_call_stays(e, i))
			continue;
		if (from == CONTRACT_NONE)
			from = e->source_of[key[CALL_FROM]];
		if (contract_call(&e->fold, from, fold_node_of(e, key[CALL_TO]),
		    e->arrival_of[key[CALL_AT]], sums_val(&fd->calls, i)) < 0)
			return -1;
	}
	return 0;
}

static int
fill(struct ending *e)
{
	struct fold *fd = e->fd;
	struct contraction *f = &e->fold;
	size_t i;

	f->nval = fold_events(fd);
	contract_begin(f);
	for (i = 0; i < fd->self.n; i++) {
		uint32_t whole = f->whole[fold_node_of(e, *sums_key(&fd->self, i))];

		if (whole != CONTRACT_NONE &&
		    contract_self(f, whole, sums_val(&fd->self, i)) < 0)
			return -1;
	}
	return fill_calls(e);
}

/* ---- the end of a part ---- */

/* Adds costs of a folded function to its excess over the calls into it.  A sum that does
 * not fit counts as an excess. */
static void
add_over(struct ending *e, num *over, uint32_t node, const num *costs, bool more)
{
	size_t i;

	for (i = 0; i < fold_events(e->fd) && e->fold.folded[node]; i++)
		if (costs[i] != NUM_ABSENT && !e->fold.derived[i] && (more ?
		    num_add(&over[i], costs[i]) : num_sub(&over[i], costs[i])) < 0)
			e->rooted[node] = true;
}

/* Finds the functions with an excess.  Each activation costs the sum of its function and
 * the calls from it, so an excess over all calls into a function is of activations that
 * nobody called. */
static void
find_rooted(struct ending *e)
{
	const struct fold *fd = e->fd;
	const size_t nval = fold_events(fd);
	num *over = mem_alloc(e->fold.nnodes * nval + 1, sizeof *over);
	size_t i;

	e->rooted = mem_alloc(e->fold.nnodes + 1, sizeof *e->rooted);
	for (i = 0; i < fd->self.n; i++) {
		const uint32_t node = fold_node_of(e, *sums_key(&fd->self, i));

		add_over(e, over + node * nval, node, sums_val(&fd->self, i), true);
	}
	for (i = 0; i < fd->calls.n; i++) {
		const uint32_t from = fold_caller_of(e, i);
		const uint32_t to = fold_node_of(e, sums_key(&fd->calls, i)[CALL_TO]);

		add_over(e, over + from * nval, from, sums_val(&fd->calls, i) + 1, true);
		add_over(e, over + to * nval, to, sums_val(&fd->calls, i) + 1, false);
	}
	for (i = 0; i < e->fold.nnodes * nval; i++)
		e->rooted[i / nval] |= over[i] > 0;
	free(over);
}

/* Records and counts the functions of this part whose cost was shared among several, or
 * does not belong entirely to their callers. */
static int
tell_shared(struct ending *e)
{
	bool any = false;
	size_t i;

	for (i = 0; i < e->fold.nnodes; i++)
		if (e->fold.shared[i] || e->rooted[i]) {
			fold_count(e->fd, e->node[i].bare, e->fold.shared[i] ?
			    FOLD_SHARED : FOLD_ROOTED);
			any = true;
		}
	return any ? meta_put(e->fd->sink.next, "estimate",
	    TEXT("fold, by the inclusive cost of calls")) : 0;
}

static int
fold_part(struct ending *e)
{
	fold_plan(e);
	fold_find_sources(e);
	fold_find_arrivals(e);
	find_changes(e);
	find_rooted(e);
	if (fill(e) < 0 || contract_run(&e->fold) < 0)
		return e->fold.refused ? diag_fail_plain(e->fd->diag, "folding would "
		    "create many times more calls than were read: fold less") :
		    fold_overflow(e->fd);
	return tell_shared(e) < 0 ? -1 : fold_put_result(e);
}

static void
ending_free(struct ending *e)
{
	contract_free(&e->fold);
	free(e->node);
	free(e->node_of);
	free(e->source);
	free(e->source_of);
	free(e->arrival);
	free(e->arrival_of);
	free(e->rooted);
	free(e->change);
}

int
fold_end(struct fold *fd)
{
	struct ending e = { .fd = fd };
	int ret = fold_part(&e);

	ending_free(&e);
	return ret;
}

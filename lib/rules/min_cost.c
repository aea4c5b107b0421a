/* SPDX-License-Identifier: ISC */
/*
 * min-share and min-cost: what a function costs in total is known when everything has
 * been read, so the stream is held back and then read again.
 */
#include "rules/state.h"

#include <stdlib.h>

#include "stream/spool.h"
#include "sum/rank.h"
#include "util/mem.h"

struct min_cost_filter {
	struct sink sink;
	const struct rules *rules;
	struct dict *dict;
	struct diag *diag;
	struct rank rank;
	struct text want;	/* the event, which is all that is summed */
	struct sink *sums;	/* of the rank, which frees it */
	struct spool *spool;
	num *coef;		/* of the event, by the rank's sums */
	num *old;		/* the same for the old side of a change */
	bool has_old;		/* the event is a change */
	unsigned char *stays;	/* by function + 1, without attributes */
	size_t capstays;
};

/* ---- what stays ---- */

/* Finds the event's sums; for a change, those of both sides.  0, or -1 with the diag
 * set. */
static int
find_event(struct min_cost_filter *f)
{
	const struct rank *r = &f->rank;
	const char *event = f->rules->min_cost.event;
	size_t i;
	num n;

	f->coef = mem_alloc(r->nslots + 1, sizeof *f->coef);
	f->old = mem_alloc(r->nslots + 1, sizeof *f->old);
	if (!r->events.measured)
		return 0;
	if (!event)
		f->coef[0] = 1;
	else if (rank_resolve(r, text_of(event), f->coef) != 1)
		return diag_fail_plain(f->diag, "%s: no event %s%s", f->rules->path,
		    diag_quote(event, strlen(event)),
		    events_suggest(&r->events, text_of(event)));
	for (i = 0; i < r->ndelta; i++) {
		if (!(n = f->coef[r->delta[i].change]))
			continue;
		f->coef[r->delta[i].change] = 0;
		f->coef[r->delta[i].new] = f->old[r->delta[i].old] = n;
		f->has_old = true;
	}
	return 0;
}

static int
add_up(const struct min_cost_filter *f, const num *coef, const num *sum, num *out)
{
	size_t i;
	num v;

	*out = 0;
	for (i = 0; i < f->rank.nslots; i++)
		if (coef[i] && (num_mul(coef[i], sum[i], &v) < 0 || num_add(out, v) < 0))
			return diag_fail_plain(f->diag, "a cost does not fit 128 bits");
	return 0;
}

/* Sets *enough if there is no such threshold, or one of the sides reaches it. */
static int
has(const struct min_cost_filter *f, struct threshold a, const num *sum, bool *enough)
{
	const num *side[] = { f->coef, f->old };
	num v, of;
	int i;

	*enough = a.n < 0;
	for (i = 0; i < (f->has_old ? 2 : 1); i++) {
		if (add_up(f, side[i], sum, &v) < 0 ||
		    add_up(f, side[i], f->rank.total, &of) < 0)
			return -1;
		*enough |= threshold_cmp(v, a, of) >= 0;
	}
	return 0;
}

static int
decide(struct min_cost_filter *f)
{
	const struct rank *r = &f->rank;
	const struct min_cost *l = &f->rules->min_cost;
	size_t row, i;

	for (row = 0; row < r->rows.n; row++) {
		const num *self = sums_val(&r->rows, row);
		uint64_t func = *sums_key(&r->rows, row);
		bool by_self, by_incl;

		/* Without calls, self cost is all there is. */
		if (has(f, l->self, self, &by_self) < 0 || has(f, l->incl,
		    r->incl_known ? r->incl + row * r->rows.nval : self, &by_incl) < 0)
			return -1;
		i = func == NO_ID ? 0 : func + 1;
		f->stays = mem_reach(f->stays, &f->capstays, i, 1, 0);
		f->stays[i] = by_self && by_incl;
	}
	return 0;
}

static bool
drops(void *arg, uint32_t func)
{
	struct min_cost_filter *f = arg;
	bool fresh;
	uint64_t bare = dict_func_bare(f->dict, func, &fresh);
	size_t i = bare == NO_ID ? 0 : bare + 1;

	return i >= f->capstays || !f->stays[i];
}

/* ---- records ---- */

static int
finish(struct min_cost_filter *f)
{
	struct sink *view;
	int ret = -1;

	if (rank_finish(&f->rank) < 0 || find_event(f) < 0 || decide(f) < 0)
		return -1;
	view = view_dropping(drops, f, f->dict, f->diag);
	view->next = f->sink.next;
	ret = spool_replay(f->spool, view);
	view->free(view);
	return ret;
}

/* What a declared record costs is unknown. */
static int
min_cost_put(struct sink *s, const struct record *r)
{
	struct min_cost_filter *f = (struct min_cost_filter *)s;
	enum rec_kind kind = rec_kind(r);

	if ((kind != REC_DECLARED && sink_put(f->sums, r) < 0) ||
	    sink_put(spool_sink(f->spool), r) < 0)
		return -1;
	return kind == REC_END ? finish(f) : 0;
}

static void
min_cost_free(struct sink *s)
{
	struct min_cost_filter *f = (struct min_cost_filter *)s;

	rank_free(&f->rank);
	spool_free(f->spool);
	free(f->coef);
	free(f->old);
	free(f->stays);
	free(f);
}

struct sink *
rules_min_cost(const struct rules *r, struct dict *dict, struct schema *schema,
    struct diag *d)
{
	struct min_cost_filter *f = mem_alloc(1, sizeof *f);

	f->sink = (struct sink){ .put = min_cost_put, .free = min_cost_free };
	f->rules = r;
	f->dict = dict;
	f->diag = d;
	f->want = text_of(r->min_cost.event);
	f->rank = (struct rank){ .dict = dict, .diag = d,
	    .group_by = { BY_FUNCTION }, .ngroup_by = 1,
	    .want = &f->want, .nwant = r->min_cost.event != NULL };
	f->sums = rank_sink(&f->rank);
	f->spool = spool_new(dict, schema, d);
	return &f->sink;
}

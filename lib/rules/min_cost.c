/* SPDX-License-Identifier: ISC */
/*
 * min-share and min-cost: a function's total cost is only known when everything was read,
 * so the stream is held back and then read again.
 */
#include "rules/state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "filter/filter.h"
#include "stream/spool.h"
#include "sum/rank.h"
#include "util/mem.h"

struct min_cost_filter {
	struct sink sink;
	const struct rules *rules;
	struct dict *dict;
	struct diag *diag;
	struct text want;	/* the event, the only one that is summed */
	struct rank_request request;
	struct ranker *ranker;
	struct pipeline sums;	/* up to the sum */
	const struct rank *rank;	/* set when everything was read */
	struct spool *spool;
	struct terms cost;	/* of the event; of a change, its new side */
	struct terms old;	/* of a change: its old side */
	uint64_t per;		/* values per unit of the event */
	unsigned char *verdict;	/* by function + 1, without attributes; 0: it has no row */
	size_t capverdict;
	bool others_stay;	/* do functions without a row stay? */
	uint64_t unsure;	/* number of functions that stay because they may cost
				 * enough */
};

/* ---- functions that stay ---- */

enum { DROPPED = 1, STAYS };

/* Finds the event's sums; for a change, those of both sides.  0, or -1 with the diag
 * set. */
static int
find_event(struct min_cost_filter *f)
{
	const struct rank *r = f->rank;
	const struct text event = f->want.s ? f->want : rank_default(&f->request, r);
	const struct rank_delta *change;
	struct record *sum;
	size_t i;

	if (!r->events.measured)
		return 0;
	if (rank_resolve(r, event, (struct text){ 0 }, &f->cost) != 1)
		return diag_fail_plain(f->diag, "%s: no event %s%s", f->rules->path,
		    QUOTE(event), events_suggest(&r->events, event));
	sum = rank_event(r, event);
	f->per = sum ? event_scale(sum) : 1;
	free(sum);
	for (i = 0; i < f->cost.n; i++) {
		struct term *t = &f->cost.v[i];

		change = rank_delta_of(r, (long)t->slot);
		if (!change || change->change != t->slot)
			continue;
		terms_add(&f->old, change->old, t->coef);
		t->slot = change->new;
	}
	return 0;
}

/* Sets *enough if this threshold is not set, or one of the sides reaches it. */
static int
has(const struct min_cost_filter *f, struct threshold a, const num *sum, bool *enough)
{
	const struct terms *side[] = { &f->cost, &f->old };
	num v, of;
	int i;

	*enough = a.n < 0;
	for (i = 0; i < (f->old.n ? 2 : 1); i++) {
		if (terms_sum(side[i], sum, &v) < 0 || terms_sum(side[i], f->rank->whole, &of) < 0)
			return diag_fail_plain(f->diag, "a cost does not fit 128 bits");
		*enough |= threshold_cmp(v, threshold_of_parts(a, f->per), of) >= 0;
	}
	return 0;
}

/* Sets *stays for a function with these sums; upper: upper bounds of the inclusive ones. */
static int
decide(struct min_cost_filter *f, const num *self, const num *incl, const num *upper, bool *stays)
{
	const struct min_cost *l = &f->rules->min_cost;
	bool by_self, by_incl, may;

	if (has(f, l->self, self, &by_self) < 0 || has(f, l->incl, incl, &by_incl) < 0 ||
	    has(f, l->incl, upper, &may) < 0)
		return -1;
	f->unsure += by_self && may && !by_incl;
	*stays = by_self && (by_incl || may);
	return 0;
}

static int
decide_all(struct min_cost_filter *f)
{
	const struct rank *r = f->rank;
	num *zero = mem_alloc(r->nslots + 1, sizeof *zero);
	size_t row, i;
	bool stays;
	int ret;

	ret = decide(f, zero, zero, zero, &f->others_stay);
	free(zero);
	if (ret < 0)
		return -1;
	for (row = 0; row < r->rows.n; row++) {
		const num *self = sums_val(&r->rows, row);
		/* Without calls, self cost is the total cost. */
		const num *incl = r->incl_known ? r->incl + row * r->rows.nval : self;
		const num *upper = r->upper ? r->upper + row * r->rows.nval : incl;
		uint64_t func = *sums_key(&r->rows, row);

		if (decide(f, self, incl, upper, &stays) < 0)
			return -1;
		i = func == NO_ID ? 0 : func + 1;
		f->verdict = mem_reach(f->verdict, &f->capverdict, i, 1, 0);
		f->verdict[i] = stays ? STAYS : DROPPED;
	}
	return 0;
}

static void
tell(const struct min_cost_filter *f)
{
	const bool one = f->unsure == 1;

	if (f->unsure)
		diag_say(f->diag, DIAG_NOTE, "%s: %" PRIu64 " function%s in recursive "
		    "cycles %s: only a lower bound of %s cost is known, and it may be enough",
		    f->rules->path, f->unsure, one ? "" : "s", one ? "stays" : "stay",
		    one ? "its" : "their");
}

static bool
drops(void *arg, uint32_t func)
{
	struct min_cost_filter *f = arg;
	bool fresh;
	uint64_t bare = dict_func_bare(f->dict, func, &fresh);
	size_t i = bare == NO_ID ? 0 : bare + 1;
	const unsigned char v = i < f->capverdict ? f->verdict[i] : 0;

	return v ? v == DROPPED : !f->others_stay;
}

/* ---- records ---- */

static int
finish(struct min_cost_filter *f)
{
	struct sink *filter;
	int ret = -1;

	if (!(f->rank = ranker_finish(f->ranker)) || find_event(f) < 0 || decide_all(f) < 0)
		return -1;
	tell(f);
	filter = rules_filter_dropping(drops, f, f->dict, f->diag);
	filter->next = f->sink.next;
	ret = spool_replay(f->spool, filter);
	filter->free(filter);
	return ret;
}

/* The cost of a declared record is unknown. */
static int
min_cost_put(struct sink *s, const struct record *r)
{
	struct min_cost_filter *f = (struct min_cost_filter *)s;
	enum rec_kind kind = rec_kind(r);

	if ((kind != REC_DECLARED && sink_put(f->sums.first, r) < 0) ||
	    sink_put(spool_sink(f->spool), r) < 0)
		return -1;
	return kind == REC_END ? finish(f) : 0;
}

static void
min_cost_free(struct sink *s)
{
	struct min_cost_filter *f = (struct min_cost_filter *)s;

	pipeline_free(&f->sums);
	ranker_free(f->ranker);
	spool_free(f->spool);
	terms_free(&f->cost);
	terms_free(&f->old);
	free(f->verdict);
	free(f);
}

static struct sink *
min_cost_new(const struct rules *r, struct dict *dict, struct schema *schema,
    struct diag *d)
{
	struct min_cost_filter *f = mem_alloc(1, sizeof *f);

	f->sink = (struct sink){ .put = min_cost_put, .free = min_cost_free };
	f->rules = r;
	f->dict = dict;
	f->diag = d;
	f->want = text_of(r->min_cost.event);
	f->request = (struct rank_request){ .dict = dict, .diag = d,
	    .group_by = { BY_FUNCTION }, .ngroup_by = 1, .bounds = true,
	    .want = &f->want, .nwant = r->min_cost.event != NULL };
	f->ranker = ranker_new(&f->request);
	pipeline_add(&f->sums, filter_default_event(&f->request.event, dict));
	pipeline_add(&f->sums, ranker_sink(f->ranker));
	f->spool = spool_new(dict, schema, d);
	return &f->sink;
}

void
rules_add_min_cost(const struct rules *r, struct pipeline *p, struct dict *dict,
    struct schema *schema, struct diag *d)
{
	if (r->has_min_cost)
		pipeline_add(p, min_cost_new(r, dict, schema, d));
}

/* SPDX-License-Identifier: ISC */
/* Reads the records of a report. */
#include "report/report.h"

#include "filter/filter.h"
#include "stream/thread_frame.h"

/* The least costs that the tree follows, in millionths of a percent; small changes matter. */
#define LEAST_COST 500000
#define LEAST_CHANGE 10000

/* All sums have the same default event, which is known before the first part. */
static void
set_default(struct report *r)
{
	r->functions.request.event = r->places.request.event = r->tree_request.usual = r->usual;
}

static int
report_put(struct sink *s, const struct record *record)
{
	struct report *r = (struct report *)((char *)s - offsetof(struct report, sink));

	if (rec_kind(record) == REC_PART)
		set_default(r);
	if (sink_put(info_sink(r->info), record) < 0 ||
	    sink_put(ranker_sink(r->functions.ranker), record) < 0 ||
	    sink_put(ranker_sink(r->places.ranker), record) < 0)
		return -1;
	return sink_put(r->tree_line.first, record);
}

static void
init_ranking(struct report *r, struct report_ranking *k, const enum group_by *by, size_t nby)
{
	k->request = (struct rank_request){ .dict = r->dict, .diag = r->diag,
	    .want = &r->event, .nwant = r->event.s != NULL, .all_events = true,
	    .ngroup_by = nby, .extra = r->extra };
	memcpy(k->request.group_by, by, nby * sizeof *by);
	k->ranker = ranker_new(&k->request);
}

void
report_init(struct report *r)
{
	r->sink = (struct sink){ .put = report_put };
	r->info = info_new(r->dict, r->diag);
	init_ranking(r, &r->functions, (enum group_by[]){ BY_FUNCTION }, 1);
	init_ranking(r, &r->places, (enum group_by[]){ BY_FUNCTION, BY_FILE, BY_LINE }, 3);
	r->tree_request = (struct tree_request){ .dict = r->dict, .diag = r->diag,
	    .event = r->event, .root = ROOT_OF_FORMAT,
	    .min = { r->before ? LEAST_CHANGE : LEAST_COST, true } };
	r->builder = tree_builder_new(&r->tree_request);
	pipeline_add(&r->tree_line, filter_flatten(FLATTEN_POINTS, NULL, r->dict, &r->loss,
	    r->diag));
	pipeline_add(&r->tree_line, tree_builder_sink(r->builder));
}

void
report_free(struct report *r)
{
	pipeline_free(&r->tree_line);
	loss_free(&r->loss);
	tree_builder_free(r->builder);
	significance_free(r->significance);
	ranker_free(r->functions.ranker);
	ranker_free(r->places.ranker);
	info_free(r->info);
}

static bool
has_paths(const struct rank *r)
{
	return r->incl_known && r->edges.n;
}

int
report_finish(struct report *r)
{
	if (!(r->functions.rank = ranker_finish(r->functions.ranker)) ||
	    !(r->places.rank = ranker_finish(r->places.ranker)))
		return -1;
	if (r->extra && r->extra->n && !(r->significance =
	    significance_new(r->functions.rank, r->fdr, r->diag)))
		return -1;
	if (r->gate) {
		r->gate->significance = r->significance;
		if (gate_check(r->gate, &r->functions.request, r->functions.rank, r->diag) < 0)
			return -1;
	}
	if (has_paths(r->functions.rank) && !(r->tree = tree_builder_finish(r->builder)))
		return -1;
	return 0;
}

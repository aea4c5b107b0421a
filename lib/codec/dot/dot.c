/* SPDX-License-Identifier: ISC */
#include "dot.h"

#include <stdlib.h>

#include "stream/codec.h"
#include "util/mem.h"

/* gprof2dot's shares, and as many functions as are readable on a page. */
static const struct dot_limits defaults = {
	.nodes = 60,
	.node = { .n = 500000, .percent = true },
	.edge = { .n = 100000, .percent = true },
};

struct drawer {
	struct sink sink;
	struct encode e;
	struct rank_request request;
	struct ranker *ranker;
};

/* ---- losses ---- */

/* Is this metadata used by a ranking, all of it? */
static bool
is_used(const struct record *meta)
{
	static const char *const used[] = { "cmd", "filter", "diff", "skipped", "runs",
	    "recursion", "calls", "format", "positions" };
	size_t i;

	for (i = 0; i < sizeof used / sizeof *used && !meta_is(meta, used[i]); i++)
		;
	return i < sizeof used / sizeof *used &&
	    (!meta_has_several(meta) || meta_is(meta, "diff"));
}

static bool
has_place(const struct record *r)
{
	return r->col[PLACE_LINE].has || r->col[PLACE_ADDR].has;
}

static void
lose(struct drawer *w, const struct record *r)
{
	struct loss *l = w->e.loss;

	switch (rec_kind(r)) {
	case REC_PART:
		if (ranker_heading(w->ranker)->parts)
			loss_add(l, "which part a cost belongs to");
		break;
	case REC_META:
		if (!is_used(r))
			loss_add(l, "metadata");
		break;
	case REC_FUNC:
		if (r->col[1 + FUNC_KEY].t.s || r->attrs.s)
			loss_add(l, "keys and attributes of functions");
		break;
	case REC_OBJECT:
		if (r->col[1 + OBJECT_KEY].t.s || r->attrs.s)
			loss_add(l, "keys and attributes of objects");
		break;
	case REC_COST: case REC_CALL:
		if (has_place(r))
			loss_add(l, "lines, addresses and counters");
		break;
	case REC_SAMPLE:
		loss_add(l, "stacks of samples");
		if (r->attrs.s)
			loss_add(l, "labels of samples");
		break;
	case REC_POINT:
		loss_add(l, "sizes of inputs, and what points count");
		break;
	default:
		break;
	}
}

/* Reports all measured events as dropped, except the one that is drawn, and the sides of a
 * change. */
static void
lose_events(struct drawer *w, const struct rank *r)
{
	size_t i;

	for (i = 0; i < r->events.measured; i++)
		if (r->slot[i] < 0)
			loss_add(w->e.loss, "further events");
}

/* ---- the sink ---- */

static int
draw(struct drawer *w)
{
	const struct rank *r = ranker_finish(w->ranker);
	struct text first = { 0 };
	const struct view v = { .show = &first, .nshow = r && r->events.measured, .most = 1,
	    .scaled = true };
	struct table t = { .v = &v, .q = &w->request, .r = r,
	    .h = ranker_heading(w->ranker) };
	struct drawing d;
	int ret;

	if (!r)
		return -1;
	if (v.nshow)
		first = rank_default(&w->request, r);
	if ((ret = table_choose(&t)) == 0) {
		table_tell_absent(&t);
		lose_events(w, r);
		d = drawing_make(&t, w->e.options);
		dot_write(&d, w->e.out, w->e.loss);
		drawing_free(&d);
	}
	table_free(&t);
	return ret;
}

static int
dot_put(struct sink *s, const struct record *r)
{
	struct drawer *w = (struct drawer *)s;

	if (rec_kind(r) == REC_DECLARED)	/* dropped (unsupported.c) */
		return 0;
	w->request.event = *w->e.event;
	if (sink_put(ranker_sink(w->ranker), r) < 0 ||
	    (rec_kind(r) == REC_END && draw(w) < 0))
		return -1;
	lose(w, r);		/* a part is counted when the next one begins */
	return w->e.out->error ? out_check(w->e.out) : 0;
}

static void
dot_free(struct sink *s)
{
	struct drawer *w = (struct drawer *)s;

	ranker_free(w->ranker);
	free(w);
}

static struct sink *
dot_encode(const struct encode *e)
{
	struct drawer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = dot_put, .free = dot_free };
	w->e = *e;
	w->request = (struct rank_request){ .dict = e->dict, .diag = e->diag,
	    .group_by = { BY_FUNCTION }, .ngroup_by = 1 };
	w->ranker = ranker_new(&w->request);
	return &w->sink;
}

static const struct opt options[] = {
	{ "nodes", 0, OPT_COUNT, "N", OPT_AT(struct dot_limits, nodes),
	    "draw at most N functions, 0 for all", NULL },
	{ "min-node", 0, OPT_SHARE, "SHARE", OPT_AT(struct dot_limits, node),
	    "omit functions below this share", NULL },
	{ "min-edge", 0, OPT_SHARE, "SHARE", OPT_AT(struct dot_limits, edge),
	    "omit calls below this share", NULL },
	OPT_END
};

static const struct opt_group group = OPT_GROUP(options, defaults);

const struct codec codec_dot = {
	.name = "dot", .alias = "graphviz",
	.summary = "The call graph, as Graphviz draws it",
	.synonyms = "gv, callgraph, graph",
	.encode = dot_encode,
	.options = &group,
	.supports = {
		[FEATURE_LINES] = SUPPORT_JOINED, [FEATURE_ADDRS] = SUPPORT_JOINED,
		[FEATURE_COUNTERS] = SUPPORT_JOINED,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_YES,
		[FEATURE_OBJECTS] = SUPPORT_YES, [FEATURE_CALLS] = SUPPORT_YES,
		[FEATURE_INCLUSIVE] = SUPPORT_YES, [FEATURE_CONTEXTS] = SUPPORT_JOINED,
		[FEATURE_SAMPLES] = SUPPORT_JOINED, [FEATURE_POINTS] = SUPPORT_JOINED,
		[FEATURE_PARTS] = SUPPORT_JOINED, [FEATURE_EVENTS] = SUPPORT_SOME,
		[FEATURE_UNITS] = SUPPORT_SOME, [FEATURE_FACTS] = SUPPORT_SOME,
		[FEATURE_TOTAL] = SUPPORT_YES, [FEATURE_END] = SUPPORT_YES,
	},
	.shows_default = true,
	.needs = "costs or calls",
	.scales = true,
	.purpose = PURPOSE_PICTURE,
};

/* SPDX-License-Identifier: ISC */
/* A CPU profile as events, contexts and samples. */
#include "v8.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/units.h"
#include "graph/apportion.h"
#include "util/mem.h"

/* ---- the cost of each node ---- */

/* Fails with an error at the place where a node is first named: -1. */
#define NODE_FAIL(v, n, ...) \
	(document_place_offset((v)->doc, (n)->at), diag_fail((v)->doc->d->diag, __VA_ARGS__))

/* V8 defines a node before it refers to it.  A node without definition is in a missing
 * piece of the file, and has neither name nor caller; it is an error unless it has no
 * samples. */
static int
check_nodes(struct v8 *v)
{
	const struct js_function unknown = { .nameless = true };
	size_t i, n = 0, first = 0;
	struct buf others = { 0 };
	int ret;

	for (i = 0; i < v->ids.n; i++) {
		if (v->node[i].defined || !v->node[i].used)
			continue;
		v->node[i].start = js_functions_add(&v->starts, v->doc->d->dict, &unknown);
		first = n++ ? first : i;
	}
	if (!n)
		return 0;
	document_place_offset(v->doc, v->node[first].at);
	if (n > 1)
		buf_printf(&others, ", nor %s %zu other%s", n > 2 ? "are" : "is", n - 1,
		    n > 2 ? "s" : "");
	ret = decode_cut(v->doc->d, "node %" PRIu64 " is not defined%s: a part of the "
	    "profile is missing", *sums_key(&v->ids, first), buf_str(&others));
	buf_free(&others);
	return ret;
}

/* Charges a sample with the time from `latest` to `at`, if that is later. */
static int
charge(struct v8 *v, size_t sample, num at, num *latest)
{
	num lasts = at;

	if (at <= *latest)
		return 0;
	if (num_sub(&lasts, *latest) < 0 ||
	    num_add(&v->node[v->sample[sample]].time, lasts) < 0)
		return -1;
	*latest = at;
	return 0;
}

/* Does the end count?  Differences start at the beginning of the profile; without that, the
 * distance of its end is not known. */
static bool
end_counts(const struct v8 *v)
{
	return v->has_end && (v->absolute || v->has_begin);
}

/* Charges all samples.  A sample lasts until the next one, the last one until the end.
 * Samples of V8 may be out of order, with a negative difference: then no time passes until
 * the latest time so far is reached again, and the sum stays the same.  -1: a sum does not
 * fit. */
static int
charge_each(struct v8 *v)
{
	num at = v->absolute ? 0 : v->begin, latest = 0;
	size_t i;

	for (i = 0; i < v->nsamples; i++) {
		if (v->absolute)
			at = v->delta[i];
		else if (num_add(&at, v->delta[i]) < 0)
			return -1;
		v->backwards += i && at < latest;
		if (!i)
			latest = at;
		else if (charge(v, i - 1, at, &latest) < 0)
			return -1;
	}
	return i && end_counts(v) ? charge(v, i - 1, v->end, &latest) : 0;
}

static int
charge_times(struct v8 *v)
{
	/* The old form may have an additional time, of its end; the member for that is in
	 * seconds. */
	if (v->absolute && v->ndeltas == v->nsamples + 1) {
		v->end = v->delta[--v->ndeltas];
		v->has_end = true;
	}
	if (v->ndeltas != v->nsamples)
		return diag_fail(v->doc->d->diag, "%zu samples, but %zu times of samples",
		    v->nsamples, v->ndeltas);
	if (v->nsamples && v->has_end && !end_counts(v))
		diag_say(v->doc->d->diag, DIAG_WARN, "a profile has 'endTime' but no "
		    "'startTime': the duration of its last sample is unknown, and not "
		    "counted");
	return charge_each(v) < 0 ?
	    diag_too_large(v->doc->d->diag, "a time") : 0;
}

/* Marks the nodes that have samples, and the nodes above these. */
static void
use_nodes(struct v8 *v)
{
	size_t i;
	uint32_t k;

	for (i = 0; i < v->ids.n; i++) {
		if (!v->node[i].samples && !v->node[i].time && !v->node[i].hits)
			continue;
		for (k = (uint32_t)i; k != NO_ID && !v->node[k].used; k = v->node[k].parent)
			v->node[k].used = true;
	}
}

int
v8_finish(struct v8 *v)
{
	size_t i;

	for (i = 0; i < v->nsamples; i++)
		v->node[v->sample[i]].samples++;
	if (v->ndeltas && charge_times(v) < 0)
		return -1;
	/* Hits are the number of samples, except in files of our own that say otherwise. */
	for (i = 0; i < v->ids.n; i++)
		if (!v->nsamples || v->own.hits.s)
			v->node[i].samples = v->node[i].hits;
		else
			v->node[i].hits = 0;
	use_nodes(v);
	if (check_nodes(v) < 0)
		return -1;
	for (i = 0; i < v->ids.n; i++)
		if (v->node[i].used)
			js_functions_use(&v->starts, v->node[i].start);
	return 0;
}

/* ---- events ---- */

/* Returns how many nanoseconds a unit is.  One other than time was written as if it were
 * microseconds. */
static num
nanoseconds(struct text unit)
{
	const uint64_t ns = unit_nanoseconds(unit);

	return ns ? ns : 1000;
}

static bool
is_whole(const struct v8 *v, num ns)
{
	size_t i;

	for (i = 0; i < v->ids.n; i++)
		if (v->node[i].time % ns)
			return false;
	return true;
}

/* Puts the events. *ns: nanoseconds per value of the first event; 0: there are no times. */
static int
put_events(struct v8 *v, num *ns, bool *hits)
{
	uint64_t n = 0;

	*ns = v->own.time.s ? nanoseconds(v->own.unit) : 1000;
	*hits = !v->own.time.s || v->own.hits.s;
	if (!v->ndeltas) {
		*ns = 0;
		*hits = true;
		return DECODE_EVENT(v->doc->d, 0, .name = TEXT("samples"));
	}
	if (!is_whole(v, *ns)) {
		*ns = 1;
		v->own.unit = TEXT("ns");
	} else if (!v->own.time.s) {
		v->own.unit = TEXT("us");
	}
	return DECODE_EVENT(v->doc->d, n++, .name = v->own.time.s ? v->own.time : TEXT("time"),
	    .unit = v->own.unit) < 0 || (*hits && DECODE_EVENT(v->doc->d, n,
	    .name = v->own.hits.s ? v->own.hits : TEXT("samples")) < 0) ? -1 : 0;
}

/* ---- contexts ---- */

static int
put_context(struct v8 *v, struct v8_node *n)
{
	struct ctx_def c = NO_CTX;

	n->put = true;
	if (n->parent != NO_ID)
		c.parent = v->node[n->parent].ctx;
	else if (n->named_root)
		return 0;	/* its children are the stacks */
	return js_functions_put(&v->starts, v->doc->d, n->start, &c.func) < 0 ? -1 :
	    decode_ctx(v->doc->d, &c, &n->ctx);
}

/* Puts the contexts of a node and of the nodes above it, unless they have one, the
 * outermost first; `path` has these nodes. */
static int
put_path(struct v8 *v, uint32_t node, uint32_t *path)
{
	size_t n = 0;

	for (; node != NO_ID && !v->node[node].put; node = v->node[node].parent) {
		if (n == v->ids.n)
			return NODE_FAIL(v, &v->node[node], "a node that is below itself");
		path[n++] = node;
	}
	while (n--)
		if (put_context(v, &v->node[path[n]]) < 0)
			return -1;
	return 0;
}

/* ---- samples ---- */

/* The values of samples. */
struct values {
	num ns;			/* per value of the time; 0: there are no times */
	bool hits;
};

static int
put_values(struct v8 *v, uint64_t ctx, const struct values *has, num time, num hits)
{
	struct record r = rec_make(REC_SAMPLE);
	char tmp[2 * NUM_TEXT], *p = tmp;

	if (!(has->ns && time) && !(has->hits && hits))
		return 0;
	r.col[0].n = ctx;
	if (has->ns)
		p = num_put_num(p, time);
	if (has->ns && has->hits)
		*p++ = '\t';
	if (has->hits)
		p = num_put_num(p, hits);
	r.values = (struct text){ tmp, (size_t)(p - tmp) };
	return sink_put(v->doc->d->out, &r);
}

/* Defines the context of a node at a line of its function. */
static int
put_line(struct v8 *v, const struct v8_node *n, uint64_t line, uint32_t *ctx)
{
	uint32_t cols[DEF_COLS];
	char tmp[NUM_TEXT];

	dict_cols(v->doc->d->dict, REC_CTX, n->ctx, cols);
	cols[CTX_FILE] = dict_def(v->doc->d->dict, REC_FUNC, cols[CTX_FUNC])[FUNC_FILE];
	cols[CTX_LINE] = dict_str(v->doc->d->dict, (struct text){ tmp,
	    (size_t)(num_put_num(tmp, (num)line) - tmp) });
	return dict_put(v->doc->d->dict, v->doc->d->out, REC_CTX, cols, ctx);
}

/* Puts a node's samples at each of its lines, and at none.  Lines have counts but no times,
 * so the time is divided in proportion to the counts. */
static int
put_lines(struct v8 *v, struct v8_node *n, const struct values *has)
{
	struct apportion share = { 0 };
	num *weight, *time, *hits, all = 0;
	size_t i, at, lines = 0;
	uint32_t ctx = n->ctx;
	int ret = 0;

	for (at = n->tick; at; at = v->tick[at - 1].next)
		lines++;
	weight = mem_alloc(3 * (lines + 1), sizeof *weight);
	time = weight + lines + 1;
	hits = time + lines + 1;
	for (at = n->tick, i = 0; at && ret == 0; at = v->tick[at - 1].next)
		ret = num_add(&all, weight[i++] = v->tick[at - 1].n);
	if (ret < 0) {
		free(weight);
		return NODE_FAIL(v, n, "a sum that does not fit 128 bits");
	}
	weight[lines] = n->samples > all ? n->samples - all : 0;
	all += weight[lines];
	apportion(&share, has->ns ? n->time / has->ns : 0, weight, all, lines + 1, time);
	apportion(&share, n->samples, weight, all, lines + 1, hits);
	for (at = n->tick, i = 0; i <= lines && ret == 0; i++) {
		ctx = n->ctx;
		if (at && (ret = put_line(v, n, v->tick[at - 1].line, &ctx)) == 0)
			at = v->tick[at - 1].next;
		if (ret == 0)
			ret = put_values(v, ctx, has, time[i], hits[i]);
	}
	v->shared |= lines > 1 && has->ns;
	apportion_free(&share);
	free(weight);
	return ret;
}

/* Puts the sample of a node, if it has one and was not put. */
static int
put_sample(struct v8 *v, uint32_t node, const struct values *has, uint32_t *path)
{
	struct v8_node *n = &v->node[node];

	if (n->sampled || (!(has->ns && n->time) && !(has->hits && n->samples)))
		return 0;
	n->sampled = true;
	if (put_path(v, node, path) < 0)
		return -1;
	return n->tick && n->ctx != NO_ID ? put_lines(v, n, has) :
	    put_values(v, n->ctx, has, has->ns ? n->time / has->ns : 0, n->samples);
}

/* Puts samples in the order in which they came, then those that the file only counts. */
static int
put_samples(struct v8 *v, const struct values *has)
{
	uint32_t *path = mem_alloc(v->ids.n + 1, sizeof *path);
	size_t i;
	int ret = 0;

	for (i = 0; i < v->nsamples && ret == 0; i++)
		ret = put_sample(v, v->sample[i], has, path);
	for (i = 0; i < v->ids.n && ret == 0; i++)
		ret = put_sample(v, (uint32_t)i, has, path);
	free(path);
	return ret;
}

static void
say_losses(struct v8 *v)
{
	struct diag *diag = v->doc->d->diag;

	if (v->backwards)
		diag_say(diag, DIAG_WARN, "%" PRIu64 " sample%s earlier than the one "
		    "before: no time is counted there, and the sum of times is unchanged",
		    v->backwards, v->backwards == 1 ? " is" : "s are");
	if (v->shared)
		diag_say(diag, DIAG_NOTE, "times of lines are estimated: the function's "
		    "time, distributed by the samples at each line (positionTicks)");
	if (v->inexact)
		diag_say(diag, DIAG_WARN, "fractions of nanoseconds are rounded");
}

int
v8_put(struct v8 *v)
{
	struct values has;
	int ret = put_events(v, &has.ns, &has.hits) < 0 ? -1 : put_samples(v, &has);

	v->doc->d->at.line = 0;
	v->doc->d->at.bytes = false;
	if (ret == 0)
		say_losses(v);
	return ret;
}

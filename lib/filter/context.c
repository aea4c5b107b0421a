/* SPDX-License-Identifier: ISC */
#include "filter/context.h"

#include <stdlib.h>

#include "graph/adjacency.h"
#include "stream/spool.h"
#include "stream/sums.h"

#define FAR UINT32_MAX		/* further away than requested */

enum { BELOW, ABOVE, WAYS };
enum { FROM, TO, ENDS };

struct context {
	struct sink sink;
	struct selection *sel;
	struct selector *selector;
	struct diag *diag;
	struct spool *spool;

	/* the first pass */
	struct sums calls;	/* caller, callee: each pair once */
	struct verdicts start;	/* functions with a line whose file is selected */
	struct verdicts frame;	/* contexts of records */

	/* levels from the start, for the second pass */
	uint32_t most[WAYS];
	uint32_t *func[WAYS], *ctx[WAYS];	/* NULL for a side that is not needed */
	uint32_t nfunc, nctx;
};

/* ---- the first pass ---- */

static bool
is_body(enum rec_kind kind)
{
	return rec_is_measured(kind) || kind == REC_DECLARED;
}

/* Marks the function of a line whose file is selected as a start: inlined code has
 * another file than its function. */
static void
note_line(struct context *c, const struct record *r)
{
	if (!c->sel->invert && r->col[PLACE_FUNC].n != NO_ID &&
	    selector_file(c->selector, r->col[PLACE_FILE].n))
		*verdict(&c->start, r->col[PLACE_FUNC].n) = 1;
}

static void
note_call(struct context *c, const struct record *r)
{
	const uint64_t key[ENDS] = { r->col[PLACE_FUNC].n, r->col[CALL_CALLEE].n };

	if (key[FROM] != NO_ID && key[TO] != NO_ID)
		sums_row(&c->calls, key);
}

static void
note(struct context *c, const struct record *r)
{
	unsigned i;

	switch (rec_kind(r)) {
	case REC_CALL:
		note_call(c, r);
		/* FALLTHROUGH */
	case REC_COST: case REC_JUMP:
		note_line(c, r);
		return;
	default:
		for (i = 0; i < r->def->ncol; i++)
			if (r->def->col[i].type == COL_CTX && r->col[i].n != NO_ID)
				*verdict(&c->frame, r->col[i].n) = 1;
	}
}

/* ---- functions: a breadth-first search through the calls ---- */

static bool
is_start(struct context *c, uint32_t func)
{
	return selector_func(c->selector, func) != c->sel->invert ||
	    *verdict(&c->start, func);
}

static uint32_t *
walk_calls(struct context *c, int way)
{
	uint32_t *level = mem_alloc(c->nfunc, sizeof *level);
	uint32_t *queue = mem_alloc(c->nfunc, sizeof *queue);
	const int here = way == BELOW ? FROM : TO;
	struct adjacency a = adjacency_make(&c->calls, (size_t)here, c->nfunc, NULL, NULL);
	uint32_t f, to, k;
	size_t i, n = 0;

	for (f = 0; f < c->nfunc; f++) {
		level[f] = is_start(c, f) ? 0 : FAR;
		if (level[f] == 0)
			queue[n++] = f;
	}
	for (i = 0; i < n && level[queue[i]] < c->most[way]; i++) {
		f = queue[i];
		for (k = a.first[f]; k < a.first[f + 1]; k++) {
			to = (uint32_t)sums_key(&c->calls, a.edge[k])[!here];
			if (level[to] != FAR)
				continue;
			level[to] = level[f] + 1;
			queue[n++] = to;
		}
	}
	adjacency_free(&a);
	free(queue);
	return level;
}

/* ---- contexts: parents have smaller numbers than their children ---- */

static uint32_t
parent(const struct context *c, uint32_t ctx)
{
	return dict_caller(c->selector->dict, ctx);
}

/* Returns one level further away, unless that is too far. */
static uint32_t
step(const struct context *c, int way, uint32_t level)
{
	return level < c->most[way] ? level + 1 : FAR;
}

/* A context is a start if it is selected itself, so without -v everything below is. */
static uint32_t *
start_frames(struct context *c)
{
	uint32_t *level = mem_alloc(c->nctx, sizeof *level);
	uint32_t i;

	for (i = 0; i < c->nctx; i++)
		level[i] = *verdict(&c->frame, i) &&
		    selector_ctx(c->selector, i) != c->sel->invert ? 0 : FAR;
	return level;
}

static uint32_t *
walk_down(struct context *c)
{
	uint32_t *level = start_frames(c);
	uint32_t i, up;

	for (i = 0; i < c->nctx; i++)
		if (level[i] && (up = parent(c, i)) != NO_ID)
			level[i] = step(c, BELOW, level[up]);
	return level;
}

static uint32_t *
walk_up(struct context *c)
{
	uint32_t *level = start_frames(c);
	uint32_t i, up, l;

	for (i = c->nctx; i-- > 0;) {
		l = step(c, ABOVE, level[i]);
		if ((up = parent(c, i)) != NO_ID && l < level[up])
			level[up] = l;
	}
	return level;
}

static void
walk(struct context *c)
{
	int way;

	c->nfunc = dict_count(c->selector->dict, REC_FUNC);
	c->nctx = dict_count(c->selector->dict, REC_CTX);
	verdicts_mark_above(&c->frame, c->selector->dict);
	for (way = 0; way < WAYS; way++) {
		if (!c->most[way])
			continue;
		c->func[way] = walk_calls(c, way);
		c->ctx[way] = way == BELOW ? walk_down(c) : walk_up(c);
	}
}

/* ---- the second pass ---- */

static bool
reached(const struct context *c, int way, uint64_t func)
{
	return func < c->nfunc && c->func[way] && c->func[way][func] != FAR;
}

/* Is it added by the context?  A start itself is kept or not, as without -A, -B and -C. */
static bool
added(const uint32_t *level, uint64_t id)
{
	return level && level[id] && level[id] != FAR;
}

/* Are both ends on the same side? */
static bool
has_call(const struct context *c, const struct record *r)
{
	int way;

	for (way = 0; way < WAYS; way++)
		if (reached(c, way, r->col[PLACE_FUNC].n) &&
		    reached(c, way, r->col[CALL_CALLEE].n))
			return true;
	return false;
}

/* Are all its functions kept, and not only as starts? */
static bool
has_funcs(const struct context *c, const struct record *r)
{
	bool more = false;
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		const uint64_t id = r->col[i].n;

		if (r->def->col[i].type != COL_FUNC || id == NO_ID)
			continue;
		if (!reached(c, BELOW, id) && !reached(c, ABOVE, id))
			return false;
		more |= added(c->func[BELOW], id) || added(c->func[ABOVE], id);
	}
	return more;
}

bool
context_has(const struct context *c, const struct record *r)
{
	unsigned i;

	if (rec_kind(r) == REC_CALL)
		return has_call(c, r);
	for (i = 0; i < r->def->ncol; i++) {
		const uint64_t id = r->col[i].n;

		if (r->def->col[i].type == COL_CTX && id != NO_ID)
			return added(c->ctx[BELOW], id) || added(c->ctx[ABOVE], id);
	}
	return has_funcs(c, r);
}

/* ---- the sink ---- */

static int
context_put(struct sink *s, const struct record *r)
{
	struct context *c = (struct context *)s;

	if (is_body(rec_kind(r))) {
		/* Records kept without context are also kept with it. */
		if (c->sel->first && selector_record(c->selector, r) != c->sel->invert) {
			c->sel->kept++;
			return diag_stop(c->diag);
		}
		note(c, r);
	}
	if (sink_put(spool_sink(c->spool), r) < 0)
		return -1;
	if (rec_kind(r) != REC_END)
		return 0;
	walk(c);
	return spool_replay(c->spool, s->next);
}

static void
context_free(struct sink *s)
{
	struct context *c = (struct context *)s;
	int way;

	spool_free(c->spool);
	sums_free(&c->calls);
	free(c->start.v);
	free(c->frame.v);
	for (way = 0; way < WAYS; way++) {
		free(c->func[way]);
		free(c->ctx[way]);
	}
	free(c);
}

struct sink *
context_sink(struct context *c)
{
	return &c->sink;
}

struct context *
context_new(struct selection *sel, struct selector *selector, struct diag *d)
{
	struct context *c = mem_alloc(1, sizeof *c);

	c->sink = (struct sink){ .put = context_put, .free = context_free };
	c->sel = sel;
	c->selector = selector;
	c->diag = d;
	c->most[BELOW] = sel->below;
	c->most[ABOVE] = sel->above;
	c->spool = spool_new(selector->dict, sel->schema, d);
	sums_init(&c->calls, ENDS, 0);
	return c;
}

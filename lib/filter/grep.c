/* SPDX-License-Identifier: ISC */
#include "filter/filter.h"

#include <stdlib.h>

#include "filter/context.h"
#include "filter/filtered_part.h"
#include "filter/select.h"
#include "util/mem.h"

struct grep {
	struct sink sink;
	struct selection *sel;
	struct dict *dict;
	struct selector selector;
	struct verdicts func, used_ctx;	/* functions; contexts that a record names */
	struct context *context;	/* of -A, -B, -C; NULL */
	uint64_t func_before, file_before;	/* those of the last cost */
	bool kept_before;
	struct filtered_part part;
};

/* Bits about a function: the input defines it; a record, kept or not, names it. */
enum { DEFINED = 1, HAS_RECORD = 2 };

static void
mark_func(struct grep *g, uint64_t id)
{
	if (id != NO_ID)
		*verdict(&g->func, id) |= HAS_RECORD;
}

static void
mark(struct grep *g, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);
	unsigned i;

	if (kind == REC_COST || kind == REC_CALL || kind == REC_JUMP) {
		mark_func(g, r->col[PLACE_FUNC].n);
		if (kind != REC_COST)	/* a jump's is in the same column */
			mark_func(g, r->col[CALL_CALLEE].n);
		return;
	}
	for (i = 0; i < r->def->ncol; i++) {
		if (r->def->col[i].type == COL_FUNC)
			mark_func(g, r->col[i].n);
		else if (r->def->col[i].type == COL_CTX && r->col[i].n != NO_ID)
			*verdict(&g->used_ctx, r->col[i].n) = 1;
	}
}

static bool
keeps(struct grep *g, const struct record *r)
{
	mark(g, r);
	return selector_record(&g->selector, r) != g->sel->invert ||
	    (g->context && context_has(g->context, r));
}

static bool
kept(struct grep *g, const struct record *r)
{
	if (!g->sel->match)
		return true;
	if (rec_kind(r) != REC_COST)
		return keeps(g, r);
	/* Costs of a function usually follow each other. */
	if (r->col[PLACE_FUNC].n != g->func_before ||
	    r->col[PLACE_FILE].n != g->file_before) {
		g->func_before = r->col[PLACE_FUNC].n;
		g->file_before = r->col[PLACE_FILE].n;
		g->kept_before = keeps(g, r);
		lost_calls_cost(&g->part.lost, g->func_before, g->kept_before);
	}
	return g->kept_before;
}

/* Passes on a kept record, or ends everything if that suffices. */
static inline int
put_kept(struct grep *g, const struct record *r)
{
	g->sel->kept++;
	return g->sel->first ? diag_stop(g->part.diag) : sink_put(g->sink.next, r);
}

/* ---- headers ---- */

/*
 * Puts a definition.  If a kept record needs one that is dropped here, the encoder writes
 * it then; kept ones that no record needs come last.
 */
static int
put_definition(struct grep *g, const struct record *r)
{
	if (!g->sel->match)
		return sink_put(g->sink.next, r);
	if (rec_kind(r) == REC_CTX)
		/* After its parent: one step. */
		selector_ctx(&g->selector, r->col[0].n);
	if (rec_kind(r) == REC_FUNC)
		*verdict(&g->func, r->col[0].n) |= DEFINED;
	return 0;
}

/* Marks a context's functions, those of its frames. */
static void
mark_frames(struct grep *g)
{
	uint32_t id, n = dict_count(g->dict, REC_CTX);

	verdicts_mark_above(&g->used_ctx, g->dict);
	for (id = 0; id < n; id++)
		if (*verdict(&g->used_ctx, id))
			mark_func(g, dict_frame(g->dict, id)[CTX_FUNC]);
}

static int
put_unused(struct grep *g)
{
	uint32_t id, n = dict_count(g->dict, REC_FUNC);
	struct record r;

	if (!g->sel->match || !g->part.part.number || !(g->sel->role & END_SELF))
		return 0;
	mark_frames(g);
	for (id = 0; id < n; id++) {
		if (*verdict(&g->func, id) != DEFINED ||
		    selector_func(&g->selector, id) == g->sel->invert)
			continue;
		dict_record(g->dict, REC_FUNC, id, &r);
		if (put_kept(g, &r) < 0)
			return -1;
	}
	return 0;
}

static __attribute__((noinline)) int put_record(struct grep *g, const struct record *r);

/* For a cost of the same place as before the decision is known, then; nearly every line is
 * one. */
static int
grep_put(struct sink *s, const struct record *r)
{
	struct grep *g = (struct grep *)s;

	if (rec_kind(r) != REC_COST || !filtered_settled(&g->part) ||
	    r->col[PLACE_FUNC].n != g->func_before ||
	    r->col[PLACE_FILE].n != g->file_before)
		return put_record(g, r);
	return g->kept_before ? put_kept(g, r) : 0;
}

/* Jumps within a place are kept with its costs. */
static unsigned
grep_takes(const struct sink *s)
{
	const struct grep *g = (const struct grep *)s;

	return !g->sel->match || filtered_settled(&g->part) ? sink_takes(s->next) & TAKES_LINES :
	    0;
}

static int
grep_put_lines(struct sink *s, const struct place_lines *l)
{
	struct grep *g = (struct grep *)s;

	if (!kept(g, l->place))
		return 0;
	g->sel->kept += l->n;
	return g->sel->first ? diag_stop(g->part.diag) : sink_put_lines(s->next, l);
}

static int
put_record(struct grep *g, const struct record *r)
{
	struct sink *s = &g->sink;
	enum rec_kind kind = rec_kind(r);
	bool keep;

	if (rec_is_def(kind))
		return put_definition(g, r);
	if (filtered_see(&g->part, r) < 0)
		return -1;
	switch (kind) {
	case REC_PART:
		g->func_before = g->file_before = NOT_YET;
		return sink_put(s->next, r);
	case REC_PROF: case REC_TAG: case REC_META: case REC_EVENT:
		return sink_put(s->next, r);
	case REC_TOTAL:
		return g->sel->match ? 0 : sink_put(s->next, r);
	case REC_END:
		return put_unused(g) < 0 || filtered_end(&g->part) < 0 ? -1 :
		    sink_put(s->next, r);
	default:
		break;
	}
	keep = kept(g, r);
	if (kind == REC_CALL && g->sel->match)
		lost_calls_see(&g->part.lost, r->col[PLACE_FUNC].n, r->col[CALL_CALLEE].n, keep);
	return keep ? put_kept(g, r) : 0;
}

static void
grep_free(struct sink *s)
{
	struct grep *g = (struct grep *)s;

	selector_free(&g->selector);
	free(g->func.v);
	free(g->used_ctx.v);
	filtered_free(&g->part);
	free(g);
}

void
filter_grep(struct pipeline *p, struct selection *sel, struct dict *dict,
    struct diag *d)
{
	struct grep *g = mem_alloc(1, sizeof *g);

	g->sink = (struct sink){ .put = grep_put, .free = grep_free,
	    .takes = grep_takes, .put_lines = grep_put_lines };
	g->sel = sel;
	g->dict = dict;
	filtered_init(&g->part, &g->sink, sel->match != NULL, dict, d);
	g->part.text = sel->text;
	g->selector = (struct selector){ .sel = sel, .dict = dict };
	g->func_before = g->file_before = NOT_YET;
	if (sel->match && (sel->below || sel->above)) {
		g->context = context_new(sel, &g->selector, d);
		pipeline_add(p, context_sink(g->context));
	}
	pipeline_add(p, &g->sink);
}

/* SPDX-License-Identifier: ISC */
#include "rows.h"

#include <stdlib.h>

#include "graph/inclusive_places.h"
#include "util/mem.h"
#include "util/printable.h"

/* ---- sums ---- */

/* Have both sums of a row, the first one and that of the part, room for any run of usual
 * costs? */
static bool
has_room(const struct ranker *s, size_t row)
{
	return sums_val(&s->r.rows, row)[0] <= NUM_MAX / 2 && s->self[0] <= NUM_MAX / 2;
}

static inline int
put_cost(struct ranker *s, const struct record *r)
{
	uint64_t func = r->col[PLACE_FUNC].n;
	size_t row = rank_row(s, func, r->col[PLACE_FILE].n, &r->col[PLACE_LINE],
	    &r->col[PLACE_ADDR]);

	if (rank_add_self(s, row, func, r->values) < 0)
		return -1;
	s->crowded |= s->first_only && !has_room(s, row);
	return 0;
}

static int
put_call(struct ranker *s, const struct record *rec)
{
	struct rank *r = &s->r;
	uint64_t callee = rec->col[CALL_CALLEE].n, key[EDGE_KEYS];
	struct text count = rec->col[CALL_COUNT].t;
	num n = 0, *sums;

	key[EDGE_ROW] = key[EDGE_FROM] = rank_row(s, rec->col[PLACE_FUNC].n,
	    rec->col[PLACE_FILE].n, &rec->col[PLACE_LINE], &rec->col[PLACE_ADDR]);
	if (r->placed) {
		key[EDGE_FROM] = rank_node(s, rec->col[PLACE_FUNC].n);
		key[EDGE_TO] = rank_node(s, callee);
	} else {
		key[EDGE_TO] = rank_row_of_callee(s, callee, &rec->col[CALL_TLINE],
		    &rec->col[CALL_TADDR]);
	}
	sums = sums_val(&s->edges, sums_row(&s->edges, key));
	s->counted |= count.s != NULL;
	s->uncounted |= !count.s;
	if (count.s && (num_get_num(count.s, count.n, &n) < 0 ||
	    num_add(&sums[0], n) < 0))
		return rank_overflow(s);
	return rank_add_values(s, rec->values, sums + 1, NULL, s->calls_below);
}

/* ---- parts ---- */

/* Compares the profiler's own sum, which is of all lines: filters drop it.  column: the
 * first of its name. */
static void
check_sum(struct ranker *s, size_t column)
{
	const struct record *e = events_at(rank_events(s), column);
	const struct total *t = &s->parts.part.total;
	char want[NUM_TEXT], got[NUM_TEXT];
	num stated = 0;
	long k;

	for (k = (long)column; k >= 0; k = events_twin(rank_events(s), k))
		if ((size_t)k < t->n && (t->sum[k] == NUM_ABSENT ||
		    num_add(&stated, t->sum[k]) < 0))
			return;
	if (!t->has_sum || stated == s->self[s->column[column]])
		return;
	*num_put_num(want, stated) = '\0';
	*num_put_num(got, s->self[s->column[column]]) = '\0';
	s->text.n = 0;
	printable_add(&s->text, e->col[EVENT_NAME].t);
	diag_say(s->q->diag, DIAG_WARN, "the lines of a part add up to %s %s, but the "
	    "profiler's total is %s", got, buf_str(&s->text), want);
}

/* Moves calls to other sums. */
static int
move_calls(struct sums *to, struct sums *from)
{
	size_t i, k;

	if (!to->n) {
		struct sums none = *to;

		*to = *from;
		*from = none;
		return 0;
	}
	for (i = 0; i < from->n; i++) {
		num *sum = sums_val(to, sums_row(to, sums_key(from, i)));

		for (k = 0; k < from->nval; k++)
			if (num_add(&sum[k], sums_val(from, i)[k]) < 0)
				return -1;
	}
	sums_empty(from);
	return 0;
}

/* Returns the function of a node; NO_ID if it has none. */
static uint64_t
func_of(const struct ranker *s, size_t node)
{
	const struct rank_request *q = s->q;
	size_t column = 0;

	if (s->r.placed)
		return *sums_key(&s->r.nodes, node);
	while (column < q->ngroup_by && q->group_by[column] != BY_FUNCTION)
		column++;
	return column == q->ngroup_by ? NO_ID : sums_key(&s->r.rows, node)[column];
}

/* Notes the functions of a part that has levels of recursion. */
static void
see_levels(struct ranker *s)
{
	size_t i;

	for (i = 0; i < s->edges.n; i++) {
		const uint64_t *key = sums_key(&s->edges, i);

		recursion_levels_see(&s->recursion_levels, func_of(s, key[EDGE_FROM]));
		recursion_levels_see(&s->recursion_levels, func_of(s, key[EDGE_TO]));
	}
}

/* Moves the calls of the part to those of earlier parts. */
static int
end_calls(struct ranker *s, const struct part *p)
{
	const bool levels = part_has_levels(p);
	const bool partial = metadata_has(&p->metadata, "calls", "partial");

	*(levels ? &s->levels_partial : &s->some_partial) |= partial;
	s->r.filtered |= partial;
	if (levels)
		see_levels(s);
	return move_calls(levels ? &s->level_edges : &s->r.edges, &s->edges) < 0 ?
	    rank_overflow(s) : 0;
}

static int
add_totals(struct ranker *s, const struct total *stated)
{
	size_t i;
	num total;

	for (i = 0; i < s->ncolumn; i++) {
		const long slot = s->column[i];
		const bool first = rank_is_first(s, i);

		if (slot < 0)
			continue;
		if (first && i < rank_events(s)->measured)
			check_sum(s, i);
		if (s->twins && i < rank_events(s)->measured)
			total_known(stated, i, &total);
		else if (!total_stated(stated, i, &total))
			total = s->self[slot];
		num_see(&s->totals[slot], total);
		if (!num_fits(&s->totals[slot]) || num_add(&s->r.total[slot], total) < 0)
			return rank_overflow(s);
		s->r.in_parts[slot] += first;
	}
	return 0;
}

static int
begin_part(struct part_sink *sink, const struct part *p)
{
	struct ranker *s = (struct ranker *)sink;
	enum group_by b;

	recursion_levels_part(&s->recursion_levels, p->head);
	s->node_func = UINT64_MAX;
	for (b = 0; b < BY_KINDS; b++)
		s->meta[b] = NO_ID;
	s->named = false;
	return rank_settle(s);
}

/* Rows may be by it, from then on.  A thread has its name, unless the part has another. */
static int
put_meta(struct part_sink *sink, const struct part *p, const struct record *r)
{
	struct ranker *s = (struct ranker *)sink;
	struct text v;
	enum group_by b;

	(void)p;
	s->node_func = UINT64_MAX;
	s->text.n = 0;
	v = meta_values(r, &s->text);
	for (b = BY_PART; b < BY_TOTAL; b++)
		if (meta_is(r, group_by_name[b]))
			s->meta[b] = dict_str(s->q->dict, v);
	s->named |= meta_is(r, group_by_name[BY_COMM]);
	if (meta_is(r, group_by_name[BY_THREAD]) && !s->named)
		s->meta[BY_COMM] = s->meta[BY_THREAD];
	return 0;
}

/*
 * Adds a usual cost: by function, the same as in the line before, with only the first
 * requested event, a small number.  False for any other: put_cost() adds it.
 */
static inline bool
put_usual(struct ranker *s, const struct record *r)
{
	const char *p = r->values.s, *end;
	uint64_t v = 0;
	unsigned c;

	if (r->col[PLACE_FUNC].n != s->last_func || !s->first_only ||
	    s->usual > UINT64_MAX / 2 || (!s->usual && !has_room(s, s->last_row)))
		return false;
	if (!r->values.n)
		return true;
	end = p + (r->values.n < 18 ? r->values.n : 18);
	for (; p < end && (c = (unsigned)(unsigned char)*p - '0') < 10; p++)
		v = v * 10 + c;
	if (p == end ? r->values.n >= 18 :
	    p == r->values.s || (*p != ' ' && *p != '\t'))
		return false;
	s->usual += v;
	return true;
}

/* Adds the sum of usual costs since the last other record. */
static int
add_usual(struct ranker *s)
{
	num v = s->usual;

	s->usual = 0;
	if (num_add(sums_val(&s->r.rows, s->last_row), v) < 0 || num_add(s->self, v) < 0)
		return rank_overflow(s);
	s->crowded |= !has_room(s, s->last_row);
	return 0;
}

static unsigned
takes(const struct sink *sink)
{
	const struct ranker *s = (const struct ranker *)sink;

	return s->first_only && !s->r.placed && !s->crowded ? TAKES_SUMS : 0;
}

static int
end_part(struct part_sink *sink, const struct part *p)
{
	struct ranker *s = (struct ranker *)sink;

	if ((s->usual && add_usual(s) < 0) || rank_end_stacks(s) < 0 || end_calls(s, p) < 0)
		return -1;
	heading_add_part(&s->head, p);
	s->first_only = false;
	s->estimated |= metadata_find(&p->metadata, "estimate", 0) >= 0;
	s->r.filtered |= s->head.h.skipped || metadata_find(&p->metadata, "filter", 0) >= 0;
	return add_totals(s, &p->total);
}

/* Adds self costs by column, where the sums are of several. */
static int
add_by_column(struct ranker *s, const struct record *r)
{
	struct record self = rec_copy_of(r);

	if (rec_kind(r) == REC_POINT)
		self.values = r->col[POINT_SELF].t;
	else if (rec_kind(r) != REC_COST && rec_kind(r) != REC_SAMPLE)
		return 0;
	return self.values.n && total_add(&s->parts.part.total, &self) < 0 ? rank_overflow(s) : 0;
}

static __attribute__((noinline)) int
put_record(struct part_sink *sink, const struct record *r)
{
	struct ranker *s = (struct ranker *)sink;

	if ((s->usual && add_usual(s) < 0) || (s->twins && add_by_column(s, r) < 0) ||
	    (__builtin_expect(s->r.nslots > TABLE_WIDE, 0) && rank_count_values(s, r) < 0))
		return -1;
	switch (rec_kind(r)) {
	case REC_COST:
		return put_cost(s, r);
	case REC_CALL:
		return put_call(s, r);
	case REC_SAMPLE:
		return rank_put_sample(s, r);
	case REC_POINT:
		return rank_put_point(s, r);
	case REC_DECLARED:
		return diag_fail(s->q->diag, "%s records cannot be ranked", r->def->tag);
	default:
		return 0;
	}
}

/* Of the body are most records. */
static int
put(struct sink *sink, const struct record *r)
{
	struct ranker *s = (struct ranker *)sink;

	if (rec_kind(r) == REC_JUMP ||	/* has no cost */
	    (rec_kind(r) == REC_COST && put_usual(s, r)))
		return 0;
	return part_goes_on(&s->parts.part, rec_kind(r)) ? put_record(&s->parts, r) :
	    part_sink_put(sink, r);
}

/* ---- the whole ---- */

/* Finds upper bounds of inclusive costs: the sum of self costs, or the stated total. */
static void
find_most(struct ranker *s)
{
	struct rank *r = &s->r;
	size_t row, k;

	r->most = mem_alloc(r->rows.nval + 1, sizeof *r->most);
	for (row = 0; row < r->rows.n; row++) {
		const num *v = sums_val(&r->rows, row);

		for (k = 0; k < r->rows.nval; k++)
			if (v[k] < 0 || r->most[k] == NUM_MAX ||
			    s->negative[k] || num_add(&r->most[k], v[k]) < 0)
				r->most[k] = NUM_MAX;
	}
	for (k = 0; k < r->rows.nval; k++)
		if (r->total[k] > r->most[k])
			r->most[k] = r->total[k];
}

/* By row: is it the first level of a function; may that be all levels? */
static void
find_first(struct ranker *s, bool *first, bool *alone)
{
	size_t i;

	for (i = 0; i < s->r.rows.n; i++) {
		alone[i] = recursion_levels_alone(&s->recursion_levels, func_of(s, i));
		first[i] = alone[i] || recursion_levels_first(&s->recursion_levels, func_of(s, i));
	}
	/* A function that calls itself has no names for levels. */
	for (i = 0; i < s->level_edges.n; i++) {
		const uint64_t *key = sums_key(&s->level_edges, i);

		if (key[EDGE_FROM] == key[EDGE_TO])
			first[key[EDGE_FROM]] = alone[key[EDGE_FROM]] = false;
	}
}

struct graph_side {
	struct rank *r;
	struct graph *g;
};

static int
graph_side(void *arg, const bool *only, size_t count, unsigned char *flags)
{
	const struct graph_side *side = arg;

	side->g->only = only;
	side->g->count = count;
	return graph_inclusive(side->g, side->r->incl, side->r->calls, flags);
}

/* Computes inclusive costs if rows are not places: -1 without a diag if a sum does not
 * fit. */
static int
graph_functions(struct ranker *s)
{
	struct rank *r = &s->r;
	bool *first = mem_alloc(r->rows.n + 1, sizeof *first);
	bool *alone = mem_alloc(r->rows.n + 1, sizeof *alone);
	const struct graph_calls calls[] = {
		{ &r->edges, NULL, NULL, s->some_partial || s->head.h.skipped },
		{ &s->level_edges, first, alone, s->levels_partial || s->head.h.skipped },
	};
	struct graph g = { .rows = &r->rows, .calls = calls, .ncalls = 2,
	    .averages = !s->estimated, .propagated = s->propagated, .upper = r->upper };
	struct graph_side side = { r, &g };
	int ret;

	find_first(s, first, alone);
	ret = r->ndelta ? rank_graph_sides(r, graph_side, &side) :
	    graph_inclusive(&g, r->incl, r->calls, r->flags);
	free(first);
	free(alone);
	return ret;
}

/* Computes the results of calls. */
static int
graph_rows(struct ranker *s)
{
	struct rank *r = &s->r;
	int ret;

	recursion_levels_end(&s->recursion_levels);
	ret = r->placed ? rank_graph_places(s) : graph_functions(s);

	/* After a filter a row may stand for several functions. */
	if (ret == 0 && s->functions && !r->filtered)
		rank_use_stated(r);
	return ret == 0 ? rank_find_changes(r) : ret;
}

/* Are all sums the same in whatever order the profiles come? */
static bool
fits_in_any_order(const struct sums *t, size_t first, const unsigned __int128 *below)
{
	size_t k;

	for (k = first; k < t->nval; k++) {
		struct num_extent rows = { 0 };

		if (below[k - first])
			sums_see(t, k, &rows);
		if (!sums_fit_in_any_order(rows, below[k - first]))
			return false;
	}
	return true;
}

static const struct rank *
overflow(const struct ranker *s)
{
	diag_fail_plain(s->q->diag, "a sum does not fit 128 bits");
	return NULL;
}

const struct rank *
ranker_finish(struct ranker *s)
{
	struct rank *r = &s->r;
	const size_t nval = r->rows.nval;
	size_t i;

	cct_free(&s->cct);	/* large, and not needed any more */
	if (s->usual && add_usual(s) < 0)
		return NULL;
	s->all_levels = !r->edges.n;
	if (r->placed && move_calls(&r->edges, &s->level_edges) < 0)
		return overflow(s);
	if (r->placed)
		rank_find_callees(s);
	r->incl = mem_alloc(r->rows.n * nval + 1, sizeof *r->incl);
	r->calls = mem_alloc(r->rows.n + 1, sizeof *r->calls);
	r->flags = mem_alloc(r->rows.n + 1, 1);
	if (s->q->bounds && r->calls_known)
		r->upper = mem_alloc(r->rows.n * nval + 1, sizeof *r->upper);
	r->stacked = r->incl_known;
	r->incl_known |= r->calls_known;
	r->counts_known = r->calls_known && (s->counted || !s->uncounted);
	for (i = 0; i < r->rows.n && nval && r->incl_known && !r->calls_known; i++)
		memcpy(r->incl + i * nval, sums_val(&r->rows, i),
		    nval * sizeof *r->incl);
	rank_find_deltas(r);
	if ((r->calls_known && graph_rows(s) < 0) ||
	    move_calls(&r->edges, &s->level_edges) < 0 ||
	    !fits_in_any_order(&r->edges, 1, s->calls_below) ||
	    (r->ndelta && r->calls_known && rank_count_sides(r) < 0) ||
	    rank_add_stacks(s) < 0 || !fits_in_any_order(&r->rows, 0, s->below))
		return overflow(s);
	find_most(s);
	rank_find_wholes(r);
	return r;
}

static const struct part_methods methods = {
	.begin = begin_part, .meta = put_meta, .put = put_record, .end = end_part,
};

struct ranker *
ranker_new(const struct rank_request *q)
{
	struct ranker *s = mem_alloc(1, sizeof *s);
	struct rank *r = &s->r;
	size_t i;

	s->q = q;
	s->by_function = q->ngroup_by == 1 && q->group_by[0] == BY_FUNCTION;
	s->row_of_none = NO_ROW;
	s->last_func = UINT64_MAX;	/* none yet: costs may have NO_ID */
	s->node_func = UINT64_MAX;
	part_sink_init(&s->parts, &methods, q->diag, NULL);
	s->parts.sink = (struct sink){ .put = put, .takes = takes };
	for (i = 0; i < q->ngroup_by; i++) {
		r->fine |= q->group_by[i] == BY_LINE || q->group_by[i] == BY_ADDR;
		s->functions |= q->group_by[i] == BY_FUNCTION;
	}
	sums_init(&r->rows, q->ngroup_by, 0);
	sums_init(&r->edges, EDGE_KEYS, 1);
	r->placed = rank_is_placed(q);
	s->functions &= !r->placed;
	sums_init(&r->nodes, 1 + q->ngroup_by, 0);
	sums_init(&r->families, 1 + q->ngroup_by, 0);
	sums_init(&s->more, MORE_KEYS, 0);
	sums_init(&s->pointed, MORE_KEYS, 0);
	sums_init(&r->points, POINT_KEYS, POINT_SUMS);
	sums_init(&s->level_edges, EDGE_KEYS, 1);
	recursion_levels_init(&s->recursion_levels, q->dict);
	sums_init(&s->edges, EDGE_KEYS, 1);
	sums_init(&s->stacked, 1, 1);
	sums_init(&s->threads, 3, 0);
	sums_init(&s->no_self, 1, 0);
	heading_init(&s->head, q->dict);
	s->head.takes_off = q->takes_off;
	sums_init(&s->steps, EDGE_KEYS, 1);
	return s;
}

struct sink *
ranker_sink(struct ranker *s)
{
	return &s->parts.sink;
}

const struct rank_heading *
ranker_heading(const struct ranker *s)
{
	return &s->head.h;
}

static void
free_result(struct rank *r)
{
	sums_free(&r->rows);
	sums_free(&r->edges);
	sums_free(&r->nodes);
	free(r->callee_row);
	sums_free(&r->families);
	free(r->family);
	events_free(&r->events);
	free(r->slot);
	free(r->in_parts);
	while (r->nclasses) {
		struct rank_class *c = &r->class[--r->nclasses];

		events_free(&c->events);
		free(c->slot);
	}
	free(r->class);
	name_index_free(&r->named);
	free(r->newest);
	free(r->link);
	free(r->total);
	free(r->whole);
	free(r->most);
	free(r->apart);
	free(r->uncalled);
	free(r->delta);
	free(r->delta_at);
	free(r->unknown);
	free(r->stated);
	free(r->incl);
	free(r->upper);
	free(r->calls);
	free(r->flags);
	free(r->side_flags[0]);
	free(r->side_flags[1]);
	sums_free(&r->points);
	free(r->sizes);
}

void
ranker_free(struct ranker *s)
{
	if (!s)
		return;
	free_result(&s->r);
	heading_free(&s->head);
	free(s->propagated);
	name_index_free(&s->signs);
	sums_free(&s->level_edges);
	recursion_levels_free(&s->recursion_levels);
	part_sink_clear(&s->parts);
	free(s->column);
	free(s->self);
	free(s->below);
	free(s->calls_below);
	free(s->totals);
	sums_free(&s->edges);
	sums_free(&s->stacked);
	free(s->negative);
	sums_free(&s->steps);
	sums_free(&s->no_self);
	cct_free(&s->cct);
	rank_free_trees(s);
	free(s->frame_row);
	free(s->path);
	free(s->row_open);
	free(s->step_open);
	free(s->row_of);
	free(s->owner);
	sums_free(&s->more);
	sums_free(&s->pointed);
	buf_free(&s->text);
	free(s);
}

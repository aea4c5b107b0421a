/* SPDX-License-Identifier: ISC */
#include "rows.h"

#include <stdlib.h>

#include "stream/level.h"
#include "util/mem.h"
#include "util/vis.h"

/* ---- sums ---- */

static inline int
put_cost(struct ranker *s, const struct record *r)
{
	uint64_t func = r->col[PLACE_FUNC].n;
	size_t row = rank_row(s, func, r->col[PLACE_FILE].n, &r->col[PLACE_LINE],
	    &r->col[PLACE_ADDR]);

	return rank_add_values(s, r->values, sums_val(&s->r.rows, row), s->self);
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
	if (r->fine) {
		key[EDGE_FROM] = rank_fine_node(s, rec->col[PLACE_FUNC].n);
		key[EDGE_TO] = rank_fine_node(s, callee);
	} else {
		key[EDGE_TO] = rank_row(s, callee,
		    dict_def(s->q->dict, REC_FUNC, (uint32_t)callee)[FUNC_FILE],
		    &rec->col[CALL_TLINE], &rec->col[CALL_TADDR]);
	}
	sums = sums_val(&s->edges, sums_row(&s->edges, key));
	s->counted |= count.s != NULL;
	s->uncounted |= !count.s;
	if (count.s && (num_get_num(count.s, count.n, &n) < 0 ||
	    num_add(&sums[0], n) < 0))
		return rank_overflow(s);
	return rank_add_values(s, rec->values, sums + 1, NULL);
}

/* ---- parts ---- */

/* The producer's own sum is of all lines: filters drop it. */
static void
check_sum(struct ranker *s, size_t column)
{
	const struct record *e = events_at(&s->events, column);
	num stated = column < s->total.n ? s->total.sum[column] : 0;
	char want[NUM_TEXT], got[NUM_TEXT];

	if (!s->total.has_sum || stated == s->self[s->column[column]])
		return;
	*num_put_num(want, stated) = '\0';
	*num_put_num(got, s->self[s->column[column]]) = '\0';
	s->text.n = 0;
	vis_add(&s->text, e->col[EVENT_NAME].t);
	diag_say(s->q->diag, DIAG_WARN, "the lines of a part add up to %s %s, but its "
	    "producer says %s", got, buf_str(&s->text), want);
}

/* Adds calls to others, and leaves none. */
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
	sums_clear(from);
	return 0;
}

/* Those of the part, to those that are known as well. */
static int
end_calls(struct ranker *s)
{
	const bool levels = s->levels && !s->joined;

	if (levels)
		s->levels_partial |= s->partial;
	else
		s->some_partial |= s->partial;
	s->levels = s->joined = s->partial = false;
	return move_calls(levels ? &s->level_edges : &s->r.edges, &s->edges) < 0 ?
	    rank_overflow(s) : 0;
}

/* Is the column the first one of its name?  Columns of one name have one sum. */
static bool
is_first(const struct ranker *s, size_t column)
{
	return events_find(&s->events, events_at(&s->events, column)->col[EVENT_NAME].t) ==
	    (long)column;
}

static int
end_part(struct ranker *s)
{
	size_t i;
	num total;

	if (!s->in_part)
		return 0;
	if ((s->in_header && rank_settle(s) < 0) || rank_end_stacks(s) < 0 ||
	    end_calls(s) < 0)
		return -1;
	for (i = 0; i < s->ncolumn; i++) {
		const long slot = s->column[i];
		const bool first = is_first(s, i);

		if (slot < 0)
			continue;
		check_sum(s, i);
		if (!total_stated(&s->total, i, &total))
			total = first ? s->self[slot] : 0;
		if (num_add(&s->r.total[slot], total) < 0)
			return rank_overflow(s);
		s->r.in_parts[slot] += first;
	}
	return 0;
}

static int
put_part(struct ranker *s, const struct record *r)
{
	enum group_by b;

	if (end_part(s) < 0)
		return -1;
	s->in_part = s->in_header = true;
	s->first_only = false;
	total_clear(&s->total);
	events_clear(&s->events);
	for (b = 0; b < BY_KINDS; b++)
		s->meta[b] = NO_ID;
	heading_part(&s->head, r);
	return 0;
}

static void
put_meta(struct ranker *s, const struct record *r)
{
	struct text v;
	enum group_by b;

	heading_meta(&s->head, r);
	s->text.n = 0;
	v = meta_value(r, &s->text);
	for (b = BY_PART; b <= BY_SOURCE; b++)
		if (meta_is(r, group_by_name[b]))
			s->meta[b] = dict_str(s->q->dict, v);
	if (meta_is(r, "filter")) {
		s->r.filtered = true;
	} else if (meta_is(r, "recursion")) {
		s->levels |= text_is(v, "levels");
	} else if (meta_is(r, "calls")) {
		s->joined |= text_is(v, "joined");
		s->partial |= text_is(v, "partial");
	} else if (meta_is(r, "estimate")) {
		s->estimated = true;
	}
	s->r.filtered |= s->head.h.skipped != 0;
}

/* Is so much room in both sums that no run of usual costs fills them? */
static bool
has_room(const struct ranker *s)
{
	return sums_val(&s->r.rows, s->last_row)[0] <= NUM_MAX / 2 &&
	    s->self[0] <= NUM_MAX / 2;
}

/*
 * The usual cost: by function, the same as the line before, and only the first
 * event wanted, a small number.  false for any other: put_cost() does it.
 */
static inline bool
put_usual(struct ranker *s, const struct record *r)
{
	const char *p = r->values.s, *end;
	uint64_t v = 0;
	unsigned c;

	if (r->col[PLACE_FUNC].n != s->last_func || !s->first_only ||
	    s->usual > UINT64_MAX / 2 || (!s->usual && !has_room(s)))
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

/* What the usual costs since the last other record come to. */
static int
add_usual(struct ranker *s)
{
	num v = s->usual;

	s->usual = 0;
	return num_add(sums_val(&s->r.rows, s->last_row), v) < 0 ||
	    num_add(s->self, v) < 0 ? rank_overflow(s) : 0;
}

static __attribute__((noinline)) int put_record(struct ranker *s,
    const struct record *r);

static int
rank_put(struct sink *sink, const struct record *r)
{
	struct ranker *s = (struct ranker *)sink;

	if (rec_kind(r) == REC_JUMP ||	/* has no cost */
	    (rec_kind(r) == REC_COST && put_usual(s, r)))
		return 0;
	return put_record(s, r);
}

static int
put_record(struct ranker *s, const struct record *r)
{
	enum rec_kind kind = rec_kind(r);

	if ((s->usual && add_usual(s) < 0) ||
	    (__builtin_expect(s->in_header, 0) && kind > REC_CTX && rank_settle(s) < 0) ||
	    (__builtin_expect(s->r.nslots > TABLE_WIDE, 0) && rank_count_values(s, r) < 0))
		return -1;
	switch (kind) {
	case REC_COST:
		return put_cost(s, r);
	case REC_CALL:
		return put_call(s, r);
	case REC_PART:
		return put_part(s, r);
	case REC_META:
		put_meta(s, r);
		return 0;
	case REC_EVENT:
		events_add(&s->events, r);
		return 0;
	case REC_TOTAL:
		return total_put(&s->total, r) < 0 ? rank_overflow(s) : 0;
	case REC_END:
		return end_part(s);
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

/* ---- the whole ---- */

/* The most that an inclusive cost may be: all self costs, or the total that is stated. */
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
			    s->unbounded[k] || num_add(&r->most[k], v[k]) < 0)
				r->most[k] = NUM_MAX;
	}
	for (k = 0; k < r->rows.nval; k++)
		if (r->total[k] > r->most[k])
			r->most[k] = r->total[k];
}

static const struct sums *
nodes_of(const struct ranker *s)
{
	return s->r.fine ? &s->r.nodes : &s->r.rows;
}

/* By node: is it the first level of a function, and nothing but that? */
static void
find_first(const struct ranker *s, bool *first)
{
	const struct rank_request *q = s->q;
	const struct sums *nodes = nodes_of(s);
	const bool fine = s->r.fine;
	size_t i, column = 0;
	uint64_t func;

	while (!fine && column < q->ngroup_by && q->group_by[column] != BY_FUNCTION)
		column++;
	for (i = 0; i < nodes->n; i++) {
		func = column == q->ngroup_by ? NO_ID : sums_key(nodes, i)[column];
		first[i] = func != NO_ID && !(fine && s->joined_node[i]) &&
		    level_is_first(dict_func_name(q->dict, (uint32_t)func));
	}
}

/* Is a row one function, whole?  After a filter one may stand for several. */
static bool
rows_are_functions(const struct ranker *s)
{
	size_t i;

	for (i = 0; i < s->q->ngroup_by; i++)
		if (s->q->group_by[i] == BY_FUNCTION)
			return !s->r.fine && !s->r.filtered;
	return false;
}

/* What calls tell: -1 without a diag if a sum does not fit. */
static int
graph_rows(struct ranker *s)
{
	struct rank *r = &s->r;
	const size_t nnodes = nodes_of(s)->n;
	bool *first = mem_alloc(nnodes + 1, sizeof *first);
	const struct graph_calls calls[] = {
		{ &r->edges, NULL, s->some_partial || s->head.h.skipped },
		{ &s->level_edges, first, s->levels_partial || s->head.h.skipped },
	};
	struct graph g = { .rows = &r->rows, .calls = calls, .ncalls = 2,
	    .nnodes = nnodes, .fine = r->fine, .averages = !s->estimated,
	    .propagated = s->propagated };
	int ret;

	find_first(s, first);
	ret = r->ndelta ? rank_graph_sides(r, &g) :
	    graph_inclusive(&g, r->incl, r->calls, r->flags);
	free(first);
	if (ret == 0 && rows_are_functions(s))
		rank_use_stated(r);
	return ret == 0 ? rank_find_changes(r) : ret;
}

const struct rank *
ranker_finish(struct ranker *s)
{
	struct rank *r = &s->r;
	const size_t nval = r->rows.nval;
	size_t i;

	if (s->usual && add_usual(s) < 0)
		return NULL;
	r->incl = mem_alloc(r->rows.n * nval + 1, sizeof *r->incl);
	r->calls = mem_alloc(r->rows.n + 1, sizeof *r->calls);
	r->flags = mem_alloc(r->rows.n + 1, 1);
	r->incl_known |= r->calls_known;
	r->counts_known = r->calls_known && (s->counted || !s->uncounted);
	for (i = 0; i < r->rows.n && nval && r->incl_known && !r->calls_known; i++)
		memcpy(r->incl + i * nval, sums_val(&r->rows, i),
		    nval * sizeof *r->incl);
	rank_find_deltas(r);
	if ((r->calls_known && graph_rows(s) < 0) ||
	    move_calls(&r->edges, &s->level_edges) < 0 ||
	    (r->ndelta && r->calls_known && rank_count_sides(r) < 0) ||
	    rank_add_stacks(s) < 0) {
		diag_fail_plain(s->q->diag, "a sum does not fit 128 bits");
		return NULL;
	}
	find_most(s);
	return r;
}

struct ranker *
ranker_new(const struct rank_request *q)
{
	struct ranker *s = mem_alloc(1, sizeof *s);
	struct rank *r = &s->r;
	size_t i;

	s->q = q;
	s->by_function = q->ngroup_by == 1 && q->group_by[0] == BY_FUNCTION;
	s->last_func = UINT64_MAX;	/* none yet: costs may have NO_ID */
	s->sink = (struct sink){ .put = rank_put };
	for (i = 0; i < q->ngroup_by; i++)
		r->fine |= q->group_by[i] == BY_LINE || q->group_by[i] == BY_ADDR;
	sums_init(&r->rows, q->ngroup_by, 0);
	sums_init(&r->edges, EDGE_KEYS, 1);
	sums_init(&r->nodes, 1, 0);
	sums_init(&r->points, POINT_KEYS, POINT_SUMS);
	sums_init(&s->level_edges, EDGE_KEYS, 1);
	sums_init(&s->edges, EDGE_KEYS, 1);
	sums_init(&s->stacked, 1, 1);
	sums_init(&s->no_self, 1, 0);
	heading_init(&s->head, q->dict);
	sums_init(&s->steps, EDGE_KEYS, 1);
	return s;
}

struct sink *
ranker_sink(struct ranker *s)
{
	return &s->sink;
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
	events_free(&r->events);
	free(r->slot);
	free(r->in_parts);
	free(r->total);
	free(r->most);
	free(r->delta);
	free(r->delta_at);
	free(r->stated);
	free(r->incl);
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
	sums_free(&s->level_edges);
	events_free(&s->events);
	free(s->column);
	total_free(&s->total);
	free(s->self);
	sums_free(&s->edges);
	sums_free(&s->stacked);
	free(s->unbounded);
	sums_free(&s->steps);
	sums_free(&s->no_self);
	cct_free(&s->cct);
	rank_free_trees(s);
	event_label_free(&s->event);
	free(s->node_row);
	free(s->node_step);
	free(s->row_open);
	free(s->step_open);
	free(s->row_of);
	free(s->joined_node);
	buf_free(&s->text);
	free(s);
}

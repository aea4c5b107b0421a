/* SPDX-License-Identifier: ISC */
/*
 * Whole stacks, and costs against the size of the input, in a ranking.  Unlike a call
 * graph, both show that recursion counts once in inclusive costs.
 */
#include "rows.h"

#include <stdlib.h>

#include "graph/inclusive_places.h"
#include "util/mem.h"

/* ---- stacks ---- */

static size_t
row_of_ctx(struct ranker *s, uint32_t ctx)
{
	struct record r;

	dict_record(s->q->dict, REC_CTX, ctx, &r);
	return rank_row(s, r.col[1 + CTX_FUNC].n, r.col[1 + CTX_FILE].n,
	    &r.col[1 + CTX_LINE], &r.col[1 + CTX_ADDR]);
}

/* Returns the row, and its sums, of a context's frame, which other contexts in the same tree
 * have, too. */
static const struct frame_row *
row_of_frame(struct ranker *s, uint32_t ctx)
{
	const uint32_t frame = dict_frame_id(s->q->dict, ctx);
	struct frame_row *f;
	uint64_t row;

	s->frame_row = mem_reach(s->frame_row, &s->capframe_row, frame, sizeof *s->frame_row, 0);
	f = &s->frame_row[frame];
	if (f->walk != s->walks) {
		row = row_of_ctx(s, ctx);
		*f = (struct frame_row){ s->walks, (uint32_t)row,
		    (uint32_t)sums_row(&s->stacked, &row) };
	}
	return f;
}

static uint64_t
node_of_ctx(struct ranker *s, uint32_t ctx)
{
	return rank_node(s, dict_frame(s->q->dict, ctx)[CTX_FUNC]);
}

/* Returns a label as metadata; the part's, if the sample has none. */
static uint32_t
label_of(struct ranker *s, struct text attrs, const char *key, enum group_by otherwise)
{
	struct buf scratch = { 0 };
	const struct text t = attr_get(attrs, key, &scratch);
	const uint32_t id = t.n ? dict_str(s->q->dict, t) : s->meta[otherwise];

	buf_free(&scratch);
	return id;
}

/* Returns "COMM TID", or the one that the sample has. */
static uint32_t
thread_of(struct ranker *s, struct text attrs)
{
	static const char *const key[] = { "comm", "tid" };
	struct buf name = { 0 }, scratch = { 0 };
	uint32_t id = s->meta[BY_THREAD];
	struct text t;
	size_t i;

	for (i = 0; i < 2; i++) {
		scratch.n = 0;
		if (!(t = attr_get(attrs, key[i], &scratch)).n)
			continue;
		buf_puts(&name, name.n ? " " : "");
		buf_text(&name, t);
	}
	if (name.n)
		id = dict_str(s->q->dict, buf_as_text(&name));
	buf_free(&scratch);
	buf_free(&name);
	return id;
}

/* Returns the tree of a sample's thread. */
static struct rank_tree *
find_tree(struct ranker *s, struct text attrs)
{
	const struct rank_tree of = { thread_of(s, attrs), label_of(s, attrs, "comm", BY_COMM),
	    label_of(s, attrs, "pid", BY_PID), { 0 } };
	const size_t row = sums_row(&s->threads, (uint64_t[]){ of.thread, of.comm, of.pid });

	if (row == s->ntree) {
		s->tree = mem_grow(s->tree, &s->captree, ++s->ntree, sizeof *s->tree);
		s->tree[row] = of;
		cct_clear(&s->tree[row].cct, s->q->dict, s->r.nslots);
	}
	return &s->tree[row];
}

/* Exchanges the tree and the metadata of its thread with those of the part. */
static void
swap_tree(struct ranker *s, struct rank_tree *t)
{
	const struct rank_tree was = { s->meta[BY_THREAD], s->meta[BY_COMM], s->meta[BY_PID],
	    s->cct };

	s->meta[BY_THREAD] = t->thread;
	s->meta[BY_COMM] = t->comm;
	s->meta[BY_PID] = t->pid;
	s->cct = t->cct;
	*t = was;
}

/* Adds a sample; without a stack, its function is unknown. */
static int
add_sample(struct ranker *s, const struct record *rec)
{
	static const struct field none = { .has = 0 };
	const uint64_t ctx = rec->col[0].n;
	uint32_t row;

	if (ctx != NO_ID)
		return rank_add_values(s, rec->values, cct_self(&s->cct,
		    cct_node(&s->cct, (uint32_t)ctx)), s->self, s->below);
	row = rank_row(s, NO_ID, NO_ID, &none, &none);
	return rank_add_self(s, row, NO_ID, rec->values);
}

int
rank_put_sample(struct ranker *s, const struct record *rec)
{
	struct rank_tree *t;
	int ret;

	s->r.incl_known = true;
	if (!rec->attrs.s || !group_by_has_label(s->q->group_by, s->q->ngroup_by))
		return add_sample(s, rec);
	t = find_tree(s, rec->attrs);
	swap_tree(s, t);
	ret = add_sample(s, rec);
	swap_tree(s, t);
	return ret;
}

/* ---- points ---- */

static uint64_t
row_of_func(struct ranker *s, uint64_t func)
{
	static const struct field none = { .has = 0 };
	uint32_t file = dict_def(s->q->dict, REC_FUNC, (uint32_t)func)[FUNC_FILE];

	return rank_row(s, func, file, &none, &none);
}

/* Sets *n to a column's number: false if it is absent. *big: it does not fit. */
static bool
point_num(const struct record *r, int col, num *n, bool *big)
{
	struct text t = r->col[col].t;

	*n = 0;
	if (t.s && num_get_num(t.s, t.n, n) < 0)
		*big = true;
	return t.s != NULL;
}

static void
report_once(struct ranker *s, bool *reported, const char *what)
{
	if (!*reported)
		diag_say(s->q->diag, DIAG_NOTE, "%s", what);
	*reported = true;
}

/*
 * Sets *cost to the inclusive cost of the activations: `real`, otherwise the value that
 * early versions of aprof have for it, with a warning.
 */
static bool
point_inclusive(struct ranker *s, const struct record *r, num occ, bool whole,
    num *cost, bool *big)
{
	if (!whole && point_num(r, POINT_REAL, cost, big))
		return true;
	if (point_num(r, POINT_SUM, cost, big)) {
		if (!whole)
			report_once(s, &s->reported_recursion, "the profile does not mark "
			    "recursion: inclusive cost counts it more than once");
		return true;
	}
	if (!point_num(r, POINT_AVG, cost, big))
		return false;
	report_once(s, &s->reported_averages, "the profile has only averages: costs are "
	    "estimated as average times calls");
	*big |= num_mul(*cost, occ, cost) < 0;
	return true;
}

static int
add_size(struct ranker *s, const struct record *rec, size_t row, num occ)
{
	uint64_t key[POINT_KEYS] = { row };
	bool big = false;
	num size, cost, *v;

	if (!point_num(rec, POINT_SIZE, &size, &big) ||
	    !point_inclusive(s, rec, occ, true, &cost, &big))
		return big ? rank_overflow(s) : 0;
	key[POINT_KEY_HIGH] = (uint64_t)(size >> 64);
	key[POINT_KEY_LOW] = (uint64_t)size;
	v = sums_val(&s->r.points, sums_row(&s->r.points, key));
	return big || num_add(&v[POINT_CALLS], occ) < 0 ||
	    num_add(&v[POINT_COST], cost) < 0 ? rank_overflow(s) : 0;
}

/* Returns the sums of a row from stacks and points: SUM_*. */
static num *
sums_of(struct ranker *s, uint64_t row)
{
	return sums_val(&s->stacked, sums_row(&s->stacked, &row));
}

/* Returns the sum for a function's inclusive cost.  In a row of several functions,
 * activations of one may be inside those of another: the inclusive costs of each are summed
 * separately. */
static num *
incl_of(struct ranker *s, uint64_t row, uint64_t func, long slot)
{
	uint64_t key[MORE_KEYS] = { row };

	if (s->functions)
		return &sums_of(s, row)[SUM_INCL(slot)];
	key[MORE_NODE] = rank_node(s, func);
	return &sums_val(&s->pointed, sums_row(&s->pointed, key))[slot];
}

static int
point_of_func(struct ranker *s, uint64_t row, uint64_t func, long slot, num occ, num self,
    num incl)
{
	num *v = sums_of(s, row);

	if (num_add(&v[SUM_CALLS], occ) < 0 || (slot >= 0 &&
	    (num_add(&v[SUM_SELF(slot)], self) < 0 ||
	    num_add(incl_of(s, row, func, slot), incl) < 0)))
		return rank_overflow(s);
	return 0;
}

/* incl: NULL: not known. */
static int
point_of_ctx(struct ranker *s, uint32_t ctx, long slot, num occ, num self,
    const num *incl)
{
	size_t node = cct_node(&s->cct, ctx);

	if (cct_count(&s->cct, node, occ) < 0 || (slot >= 0 &&
	    (num_add(&cct_self(&s->cct, node)[slot], self) < 0 ||
	    (incl && cct_measure(&s->cct, node, (size_t)slot, *incl) < 0))))
		return rank_overflow(s);
	return 0;
}

/* Adds a point; its cost is that of the part's first event. */
int
rank_put_point(struct ranker *s, const struct record *rec)
{
	struct rank *r = &s->r;
	uint64_t ctx = rec->col[POINT_CTX].n, row;
	long slot = s->ncolumn ? s->column[0] : -1;
	num occ, self, incl;
	bool big = false, has_self, has_incl;

	r->incl_known = true;
	point_num(rec, POINT_OCC, &occ, &big);
	has_self = point_num(rec, POINT_SELF, &self, &big);
	has_incl = point_inclusive(s, rec, occ, false, &incl, &big);
	if (big)
		return rank_overflow(s);
	row = ctx == NO_ID ? row_of_func(s, rec->col[POINT_FUNC].n) :
	    row_of_ctx(s, (uint32_t)ctx);
	if (!has_self)
		sums_row(&s->no_self, &row);
	if (add_size(s, rec, row, occ) < 0)
		return -1;
	if (slot >= 0) {
		if (num_add(&s->self[slot], self) < 0)
			return rank_overflow(s);
		sums_see_below(&s->below[slot], self);
		s->r.apart[slot] |= has_incl;
	}
	return ctx == NO_ID ?
	    point_of_func(s, row, rec->col[POINT_FUNC].n, slot, occ, self, has_incl ? incl : self) :
	    point_of_ctx(s, (uint32_t)ctx, slot, occ, self, has_incl ? &incl : NULL);
}

/* ---- the tree ---- */

/* Begins a step from the frame above.  One that is not recursion is a call. */
static int
enter_step(struct ranker *s, struct rank_path *to, num activations)
{
	const struct rank_path *from = to - 1;
	uint64_t key[EDGE_KEYS];

	if (!s->r.fine && from->row != to->row &&
	    num_add(&sums_val(&s->stacked, to->stacked)[SUM_CALLS], activations) < 0)
		return -1;
	key[EDGE_ROW] = key[EDGE_FROM] = from->row;
	key[EDGE_TO] = to->row;
	if (s->r.placed) {
		key[EDGE_FROM] = node_of_ctx(s, from->ctx);
		key[EDGE_TO] = node_of_ctx(s, to->ctx);
	}
	to->step = (uint32_t)sums_row(&s->steps, key);
	s->step_open = mem_reach(s->step_open, &s->capstep_open, to->step,
	    sizeof *s->step_open, 0);
	s->step_open[to->step]++;
	return num_add(&sums_val(&s->steps, to->step)[0], activations);
}

static int
enter_node(void *arg, size_t node, size_t depth)
{
	struct ranker *s = arg;
	const uint32_t ctx = cct_ctx(&s->cct, node);
	const struct frame_row *f = row_of_frame(s, ctx);
	const num *self = cct_self(&s->cct, node);
	const num activations = cct_activations(&s->cct, node);
	struct rank_path *p;
	size_t k;
	num *v;

	s->path = mem_grow(s->path, &s->cappath, depth + 1, sizeof *s->path);
	p = &s->path[depth];
	*p = (struct rank_path){ f->row, f->stacked, 0, ctx };
	s->row_open = mem_reach(s->row_open, &s->caprow_open, p->row, sizeof *s->row_open, 0);
	s->row_open[p->row]++;
	v = sums_val(&s->stacked, p->stacked);
	for (k = 0; k < s->r.rows.nval; k++) {
		s->negative[k] |= self[k] < 0;
		if (num_add(&v[SUM_SELF(k)], self[k]) < 0)
			return -1;
	}
	return depth ? enter_step(s, p, activations) : num_add(&v[SUM_CALLS], activations);
}

/* Adds inclusive costs.  Recursion counts once: only the outermost one on the path from the
 * root counts. */
static int
leave_node(void *arg, size_t node, size_t depth, const num *incl)
{
	struct ranker *s = arg;
	const struct rank_path *p = &s->path[depth];
	const bool row = !--s->row_open[p->row];
	const bool step = depth && !--s->step_open[p->step];
	num *v = sums_val(&s->stacked, p->stacked);
	size_t k;

	(void)node;
	for (k = 0; k < s->r.rows.nval; k++)
		if ((row && num_add(&v[SUM_INCL(k)], incl[k]) < 0) ||
		    (step && num_add(&sums_val(&s->steps, p->step)[1 + k], incl[k]) < 0))
			return -1;
	return 0;
}

/* Ends the tree of the part, whose metadata may be in the keys of rows. */
static int
end_tree(struct ranker *s)
{
	const struct cct_walk walk = { enter_node, leave_node, s };
	int ret;

	s->walks++;
	ret = cct_walk(&s->cct, &walk);
	cct_clear(&s->cct, s->q->dict, 0);
	return ret ? rank_overflow(s) : 0;
}

int
rank_end_stacks(struct ranker *s)
{
	size_t i;
	int ret = end_tree(s);

	for (i = 0; i < s->ntree; i++) {
		swap_tree(s, &s->tree[i]);
		ret = ret < 0 ? ret : end_tree(s);
		swap_tree(s, &s->tree[i]);
		cct_free(&s->tree[i].cct);
	}
	s->ntree = 0;
	sums_empty(&s->threads);
	return ret;
}

void
rank_free_trees(struct ranker *s)
{
	size_t i;

	for (i = 0; i < s->ntree; i++)
		cct_free(&s->tree[i].cct);
	free(s->tree);
	sums_free(&s->threads);
}

static int
add_steps(struct ranker *s)
{
	const struct sums *steps = &s->steps;
	struct rank *r = &s->r;
	size_t i, k;

	for (i = 0; i < steps->n; i++) {
		const uint64_t *key = sums_key(steps, i);
		const num *from = sums_val(steps, i);
		num *v = sums_val(&r->edges, sums_row(&r->edges, key));

		for (k = 0; k <= r->rows.nval; k++)
			if (num_add(&v[k], from[k]) < 0)
				return -1;
	}
	return 0;
}

static void
count_sizes(struct rank *r)
{
	size_t i;

	if (!r->points.n)
		return;
	r->sizes = mem_alloc(r->rows.n, sizeof *r->sizes);
	for (i = 0; i < r->points.n; i++) {
		struct rank_sizes *z = &r->sizes[*sums_key(&r->points, i)];
		num size = rank_point_size(r, i);

		if (!z->n || size < z->least)
			z->least = size;
		if (!z->n || size > z->most)
			z->most = size;
		z->n++;
	}
}

/* Raises a row's inclusive cost to the largest one of its functions, or its self cost: with
 * several functions these are lower bounds. */
static void
choose_pointed(struct ranker *s)
{
	uint32_t *seen = mem_alloc(s->r.rows.n + 1, sizeof *seen);	/* + 1 */
	size_t i, k;

	for (i = 0; i < s->pointed.n; i++) {
		const uint64_t row = sums_key(&s->pointed, i)[MORE_ROW];
		const num *from = sums_val(&s->pointed, i);
		num *v = sums_of(s, row);

		s->r.flags[row] |= seen[row] ? GRAPH_CYCLE : 0;
		seen[row] = (uint32_t)i + 1;
		for (k = 0; k < s->r.rows.nval; k++) {
			const num least = from[k] > v[SUM_SELF(k)] ? from[k] : v[SUM_SELF(k)];

			if (least > v[SUM_INCL(k)])
				v[SUM_INCL(k)] = least;
		}
	}
	free(seen);
}

int
rank_add_stacks(struct ranker *s)
{
	struct rank *r = &s->r;
	size_t i, k;

	choose_pointed(s);
	for (i = 0; i < s->stacked.n; i++) {
		size_t row = *sums_key(&s->stacked, i);
		const num *v = sums_val(&s->stacked, i);

		if (num_add(&r->calls[row], v[SUM_CALLS]) < 0)
			return -1;
		for (k = 0; k < r->rows.nval; k++)
			if (num_add(&sums_val(&r->rows, row)[k], v[SUM_SELF(k)]) < 0 ||
			    num_add(&r->incl[row * r->rows.nval + k],
			    v[SUM_INCL(k)]) < 0 || (r->upper &&
			    num_add(&r->upper[row * r->rows.nval + k],
			    v[SUM_INCL(k)]) < 0))
				return -1;
	}
	count_sizes(r);
	for (i = 0; i < s->no_self.n; i++)
		r->flags[*sums_key(&s->no_self, i)] |= RANK_NO_SELF;
	return add_steps(s);
}

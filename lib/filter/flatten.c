/* SPDX-License-Identifier: ISC */
#include "filter/filter.h"

#include <stdlib.h>

#include "graph/cct.h"
#include "stream/deferred.h"
#include "stream/event.h"
#include "stream/event_label.h"
#include "stream/sums.h"
#include "util/mem.h"

struct flattener {
	struct sink sink;
	enum flatten as;
	const char *keep;	/* NULL, or of this creator's parts samples stay, */
	bool kept;		/* as in the part at hand */
	struct dict *dict;
	struct diag *diag;
	struct loss *loss;
	struct late header;	/* of the part, until its first record */
	bool in_header;
	size_t nval;		/* measured events */
	uint64_t nvalues;	/* read of them */
	struct cct cct;
	struct sums self;	/* of points without context, by function */

	/* While the tree is walked. */
	struct sums costs;	/* by function, file, line, address */
	struct sums calls;	/* and by callee: the count, then costs */
	struct sums steps;	/* function and callee: how often they are on */
	uint32_t *node_step;	/* the path from the root */
	size_t capnode_step;
	uint32_t *cost_at, *call_at;	/* a context at the place */
	size_t capcost_at, capcall_at;
	bool *counted;		/* of calls */
	size_t capcounted;
	struct buf values;
	struct event_label event;	/* of samples */
};

enum { PLACE_KEYS = 4, CALL_KEYS };

static int
overflow(struct flattener *s)
{
	return diag_fail(s->diag, "a sum does not fit 128 bits");
}

/* ---- the header ---- */

/* The result will have calls, whatever the source format has. */
static int
put_event(struct flattener *s, const struct record *r)
{
	struct record out;
	struct buf attrs = { 0 };
	int ret;

	rec_copy(&out, r);
	if (event_calls(r, "absent")) {
		attr_add_others(&attrs, r->attrs, "calls");
		out.attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	}
	ret = sink_put(s->sink.next, &out);
	buf_free(&attrs);
	return ret;
}

static int
end_header(struct flattener *s, bool stacks)
{
	struct late held = late_take(&s->header);
	size_t i;
	int ret = 0;

	s->in_header = false;
	for (i = 0; i < held.n && ret == 0; i++)
		ret = rec_kind(held.v[i]) == REC_EVENT && stacks && s->as == FLATTEN_CALLS &&
		    !s->kept ? put_event(s, held.v[i]) : sink_put(s->sink.next, held.v[i]);
	late_free(&held);
	return ret;
}

/* ---- records in ---- */

static int
add_values(struct flattener *s, struct text values, num *sums)
{
	struct sums_run run = { .values = values, .n = s->nval };

	if (sums_add_run(&run, sums) < 0)
		return overflow(s);
	for (; run.absent; run.absent--)
		loss_add(s->loss, "absent values (written as 0)");
	s->nvalues += run.found;
	return 0;
}

/* With many events: is there room for those of another context? */
static int
check_room(struct flattener *s, uint64_t ctx)
{
	uint64_t rows = s->self.n + 2 * (s->cct.n + cct_lacks(&s->cct, ctx));

	return sums_fits(rows * s->nval, s->nvalues) ? 0 :
	    sums_refuse(s->diag, s->nval);
}

static int
put_sample(struct flattener *s, const struct record *r)
{
	uint64_t none = NO_ID;

	if (s->as <= FLATTEN_POINTS || s->kept)
		return sink_put(s->sink.next, r);
	if (s->nval > TABLE_WIDE && check_room(s, r->col[0].n) < 0)
		return -1;
	loss_add(s->loss, "stacks of samples");
	event_label_see(&s->event, r->attrs, s->diag);
	if (r->attrs.s)
		loss_add(s->loss, "labels of samples");
	return add_values(s, r->values, r->col[0].n == NO_ID ?
	    sums_val(&s->self, sums_row(&s->self, &none)) :
	    cct_self(&s->cct, cct_node(&s->cct, (uint32_t)r->col[0].n)));
}

/* A point's number, 0 where it is absent; -1 if it does not fit. */
static int
get_num(struct flattener *s, struct text t, num *n)
{
	*n = 0;
	return t.s && num_get_num(t.s, t.n, n) < 0 ? overflow(s) : 0;
}

static int
put_point(struct flattener *s, const struct record *r)
{
	struct text real = r->col[r->col[POINT_REAL].t.s ? POINT_REAL : POINT_SUM].t;
	uint64_t ctx = r->col[POINT_CTX].n, func = r->col[POINT_FUNC].n;
	num occ, self, incl;
	size_t node;

	loss_add(s->loss, "sizes of inputs, and what points count");
	if (!s->nval)
		return 0;
	if (s->nval > TABLE_WIDE && check_room(s, ctx) < 0)
		return -1;
	if (!r->col[POINT_SELF].t.s)
		loss_add(s->loss, "costs of points without self cost");
	if (get_num(s, r->col[POINT_OCC].t, &occ) < 0 || get_num(s, real, &incl) < 0 ||
	    get_num(s, r->col[POINT_SELF].t, &self) < 0)
		return -1;
	if (ctx == NO_ID)
		return num_add(sums_val(&s->self, sums_row(&s->self, &func)), self) < 0 ?
		    overflow(s) : 0;
	if (func != NO_ID && func != dict_def(s->dict, REC_CTX, (uint32_t)ctx)[CTX_FUNC])
		loss_add(s->loss, "functions of points whose contexts name another");
	node = cct_node(&s->cct, (uint32_t)ctx);
	if (num_add(cct_self(&s->cct, node), self) < 0 ||
	    (r->col[POINT_OCC].t.s && cct_count(&s->cct, node, occ) < 0) ||
	    (real.s && cct_measure(&s->cct, node, 0, incl) < 0))
		return overflow(s);
	return 0;
}

/* ---- records out ---- */

/* Sets a record's values, without trailing zeros, but at least one value. */
static void
set_values(struct flattener *s, struct record *r, const num *v)
{
	char tmp[NUM_TEXT];
	size_t n = s->nval, i;

	while (n > 1 && !v[n - 1])
		n--;
	s->values.n = 0;
	for (i = 0; i < n; i++) {
		buf_puts(&s->values, i ? "\t" : "");
		buf_add(&s->values, tmp, (size_t)(num_put_num(tmp, v[i]) - tmp));
	}
	r->values = buf_as_text(&s->values);
}

static int
put_funcs(struct flattener *s)
{
	struct record r;
	size_t i;

	rec_init(&r, REC_COST);
	for (i = 0; i < s->self.n; i++) {
		r.col[PLACE_FUNC].n = *sums_key(&s->self, i);
		set_values(s, &r, sums_val(&s->self, i));
		if (sink_put(s->sink.next, &r) < 0)
			return -1;
	}
	return 0;
}

static bool
all_zero(const num *v, size_t n)
{
	while (n && !v[n - 1])
		n--;
	return n == 0;
}

static int
put_samples(struct flattener *s)
{
	struct record r;
	size_t i;

	rec_init(&r, REC_SAMPLE);
	for (i = 0; i < s->cct.n; i++) {
		const num *self = cct_self(&s->cct, i);

		if (all_zero(self, s->nval))
			continue;
		r.col[0].n = s->cct.ctx[i];
		set_values(s, &r, self);
		if (sink_put(s->sink.next, &r) < 0)
			return -1;
	}
	return 0;
}

/* The place of a context, as columns of a record. */
static void
set_place(struct flattener *s, struct record *r, uint32_t ctx)
{
	struct record c;
	unsigned i;

	dict_record(s->dict, REC_CTX, ctx, &c);
	for (i = 0; i < PLACE_KEYS; i++)
		r->col[i] = c.col[1 + CTX_FUNC + i];
}

static void
place_key(struct flattener *s, uint32_t ctx, uint64_t *key)
{
	const uint32_t *c = dict_def(s->dict, REC_CTX, ctx);
	unsigned i;

	for (i = 0; i < PLACE_KEYS; i++)
		key[i] = c[CTX_FUNC + i];
}

static int
add_all(num *sums, const num *v, size_t n)
{
	while (n--)
		if (num_add(&sums[n], v[n]) < 0)
			return -1;
	return 0;
}

/* Recursion counts once: the cost of a call from one function to another is that
 * of the outermost one on the path from the root. */
static int
add_call(struct flattener *s, size_t node)
{
	const uint32_t ctx = s->cct.ctx[node];
	uint32_t up = s->cct.ctx[s->cct.parent[node]];
	uint64_t key[CALL_KEYS], pair[2];
	size_t call, step;
	num *v, *open;

	place_key(s, up, key);
	key[PLACE_KEYS] = dict_def(s->dict, REC_CTX, ctx)[CTX_FUNC];
	call = sums_row(&s->calls, key);
	s->call_at = mem_reach(s->call_at, &s->capcall_at, call, sizeof *s->call_at, 0);
	s->call_at[call] = up;
	pair[0] = key[0];
	pair[1] = key[PLACE_KEYS];
	step = sums_row(&s->steps, pair);
	s->node_step[node] = (uint32_t)step;
	open = sums_val(&s->steps, step);
	v = sums_val(&s->calls, call);
	s->counted = mem_reach(s->counted, &s->capcounted, call, sizeof *s->counted, 0);
	s->counted[call] |= s->cct.flags[node] & CCT_COUNTED;
	if (num_add(&v[0], cct_activations(&s->cct, node)) < 0 ||
	    (*open == 0 && add_all(v + 1, cct_incl(&s->cct, node), s->nval) < 0))
		return -1;
	++*open;
	return 0;
}

static int
enter_node(void *arg, size_t node)
{
	struct flattener *s = arg;
	const num *self = cct_self(&s->cct, node);
	uint64_t key[PLACE_KEYS];
	size_t cost;

	place_key(s, s->cct.ctx[node], key);
	cost = sums_row(&s->costs, key);
	s->cost_at = mem_reach(s->cost_at, &s->capcost_at, cost, sizeof *s->cost_at, 0);
	s->cost_at[cost] = s->cct.ctx[node];
	if (add_all(sums_val(&s->costs, cost), self, s->nval) < 0)
		return -1;
	return s->cct.parent[node] == NO_ID ? 0 : add_call(s, node);
}

static int
leave_node(void *arg, size_t node)
{
	struct flattener *s = arg;

	if (s->cct.parent[node] != NO_ID)
		--*sums_val(&s->steps, s->node_step[node]);
	return 0;
}

static int
put_cost(struct flattener *s, size_t cost)
{
	struct record r;

	rec_init(&r, REC_COST);
	if (all_zero(sums_val(&s->costs, cost), s->nval))
		return 0;
	set_values(s, &r, sums_val(&s->costs, cost));
	set_place(s, &r, s->cost_at[cost]);
	return sink_put(s->sink.next, &r);
}

static int
put_call(struct flattener *s, size_t call)
{
	struct record r;
	const num *v = sums_val(&s->calls, call);
	char tmp[NUM_TEXT];

	rec_init(&r, REC_CALL);
	if (s->as == FLATTEN_COSTS)
		return 0;
	set_place(s, &r, s->call_at[call]);
	r.col[CALL_CALLEE].n = sums_key(&s->calls, call)[PLACE_KEYS];
	if (s->counted[call])
		r.col[CALL_COUNT].t = (struct text){ tmp,
		    (size_t)(num_put_num(tmp, v[0]) - tmp) };
	set_values(s, &r, v + 1);
	return sink_put(s->sink.next, &r);
}

/* Puts rows grouped by function, in the order in which functions came. */
static int
put_rows(struct flattener *s)
{
	size_t funcs = dict_count(s->dict, REC_FUNC) + 1, n = s->costs.n + s->calls.n;
	uint32_t *first = mem_alloc(funcs, sizeof *first);
	uint32_t *next = mem_alloc(n + 1, sizeof *next);
	size_t i, k;
	int ret = 0;

	for (i = n; i-- > 0; ) {
		uint64_t func = i < s->costs.n ? *sums_key(&s->costs, i) :
		    *sums_key(&s->calls, i - s->costs.n);

		func = func == NO_ID ? funcs - 1 : func;
		next[i] = first[func];
		first[func] = (uint32_t)i + 1;
	}
	for (i = 0; i < s->costs.n && ret == 0; i++) {
		uint64_t func = *sums_key(&s->costs, i);

		func = func == NO_ID ? funcs - 1 : func;
		for (k = first[func]; k && ret == 0; k = next[k - 1])
			ret = k - 1 < s->costs.n ? put_cost(s, k - 1) :
			    put_call(s, k - 1 - s->costs.n);
		first[func] = 0;
	}
	free(first);
	free(next);
	return ret;
}

static int
put_graph(struct flattener *s)
{
	const struct cct_walk walk = { enter_node, leave_node, s };
	int ret;

	sums_init(&s->costs, PLACE_KEYS, s->nval);
	sums_init(&s->calls, CALL_KEYS, 1 + s->nval);
	sums_init(&s->steps, 2, 1);
	s->node_step = mem_grow(s->node_step, &s->capnode_step, s->cct.n,
	    sizeof *s->node_step);
	if (s->counted)
		memset(s->counted, 0, s->capcounted * sizeof *s->counted);
	ret = cct_walk(&s->cct, &walk) ? overflow(s) : put_rows(s);
	sums_free(&s->costs);
	sums_free(&s->calls);
	sums_free(&s->steps);
	return ret;
}

static int
end_part(struct flattener *s)
{
	int ret = s->in_header ? end_header(s, false) : 0;

	if (ret == 0)
		ret = put_funcs(s);
	if (ret == 0 && s->cct.n)
		ret = s->as <= FLATTEN_POINTS ? put_samples(s) : put_graph(s);
	cct_clear(&s->cct, s->dict, 0);
	sums_free(&s->self);
	sums_init(&s->self, 1, 0);
	return ret;
}

/* ---- the sink ---- */

static int
begin_body(struct flattener *s, enum rec_kind kind)
{
	cct_clear(&s->cct, s->dict, s->nval);
	sums_widen(&s->self, s->nval);
	return end_header(s, kind == REC_SAMPLE || kind == REC_POINT);
}

static void
see_creator(struct flattener *s, const struct record *r)
{
	struct buf scratch = { 0 };
	const struct text creator = meta_value(r, &scratch);
	const size_t n = strlen(s->keep);

	s->kept = creator.n >= n && memcmp(creator.s, s->keep, n) == 0;
	buf_free(&scratch);
}

static int
flatten_put(struct sink *sink, const struct record *r)
{
	struct flattener *s = (struct flattener *)sink;
	enum rec_kind kind = rec_kind(r);

	if (kind == REC_PART || kind == REC_END) {
		if (end_part(s) < 0)
			return -1;
		s->nval = 0;
		s->in_header = kind == REC_PART;
		s->kept = false;
		return sink_put(sink->next, r);
	}
	/* A deep stack has many contexts, which need not wait: the headers of the
	 * target formats do not depend on them. */
	if (kind == REC_CTX)
		return sink_put(sink->next, r);
	if (s->in_header && kind == REC_META && s->keep && meta_is(r, "creator"))
		see_creator(s, r);
	if (s->in_header && (kind == REC_EVENT || s->header.n) &&
	    (kind < REC_CTX || kind == REC_TOTAL)) {
		s->nval += kind == REC_EVENT && r->col[EVENT_ID].n != NO_ID;
		late_keep(&s->header, r);
		return 0;
	}
	if (s->in_header && kind > REC_CTX && kind != REC_TOTAL &&
	    begin_body(s, kind) < 0)
		return -1;
	return kind == REC_SAMPLE ? put_sample(s, r) :
	    kind == REC_POINT ? put_point(s, r) : sink_put(sink->next, r);
}

static void
flatten_free(struct sink *sink)
{
	struct flattener *s = (struct flattener *)sink;

	late_free(&s->header);
	cct_free(&s->cct);
	sums_free(&s->self);
	free(s->node_step);
	free(s->cost_at);
	free(s->call_at);
	free(s->counted);
	buf_free(&s->values);
	event_label_free(&s->event);
	free(s);
}

struct sink *
filter_flatten(enum flatten as, const char *keep, struct dict *dict,
    struct loss *loss, struct diag *d)
{
	struct flattener *s = mem_alloc(1, sizeof *s);

	s->sink = (struct sink){ .put = flatten_put, .free = flatten_free };
	s->as = as;
	s->keep = keep;
	s->dict = dict;
	s->loss = loss;
	s->diag = d;
	sums_init(&s->self, 1, 0);
	return &s->sink;
}

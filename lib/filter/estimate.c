/* SPDX-License-Identifier: ISC */
#include "filter/filter.h"

#include <stdlib.h>

#include "graph/estimate.h"
#include "stream/defs.h"
#include "stream/stack.h"
#include "util/mem.h"

#define NO_ROW UINT32_MAX

struct estimate {
	struct sink sink;
	struct dict *dict;
	struct diag *diag;
	size_t nevents;		/* of the part */
	bool has_costs;		/* the part has costs or calls, so the tables exist */
	bool any;		/* some part had any */
	struct sums self, calls;	/* by function */
	uint64_t nvalues;	/* that were added to them, and that stacks have */
	uint64_t nstacks;
	uint32_t *row_of;	/* the row, by the function's number */
	size_t caprow_of;
	uint32_t *frame_of;	/* by row: the dictionary's frame of the function */
	size_t capframe_of;
	/* The last stack, the root first: its rows, its frames, the mark before them, and its
	 * context. */
	uint32_t *row;
	size_t nrow, caprow;
	struct stack stack;
	uint32_t ctx;
	uint32_t *added;	/* the frames that the stack before does not have */
	size_t capadded;
	struct buf values;
};

/* ---- sums ---- */

/* Sets *key to a function without attributes, which is defined if it is new. */
static int
identity(struct estimate *e, uint64_t func, uint64_t *key)
{
	struct record r;
	bool fresh;

	*key = dict_func_bare(e->dict, func, &fresh);
	if (!fresh)
		return 0;
	dict_record(e->dict, REC_FUNC, (uint32_t)*key, &r);
	return sink_put(e->sink.next, &r);
}

static int
find_row(struct estimate *e, uint64_t func, uint64_t *row)
{
	uint64_t at = func == NO_ID ? 0 : func + 1, key;

	e->row_of = mem_reach(e->row_of, &e->caprow_of, at, sizeof *e->row_of, 0xff);
	if (e->row_of[at] == NO_ROW) {
		if (identity(e, func, &key) < 0)
			return -1;
		e->row_of[at] = (uint32_t)sums_row(&e->self, &key);
	}
	*row = e->row_of[at];
	return 0;
}

static int
overflow(struct estimate *e)
{
	return diag_too_large(e->diag, "a sum");
}

static int
check_room(struct estimate *e)
{
	/* A function has two more in the estimate. */
	const uint64_t rows = 3 * e->self.n + e->calls.n + e->nstacks;

	return e->nevents <= TABLE_WIDE || sums_fits(rows * e->nevents, e->nvalues) ? 0 :
	    sums_refuse(e->diag, e->nevents);
}

static int
add_values(struct estimate *e, num *sum, struct text values)
{
	struct sums_run run = { .values = values, .n = e->nevents };

	if (sums_add_run(&run, sum) < 0)
		return overflow(e);
	e->nvalues += sums_counted(&run);
	return check_room(e);
}

/* Begins a part that has something to estimate. */
static int
begin(struct estimate *e)
{
	e->has_costs = e->any = true;
	e->nvalues = e->nstacks = 0;
	if (!e->self.nkey || e->self.nval != e->nevents) {
		sums_free(&e->self);
		sums_free(&e->calls);
		sums_init(&e->self, 1, e->nevents);
		sums_init(&e->calls, ESTIMATE_KEYS, e->nevents + 1);
	}
	if (e->row_of)
		memset(e->row_of, 0xff, e->caprow_of * sizeof *e->row_of);
	return meta_put(e->sink.next, "estimate", TEXT("stacks, from costs and calls"));
}

static int
put_cost(struct estimate *e, const struct record *r)
{
	uint64_t row;

	if (find_row(e, r->col[PLACE_FUNC].n, &row) < 0)
		return -1;
	return add_values(e, sums_val(&e->self, row), r->values);
}

static int
put_call(struct estimate *e, const struct record *r)
{
	uint64_t key[ESTIMATE_KEYS];
	struct text count = r->col[CALL_COUNT].t;
	num *sums, n = 0;

	if (find_row(e, r->col[PLACE_FUNC].n, &key[ESTIMATE_FROM]) < 0 ||
	    find_row(e, r->col[CALL_CALLEE].n, &key[ESTIMATE_TO]) < 0)
		return -1;
	sums = sums_val(&e->calls, sums_row(&e->calls, key));
	if (count.s && (num_get_num(count.s, count.n, &n) < 0 || num_add(sums, n) < 0))
		return overflow(e);
	return add_values(e, sums + 1, r->values);
}

/* ---- stacks ---- */

/* Checks for negative costs, which cannot be divided: a difference has no stacks. */
static int
check_signs(struct estimate *e, const struct sums *t, unsigned column)
{
	size_t i, k;

	for (i = 0; i < t->n; i++)
		for (k = 0; k < t->nval; k++)
			if (sums_val(t, i)[k] < 0) {
				uint64_t row = column ? sums_key(t, i)[column] : i;
				struct text name = dict_func_name(e->dict,
				    (uint32_t)*sums_key(&e->self, row));

				return diag_fail_plain(e->diag, "--estimate: %s of %s "
				    "is negative, so stacks cannot be estimated",
				    column ? "a call" : "the cost",
				    diag_quote(name.s ? name.s : "", name.n));
			}
	return 0;
}

static uint32_t
frame_of(struct estimate *e, uint32_t func)
{
	struct ctx_def c = NO_CTX;

	c.func = func;
	return dict_define_frame(e->dict, (const uint32_t *)&c);
}

/* Begins with the first frame of every stack: formats of stacks have no other place for a
 * mark, and it is visible in a flame graph. */
static int
begin_stacks(struct estimate *e)
{
	struct func_def f = NO_FUNC;
	uint32_t func, mark;
	size_t row;

	e->frame_of = mem_grow(e->frame_of, &e->capframe_of, e->self.n, sizeof *e->frame_of);
	for (row = 0; row < e->self.n; row++)
		e->frame_of[row] = frame_of(e, (uint32_t)*sums_key(&e->self, row));
	f.name = dict_str(e->dict, TEXT("[estimate]"));
	if (dict_put_func(e->dict, e->sink.next, &f, &func) < 0)
		return -1;
	mark = frame_of(e, func);
	e->nrow = e->stack.n = 0;
	stack_add(&e->stack, dict_contexts(e->dict), &mark, 1);
	return stack_put(&e->stack, e->dict, e->sink.next, &e->ctx);
}

/* Puts the contexts of a path, of which the stack before usually has most. */
static int
put_frames(struct estimate *e, const uint32_t *path, size_t n)
{
	const struct contexts *c = dict_contexts(e->dict);
	size_t same, i;

	for (same = 0; same < n && same < e->nrow && e->row[same] == path[n - 1 - same]; same++)
		;
	e->row = mem_grow(e->row, &e->caprow, n, sizeof *e->row);
	e->added = mem_grow(e->added, &e->capadded, n, sizeof *e->added);
	for (i = same; i < n; i++) {
		e->row[i] = path[n - 1 - i];
		e->added[i] = e->frame_of[e->row[i]];
	}
	e->nrow = n;
	e->stack.n = 1 + same;
	stack_add(&e->stack, c, e->added + same, n - same);
	return stack_put(&e->stack, e->dict, e->sink.next, &e->ctx);
}

static int
put_stack(void *arg, const uint32_t *path, size_t n, const num *cost)
{
	struct estimate *e = arg;
	struct record r;
	size_t i;
	char *p;

	e->nstacks++;
	for (i = 0; i < e->nevents; i++)
		e->nvalues += cost[i] != 0;
	if (check_room(e) < 0 || put_frames(e, path, n) < 0)
		return -1;
	rec_init(&r, REC_SAMPLE);
	e->values.n = 0;
	p = buf_room(&e->values, e->nevents * (NUM_TEXT + 1));
	for (i = 0; i < e->nevents; i++) {
		if (i)
			*p++ = '\t';
		p = num_put_num(p, cost[i]);
	}
	e->values.n = (size_t)(p - e->values.s);
	r.col[0].n = e->ctx;
	r.values = buf_as_text(&e->values);
	return sink_put(e->sink.next, &r);
}

static void
show_step(void *arg, uint64_t done, uint64_t of)
{
	const struct estimate *e = arg;

	if (e->diag->work)
		e->diag->work("the estimate", done, of);
}

static int
end_part(struct estimate *e)
{
	struct stack_estimate s = { .self = &e->self, .calls = &e->calls, .put = put_stack,
	    .step = show_step, .arg = e };
	const bool first = dict_count(e->dict, REC_CTX) == 0;
	int r;

	if (!e->has_costs)
		return 0;
	e->has_costs = false;
	if (check_signs(e, &e->self, 0) < 0 ||
	    check_signs(e, &e->calls, ESTIMATE_TO) < 0 || begin_stacks(e) < 0)
		return -1;
	r = estimate_stacks(&s);
	if (first && sink_takes(e->sink.next) & FORGETS_CONTEXTS)
		dict_forget_contexts(e->dict);
	sums_empty(&e->self);
	sums_empty(&e->calls);
	if (r == ESTIMATE_LARGE)
		return diag_fail_plain(e->diag, "--estimate: costs are too large to "
		    "distribute in 128 bits");
	if (r == ESTIMATE_MANY)
		return diag_fail_plain(e->diag, "--estimate: the stacks of a part would "
		    "have more than %d frames, or %d with new callers: omit functions of "
		    "little cost, with --rules and min-share", ESTIMATE_FRAMES,
		    ESTIMATE_CONTEXTS);
	return r;
}

/* ---- records ---- */

static int
estimate_put(struct sink *s, const struct record *r)
{
	struct estimate *e = (struct estimate *)s;
	enum rec_kind kind = rec_kind(r);

	switch (kind) {
	case REC_COST: case REC_CALL:
		if (!e->has_costs && begin(e) < 0)
			return -1;
		return kind == REC_COST ? put_cost(e, r) : put_call(e, r);
	case REC_PART:
		if (end_part(e) < 0)
			return -1;
		e->nevents = 0;
		break;
	case REC_EVENT:
		e->nevents += r->col[EVENT_ID].n != NO_ID;
		break;
	case REC_END:
		if (end_part(e) < 0)
			return -1;
		if (e->any)
			diag_say(e->diag, DIAG_NOTE, "stacks are estimated from calls; "
			    "their root is [estimate]");
		break;
	default:
		break;
	}
	return sink_put(s->next, r);
}

/* Costs and calls are summed; jumps are for the next sink. */
static unsigned
estimate_takes(const struct sink *s)
{
	const struct estimate *e = (const struct estimate *)s;
	const unsigned jumps = sink_takes(s->next) & TAKES_JUMPS;

	return e->nevents == 1 && jumps ? TAKES_SUMS | jumps : 0;
}

static void
estimate_free(struct sink *s)
{
	struct estimate *e = (struct estimate *)s;

	sums_free(&e->self);
	sums_free(&e->calls);
	free(e->row_of);
	free(e->frame_of);
	free(e->row);
	stack_free(&e->stack);
	free(e->added);
	buf_free(&e->values);
	free(e);
}

struct sink *
filter_estimate(struct dict *dict, struct diag *d)
{
	struct estimate *e = mem_alloc(1, sizeof *e);

	e->sink = (struct sink){ .put = estimate_put, .free = estimate_free,
	    .takes = estimate_takes };
	e->dict = dict;
	e->diag = d;
	return &e->sink;
}

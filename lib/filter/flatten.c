/* SPDX-License-Identifier: ISC */
#include "filter/flatten_state.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- the header ---- */

/* Puts an event: the result has calls, whatever the source format has. */
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
	struct late_records held = late_records_take(&s->header);
	size_t i;
	int ret = 0;

	for (i = 0; i < held.n && ret == 0; i++)
		ret = rec_kind(held.v[i]) == REC_EVENT && stacks && s->as == FLATTEN_CALLS &&
		    !s->kept ? put_event(s, held.v[i]) : sink_put(s->sink.next, held.v[i]);
	late_records_free(&held);
	return ret;
}

/* ---- records in ---- */

static int
add_values(struct flattener *s, struct text values, num *sums)
{
	struct sums_run run = { .values = values, .n = s->nval };

	if (sums_add_run(&run, sums) < 0)
		return flatten_overflow(s);
	loss_many(s->loss, "absent values (written as 0)", run.absent);
	s->nvalues += sums_counted(&run);
	return 0;
}

/* With many events: is there room for another context's? */
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
	if (r->attrs.s)
		loss_add(s->loss, "labels of samples");
	return add_values(s, r->values, r->col[0].n == NO_ID ?
	    sums_val(&s->self, sums_row(&s->self, &none)) :
	    cct_self(&s->cct, cct_node(&s->cct, (uint32_t)r->col[0].n)));
}

/* Sets *n to a point's number, 0 if it is absent; -1 if it does not fit. */
static int
get_num(struct flattener *s, struct text t, num *n)
{
	*n = 0;
	return t.s && num_get_num(t.s, t.n, n) < 0 ? flatten_overflow(s) : 0;
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
		    flatten_overflow(s) : 0;
	if (func != NO_ID && func != dict_frame(s->dict, (uint32_t)ctx)[CTX_FUNC])
		loss_add(s->loss, "functions of points whose contexts name another");
	node = cct_node(&s->cct, (uint32_t)ctx);
	if (num_add(cct_self(&s->cct, node), self) < 0 ||
	    (r->col[POINT_OCC].t.s && cct_count(&s->cct, node, occ) < 0) ||
	    (real.s && cct_measure(&s->cct, node, 0, incl) < 0))
		return flatten_overflow(s);
	return 0;
}

/* ---- parts ---- */

static int
end_part(struct flattener *s)
{
	int ret = flatten_put_funcs(s);

	if (ret == 0 && s->cct.n)
		ret = s->as <= FLATTEN_POINTS ? flatten_put_samples(s) : flatten_put_graph(s);
	cct_clear(&s->cct, s->dict, 0);
	sums_free(&s->self);
	sums_init(&s->self, 1, 0);
	return ret;
}

/* Do the part's samples stay? */
static bool
is_kept(const struct flattener *s)
{
	struct buf scratch = { 0 };
	const struct text creator = s->keep ?
	    metadata_value(&s->part.metadata, "creator", &scratch) : (struct text){ 0 };
	const bool kept = creator.s && text_begins(creator, s->keep);

	buf_free(&scratch);
	return kept;
}

static int
begin_body(struct flattener *s, enum rec_kind kind)
{
	s->nval = s->part.events.measured;
	s->kept = is_kept(s);
	cct_clear(&s->cct, s->dict, s->nval);
	sums_widen(&s->self, s->nval);
	return end_header(s, kind == REC_SAMPLE || kind == REC_POINT);
}

/* ---- the sink ---- */

static __attribute__((noinline)) int
put_other(struct sink *sink, const struct record *r)
{
	struct flattener *s = (struct flattener *)sink;
	enum rec_kind kind = rec_kind(r);

	/* A deep stack has many contexts, which need not wait: the headers of the
	 * target formats do not depend on them. */
	if (kind == REC_CTX)
		return sink_put(sink->next, r);
	if ((part_ends_header(&s->part, kind) && begin_body(s, kind) < 0) ||
	    (part_ends(&s->part, kind) && end_part(s) < 0))
		return -1;
	part_take(&s->part, r);
	if (s->part.place == PART_HEADER && (kind == REC_EVENT || s->header.n)) {
		late_records_keep(&s->header, r);
		return 0;
	}
	return kind == REC_SAMPLE ? put_sample(s, r) :
	    kind == REC_POINT ? put_point(s, r) : sink_put(sink->next, r);
}

static int
flatten_put(struct sink *sink, const struct record *r)
{
	const struct flattener *s = (const struct flattener *)sink;
	const enum rec_kind kind = rec_kind(r);

	return part_goes_on(&s->part, kind) && kind != REC_SAMPLE && kind != REC_POINT ?
	    sink_put(sink->next, r) : put_other(sink, r);
}

/* The tree of points and flattened samples needs their contexts until the part's end. */
static unsigned
flatten_takes(const struct sink *s)
{
	return ((const struct flattener *)s)->cct.n ? 0 : sink_takes(s->next) & FORGETS_CONTEXTS;
}

static void
flatten_free(struct sink *sink)
{
	struct flattener *s = (struct flattener *)sink;

	part_free(&s->part);
	late_records_free(&s->header);
	cct_free(&s->cct);
	sums_free(&s->self);
	free(s->path);
	free(s->cost_at);
	free(s->call_at);
	free(s->counted);
	buf_free(&s->values);
	free(s);
}

struct sink *
filter_flatten(enum flatten as, const char *keep, struct dict *dict,
    struct loss *loss, struct diag *d)
{
	struct flattener *s = mem_alloc(1, sizeof *s);

	s->sink = (struct sink){ .put = flatten_put, .free = flatten_free,
	    .takes = flatten_takes };
	s->as = as;
	s->keep = keep;
	s->dict = dict;
	s->loss = loss;
	s->diag = d;
	sums_init(&s->self, 1, 0);
	return &s->sink;
}

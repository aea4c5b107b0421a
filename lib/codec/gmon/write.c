/* SPDX-License-Identifier: ISC */
/* Collects records until the layout of the file is known. */
#include "writer.h"

#include <stdlib.h>

#include "filter/filter.h"
#include "stream/loss.h"
#include "util/mem.h"

/* ---- the header ---- */

static bool
next(struct text *rest, struct buf *b, struct text *t)
{
	struct text f;

	return fields_next(rest, &f) && field_unescape(f, b, t) && t->s;
}

static bool
number(struct text t, uint64_t most, uint64_t *out)
{
	num n;

	if (num_is_address(t.s, t.n, out))
		return *out <= most;
	if (!num_is_canonical(t) || num_get_num(t.s, t.n, &n) < 0)
		return false;
	*out = (uint64_t)n;
	return n >= 0 && n <= most;
}

static bool
set_layout(struct writer *w, const struct text *t)
{
	int flavour;

	for (flavour = 0; flavour < GMON_FLAVOURS; flavour++)
		if (text_is(t[0], gmon_flavour_name[flavour]))
			break;
	if (flavour == GMON_LD)
		loss_add(w->e.loss, "the layout of LD_PROFILE (written in GNU's)");
	else
		w->g.flavour = flavour;
	w->laid_out = true;
	w->g.big = text_is(t[1], "big");
	w->g.word = text_is(t[2], "32") ? 4 : 8;
	return flavour < GMON_FLAVOURS && (w->g.big || text_is(t[1], "little")) &&
	    (w->g.word == 4 || text_is(t[2], "64"));
}

/* Reads "flavour order bits". */
static int
read_layout(struct writer *w, struct text list)
{
	struct buf b = { 0 };
	struct text t[3];
	bool good;
	int i;

	buf_room(&b, list.n + 16);
	for (i = 0; i < 3 && next(&list, &b, &t[i]); i++)
		;
	good = i == 3 && set_layout(w, t);
	buf_free(&b);
	return good ? 0 : encode_fail(&w->e, "malformed metadata gmon.layout");
}

/* Reads "low high bins rate dimension abbreviation". */
static int
read_hist(struct writer *w, struct text list)
{
	struct gmon_hist h = { 0 };
	struct buf b = { 0 };
	struct text t[6] = { { 0 } };
	bool good;
	int i;

	buf_room(&b, list.n + 16);
	for (i = 0; i < 6 && next(&list, &b, &t[i]); i++)
		;
	good = i >= 4 && number(t[0], UINT64_MAX, &h.low) &&
	    number(t[1], UINT64_MAX, &h.high) && number(t[2], UINT32_MAX, &h.nbins) &&
	    number(t[3], UINT32_MAX, &h.rate);
	if (good) {
		gmon_set_dimension(w, &h, t[4]);
		h.abbrev = t[5].s && t[5].n ? *t[5].s : '\0';
	}
	buf_free(&b);
	if (!good || (h.nbins && (h.low >= h.high || h.nbins > h.high - h.low)))
		return encode_fail(&w->e, "malformed metadata gmon.hist");
	w->g.hist = mem_grow(w->g.hist, &w->g.caphist, w->g.nhist + 1,
	    sizeof *w->g.hist);
	w->g.hist[w->g.nhist++] = h;
	return 0;
}

static int
put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	(void)p;
	if (meta_is(r, "gmon.layout"))
		return read_layout(w, r->attrs);
	if (meta_is(r, "gmon.hist"))
		return read_hist(w, r->attrs);
	if (!meta_is(r, "format"))
		loss_record(w->e.loss, r);
	return 0;
}

/* Puts an event.  The costs are those of time or, failing that, of the first event. */
static int
put_event(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (r->col[EVENT_ID].n == NO_ID) {
		loss_add(w->e.loss, "derived events");
	} else if (text_is(r->col[EVENT_NAME].t, "blocks")) {
		w->blocks = (long)r->col[EVENT_ID].n;
	} else if (w->time >= 0) {
		loss_add(w->e.loss, "further events");
	} else {
		w->time = (long)r->col[EVENT_ID].n;
		w->propagated = event_calls(r, "propagated");
	}
	return 0;
}

/* ---- costs and calls ---- */

/* Sets *n to the value of a column: false if there is none. */
static bool
value_at(struct text values, long column, num *n)
{
	struct text v;

	*n = 0;
	for (; column >= 0 && values_next(&values, &v); column--) {
		if (column)
			continue;
		if (!text_is(v, "-") && num_get_num(v.s, v.n, n) < 0)
			*n = -1;	/* rejected, like all negative values */
		return true;
	}
	return false;
}

static bool
has_addr(const struct field *f)
{
	return f->has & HAS_N;
}

/*
 * Is the function in the object that has the addresses?  Returns 1; 0 if not, and the
 * executable is known; -1 with the diag set if not, and it is not known.
 */
static int
is_ours(struct writer *w, const struct record *r, uint64_t func)
{
	struct symbolizer *names = w->e.names ? *w->e.names : NULL;
	uint32_t object = dict_def(w->e.dict, REC_FUNC, (uint32_t)func)[FUNC_OBJECT];

	if (object == NO_ID)
		return 1;
	if (names)
		return symbolize_is_object(names, object);
	if (w->object == NO_ID)
		w->object = object;
	return w->object == object ? 1 : gmon_fail_value(w, r, "a file holds one object, but "
	    "there are several: give the executable with --exe");
}

/*
 * Sets *out to the address of a place, or that of its function in the executable: 1; 0 if
 * the executable has no such function; -1 if there is no executable.
 */
static int
addr_of(struct writer *w, const struct record *r, const struct field *addr,
    uint64_t func, uint64_t *out)
{
	struct symbolizer *names = w->e.names ? *w->e.names : NULL;
	int ret = is_ours(w, r, func);

	*out = addr->n;
	if (ret <= 0 || has_addr(addr))
		return ret;
	if (!names)
		return gmon_fail_value(w, r, "addresses are needed: give the executable "
		    "with --exe");
	return func != NO_ID && symbolize_addr(names, func, out);
}

static int
put_cost(struct writer *w, const struct record *r)
{
	struct gmon *g = &w->g;
	num value, ran;
	uint64_t addr;
	bool block;
	int ret;

	w->any = true;
	value_at(r->values, w->time, &value);
	block = value_at(r->values, w->blocks, &ran);
	if (!value && !block)
		return 0;
	ret = addr_of(w, r, &r->col[PLACE_ADDR], r->col[PLACE_FUNC].n, &addr);
	if (r->col[PLACE_ADDR].has & HAS_M)
		loss_add(w->e.loss, "numbers of counters");
	if (ret == 0)
		loss_add(w->e.loss, "costs of functions not in the executable");
	if (ret <= 0)
		return ret;
	if (value < 0 || ran < 0 || ran > UINT64_MAX)
		return gmon_fail_value(w, r, "a cost is negative or too large");
	if (block) {	/* even if it never ran */
		g->block = mem_grow(g->block, &g->capblock, g->nblock + 1,
		    sizeof *g->block);
		g->block[g->nblock++] = (struct gmon_block){ addr, (uint64_t)ran };
	}
	if (num_add(&w->sum, value) < 0)
		return gmon_fail_value(w, r, "a sum does not fit 128 bits");
	if (value) {
		w->at = mem_grow(w->at, &w->capat, w->nat + 1, sizeof *w->at);
		w->at[w->nat++] = (struct at){ addr, value,
		    r->col[PLACE_FUNC].n };
	}
	return 0;
}

static int
put_call(struct writer *w, const struct record *r)
{
	struct text t = r->col[CALL_COUNT].t;
	struct gmon *g = &w->g;
	struct gmon_arc a;
	num count = 0, cost;
	int ret;

	w->any = true;
	ret = addr_of(w, r, &r->col[PLACE_ADDR], r->col[PLACE_FUNC].n, &a.from);
	if (ret > 0)
		ret = addr_of(w, r, &r->col[CALL_TADDR], r->col[CALL_CALLEE].n, &a.self);
	if (ret == 0)
		loss_add(w->e.loss, "calls of functions not in the executable");
	if (ret <= 0)
		return ret;
	if (t.s && (num_get_num(t.s, t.n, &count) < 0 || count < 0 ||
	    count > UINT64_MAX))
		return gmon_fail_value(w, r, "a count of calls does not fit 64 bits");
	if (!t.s)
		loss_add(w->e.loss, "absent counts (written as 0)");
	g->arc = mem_grow(g->arc, &g->caparc, g->narc + 1, sizeof *g->arc);
	/* gprof itself distributes time. */
	if (!w->propagated && value_at(r->values, w->time, &cost) && cost)
		loss_add(w->e.loss, "inclusive costs of calls");
	a.count = (uint64_t)count;
	g->arc[g->narc++] = a;
	return 0;
}

/* ---- the whole ---- */

static int
finish(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;
	const enum gmon_layout layout = ((const struct gmon_options *)w->e.options)->layout;
	const struct record *time;

	if (!w->any && !w->g.nhist && !w->laid_out)
		return diag_fail_plain(w->e.diag, "%s needs costs or calls, "
		    "but the profile has none", w->e.format);
	if (!w->laid_out) {	/* use this machine's layout */
		w->g.word = sizeof(void *) == 4 ? 4 : 8;
		w->g.big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	}
	if (layout != GMON_OWN_LAYOUT) {
		w->g.big = layout >= GMON_BIG32;
		w->g.word = layout == GMON_LITTLE32 || layout == GMON_BIG32 ? 4 : 8;
	}
	if (w->asked != GMON_FLAVOURS)
		w->g.flavour = w->asked;
	time = w->time < 0 ? NULL : events_at(&s->part.events, (size_t)w->time);
	w->per = time ? gmon_per_unit(time) : 1;
	if (w->nat && !w->g.nhist && gmon_make_hists(w) < 0)
		return -1;
	if (gmon_fill_hists(w) < 0 || gmon_check_size(w) < 0 ||
	    (w->g.flavour == GMON_MAGIC ? gmon_write_magic(w) : gmon_write_bsd(w)) < 0)
		return -1;
	if (w->have_run && w->run != w->sum)
		loss_add(w->e.loss, "the cost of the run outside its lines");
	if (w->have_stated && w->stated != w->sum)
		loss_add(w->e.loss, "totals");
	if (w->nat)
		gmon_lose_event(w, time);
	if (w->g.flavour == GMON_BSD && w->g.hist->rate)
		loss_add(w->e.loss, "the rate of ticks");
	return 0;
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	return rec_kind(r) == REC_COST ? put_cost(w, r) :
	    rec_kind(r) == REC_CALL ? put_call(w, r) : 0;
}

static int
put_total(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (text_is(r->col[0].t, "run"))
		w->have_run = value_at(r->values, w->time, &w->run);
	else
		w->have_stated = value_at(r->values, w->time, &w->stated);
	return 0;
}

static void
free_writer(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;

	gmon_free(&w->g);
	free(w->at);
	free(w->ticks);
}

static const struct part_methods methods = {
	.meta = put_meta, .event = put_event, .total = put_total, .put = put_record,
	.finish = finish, .free = free_writer,
};

struct sink *
gmon_encode(const struct encode *e, enum gmon_flavour flavour)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	part_sink_init(&w->parts, &methods, e->diag, e->out);
	w->e = *e;
	w->asked = flavour;
	w->time = w->blocks = -1;
	w->object = NO_ID;
	out_set_content(e->out, OUT_BINARY);
	return &w->parts.sink;
}

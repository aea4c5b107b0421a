/* SPDX-License-Identifier: ISC */
/*
 * Writing Callgrind's profile format.
 *
 * Names and positions are compressed, and every line means the same under both
 * readings of a relative position (see read.c): a position is relative, and a file
 * omitted, only if the last line of self cost and the last line of any cost give the
 * same result.
 */
#include "dialect.h"
#include "writer.h"

#include <stdio.h>
#include <stdlib.h>

#include "filter/filter.h"
#include "util/mem.h"

/* ---- positions and costs ---- */

/* Writes one position, relative if it is near and both readings have the same base. */
static inline char *
put_one(const struct writer *w, char *p, unsigned k, uint64_t v)
{
	uint64_t base = w->self.v[k], at = v - base + CW_NEAR;

	if (at > 2 * CW_NEAR || (at < CW_NEAR) != (v < base) || !w->based ||
	    base != w->any.v[k])
		return k == POS_LINE ? num_put_u64(p, v) : num_put_hex(p, v);
	memcpy(p, w->near[at].s, 4);
	return p + w->near[at].n;
}

/* The two usual layouts are written out for the compiler. */
static inline char *
put_pos(const struct writer *w, char *p, const struct pos *at)
{
	unsigned i;

	if (w->npos == 2 && w->pos[0] == POS_ADDR && w->pos[1] == POS_LINE) {
		p = put_one(w, p, POS_ADDR, at->v[POS_ADDR]);
		*p++ = ' ';
		return put_one(w, p, POS_LINE, at->v[POS_LINE]);
	}
	for (i = 0; i < w->npos; i++) {
		if (i)
			*p++ = ' ';
		p = put_one(w, p, w->pos[i], at->v[w->pos[i]]);
	}
	return p;
}

static void
lose_pos(struct writer *w, const struct field *line, const struct field *addr)
{
	if ((addr->has & HAS_N && !w->has[POS_ADDR]) ||
	    (addr->has & HAS_BB && !w->has[POS_BB]) ||
	    (line->has & HAS_N && !w->has[POS_LINE]) || line->has & HAS_M)
		loss_add(w->e.loss, "positions of an undeclared kind");
	if (addr->has & HAS_M)
		loss_add(w->e.loss, "numbers of counters");
	if ((w->has[POS_ADDR] && !(addr->has & HAS_N)) ||
	    (w->has[POS_BB] && !(addr->has & HAS_BB)))
		loss_add(w->e.loss, "absent addresses (written as 0)");
}

static inline void
get_pos(struct writer *w, const struct field *line, const struct field *addr,
    struct pos *at)
{
	unsigned want = w->has[POS_ADDR] * HAS_N | w->has[POS_BB] * HAS_BB;

	at->v[POS_LINE] = line->has & HAS_N ? line->n : 0;
	at->v[POS_ADDR] = addr->has & HAS_N ? addr->n : 0;
	at->v[POS_BB] = addr->has & HAS_BB ? addr->m : 0;
	/* the declared positions, or no line */
	if (__builtin_expect(addr->has != want || line->has > w->has[POS_LINE], 0))
		lose_pos(w, line, addr);
}

/* Writes a target, which may be left out. */
static char *
put_target(struct writer *w, char *p, const struct field *line,
    const struct field *addr)
{
	struct pos at;

	if (!line->has && !addr->has && !(w->npos == 1 && w->has[POS_LINE]))
		return p;
	get_pos(w, line, addr, &at);
	return put_pos(w, p, &at);
}

static inline int
put_values(struct writer *w, const struct record *r, enum cost64_kind kind,
    char **p)
{
	if (cost64_put(&w->costs, r, kind, p) < 0)
		return -1;
	*(*p)++ = '\n';
	return 0;
}

/* ---- the body ---- */

/* Can a file be left out under either reading? */
static inline bool
implied(const struct writer *w, uint64_t file)
{
	return file == w->last && file == w->here;
}

static int
put_cost(struct writer *w, const struct record *r)
{
	struct pos at;
	char *p;

	if (r->col[PLACE_FUNC].n != w->func || r->col[PLACE_FILE].n != w->here ||
	    (!w->moved && r->col[PLACE_FILE].n != w->last))
		cw_go_to(w, r, NEXT_SELF_COST);
	get_pos(w, &r->col[PLACE_LINE], &r->col[PLACE_ADDR], &at);
	/* No value gets longer: "-" becomes "0". */
	p = out_room(w->e.out, 160 + r->values.n);
	p = put_pos(w, p, &at);
	if (put_values(w, r, COST64_SELF, &p) < 0)
		return -1;
	out_upto(w->e.out, p);
	w->self = w->any = at;
	w->based = true;
	w->last = w->here;
	if (r->attrs.s)
		loss_add(w->e.loss, "attributes of costs");
	return 0;
}

static int
put_call(struct writer *w, const struct record *r)
{
	uint64_t callee = r->col[CALL_CALLEE].n;
	const uint32_t *f = dict_def(w->e.dict, REC_FUNC, (uint32_t)callee);
	uint32_t cfile = f[FUNC_FILE], cobject = f[FUNC_OBJECT];
	const unsigned from = w->swapped ? CALL_TLINE : PLACE_LINE;
	const unsigned to = w->swapped ? PLACE_LINE : CALL_TLINE;
	uint64_t count;
	struct pos at;
	char *p;

	cw_go_to(w, r, NEXT_OTHER);
	if (cobject != w->object)
		cw_put_object(w, "cob=", cobject);
	if (!implied(w, cfile))
		cw_put_file(w, "cfi=", cfile);
	cw_put_func(w, "cfn=", callee);
	/* callgrind_annotate ignores costs of calls with count 0. */
	count = 0;
	if ((r->col[CALL_COUNT].t.s || !w->no_counts) &&
	    cost64_count(&w->costs, r, r->col[CALL_COUNT].t, 1, &count) < 0)
		return -1;
	get_pos(w, &r->col[from], &r->col[PLACE_ADDR], &at);
	p = out_room(w->e.out, 240 + r->values.n);
	memcpy(p, "calls=", 6);
	p = num_put_u64(p + 6, count);
	*p++ = ' ';
	p = put_target(w, p, &r->col[to], &r->col[CALL_TADDR]);
	*p++ = '\n';
	p = put_pos(w, p, &at);
	if (put_values(w, r, COST64_INCLUSIVE, &p) < 0)
		return -1;
	out_upto(w->e.out, p);
	w->any = at;
	w->moved = false;
	if (r->attrs.s)
		loss_add(w->e.loss, "attributes of calls");
	return 0;
}

static int
put_jump(struct writer *w, const struct record *r)
{
	bool conditional = r->col[JUMP_EXECUTED].t.s != NULL;
	uint64_t followed, executed = 0;
	uint64_t tfunc = r->col[JUMP_TFUNC].n, tfile = r->col[JUMP_TFILE].n;
	struct pos at;
	char *p;

	/* jfn= has no file and no object: an earlier block gives them. */
	if (tfunc != NO_ID && !cw_written(w, tfunc)) {
		pending_funcs_add(&w->fresh, tfunc);
		cw_fresh(w, NULL);
	}
	cw_go_to(w, r, NEXT_OTHER);
	if (!implied(w, tfile))
		cw_put_file(w, "jfi=", tfile);
	if (tfunc != w->func)
		cw_put_func(w, "jfn=", tfunc);
	get_pos(w, &r->col[PLACE_LINE], &r->col[PLACE_ADDR], &at);
	if (cost64_count(&w->costs, r, r->col[JUMP_FOLLOWED].t, 0, &followed) < 0 ||
	    (conditional &&
	    cost64_count(&w->costs, r, r->col[JUMP_EXECUTED].t, 0, &executed) < 0))
		return -1;
	p = out_room(w->e.out, 280);
	memcpy(p, conditional ? "jcnd=" : "jump=", 5);
	p = num_put_u64(p + 5, followed);
	if (conditional) {
		*p++ = '/';
		p = num_put_u64(p, executed);
	}
	*p++ = ' ';
	p = put_target(w, p, &r->col[JUMP_TLINE], &r->col[JUMP_TADDR]);
	*p++ = '\n';
	p = put_pos(w, p, &at);
	*p++ = '\n';
	out_upto(w->e.out, p);
	w->any = at;
	w->moved = false;
	return 0;
}

static __attribute__((noinline)) int
put_raw(struct writer *w, const struct record *r)
{
	if (w->converted || !callgrind_is_raw(r->col[1].t, r->col[0].n != NO_ID)) {
		loss_record(w->e.loss, r);
		return 0;
	}
	if (r->col[0].n != NO_ID && r->col[0].n != w->func) {
		struct record place;

		rec_copy(&place, r);
		place.col[PLACE_FILE].n = dict_def(w->e.dict, REC_FUNC,
		    (uint32_t)r->col[0].n)[FUNC_FILE];
		cw_go_to(w, &place, NEXT_OTHER);
	}
	cw_line(w, "", r->col[1].t);
	return 0;
}

static int
finish(struct part_sink *s)
{
	if (((struct writer *)s)->costs.negative)
		diag_say(s->diag, DIAG_NOTE, "callgrind: some readers treat negative "
		    "costs as 0");
	return 0;
}

static int
put_definition(struct part_sink *s, const struct record *r)
{
	if (rec_kind(r) == REC_FUNC)
		pending_funcs_add(&((struct writer *)s)->fresh, r->col[0].n);
	return 0;
}

static inline int
put_body(struct writer *w, const struct record *r)
{
	if (w->stacks)
		return cw_stack(w, r);
	if (w->fresh.n)
		cw_fresh(w, r);
	switch (rec_kind(r)) {
	case REC_COST: return put_cost(w, r);
	case REC_CALL: return put_call(w, r);
	case REC_JUMP: return put_jump(w, r);
	case REC_RAW: return put_raw(w, r);
	case REC_SAMPLE: loss_record(w->e.loss, r); return 0;	/* among costs */
	default: return 0;
	}
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	return put_body((struct writer *)s, r);
}

/* Has the part a creator whose records are stacks, if the first record is a sample? */
static bool
may_be_stacks(const struct part *p)
{
	struct buf scratch = { 0 };
	const bool may = dialect_stacks(metadata_value(&p->metadata, "creator", &scratch));

	buf_free(&scratch);
	return may;
}

/* Lines other than the first record do not show whether records are stacks, and a stack has
 * no such lines. */
static __attribute__((noinline)) int
put_outside(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	const struct part *p = &w->parts.part;
	const enum rec_kind kind = rec_kind(r);

	if (kind == REC_DECLARED)	/* dropped (unsupported.c) */
		return 0;
	if (kind != REC_RAW || p->place != PART_HEADER || !may_be_stacks(p))
		return part_sink_put(s, r);
	loss_record(w->e.loss, r);
	return 0;
}

static int
callgrind_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	return part_goes_on(&w->parts.part, rec_kind(r)) && !w->e.out->error ? put_body(w, r) :
	    put_outside(s, r);
}

static void
free_writer(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;
	struct buf *bufs[] = { &w->creator, &w->pid, &w->cmd, &w->events, &w->event,
	    &w->run, &w->sum, &w->run_id, &w->text };
	size_t i;

	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	cost64_free(&w->costs);
	pending_funcs_free(&w->fresh);
	name_index_free(&w->in_events);
	name_index_free(&w->in_event);
	free(w->fn.to);
	free(w->fl.to);
	free(w->ob.to);
	free(w->frames);
}

static const struct part_methods methods = {
	.begin = cw_begin_part, .meta = cw_meta, .event = cw_event, .total = cw_total,
	.body = cw_begin_body, .put = put_record, .define = put_definition,
	.end = cw_end_part, .finish = finish, .free = free_writer,
};

/* Prepares the spellings of positions near another. */
static void
spell_near(struct writer *w)
{
	int at, distance;

	for (at = 0; at <= 2 * CW_NEAR; at++) {
		distance = at - CW_NEAR;
		w->near[at].n = distance ? (unsigned char)snprintf(w->near[at].s,
		    sizeof w->near[at].s, "%+d", distance) : 1;
		if (!distance)
			w->near[at].s[0] = '*';
	}
}

struct sink *
callgrind_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	part_sink_init(&w->parts, &methods, e->diag, e->out);
	w->parts.sink.put = callgrind_put;
	w->parts.dict = e->dict;
	w->e = *e;
	w->costs = (struct cost64){ .e = &w->e };
	spell_near(w);
	cw_begin_file(w);
	return &w->parts.sink;
}

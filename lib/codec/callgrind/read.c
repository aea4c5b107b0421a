/* SPDX-License-Identifier: ISC */
/*
 * Reading Callgrind's profile format, version 1: Valgrind's manual, "Callgrind
 * Format Specification", and what callgrind/dump.c really writes.
 *
 * Relative positions.  The specification counts from the last cost line.
 * dump.c counts from the last line of *self* cost: neither a call's cost line
 * nor a jump's source line moves its base (fprint_fcost is the only caller of
 * copy_apos).  The same holds for the file that a missing cfi= or jfi= implies,
 * and for the file of a cost line after a call that was alone in another file.
 * The two agree wherever a call site has its own cost, and differ with
 * --toggle-collect and in dumps during a call.  Files whose creator is callgrind
 * are read as dump.c writes them, all others as the specification says.
 */
#include "dialect.h"
#include "positions.h"

#include <stdlib.h>

/* Reads values in their usual spelling; returns the newline, or NULL for any other. */
static inline const char *
read_values(const char *p, uint64_t most, struct text *values)
{
	struct scan s;

	if (!scan_line(p, ' ', &s))
		return scan_values(p, ' ', most, values);
	if (!s.n || !scan_numbers(&s, 0, most))
		return NULL;
	*values = (struct text){ p, s.n };
	return p + s.n;
}

/* Puts a cost line at p.  Returns its newline, or NULL with *ret set. */
static const char *
cost_line(struct reader *rd, const char *p, int *ret)
{
	struct pos at = { { 0 } };
	struct text values;
	const char *start = p, *q;

	if (__builtin_expect(!rd->started, 0) && (*ret = cg_start_part(rd)))
		return NULL;
	p = cg_positions(rd, p, &at);
	if (!p) {
		q = memchr(start, '\n', (size_t)(rd->end - start));
		*ret = BAD("expected %u position%s and costs, found %s", rd->npos,
		    rd->npos == 1 ? "" : "s", QUOTE_TO(start, q));
		return NULL;
	}
	values = (struct text){ 0 };
	q = *p == '\n' ? p : read_values(p, rd->nevents, &values);
	if (!q) {
		q = memchr(p, '\n', (size_t)(rd->end - p));
		if ((*ret = cg_values(rd, p, q, &values)))
			return NULL;
	}
	if (__builtin_expect(rd->stack.are, 0))
		return (*ret = cg_stack_line(rd, &at, values)) ? NULL : q;
	if (__builtin_expect(rd->pending != PENDING_NONE, 0)) {
		*ret = cg_second_line(rd, &at, values);
		if (*ret)
			return *ret == CG_TAKEN ? q : NULL;
	}
	if (__builtin_expect(!rd->have_func, 0) && (*ret = cg_need_func(rd)))
		return NULL;
	/* After a call alone in another file, dump.c continues in the previous file. */
	if (__builtin_expect(!rd->moved && rd->self_base, 0))
		rd->here = rd->last;
	rd->base = at;
	rd->at_base = true;
	rd->last = rd->here;
	rd->cost.col[PLACE_FUNC].n = rd->func;
	rd->cost.col[PLACE_FILE].n = rd->here;
	cg_set_place(rd, &at, &rd->cost.col[PLACE_LINE], &rd->cost.col[PLACE_ADDR]);
	rd->cost.values = values;
	if (sink_put(rd->d->out, &rd->cost) < 0) {
		*ret = LINE_FATAL;
		return NULL;
	}
	return q;
}

/*
 * Reads all usual lines of self cost at p: returns where they end, NULL if the sink
 * fails.  Usual are the layouts "line" and "instr line"; cost_line() reads any other.
 */
static inline __attribute__((always_inline)) const char *
usual_costs(struct reader *rd, const char *p, const bool instr)
{
	struct sink *out = rd->d->out;
	struct cursor *at = &rd->d->at;
	struct record *r = &rd->cost;
	const char *start = p, *end = rd->end;
	uint64_t base_addr = instr ? rd->base.v[POS_ADDR] : 0, addr = base_addr;
	uint64_t base_line = rd->base.v[POS_LINE], line;
	struct scan s;

	while (p < end) {
		const char *q = p;

		if ((instr && !(q = cg_short_position(q, base_addr, &addr, false))) ||
		    !(q = cg_short_position(q, base_line, &line, false)) ||
		    !scan_line(q, ' ', &s) || !s.n || !scan_numbers(&s, 0, rd->nevents))
			break;
		at->line++;
		r->values = (struct text){ q, s.n };
		r->col[PLACE_LINE].n = base_line = line;
		r->col[PLACE_LINE].has = line ? HAS_N : 0;
		r->col[PLACE_ADDR].n = base_addr = addr;
		p = q + s.n + 1;
		if (sink_put(out, r) < 0)
			return NULL;
	}
	if (p != start) {
		rd->base = (struct pos){ { 0 } };
		rd->base.v[POS_ADDR] = base_addr;
		rd->base.v[POS_LINE] = base_line;
		rd->at_base = true;
		rd->last = rd->here;
	}
	return p;
}

static __attribute__((noinline)) const char *
usual_lines(struct reader *rd, const char *p)
{
	return usual_costs(rd, p, false);
}

static __attribute__((noinline)) const char *
usual_instr_lines(struct reader *rd, const char *p)
{
	return usual_costs(rd, p, true);
}

/* Can lines of self cost take the fast path now?  Checked again after any other line. */
static bool
is_usual(struct reader *rd)
{
	rd->cost.col[PLACE_FUNC].n = rd->func;
	rd->cost.col[PLACE_FILE].n = rd->here;
	rd->cost.col[PLACE_ADDR].has = rd->has[POS_ADDR] ? HAS_N : 0;
	return rd->started && rd->pending == PENDING_NONE && rd->have_func && !rd->stack.are &&
	    (rd->moved || rd->here == rd->last || !rd->self_base) &&
	    ((rd->npos == 1 && rd->pos[0] == POS_LINE) ||
	    (rd->npos == 2 && rd->pos[0] == POS_ADDR && rd->pos[1] == POS_LINE));
}

/* Does a second line, a cost line, belong to the line [p, end)? */
static bool
has_second_line(const char *p, const char *end)
{
	static const char *const keys[] = { "calls=", "rcalls=", "jump=", "jcnd=" };
	size_t i, n;

	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		n = strlen(keys[i]);
		if ((size_t)(end - p) >= n && memcmp(p, keys[i], n) == 0)
			return true;
	}
	return false;
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	struct decode *d = rd->d;
	const char *q;
	int ret = LINE_OK;

	rd->end = end;
	while (p < end) {
		if (cg_begins_cost(*p) && is_usual(rd) &&
		    (!(p = rd->npos == 2 ? usual_instr_lines(rd, p) :
		    usual_lines(rd, p)) || p == end))
			return p ? 0 : -1;
		d->at.line++;
		if (cg_begins_cost(*p)) {
			if ((q = cost_line(rd, p, &ret))) {
				p = q + 1;
				continue;
			}
			q = memchr(p, '\n', (size_t)(end - p));
			cg_forget_target(rd);
		} else {
			q = rd->pending == PENDING_NONE ? cg_key_line(rd, p, &ret) : NULL;
			if (!q) {
				q = memchr(p, '\n', (size_t)(end - p));
				ret = cg_other_line(rd, p, q);
			}
			if (ret == LINE_BAD && has_second_line(p, q)) {
				cg_forget_target(rd);
				rd->pending = PENDING_SKIP;
			}
		}
		if (ret && decode_line_done(d, ret) < 0)
			return -1;
		rd->stack.broken |= rd->stack.are && ret == LINE_BAD;
		p = q + 1;
	}
	cg_keep_counts(rd);
	return 0;
}

/* Can a last line without a newline be truncated? callgrind ends all of its lines;
 * `totals:` equal to `summary:` are complete. */
static enum end_proof
end_proof(const struct reader *rd)
{
	if (rd->have_summary && rd->have_totals &&
	    rd->total_line == rd->d->at.line && rd->total_run.n &&
	    text_eq(buf_as_text(&rd->total_run), buf_as_text(&rd->total_sum)))
		return END_WHOLE;
	return rd->self_base || rd->stack.are ||
	    dialect_sums_up(buf_as_text(&rd->creator)) ? END_CUT :
	    dialect_ends_open(buf_as_text(&rd->creator)) ? END_BY_HABIT : END_UNPROVED;
}

static int
read_all(struct reader *rd)
{
	struct decode *d = rd->d;
	int ret;

	if (decode_lines(d, "profile", LAST_MAY_END, block, rd) < 0)
		return -1;
	if (!rd->in_part && !rd->any_part)
		return decode_line_done(d, BAD("no 'events:' line"));
	if (rd->pending == PENDING_CALL) {
		cg_forget_target(rd);
		if (decode_cut(d, "the profile is cut: it ends between 'calls=' and the cost "
		    "line") < 0)
			return -1;
	}
	ret = cg_end_part(rd);
	return ret ? decode_line_done(d, ret) :
	    decode_unended(d, "profile", end_proof(rd));
}

int
callgrind_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	struct buf *bufs[] = { &rd.creator, &rd.pid, &rd.cmd, &rd.run_pid, &rd.event,
	    &rd.events, &rd.summary, &rd.total_run, &rd.total_sum, &rd.count[0],
	    &rd.count[1], &rd.kept, &rd.scratch, &rd.stack.values };
	size_t i;
	int r;

	names_init(&rd.fn, d->dict, d->diag);
	names_init(&rd.fl, d->dict, d->diag);
	names_init(&rd.ob, d->dict, d->diag);
	cg_begin_file(&rd);
	cg_index_keys(&rd);
	rd.call = rec_make(REC_CALL);
	rd.jump = rec_make(REC_JUMP);
	rd.cost = rec_make(REC_COST);
	r = read_all(&rd);
	cg_forget_meta(&rd);
	free(rd.meta);
	comment_events_free(&rd.own_events);
	name_index_free(&rd.event_line);
	names_free(&rd.fn);
	names_free(&rd.fl);
	names_free(&rd.ob);
	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	return r;
}

/* SPDX-License-Identifier: ISC */
/* Callgrind's lines one by one; those of self cost. */
#include "positions.h"

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
	q = *p == '\n' ? p : cg_usual_values(p, rd->nevents, &values);
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
	cg_take_file(rd);
	rd->base = at;
	rd->at_base = true;
	rd->cost.col[PLACE_FUNC].n = rd->func;
	rd->cost.col[PLACE_FILE].n = rd->here;
	cg_set_place(rd, &at, &rd->cost.col[PLACE_LINE], &rd->cost.col[PLACE_ADDR]);
	rd->cost.values = values;
	if (sink_put(rd->d->out, &rd->cost) < 0) {
		*ret = LINE_FATAL;
		return NULL;
	}
	rd->measured = true;
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
		rd->at_base = rd->measured = true;
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

int
cg_lines(struct reader *rd, const char *p, const char *end)
{
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

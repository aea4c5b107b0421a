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
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/num.h"
#include "util/scan.h"

/* A decimal or hexadecimal number: returns its end, NULL if it is malformed. */
static const char *
number(const char *p, uint64_t *out)
{
	const char *q;

	if (*p == '0' && p[1] == 'x')
		p += 2, q = num_get_hex(p, out);
	else
		q = num_get_u64(p, out);
	return q && q > p ? q : NULL;
}

/* One subposition of any kind: returns its end, NULL if it is malformed. */
static const char *
subposition(const char *p, uint64_t base, uint64_t *out)
{
	const char *q;
	uint64_t v;

	switch (*p) {
	case '*':
		*out = base;
		return p + 1;
	case '+':
		q = number(p + 1, &v);
		return q && !__builtin_add_overflow(base, v, out) ? q : NULL;
	case '-':
		q = number(p + 1, &v);
		return q && !__builtin_sub_overflow(base, v, out) ? q : NULL;
	default:
		return number(p, out);
	}
}

/* After the blank at p, or at the newline if eol allows it; else NULL. */
static inline const char *
short_end(const char *p, bool eol)
{
	return *p == ' ' ? p + 1 : eol && *p == '\n' ? p : NULL;
}

/*
 * A position that is one of "*", "+N", "-N", N and 0xN, and the blank after it.
 * Most are the first three with one digit.  NULL for any other.
 */
static inline __attribute__((always_inline)) const char *
short_position(const char *p, uint64_t base, uint64_t *out, const bool eol)
{
	unsigned digit = (unsigned)(unsigned char)p[1] - '0', n;
	bool minus = *p == '-';
	uint64_t v;

	if (*p == '*') {
		*out = base;
		return short_end(p + 1, eol);
	}
	/* base is 9 at least, and far from the end */
	if ((*p == '+' || minus) && digit < 10 && p[2] == ' ' && base - 9 < INT64_MAX) {
		*out = minus ? base - digit : base + digit;
		return p + 3;
	}
	if (*p == '+' || minus) {
		p++;
	} else if (*p == '0' && p[1] == 'x') {
		n = scan_word(p + 2);
		return n - 1 < SCAN_HEX && scan_hex(p + 2, n, out) ?
		    short_end(p + 2 + n, eol) : NULL;
	} else {
		base = 0;
	}
	for (n = 0; p[n] >= '0' && p[n] <= '9'; n++)
		;
	if (n - 1 >= SCAN_DIGITS)
		return NULL;
	v = scan_dec(p, n);
	*out = minus ? base - v : base + v;
	return (minus ? base >= v : *out >= base) ? short_end(p + n, eol) : NULL;
}

/* Position k and the blanks after it; NULL: bad. */
static const char *
position(const struct reader *rd, const char *p, unsigned k, struct pos *at)
{
	if (!(p = subposition(p, rd->base.v[k], &at->v[k])) ||
	    (!blank(*p) && *p != '\n' && *p != '\r'))
		return NULL;
	while (blank(*p))
		p++;
	return p;
}

/* All subpositions of a line and the blanks after them; NULL: bad. */
static const char *
any_positions(const struct reader *rd, const char *p, struct pos *at)
{
	unsigned i;

	for (i = 0; i < rd->npos && p; i++)
		p = position(rd, p, rd->pos[i], at);
	return p;
}

/* The two usual layouts are spelt out for the compiler. */
static inline const char *
positions(const struct reader *rd, const char *p, struct pos *at)
{
	const char *q = p;

	if (rd->pos[rd->npos - 1] != POS_LINE || rd->npos > 2 ||
	    (rd->npos == 2 && (rd->pos[0] != POS_ADDR || !(q = short_position(q,
	    rd->base.v[POS_ADDR], &at->v[POS_ADDR], false)) || *q <= ' ')) ||
	    !(q = short_position(q, rd->base.v[POS_LINE], &at->v[POS_LINE], true)) ||
	    (*q <= ' ' && *q != '\n'))
		return any_positions(rd, p, at);
	return q;
}

/* Any spelling of values made canonical, in rd->scratch. */
int
cg_values(struct reader *rd, const char *p, const char *end, struct text *values)
{
	struct buf *b = &rd->scratch;
	char tmp[NUM_TEXT];
	uint64_t n = 0, v;

	b->n = 0;
	while (p < end && (blank(*p) || *p == '\r'))
		p++;
	while (p < end) {
		const char *word = p, *q;
		bool neg = *p == '-';

		while (p < end && !blank(*p) && *p != '\r')
			p++;
		if (n++ == rd->nevents)
			return BAD("more costs than events (%" PRIu64 "): %s",
			    rd->nevents, QUOTE(word, p));
		if (b->n)
			buf_putc(b, ' ');
		q = word + neg;
		if (p - q > 2 && q[0] == '0' && (q[1] | 32) == 'x') {
			if (num_get_hex(q + 2, &v) != p)
				return BAD("expected a cost, found %s", QUOTE(word, p));
			buf_add(b, "-", neg && v);
			buf_add(b, tmp, (size_t)(num_put_u64(tmp, v) - tmp));
		} else {
			const char *digits = q;

			while (q < p && *q >= '0' && *q <= '9')
				q++;
			if (q == digits || q != p)
				return BAD("expected a cost, found %s", QUOTE(word, p));
			while (digits < p - 1 && *digits == '0')
				digits++;
			buf_add(b, "-", neg && *digits != '0');
			buf_add(b, digits, (size_t)(p - digits));
		}
		while (p < end && (blank(*p) || *p == '\r'))
			p++;
	}
	*values = b->n ? buf_as_text(b) : (struct text){ 0 };
	return LINE_OK;
}

static inline void
set_place(const struct reader *rd, const struct pos *at, struct field *line,
    struct field *addr)
{
	line->n = at->v[POS_LINE];
	line->has = rd->has[POS_LINE] && line->n ? HAS_N : 0;
	addr->n = at->v[POS_ADDR];
	addr->has = rd->has[POS_ADDR] ? HAS_N : 0;
	if (__builtin_expect(rd->has[POS_BB], 0)) {
		addr->m = at->v[POS_BB];
		addr->has |= HAS_BB;
	}
}

/* jfn= names a function without its file and object: use those that it had elsewhere, or
 * else its file is unknown. */
static int
bind_jfn(struct reader *rd, uint64_t *func)
{
	struct name *n = &rd->fn.v[rd->jfn];

	return n->bound ? cg_bind(rd, rd->jfn, n->file, n->object, func) :
	    cg_bind(rd, rd->jfn, NO_ID, rd->object, func);
}

int
cg_emit_jump(struct reader *rd, const struct pos *at)
{
	struct record *r = &rd->jump;
	int ret;

	rd->pending = NONE;
	rd->moved = false;
	if ((!rd->started && (ret = cg_start_part(rd))) || (ret = cg_need_func(rd)))
		return ret;
	set_place(rd, at, &r->col[PLACE_LINE], &r->col[PLACE_ADDR]);
	r->col[PLACE_FUNC].n = rd->func;
	r->col[PLACE_FILE].n = rd->here;
	r->col[JUMP_TFILE].n = rd->have_jfi ? rd->jfi :
	    rd->self_base ? rd->last : rd->here;
	r->col[JUMP_TFUNC].n = rd->func;
	if (rd->have_jfn && (ret = bind_jfn(rd, &r->col[JUMP_TFUNC].n)))
		return ret;
	rd->have_jfi = rd->have_jfn = false;
	return sink_put(rd->d->out, r);
}

static int
emit_call(struct reader *rd, const struct pos *at, struct text values)
{
	struct record *r = &rd->call;
	uint32_t file = rd->have_cfi ? rd->cfi : rd->self_base ? rd->last : rd->here;
	uint32_t object = rd->have_cob ? rd->cob : rd->object;
	int ret;

	rd->pending = NONE;
	rd->moved = false;
	rd->have_cfi = rd->have_cob = false;
	if ((ret = cg_need_func(rd)) ||
	    (ret = cg_bind(rd, rd->cfn, file, object, &r->col[CALL_CALLEE].n)))
		return ret;
	set_place(rd, at, &r->col[PLACE_LINE], &r->col[PLACE_ADDR]);
	r->col[PLACE_FUNC].n = rd->func;
	r->col[PLACE_FILE].n = rd->here;
	r->values = values;
	return sink_put(rd->d->out, r);
}

#define TAKEN 1

/* A cost line after calls=, jump= or jcnd=: TAKEN, or LINE_OK if the jump has no source
 * line and the line is a cost of its own. */
static int
second_line(struct reader *rd, const struct pos *at, struct text values)
{
	int ret;

	if (rd->pending == JUMP && values.n)
		return cg_emit_jump(rd, cg_last_line(rd));
	if (rd->pending == SKIP) {
		rd->pending = NONE;
		return BAD("this line belongs to the malformed one before it");
	}
	ret = rd->pending == CALL ? emit_call(rd, at, values) : cg_emit_jump(rd, at);
	if (ret)
		return ret;
	rd->at = *at;
	rd->at_base = false;
	if (!rd->self_base)
		rd->base = *at;
	return TAKEN;
}

/* Values in their usual spelling; the newline, or NULL for any other. */
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

/* A cost line at p.  Its newline, or NULL with *ret set. */
static const char *
cost_line(struct reader *rd, const char *p, int *ret)
{
	struct pos at = { { 0 } };
	struct text values;
	const char *start = p, *q;

	if (__builtin_expect(!rd->started, 0) && (*ret = cg_start_part(rd)))
		return NULL;
	p = positions(rd, p, &at);
	if (!p) {
		q = memchr(start, '\n', (size_t)(rd->end - start));
		*ret = BAD("expected %u position%s and costs, found %s", rd->npos,
		    rd->npos == 1 ? "" : "s", QUOTE(start, q));
		return NULL;
	}
	values = (struct text){ 0 };
	q = *p == '\n' ? p : read_values(p, rd->nevents, &values);
	if (!q) {
		q = memchr(p, '\n', (size_t)(rd->end - p));
		if ((*ret = cg_values(rd, p, q, &values)))
			return NULL;
	}
	if (__builtin_expect(rd->pending != NONE, 0)) {
		*ret = second_line(rd, &at, values);
		if (*ret)
			return *ret == TAKEN ? q : NULL;
	}
	if (__builtin_expect(!rd->have_func, 0) && (*ret = cg_need_func(rd)))
		return NULL;
	/* After a call alone in another file, dump.c is back where it was. */
	if (__builtin_expect(!rd->moved && rd->self_base, 0))
		rd->here = rd->last;
	rd->base = at;
	rd->at_base = true;
	rd->last = rd->here;
	rd->cost.col[PLACE_FUNC].n = rd->func;
	rd->cost.col[PLACE_FILE].n = rd->here;
	set_place(rd, &at, &rd->cost.col[PLACE_LINE], &rd->cost.col[PLACE_ADDR]);
	rd->cost.values = values;
	if (sink_put(rd->d->out, &rd->cost) < 0) {
		*ret = LINE_FATAL;
		return NULL;
	}
	return q;
}

/* The subpositions of a target, after "calls=N " and its like.  They may be missing, or
 * followed by zeros (xdebug writes two). */
static int
target(struct reader *rd, const char *p, const char *end, struct field *line,
    struct field *addr)
{
	struct pos at = { { 0 } };
	const char *q = p;

	*line = *addr = (struct field){ .has = 0 };
	while (q < end && blank(*q))
		q++;
	if (q == end)
		return LINE_OK;
	if (!(q = positions(rd, q, &at)))
		return BAD("expected %u position%s, found %s", rd->npos,
		    rd->npos == 1 ? "" : "s", QUOTE(p, end));
	while (q < end && (*q == '0' || blank(*q)))
		q++;
	if (q < end)
		return BAD("expected the end of the line, found %s", QUOTE(q, end));
	set_place(rd, &at, line, addr);
	return LINE_OK;
}

/* A count at p, in any spelling: canonical text in *b. */
static const char *
any_count(const char *p, const char *end, struct buf *b)
{
	const char *q;
	char tmp[NUM_TEXT];
	uint64_t v;

	while (p < end && blank(*p))
		p++;
	if (end - p > 2 && p[0] == '0' && (p[1] | 32) == 'x') {
		q = num_get_hex(p + 2, &v);
		if (!q || q == p + 2 || q > end)
			return NULL;
		b->n = 0;
		buf_add(b, tmp, (size_t)(num_put_u64(tmp, v) - tmp));
		return q;
	}
	q = p;
	while (q < end && *q >= '0' && *q <= '9')
		q++;
	if (q == p)
		return NULL;
	while (p < q - 1 && *p == '0')
		p++;
	b->n = 0;
	buf_add(b, p, (size_t)(q - p));
	return q;
}

/* A count at p: returns what follows it, NULL if there is none.  *t is a part of the line
 * if that is canonical, else of *b. */
static inline const char *
read_count(const char *p, const char *end, struct buf *b, struct text *t)
{
	const char *q = p;

	while (*q >= '0' && *q <= '9')	/* up to the newline at most */
		q++;
	if (q > p && *p != '0') {
		*t = (struct text){ p, (size_t)(q - p) };
		return q;
	}
	q = any_count(p, end, b);
	*t = buf_as_text(b);
	return q;
}

/* The block of lines ends before the second line: copies what points into it. */
static void
keep_counts(struct reader *rd)
{
	struct text *v[2] = { &rd->call.col[CALL_COUNT].t, NULL };
	size_t i, at = 0;

	if (rd->pending == JUMP) {
		v[0] = &rd->jump.col[JUMP_FOLLOWED].t;
		v[1] = &rd->jump.col[JUMP_EXECUTED].t;
	} else if (rd->pending != CALL) {
		return;
	}
	rd->kept.n = 0;
	for (i = 0; i < 2 && v[i]; i++)
		buf_text(&rd->kept, *v[i]);
	for (i = 0; i < 2 && v[i]; at += v[i++]->n)
		if (v[i]->s)
			v[i]->s = rd->kept.s + at;
}

/* If a call or jump is dropped, so is what was said of its target. */
static void
forget_target(struct reader *rd)
{
	rd->pending = NONE;
	rd->have_cob = rd->have_cfi = rd->have_jfi = rd->have_jfn = false;
}

/* What a second line still waits for when another line comes. */
int
cg_settle(struct reader *rd)
{
	if (rd->pending == CALL) {
		forget_target(rd);
		return BAD("expected the cost line of 'calls='");
	}
	if (rd->pending == JUMP)
		return cg_emit_jump(rd, cg_last_line(rd));
	rd->pending = NONE;
	return LINE_OK;
}

int
cg_calls(struct reader *rd, const char *p, const char *end)
{
	struct record *r = &rd->call;
	const char *q = read_count(p, end, &rd->count[0], &r->col[CALL_COUNT].t);

	if (!q || (q < end && !blank(*q)))
		return BAD("calls: expected a count, found %s", QUOTE(p, end));
	if (!rd->have_cfn)
		return BAD("calls: no 'cfn=' before it");
	rd->pending = CALL;
	return target(rd, q, end, &r->col[CALL_TLINE], &r->col[CALL_TADDR]);
}

int
cg_jump(struct reader *rd, const char *p, const char *end)
{
	struct record *r = &rd->jump;
	const char *q = read_count(p, end, &rd->count[0], &r->col[JUMP_FOLLOWED].t);

	if (!q || (q < end && !blank(*q)))
		return BAD("jump: expected a count, found %s", QUOTE(p, end));
	r->col[JUMP_EXECUTED].t = (struct text){ 0 };
	rd->pending = JUMP;
	return target(rd, q, end, &r->col[JUMP_TLINE], &r->col[JUMP_TADDR]);
}

/* dump.c writes FOLLOWED/EXECUTED, the specification has EXECUTED FOLLOWED. */
int
cg_jcnd(struct reader *rd, const char *p, const char *end)
{
	struct record *r = &rd->jump;
	struct text first, second;
	const char *q = read_count(p, end, &rd->count[0], &first), *q2 = NULL;
	bool slash = q && q < end && *q == '/';

	if (q && q < end && (slash || blank(*q)))
		q2 = read_count(q + 1, end, &rd->count[1], &second);
	if (!q2 || (q2 < end && !blank(*q2)))
		return BAD("jcnd: expected two counts, found %s", QUOTE(p, end));
	r->col[JUMP_FOLLOWED].t = slash ? first : second;
	r->col[JUMP_EXECUTED].t = slash ? second : first;
	rd->pending = JUMP;
	return target(rd, q2, end, &r->col[JUMP_TLINE], &r->col[JUMP_TADDR]);
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

		if ((instr && !(q = short_position(q, base_addr, &addr, false))) ||
		    !(q = short_position(q, base_line, &line, false)) ||
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

/* Would a line of self cost need nothing special now?  Checked again after any other
 * line. */
static bool
is_usual(struct reader *rd)
{
	rd->cost.col[PLACE_FUNC].n = rd->func;
	rd->cost.col[PLACE_FILE].n = rd->here;
	rd->cost.col[PLACE_ADDR].has = rd->has[POS_ADDR] ? HAS_N : 0;
	return rd->started && rd->pending == NONE && rd->have_func &&
	    (rd->moved || rd->here == rd->last || !rd->self_base) &&
	    ((rd->npos == 1 && rd->pos[0] == POS_LINE) ||
	    (rd->npos == 2 && rd->pos[0] == POS_ADDR && rd->pos[1] == POS_LINE));
}

/* Does a cost line belong to the line [p, end)? */
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
			forget_target(rd);
		} else {
			q = rd->pending == NONE ? cg_key_line(rd, p, &ret) : NULL;
			if (!q) {
				q = memchr(p, '\n', (size_t)(end - p));
				ret = cg_other_line(rd, p, q);
			}
			if (ret == LINE_BAD && has_second_line(p, q)) {
				forget_target(rd);
				rd->pending = SKIP;
			}
		}
		if (ret && decode_line_done(d, ret) < 0)
			return -1;
		p = q + 1;
	}
	keep_counts(rd);
	return 0;
}

/* Can a last line without a newline be cut?  callgrind ends all of its lines; `totals:`
 * equal to `summary:` are complete. */
static enum end_proof
end_proof(const struct reader *rd)
{
	if (rd->have_summary && rd->have_totals &&
	    rd->total_line == rd->d->at.line && rd->total_run.n &&
	    text_eq(buf_as_text(&rd->total_run), buf_as_text(&rd->total_sum)))
		return END_WHOLE;
	return rd->self_base ? END_CUT : END_UNPROVED;
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
	    &rd.count[1], &rd.kept, &rd.scratch };
	size_t i;
	int r;

	rd.fn = (struct names){ .dict = d->dict, .diag = d->diag };
	rd.fl = rd.ob = (struct names){ .dict = d->dict, .diag = d->diag };
	cg_begin_file(&rd);
	cg_index_keys(&rd);
	rd.call = rec_make(REC_CALL);
	rd.jump = rec_make(REC_JUMP);
	rd.cost = rec_make(REC_COST);
	r = read_all(&rd);
	cg_forget_meta(&rd);
	free(rd.meta);
	annotation_events_free(&rd.own_events);
	lookup_free(&rd.event_line);
	names_free(&rd.fn);
	names_free(&rd.fl);
	names_free(&rd.ob);
	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	return r;
}

/* SPDX-License-Identifier: ISC */
/* Reads the stream: the fast paths of its records, and the end. */
#include "reader.h"

#include <stdlib.h>

static inline const char *
fast_line(const char *p, struct field *f, char end)
{
	const char *q;

	if (*p == '-') {
		f->has = 0;
		return p[1] == end ? p + 2 : NULL;
	}
	q = num_get_u64(p, &f->n);
	if (!q || q == p || *q != end || (*p == '0' && q - p > 1))
		return NULL;
	f->has = HAS_N;
	return q + 1;
}

static inline const char *
fast_addr(const char *p, struct field *f)
{
	uint64_t v = 0;
	const char *q;

	if (*p == '-') {
		f->has = 0;
		return p + 1;
	}
	if (p[0] != '0' || p[1] != 'x')
		return NULL;
	q = p += 2;
	for (;; q++) {
		unsigned c = (unsigned char)*q, x = c - '0';

		if (x >= 10) {
			x = c - 'a' + 10;
			if (x < 10 || x > 15)
				break;
		}
		v = v << 4 | x;
	}
	if (q == p || q - p > 16 || (*p == '0' && q - p > 1))
		return NULL;
	f->n = v;
	f->has = HAS_N;
	return q;
}

/* Reads values up to the newline: only canonical ones, without attributes. */
static inline const char *
fast_values(const char *p, uint64_t most, struct text *values)
{
	struct scan s;

	*values = (struct text){ 0 };
	if (*p == '\n')
		return p;
	if (*p++ != '\t')
		return NULL;
	if (!scan_line(p, '\t', &s) || !s.n || !scan_numbers(&s, 0, most))
		return scan_values(p, '\t', most, values);
	*values = (struct text){ p, s.n };
	return p + s.n;
}

static inline const char *
fast_count(const char *p, struct text *t)
{
	uint64_t v;
	const char *q;

	if (*p == '-') {
		*t = (struct text){ 0 };
		return p + 1;
	}
	q = num_get_u64(p, &v);
	if (!q || q == p || (*p == '0' && q - p > 1))
		return NULL;
	*t = (struct text){ p, (size_t)(q - p) };
	return q;
}

/* Reads the line of a cost, the n bytes at p; false: it needs the general path. */
static inline __attribute__((always_inline)) bool
scan_cost_line(struct reader *rd, const struct scan *s, const char *p, unsigned n,
    struct field *line)
{
	uint64_t digits = scan_range(0, n);

	line->has = HAS_N;
	if (scan_near(&rd->line, p + n, n, 10, &line->n))
		return true;
	if (n == 1 && *p == '-') {
		line->has = 0;
		return true;
	}
	if ((s->digit & digits) != digits || n - 1 >= SCAN_DIGITS || (s->zero & 1 && n > 1))
		return false;
	line->n = scan_dec(p, n);
	scan_near_set(&rd->line, p + n, n, line->n - line->n % 100);
	return true;
}

/* The same for the address of a cost. */
static inline __attribute__((always_inline)) bool
scan_cost_addr(struct reader *rd, const char *p, unsigned n, struct field *addr)
{
	addr->has = HAS_N;
	if (scan_near(&rd->addr, p + n, n, 16, &addr->n))
		return true;
	if (n == 1 && *p == '-') {
		addr->has = 0;
		return true;
	}
	if (n - 3 >= SCAN_HEX || p[0] != '0' || p[1] != 'x' || (p[2] == '0' && n > 3) ||
	    !scan_hex(p + 2, n - 2, &addr->n))
		return false;
	/* Not if only "0x" comes before the last two digits, as these might begin with a
	 * zero. */
	scan_near_set(&rd->addr, p + n, n > 4 ? n : 0, addr->n & ~(uint64_t)0xff);
	return true;
}

/* Reads what comes after the place of a short line of cost at once; returns its newline, or
 * NULL. */
static inline __attribute__((always_inline)) const char *
scan_cost(struct reader *rd, const char *p, const struct scan_classes *c, struct record *r)
{
	const struct scan s = scan_cut(c);
	unsigned end = scan_token(&s, 0), from = end + 1;

	if (!scan_cost_line(rd, &s, p, end, &r->col[PLACE_LINE]) || from >= s.n)
		return NULL;
	end = scan_token(&s, from);
	if (!scan_cost_addr(rd, p + from, end - from, &r->col[PLACE_ADDR]))
		return NULL;
	r->values = (struct text){ 0 };
	r->tail = (struct text){ p, s.n };
	if (end == s.n)
		return p + end;
	from = end + 1;
	if (from == s.n || !scan_numbers(&s, from, rd->nevents))
		return NULL;
	r->values = (struct text){ p + from, s.n - from };
	return p + s.n;
}

/* Puts short lines of cost from p on, as many as there are before the sink is to be asked what
 * it takes, and returns their end; NULL if a sink failed. */
#define PUT_COSTS(NAME, CLASSIFY) \
	static const char * \
	NAME(struct reader *rd, const char *p, const char *end, struct record *r) \
	{ \
		struct scan_classes c; \
		const char *q; \
\
		while (p < end && is_tag(p, "cost\t") && (q = fast_place(rd, p + 5, r)) && \
		    CLASSIFY(q, '\t', &c) && (q = scan_cost(rd, q, &c, r))) { \
			rd->d->at.line++; \
			rd->body = true; \
			if (sink_put(rd->d->out, r) < 0) \
				return NULL; \
			p = q + 1; \
			if (rd->takes || rd->ask) \
				break; \
		} \
		return p; \
	}

PUT_COSTS(put_costs, scan_classify)

#ifdef HAVE_WIDE
WIDE PUT_COSTS(put_costs_wide, scan_classify_wide)
#else
#define put_costs_wide put_costs
#endif

/* Reads a line of cost: returns the newline, or NULL: it needs the general path. */
static const char *
fast_cost(struct reader *rd, const char *p, struct record *r)
{
	r->tail = (struct text){ 0 };
	if (!(p = fast_place(rd, p, r)) ||
	    !(p = fast_line(p, &r->col[PLACE_LINE], '\t')) ||
	    !(p = fast_addr(p, &r->col[PLACE_ADDR])))
		return NULL;
	return fast_values(p, rd->nevents, &r->values);
}

static const char *
fast_call(struct reader *rd, const char *p, struct record *r)
{
	const char *target;

	if (!(p = fast_place(rd, p, r)) ||
	    !(p = fast_line(p, &r->col[PLACE_LINE], '\t')) ||
	    !(p = fast_addr(p, &r->col[PLACE_ADDR])) || *p++ != '\t' ||
	    !(p = fast_ref(p, ids_of(rd, COL_FUNC), &r->col[CALL_CALLEE].n)) ||
	    !(p = fast_line(target = p, &r->col[CALL_TLINE], '\t')) ||
	    !(p = fast_addr(p, &r->col[CALL_TADDR])) || *p++ != '\t' ||
	    !(p = fast_count(p, &r->col[CALL_COUNT].t)) ||
	    !(p = fast_values(p, rd->nevents, &r->values)))
		return NULL;
	r->tail = (struct text){ target, (size_t)(p - target) };
	return p;
}

static const char *
fast_jump(struct reader *rd, const char *p, struct record *r)
{
	if (!(p = fast_place(rd, p, r)) ||
	    !(p = fast_line(p, &r->col[PLACE_LINE], '\t')) ||
	    !(p = fast_addr(p, &r->col[PLACE_ADDR])) || *p++ != '\t' ||
	    !(p = fast_ref(p, ids_of(rd, COL_FUNC), &r->col[JUMP_TFUNC].n)) ||
	    !(p = fast_ref(p, ids_of(rd, COL_FILE), &r->col[JUMP_TFILE].n)) ||
	    !(p = fast_line(p, &r->col[JUMP_TLINE], '\t')) ||
	    !(p = fast_addr(p, &r->col[JUMP_TADDR])) || *p++ != '\t' ||
	    !(p = fast_count(p, &r->col[JUMP_FOLLOWED].t)) || *p++ != '\t' ||
	    !(p = fast_count(p, &r->col[JUMP_EXECUTED].t)) || *p != '\n')
		return NULL;
	return p;
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	struct record cost = rec_make(REC_COST), call = rec_make(REC_CALL);
	struct record jump = rec_make(REC_JUMP);
	struct decode *d = rd->d;
	struct cursor *at = &d->at;
	struct sink *out = d->out;
	const char *(*put)(struct reader *, const char *, const char *, struct record *) =
	    rd->wide ? put_costs_wide : put_costs;
	int ret;

	for (; p < end; p++) {
		const char *q = NULL, *from = p;
		struct record *r = NULL;

		if (rd->takes || rd->ask) {
			if (!(p = prof_put_places(rd, p, end)))
				return -1;
			if (p == end)
				break;
		}
		if (rd->in_part && !(p = put(rd, from = p, end, &cost)))
			return -1;
		if (p > from) {
			p--;
			continue;
		}
		at->line++;
		if (rd->in_part && is_tag(p, "cost\t")) {
			q = fast_cost(rd, p + 5, r = &cost);
		} else if (rd->in_part && is_tag(p, "call\t")) {
			q = fast_call(rd, p + 5, r = &call);
		} else if (rd->in_part && is_tag(p, "jump\t")) {
			q = fast_jump(rd, p + 5, r = &jump);
		}
		if (q) {
			rd->body = true;
			p = q;
			if (sink_put(out, r) < 0)
				return -1;
			continue;
		}
		q = memchr(p, '\n', (size_t)(end - p));
		rd->takes = 0;
		rd->ask = ASK_LATER;
		ret = prof_read_line(rd, p, q);
		if (ret && decode_line_done(d, ret) < 0)
			return -1;
		p = q;
	}
	return 0;
}

int
prof_decode(struct decode *d)
{
	struct reader rd = { .d = d, .at = rec_make(REC_COST), .wide = wide_has() };
	int i, r = decode_lines(d, "stream", LAST_ENDS, block, &rd);

	if (r == 0 && rd.open && !d->cut)
		r = decode_cut(d, "the stream is truncated: no 'end'");
	for (i = 0; i < DEFS; i++)
		free(rd.ids[i].to);
	sums_free(&rd.runs);
	buf_free(&rd.scratch);
	return r;
}

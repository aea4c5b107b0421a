/* SPDX-License-Identifier: ISC */
/*
 * Reading the canonical stream, prof-stream(5).  The general path follows the table of
 * records; `cost`, `call` and `jump`, which are nearly all lines, have fast paths,
 * which leave anything unusual to it.
 */
#include "prof.h"

#include <inttypes.h>
#include <stdlib.h>

#include "stream/sums.h"
#include "util/mem.h"
#include "util/num.h"
#include "util/scan.h"

struct idmap {
	uint32_t *to;		/* this stream's number -> the dictionary's */
	size_t n, cap;
};

/* Does the sink take lines?  It is asked after the record that comes next, as that may end
 * a header; whether it does, changes at other records than cost, call and jump. */
enum lines { LINES_NO, LINES_YES, LINES_LATER, LINES_ASK };

struct reader {
	struct decode *d;
	struct idmap ids[DEFS];
	struct sums runs;	/* by their number here: the number out */
	bool open;		/* between prof and end */
	bool in_part, body;	/* a part has begun; its first record was seen */
	uint64_t nevents;	/* of this part */
	uint64_t stream;	/* its number, by which the schema knows its declarations */
	uint64_t place[2], mask[2];	/* "func TAB file TAB" of the last line: */
	size_t nplace;		/* its bytes that the mask covers; 0: not known */
	struct record at;	/* a cost there */
	enum lines lines;
	struct scan_near line, addr;	/* of the last cost that has them */
	struct buf scratch;
};

#define LONGEST_DEC 19		/* digits that surely fit 64 bits */
#define LONGEST_HEX 16

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

static struct idmap *
ids_of(struct reader *rd, enum col_type t)
{
	return &rd->ids[t - COL_OBJECT];
}

/* A reference, then TAB. */
static inline const char *
fast_ref(const char *p, const struct idmap *m, uint64_t *id)
{
	uint64_t v;
	const char *q;

	if (*p == '-') {
		*id = NO_ID;
		return p[1] == '\t' ? p + 2 : NULL;
	}
	q = num_get_u64(p, &v);
	if (!q || q == p || *q != '\t' || (*p == '0' && q - p > 1) || v >= m->n)
		return NULL;
	*id = m->to[v];
	return q + 1;
}

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

/* Values up to the newline: only canonical ones, no attributes. */
static inline const char *
fast_values(const char *p, uint64_t most, struct text *values)
{
	*values = (struct text){ 0 };
	if (*p == '\n')
		return p;
	return *p == '\t' ? scan_values(p + 1, '\t', most, values) : NULL;
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

/* Is "FUNC TAB FILE TAB" at p the same as in the previous line? */
static inline bool
is_place(const struct reader *rd, const char *p)
{
	uint64_t low, high;

	memcpy(&low, p, 8);
	memcpy(&high, p + 8, 8);
	return rd->nplace && (((low ^ rd->place[0]) & rd->mask[0]) |
	    ((high ^ rd->place[1]) & rd->mask[1])) == 0;
}

/* Nearly always it is. */
static inline const char *
fast_place(struct reader *rd, const char *p, struct record *r)
{
	const char *q = p;

	if (__builtin_expect(is_place(rd, p), 1)) {
		r->col[PLACE_FUNC].n = rd->at.col[PLACE_FUNC].n;
		r->col[PLACE_FILE].n = rd->at.col[PLACE_FILE].n;
		return p + rd->nplace;
	}
	rd->nplace = 0;
	if (!(q = fast_ref(q, ids_of(rd, COL_FUNC), &r->col[PLACE_FUNC].n)) ||
	    !(q = fast_ref(q, ids_of(rd, COL_FILE), &r->col[PLACE_FILE].n)))
		return NULL;
	if ((size_t)(q - p) > sizeof rd->place)
		return q;
	rd->nplace = (size_t)(q - p);
	memset(rd->mask, 0, sizeof rd->mask);
	memset(rd->mask, 0xff, rd->nplace);
	memcpy(rd->place, p, sizeof rd->place);
	rd->at.col[PLACE_FUNC].n = r->col[PLACE_FUNC].n;
	rd->at.col[PLACE_FILE].n = r->col[PLACE_FILE].n;
	return q;
}

/* The line of a cost, the n bytes at p; false: not for the fast way. */
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

/* The same for its address. */
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
	/* Not with just "0x" before the last two: they might begin with a zero. */
	scan_near_set(&rd->addr, p + n, n > 4 ? n : 0, addr->n & ~(uint64_t)0xff);
	return true;
}

/* A short line of cost, all at once. */
static inline __attribute__((always_inline)) const char *
scan_cost(struct reader *rd, const char *p, struct record *r)
{
	struct scan s;
	unsigned end, from;

	if (!(p = fast_place(rd, p, r)) || !scan_line(p, '\t', &s))
		return NULL;
	end = scan_token(&s, 0);
	if (!scan_cost_line(rd, &s, p, end, &r->col[PLACE_LINE]))
		return NULL;
	from = end + 1;
	if (from >= s.n)
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

/* The newline, or NULL: not for the fast way. */
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
	if (!(p = fast_place(rd, p, r)) ||
	    !(p = fast_line(p, &r->col[PLACE_LINE], '\t')) ||
	    !(p = fast_addr(p, &r->col[PLACE_ADDR])) || *p++ != '\t' ||
	    !(p = fast_ref(p, ids_of(rd, COL_FUNC), &r->col[CALL_CALLEE].n)) ||
	    !(p = fast_line(p, &r->col[CALL_TLINE], '\t')) ||
	    !(p = fast_addr(p, &r->col[CALL_TADDR])) || *p++ != '\t' ||
	    !(p = fast_count(p, &r->col[CALL_COUNT].t)))
		return NULL;
	return fast_values(p, rd->nevents, &r->values);
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
column(struct reader *rd, const struct rec_def *def, const struct column *c,
    struct text t, struct field *f)
{
	const char *q;
	uint64_t v;

	switch (c->type) {
	case COL_INT:
		if (t.n == 1 && t.s[0] == '-')
			f->t = (struct text){ 0 };
		else if (num_is_canonical(t))
			f->t = t;
		else
			return BAD("%s %s: expected a number, found %s", def->tag,
			    c->name, diag_quote(t.s, t.n));
		return 0;
	case COL_LINE:
		if (!field_get_line(t, f))
			return BAD("%s %s: expected a line number, found %s",
			    def->tag, c->name, diag_quote(t.s, t.n));
		return 0;
	case COL_ADDR:
		if (!field_get_addr(t, f))
			return BAD("%s %s: expected an address, found %s",
			    def->tag, c->name, diag_quote(t.s, t.n));
		return 0;
	case COL_STR:
		if (!field_unescape(t, &rd->scratch, &f->t))
			return BAD("%s %s: bad escape in %s", def->tag, c->name,
			    diag_quote(t.s, t.n));
		return 0;
	default:
		break;
	}
	if (t.n == 1 && t.s[0] == '-' &&
	    (c->type != COL_ID || def->kind == REC_EVENT)) {
		f->n = NO_ID;
		return 0;
	}
	if (!num_is_canonical(t) || t.n > 10 || t.s[0] == '-' ||
	    !(q = num_get_u64(t.s, &v)) || q != t.s + t.n)
		return BAD("%s %s: expected a number, found %s", def->tag, c->name,
		    diag_quote(t.s, t.n));
	if (c->type == COL_ID) {
		f->n = v;
		return 0;
	}
	if (v >= ids_of(rd, c->type)->n)
		return BAD("%s %s: no %s has the number %" PRIu64, def->tag,
		    c->name, col_type_name[c->type], v);
	f->n = ids_of(rd, c->type)->to[v];
	return 0;
}

/* Values, then attributes, of what follows the columns. */
static int
tail(struct reader *rd, struct record *r, struct text rest)
{
	const struct rec_def *def = r->def;
	struct text f, before = rest, attrs;
	uint64_t n = 0;
	size_t mark = rd->scratch.n;
	struct text k, v;

	r->values = r->attrs = (struct text){ 0 };
	if (def->tail & REC_LIST) {
		r->attrs = rest;
		while (fields_next(&rest, &f))
			if (!field_unescape(f, &rd->scratch, &v))
				return BAD("%s: bad escape in %s", def->tag,
				    diag_quote(f.s, f.n));
		return 0;
	}
	if (def->tail & REC_VALUES) {
		const char *start = rest.s, *end = NULL;

		while (fields_next(&rest, &f)) {
			if (!text_is(f, "-") && !num_is_canonical(f))
				break;
			if (n++ == rd->nevents)
				return BAD("%s: more values than events (%" PRIu64 ")",
				    def->tag, rd->nevents);
			end = f.s + f.n;
			before = rest;
		}
		if (end)
			r->values = (struct text){ start, (size_t)(end - start) };
		rest = before;
	}
	if (!rest.s)
		return 0;
	if (!(def->tail & REC_ATTRS))
		return BAD("%s: expected the end of the line, found %s", def->tag,
		    diag_quote(rest.s, rest.n));
	r->attrs = attrs = rest;
	while (attrs.s) {
		struct text one = attrs;

		if (!attr_next(&attrs, &rd->scratch, &k, &v)) {
			fields_next(&one, &f);
			return BAD("%s: expected %skey=value, found %s", def->tag,
			    def->tail & REC_VALUES ? "a number or " : "",
			    diag_quote(f.s, f.n));
		}
		rd->scratch.n = mark;
	}
	return 0;
}

static int
definition(struct reader *rd, struct record *r)
{
	struct idmap *m = &rd->ids[rec_kind(r) - REC_OBJECT];
	uint32_t cols[DEF_COLS], id;

	if (r->col[0].n != m->n)
		return BAD("%s: expected the number %zu, found %" PRIu64,
		    r->def->tag, m->n, r->col[0].n);
	dict_tuple(rd->d->dict, r, cols);
	if (dict_put(rd->d->dict, rd->d->out, rec_kind(r), cols, &id) < 0)
		return LINE_FATAL;
	r->col[0].n = id;
	if (rd->d->again && sink_put(rd->d->out, r) < 0)
		return LINE_FATAL;
	m->to = mem_grow(m->to, &m->cap, m->n + 1, sizeof *m->to);
	m->to[m->n++] = id;
	return 0;
}

/* Runs are numbered through all inputs. */
static int
part(struct reader *rd, struct record *r)
{
	char text[24];
	uint64_t from = 0;
	num *to;
	const struct text t = r->col[0].t;

	if (!t.s || t.n > 19 || t.s[0] == '-')
		return BAD("part run: expected a number, found %s",
		    diag_quote(t.s ? t.s : "-", t.s ? t.n : 1));
	rd->in_part = true;
	rd->body = false;
	rd->nevents = 0;
	if (rd->d->again)
		return sink_put(rd->d->out, r);
	num_get_u64(t.s, &from);
	to = sums_val(&rd->runs, sums_row(&rd->runs, &from));
	if (!*to)
		*to = ++rd->d->session->runs;
	r->col[0].t = (struct text){ text,
	    (size_t)(num_put_u64(text, (uint64_t)*to) - text) };
	return sink_put(rd->d->out, r);
}

static int
event(struct reader *rd, struct record *r)
{
	if (rd->body)
		return BAD("event: must come before the other records of its part");
	if (!r->col[EVENT_NAME].t.s)
		return BAD("event: has no name");
	if (r->col[EVENT_ID].n != NO_ID) {
		if (r->col[EVENT_ID].n != rd->nevents)
			return BAD("event: expected the number %" PRIu64
			    ", found %" PRIu64, rd->nevents, r->col[EVENT_ID].n);
		rd->nevents++;
	}
	return sink_put(rd->d->out, r);
}

static int
begin(struct reader *rd, struct record *r)
{
	if (rd->open && decode_cut(rd->d, "the stream is cut: a new one begins before "
	    "its 'end'") < 0)
		return LINE_FATAL;
	if (!text_is(r->col[0].t, "1"))
		return diag_fail(rd->d->diag, "stream version %s is not supported, "
		    "only 1 is", diag_quote(r->col[0].t.s, r->col[0].t.n));
	return 0;
}

static void
start_stream(struct reader *rd)
{
	int i;

	for (i = 0; i < DEFS; i++)
		rd->ids[i].n = 0;
	rd->stream = schema_begin(rd->d->schema);
	sums_free(&rd->runs);
	sums_init(&rd->runs, 1, 1);
	rd->nplace = 0;
	rd->open = true;
	rd->in_part = rd->body = false;
}

static int
act(struct reader *rd, struct record *r)
{
	switch (rec_kind(r)) {
	case REC_END:
		rd->open = rd->in_part = false;
		return 0;
	case REC_TAG:
		if (!schema_declare(rd->d->schema, r, rd->stream, rd->d->diag))
			return LINE_BAD;
		break;
	case REC_PART:
		return part(rd, r);
	case REC_OBJECT: case REC_FILE: case REC_FUNC: case REC_CTX:
		return definition(rd, r);
	case REC_EVENT:
	case REC_META:
	default:
		if (!rd->in_part)
			return BAD("%s: comes before any part", r->def->tag);
		if (rec_kind(r) == REC_EVENT)
			return event(rd, r);
		if (rec_kind(r) == REC_TOTAL && !text_is(r->col[0].t, "run") &&
		    !text_is(r->col[0].t, "sum"))
			return BAD("total of: expected 'run' or 'sum'");
		if (rec_kind(r) != REC_META)
			rd->body = true;
	}
	return sink_put(rd->d->out, r);
}

/* One line, [p, end), by the table. */
static int
general(struct reader *rd, const char *p, const char *end)
{
	struct text rest = { p, (size_t)(end - p) }, f;
	struct record r;
	const struct rec_def *def;
	unsigned i;
	int ret;

	rd->scratch.n = 0;
	fields_next(&rest, &f);
	def = schema_find(rd->d->schema, f, rd->stream);
	if (!rd->open && (!def || def->kind != REC_PROF))
		return diag_fail(rd->d->diag, "expected the first line of a stream "
		    "('prof', version), found %s", diag_quote(p, (size_t)(end - p)));
	if (!def)
		return BAD("unknown record %s", diag_quote(f.s, f.n));
	/* What is unescaped below must not move. */
	buf_room(&rd->scratch, 2 * (size_t)(end - p) + 16);
	r = (struct record){ .def = def };
	for (i = 0; i < def->ncol; i++) {
		if (!fields_next(&rest, &f))
			return BAD("%s: expected %u columns, found %u", def->tag,
			    def->ncol, i);
		if ((ret = column(rd, def, &def->col[i], f, &r.col[i])))
			return ret;
	}
	if ((ret = tail(rd, &r, rest)))
		return ret;
	if (def->kind == REC_PROF) {
		if ((ret = begin(rd, &r)))
			return ret;
		start_stream(rd);
		return 0;
	}
	return act(rd, &r);
}

/* Lines end with a newline, and there is room after the last one (scan.h), so the
 * comparison stays within the buffer. */
static inline bool
is_tag(const char *p, const char *tag)
{
	return memcmp(p, tag, 5) == 0;
}

/* ---- lines that need not become records ---- */

/* Of the line at p: bytes that belong to its tokens, those where a token must begin, and
 * those that its token may have, which are the decimal digits and more as columns are
 * recognized. */
struct tokens {
	const char *p;
	struct scan s;
	uint64_t all, start, good;
};

/* An absent column, if that is what is at `from`. */
static inline void
may_be_absent(struct tokens *t, unsigned from, unsigned end)
{
	t->good |= (uint64_t)(end - from == 1 && t->p[from] == '-') << from;
}

/* "LINE TAB ADDR" at `from`: its end, or 0. */
static inline unsigned
line_and_addr(struct tokens *t, unsigned from)
{
	const unsigned line = scan_token(&t->s, from), addr = line + 1;
	unsigned end;

	if (addr >= t->s.n || line - from > LONGEST_DEC)
		return 0;
	may_be_absent(t, from, line);
	end = scan_token(&t->s, addr);
	if (end - addr == 1 && t->p[addr] == '-') {
		t->good |= (uint64_t)1 << addr;
		return end;
	}
	if (end - addr - 3 >= LONGEST_HEX || t->p[addr] != '0' || t->p[addr + 1] != 'x')
		return 0;
	t->good |= t->s.letter & scan_range(addr, end);
	t->all &= ~((uint64_t)3 << addr);
	t->start ^= (uint64_t)5 << addr;	/* it begins behind "0x" */
	return end;
}

/* Are all tokens what they must be?  The end of the line is none: there, too, must not
 * begin one. */
static inline bool
are_good(const struct tokens *t)
{
	return !(((t->all | t->start) & ~t->good) |
	    (t->start & t->s.zero & t->good >> 1));	/* a zero before other digits */
}

/* What is behind the place of a cost.  A value takes at least two bytes, so there is
 * rarely a need to count. */
static inline bool
is_plain_cost(struct tokens *t, uint64_t most)
{
	const unsigned end = line_and_addr(t, 0);

	if (!end || __builtin_expect((t->s.n - end) / 2 > most &&
	    scan_count(t->s.blank) - 1 > most, 0))
		return false;
	return are_good(t);
}

/* Of a jump within the place. */
static inline bool
is_plain_jump(const struct reader *rd, struct tokens *t)
{
	unsigned target = line_and_addr(t, 0) + 1, followed, executed;
	const unsigned line = target + (unsigned)rd->nplace;

	if (target == 1 || line >= t->s.n || !is_place(rd, t->p + target) ||
	    !(followed = line_and_addr(t, line) + 1) || followed >= t->s.n)
		return false;
	executed = scan_token(&t->s, followed) + 1;
	if (executed >= t->s.n || scan_token(&t->s, executed) != t->s.n)
		return false;
	may_be_absent(t, followed, executed - 1);
	may_be_absent(t, executed, t->s.n);
	t->all &= ~scan_range(target, line);
	t->start &= ~scan_range(target, line);
	return are_good(t);
}

/* The newline of a cost or a jump at the place that needs no other look; else NULL. */
static inline __attribute__((always_inline)) const char *
plain_line(const struct reader *rd, const char *p)
{
	const bool jump = *p == 'j';
	struct tokens t;

	if (!is_tag(p, jump ? "jump\t" : "cost\t") || !is_place(rd, p + 5))
		return NULL;
	t.p = p + 5 + rd->nplace;
	if (!scan_line(t.p, '\t', &t.s))
		return NULL;
	t.all = scan_range(0, t.s.n);
	t.start = (t.s.blank & t.all) << 1 | 1;
	t.all &= ~t.s.blank;
	t.good = t.s.digit;
	return (jump ? is_plain_jump(rd, &t) : is_plain_cost(&t, rd->nevents)) ?
	    t.p + t.s.n : NULL;
}

/* Puts lines at p that can be, those of one place, and returns their end: p if there is
 * none, NULL if that fails. */
static const char *
put_place(struct reader *rd, const char *p, const char *end)
{
	struct place_lines l = { .place = &rd->at, .text.s = p };
	const char *lf;

	if (!is_tag(p, *p == 'j' ? "jump\t" : "cost\t") ||
	    !fast_place(rd, p + 5, &rd->at) || !rd->nplace)
		return p;
	l.as_read = (struct text){ p + 5, rd->nplace };
	for (; p < end && (lf = plain_line(rd, p)); p = lf + 1)
		l.n++;
	if (!l.n)
		return p;
	l.text.n = (size_t)(p - l.text.s);
	rd->d->at.line += l.n;
	return sink_put_lines(rd->d->out, &l) < 0 ? NULL : p;
}

/* Puts all that can be, if the sink takes them. */
static __attribute__((noinline)) const char *
put_places(struct reader *rd, const char *p, const char *end)
{
	const char *from;

	if (rd->lines == LINES_LATER) {
		rd->lines = LINES_ASK;
		return p;
	}
	if (rd->lines == LINES_ASK)
		rd->lines = sink_takes_lines(rd->d->out) ? LINES_YES : LINES_NO;
	if (rd->lines == LINES_NO)
		return p;
	do {
		from = p;
		p = put_place(rd, p, end);
	} while (p && p > from && p < end);
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
	int ret;

	for (; p < end; p++) {
		const char *q = NULL;
		struct record *r = NULL;

		if (rd->lines != LINES_NO) {
			if (!(p = put_places(rd, p, end)))
				return -1;
			if (p == end)
				break;
		}
		at->line++;
		if (rd->in_part && is_tag(p, "cost\t")) {
			if (!(q = scan_cost(rd, p + 5, r = &cost)))
				q = fast_cost(rd, p + 5, r);
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
		rd->lines = LINES_LATER;
		ret = general(rd, p, q);
		if (ret && decode_line_done(d, ret) < 0)
			return -1;
		p = q;
	}
	return 0;
}

int
prof_decode(struct decode *d)
{
	struct reader rd = { .d = d, .at = rec_make(REC_COST) };
	int i, r = decode_lines(d, "stream", LAST_ENDS, block, &rd);

	if (r == 0 && rd.open && !d->cut)
		r = decode_cut(d, "the stream is cut: no 'end'");
	for (i = 0; i < DEFS; i++)
		free(rd.ids[i].to);
	sums_free(&rd.runs);
	buf_free(&rd.scratch);
	return r;
}

/* SPDX-License-Identifier: ISC */
/*
 * Lines that need not become records: those of one place, in the form that the sink takes.
 * They come in runs that begin with the same bytes, so one comparison shows that the place
 * is the same, and the rest of a line is checked as bits, all tokens at once.
 */
#include "reader.h"

#define LONGEST_DEC 19		/* digits that certainly fit 64 bits */
#define LONGEST_HEX 16
#define TAG 5			/* bytes of "cost TAB" and "jump TAB" */

/* The text after a place, as bits: bytes that belong to its tokens, those where a token
 * must begin, and those that tokens may have, which are the decimal digits and more as
 * columns are recognised. */
struct tokens {
	const char *p;
	const struct scan_classes *c;
	unsigned n;		/* bytes before the newline */
	uint64_t tab, all, start, good;
};

static inline __attribute__((always_inline)) struct tokens
tokens_of(const char *p, const struct scan_classes *c)
{
	const uint64_t below = (c->lf & -c->lf) - 1, tab = c->blank & below;

	return (struct tokens){ .p = p, .c = c, .n = (unsigned)__builtin_ctzll(c->lf),
	    .tab = tab, .all = below & ~tab, .start = tab << 1 | 1, .good = c->digit };
}

/* Returns the end of the token after whose beginning the first of these TABs comes. */
static inline unsigned
token_end(const struct tokens *t, uint64_t tabs)
{
	return (unsigned)__builtin_ctzll(tabs | t->c->lf);
}

/* Accepts an absent column at `from`, if it is one. */
static inline void
may_be_absent(struct tokens *t, unsigned from, unsigned end)
{
	t->good |= (uint64_t)(end - from == 1 && t->p[from] == '-') << from;
}

/* Adds the first value to *sum; false: it is long, or the sum does not fit. */
static inline __attribute__((always_inline)) bool
add_value(const struct tokens *t, unsigned end, uint64_t values, uint64_t *sum)
{
	const unsigned from = end + 1;
	unsigned n;
	uint64_t v = 0, both;

	if (end == t->n)
		return true;
	n = token_end(t, values & (values - 1)) - from;
	if (n <= SCAN_DIGITS)
		v = scan_dec(t->p + from, n);
	else if (n > LONGEST_DEC)
		return false;
	else
		num_get_u64(t->p + from, &v);
	if (__builtin_add_overflow(*sum, v, &both))
		return false;
	*sum = both;
	return true;
}

/* Accepts "LINE TAB ADDR" at `from`, where `tabs` are those from there on.  Returns the
 * rest of these, with *end set; *end is 0 if it is not accepted. */
static inline __attribute__((always_inline)) uint64_t
line_and_addr(struct tokens *t, unsigned from, uint64_t tabs, unsigned *end)
{
	const unsigned line = token_end(t, tabs), addr = line + 1;
	const char *p = t->p + addr;

	*end = 0;
	if (line - from > LONGEST_DEC || line >= t->n)
		return 0;
	may_be_absent(t, from, line);
	tabs &= tabs - 1;
	if (__builtin_expect(p[0] == '0' && p[1] == 'x', 1)) {
		*end = token_end(t, tabs);
		if (*end - addr - 3 >= LONGEST_HEX) {
			*end = 0;
			return 0;
		}
		t->good |= t->c->letter & scan_range(addr, *end);
		t->all &= ~((uint64_t)3 << addr);
		t->start ^= (uint64_t)5 << addr;	/* digits begin after "0x" */
	} else if (*p == '-' && (p[1] == '\t' || p[1] == '\n')) {
		*end = addr + 1;
		t->good |= (uint64_t)1 << addr;
	}
	return tabs;
}

/* Are all tokens well-formed?  No token may begin at the end of the line. */
static inline bool
are_good(const struct tokens *t)
{
	return !(((t->all | t->start) & ~t->good) |
	    (t->start & t->c->zero & t->good >> 1));	/* a zero before other digits */
}

/* Checks the text after the place of a cost: returns the TABs before its values, with *end,
 * where its address ends; *end is 0 if it is not plain.  A value takes at least two bytes,
 * so there is rarely a need to count. */
static inline __attribute__((always_inline)) uint64_t
plain_cost(struct tokens *t, uint64_t most, unsigned *end)
{
	const uint64_t values = line_and_addr(t, 0, t->tab, end);

	if (!*end || !are_good(t) || (__builtin_expect((t->n - *end) / 2 > most, 0) &&
	    scan_count(values) > most))
		*end = 0;
	return values;
}

/* The same for a jump within the place, of `nplace` bytes. */
static inline __attribute__((always_inline)) bool
is_plain_jump(const struct reader *rd, struct tokens *t)
{
	unsigned source, target, followed, executed;
	uint64_t tabs = line_and_addr(t, 0, t->tab, &source);
	const unsigned place = source + 1, line = place + (unsigned)rd->nplace;

	if (!source || line >= t->n || !is_place(rd, t->p + place))
		return false;
	tabs &= ~(((uint64_t)1 << line) - 1);
	tabs = line_and_addr(t, line, tabs, &target);
	tabs &= tabs - 1;
	followed = token_end(t, tabs);
	executed = token_end(t, tabs & (tabs - 1));
	if (!target || followed >= t->n || executed != t->n)
		return false;
	may_be_absent(t, target + 1, followed);
	may_be_absent(t, followed + 1, executed);
	t->all &= ~scan_range(place, line);
	t->start &= ~scan_range(place, line);
	return are_good(t);
}

/* ---- runs ---- */

/* A run: lines of a place, as far as they need no other check. */
struct run {
	const struct reader *rd;
	const char *end;	/* of the block */
	char head[32];		/* "cost TAB", the place, and any bytes */
	uint32_t mask;		/* of the first ones */
	size_t skip;		/* their number */
	uint64_t costs, jumps;	/* lines so far, */
	uint64_t sum;		/* and the sum of first values, if asked for */
};

/* Is p, of which these bytes are those of the head, a jump of the place? */
static inline bool
is_jump(const struct run *r, const char *p, uint32_t same)
{
	return (r->mask & ~same) < 1 << TAG && is_tag(p, "jump\t");
}

/* Checks a line, with the text p after its place: returns the next one, or NULL. sum: NULL,
 * or to be added to. */
static inline __attribute__((always_inline)) const char *
after_cost(const char *p, const struct scan_classes *c, uint64_t most, uint64_t *sum)
{
	struct tokens t = tokens_of(p, c);
	unsigned end;
	const uint64_t values = plain_cost(&t, most, &end);

	return end && (!sum || add_value(&t, end, values, sum)) ? p + t.n + 1 : NULL;
}

static inline __attribute__((always_inline)) const char *
after_jump(const struct run *r, const char *p, const struct scan_classes *c)
{
	struct tokens t = tokens_of(p, c);

	return is_plain_jump(r->rd, &t) ? p + t.n + 1 : NULL;
}

/* Each of these takes lines from p on, as many as there are, and returns their end. */
#define TAKE_COSTS(name, with_sum, same, classify)					\
static const char *									\
name(struct run *r, const char *p)							\
{											\
	const char *const end = r->end, *next;						\
	const uint64_t most = r->rd->nevents;						\
	const uint32_t mask = r->mask;							\
	const size_t skip = r->skip;							\
	uint64_t n = 0, sum = r->sum;							\
	struct scan_classes c;								\
											\
	for (; p < end && !(mask & ~same(p, r->head)) &&				\
	    classify(p + skip, '\t', &c) &&						\
	    (next = after_cost(p + skip, &c, most, with_sum ? &sum : NULL)); p = next)	\
		n++;									\
	r->costs += n;									\
	r->sum = sum;									\
	return p;									\
}

#define TAKE_JUMPS(name, same, classify)						\
static const char *									\
name(struct run *r, const char *p)							\
{											\
	const char *next;								\
	struct scan_classes c;								\
											\
	for (; p < r->end && is_jump(r, p, same(p, r->head)) &&				\
	    classify(p + r->skip, '\t', &c) &&						\
	    (next = after_jump(r, p + r->skip, &c)); p = next)				\
		r->jumps++;								\
	return p;									\
}

typedef const char *take(struct run *r, const char *p);

TAKE_COSTS(costs_any, false, scan_same, scan_classify)
TAKE_COSTS(sums_any, true, scan_same, scan_classify)
TAKE_JUMPS(jumps_any, scan_same, scan_classify)

#if defined HAVE_WIDE
WIDE TAKE_COSTS(costs_wide, false, scan_same_wide, scan_classify_wide)
WIDE TAKE_COSTS(sums_wide, true, scan_same_wide, scan_classify_wide)
WIDE TAKE_JUMPS(jumps_wide, scan_same_wide, scan_classify_wide)
#else
#define costs_wide costs_any
#define sums_wide sums_any
#define jumps_wide jumps_any
#endif

/* Takes the costs and jumps from p on. */
static const char *
take_lines(struct run *r, const char *p, take *costs)
{
	take *const jumps = r->rd->wide ? jumps_wide : jumps_any;
	const char *from;

	p = costs(r, p);
	while (p < r->end && *p == 'j') {
		from = p;
		p = jumps(r, p);
		if (p == from)
			break;
		p = costs(r, p);
	}
	return p;
}

/* ---- what is put ---- */

/* Put the lines from p on in one form.  Each returns their end, or NULL if that fails. */
static const char *
put_text(struct reader *rd, struct run *r, const char *p)
{
	const char *end = take_lines(r, p, rd->wide ? costs_wide : costs_any);
	const struct place_lines l = { .place = &rd->at, .n = r->costs + r->jumps,
	    .text = { p, (size_t)(end - p) }, .as_read = { p + TAG, rd->nplace } };

	rd->d->at.line += l.n;
	return l.n && sink_put_lines(rd->d->out, &l) < 0 ? NULL : end;
}

/* Puts jumps within a place without more than it. */
static int
put_jumps(struct reader *rd, uint64_t n)
{
	struct record r = rec_make(REC_JUMP);
	int ret = 0;

	r.col[PLACE_FUNC] = r.col[JUMP_TFUNC] = rd->at.col[PLACE_FUNC];
	while (n-- && ret == 0)
		ret = sink_put(rd->d->out, &r);
	return ret;
}

static const char *
put_sum(struct reader *rd, struct run *r, const char *p)
{
	const char *end = take_lines(r, p, rd->wide ? sums_wide : sums_any);
	char text[NUM_TEXT];
	int ret = 0;

	rd->d->at.line += r->costs + r->jumps;
	if (rd->takes & TAKES_JUMPS && put_jumps(rd, r->jumps) < 0)
		return NULL;
	if (r->costs) {
		rd->at.values = num_text_u64(text, r->sum);
		ret = sink_put(rd->d->out, &rd->at);
		rd->at.values = (struct text){ 0 };
	}
	return ret < 0 ? NULL : end;
}

/* Puts lines of one place from p on, and returns their end: p if there are none, NULL if
 * that fails. */
static const char *
put_place(struct reader *rd, const char *p, const char *end)
{
	struct run r;

	if (!is_tag(p, *p == 'j' ? "jump\t" : "cost\t") ||
	    !fast_place(rd, p + TAG, &rd->at) || !rd->nplace)
		return p;
	memcpy(r.head, p, sizeof r.head);
	memcpy(r.head, "cost\t", TAG);
	r.rd = rd;
	r.end = end;
	r.skip = TAG + rd->nplace;
	r.mask = (uint32_t)(((uint64_t)1 << r.skip) - 1);
	r.costs = r.jumps = r.sum = 0;
	return rd->takes & TAKES_SUMS ? put_sum(rd, &r, p) : put_text(rd, &r, p);
}

const char *
prof_put_places(struct reader *rd, const char *p, const char *end)
{
	const char *from;

	if (rd->ask == ASK_LATER) {
		rd->ask = ASK_NOW;
		return p;
	}
	if (rd->ask == ASK_NOW)
		rd->takes = sink_takes(rd->d->out);
	rd->ask = ASK_NOT;
	if (!(rd->takes & (TAKES_LINES | TAKES_SUMS)))
		return p;
	do {
		from = p;
		p = put_place(rd, p, end);
	} while (p && p > from && p < end);
	return p;
}

/* SPDX-License-Identifier: ISC */
/* Lines that need not become records: those of one place, for a sink that takes lines. */
#include "reader.h"

#define LONGEST_DEC 19		/* digits that certainly fit 64 bits */
#define LONGEST_HEX 16

/* The line at p, as bits: bytes that belong to its tokens, those where a token must begin,
 * and those that tokens may have, which are the decimal digits and more as columns are
 * recognised. */
struct tokens {
	const char *p;
	struct scan s;
	uint64_t all, start, good;
};

/* Accepts an absent column at `from`, if it is one. */
static inline void
may_be_absent(struct tokens *t, unsigned from, unsigned end)
{
	t->good |= (uint64_t)(end - from == 1 && t->p[from] == '-') << from;
}

/* Accepts "LINE TAB ADDR" at `from`: returns its end, or 0. */
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
	t->start ^= (uint64_t)5 << addr;	/* digits begin after "0x" */
	return end;
}

/* Are all tokens well-formed?  No token may begin at the end of the line. */
static inline bool
are_good(const struct tokens *t)
{
	return !(((t->all | t->start) & ~t->good) |
	    (t->start & t->s.zero & t->good >> 1));	/* a zero before other digits */
}

/* Checks the text after the place of a cost.  A value takes at least two bytes, so there is
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

/* The same for a jump within the place. */
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

/* Returns the newline of a cost or a jump at the place that needs no other check; otherwise
 * NULL. */
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

/* Puts lines of one place from p on, and returns their end: p if there are none, NULL if
 * that fails. */
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

const char *
prof_put_places(struct reader *rd, const char *p, const char *end)
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

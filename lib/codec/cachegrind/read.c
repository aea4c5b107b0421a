/* SPDX-License-Identifier: ISC */
#include "reader.h"

#include <stdlib.h>

#include "util/scan.h"

/*
 * Reads a usual line of cost: all numbers present, canonical and plain, separated by single
 * blanks.  Returns its newline, or NULL for any other line.  The bits of `c` are those of the
 * line and of some bytes after it.
 */
static inline __attribute__((always_inline)) const char *
usual_cost(struct reader *rd, const char *p, const struct scan_classes *c,
    unsigned (*count)(uint64_t))
{
	const struct scan s = scan_cut(c);
	struct record *r = &rd->cost;
	struct plain_values *const v = &rd->plain;
	uint64_t left, run, value;
	unsigned n, i, from;

	if (!s.n || !scan_numbers(&s, 0, SCAN) || count(s.blank) != rd->nevents)
		return NULL;
	run = s.digit & s.digit >> 1;	/* eight digits in a row? */
	run &= run >> 2;
	if (run & run >> 4)
		return NULL;
	n = scan_token(&s, 0);
	r->col[PLACE_LINE].n = scan_dec(p, n);
	r->col[PLACE_LINE].has = r->col[PLACE_LINE].n ? HAS_N : 0;
	r->values = (struct text){ p + n + 1, s.n - n - 1 };
	r->plain = v;
	v->nonzero = 0;
	/* Most counts are 0: looks only at the others. */
	for (left = s.blank << 1 & ~s.zero; left; left &= left - 1) {
		from = (unsigned)__builtin_ctzll(left);
		i = count(s.blank & (left ^ (left - 1))) - 1;
		value = scan_dec(p + from, scan_token(&s, from) - from);
		v->value[i] = value;
		v->nonzero |= (uint64_t)1 << i;
		rd->sum[i] += value;
	}
	return p + s.n;
}

/* Puts usual lines from p on, as many as there are, and returns their end; NULL if a sink
 * failed. */
#define PUT_USUAL(NAME, CLASSIFY, COUNT) \
	static const char * \
	NAME(struct reader *rd, const char *p, const char *end) \
	{ \
		struct scan_classes c; \
		const char *q; \
\
		while (p < end && *p <= '9' && *p >= '0' && CLASSIFY(p, ' ', &c) && \
		    (q = usual_cost(rd, p, &c, COUNT))) { \
			rd->d->at.line++; \
			if (sink_put(rd->d->out, &rd->cost) < 0) \
				return NULL; \
			p = q + 1; \
		} \
		return p; \
	}

PUT_USUAL(put_usual, scan_classify, scan_count)

#ifdef HAVE_WIDE
WIDE static inline unsigned
count_wide(uint64_t v)
{
	return (unsigned)__builtin_popcountll(v);
}

WIDE PUT_USUAL(put_usual_wide, scan_classify_wide, count_wide)
#endif

/* Handles any other line, [p, end). */
static int
other_line(struct reader *rd, const char *p, const char *end)
{
	const char *q = p;

	if (end > p && end[-1] == '\r')
		end--;
	if (rd->state < BODY)
		return cachegrind_header_line(rd, p, end);
	while (q < end && cachegrind_blank(*q))
		q++;
	if (q == end)
		return LINE_OK;
	if (*p == '#')
		return cachegrind_comment(rd, (struct text){ p + 1, (size_t)(end - p - 1) });
	if (rd->state == BODY)
		return cachegrind_body_line(rd, p, end);
	return cachegrind_header_line(rd, p, end);
}

#define NAMES_AHEAD 3
#define NAMES_MANY 20000	/* so that not all of their memory may be in a cache */

/* Begins to load the names of the next lines that have some, fl= and fn=: of a profile of
 * many functions most are new, and searched for in memory that is far away. */
static void
look_ahead(struct reader *rd, const char *p, const char *end)
{
	const char *q = p, *lf;

	if (rd->ahead && rd->ahead > p) {
		q = rd->ahead;
		rd->nahead--;
	} else {
		rd->nahead = 0;
	}
	while (rd->nahead < NAMES_AHEAD && (q = scan_find(q, end, 'f')) < end) {
		lf = scan_find(q, end, '\n');
		if (q[-1] == '\n' && lf - q > 3 && q[2] == '=') {
			dict_prefetch(rd->d->dict, (struct text){ q + 3, (size_t)(lf - q - 3) });
			rd->nahead++;
		}
		q = lf;
	}
	rd->ahead = q;
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	struct decode *d = rd->d;
	const char *q;
	int ret;

	rd->ahead = NULL;
	while (p < end) {
		if (rd->have_func && rd->state == BODY && !(p = rd->put_usual(rd, p, end)))
			return -1;
		if (p == end)
			break;
		d->at.line++;
		q = memchr(p, '\n', (size_t)(end - p));
		if (*p == 'f' && ++rd->nnames > NAMES_MANY)
			look_ahead(rd, q, end);
		ret = other_line(rd, p, q);
		if (ret && decode_line_done(d, ret) < 0)
			return -1;
		p = q + 1;
	}
	return 0;
}

static int
read_all(struct reader *rd)
{
	struct decode *d = rd->d;

	if (decode_lines(d, "profile", LAST_MAY_END, block, rd) < 0)
		return -1;
	if (!rd->in_part || rd->state < BODY)
		return decode_line_done(d, BAD("no 'events:' line"));
	if (rd->state != DONE && !d->cut)
		return decode_cut(d, "the profile is truncated: no 'summary:', which "
		    "cachegrind writes last");
	return decode_unended(d, "profile", rd->proof);
}

int
cachegrind_decode(struct decode *d)
{
	struct reader rd = { .d = d, .cost = rec_make(REC_COST), .put_usual = put_usual };
	int r;

#ifdef HAVE_WIDE
	if (wide_has())
		rd.put_usual = put_usual_wide;
#endif
	r = read_all(&rd);
	comment_events_free(&rd.own_events);
	buf_free(&rd.cmd);
	buf_free(&rd.own_run);
	buf_free(&rd.scratch);
	free(rd.sum);
	free(rd.value);
	return r;
}

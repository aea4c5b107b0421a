/* SPDX-License-Identifier: ISC */
#include "browse/last_second.h"

#include "sum/heading.h"

/* Adds minus a number in canonical form. */
static void
add_minus(struct buf *b, struct text number)
{
	if (number.n && *number.s == '-' && number.n > 1)
		buf_add(b, number.s + 1, number.n - 1);
	else if (text_is(number, "0") || text_is(number, "-"))
		buf_text(b, number);
	else
		buf_printf(b, "-%.*s", (int)number.n, number.s);
}

static struct text
minus_all(struct buf *b, struct text values)
{
	struct text value;

	b->n = 0;
	while (values_next(&values, &value)) {
		if (b->n)
			buf_putc(b, ' ');
		add_minus(b, value);
	}
	return buf_as_text(b);
}

/* Puts a record with minus its costs and counts. */
static int
put_minus(struct last_second *w, const struct record *r)
{
	struct record minus;

	rec_copy(&minus, r);
	minus.values = minus_all(&w->values, r->values);
	if (rec_kind(r) == REC_CALL && r->col[CALL_COUNT].t.s)
		minus.col[CALL_COUNT].t = minus_all(&w->count, r->col[CALL_COUNT].t);
	return sink_put(w->sink.next, &minus);
}

/* Puts the beginning of a part, marked for the heading, which needs no other attributes. */
static int
put_part(struct last_second *w, const struct record *r)
{
	struct record part;

	rec_copy(&part, r);
	part.attrs = TEXT(HEADING_TAKEN_OFF "=1");
	return sink_put(w->sink.next, &part);
}

static int
put_before(struct last_second *w, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_PROF:
		return 0;
	case REC_PART:
		return put_part(w, r);
	case REC_COST: case REC_CALL: case REC_SAMPLE: case REC_TOTAL:
		return put_minus(w, r);
	case REC_JUMP:
		return 0;
	case REC_POINT: case REC_VPROF:
		return diag_fail_plain(w->diag, "the last second is not available for "
		    "sizes and values");
	default:
		return sink_put(w->sink.next, r);
	}
}

static int
last_second_put(struct sink *s, const struct record *r)
{
	struct last_second *w = (struct last_second *)s;

	if (w->before)
		return put_before(w, r);
	return rec_kind(r) == REC_END ? 0 : sink_put(s->next, r);
}

void
last_second_init(struct last_second *w, struct sink *next, struct diag *d)
{
	*w = (struct last_second){ .sink = { .put = last_second_put, .next = next }, .diag = d };
}

void
last_second_free(struct last_second *w)
{
	buf_free(&w->values);
	buf_free(&w->count);
}

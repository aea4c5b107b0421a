/* SPDX-License-Identifier: ISC */
#include "browse/window.h"

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
put_minus(struct window *w, const struct record *r)
{
	struct record minus;

	rec_copy(&minus, r);
	minus.values = minus_all(&w->values, r->values);
	if (rec_kind(r) == REC_CALL && r->col[CALL_COUNT].t.s)
		minus.col[CALL_COUNT].t = minus_all(&w->count, r->col[CALL_COUNT].t);
	return sink_put(w->sink.next, &minus);
}

static int
put_before(struct window *w, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_PROF:
		return 0;
	case REC_META:		/* both have it */
		return meta_is(r, "lost") || meta_is(r, "skipped") ? 0 :
		    sink_put(w->sink.next, r);
	case REC_COST: case REC_CALL: case REC_SAMPLE: case REC_TOTAL:
		return put_minus(w, r);
	case REC_JUMP:
		return 0;
	case REC_POINT: case REC_VPROF:
		return diag_fail_plain(w->diag, "a profile of sizes or values has no last "
		    "second");
	default:
		return sink_put(w->sink.next, r);
	}
}

static int
window_put(struct sink *s, const struct record *r)
{
	struct window *w = (struct window *)s;

	if (w->before)
		return put_before(w, r);
	return rec_kind(r) == REC_END ? 0 : sink_put(s->next, r);
}

void
window_init(struct window *w, struct sink *next, struct diag *d)
{
	*w = (struct window){ .sink = { .put = window_put, .next = next }, .diag = d };
}

void
window_free(struct window *w)
{
	buf_free(&w->values);
	buf_free(&w->count);
}

/* SPDX-License-Identifier: ISC */
/* Reads the lines of folded stacks. */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/num.h"

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

static int
put_event(struct reader *rd, unsigned i)
{
	static const char *const role[] = { "role=old\tof=samples", "role=new\tof=samples" };
	struct record r = rec_make(REC_EVENT);
	char name[32] = "samples";
	struct buf b = { 0 };
	int ret;

	if (rd->counts > 1)
		snprintf(name, sizeof name, "samples.%s", i == 0 ? "old" : "new");
	r.col[EVENT_ID].n = i;
	r.col[EVENT_NAME].t = text_of(name);
	if (rd->unit && rd->counts == 1) {
		r.col[EVENT_NAME].t = text_of(rd->unit->name);
		r.col[EVENT_UNIT].t = text_of(rd->unit->unit);
	}
	buf_puts(&b, "calls=absent");
	if (rd->decimals)
		buf_printf(&b, "\tscale=1/1%0*d", (int)rd->decimals, 0);
	if (rd->counts == 2) {
		buf_putc(&b, '\t');
		buf_puts(&b, role[i]);
	}
	r.attrs = buf_as_text(&b);
	ret = decode_put_event(rd->d, &r);
	buf_free(&b);
	return ret;
}

/* Puts an event of Austin's metrics: a thread that is not idle uses the processor. */
static int
put_full_event(struct reader *rd, unsigned i)
{
	static const char *const event[FOLDED_FULL][2] = {
		{ "time", "us" }, { "cpu", "us" }, { "memory", "B" },
	};

	return DECODE_EVENT(rd->d, i, .name = text_of(event[i][0]), .unit = text_of(event[i][1]));
}

static int
begin_part(struct reader *rd)
{
	unsigned i;

	if (decode_part(rd->d, "folded", rd->dialect == FOLDED_PLAIN ?
	    (struct text){ 0 } : TEXT("positions=line")) < 0 ||
	    (rd->dialect != FOLDED_PLAIN && meta_put(rd->d->out, FOLDED_FRAMES,
	    opt_word(FOLDED_DIALECTS, rd->dialect)) < 0))
		return -1;
	for (i = 0; i < rd->counts; i++)
		if ((rd->full ? put_full_event(rd, i) : put_event(rd, i)) < 0)
			return -1;
	return 0;
}

/* ---- lines ---- */

/* Adds a count without its point to rd->values, as a whole number of the event's unit. */
static void
add_value(struct reader *rd, bool minus, struct text whole, struct text fraction)
{
	struct buf *b = &rd->values;
	size_t zeros = rd->decimals - fraction.n;

	while (whole.n && *whole.s == '0')
		whole.s++, whole.n--;
	while (!whole.n && fraction.n && *fraction.s == '0')
		fraction.s++, fraction.n--;
	if (!whole.n && !fraction.n) {
		buf_putc(b, '0');
		return;
	}
	if (minus)
		buf_putc(b, '-');
	buf_text(b, whole);
	if (!rd->decimals)
		return;
	buf_text(b, fraction);
	memset(buf_room(b, zeros), '0', zeros);
	b->n += zeros;
}

static int
read_counts(struct reader *rd, const char *p, const char *end)
{
	struct text whole, fraction;
	bool minus;

	rd->values.n = 0;
	while (folded_next_count(&p, end, &minus, &whole, &fraction)) {
		if (fraction.n > rd->decimals)
			return rd->decimals ? BAD("a count with more than %d decimals: %s",
			    FOLDED_DECIMALS, QUOTE_TO(whole.s, p)) :
			    BAD("expected a whole number, like the counts in the first "
			    "%d bytes, found %s", FOLDED_PEEK, QUOTE_TO(whole.s, p));
		if (rd->values.n)
			buf_putc(&rd->values, '\t');
		add_value(rd, minus, whole, fraction);
	}
	return LINE_OK;
}

/* Reads a single canonical whole number, which is the value unchanged. */
static inline bool
usual_count(const struct reader *rd, const char *p, const char *end, struct text *values)
{
	const char *q = p + 1;

	if (rd->counts != 1 || rd->decimals || q >= end || *q < '1')
		return false;
	while (q < end && *q >= '0' && *q <= '9')
		q++;
	*values = (struct text){ p + 1, (size_t)(end - p - 1) };
	return q == end;
}

static int
read_comment(struct reader *rd, const char *p, const char *end)
{
	while (end > p && end[-1] == '\r')
		end--;
	return meta_put(rd->d->out, "comment", (struct text){ p + 2,
	    (size_t)(end - p - 2) });
}

/* Reads Austin's thread as labels; there may be no frames after it. */
static int
read_thread(struct reader *rd, struct text stack, struct record *r)
{
	const struct folded_thread t = folded_take_thread(&stack);

	rd->attrs.n = 0;
	if (t.pid.s) {
		attr_add(&rd->attrs, "pid", t.pid);
		attr_add(&rd->attrs, "tid", t.tid);
	}
	if (t.iid.s)
		attr_add(&rd->attrs, "iid", t.iid);
	if (rd->attrs.n)
		r->attrs = buf_as_text(&rd->attrs);
	return t.pid.s && !stack.n ? LINE_OK : folded_stack_read(rd, stack, &r->col[0].n);
}

/* Reads the stack of a line, and Austin's thread before it. */
static int
read_whole_stack(struct reader *rd, struct text stack, struct record *r)
{
	return rd->dialect == FOLDED_AUSTIN ? read_thread(rd, stack, r) :
	    folded_stack_read(rd, stack, &r->col[0].n);
}

static int
read_full(struct reader *rd, const char *p, const char *end)
{
	struct record r = rec_make(REC_SAMPLE);
	const struct text none = { 0 };
	struct folded_full f;
	const char *stack = folded_full_end(p, end, &f);
	int ret;

	if (!stack)
		return BAD("expected a stack and TIME,IDLE,MEMORY, like the lines before, "
		    "found %s", QUOTE_TO(p, end));
	if ((ret = read_whole_stack(rd, (struct text){ p, (size_t)(stack - p) }, &r)))
		return ret;
	rd->values.n = 0;
	add_value(rd, false, f.time, none);
	buf_putc(&rd->values, '\t');
	add_value(rd, false, f.idle ? none : f.time, none);
	buf_putc(&rd->values, '\t');
	add_value(rd, f.minus, f.memory, none);
	r.values = buf_as_text(&rd->values);
	return sink_put(rd->d->out, &r);
}

/* Is it a stack and one canonical count, without anything else? */
static inline bool
is_usual(const struct reader *rd, const char *p, const char *end, struct text *stack,
    struct text *values)
{
	const char *q = rd->full || rd->dialect == FOLDED_AUSTIN ? NULL :
	    folded_stack_end(p, end, rd->counts);

	if (!q || !usual_count(rd, q, end, values))
		return false;
	*stack = (struct text){ p, (size_t)(q - p) };
	return true;
}

static int
read_counted(struct reader *rd, const char *p, const char *end)
{
	const char *stack = folded_stack_end(p, end, rd->counts);
	struct record r;
	int ret;

	if (!stack)
		return rd->counts == 1 ? BAD("expected a stack and a count, found %s",
		    QUOTE_TO(p, end)) : BAD("expected a stack and %u counts, like the "
		    "lines before, found %s", rd->counts, QUOTE_TO(p, end));
	rec_init(&r, REC_SAMPLE);
	if ((ret = read_whole_stack(rd, (struct text){ p, (size_t)(stack - p) }, &r)))
		return ret;
	if ((ret = read_counts(rd, stack, end)))
		return ret;
	r.values = buf_as_text(&rd->values);
	return sink_put(rd->d->out, &r);
}

static int
read_line(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	struct text stack, values;
	const char *q = p;

	while (q < end && (*q == ' ' || *q == '\t' || *q == '\r'))
		q++;
	if (q == end)
		return LINE_OK;
	if (!folded_is_comment(p, end) && is_usual(rd, p, end, &stack, &values))
		return folded_batch_add(rd, stack, values);
	if (folded_batch_put(rd) < 0)
		return LINE_FATAL;
	if (folded_is_comment(p, end))
		return read_comment(rd, p, end);
	return rd->full ? read_full(rd, p, end) : read_counted(rd, p, end);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;

	if (decode_each_line(rd->d, p, end, read_line, rd) < 0 || folded_batch_put(rd) < 0)
		return -1;
	rd->batch.last = NULL;
	return 0;
}

/* Finds the event that Austin names at the beginning. */
static const struct folded_unit *
find_unit(const char *p, size_t n)
{
	const struct folded_unit *u;
	struct buf b = { 0 };

	for (u = folded_units; u->mode; u++) {
		b.n = 0;
		buf_printf(&b, "# mode: %s\n", u->mode);
		if (memmem(p, n, b.s, b.n))
			break;
	}
	buf_free(&b);
	return u->mode ? u : NULL;
}

/* Finds the number of counts from the first bytes; if there are fractions, finds their
 * decimals from the whole file. */
static int
look_at_counts(struct reader *rd)
{
	const char *p;
	long peek = in_peek(rd->d->in, &p);
	size_t n = peek > FOLDED_PEEK ? FOLDED_PEEK : (size_t)peek;

	if (peek < 0)
		return -1;
	if (rd->dialect == FOLDED_AUSTIN)
		rd->unit = find_unit(p, n);
	if ((rd->full = folded_is_full(p, n))) {
		rd->counts = FOLDED_FULL;
		return 0;
	}
	if (!(rd->counts = folded_counts(p, n)))
		rd->counts = 1;	/* the error is reported for the line without count */
	if (!folded_decimals(p, n, rd->counts))
		return 0;
	if (in_all(rd->d->in, &p, &n) < 0)
		return -1;
	/* Rounds up to three digits, so that more files can be merged. */
	rd->decimals = (folded_decimals(p, n, rd->counts) + 2) / 3 * 3;
	if (rd->decimals > FOLDED_DECIMALS)
		rd->decimals = FOLDED_DECIMALS;
	diag_say(rd->d->diag, DIAG_NOTE, "counts are fractions: values are multiples "
	    "of 1/1%0*d", (int)rd->decimals, 0);
	return 0;
}

/* Suggests a dialect if many frames are lines of the same functions. */
static void
hint_dialect(const struct reader *rd)
{
	if (2 * rd->nplace <= rd->nname)
		return;
	rd->d->at.line = 0;
	diag_say(rd->d->diag, DIAG_NOTE, "most frames are 'name (file:line)', and each line "
	    "counts as a function: see --frames py-spy");
}

int
folded_decode(struct decode *d)
{
	const struct folded_read_options *o = d->options;
	struct reader rd = { .d = d, .dialect = o->dialect };
	int r = -1;

	if (look_at_counts(&rd) == 0 && begin_part(&rd) == 0)
		r = decode_lines(d, "file", LAST_MAY_END, block, &rd) < 0 ? -1 :
		    decode_unended(d, "file", END_UNPROVED);
	if (r == 0)
		hint_dialect(&rd);
	cache_free(&rd.frames);
	folded_batch_free(&rd.batch);
	folded_recent_free(rd.recent);
	free(rd.runs);
	buf_free(&rd.attrs);
	buf_free(&rd.values);
	return r;
}

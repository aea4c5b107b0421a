/* SPDX-License-Identifier: ISC */
#include "stream/decode.h"

#include "io/snapshot.h"
#include "util/num.h"

int
decode_put_part(struct decode *d, const struct record *part)
{
	d->events = 0;
	return sink_put(d->out, part);
}

int
decode_put_event(struct decode *d, const struct record *event)
{
	return ++d->events <= DECODE_EVENTS ? sink_put(d->out, event) :
	    diag_fail(d->diag, "a part with more than %d events", DECODE_EVENTS);
}

int
decode_part(struct decode *d, const char *format, struct text attrs)
{
	struct record r = rec_make(REC_PART);
	char run[24];

	r.col[0].t = num_text_u64(run, ++d->session->runs);
	r.attrs = attrs;
	return decode_put_part(d, &r) < 0 ||
	    meta_put(d->out, "format", text_of(format)) < 0 ? -1 : 0;
}

int
decode_event(struct decode *d, uint64_t id, const struct event_def *e)
{
	struct record r = rec_make(REC_EVENT);

	r.col[EVENT_ID].n = id;
	r.col[EVENT_NAME].t = e->name;
	r.col[EVENT_UNIT].t = e->unit;
	r.col[EVENT_DESCRIPTION].t = e->description;
	r.attrs = e->attrs.s || e->calls ? e->attrs : TEXT("calls=absent");
	return decode_put_event(d, &r);
}

bool
decode_is_lenient(const struct decode *d)
{
	return d->lenient || in_interrupted(d->in);
}

int
decode_line_done(struct decode *d, int result)
{
	if (result == LINE_BAD && d->unended && !d->cut)
		buf_puts(&d->diag->error, ": the file is truncated, its last line has no "
		    "newline");
	if (result == LINE_BAD && !decode_is_lenient(d))
		d->diag->hint = "--lenient reads the intact part";
	if (result != LINE_BAD || !decode_is_lenient(d))
		return result == LINE_OK ? 0 : -1;
	if (d->session->skipped++ < 10)
		diag_demote(d->diag, DIAG_WARN, "skipped: ");
	d->diag->error.n = 0;	/* drop errors that were not reported */
	return 0;
}

int
decode_cut(struct decode *d, const char *fmt, ...)
{
	const char *packed_cut = in_packed_cut(d->in);	/* the cause of all others */
	struct buf b = { 0 };
	va_list ap;

	d->cut = true;
	if (snapshot_is() || d->packed_cut)
		return 0;
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	if (packed_cut) {
		d->at.line = 0;
		d->packed_cut = decode_is_lenient(d);
		diag_fail(d->diag, "%s", packed_cut);
	} else {
		diag_fail(d->diag, "%s", buf_str(&b));
	}
	buf_free(&b);
	return decode_line_done(d, LINE_BAD);
}

#define NO_END "the %s is truncated: its last line has no newline"

int
decode_last_line(struct decode *d, const char *what, enum last_line last)
{
	if (last == LAST_ENDS || in_packed_cut(d->in)) {
		d->at.line++;
		return decode_cut(d, NO_END, what);
	}
	d->unended = true;
	return 1;
}

int
decode_whole_lines(struct decode *d, const char *what, struct text *all)
{
	const char *p = all->s, *end = p + all->n;

	if (!all->n || end[-1] == '\n')
		return 0;
	for (d->at.line = 0; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		d->at.line++;
	while (all->n && all->s[all->n - 1] != '\n')
		all->n--;
	return decode_last_line(d, what, LAST_ENDS);
}

int
decode_lines_late(struct decode *d, const char *what, enum last_line last,
    int (*block)(void *, const char *, const char *), int (*finish)(void *), void *arg)
{
	char *p, *end;
	int r, given;

	d->at.line = 0;
	for (;;) {
		r = in_lines(d->in, &p, &end);
		if ((r <= 0 || in_cut(d->in)) && finish(arg) < 0)
			return -1;
		if (r <= 0)
			return r < 0 ? in_fail(d->in) : 0;
		if (in_cut(d->in) && (given = decode_last_line(d, what, last)) <= 0)
			return given;
		if (block(arg, p, end) < 0)
			return -1;
	}
}

static int
nothing_is_late(void *arg)
{
	(void)arg;
	return 0;
}

int
decode_lines(struct decode *d, const char *what, enum last_line last,
    int (*block)(void *, const char *, const char *), void *arg)
{
	return decode_lines_late(d, what, last, block, nothing_is_late, arg);
}

int
decode_unended(struct decode *d, const char *what, enum end_proof proof)
{
	if (!d->unended || d->cut || proof == END_WHOLE)
		return 0;
	if (proof == END_CUT)
		return decode_cut(d, NO_END, what);
	if (!decode_is_lenient(d) && proof == END_BY_HABIT && !in_regular(d->in))
		return decode_cut(d, NO_END " (accepted in a file)", what);
	if (!decode_is_lenient(d) && proof != END_BY_HABIT)
		return decode_cut(d, NO_END, what);
	diag_say(d->diag, DIAG_NOTE, "the last line has no newline: the %s may be "
	    "truncated there", what);
	return 0;
}

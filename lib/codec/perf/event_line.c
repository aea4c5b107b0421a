/* SPDX-License-Identifier: ISC */
/* Lines of events in perf script's output. */
#include "line_words.h"

/* Returns the end of a whole number, or of -1, which stands for none. */
static const char *
number_end(const char *p, const char *end)
{
	const char *q = p + (p < end && *p == '-');
	const char *r = perf_digits_end(q, end);

	return r == q ? p : r;
}

/* Reads the word [p, end) as "PID/TID" or "TID", perf script's default. */
static bool
take_thread(const char *p, const char *end, struct perf_event *e)
{
	const char *q = number_end(p, end), *r;

	if (q == p)
		return false;
	e->pid = (struct text){ 0 };
	e->tid = perf_between(p, q);
	if (q == end)
		return true;
	r = number_end(q + 1, end);
	if (*q != '/' || r != end || r == q + 1)
		return false;
	e->pid = e->tid;
	e->tid = perf_between(q + 1, r);
	return true;
}

/* Reads "[003]": returns its end, or p. */
static const char *
take_cpu(const char *p, const char *end, struct text *cpu)
{
	const char *q;

	if (p == end || *p != '[')
		return p;
	q = perf_digits_end(p + 1, end);
	if (q == p + 1 || q == end || *q != ']')
		return p;
	*cpu = perf_between(p + 1, q);
	return perf_skip_blanks(q + 1, end);
}

/* Skips the mode of the processor and the like, from "-F misc". */
static const char *
skip_misc(const char *p, const char *end)
{
	const char *q = perf_word_end(p, end), *r;

	for (r = p; r < q; r++)
		if (!memchr("KUHGgMESDpd", *r, 11))
			return p;
	return q - p > 6 ? p : perf_skip_blanks(q, end);
}

/* Reads "30143.481555:" and returns the end after the colon; p: it is not a time. */
static const char *
take_time(const char *p, const char *end, struct text *time)
{
	const char *q = perf_digits_end(p, end), *r;

	if (q == p || q == end || *q != '.')
		return p;
	r = perf_digits_end(q + 1, end);
	if (r == q + 1 || r == end || *r != ':' ||
	    (r + 1 < end && !perf_blank(r[1])))
		return p;
	*time = perf_between(p, r);
	return r + 1;
}

/* Returns the colon that ends an event's name: the first with a blank or nothing after
 * it. */
static const char *
name_end(const char *p, const char *end)
{
	for (; (p = memchr(p, ':', (size_t)(end - p))); p++)
		if (p + 1 == end || perf_blank(p[1]))
			return p;
	return NULL;
}

static void
take_rest(const char *p, const char *end, struct perf_event *e)
{
	e->rest = perf_between(p, end);
}

/* Reads the fields from the period on, after a time. */
static void
take_event(const char *p, const char *end, struct perf_event *e)
{
	const char *start = perf_skip_blanks(p, end), *q;

	p = start;
	q = perf_digits_end(p, end);
	if (q > p && (q == end || perf_blank(*q))) {
		e->period = perf_between(p, q);
		p = perf_skip_blanks(q, end);
	}
	e->record = perf_begins(p, end, "PERF_RECORD_");
	q = perf_begins(p, end, "DEFERRED CALLCHAIN") ? p + 18 : name_end(p, end);
	/* -F may have left out the event: this is a period or a frame. */
	if (!q || q == p || !perf_letter(*p)) {
		if (p < end) {
			e->period = (struct text){ 0 };
			take_rest(start, end, e);
		}
		return;
	}
	e->name = perf_between(p, q);
	take_rest(perf_skip_blanks(q + (*q == ':'), end), end, e);
}

static bool
take_fields(const char *p, const char *end, struct perf_event *e)
{
	const char *q;

	p = take_cpu(perf_skip_blanks(p, end), end, &e->cpu);
	if ((q = take_time(p, end, &e->time)) == p) {
		p = skip_misc(p, end);
		if ((q = take_time(p, end, &e->time)) == p)
			return false;
	}
	take_event(q, end, e);
	return true;
}

/* Reads a line without a time, in which the name is one word. */
static bool
take_untimed(const char *p, const char *end, struct perf_event *e)
{
	const char *q;

	p = take_cpu(perf_skip_blanks(p, end), end, &e->cpu);
	q = perf_digits_end(p, end);
	if (q > p && q < end && perf_blank(*q)) {
		e->period = perf_between(p, q);
		p = perf_skip_blanks(q, end);
	}
	if (p == end || !perf_letter(*p))
		return false;
	q = perf_begins(p, end, "raw 0x") ? perf_word_end(p + 4, end) : perf_word_end(p, end);
	if (q[-1] != ':' || memchr(p, '(', (size_t)(q - p)) ||
	    memchr(p, ';', (size_t)(q - p)))
		return false;
	e->name = perf_between(p, q - 1);
	e->record = perf_begins(p, q, "PERF_RECORD_");
	take_rest(perf_skip_blanks(q, end), end, e);
	return true;
}

bool
perf_event_fields(const char *p, const char *end, bool timed, struct perf_event *e)
{
	e->cpu = e->time = e->period = e->name = e->rest = (struct text){ 0 };
	e->record = false;
	end = perf_trim(p, end);
	return timed ? take_fields(p, end, e) : take_untimed(p, end, e);
}

static void
take_comm(const char *start, const char *end, struct perf_event *e)
{
	e->comm = perf_trimmed(start, end);
	if (!e->comm.n)
		e->comm = (struct text){ 0 };
}

/* Reads a line with a thread, after its name, and a time. */
static bool
timed(const char *p, const char *end, struct perf_event *e)
{
	const char *q, *r;

	for (q = perf_skip_blanks(p, end); q < end; q = perf_skip_blanks(r, end)) {
		r = perf_word_end(q, end);
		*e = (struct perf_event){ 0 };
		if ((perf_digit(*q) || *q == '-') && take_thread(q, r, e) &&
		    take_fields(r, end, e)) {
			take_comm(p, q, e);
			e->head = (size_t)(r - p);
			return true;
		}
	}
	return false;
}

/* The fewest columns of a thread's number, with a blank before it. */
#define THREAD_WIDTH 6

/* And the most, if no name is before it: a name is right-aligned to 16. */
#define THREAD_ALONE 8

static bool
untimed(const char *p, const char *end, struct perf_event *e)
{
	struct perf_event first = { 0 };
	const char *q, *r, *before = p;
	bool any = false;

	for (q = perf_skip_blanks(p, end); q < end; before = r, q = perf_skip_blanks(r, end)) {
		r = perf_word_end(q, end);
		*e = (struct perf_event){ 0 };
		if (!(perf_digit(*q) || *q == '-') || !take_thread(q, r, e) ||
		    !take_untimed(r, end, e))
			continue;
		take_comm(p, q, e);
		e->head = (size_t)(r - p);
		if (e->pid.s || r - before >= THREAD_WIDTH ||
		    (before == p && r - p <= THREAD_ALONE))
			return true;
		if (!any)
			first = *e;
		any = true;
	}
	*e = first;
	return any;
}

/* Is the time in microseconds or finer, as perf writes it?  Without a thread, "version
 * 0.7:" is not a time. */
static bool
is_exact(struct text time)
{
	const char *point = time.n ? memchr(time.s, '.', time.n) : NULL;

	return point && time.s + time.n - point > 6;
}

/* Reads a line with a time but no thread; a thread's name may come first. */
static bool
threadless(const char *p, const char *end, struct perf_event *e)
{
	const char *q, *r;

	for (q = perf_skip_blanks(p, end); q < end; q = perf_skip_blanks(r, end)) {
		r = perf_word_end(q, end);
		*e = (struct perf_event){ 0 };
		if ((perf_digit(*q) || *q == '[') && take_fields(q, end, e) &&
		    is_exact(e->time)) {
			take_comm(p, q, e);
			e->head = (size_t)(q - p);
			return true;
		}
	}
	return false;
}

/* Reads a line with only the event and perhaps, before it, its thread's name: then a blank
 * follows the colon, as perf writes it. */
static bool
nameless(const char *p, const char *end, bool blank, struct perf_event *e)
{
	const char *q = end;

	while (q > p && !perf_blank(q[-1]))
		q--;
	*e = (struct perf_event){ 0 };
	if (end - q < 2 || end[-1] != ':' || !perf_letter(*q) || !(blank || q == p) ||
	    memchr(q, '(', (size_t)(end - q)) || memchr(q, ';', (size_t)(end - q)) ||
	    perf_is_message(p, end))
		return false;
	e->name = perf_between(q, end - 1);
	end = perf_trim(p, q);
	for (q = end; q > p && !perf_blank(q[-1]); q--)
		;
	if (take_cpu(q, end, &e->cpu) > q)
		end = q;
	take_comm(p, end, e);
	return true;
}

bool
perf_event_line(const char *p, const char *end, struct perf_event *e)
{
	const char *last = perf_trim(p, end);

	return timed(p, last, e) || threadless(p, last, e) || untimed(p, last, e) ||
	    nameless(p, last, last < end && perf_blank(*last), e);
}

/* SPDX-License-Identifier: ISC */
/* What the lines of perf script consist of. */
#include "perf.h"

static bool
digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
hex(char c)
{
	return digit(c) || (c >= 'a' && c <= 'f');
}

static bool
letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && perf_blank(*p))
		p++;
	return p;
}

static const char *
word_end(const char *p, const char *end)
{
	while (p < end && !perf_blank(*p))
		p++;
	return p;
}

static const char *
trim(const char *p, const char *end)
{
	while (end > p && (perf_blank(end[-1]) || end[-1] == '\r'))
		end--;
	return end;
}

struct text
perf_trimmed(const char *p, const char *end)
{
	p = skip_blanks(p, end);
	return (struct text){ p, (size_t)(trim(p, end) - p) };
}

static const char *
digits_end(const char *p, const char *end)
{
	while (p < end && digit(*p))
		p++;
	return p;
}

static bool
begins(const char *p, const char *end, const char *with)
{
	const size_t n = strlen(with);

	return (size_t)(end - p) >= n && memcmp(p, with, n) == 0;
}

static struct text
between(const char *p, const char *end)
{
	return (struct text){ p, (size_t)(end - p) };
}

/* ---- events ---- */

/* A whole number, -1 for none. */
static const char *
number_end(const char *p, const char *end)
{
	const char *q = p + (p < end && *p == '-');
	const char *r = digits_end(q, end);

	return r == q ? p : r;
}

/* The word [p, end) as "PID/TID" or "TID", which perf script has by default. */
static bool
take_thread(const char *p, const char *end, struct perf_event *e)
{
	const char *q = number_end(p, end), *r;

	if (q == p)
		return false;
	e->pid = (struct text){ 0 };
	e->tid = between(p, q);
	if (q == end)
		return true;
	r = number_end(q + 1, end);
	if (*q != '/' || r != end || r == q + 1)
		return false;
	e->pid = e->tid;
	e->tid = between(q + 1, r);
	return true;
}

/* "[003]": its end, or p. */
static const char *
take_cpu(const char *p, const char *end, struct text *cpu)
{
	const char *q;

	if (p == end || *p != '[')
		return p;
	q = digits_end(p + 1, end);
	if (q == p + 1 || q == end || *q != ']')
		return p;
	*cpu = between(p + 1, q);
	return skip_blanks(q + 1, end);
}

/* Of the modes of the processor and the like, "-F misc": past them. */
static const char *
skip_misc(const char *p, const char *end)
{
	const char *q = word_end(p, end), *r;

	for (r = p; r < q; r++)
		if (!memchr("KUHGgMESDpd", *r, 11))
			return p;
	return q - p > 6 ? p : skip_blanks(q, end);
}

/* "30143.481555:", its end after the colon; p: it is none. */
static const char *
take_time(const char *p, const char *end, struct text *time)
{
	const char *q = digits_end(p, end), *r;

	if (q == p || q == end || *q != '.')
		return p;
	r = digits_end(q + 1, end);
	if (r == q + 1 || r == end || *r != ':' ||
	    (r + 1 < end && !perf_blank(r[1])))
		return p;
	*time = between(p, r);
	return r + 1;
}

/* The colon that ends an event's name: the first with a blank or nothing after it. */
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
	e->rest = between(p, end);
}

/* From the period on, after a time. */
static void
take_event(const char *p, const char *end, struct perf_event *e)
{
	const char *start = skip_blanks(p, end), *q;

	p = start;
	q = digits_end(p, end);
	if (q > p && (q == end || perf_blank(*q))) {
		e->period = between(p, q);
		p = skip_blanks(q, end);
	}
	e->record = begins(p, end, "PERF_RECORD_");
	q = begins(p, end, "DEFERRED CALLCHAIN") ? p + 18 : name_end(p, end);
	/* The fields may leave out the event: what is there is a period or a frame. */
	if (!q || q == p || !letter(*p)) {
		if (p < end) {
			e->period = (struct text){ 0 };
			take_rest(start, end, e);
		}
		return;
	}
	e->name = between(p, q);
	take_rest(skip_blanks(q + (*q == ':'), end), end, e);
}

static bool
take_fields(const char *p, const char *end, struct perf_event *e)
{
	const char *q;

	p = take_cpu(skip_blanks(p, end), end, &e->cpu);
	if ((q = take_time(p, end, &e->time)) == p) {
		p = skip_misc(p, end);
		if ((q = take_time(p, end, &e->time)) == p)
			return false;
	}
	take_event(q, end, e);
	return true;
}

/* The same where no time was recorded: the name is one word. */
static bool
take_untimed(const char *p, const char *end, struct perf_event *e)
{
	const char *q;

	p = take_cpu(skip_blanks(p, end), end, &e->cpu);
	q = digits_end(p, end);
	if (q > p && q < end && perf_blank(*q)) {
		e->period = between(p, q);
		p = skip_blanks(q, end);
	}
	if (p == end || !letter(*p))
		return false;
	q = begins(p, end, "raw 0x") ? word_end(p + 4, end) : word_end(p, end);
	if (q[-1] != ':' || memchr(p, '(', (size_t)(q - p)) ||
	    memchr(p, ';', (size_t)(q - p)))
		return false;
	e->name = between(p, q - 1);
	e->record = begins(p, q, "PERF_RECORD_");
	take_rest(skip_blanks(q, end), end, e);
	return true;
}

bool
perf_event_fields(const char *p, const char *end, bool timed, struct perf_event *e)
{
	e->cpu = e->time = e->period = e->name = e->rest = (struct text){ 0 };
	e->record = false;
	end = trim(p, end);
	return timed ? take_fields(p, end, e) : take_untimed(p, end, e);
}

static void
take_comm(const char *start, const char *end, struct perf_event *e)
{
	e->comm = perf_trimmed(start, end);
	if (!e->comm.n)
		e->comm = (struct text){ 0 };
}

/* A thread, before which its name is, and a time. */
static bool
timed(const char *p, const char *end, struct perf_event *e)
{
	const char *q, *r;

	for (q = skip_blanks(p, end); q < end; q = skip_blanks(r, end)) {
		r = word_end(q, end);
		*e = (struct perf_event){ 0 };
		if ((digit(*q) || *q == '-') && take_thread(q, r, e) &&
		    take_fields(r, end, e)) {
			take_comm(p, q, e);
			e->head = (size_t)(r - p);
			return true;
		}
	}
	return false;
}

/* Columns that a thread's number has at least, with a blank before it. */
#define THREAD_WIDTH 6

/* And those that it has at most where no name is before it: that is right-aligned to 16. */
#define THREAD_ALONE 8

static bool
untimed(const char *p, const char *end, struct perf_event *e)
{
	struct perf_event first = { 0 };
	const char *q, *r, *before = p;
	bool any = false;

	for (q = skip_blanks(p, end); q < end; before = r, q = skip_blanks(r, end)) {
		r = word_end(q, end);
		*e = (struct perf_event){ 0 };
		if (!(digit(*q) || *q == '-') || !take_thread(q, r, e) ||
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

/* Microseconds at least, as perf has them: without a thread, "version 0.7:" is no time. */
static bool
is_exact(struct text time)
{
	const char *point = time.n ? memchr(time.s, '.', time.n) : NULL;

	return point && time.s + time.n - point > 6;
}

/* A time without a thread; a thread's name may be before it. */
static bool
threadless(const char *p, const char *end, struct perf_event *e)
{
	const char *q, *r;

	for (q = skip_blanks(p, end); q < end; q = skip_blanks(r, end)) {
		r = word_end(q, end);
		*e = (struct perf_event){ 0 };
		if ((digit(*q) || *q == '[') && take_fields(q, end, e) &&
		    is_exact(e->time)) {
			take_comm(p, q, e);
			e->head = (size_t)(q - p);
			return true;
		}
	}
	return false;
}

/* Nothing but the event and perhaps, before it, its thread's name: then a blank is
 * after the colon, as perf has it. */
static bool
nameless(const char *p, const char *end, bool blank, struct perf_event *e)
{
	const char *q = end;

	while (q > p && !perf_blank(q[-1]))
		q--;
	*e = (struct perf_event){ 0 };
	if (end - q < 2 || end[-1] != ':' || !letter(*q) || !(blank || q == p) ||
	    memchr(q, '(', (size_t)(end - q)) || memchr(q, ';', (size_t)(end - q)) ||
	    perf_is_message(p, end))
		return false;
	e->name = between(q, end - 1);
	end = trim(p, q);
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
	const char *last = trim(p, end);

	return timed(p, last, e) || threadless(p, last, e) || untimed(p, last, e) ||
	    nameless(p, last, last < end && perf_blank(*last), e);
}

/* ---- stacks ---- */

/* The last "(", before which is a blank and after which a path or a "[". */
static const char *
last_path(const char *p, const char *end)
{
	const char *q;

	for (q = end - 2; q > p; q--)
		if (*q == '(' && perf_blank(q[-1]) && (q[1] == '/' || q[1] == '['))
			return q;
	return NULL;
}

/* The object, in the last group of parentheses, which ends the line: its first byte,
 * or NULL.  In names and paths they are in pairs as a rule. */
static const char *
last_group(const char *p, const char *end)
{
	const char *q;
	int depth = 0;

	if (end == p || end[-1] != ')')
		return NULL;
	for (q = end - 1; ; q--) {
		depth += (*q == ')') - (*q == '(');
		if (!depth || q == p)
			break;
	}
	return !depth && (q == p || perf_blank(q[-1])) ? q : last_path(p, end);
}

/* Without the "+0x1f" at its end. */
static const char *
strip_offset(const char *p, const char *end)
{
	const char *q = end;

	while (q > p && hex(q[-1]))
		q--;
	return q < end && q - p >= 3 && memcmp(q - 3, "+0x", 3) == 0 ? q - 3 : end;
}

static struct text
known(const char *p, const char *end)
{
	const struct text t = between(p, end);

	return t.n == 0 || text_is(t, "[unknown]") ? (struct text){ 0 } : t;
}

/* After the "+0x1f (OBJECT)" of a frame whose line goes on; NULL. */
static const char *
place_end(const char *p, const char *end)
{
	const char *q, *r;

	for (q = p; (q = memmem(q, (size_t)(end - q), "+0x", 3)); q += 3) {
		for (r = q + 3; r < end && hex(*r); r++)
			;
		if (r == q + 3 || end - r < 2 || r[0] != ' ' || r[1] != '(')
			continue;
		if ((r = memchr(r, ')', (size_t)(end - r))) && r + 1 < end)
			return r + 1;
	}
	return NULL;
}

bool
perf_frame_line(const char *p, const char *end, struct perf_frame *f)
{
	const char *q, *group;

	end = trim(p, end);
	p = skip_blanks(p, end);
	for (q = p; q < end && hex(*q); q++)
		;
	if (q == p || q - p > 16 || (q < end && !perf_blank(*q)))
		return false;
	*f = (struct perf_frame){ .addr = between(p, q) };
	p = skip_blanks(q, end);
	f->key = between(p, end);
	group = last_group(p, end);
	if (group) {
		f->inlined = text_is(between(group, end), "(inlined)");
		if (!f->inlined)
			f->object = known(group + 1, strip_offset(group + 1, end - 1));
		end = trim(p, group);
	}
	f->name = known(p, strip_offset(p, end));
	return !place_end(p, end);
}

bool
perf_inline_frame(const char *p, const char *end, struct perf_frame *f, bool *more)
{
	const char *q;

	*more = false;
	if (perf_frame_line(p, end, f))
		return true;
	if (!(q = place_end(p, end)))
		return false;
	if (perf_frame_line(q, end, f) && f->object.s)
		return true;
	*more = true;
	return perf_frame_line(p, q, f);
}

bool
perf_event_has_frame(const struct perf_event *e)
{
	struct perf_frame f;
	bool more;

	return e->name.s && e->rest.n && perf_inline_frame(e->rest.s,
	    e->rest.s + e->rest.n, &f, &more) && f.object.s;
}

/* Past a text at the end, if it is there. */
static const char *
strip(const char *p, const char *end, const char *what)
{
	const size_t n = strlen(what);

	return (size_t)(end - p) >= n && memcmp(end - n, what, n) == 0 ?
	    trim(p, end - n) : end;
}

/* What perf has where it knows no line: "symbol+12", "object[1f]". */
static bool
is_place(const char *p, const char *end)
{
	const bool bracket = end > p && end[-1] == ']';
	const char *q = end - bracket;

	while (q > p && hex(q[-1]))
		q--;
	return q > p && q < end - bracket && q[-1] == (bracket ? '[' : '+');
}

bool
perf_source_line(const char *p, const char *end, struct perf_source *s)
{
	const char *q;

	end = trim(p, end);
	q = strip(p, end, "(inlined)");
	*s = (struct perf_source){ .inlined = q < end };
	end = q;
	p = skip_blanks(p, end);
	if ((q = last_group(p, end)) && begins(q, end, "(discriminator "))
		end = trim(p, q);
	for (q = end; q > p && digit(q[-1]); q--)
		;
	if (q == end || q == p || q[-1] != ':')
		return is_place(p, end);
	if (q - p > 1 && !text_is(between(p, q - 1), "??"))
		s->file = between(p, q - 1);
	while (q < end && *q == '0')
		q++;
	if (q < end)
		s->line = between(q, end);
	return true;
}

bool
perf_is_kernel(struct text o)
{
	static const char *const user[] = { "[vdso", "[vsyscall]", "[stack", "[heap]",
	    "[anon", "[vvar", "[vectors]", "[uprobes]", "[sigpage]" };
	const struct text base = text_base_name(o);
	const char *ko;
	size_t i;

	if (!o.s || !o.n)
		return false;
	if (o.s[0] == '[') {
		for (i = 0; i < sizeof user / sizeof *user; i++)
			if (begins(o.s, o.s + o.n, user[i]))
				return false;
		return true;
	}
	if (base.n >= 7 && memcmp(base.s, "vmlinux", 7) == 0)
		return true;
	/* foo.ko, foo.ko.zst */
	ko = last_byte(base.s, '.', base.n);
	if (ko && base.s + base.n - ko > 1 && !text_is(between(ko, base.s + base.n), ".ko"))
		return ko - base.s > 3 && memcmp(ko - 3, ".ko", 3) == 0;
	return ko && text_is(between(ko, base.s + base.n), ".ko");
}

/* ---- other lines ---- */

static bool
begins_with_any(const char *p, const char *end, const char *const *list)
{
	for (; *list; list++)
		if (begins(p, end, *list))
			return true;
	return false;
}

bool
perf_is_message(const char *p, const char *end)
{
	static const char *const said[] = { "Warning:", "WARNING:", "Processed ",
	    "Check IO/CPU overload!", "[ perf record: ", "PERF_RECORD_",
	    "no symbols found in ", "Failed to open ", "addr2line: ",
	    "Samples for '", NULL };
	const char *q;

	p = skip_blanks(p, end);
	if (begins_with_any(p, end, said))
		return true;
	/* Of -D and --show-mmap-events: "0x1f8 [0x60]: PERF_RECORD_MMAP ..." */
	for (q = p; q < end; q = skip_blanks(word_end(q, end), end))
		if (begins(q, end, "PERF_RECORD_"))
			return true;
	return false;
}

bool
perf_is_report(const char *p, const char *end)
{
	static const char *const said[] = { "# To display the perf.data header info",
	    "# Samples: ", "# Total Lost Samples: ", "# Event count (approx.): ",
	    "# Overhead ", "# Children ", NULL };

	return begins_with_any(p, end, said);
}

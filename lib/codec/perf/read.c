/* SPDX-License-Identifier: ISC */
/*
 * Reading perf script.  A stack is a run of lines that begin with a blank: its end is
 * looked for as such, and the stack is found by its bytes as a whole if they were
 * there before.  Only where they are new are lines looked at one by one.
 */
#include "perf.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/memo.h"
#include "util/num.h"
#include "util/scan.h"

#define NAMED 10		/* events that the warning names */
#define BEGIN 64		/* bytes of a stack, about a frame: */
#define RECENT 4096		/* so many beginnings */
#define THREAD_BEGIN 16		/* bytes of an event's line, about a thread's name: */
#define THREADS 256		/* so many of them */

/* Whether an event is ended by an empty line, as far as the file has shown. */
enum ends { ENDS_UNKNOWN, ENDS_EMPTY, ENDS_NEVER };

bool perf_times, perf_addr;

struct reader {
	struct decode *d;
	bool began;		/* events were put */
	bool has_period;
	struct text unit;	/* of the period */

	struct memo stacks, callers, frames;	/* in `seen`; contexts; functions */
	/* The stacks that were there, their text as `stacks` has it, and the last one of
	 * those that begin with the same bytes, by a hash of these: it is mostly the
	 * one that comes next, so that a stack is compared and not hashed. */
	struct seen { size_t at, n; uint64_t lines; uint32_t ctx; } *seen;
	size_t nseen, capseen;
	uint32_t *recent;	/* + 1 */
	struct frame { uint32_t func, file, line, addr; bool inlined; } *frame;
	size_t nframe, capframe;	/* of a new stack, leaf first */
	bool odd;		/* the new stack has lines that are to be counted again */

	/* The event whose line was read, until its stack is known. */
	bool open;
	struct buf values, attrs;
	struct buf inlined;	/* what is behind its name on its line */
	struct buf stack;	/* the lines below it that are in blocks before */
	uint64_t stack_lines;
	enum ends ends;
	bool unended;		/* the event has no empty line after it yet */

	/* Of events before: how the line of a thread begins, whether a time comes then,
	 * and its labels; by a hash of the first bytes of the line. */
	struct thread { struct buf head, labels; bool timed; } *threads;
	struct thread *thread;	/* where that of the line at hand belongs, */
	bool same_thread;	/* and whether it is there */
	struct buf name, event;	/* of the last event, and its label */

	struct memo names;	/* of the events so far */
	struct buf named;	/* the first of them */
	uint64_t records, messages, extras, texts, periods;	/* not kept */
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)
#define QUOTE(p, end) diag_quote((p), (size_t)((end) - (p)))

/* ---- the part ---- */

static int
put_event(struct reader *rd, unsigned i, const char *name, struct text unit)
{
	struct record r = rec_make(REC_EVENT);

	r.col[EVENT_ID].n = i;
	r.col[EVENT_NAME].t = text_of(name);
	r.col[EVENT_UNIT].t = unit;
	r.attrs = TEXT("calls=absent");
	return sink_put(rd->d->out, &r);
}

/* What is known of the file stands before the events. */
static int
put_events(struct reader *rd)
{
	if (rd->began)
		return 0;
	rd->began = true;
	return put_event(rd, 0, "samples", (struct text){ 0 }) < 0 ||
	    (rd->has_period && put_event(rd, 1, "period", rd->unit) < 0) ? -1 : 0;
}

static struct text
trimmed(const char *p, const char *end)
{
	while (p < end && perf_blank(*p))
		p++;
	while (end > p && (perf_blank(end[-1]) || end[-1] == '\r'))
		end--;
	return (struct text){ p, (size_t)(end - p) };
}

/* "# KEY : VALUE", of perf script --header; older versions have no blank before the
 * colon. */
static int
read_comment(struct reader *rd, const char *p, const char *end)
{
	struct sink *out = rd->d->out;
	struct text t = trimmed(p + 1, end), key, value;
	const char *colon;
	struct buf b = { 0 };
	int ret;

	end = t.s + t.n;
	if (!rd->began && perf_is_report(p, end)) {
		diag_fail(rd->d->diag, "the output of 'perf report', which has no samples: "
		    "'perf script' prints them");
		return LINE_FATAL;
	}
	if (!t.n || strspn(t.s, "=") >= t.n)
		return LINE_OK;
	for (colon = t.s; (colon = memchr(colon, ':', (size_t)(end - colon))); colon++)
		if (colon + 1 == end || colon[1] == ' ')
			break;
	if (!colon)
		return meta_put(out, "comment", t);
	key = trimmed(t.s, colon);
	value = trimmed(colon + 1, end);
	if (text_is(key, "cmdline"))
		return meta_put(out, "cmd", value);
	buf_puts(&b, text_is(key, "perf version") ? "perf " : "perf.");
	buf_text(&b, text_is(key, "perf version") ? value : key);
	ret = text_is(key, "perf version") ? meta_put(out, "creator", buf_as_text(&b)) :
	    meta_put(out, buf_str(&b), value);
	buf_free(&b);
	return ret;
}

/* ---- frames ---- */

static int
find_object(struct reader *rd, struct text path, uint32_t *object)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };

	*object = NO_ID;
	if (!path.s)
		return 0;
	cols[OBJECT_PATH] = dict_str(rd->d->dict, path);
	return dict_put(rd->d->dict, rd->d->out, REC_OBJECT, cols, object);
}

static int
find_func(struct reader *rd, const struct perf_frame *f, uint32_t *func)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	struct dict *dict = rd->d->dict;
	uint64_t hash = memo_hash(f->key);

	if (memo_find(&rd->frames, f->key, hash, func))
		return 0;
	cols[FUNC_NAME] = dict_str(dict, f->name);
	if (find_object(rd, f->object, &cols[FUNC_OBJECT]) < 0)
		return -1;
	if (perf_is_kernel(f->object))
		cols[FUNC_ATTRS] = dict_str(dict, TEXT("kernel=1"));
	if (dict_put(dict, rd->d->out, REC_FUNC, cols, func) < 0)
		return -1;
	memo_add(&rd->frames, f->key, hash, *func);
	return 0;
}

/* The object of an inlined function is that of the one that it is in, which comes
 * after it. */
static int
find_inlined(struct reader *rd, uint32_t name, uint32_t in, uint32_t *func)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	const uint32_t *outer = dict_def(rd->d->dict, REC_FUNC, in);

	cols[FUNC_NAME] = name;
	cols[FUNC_OBJECT] = outer[FUNC_OBJECT];
	cols[FUNC_ATTRS] = outer[FUNC_ATTRS];
	return dict_put(rd->d->dict, rd->d->out, REC_FUNC, cols, func);
}

static uint32_t
addr_str(struct reader *rd, struct text hex)
{
	char tmp[FIELD_TEXT];
	struct buf b = { 0 };
	uint64_t addr;
	uint32_t id;

	buf_text(&b, hex);
	num_get_hex(buf_str(&b), &addr);
	buf_free(&b);
	id = dict_str(rd->d->dict, (struct text){ tmp,
	    (size_t)(num_put_hex(tmp, addr) - tmp) });
	return id;
}

static int
add_frame(struct reader *rd, const struct perf_frame *f)
{
	struct frame n = { NO_ID, NO_ID, NO_ID, NO_ID, f->inlined };

	if (f->inlined)
		n.func = dict_str(rd->d->dict, f->name);	/* until it is known */
	else if (find_func(rd, f, &n.func) < 0)
		return LINE_FATAL;
	if (perf_addr)
		n.addr = addr_str(rd, f->addr);
	rd->frame = mem_grow(rd->frame, &rd->capframe, rd->nframe + 1, sizeof *rd->frame);
	rd->frame[rd->nframe++] = n;
	return LINE_OK;
}

static int
add_source(struct reader *rd, struct text file, struct text line)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	struct frame *f = &rd->frame[rd->nframe - 1];

	if (line.s)
		f->line = dict_str(rd->d->dict, line);
	if (!file.s)
		return LINE_OK;
	cols[FILE_PATH] = dict_str(rd->d->dict, file);
	return dict_put(rd->d->dict, rd->d->out, REC_FILE, cols, &f->file) < 0 ?
	    LINE_FATAL : LINE_OK;
}

/* Branch stacks, registers, instructions: asked for with -F. */
static bool
is_extra(struct text t)
{
	static const char *const begin[] = { "0x", "ABI:", "insn:", "ilen:", "=> " };
	size_t i;

	for (i = 0; i < sizeof begin / sizeof *begin; i++)
		if (t.n >= strlen(begin[i]) && memcmp(t.s, begin[i], strlen(begin[i])) == 0)
			return true;
	return false;
}

static int
read_frame(struct reader *rd, const char *p, const char *end)
{
	struct perf_frame f;
	struct perf_event e;
	struct text t = trimmed(p, end), file, line;

	if (!t.n)
		return LINE_OK;
	/* Behind blanks, without an object, it may be an event of a thread whose name
	 * looks like an address. */
	if (perf_frame_line(p, end, &f) && (*p != ' ' || f.object.s || f.inlined ||
	    !perf_event_line(p, end, &e) || !e.time.s))
		return add_frame(rd, &f);
	if (is_extra(t)) {
		rd->extras++;
		rd->odd = true;
		return LINE_OK;
	}
	if (rd->nframe && perf_source_line(p, end, &file, &line))
		return add_source(rd, file, line);
	rd->odd = true;
	return BAD("expected a frame, ADDRESS NAME (OBJECT), found %s", QUOTE(p, end));
}

/* The contexts of the frames that were read, from the last one to the leaf. */
static int
put_frames(struct reader *rd, uint32_t *ctx)
{
	struct dict *dict = rd->d->dict;
	uint32_t inlined = NO_ID, in = NO_ID;

	for (; rd->nframe; rd->nframe--) {
		struct frame *f = &rd->frame[rd->nframe - 1];
		uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };

		if (f->inlined) {
			if (inlined == NO_ID)
				inlined = dict_str(dict, TEXT("inlined=1"));
			if (find_inlined(rd, f->func, in, &f->func) < 0)
				return -1;
			cols[CTX_ATTRS] = inlined;
		} else {
			in = f->func;
		}
		cols[CTX_PARENT] = *ctx;
		cols[CTX_FUNC] = f->func;
		cols[CTX_FILE] = f->file;
		cols[CTX_LINE] = f->line;
		cols[CTX_ADDR] = f->addr;
		if (dict_put(dict, rd->d->out, REC_CTX, cols, ctx) < 0)
			return -1;
	}
	return 0;
}

/* The lines of a stack, each with its newline. */
static int
read_frames(struct reader *rd, const char *p, const char *end)
{
	const char *lf;
	int ret;

	for (; p < end; p = lf + 1) {
		rd->d->at.line++;
		lf = memchr(p, '\n', (size_t)(end - p));
		if ((ret = read_frame(rd, p, lf)) && decode_line_done(rd->d, ret) < 0)
			return -1;
	}
	return 0;
}

/* Where the callers of a leaf begin, if they are all that is to be known of it: it is
 * not inlined, and its line of source is not below it; NULL. */
static const char *
callers(const char *p, const char *end)
{
	const char *lf = memchr(p, '\n', (size_t)(end - p));
	struct perf_frame f;

	return *p == '\t' && lf + 1 < end && lf[1] == '\t' &&
	    perf_frame_line(p, lf, &f) && !f.inlined ? lf + 1 : NULL;
}

/* A stack that was not there before.  Its callers often were: most stacks differ in the
 * address of their leaf. */
static int
new_stack(struct reader *rd, struct text t, uint64_t lines, uint32_t *ctx)
{
	const char *end = t.s + t.n, *rest = callers(t.s, end);
	struct text above = { rest, rest ? (size_t)(end - rest) : 0 };
	const uint64_t first = rd->d->at.line;
	uint64_t hash;

	rd->odd = false;
	if (!rest || rd->nframe)
		return read_frames(rd, t.s, end) < 0 ? -1 : put_frames(rd, ctx);
	hash = memo_hash(above);
	if (!memo_find(&rd->callers, above, hash, ctx)) {
		rd->d->at.line++;
		if (read_frames(rd, rest, end) < 0 || put_frames(rd, ctx) < 0)
			return -1;
		if (!rd->odd)
			memo_add(&rd->callers, above, hash, *ctx);
	}
	rd->d->at.line = first;
	if (read_frames(rd, t.s, rest) < 0 || put_frames(rd, ctx) < 0)
		return -1;
	rd->d->at.line = first + lines;
	return 0;
}

/* ---- samples ---- */

static int
put_sample(struct reader *rd, uint32_t ctx)
{
	struct record r = rec_make(REC_SAMPLE);

	rd->open = false;
	r.col[0].n = ctx;
	r.values = buf_as_text(&rd->values);
	r.attrs = buf_as_text(&rd->attrs);
	return sink_put(rd->d->out, &r);
}

/* A stack on the event's own line: frames below it come after it. */
static int
read_inline(struct reader *rd)
{
	const char *p = rd->inlined.s, *end = p + rd->inlined.n;
	struct perf_frame f;

	rd->nframe = 0;
	if (!rd->inlined.n)
		return 0;
	if (perf_frame_line(p, end, &f) && f.key.n)
		return add_frame(rd, &f);
	rd->texts++;
	return 0;
}

/* Does a frame begin these lines, so that what is on the event's line is none? */
static bool
begins_with_frame(const char *p, const char *end)
{
	const char *lf = memchr(p, '\n', (size_t)(end - p));
	struct perf_frame f;

	return *p == '\t' || perf_frame_line(p, lf ? lf : end, &f);
}

static void
remember(struct reader *rd, struct text t, uint64_t hash, uint64_t lines, uint32_t ctx)
{
	const size_t at = rd->stacks.text.n;

	memo_add(&rd->stacks, t, hash, (uint32_t)rd->nseen);
	if (rd->stacks.text.n == at)
		return;		/* it is full */
	rd->seen = mem_grow(rd->seen, &rd->capseen, rd->nseen + 1, sizeof *rd->seen);
	rd->seen[rd->nseen++] = (struct seen){ at, t.n, lines, ctx };
}

static bool
was_seen(struct reader *rd, struct text t, uint64_t hash, uint32_t *ctx)
{
	uint32_t id;

	if (!memo_find(&rd->stacks, t, hash, &id))
		return false;
	*ctx = rd->seen[id].ctx;
	if (t.n >= BEGIN && *t.s == '\t')
		rd->recent[memo_hash((struct text){ t.s, BEGIN }) % RECENT] = id + 1;
	return true;
}

/* The last stack that began as this one, if it is the same: its end, or NULL. */
static const char *
same_as_before(struct reader *rd, const char *p, const char *end, const struct seen **s)
{
	uint32_t id;

	if (end - p <= BEGIN ||
	    !(id = rd->recent[memo_hash((struct text){ p, BEGIN }) % RECENT]))
		return NULL;
	*s = &rd->seen[id - 1];
	return (size_t)(end - p) > (*s)->n && !perf_blank(p[(*s)->n]) &&
	    memcmp(p, rd->stacks.text.s + (*s)->at, (*s)->n) == 0 ? p + (*s)->n : NULL;
}

static int
put_stack(struct reader *rd, const char *p, const char *end, uint64_t lines)
{
	const struct text t = { p, (size_t)(end - p) };
	const bool alone = !rd->inlined.n || begins_with_frame(p, end);
	uint64_t hash = 0;
	uint32_t ctx = NO_ID;

	rd->unended = true;
	if (alone) {
		rd->texts += rd->inlined.n != 0;
		hash = memo_hash(t);
		if (was_seen(rd, t, hash, &ctx)) {
			rd->d->at.line += lines;
			return put_sample(rd, ctx);
		}
		rd->nframe = 0;
	} else if (read_inline(rd) < 0) {
		return -1;
	}
	if (new_stack(rd, t, lines, &ctx) < 0)
		return -1;
	if (alone && !rd->odd)
		remember(rd, t, hash, lines, ctx);
	return put_sample(rd, ctx);
}

/* The event's line was all that there is of it. */
static int
put_alone(struct reader *rd)
{
	const struct text t = buf_as_text(&rd->inlined);
	uint64_t hash = memo_hash(t);
	uint32_t ctx = NO_ID;

	if (t.n && was_seen(rd, t, hash, &ctx))
		return put_sample(rd, ctx);
	if (read_inline(rd) < 0)
		return -1;
	if (rd->nframe) {
		if (put_frames(rd, &ctx) < 0)
			return -1;
		remember(rd, t, hash, 0, ctx);
	}
	return put_sample(rd, ctx);
}

/* ---- events ---- */

static void
see_name(struct reader *rd, struct text name)
{
	uint64_t hash = memo_hash(name);
	uint32_t id;

	if (memo_find(&rd->names, name, hash, &id))
		return;
	if (rd->names.n < NAMED)
		buf_printf(&rd->named, "%s%s", rd->names.n ? ", " : "",
		    diag_quote(name.s, name.n));
	memo_add(&rd->names, name, hash, 0);
}

static void
make_labels(struct thread *t, const char *p, const struct perf_event *e)
{
	struct buf *b = &t->labels;

	b->n = t->head.n = 0;
	if (e->comm.s)
		attr_add(b, "comm", e->comm);
	if (e->pid.s)
		attr_add(b, "pid", e->pid);
	if (e->tid.s)
		attr_add(b, "tid", e->tid);
	buf_add(&t->head, p, e->head);
	t->timed = e->time.s != NULL;
}

static void
make_event_label(struct reader *rd, struct text name)
{
	if (text_eq(buf_as_text(&rd->name), name))
		return;
	rd->name.n = rd->event.n = 0;
	buf_text(&rd->name, name);
	see_name(rd, name);
	attr_add(&rd->event, "event", name);
}

/* Mostly an event of a thread that had one. */
static bool
parse_event(struct reader *rd, const char *p, const char *end, struct perf_event *e)
{
	const size_t most = (size_t)(end - p);
	struct thread *t = &rd->threads[memo_hash((struct text){ p,
	    most < THREAD_BEGIN ? most : THREAD_BEGIN }) % THREADS];
	const size_t n = t->head.n;

	rd->thread = t;
	rd->same_thread = n && most > n && memcmp(p, t->head.s, n) == 0 &&
	    perf_blank(p[n]) && perf_event_fields(p + n, end, t->timed, e) && e->name.s;
	return rd->same_thread || perf_event_line(p, end, e);
}

static struct text
without_zeros(struct text number)
{
	while (number.n > 1 && *number.s == '0')
		number.s++, number.n--;
	return number;
}

/* What the sample will have. */
static void
begin_sample(struct reader *rd, const char *p, const struct perf_event *e)
{
	struct thread *t = rd->thread;

	if (!rd->same_thread)
		make_labels(t, p, e);
	rd->attrs.n = 0;
	if (e->name.s) {
		make_event_label(rd, e->name);
		buf_text(&rd->attrs, buf_as_text(&rd->event));
	}
	if (rd->attrs.n && t->labels.n)
		buf_putc(&rd->attrs, '\t');
	buf_text(&rd->attrs, buf_as_text(&t->labels));
	if (perf_times && e->cpu.s)
		attr_add(&rd->attrs, "cpu", without_zeros(e->cpu));
	if (perf_times && e->time.s)
		attr_add(&rd->attrs, "time", e->time);
	rd->values.n = 0;
	buf_putc(&rd->values, '1');
	if (rd->has_period) {
		buf_putc(&rd->values, '\t');
		buf_text(&rd->values, e->period.s ? without_zeros(e->period) : TEXT("-"));
	} else {
		rd->periods += e->period.s != NULL;
	}
	rd->inlined.n = 0;
	buf_text(&rd->inlined, e->rest);
	rd->open = true;
}

/* ---- lines ---- */

/* The event at hand ends here: by an empty line, or another event. */
static int
end_event(struct reader *rd, enum ends ends)
{
	int ret = 0;

	if (rd->stack.n) {
		ret = put_stack(rd, rd->stack.s, rd->stack.s + rd->stack.n,
		    rd->stack_lines);
		rd->stack.n = rd->stack_lines = 0;
	} else if (rd->open) {
		rd->unended |= rd->ends == ENDS_EMPTY && !rd->inlined.n;
		ret = put_alone(rd);
	}
	if (rd->unended && ends != ENDS_UNKNOWN) {
		rd->ends = ends;
		rd->unended = false;
	}
	return ret;
}

/* Frames whose blanks were lost are frames, too. */
static bool
is_bare_frame(const struct reader *rd, const char *p, const char *end)
{
	struct perf_frame f;

	return (rd->open || rd->stack.n) && perf_frame_line(p, end, &f) &&
	    (f.object.s || f.inlined);
}

static int
keep_lines(struct reader *rd, const char *p, const char *end, uint64_t lines)
{
	const size_t most = rd->d->session->max_line;

	buf_add(&rd->stack, p, (size_t)(end - p));
	rd->stack_lines += lines;
	if (!most || rd->stack.n <= most)
		return 0;
	rd->d->at.line += rd->stack_lines;
	return diag_fail(rd->d->diag, "a stack of more than %zu MiB: see --max-line",
	    most >> 20);
}

/* A line that belongs to no stack; at.line is still that of the one before. */
static int
read_line(struct reader *rd, const char *p, const char *end)
{
	struct perf_event e;
	bool event;
	int ret = 0;

	if (!trimmed(p, end).n) {
		ret = end_event(rd, ENDS_EMPTY);
		rd->d->at.line++;
		return ret;
	}
	event = *p != '#' && parse_event(rd, p, end, &e);
	if ((!event || !e.time.s) && is_bare_frame(rd, p, end))
		return keep_lines(rd, p, end + 1, 1);
	if (end_event(rd, event ? ENDS_NEVER : ENDS_UNKNOWN) < 0)
		return -1;
	rd->d->at.line++;
	if (event && e.record)
		rd->records++;
	else if (event) {
		if (put_events(rd) < 0)
			return -1;
		begin_sample(rd, p, &e);
	} else if (*p == '#')
		ret = read_comment(rd, p, end);
	else if (perf_is_message(p, end))
		rd->messages++;
	else if (perf_blank(*p))
		ret = BAD("expected an event before its frames, found %s", QUOTE(p, end));
	else
		ret = BAD("expected an event, NAME PID TIME: EVENT:, found %s",
		    QUOTE(p, end));
	return decode_line_done(rd->d, ret);
}

/* The end of lines that begin with a blank, and how many there are: `end`, if there
 * may be more after it. */
#if defined __SSE2__
static inline unsigned
newlines(const char *p)
{
	__m128i v;

	memcpy(&v, p, sizeof v);
	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')));
}

static const char *
blank_lines_end(const char *p, const char *end, uint64_t *lines)
{
	unsigned lf;

	*lines = 0;
	for (;; p += 16)	/* the byte before `end` is a newline */
		for (lf = newlines(p); lf; lf &= lf - 1) {
			const char *q = p + __builtin_ctz(lf) + 1;

			++*lines;
			if (q == end || !perf_blank(*q))
				return q;
		}
}
#else
static const char *
blank_lines_end(const char *p, const char *end, uint64_t *lines)
{
	*lines = 0;
	do {
		p = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
		++*lines;
	} while (p < end && perf_blank(*p));
	return p;
}
#endif

/* A line of an event has its thread's name right-aligned where no stacks are printed
 * below it: what may be one is to be told from a frame. */
static bool
begins_stack(const struct reader *rd, const char *p, const char *end)
{
	const char *lf;
	struct perf_event e;
	struct perf_frame f;

	if (*p == '\t' || (rd->stack.n && !rd->inlined.n))
		return true;
	lf = memchr(p, '\n', (size_t)(end - p));
	if (!perf_event_line(p, lf, &e))
		return trimmed(p, lf).n > 0;
	return !e.time.s && perf_frame_line(p, lf, &f) && f.object.s;
}

/* The lines of a stack from p on, as many as are there; *after: what is behind them. */
static int
read_stack(struct reader *rd, const char *p, const char *end, const char **after)
{
	const bool by_line = rd->inlined.n && *p != '\t';	/* the next may be an event's */
	const struct seen *s;
	uint64_t lines = 1;
	const char *q;

	if (*p == '\t' && !rd->stack.n && (q = same_as_before(rd, p, end, &s))) {
		*after = q;
		rd->texts += rd->inlined.n != 0;
		rd->unended = true;
		rd->d->at.line += s->lines;
		return put_sample(rd, s->ctx);
	}
	q = by_line ? (const char *)memchr(p, '\n', (size_t)(end - p)) + 1 :
	    blank_lines_end(p, end, &lines);
	*after = q;
	/* There may be more of it. */
	return by_line || q == end || rd->stack.n ? keep_lines(rd, p, q, lines) :
	    put_stack(rd, p, q, lines);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	const char *line_end;

	while (p < end) {
		if (rd->open && perf_blank(*p) && begins_stack(rd, p, end)) {
			if (read_stack(rd, p, end, &p) < 0)
				return -1;
			continue;
		}
		line_end = memchr(p, '\n', (size_t)(end - p));
		if (read_line(rd, p, line_end) < 0)
			return -1;
		p = line_end + 1;
	}
	return 0;
}

/* ---- the file ---- */

/* The part of an event's name that says what it counts. */
static struct text
base_of(struct text name)
{
	const char *slash = name.n ? memchr(name.s, '/', name.n) : NULL, *second, *colon;

	/* cpu_core/cycles/u */
	if (slash && (second = memchr(slash + 1, '/',
	    (size_t)(name.s + name.n - slash - 1))))
		name = (struct text){ slash + 1, (size_t)(second - slash - 1) };
	if ((colon = name.n ? memchr(name.s, ':', name.n) : NULL))
		name.n = (size_t)(colon - name.s);
	return name;
}

static struct text
unit_of(struct text name)
{
	name = base_of(name);
	return text_is(name, "cycles") || text_is(name, "cpu-cycles") ? TEXT("cycles") :
	    text_is(name, "cpu-clock") || text_is(name, "task-clock") ? TEXT("ns") :
	    (struct text){ 0 };
}

/* What the first bytes say of periods, and what these are of if that is one event. */
static int
look_at_periods(struct reader *rd)
{
	const char *p, *end, *lf;
	struct buf name = { 0 };
	struct perf_event e;
	bool several = false;
	long peek = in_peek(rd->d->in, &p);

	if (peek < 0)
		return -1;
	end = p + (peek > PERF_PEEK ? PERF_PEEK : peek);
	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		if (*p == '#' || *p == '\t' || !perf_event_line(p, lf, &e) ||
		    e.record)
			continue;
		rd->has_period |= e.period.s != NULL;
		several |= name.n && !text_eq(buf_as_text(&name), e.name);
		if (!name.n)
			buf_text(&name, e.name);
	}
	if (!several)
		rd->unit = unit_of(buf_as_text(&name));
	buf_free(&name);
	return 0;
}

/* An event without an empty line after it, where the others have one. */
static int
check_end(struct reader *rd)
{
	struct decode *d = rd->d;

	if (decode_unended(d, "file", END_UNPROVED) < 0)
		return -1;
	if (!rd->unended || rd->ends == ENDS_NEVER || d->unended || d->cut)
		return 0;
	if (!in_regular(d->in) && !d->lenient)
		return decode_cut(d, "the file is cut: the last event has no empty line "
		    "after it (accepted in a file, or with --lenient)");
	diag_say(d->diag, DIAG_NOTE, "the last event has no empty line after it: the file "
	    "may be cut there");
	return 0;
}

/* "TEXT: 3 lines", if there are any. */
static void
say_count(struct reader *rd, enum diag_level level, const char *text, uint64_t n,
    const char *what)
{
	if (n)
		diag_say(rd->d->diag, level, "%s: %" PRIu64 " %s%s", text, n, what,
		    n == 1 ? "" : "s");
}

static void
say_all(struct reader *rd)
{
	rd->d->at.line = 0;
	say_count(rd, DIAG_NOTE, "skipped PERF_RECORD_*, which are no samples",
	    rd->records, "line");
	say_count(rd, DIAG_NOTE, "skipped perf's messages", rd->messages, "line");
	say_count(rd, DIAG_NOTE, "skipped branches, registers and instructions",
	    rd->extras, "line");
	say_count(rd, DIAG_NOTE, "text after the event's name is not kept", rd->texts,
	    "sample");
	say_count(rd, DIAG_WARN, "periods are not kept, as no event at the beginning of "
	    "the file has one", rd->periods, "sample");
}

static int
read_all(struct reader *rd)
{
	if (look_at_periods(rd) < 0 || decode_part(rd->d, "perf",
	    perf_addr ? TEXT("positions=addr") : (struct text){ 0 }) < 0 ||
	    decode_lines(rd->d, "file", LAST_MAY_END, block, rd) < 0 ||
	    end_event(rd, ENDS_UNKNOWN) < 0 || put_events(rd) < 0 || check_end(rd) < 0)
		return -1;
	say_all(rd);
	return 0;
}

int
perf_decode(struct decode *d)
{
	struct reader rd = { .d = d, .recent = mem_alloc(RECENT, sizeof *rd.recent),
	    .threads = mem_alloc(THREADS, sizeof *rd.threads) };
	int ret = read_all(&rd);
	size_t i;

	free(rd.seen);
	free(rd.recent);
	memo_free(&rd.stacks);
	memo_free(&rd.callers);
	memo_free(&rd.frames);
	free(rd.frame);
	buf_free(&rd.values);
	buf_free(&rd.attrs);
	buf_free(&rd.inlined);
	buf_free(&rd.stack);
	for (i = 0; i < THREADS; i++) {
		buf_free(&rd.threads[i].head);
		buf_free(&rd.threads[i].labels);
	}
	free(rd.threads);
	buf_free(&rd.name);
	buf_free(&rd.event);
	memo_free(&rd.names);
	buf_free(&rd.named);
	return ret;
}

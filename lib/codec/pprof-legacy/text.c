/* SPDX-License-Identifier: ISC */
/*
 * Profiles as text: heaps, contention, Go's counts, and stacks of threads.  Each line
 * is a stack, leaf first, and what it counts; a memory map may follow.
 */
#include "reader.h"

#include <inttypes.h>
#include <math.h>

#define BAD(...) (diag_fail(b->rd->d->diag, __VA_ARGS__), LINE_BAD)
#define QUOTE(line) diag_quote((line).s, (line).n)

bool legacy_estimates_heap;

/* What one pass goes through: the lines before the memory map. */
struct body {
	struct legacy *rd;
	enum legacy_kind kind;
	const char *p, *end;
	struct text first;	/* the line that says what it is */
	bool go;		/* Go writes no memory map */
	struct legacy_header header;
	bool begun;		/* the header has been put */
	/* Of heaps: what the first line says, and what the others add up to. */
	int64_t says[4];
	num sum[4];
	bool has_alloc;
	int64_t rate;		/* for estimates; 0: none */
	/* Of contention. */
	num period, hz;
	/* Of threads: how many have the stack in rd->addr. */
	uint64_t threads;
	bool fresh;		/* there is no line of this thread yet */
};

/* ---- lines ---- */

static bool
next_line(struct body *b, struct text *line)
{
	const char *lf;

	if (b->p >= b->end)
		return false;
	if (!(lf = memchr(b->p, '\n', (size_t)(b->end - b->p))))
		lf = b->end;
	*line = legacy_trim((struct text){ b->p, (size_t)(lf - b->p) });
	b->p = lf + 1;
	b->rd->d->at.line++;
	return true;
}

static bool
is_said(struct text line)
{
	return line.n && *line.s != '#';
}

static bool
is_map(struct text line)
{
	return legacy_begins(line, "MAPPED_LIBRARIES:") ||
	    legacy_begins(line, "--- Memory map: ---");
}

/* Go names the functions of a stack after it, and then writes an empty line (runtime's
 * pprof/pprof.go, printStackRecord). */
#define NO_BLANK "the file is cut: no empty line comes after the last stack"

/* The first pass: names, and the memory map, which ends the rest. */
static int
gather(struct body *b)
{
	struct legacy *rd = b->rd;
	const char *start;
	struct text line;
	bool headed = false;	/* the first line is of no map, whatever it is called */
	bool open = false;	/* more names may belong to the last stack */

	for (;;) {
		start = b->p;
		if (!next_line(b, &line))
			break;
		if (headed && is_map(line)) {
			if (maps_read(rd, b->p, b->end) < 0)
				return -1;
			b->end = start;
			open = false;
		} else if (line.n && (*line.s == '#' || b->kind == LEGACY_THREADS)) {
			open |= names_add(rd, line.s, line.s + line.n);
		} else {
			open = line.n > 0;
		}
		headed |= is_said(line);
	}
	if (open && rd->nname && b->kind != LEGACY_THREADS &&
	    decode_cut(rd->d, NO_BLANK) < 0)
		return -1;
	names_sort(rd);
	b->p = rd->file.s;
	rd->d->at.line = 0;
	return 0;
}

/* Whoever writes these ends with a memory map. */
static int
check_map(struct body *b)
{
	if (b->go || b->rd->has_maps)
		return 0;
	return decode_cut(b->rd->d, "the file is cut: no memory map comes after the samples");
}

/* ---- numbers ---- */

static void
skip_blanks(const char **p)
{
	while (**p == ' ' || **p == '\t')
		++*p;
}

static bool
take_char(const char **p, char c)
{
	skip_blanks(p);
	if (**p != c)
		return false;
	++*p;
	return true;
}

static bool
take_int(const char **p, int64_t *v)
{
	const bool minus = take_char(p, '-');
	const char *q;
	uint64_t n;

	q = num_get_u64(*p, &n);
	if (!q || q == *p || n > INT64_MAX)
		return false;
	*v = minus ? -(int64_t)n : (int64_t)n;
	*p = q;
	return true;
}

/* "0x1 0x2", up to the end of the line. */
static int
take_addrs(struct body *b, const char *p, struct text line)
{
	const char *end = line.s + line.n, *q;
	uint64_t addr;

	b->rd->naddr = 0;
	for (skip_blanks(&p); p < end; skip_blanks(&p)) {
		if (p[0] != '0' || p[1] != 'x' || !(q = num_get_hex(p + 2, &addr)) ||
		    q == p + 2 || (q < end && *q != ' ' && *q != '\t'))
			return BAD("expected an address, such as 0x401000, found %s",
			    diag_quote(p, (size_t)(end - p)));
		addr_add(b->rd, addr);
		p = q;
	}
	return LINE_OK;
}

static void
add_value(struct body *b, num v)
{
	char tmp[NUM_TEXT];

	if (b->rd->values.n)
		buf_putc(&b->rd->values, '\t');
	buf_add(&b->rd->values, tmp, (size_t)(num_put_num(tmp, v) - tmp));
}

static void
add_event(struct legacy_header *h, struct text name, const char *unit, const char *type)
{
	h->event[h->nevent++] = (struct legacy_event){ name, unit, type };
}

static int
begin(struct body *b)
{
	b->begun = true;
	return legacy_put_header(b->rd, &b->header);
}

/* ---- heaps ---- */

#define HEAP_LINE "1: 16 [2: 32] @"

/* "1: 16 [2: 32] @": in use, and allocated so far. */
static bool
take_heap(const char **p, int64_t v[4])
{
	return take_int(p, &v[0]) && take_char(p, ':') && take_int(p, &v[1]) &&
	    take_char(p, '[') && take_int(p, &v[2]) && take_char(p, ':') &&
	    take_int(p, &v[3]) && take_char(p, ']') && take_char(p, '@');
}

static struct text
take_word(const char **p)
{
	const char *start, *q;

	skip_blanks(p);
	start = *p;
	for (q = start; (*q >= 'a' && *q <= 'z') || (*q >= '0' && *q <= '9') || *q == '_'; q++)
		;
	*p = q;
	return (struct text){ start, (size_t)(q - start) };
}

/* What kind of heap: whether some allocations were sampled, on average one in so many
 * bytes. */
static int
heap_kind(struct body *b, const char *p)
{
	const struct text kind = take_word(&p);
	int64_t rate = 0;

	if (*p == '/' && (p++, !take_int(&p, &rate)))
		return BAD("expected a rate after the kind of heap: %s", QUOTE(b->first));
	b->header.period = 1;
	if (text_is(kind, "heap"))
		b->rate = rate / 2;
	else if (text_is(kind, "heap_v2") || text_is(kind, "heapz_v2"))
		b->rate = rate;
	else if (text_is(kind, "growth") || text_is(kind, "growthz") ||
	    text_is(kind, "fragmentation") || text_is(kind, "fragmentationz"))
		return 1;
	else if (!text_is(kind, "heapprofile"))
		return BAD("an unknown kind of heap: %s", QUOTE(kind));
	b->go = text_is(kind, "heap");
	if (!text_is(kind, "heapprofile"))
		b->header.period = b->rate;
	return 0;
}

/* As pprof has it: allocations are there if the first line says others than in use. */
static int
heap_header(struct body *b)
{
	const char *p = b->first.s + strlen("heap profile:");
	struct legacy_header *h = &b->header;
	const int64_t *v = b->says;
	int other;

	if (!take_heap(&p, b->says))
		return BAD("expected totals, as in 'heap profile: " HEAP_LINE " heap_v2/524288', "
		    "found %s", QUOTE(b->first));
	if ((other = heap_kind(b, p)) < 0)
		return other;
	h->period_type = TEXT("space");
	h->period_unit = "bytes";
	if (other) {
		add_event(h, TEXT("objects"), NULL, NULL);
		add_event(h, TEXT("space"), "B", NULL);
		return 0;
	}
	b->has_alloc = (v[2] != v[0] && v[2]) || (v[3] != v[1] && v[3]);
	if (b->has_alloc) {
		add_event(h, TEXT("alloc_objects"), NULL, NULL);
		add_event(h, TEXT("alloc_space"), "B", NULL);
	}
	add_event(h, TEXT("inuse_objects"), NULL, NULL);
	add_event(h, TEXT("inuse_space"), "B", NULL);
	if (b->rate > 1 && !legacy_estimates_heap)
		diag_say(b->rd->d->diag, DIAG_NOTE, "counts are of the allocations that were "
		    "sampled, on average one in %" PRId64 " bytes: --estimate-heap "
		    "estimates all", b->rate);
	return 0;
}

/* Each object was sampled with the probability 1 - exp(-size/rate). */
static void
add_heap(struct body *b, int64_t count, int64_t size)
{
	const double each = count ? (double)size / (double)count : 0;
	double scale;

	if (!legacy_estimates_heap || b->rate <= 1 || each <= 0) {
		add_value(b, count);
		add_value(b, size);
		return;
	}
	scale = 1 / (1 - exp(-each / (double)b->rate));
	add_value(b, isfinite(scale) ? (num)((double)count * scale) : count);
	add_value(b, isfinite(scale) ? (num)((double)size * scale) : size);
}

static int
heap_line(struct body *b, struct text line)
{
	const char *p = line.s;
	int64_t v[4], each = 0;
	char tmp[NUM_TEXT];
	int i, ret;

	if (!take_heap(&p, v))
		return BAD("expected counts and bytes, as in '" HEAP_LINE " 0x401000', found "
		    "%s", QUOTE(line));
	if ((!v[0] && v[1]) || (!v[2] && v[3]))
		return BAD("bytes without objects: %s", QUOTE(line));
	if ((ret = take_addrs(b, p, line)))
		return ret;
	for (i = 0; i < 4; i++)
		b->sum[i] += v[i];	/* so many lines there are not */
	if (b->has_alloc)
		add_heap(b, v[2], v[3]);
	add_heap(b, v[0], v[1]);
	if (v[0])
		each = v[1] / v[0];
	else if (b->has_alloc && v[2])
		each = v[3] / v[2];
	if (each)
		attr_add(&b->rd->attrs, "bytes", (struct text){ tmp,
		    (size_t)(num_put_num(tmp, each) - tmp) });
	return legacy_put_sample(b->rd, ALL_ARE_CALLERS);
}

/* Nothing but the totals says whether a file of Go's is whole. */
static int
heap_end(struct body *b)
{
	int i;

	for (i = 0; i < 4 && b->go && !b->rd->has_maps; i++) {
		const char *what = i % 2 ? "bytes" : "objects";

		if (b->sum[i] >= b->says[i])
			continue;
		if (i < 2)
			return decode_cut(b->rd->d, "the file is cut: the first line says "
			    "%" PRId64 " %s, the others %" PRId64, b->says[i], what,
			    (int64_t)b->sum[i]);
		/* Old versions did not list what is no longer in use. */
		diag_say(b->rd->d->diag, DIAG_WARN, "the first line says that %" PRId64
		    " %s were allocated, the others %" PRId64 ": the file may be cut",
		    b->says[i], what, (int64_t)b->sum[i]);
		break;
	}
	return 0;
}

/* ---- Go's counts ---- */

static int
count_header(struct body *b)
{
	const char *blank = memchr(b->first.s, ' ', b->first.n);
	struct legacy_header *h = &b->header;
	const char *p = blank + strlen(" profile: total ");

	b->go = true;
	h->period_type = (struct text){ b->first.s, (size_t)(blank - b->first.s) };
	h->period_unit = "count";
	h->period = 1;
	add_event(h, h->period_type, NULL, NULL);
	return take_int(&p, &b->says[0]) ? 0 :
	    BAD("a total that does not fit 63 bits: %s", QUOTE(b->first));
}

static int
count_line(struct body *b, struct text line)
{
	const char *p = line.s;
	int64_t n;
	int ret;

	if (!take_int(&p, &n) || n < 0 || !take_char(&p, '@'))
		return BAD("expected a count, as in '1 @ 0x401000', found %s", QUOTE(line));
	if ((ret = take_addrs(b, p, line)))
		return ret;
	b->sum[0] += n;
	add_value(b, n);
	return legacy_put_sample(b->rd, ALL_ARE_CALLERS);
}

static int
count_end(struct body *b)
{
	if (b->sum[0] >= b->says[0] || b->rd->has_maps)
		return 0;
	return decode_cut(b->rd->d, "the file is cut: the first line says %" PRId64 ", the "
	    "others %" PRId64, b->says[0], (int64_t)b->sum[0]);
}

/* ---- contention ---- */

static int
contention_header(struct body *b)
{
	struct legacy_header *h = &b->header;

	b->go = !legacy_begins(b->first, "--- contentionz ");
	b->period = 1;
	h->period_type = TEXT("contentions");
	h->period_unit = "count";
	add_event(h, TEXT("contentions"), NULL, NULL);
	add_event(h, TEXT("delay"), "cycles", NULL);
	return 0;
}

/* "cycles/second = 1000" */
static int
contention_fact(struct body *b, struct text line, const char *eq)
{
	const struct text key = legacy_trim((struct text){ line.s, (size_t)(eq - line.s) });
	const char *p = eq + 1;
	int64_t n;

	if (text_is(key, "format") || text_is(key, "resolution")) {
		diag_fail(b->rd->d->diag, "Java's profiles of this format are not read");
		return LINE_FATAL;
	}
	if (!take_int(&p, &n) || n < 0 || p != line.s + line.n)
		return BAD("expected a number after '=', found %s", QUOTE(line));
	if (text_is(key, "cycles/second"))
		b->hz = n;
	else if (text_is(key, "sampling period"))
		b->period = n ? n : 1;
	else if (text_is(key, "ms since reset"))
		b->header.duration = (num)n * 1000000;
	else if (text_is(key, "discarded samples") && n)
		diag_say(b->rd->d->diag, DIAG_WARN, "%" PRId64 " samples were discarded by "
		    "the profiler", n);
	else if (!text_is(key, "discarded samples"))
		return BAD("an unknown fact: %s", QUOTE(line));
	return LINE_OK;
}

/* Cycles, of one contention in so many, as nanoseconds of all. */
static int
contention_values(struct body *b, int64_t cycles, int64_t count, struct text line)
{
	num delay = cycles;

	if (b->hz && (num_mul(delay, b->period, &delay) < 0 ||
	    num_mul(delay, 1000000000, &delay) < 0))
		return BAD("a time that does not fit 128 bits: %s", QUOTE(line));
	add_value(b, (num)count * b->period);
	add_value(b, b->hz ? delay / b->hz : delay);
	return LINE_OK;
}

static int
contention_line(struct body *b, struct text line)
{
	const char *p = line.s, *eq = memchr(line.s, '=', line.n);
	int64_t cycles, count;
	int ret;

	if (eq && !b->begun)
		return contention_fact(b, line, eq);
	if (!b->begun) {
		b->header.period = b->period;
		if (b->hz)
			b->header.event[1].unit = "ns";
		if (begin(b) < 0)
			return LINE_FATAL;
		b->rd->attrs.n = 0;
	}
	if (!take_int(&p, &cycles) || !take_int(&p, &count) || cycles < 0 || count < 0 ||
	    !take_char(&p, '@'))
		return BAD("expected cycles and a count, as in '1000 1 @ 0x401000', found %s",
		    QUOTE(line));
	if ((ret = take_addrs(b, p, line)) ||
	    (ret = contention_values(b, cycles, count, line)))
		return ret;
	return legacy_put_sample(b->rd, ALL_ARE_CALLERS);
}

/* ---- threads ---- */

static int
thread_header(struct body *b)
{
	struct legacy_header *h = &b->header;

	h->period_type = TEXT("thread");
	h->period_unit = "count";
	h->period = 1;
	/* JSON has the fact "thread" of a part. */
	add_event(h, TEXT("threads"), NULL, "thread");
	return 0;
}

static int
put_threads(struct body *b)
{
	int ret;

	if (!b->threads)
		return 0;
	b->rd->values.n = b->rd->attrs.n = 0;
	add_value(b, b->threads);
	ret = legacy_put_sample(b->rd, FIRST_IS_NOT);
	b->threads = b->rd->naddr = 0;
	return ret;
}

static int
thread_line(struct body *b, struct text line)
{
	const char *p = line.s, *end = p + line.n, *q;
	bool any = false;
	uint64_t addr;

	if (legacy_begins(line, "--- Thread ")) {
		b->fresh = true;
		return LINE_OK;
	}
	if (memmem(line.s, line.n, "same as previous thread", 23)) {
		b->threads += b->threads && b->fresh;
		b->fresh = false;
		return LINE_OK;
	}
	for (; p + 2 < end; p++) {
		if (p[0] != '0' || p[1] != 'x')
			continue;
		if (!(q = num_get_hex(p + 2, &addr)))
			return BAD("an address that does not fit 64 bits: %s", QUOTE(line));
		if (q == p + 2)
			continue;
		if (b->fresh && put_threads(b) < 0)
			return LINE_FATAL;
		b->fresh = false;
		b->threads += !b->threads;
		addr_add(b->rd, addr);
		p = q - 1;
		any = true;
	}
	return any || line.s[line.n - 1] == ':' ? LINE_OK :
	    BAD("expected addresses, such as 0x401000, found %s", QUOTE(line));
}

/* ---- the whole ---- */

/* Is this where the samples end, at a line of another section? */
static bool
ends(const struct body *b, struct text line)
{
	return b->kind == LEGACY_THREADS ? legacy_begins(line, "---- no stack trace for") :
	    b->kind != LEGACY_HEAP && legacy_begins(line, "---");
}

static int
read_line(struct body *b, struct text line)
{
	if (b->kind != LEGACY_THREADS)
		b->rd->values.n = b->rd->attrs.n = 0;
	switch (b->kind) {
	case LEGACY_HEAP: return heap_line(b, line);
	case LEGACY_COUNT: return count_line(b, line);
	case LEGACY_CONTENTION: return contention_line(b, line);
	default: return thread_line(b, line);
	}
}

static int
read_header(struct body *b)
{
	int ret;

	while (next_line(b, &b->first) && !is_said(b->first))
		;
	switch (b->kind) {
	case LEGACY_HEAP: ret = heap_header(b); break;
	case LEGACY_COUNT: ret = count_header(b); break;
	case LEGACY_CONTENTION: return contention_header(b);	/* it goes on */
	default: ret = thread_header(b); break;
	}
	return ret < 0 ? -1 : begin(b);
}

/* The labels of samples that are numbers. */
static int
declare_bytes(struct body *b)
{
	struct record r = rec_make(REC_META);

	if (b->kind != LEGACY_HEAP)
		return 0;
	r.col[0].t = TEXT("pprof.numlabel");
	r.attrs = TEXT("bytes\t-");
	return sink_put(b->rd->d->out, &r);
}

static int
read_lines(struct body *b)
{
	struct text line;
	int ret;

	while (next_line(b, &line)) {
		if (!is_said(line))
			continue;
		if (ends(b, line))
			break;
		if ((ret = read_line(b, line)) && decode_line_done(b->rd->d, ret) < 0)
			return -1;
	}
	return 0;
}

static int
finish(struct body *b)
{
	b->rd->d->at.line = 0;
	if (b->kind == LEGACY_THREADS && put_threads(b) < 0)
		return -1;
	if (!b->begun) {
		b->header.period = b->period;
		if (begin(b) < 0)
			return -1;
	}
	if (b->kind == LEGACY_HEAP && heap_end(b) < 0)
		return -1;
	if (b->kind == LEGACY_COUNT && count_end(b) < 0)
		return -1;
	return check_map(b);
}

int
legacy_text(struct legacy *rd, enum legacy_kind kind)
{
	struct body b = { .rd = rd, .kind = kind, .p = rd->file.s,
	    .end = rd->file.s + rd->file.n, .fresh = true };

	rd->d->at.line = 0;
	return gather(&b) < 0 || read_header(&b) < 0 || declare_bytes(&b) < 0 ||
	    read_lines(&b) < 0 ? -1 : finish(&b);
}

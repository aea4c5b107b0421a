/* SPDX-License-Identifier: ISC */
/* Reads the lines of perf script.  A stack is a run of lines that begin with a blank, whose
 * end is searched for as a whole. */
#include "line_words.h"
#include "reader.h"

#include <inttypes.h>

#include "codec/sample_options.h"
#include "util/scan.h"

/* Puts the metadata of a line of the header: by the key that others have for it, too, or by
 * its own. */
static int
put_fact(struct reader *rd, struct text name, struct text value)
{
	static const struct { const char *name, *key, *prefix; } known[] = {
		{ "cmdline", "cmd", "" }, { "perf version", "creator", "perf " },
		{ "hostname", "hostname", "" }, { "os release", "os release", "" },
		{ "arch", "arch", "" }, { "nrcpus online", "cpus", "" },
		{ "cpudesc", "cpu model", "" }, { "total memory", "memory", "" },
		{ "sample duration", "duration", "" },
	};
	struct buf b = { 0 };
	size_t i;
	int ret;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (text_is(name, known[i].name))
			break;
	if (i < sizeof known / sizeof *known) {
		buf_puts(&b, known[i].prefix);
		buf_text(&b, value);
		ret = perf_samples_fact(rd, known[i].key, buf_as_text(&b));
	} else {
		buf_puts(&b, "perf.");
		buf_text(&b, name);
		ret = perf_samples_fact(rd, buf_str(&b), value);
	}
	buf_free(&b);
	return ret;
}

/* Reads "# KEY : VALUE", from perf script --header; older versions have no blank before the
 * colon. */
static int
read_comment(struct reader *rd, const char *p, const char *end)
{
	const struct text t = perf_trimmed(p + 1, end);
	const char *colon;

	end = t.s + t.n;
	if (!rd->samples.began && perf_is_report(p, end)) {
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
		return perf_samples_fact(rd, "comment", t);
	return put_fact(rd, perf_trimmed(t.s, colon), perf_trimmed(colon + 1, end));
}

/* ---- lines ---- */

/* Ends the current event: at an empty line, or another event. */
static int
end_event(struct reader *rd, enum ends ends)
{
	int ret = 0;

	if (rd->pending.text.n) {
		rd->unended = true;
		ret = perf_stack_put(rd, rd->pending.text.s,
		    rd->pending.text.s + rd->pending.text.n, rd->pending.lines);
		rd->pending.text.n = rd->pending.lines = 0;
	} else if (rd->samples.open) {
		rd->unended |= (rd->ends == ENDS_EMPTY || rd->samples.stack_follows) &&
		    !rd->samples.inlined.n;
		ret = perf_stack_put_none(rd);
	}
	if (rd->unended && ends != ENDS_UNKNOWN) {
		rd->ends = ends;
		rd->unended = false;
	}
	return ret;
}

/* Is it a frame that has lost its blanks? */
static bool
is_bare_frame(const struct reader *rd, const char *p, const char *end)
{
	struct perf_frame f;

	return (rd->samples.open || rd->pending.text.n) && perf_frame_line(p, end, &f) &&
	    (f.object.s || f.inlined);
}

static int
keep_lines(struct reader *rd, const char *p, const char *end, uint64_t lines)
{
	const size_t most = rd->d->session->max_line;

	buf_add(&rd->pending.text, p, (size_t)(end - p));
	buf_room(&rd->pending.text, SCAN);
	rd->pending.lines += lines;
	if (!most || rd->pending.text.n <= most)
		return 0;
	rd->d->at.line += rd->pending.lines;
	return diag_fail(rd->d->diag, "a stack of more than %zu MiB: see --max-line",
	    most >> 20);
}

/* Reads a line that belongs to no stack; at.line is still that of the one before. */
static int
read_line(struct reader *rd, const char *p, const char *end)
{
	struct perf_event e;
	bool event;
	int ret = 0;

	if (!perf_trimmed(p, end).n) {
		ret = end_event(rd, ENDS_EMPTY);
		rd->d->at.line++;
		return ret;
	}
	event = !perf_is_comment(p, end) && perf_samples_parse(rd, p, end, &e);
	if ((!event || (!e.time.s && !perf_event_has_frame(&e))) &&
	    is_bare_frame(rd, p, end))
		return keep_lines(rd, p, end + 1, 1);
	if (end_event(rd, event ? ENDS_NEVER : ENDS_UNKNOWN) < 0)
		return -1;
	rd->d->at.line++;
	if (event && e.record)
		rd->records++;
	else if (event) {
		if (perf_samples_events(rd) < 0 || perf_samples_begin(rd, p, &e) < 0)
			return -1;
	} else if (*p == '#')
		ret = read_comment(rd, p, end);
	else if (perf_is_message(p, end))
		rd->messages++;
	else if (perf_blank(*p))
		ret = BAD("expected an event before its frames, found %s", QUOTE_TO(p, end));
	else
		ret = BAD("expected an event, NAME PID TIME: EVENT:, found %s",
		    QUOTE_TO(p, end));
	return decode_line_done(rd->d, ret);
}

/* Returns the end of lines that begin with a blank, and counts them; returns `end` if there
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

/* Can this line begin a stack?  The name of a thread is right-aligned if no stacks follow,
 * so an event's line may look like a frame. */
static bool
begins_stack(const struct reader *rd, const char *p, const char *end)
{
	const char *lf;
	struct perf_event e;
	struct perf_frame f;

	if (*p == '\t' || (rd->pending.text.n && !rd->samples.inlined.n))
		return true;
	lf = memchr(p, '\n', (size_t)(end - p));
	if (!perf_event_line(p, lf, &e))
		return perf_trimmed(p, lf).n > 0;
	return !e.time.s && perf_frame_line(p, lf, &f) && f.object.s &&
	    !perf_event_has_frame(&e);
}

/* Reads the lines of a stack from p on, as far as they are there; *after: the end of
 * these. */
static int
read_stack(struct reader *rd, const char *p, const char *end, const char **after)
{
	/* The next line may be an event's. */
	const bool by_line = rd->samples.inlined.n && *p != '\t';
	uint64_t lines = 1;
	const char *q;
	int ret;

	if (*p == '\t' && !rd->pending.text.n &&
	    (ret = perf_stack_put_known(rd, p, end, after))) {
		rd->unended = true;
		return ret < 0 ? -1 : 0;
	}
	q = by_line ? (const char *)memchr(p, '\n', (size_t)(end - p)) + 1 :
	    blank_lines_end(p, end, &lines);
	*after = q;
	/* The stack may continue. */
	if (by_line || q == end || rd->pending.text.n)
		return keep_lines(rd, p, q, lines);
	rd->unended = true;
	return perf_stack_put(rd, p, q, lines);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	const char *line_end;

	while (p < end) {
		if (rd->samples.open && perf_blank(*p) && begins_stack(rd, p, end)) {
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

/* Checks the end: an event without an empty line after it, if the others have one. */
static int
check_end(struct reader *rd)
{
	struct decode *d = rd->d;

	if (!rd->unended || rd->ends == ENDS_NEVER || d->cut)
		return 0;
	if (!decode_is_lenient(d))
		return decode_cut(d, "the file is truncated: the last event has no empty "
		    "line after it");
	diag_say(d->diag, DIAG_NOTE, "the last event has no empty line after it: the "
	    "file may be truncated there");
	return 0;
}

/* Reports "TEXT: 3 lines", if n is not 0. */
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
	say_count(rd, DIAG_NOTE, "skipped PERF_RECORD_*, which are not samples",
	    rd->records, "line");
	say_count(rd, DIAG_NOTE, "skipped perf's messages", rd->messages, "line");
	say_count(rd, DIAG_NOTE, "skipped branches, registers and instructions",
	    rd->frames.extras, "line");
	say_count(rd, DIAG_NOTE, "dropped the text after the event's name", rd->stacks.texts,
	    "sample");
	if (rd->frames.homeless)
		diag_say(rd->d->diag, DIAG_NOTE, "functions marked (inlined) have no "
		    "object: 'perf script --no-inline' prints it");
	if (rd->frames.bare)
		diag_say(rd->d->diag, DIAG_NOTE, "functions have no object, and so no "
		    "lines: 'perf script -F +dso' prints it");
	say_count(rd, DIAG_WARN, "dropped periods, as the first events of the file have "
	    "none", rd->samples.periods, "sample");
}

static int
read_all(struct reader *rd)
{
	if (perf_samples_look(rd) < 0 || perf_samples_part(rd) < 0 ||
	    decode_lines(rd->d, "file", LAST_ENDS, block, rd) < 0 ||
	    end_event(rd, ENDS_UNKNOWN) < 0 || perf_samples_events(rd) < 0 || check_end(rd) < 0)
		return -1;
	say_all(rd);
	return 0;
}

int
perf_decode(struct decode *d)
{
	const struct sample_options *o = d->options;
	struct reader rd = { .d = d, .times = o->times,
	    .addrs = o->addrs || d->session->by_addr || d->session->lines };
	int ret;

	perf_stacks_init(&rd.stacks);
	perf_samples_init(&rd.samples);
	ret = read_all(&rd);
	perf_frames_free(&rd.frames);
	perf_stacks_free(&rd.stacks);
	perf_samples_free(&rd.samples);
	buf_free(&rd.pending.text);
	return ret;
}

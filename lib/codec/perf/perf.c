/* SPDX-License-Identifier: ISC */
#include "perf.h"

#include "codec/sample_options.h"

#define PROBE_OTHERS 20		/* other lines before the first event */
#define PROBE_COMM 64		/* the longest name of a thread: the kernel's have 15 bytes */
#define ADDR_COLUMNS 16		/* of an address, which is right-aligned */
#define ADDR_DIGITS 6		/* of an address, if blanks before it were lost */

static bool
probe_event(const char *p, const char *end, struct perf_event *e)
{
	return perf_event_line(p, end, e) && e->comm.n <= PROBE_COMM;
}

/* A time makes an event unmistakable.  Other lines with a number and a colon may be in any
 * report, where the numbers of a list look like short addresses. */
static bool
probe_frame(const char *p, const char *end, const struct perf_event *e)
{
	struct perf_frame f;

	return perf_frame_line(p, end, &f) && (e->time.s || (f.object.s &&
	    (f.addr.n >= ADDR_DIGITS || f.addr.s + f.addr.n - p >= ADDR_COLUMNS)));
}

/* Accepts an event with a frame, on its line or below it: no other format has these.
 * Events without a stack suffice if most lines are such and have a time, or all are. */
static int
perf_probe(const char *p, size_t n)
{
	const char *last = last_byte(p, '\n', n), *end = last ? last + 1 : p + n, *lf;
	struct perf_event e;
	struct perf_frame f;
	int others = 0, events = 0, timed = 0;
	bool event = false;

	for (; p < end && others < PROBE_OTHERS; p = lf + 1) {
		if (!(lf = memchr(p, '\n', (size_t)(end - p))))
			lf = end;
		if (perf_is_report(p, lf) || memchr(p, '\0', (size_t)(lf - p)))
			return 0;
		if (*p == '#' || lf == p || *p == '\r')
			continue;
		if (event && probe_frame(p, lf, &e))
			return 16;
		if (!(event = probe_event(p, lf, &e))) {
			others += !perf_is_message(p, lf);
			continue;
		}
		if (e.rest.n && perf_frame_line(e.rest.s, e.rest.s + e.rest.n, &f) &&
		    f.object.s && (e.time.s || f.addr.n >= ADDR_DIGITS))
			return 16;
		events += e.tid.s != NULL;
		timed += e.time.s && e.name.s;
	}
	return timed > others ? 2 : events && !others;
}

/* Are there two lines of frames, one below the other? */
static bool
has_frames(const char *p, size_t n)
{
	const char *end = p + n, *lf;
	struct perf_frame f;
	int frames = 0;

	for (; frames < 2 && p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1)
		frames = *p == '\t' && perf_frame_line(p, lf, &f) ? frames + 1 : 0;
	return frames == 2;
}

static const char *
perf_near_miss(const char *p, size_t n)
{
	if (memmem(p, n, "\n# Event count (approx.): ", 26))
		return "the output of 'perf report', which has no samples: use perf.data itself";
	return has_frames(p, n) ? "the output of 'perf script', it seems, with too few "
	    "fields: run 'perf script -F comm,tid,time,period,event,ip,sym,dso'" : NULL;
}

const struct codec codec_perf = {
	.name = "perf",
	.summary = "The output of perf script, of Linux",
	.patterns = "*.perf",
	.probe = perf_probe,
	.near_miss = perf_near_miss,
	.decode = perf_decode,
	.read_options = &sample_options,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_ADDRS] = SUPPORT_SOME,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_SOME,
		[FEATURE_OBJECTS] = SUPPORT_YES, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_YES, [FEATURE_UNITS] = SUPPORT_SOME,
		[FEATURE_FACTS] = SUPPORT_SOME,
	},
	.lines_from = "compile the program with -g, and give it with --exe, or use "
	    "perf script -F +srcline --full-source-path",
	.addrs_from = "perf script prints them with -F +ip",
};

/* SPDX-License-Identifier: ISC */
/*
 * The text of perf script, of Linux: a line for each event, and below it the frames
 * of its stack, leaf first, up to an empty line.  Which fields a line has depends on
 * what was recorded and on -F; nothing in the text says so, and names may contain
 * nearly anything.  The fields and their order are those of
 * tools/perf/builtin-script.c and util/evsel_fprintf.c in Linux.
 */
#ifndef PROF_CODEC_PERF_PERF_H
#define PROF_CODEC_PERF_PERF_H

#include "stream/codec.h"

#define PERF_PEEK 65536		/* bytes that tell which fields there are */

/* ---- lines, without their newline: event_line.c, frame_line.c, other_line.c ---- */

static inline bool
perf_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* An event's line; what it has not is absent. */
struct perf_event {
	struct text comm, pid, tid, cpu, time, period, name;
	struct text rest;	/* after the name, without blanks at its ends */
	size_t head;		/* bytes up to the end of the thread's number */
	bool record;		/* one of PERF_RECORD_*, which is no sample */
};

/* Is the line one?  In lines without a time a number before the event's name may be
 * the thread, its period or the end of its name: their widths tell. */
bool perf_event_line(const char *p, const char *end, struct perf_event *e);

/* The same for what comes after a thread that is known, from the processor on, with
 * a time or without one. */
bool perf_event_fields(const char *p, const char *end, bool timed, struct perf_event *e);

/* A frame: "ADDRESS NAME+0xOFFSET (OBJECT)". */
struct perf_frame {
	struct text addr, name, object;
	struct text key;	/* all but the address */
	bool inlined;		/* the object is that of the frame that it is in */
	bool bare;		/* nor is it said that the object is not known */
};

bool perf_frame_line(const char *p, const char *end, struct perf_frame *f);

/* Takes apart what looks as a frame and is more, after an event's name: the address of
 * the data in front of the frame (-F addr), or registers and the like after it.  False:
 * there is no frame; *more: something is left. */
bool perf_inline_frame(const char *p, const char *end, struct perf_frame *f, bool *more);

/* "FILE:LINE" below a frame; what is not known is absent. */
struct perf_source {
	struct text file, line;
	bool inlined;		/* the frame is */
};

bool perf_source_line(const char *p, const char *end, struct perf_source *s);

/* Is a frame after the event's name? */
bool perf_event_has_frame(const struct perf_event *e);

/* What perf writes to its terminal, and people paste. */
bool perf_is_message(const char *p, const char *end);

/* The name of a thread may begin with a "#", too, but not with "# ". */
static inline bool
perf_is_comment(const char *p, const char *end)
{
	return *p == '#' && (p + 1 == end || perf_blank(p[1]));
}

/* A comment that only perf report writes. */
bool perf_is_report(const char *p, const char *end);

/* Is this object the kernel's, or a module of it? */
bool perf_is_kernel(struct text object);

/* ---- reading ---- */

int perf_decode(struct decode *d);

#endif

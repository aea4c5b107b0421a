/* SPDX-License-Identifier: ISC */
/*
 * The output of Linux's perf script: a line for each event, and below it the frames of its
 * stack, leaf first, up to an empty line.  The fields of a line depend on what was recorded
 * and on -F; the text does not list them, and names may contain nearly anything.  The
 * fields and their order are those of tools/perf/builtin-script.c and util/evsel_fprintf.c
 * in Linux.
 */
#ifndef PROF_CODEC_PERF_PERF_H
#define PROF_CODEC_PERF_PERF_H

#include "stream/codec.h"

#define PERF_PEEK 65536		/* bytes that show which fields there are */

/* ---- lines, without their newline: event_line.c, frame_line.c, other_line.c ---- */

static inline bool
perf_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* An event's line; missing fields are absent. */
struct perf_event {
	struct text comm, pid, tid, cpu, time, period, name;
	struct text rest;	/* after the name, without blanks at its ends */
	size_t head;		/* bytes up to the end of the thread's number */
	bool record;		/* one of PERF_RECORD_*, which is not a sample */
};

/* Is the line an event's?  In a line without a time, a number before the event's name may
 * be the thread, its period or the end of its name: their widths show which. */
bool perf_event_line(const char *p, const char *end, struct perf_event *e);

/* The same for the fields after a thread that is known, from the processor on, with a time
 * or without. */
bool perf_event_fields(const char *p, const char *end, bool timed, struct perf_event *e);

/* A frame: "ADDRESS NAME+0xOFFSET (OBJECT)". */
struct perf_frame {
	struct text addr, name, object;
	struct text key;	/* everything but the address */
	bool inlined;		/* the object is that of the frame around it */
	bool bare;		/* it is not even marked as unknown */
};

bool perf_frame_line(const char *p, const char *end, struct perf_frame *f);

/* Splits text after an event's name that contains a frame and more: the address of the data
 * in front of it (-F addr), or registers and the like after it.  False: there is no frame;
 * *more: there is other text. */
bool perf_inline_frame(const char *p, const char *end, struct perf_frame *f, bool *more);

/* "FILE:LINE" below a frame; unknown fields are absent. */
struct perf_source {
	struct text file, line;
	bool inlined;		/* the frame is inlined */
};

bool perf_source_line(const char *p, const char *end, struct perf_source *s);

/* Is a frame after the event's name? */
bool perf_event_has_frame(const struct perf_event *e);

/* Is it a message of perf's to the terminal, as pasted by users? */
bool perf_is_message(const char *p, const char *end);

/* Is it a comment?  The name of a thread may also begin with "#", but not with "# ". */
static inline bool
perf_is_comment(const char *p, const char *end)
{
	return *p == '#' && (p + 1 == end || perf_blank(p[1]));
}

/* Is it a comment that only perf report writes? */
bool perf_is_report(const char *p, const char *end);

/* Does this object belong to the kernel? */
bool perf_is_kernel(struct text object);

/* ---- reading ---- */

int perf_decode(struct decode *d);

#endif

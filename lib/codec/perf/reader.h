/* SPDX-License-Identifier: ISC */
/* What the parts of reading perf script share: frames, samples, and the stacks that
 * were there before. */
#ifndef PROF_CODEC_PERF_READER_H
#define PROF_CODEC_PERF_READER_H

#include "perf.h"

#include "stream/deferred.h"
#include "stream/name_index.h"
#include "util/cache.h"

/* What a line of a stack is. */
enum frame_kind { FRAME_NONE, FRAME_CALLED, FRAME_INLINED,
	FRAME_SOURCE, FRAME_SOURCE_INLINED,	/* of the frame before it */
	FRAME_EXTRA };		/* not kept */

/* Numbers of the dictionary; `func` is NO_ID where the line has no object. */
struct frame {
	enum frame_kind kind;
	uint32_t name, func, file, line;
	uint32_t addr, in_call;	/* its address, and that of the byte before it: of a
				 * caller, that is in the call */
	uint64_t at;		/* as a number */
};

struct frames {
	struct cache lines;	/* in `known` */
	struct frame *known;
	size_t cap_known;
	struct frame *v;	/* of the stack at hand, leaf first */
	size_t n, cap;
	bool odd;		/* it has lines that are to be counted again */
	uint64_t extras;	/* lines that are not kept */
	bool homeless;		/* functions have no object though they are not inlined */
	bool bare;		/* frames were printed without their objects */
};

/* The last stack of those that begin with the same bytes, by a hash of these: it is
 * mostly the one that comes next. */
struct stacks {
	struct stack *recent;
	uint64_t texts;		/* samples with text after the event's name, not kept */
};

/* The event whose line was read, until its stack is known, and those before. */
struct samples {
	bool began;		/* events were put */
	bool has_period;
	struct name_index events;	/* perf's, by name, in the order in which they came */
	struct buf *event_name;
	size_t nevents, capevents;
	bool several;		/* the first bytes have more than one of them */
	size_t at;		/* that of the sample */
	struct late facts;	/* so far: those of the file are of each part */

	bool open;
	struct buf values, attrs;
	struct buf inlined;	/* what is after its name on its line */

	/* Of events before: how the line of a thread begins, whether a time comes then,
	 * and its labels; by a hash of the first bytes of the line. */
	struct thread { struct buf head, labels; bool timed; } *threads;
	struct thread *thread;	/* where that of the line at hand belongs, */
	bool same_thread;	/* and whether it is there */
	struct buf name, label;	/* of the last event */
	uint64_t periods;	/* samples whose period is not kept */
	bool stack_follows;	/* as the line shows */
};

/* Whether an event is ended by an empty line, as far as the file has shown. */
enum ends { ENDS_UNKNOWN, ENDS_EMPTY, ENDS_NEVER };

struct reader {
	struct decode *d;
	bool times, addrs;	/* of samples are kept */
	struct frames frames;
	struct stacks stacks;
	struct samples samples;
	/* The lines of the open sample's stack that were in blocks before. */
	struct pending { struct buf text; uint64_t lines; } pending;
	enum ends ends;
	bool unended;		/* the last event has no empty line after it yet */
	uint64_t records, messages;	/* lines that are not kept */
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

/* ---- frames ---- */

/* Adds the frame after the event's name, leaf first: 1, 0 if it is none, or -1. */
int perf_frames_add(struct reader *rd, struct text line);

/* Adds those of the lines of a stack, each with its newline; at.line counts them.  0 or
 * -1. */
int perf_frames_read(struct reader *rd, const char *p, const char *end);

/* Puts the contexts of the frames below *ctx, which becomes the leaf's, and forgets the
 * frames.  0 or -1. */
int perf_frames_put(struct reader *rd, uint32_t *ctx);

void perf_frames_free(struct frames *f);

/* ---- stacks: each of these puts the open sample, 0 or -1 ---- */

void perf_stacks_init(struct stacks *s);

/* Its stack is the lines from p to end. */
int perf_stack_put(struct reader *rd, const char *p, const char *end, uint64_t lines);

/* Its line is all that there is of it. */
int perf_stack_put_none(struct reader *rd);

/* Its stack, from p on, is the last one that began with the same bytes: 1, and *after
 * is after it; 0: it is not, or there may be more of it, and nothing was put; -1. */
int perf_stack_put_known(struct reader *rd, const char *p, const char *end,
    const char **after);

void perf_stacks_free(struct stacks *s);

/* ---- samples ---- */

void perf_samples_init(struct samples *s);

/* Finds out from the first bytes which events there are, and whether they have periods.
 * 0 or -1. */
int perf_samples_look(struct reader *rd);

/* Begins the file's part.  0 or -1. */
int perf_samples_part(struct reader *rd);

/* Puts the profile's events, once: what is known of the file comes before them.  0 or
 * -1. */
int perf_samples_events(struct reader *rd);

/* Reads an event's line, mostly one of a thread that had one: whether it is one. */
bool perf_samples_parse(struct reader *rd, const char *p, const char *end,
    struct perf_event *e);

/* Puts a fact of the file.  0 or -1. */
int perf_samples_fact(struct reader *rd, const char *key, struct text value);

/* Opens the sample of the line at p, which was just read: a new event begins a part.
 * 0 or -1. */
int perf_samples_begin(struct reader *rd, const char *p, const struct perf_event *e);

/* Puts the open sample.  0 or -1. */
int perf_samples_put(struct reader *rd, uint32_t ctx);

void perf_samples_free(struct samples *s);

#endif

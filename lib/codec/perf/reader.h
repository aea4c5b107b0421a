/* SPDX-License-Identifier: ISC */
/* Declarations that the files reading perf script share: frames, samples, and the cache of
 * stacks. */
#ifndef PROF_CODEC_PERF_READER_H
#define PROF_CODEC_PERF_READER_H

#include "perf.h"

#include "stream/deferred.h"
#include "stream/name_index.h"
#include "stream/stack.h"
#include "util/cache.h"

#define RECENT_LINE 100		/* the most bytes */
#define RECENT_LINES 512

/* The kinds of lines in a stack. */
enum frame_kind { FRAME_NONE, FRAME_CALLED, FRAME_INLINED,
	FRAME_SOURCE, FRAME_SOURCE_INLINED,	/* of the frame in the line before */
	FRAME_EXTRA };		/* is dropped */

/* Numbers of the dictionary; `func` is NO_ID where the line has no object. */
struct known_frame {
	enum frame_kind kind;
	uint32_t name, func, file, line;
	uint32_t addr, in_call;	/* its address, and that of the byte before: for a caller,
				 * the latter is in the call */
	uint64_t at;		/* as a number */
};

/* A line of the usual form, in the place of its hash. */
struct recent_line {
	uint32_t n;
	char text[RECENT_LINE];
	struct known_frame frame;
};

struct known_frames {
	struct recent_line *recent;	/* the last ones, RECENT_LINES; NULL: none came */
	struct buf path;	/* of the last object, */
	uint32_t object;
	/* Functions by name, the dictionary's text, and number of the object. */
	struct known_funcs {
		struct known_func {
			struct text name;
			uint32_t hash, object, func;
		} *v;
		size_t n, cap;
		struct hash_index index;
	} funcs;
	struct stack stack;	/* the current one's frames, from the root on; `single`: its
				 * contexts have been put */
	bool single;
	size_t callees;		/* of the frame that was put last: how many frames there are up
				 * to the first that is not inlined into it */
	struct cache lines;	/* in `known` */
	struct known_frame *known;
	size_t cap_known;
	struct known_frame *v;	/* of the current stack, leaf first */
	size_t n, cap;
	bool odd;		/* it has lines that must be counted each time */
	uint64_t extras;	/* number of dropped lines */
	bool homeless;		/* there are functions without object that are not
				 * inlined */
	bool bare;		/* frames were printed without their objects */
};

/* The last stack that came again of those that begin with the same bytes, by a hash of
 * these: it usually is the next one, too. */
struct recent_stacks {
	struct recent *recent;
	uint64_t texts;		/* number of samples with text after the event's name, which
				 * is dropped */
};

/* The event whose line was read, until its stack is known, and earlier events. */
struct samples {
	bool began;		/* events were put */
	bool has_period;
	struct name_index events;	/* perf's, by name, in the order in which they came */
	struct buf *event_name;
	size_t nevents, capevents;
	bool several;		/* the first bytes have several events */
	size_t at;		/* the sample's event */
	struct late_records facts;	/* so far: those of the file belong to each part */

	bool open;
	struct buf values, attrs;
	struct buf inlined;	/* the text after its name in its line */

	/* Earlier events, by a hash of the first bytes of the line: how the line of a
	 * thread begins, whether a time follows, and its labels. */
	struct thread {
		struct buf head, labels;
		bool timed;
		bool stack_follows;	/* its lines show it if nothing is after the event */
	} *threads;
	struct thread *thread;	/* the entry for the current line, */
	bool same_thread;	/* and whether it is the same thread */
	struct buf name, label;	/* of the last event */
	uint64_t periods;	/* number of samples whose period is dropped */
	bool stack_follows;	/* the line shows it */
};

/* Whether an empty line ends each event, as far as the file has shown. */
enum ends { ENDS_UNKNOWN, ENDS_EMPTY, ENDS_NEVER };

struct reader {
	struct decode *d;
	bool times, addrs;	/* of samples are kept */
	struct known_frames frames;
	struct recent_stacks stacks;
	struct samples samples;
	/* The lines of the open sample's stack from earlier blocks. */
	struct pending { struct buf text; uint64_t lines; } pending;
	enum ends ends;
	bool unended;		/* the last event still lacks its empty line */
	uint64_t records, messages;	/* numbers of dropped lines */
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

/* ---- frames ---- */

/* Adds the frame after the event's name, as the leaf: 1, 0 if it is not a frame, or -1. */
int perf_frames_add(struct reader *rd, struct text line);

/* Adds the frames in the lines of a stack, each with its newline; at.line counts them.  0
 * or -1. */
int perf_frames_read(struct reader *rd, const char *p, const char *end);

/* Puts the contexts of the frames below *ctx, which becomes the leaf's, and removes the
 * frames.  0 or -1. */
int perf_frames_put(struct reader *rd, uint32_t *ctx);

void perf_frames_free(struct known_frames *f);

/* ---- stacks: each of these puts the open sample, 0 or -1 ---- */

void perf_stacks_init(struct recent_stacks *s);

/* Its stack consists of the lines from p to end. */
int perf_stack_put(struct reader *rd, const char *p, const char *end, uint64_t lines);

/* The sample has no stack. */
int perf_stack_put_none(struct reader *rd);

/* Its stack, from p on, may be the last one that began with the same bytes: 1, and *after
 * is its end; 0: it is not, or may continue, and nothing was put; -1. */
int perf_stack_put_known(struct reader *rd, const char *p, const char *end,
    const char **after);

void perf_stacks_free(struct recent_stacks *s);

/* ---- samples ---- */

void perf_samples_init(struct samples *s);

/* Finds from the first bytes which events there are, and whether they have periods.  0 or
 * -1. */
int perf_samples_look(struct reader *rd);

/* Begins the file's part.  0 or -1. */
int perf_samples_part(struct reader *rd);

/* Puts the profile's events, once, after the metadata of the file.  0 or -1. */
int perf_samples_events(struct reader *rd);

/* Reads an event's line, usually that of a thread with earlier events: false if it is not
 * one. */
bool perf_samples_parse(struct reader *rd, const char *p, const char *end,
    struct perf_event *e);

/* Puts metadata of the file.  0 or -1. */
int perf_samples_fact(struct reader *rd, const char *key, struct text value);

/* Opens the sample of the line at p, which was just read: a new event begins a part.  0 or
 * -1. */
int perf_samples_begin(struct reader *rd, const char *p, const struct perf_event *e);

/* Puts the open sample.  0 or -1. */
int perf_samples_put(struct reader *rd, uint32_t ctx);

void perf_samples_free(struct samples *s);

#endif

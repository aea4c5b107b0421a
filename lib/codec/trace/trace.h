/* SPDX-License-Identifier: ISC */
/*
 * Traces in the format of Chrome ("Trace Event Format"): an object with a list of events, or
 * the list alone.  Their times are the CPU profiles of V8 in them, otherwise the
 * durations of events, here called slices, which nest in each thread.
 *
 *	trace.c		the format: its probe, its options, the whole of a file
 *	events.c	a file to events
 *	cpu_profiles.c	the CPU profiles, which are put in pieces
 *	slices.c	events to slices
 *	nesting.c	slices to samples
 *	names.c		names of processes and threads
 *	event.c		the fields of an event
 *
 * Each of these calls only those after it.  Functions that return an int return 0, or -1
 * with the diag set, unless they state otherwise.
 */
#ifndef PROF_CODEC_TRACE_TRACE_H
#define PROF_CODEC_TRACE_TRACE_H

#include "codec/cpuprofile/v8.h"
#include "codec/json_window.h"
#include "io/sorter.h"
#include "stream/codec.h"
#include "stream/sums.h"

/* An event: where the values of its keys are in the document; NULL: it has no such key. */
struct event {
	const char *at;
	const char *phase, *name, *category, *process, *thread, *id, *time, *duration, *args;
};

struct trace_options {
	bool slices;		/* the durations of events, not the CPU profiles */
	bool details;		/* names with what `detail` has */
};

/* ---- cpu_profiles.c ---- */

struct cpu_profiles {
	struct thread_profile **v;	/* each is allocated separately */
	size_t n, cap;
	struct sums ids;	/* by process and id: the profile */
	struct chunk *chunk;
	size_t nchunks, capchunks;
	size_t kept;		/* bytes of chunks */
};

/* ---- slices.c ---- */

#define NO_END INT64_MAX

/* A duration, in nanoseconds. */
struct slice {
	int64_t begin, end;	/* NO_END: that of the thread */
	uint64_t n;		/* its number in the file */
	uint32_t thread;	/* a row */
	uint32_t name, category;	/* strings; NO_ID */
};

/* A slice that has begun. */
struct open_slice {
	struct slice slice;
	uint32_t name;		/* that of its events, without the detail */
	bool total;		/* it does not count */
};

struct thread {
	uint32_t pid, tid;	/* strings; NO_ID */
	int64_t latest;		/* the end of its last slice */
	struct open_slice *open;
	size_t nopen, capopen;
	struct slice last;	/* the one with a duration that came last */
	uint64_t inner_last, outer_last;	/* how many came after, or before, one that is
						 * inside them */
};

struct slices {
	struct sums threads;	/* by process and thread */
	struct thread *thread;
	size_t capthread;
	struct sums names;	/* by thread and name: the number of open slices */
	struct sorter sorter;	/* by thread, beginning and end */
	uint64_t n;		/* their number, */
	uint64_t added;		/* and that of those that have ended */
	bool parts;		/* times have parts of a microsecond, */
	bool inexact;		/* and of a nanosecond */
	uint64_t unbegun, unended, async;	/* what was not counted, or not as it is */
};

/* ---- a file ---- */

struct trace {
	struct window w;
	struct sums names;	/* by process and thread, or NO_ID: the name, a string */
	struct cpu_profiles profiles;
	struct slices slices;
	uint64_t samples;	/* in the member of that name, which are not read */
	bool list, unended;	/* the file is a list, whose end is missing */
};

/* Fails at a place in the document: LINE_BAD. */
#define EVENT_BAD(t, at, ...) (DOCUMENT_FAIL(&(t)->w.doc, (at), __VA_ARGS__), LINE_BAD)

/* Reads all events, and what is around them. */
int trace_read(struct trace *t);

/* Reads an event: an error of the document stays there. */
void trace_read_event(struct trace *t, struct event *e);

/* Returns the text of a value, a number or a text, in the dictionary; otherwise, and for
 * NULL, NO_ID. */
uint32_t trace_string(struct trace *t, const char *at);

/* Takes the pieces of CPU profiles: the result of a line. */
int trace_take_profile(struct trace *t, const struct event *e, struct text name);
/* Reads the pieces, in the order of time, which need not be that of events. */
int trace_read_profiles(struct trace *t);
bool trace_has_profiles(const struct trace *t);
int trace_put_profiles(struct trace *t);
void trace_free_profiles(struct cpu_profiles *p);

/* Takes an event that begins, or ends, a slice: the result of a line. */
int trace_take_slice(struct trace *t, const struct event *e, char phase);
void trace_init_slices(struct slices *s, struct diag *diag);
void trace_free_slices(struct slices *s);
/* Puts a part with all slices. */
int trace_put_slices(struct trace *t);

/* Puts each stack of names with the time that was spent in it, and not deeper. */
int trace_put_nested(struct trace *t);

/* Takes a name of a process or a thread: the result of a line. */
int trace_take_name(struct trace *t, const struct event *e, bool thread);
/* Returns the name, a string; NO_ID: it has none. */
uint32_t trace_name(const struct trace *t, uint32_t pid, uint32_t tid);

#endif

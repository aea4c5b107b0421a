/* SPDX-License-Identifier: ISC */
/*
 * Stacks as text of tracers and debuggers: frames on lines of their own, leaf first, then a
 * value.  The forms of the lines differ, so each program is a dialect, with functions that
 * recognise and read a line; frames, labels and values are treated in the same way for all.
 *
 * The file is held whole and read twice: at first for the events, which come before all
 * samples, then for the samples.
 */
#ifndef PROF_CODEC_STACKS_STACKS_H
#define PROF_CODEC_STACKS_STACKS_H

#include "stream/codec.h"
#include "stream/name_index.h"
#include "stream/stack.h"
#include "util/cache.h"

struct reader;

/* A frame; each text may be absent. */
struct frame {
	struct text name, object, file, line;
	bool inlined;
};

/* A line of a file that may be of a dialect.  LINE_FOREIGN: of other programs. LINE_LIKELY:
 * also of it.  LINE_OWN: of no other program. */
enum sight { LINE_FOREIGN, LINE_LIKELY, LINE_OWN };

struct dialect {
	const char *name;	/* the program */
	enum sight (*see)(struct text line);	/* a line that is not empty */
	/* Reads a line: returns as in decode.h. */
	int (*read)(struct reader *rd, struct text line);
	void (*split)(struct text line, struct frame *f);	/* the line of a frame */
	int (*end)(struct reader *rd);	/* after the last line: 0 or -1; NULL: nothing to do */
	bool (*ends)(struct text line);	/* nothing comes after this line, even if it has no
					 * newline; NULL: there is no such line */
	bool lines;		/* frames have lines */
};

extern const struct dialect stacks_bpftrace, stacks_bcc, stacks_dtrace, stacks_systemtap,
    stacks_pmcstat, stacks_hprof, stacks_jstack, stacks_gdb;

/* Returns the dialect of a file by its first bytes; NULL: none.  At most so many lines of other
 * programs may come before a line that shows it. */
const struct dialect *stacks_dialect(const char *p, size_t n, unsigned foreign);

/* The lines and values that are not read, which are reported at the end. */
enum dropped {
	DROP_LINES,		/* of other programs, or for people */
	DROP_STACKLESS,		/* values that have no stack */
	DROP_TABLES,		/* values that are not single numbers */
	DROP_LOST,		/* events that the tracer lost */
	DROP_UNKNOWN,		/* stacks that the file does not have */
	DROP_AGAIN,		/* maps that were printed before: nothing is dropped */
	DROP_EARLIER,		/* tables whose numbers a later one has, too */
	DROPS
};

/* An event, by its index. */
struct value {
	size_t event;
	struct text number;
};

/* The callers of a function in a graph that is upside down, from the leaf on. */
struct node {
	uint64_t left;		/* its samples, less those of its callers so far */
	uint32_t frame;
};

/* A stack that values refer to by its number. */
struct trace {
	struct text frames, thread;
	uint32_t ctx;
	bool known;		/* its context is */
};

struct reader {
	struct decode *d;
	const struct dialect *dialect;
	struct text rest;	/* of the file, after the current line */
	bool scan;		/* the first time */
	uint64_t drop[DROPS];

	struct event { struct buf name; const char *unit, *attrs; } *event;
	size_t nevent, capevent;
	struct name_index events;	/* by name */
	struct buf section;	/* the event of the values that follow; empty: samples */
	const char *unit;	/* its unit, or NULL */

	/* The stack that is being read: its lines, and the labels of its sample. */
	struct buf lines, labels;
	unsigned keys;		/* labels without a name */
	bool open;		/* it is not complete */
	struct cache frames;	/* by their lines */
	struct stack stack;
	uint32_t *frame;	/* leaf first */
	size_t nframe, capframe;
	struct buf values, text;

	/* What only one of the dialects needs. */
	bool has_stack;		/* bpftrace: the key has one */
	bool in_map;		/* bpftrace: the lines before are of this map, */
	struct name_index maps;	/* and those that were printed */
	bool counts;		/* bcc: it is stackcount */
	bool begun;		/* jstack, hprof: the first line of the kind was there */
	bool ended;		/* jstack, pmcstat: the file may end here */
	uint64_t left;		/* pmcstat: samples of the event to come */
	struct node *node;
	size_t nnode, capnode;
	struct text object;	/* pmcstat: that of the last frame */
	size_t table;		/* hprof: the table, or SIZE_MAX */
	struct name_index traces, threads;
	struct trace *trace;
	size_t ntrace, captrace;
	struct text *thread;	/* names */
	size_t nthread, capthread;
	uint64_t total;
	uint64_t sums;		/* hprof: tables to come that have sums since the start */
	bool skip;		/* hprof: the table is not the last one of them */
	struct text pid;	/* gdb: that of the threads that follow, */
	uint64_t levels;	/* and the number of frames; */
	bool wraps;		/* the line of the last one may go on */
};

/* A malformed line is reported once, when samples are read. */
#define BAD(...) (rd->scan ? LINE_OK : (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD))

/* ---- read.c ---- */

int stacks_decode(struct decode *d);

/* ---- events.c ---- */

/* Finds or adds an event; attrs may be NULL.  Returns its index; SIZE_MAX, with the diag set:
 * there are too many. */
size_t stacks_event(struct reader *rd, struct text name, const char *unit, const char *attrs);

/* Puts the part and its events; 0 or -1. */
int stacks_put_part(struct reader *rd);

/* ---- frames.c ---- */

/* Adds the line of a frame to the stack, below those before it. */
int stacks_add_line(struct reader *rd, struct text line);

/* Adds the rest of the last line, after a blank; there is one. */
int stacks_add_rest(struct reader *rd, struct text rest);

/* Defines the frame of a line in the dictionary; 0 or -1. */
int stacks_frame(struct reader *rd, struct text line, const struct frame *f, uint32_t *frame);

/* Puts the contexts of the stack, its lines or `frame`, leaf first, and removes it; *ctx is
 * that of the leaf.  0 or -1. */
int stacks_context(struct reader *rd, uint32_t *ctx);

/* Puts a sample with the labels; 0 or -1. */
int stacks_put(struct reader *rd, uint32_t ctx, const struct value *v, size_t n);

/* ---- samples.c: all return as functions that read a line ---- */

/* Adds a label whose name the file does not have: key1, key2 and so on. */
void stacks_add_key(struct reader *rd, struct text value);

/* Sets the event of the values that follow. */
void stacks_set_section(struct reader *rd, struct text name, const char *unit);

/* Ends the stack with its value. */
int stacks_end(struct reader *rd, struct text value);

/* Ends the sample of a thread; one without a stack is dropped, and counted. */
int stacks_end_thread(struct reader *rd);

/* Takes note of a line that is not part of a stack, and reports the first. */
void stacks_drop_line(struct reader *rd, struct text line);

/* Forgets the stack and its labels. */
void stacks_forget(struct reader *rd);

/* ---- bpftrace_json.c ---- */

/* Reads a line of -f json.  For each value of a map it calls key() with the key, then
 * value(): the number, or absent. */
int stacks_read_json(struct reader *rd, struct text line,
    void (*map)(struct reader *rd, struct text name),
    int (*key)(struct reader *rd, struct text key),
    int (*value)(struct reader *rd, struct text number));

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Profiles as text: heaps, contention, Go's counts, and stacks of threads.  Each line is a
 * stack, leaf first, with its counts; a memory map may follow.
 *
 *	text.c		what all of them have in common
 *	text_heap.c, text_jemalloc.c, text_counts.c, text_contention.c, text_threads.c:
 *			what each has
 *	text_line.c	lines, and the numbers in them
 */
#ifndef PROF_CODEC_PPROF_LEGACY_TEXT_H
#define PROF_CODEC_PPROF_LEGACY_TEXT_H

#include "reader.h"

struct body;

/* A kind of profile. header() reads b->first, the line that identifies it; line() each line
 * after that, with LINE_* as a result; end() may be NULL.  The others return 0, or -1 with
 * the diag set. */
struct legacy_text_kind {
	int (*header)(struct body *b);
	int (*line)(struct body *b, struct text line);
	int (*end)(struct body *b);
	const char *numlabel;	/* a label that is a number; NULL: none */
	const char *last;	/* a line that begins so ends the samples; NULL: none */
	bool long_header;	/* the header continues in the lines after the first: line()
				 * puts it */
	bool long_samples;	/* a sample may take several lines */
};

extern const struct legacy_text_kind legacy_heap, legacy_jemalloc, legacy_counts,
    legacy_contention, legacy_threads;

/* The input of one pass: the lines before the memory map. */
struct body {
	struct legacy *rd;
	const struct legacy_text_kind *kind;
	const char *p, *end;
	struct text first;	/* the line that identifies the kind */
	bool go;		/* Go writes no memory map */
	struct legacy_header header;
	bool begun;		/* the header was put */
	/* For heaps: numbers of the first line, and the sums of the others. */
	int64_t stated[4];
	num sum[4];
	bool has_alloc;
	int64_t rate;		/* for estimates; 0: none */
	/* For jemalloc's heaps. */
	bool in_stacks;		/* the totals are behind */
	bool has_stack;		/* its addresses have come, its numbers have not */
	size_t in_threads;	/* the number of threads */
	/* For contention. */
	num period, hz;
	/* For threads: the number of those with the stack in rd->addr. */
	uint64_t threads;
	bool fresh;		/* no line of this thread has come yet */
};

#define BAD(...) (diag_fail(b->rd->d->diag, __VA_ARGS__), LINE_BAD)

/* ---- text_line.c ---- */

bool legacy_next_line(struct body *b, struct text *line);

/* Is the line neither empty nor a comment? */
bool legacy_has_content(struct text line);

/* Each takes something off the line, which ends in a newline or the like. */
void legacy_skip_blanks(const char **p);
bool legacy_take_char(const char **p, char c);
bool legacy_take_int(const char **p, int64_t *v);
/* Takes "0x1 0x2", up to the end of the line.  LINE_*. */
int legacy_take_addrs(struct body *b, const char *p, struct text line);

void legacy_add_event(struct legacy_header *h, struct text name, const char *unit,
    const char *type);

/* ---- text_heap.c ---- */

/* Takes "1: 16 [2: 32]": objects and bytes in use, and allocated so far. */
bool legacy_take_heap(const char **p, int64_t v[4]);
/* Adds the events of a heap to b->header, by b->stated and b->rate. */
void legacy_heap_events(struct body *b);
/* Puts such numbers of the stack in rd->addr.  0 or -1. */
int legacy_put_heap(struct body *b, const int64_t v[4]);

/* ---- text_line.c ---- */

/* Puts the header, which is complete.  0, or -1 with the diag set. */
int legacy_begin(struct body *b);

#endif

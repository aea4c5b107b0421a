/* SPDX-License-Identifier: ISC */
/*
 * The processed profile format of the Firefox Profiler, version 61: tables that all
 * threads share, each a column after the other, and threads with their samples
 * (src/types/profile.ts and docs-developer/CHANGELOG-formats.md of
 * github.com/firefox-devtools/profiler).  The viewer reads all older versions, so this
 * one stays.
 */
#ifndef PROF_CODEC_FIREFOX_WRITER_H
#define PROF_CODEC_FIREFOX_WRITER_H

#include "codec/thread_tracks.h"
#include "codec/viewer_functions.h"
#include "graph/stack_tree.h"

/* numbered.c: definitions in the order of their first use, by their number in the
 * dictionary. */
struct numbered {
	uint32_t *at;		/* by that number: the index + 1; 0: none */
	size_t capat;
	uint32_t *id;		/* by index */
	size_t n, capid;
};

/* Returns the index of an id, which is added if it is new. */
uint32_t numbered_add(struct numbered *s, uint32_t id);
void numbered_free(struct numbered *s);

/* Columns of a frame's key. */
enum { FRAME_FUNC, FRAME_LINE, FRAME_DEPTH, FRAME_KEYS };

struct thread {
	const struct track *track;
	size_t event;
	num weight;		/* of all samples, without their signs */
	size_t n;		/* samples with a value other than 0 */
};

struct writer {
	struct tracks tracks;
	struct encode e;
	struct functions functions;
	struct sums frames;	/* by function, line as a string, inlined depth */
	struct stack_tree stacks;	/* of frames */
	struct numbered strings, files, objects;
	struct thread *thread;
	size_t nthreads, capthreads;
	struct buf line;
};

/* Writes w->line out. */
void firefox_flush(struct writer *w);

/* write_tables.c: finds all frames and stacks of the samples, before these are written: */
void firefox_find_stacks(struct writer *w);
/* the tables that threads share. */
void firefox_put_libs(struct writer *w);
void firefox_put_shared(struct writer *w);
/* Returns the stack of a context; NO_ID: none. */
uint32_t firefox_stack(struct writer *w, uint32_t ctx);

/* write_threads.c: lists the threads; -1 with the diag set. */
int firefox_find_threads(struct writer *w);
/* Writes the list of threads that are shown first. */
void firefox_put_selection(struct writer *w);
int firefox_put_threads(struct writer *w);

#endif

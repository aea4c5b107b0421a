/* SPDX-License-Identifier: ISC */
/*
 * Ruby's profiles by stackprof, as `stackprof --json` writes them (tmm1/stackprof,
 * ext/stackprof/stackprof.c and lib/stackprof/report.rb):
 *
 *	{"version":1.2,"mode":"wall","interval":1000,"samples":7,"gc_samples":0,
 *	 "missed_samples":0,"metadata":{},"frames":{
 *	  "140":{"name":"Object#work","file":"/a.rb","line":3,"total_samples":7,"samples":5,
 *	    "edges":{"160":2},"lines":{"4":[7,5]}}, ...},
 *	 "raw":[2,120,140,5, ...],"raw_lines":[2,9,4,5, ...],"raw_timestamp_deltas":[1002, ...]}
 *
 * `raw` has the stacks: the number of frames, the frames from the root on, and how many
 * samples in a row had them; `raw_lines` has a line in the place of each frame, and
 * `raw_timestamp_deltas` a number for each sample.  They are there if the profile was made
 * with `raw: true`.  Without them there is a call graph: `edges` of a frame has the samples in
 * its callees, and `lines` those of each line, with callees and without.
 *
 * The first pass finds the values of the outermost object, and reads the frames.
 *
 *	stackprof.c	the outermost object, metadata, the part
 *	frames.c	frames
 *	stacks.c	samples, from `raw`
 *	graph.c		costs and calls, if that is missing
 */
#ifndef PROF_CODEC_STACKPROF_READER_H
#define PROF_CODEC_STACKPROF_READER_H

#include "codec/json_document.h"
#include "stream/codec.h"
#include "stream/name_index.h"
#include "stream/sums.h"

/* A number of the header. */
enum number { INTERVAL, SAMPLES, GC_SAMPLES, MISSED, NUMBERS };

/* A list: where it begins, and how many items it has. */
enum list { RAW, RAW_LINES, DELTAS, LISTS };

struct frame {
	uint32_t id, name, file;	/* strings of the dictionary; NO_ID */
	num line;		/* 0: none */
	num samples, total;	/* its own, and with what it calls */
	const char *edges, *lines;	/* where these objects begin; NULL: none */
	uint32_t func, place;	/* the function and the file that were put; NO_ID */
};

struct stackprof {
	struct decode *d;
	struct document doc;
	uint32_t mode;		/* a string; NO_ID */
	num number[NUMBERS];
	bool has[NUMBERS];
	const char *list[LISTS];	/* NULL: none */
	uint64_t items[LISTS];
	num stacked;		/* samples in `raw` */
	bool has_times, has_frames;
	struct buf metadata;	/* records `meta` without their beginning, one after the
				 * other, with newlines */
	struct name_index ids;	/* of frames: as the text of the number that each has */
	struct frame *frame;
	size_t nframe, capframe;
	struct sums twins;	/* name, file: frames */
	struct sums triplets;	/* name, file, line: frames */
	struct sums places;	/* frame, line */
	uint32_t *place;	/* by row of these: the dictionary's frame */
	size_t capplace;
	struct buf values, attrs;
};

/* ---- frames.c ---- */

/* Reads the object `frames`.  0 or -1; errors of JSON stay in the document. */
int stackprof_read_frames(struct stackprof *s);
/* Puts the functions.  0 or -1. */
int stackprof_put_functions(struct stackprof *s);
/* Returns how many samples are in the number of all alone, for which Ruby had no stack, where n
 * are in `what`.  If those are more it reports that. */
num stackprof_rest(struct stackprof *s, const char *what, num n);
/* Finds a frame by the text of its number; NULL: there is none. */
struct frame *stackprof_frame(struct stackprof *s, struct text id);

/* Reads a number of samples: 0, or -1 with the diag set. */
int stackprof_count(struct stackprof *s, num *n);

/* ---- stacks.c ---- */

/* Sets s->stacked: 0, or -1 with the diag set. */
int stackprof_count_stacks(struct stackprof *s);
int stackprof_put_stacks(struct stackprof *s);

/* ---- graph.c ---- */

int stackprof_put_graph(struct stackprof *s);

#endif

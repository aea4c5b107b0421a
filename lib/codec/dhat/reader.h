/* SPDX-License-Identifier: ISC */
/*
 * DHAT's profiles of allocations, dhat.out (dhat/dh_main.c of Valgrind; dhat-rs writes the
 * same): a JSON object with metadata, the program points `pps`, and after them the frames
 * `ftbl` that their stacks refer to.  One pass reads metadata and frames, a second one puts
 * the points.
 */
#ifndef PROF_CODEC_DHAT_READER_H
#define PROF_CODEC_DHAT_READER_H

#include "codec/valgrind_frames.h"
#include "stream/codec.h"
#include "util/json_read.h"

/* Numbers of a point.  The first ones are events, in this order; the others are not
 * additive, and become attributes. */
enum dhat_number {
	DHAT_TB, DHAT_TBK, DHAT_GB, DHAT_GBK, DHAT_EB, DHAT_EBK, DHAT_RB, DHAT_WB, DHAT_TL,
	DHAT_EVENTS,
	DHAT_MB = DHAT_EVENTS, DHAT_MBK, DHAT_NUMBERS,
};

/* The points that have a number: all; those whose lifetime is measured (`bklt`); those
 * whose accesses are (`bkacc`). */
enum dhat_where { DHAT_ALWAYS, DHAT_LIFETIMES, DHAT_ACCESSES };

struct dhat_field {
	const char *key, *description;
	enum { DHAT_BYTES, DHAT_BLOCKS, DHAT_TIME } unit;
	enum dhat_where where;
};

extern const struct dhat_field dhat_field[DHAT_NUMBERS];

/* The metadata. */
struct dhat_facts {
	uint64_t version;
	bool has_version, has_lifetimes, has_accesses, has_points, has_frames;
	struct buf mode, verb, cmd, time_unit;
	struct buf unit, units, blocks;	/* bu, bsu, bksu: empty for bytes */
	num pid, end, global_max;
	bool has_pid, has_end, has_global_max;
};

/* A frame of ftbl: its text, a string of the dictionary, and its number, once a stack
 * needed it; otherwise NO_ID. */
struct dhat_frame {
	uint32_t text, frame;
};

struct dhat {
	struct decode *d;
	struct text file;
	struct json_reader json;
	struct dhat_facts facts;
	const char *points, *points_end;	/* the value of `pps` */
	struct dhat_frame *frame;	/* ftbl */
	size_t nframe, capframe;
	struct valgrind_frames frames;
	struct cache stacks;	/* contexts, by frames */
	uint32_t *stack;	/* the current one, leaf first: indices of `frame` */
	size_t nstack, capstack;
	struct buf values, attrs;
	/* Points of which data is dropped: counts by byte, unannounced numbers. */
	uint64_t accesses, unannounced;
};

/* Reads a value of the outermost object into rd->facts; *known: is its key one of these?
 * Errors stay in the reader. */
void dhat_read_fact(struct dhat *rd, struct text key, bool *known);

/* Puts the part, its metadata and its events.  0 or -1. */
int dhat_put_header(struct dhat *rd);

/* Do points of this file have the number, as an event or an attribute? */
bool dhat_has(const struct dhat *rd, enum dhat_number i);

/* Reads and puts the points.  0 or -1. */
int dhat_put_points(struct dhat *rd);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * The samples of a profile by thread, for formats that viewers draw: a track is a part
 * of the profile, or of one with labels comm, pid and tid, as perf's samples have them,
 * a thread of it.  Samples of one stack are added up in each track, but for those that
 * have a time (the label `time`, in seconds): they are kept apart and come in order.
 * In a difference the name of a thread is what both runs have: pid and tid are lost.
 *
 * Memory: a row for each context of a track, and each time.
 */
#ifndef PROF_CODEC_THREAD_TRACKS_H
#define PROF_CODEC_THREAD_TRACKS_H

#include "stream/encode.h"
#include "stream/part.h"
#include "stream/sums.h"

#define NO_TIME UINT64_MAX

enum { TRACK_COMM, TRACK_PID, TRACK_TID, TRACK_LABELS };
enum { TRACK_CMD, TRACK_SOURCE, TRACK_PART, TRACK_THREAD, TRACK_PROCESS, TRACK_FACTS };

/* A part of the profile, and what its tracks share. */
struct track_part {
	size_t number;		/* among all parts, from 0 */
	struct events events;
	struct text fact[TRACK_FACTS];	/* cmd, source, part, thread, pid */
	struct text estimate;	/* what was estimated: facts, one per line; NULL: none */
	bool difference;	/* of two runs: threads have no numbers */
	struct sums samples;	/* by track, context, time */
};

struct track_sample {
	size_t track;
	uint32_t ctx;		/* NO_ID: without a stack */
	uint64_t time;		/* in ns; NO_TIME */
	const num *value;	/* one for each measured event of the part */
};

struct track {
	struct track_part *part;
	struct text label[TRACK_LABELS];
	bool timed;		/* all its samples have a time, and are in that order */
	struct track_sample *sample;
	size_t n;
};

/* An encoder by tracks, of whose structure it is the first member. */
struct tracks {
	struct part_sink parts;
	const struct encode *e;
	int (*write)(struct tracks *);	/* all of the file; set by the encoder, */
	void (*free)(struct tracks *);	/* which frees its own, */
	bool threads;		/* does the format name tracks?  Else metadata is lost */
	struct track_part **part;	/* each is allocated, as tracks point to it */
	size_t nparts, capparts;
	struct sums keys;	/* by part and labels: numbers of tracks */
	struct track *v;	/* listed before write(), as is the rest */
	size_t n;
	struct track_sample *sample;	/* of all tracks */

	/* While records come in. */
	uint64_t nvalues;	/* read so far */
	struct buf attrs;	/* of the last sample without a time, */
	uint64_t last;		/* its track, */
	bool lost;		/* and whether it had other labels */
	struct buf scratch;
};

/* `e` must outlive it.  The encoder sets what is its own, above. */
void tracks_init(struct tracks *t, const struct encode *e);

/* Adds the name of a track: "comm pid/tid", or what distinguishes its part, or the
 * command; and that it is estimated. */
void tracks_name(const struct tracks *t, const struct track *track, struct buf *b);

/* The command, or what else the profile is of. */
struct text tracks_title(const struct tracks *t);

/* ---- events ---- */

/* The event that is drawn where only one is: the default, or the first of a part that lacks
 * it. */
size_t tracks_main_event(const struct tracks *t, const struct track_part *part);

/* How many nanoseconds a value of an event is; 0 if it is no time, or that is no whole
 * number. */
uint64_t tracks_nanoseconds(const struct record *event);

/* Loses an event's unit and scale, which the format has no word for. */
void tracks_lose_unit(struct tracks *t, const struct record *event);

/* How values of an event are written: multiplied, and with the point moved left. */
struct scale {
	num factor;
	unsigned decimals;
};

/* Adds a value, or a sum of them, as a JSON number.  One that a double cannot hold is
 * a loss.  -1 with the diag set if it does not fit 128 bits. */
int tracks_number(struct tracks *t, struct buf *b, num v, const struct scale *scale);

/* *sum += v, or -1 with the diag set. */
int tracks_add(struct tracks *t, num *sum, num v);

/* The error of a negative value of an event, which viewers do not draw: -1.  It says
 * which events of a difference they do. */
int tracks_refuse_negative(struct tracks *t, const struct record *event);

#endif

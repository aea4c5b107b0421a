/* SPDX-License-Identifier: ISC */
/*
 * The samples of a profile by thread, for formats of viewers.  A track is a part of the
 * profile or, if samples have the labels comm, pid and tid, as perf's do, a thread of it.
 * Samples of one stack are added up in each track, except those with a time (the label
 * `time`, in seconds), which are kept separate and in order.  In a difference the name of a
 * thread is the part that both runs share: pid and tid are dropped.
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

/* A part of the profile, as its tracks share it. */
struct track_part {
	size_t number;		/* among all parts, from 0 */
	struct events events;
	struct text fact[TRACK_FACTS];	/* cmd, source, part, thread, pid */
	struct text estimate;	/* metadata about estimates, one per line; NULL: none */
	bool difference;	/* between two runs: threads have no numbers */
	bool lacks;		/* it has samples, but no event */
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

/* An encoder by tracks; the first member of the encoder's structure. */
struct tracks {
	struct part_sink parts;
	const struct encode *e;
	int (*write)(struct tracks *);	/* writes the file; set by the encoder, */
	void (*free)(struct tracks *);	/* frees the encoder's own memory */
	bool threads;		/* does the format name tracks?  Otherwise metadata is
				 * dropped */
	struct track_part **part;	/* each is allocated separately, as tracks point to
					 * it */
	size_t nparts, capparts;
	struct sums keys;	/* by part and labels: numbers of tracks */
	struct track *v;	/* set before write(), like the following */
	size_t n;
	struct track_sample *sample;	/* of all tracks */

	/* While records come in: */
	uint64_t nvalues;	/* read so far */
	struct buf attrs;	/* of the last sample without a time, */
	uint64_t last;		/* its track, */
	bool lost;		/* and whether it had further labels */
	struct buf scratch;
};

/* `e` must outlive it.  The encoder sets its own members, above. */
void tracks_init(struct tracks *t, const struct encode *e);

/* Adds the name of a track: "comm pid/tid", the properties that distinguish its part, or
 * the command; and a mark if it is estimated. */
void tracks_name(const struct tracks *t, const struct track *track, struct buf *b);

/* Returns the command, or another name of the profile. */
struct text tracks_title(const struct tracks *t);

/* ---- events ---- */

/* Returns the event to draw where only one can be: the default, or the first event of a
 * part that lacks it. */
size_t tracks_main_event(const struct tracks *t, const struct track_part *part);

/* Returns how many nanoseconds a value of an event is; 0 if it is not a time, or that is
 * not a whole number. */
uint64_t tracks_nanoseconds(const struct record *event);

/* Drops an event's unit and scale, which the format cannot hold. */
void tracks_lose_unit(struct tracks *t, const struct record *event);

/* How values of an event are written: multiplied by `factor`, with the point moved left. */
struct track_scale {
	num factor;
	unsigned decimals;
};

/* Adds a value, or a sum of values, as a JSON number.  One that a double cannot hold
 * exactly is a loss.  0, or -1 with the diag set if it does not fit 128 bits. */
int tracks_number(struct tracks *t, struct buf *b, num v, const struct track_scale *scale);

/* Adds v to *sum: 0, or -1 with the diag set. */
int tracks_add(struct tracks *t, num *sum, num v);

/* Sets the error of a negative value, which viewers do not draw: -1.  In a difference it
 * names the events that they do draw. */
int tracks_refuse_negative(struct tracks *t, const struct record *event);

#endif

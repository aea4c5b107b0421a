/* SPDX-License-Identifier: ISC */
/*
 * What a profile among several in a file is of, for formats of viewers, whose profiles
 * have one weight each: part, event and thread.  Ours say so in the member `prof`, an
 * object that other readers ignore.
 */
#ifndef PROF_CODEC_ORIGIN_H
#define PROF_CODEC_ORIGIN_H

#include "codec/document.h"
#include "codec/tracks.h"

/* Facts and labels, as TRACK_* number them; one more of what others wrote. */
enum { ORIGIN_PROCESS = TRACK_LABELS, ORIGIN_LABELS };
extern const char *const origin_fact[TRACK_FACTS], *const origin_label[ORIGIN_LABELS];

struct origin {
	bool own;		/* the profile says what it is of */
	bool is_default;	/* the event is that of the part */
	num part;
	struct text event, unit;	/* the unit: absent, or that which it was read in */
	struct text estimate;	/* facts, one per line; absent */
	struct text fact[TRACK_FACTS], label[ORIGIN_LABELS];
};

/* Reads it, the next value of the document. */
void origin_read(struct document *doc, struct origin *o);

/* Adds the member for an event of a track, without commas around it. */
void origin_add(struct buf *b, const struct track *track, size_t event, struct text unit);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * What a profile among several in a file is of, for formats of viewers, whose profiles
 * have one weight each: part, event and thread.  Ours say so in the member `prof`, an
 * object that other readers ignore.
 */
#ifndef PROF_CODEC_PROVENANCE_H
#define PROF_CODEC_PROVENANCE_H

#include "codec/json_document.h"
#include "codec/thread_tracks.h"

/* Facts and labels, as TRACK_* number them; one more of what others wrote. */
enum { PROVENANCE_PROCESS = TRACK_LABELS, PROVENANCE_LABELS };
extern const char *const provenance_fact[TRACK_FACTS], *const provenance_label[PROVENANCE_LABELS];

struct provenance {
	bool own;		/* the profile says what it is of */
	bool is_default;	/* the event is that of the part */
	num part;
	struct text event, unit;	/* the unit: absent, or that which it was read in */
	struct text estimate;	/* facts, one per line; absent */
	struct text fact[TRACK_FACTS], label[PROVENANCE_LABELS];
};

/* Reads it, the next value of the document. */
void provenance_read(struct document *doc, struct provenance *o);

/* Adds the member for an event of a track, without commas around it. */
void provenance_add(struct buf *b, const struct track *track, size_t event, struct text unit);

#endif

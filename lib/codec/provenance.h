/* SPDX-License-Identifier: ISC */
/*
 * The provenance of a profile in a file of several, for formats of viewers, whose profiles
 * have one weight each: its part, event and thread.  Our own files have it in the member
 * `prof`, an object that other readers ignore.
 */
#ifndef PROF_CODEC_PROVENANCE_H
#define PROF_CODEC_PROVENANCE_H

#include "codec/json_document.h"
#include "codec/thread_tracks.h"

/* Metadata and labels, numbered as TRACK_*; and one more, of files from others. */
enum { PROVENANCE_PROCESS = TRACK_LABELS, PROVENANCE_LABELS };
extern const char *const provenance_fact[TRACK_FACTS], *const provenance_label[PROVENANCE_LABELS];

struct provenance {
	bool own;		/* the profile has provenance */
	bool is_default;	/* the event is the part's default */
	num part;
	struct text event, unit;	/* the unit: absent, or the one that values were
					 * read in */
	struct text estimate;	/* metadata, one per line; absent */
	struct text fact[TRACK_FACTS], label[PROVENANCE_LABELS];
};

/* Reads the next value of the document. */
void provenance_read(struct document *doc, struct provenance *o);

/* Adds the member for an event of a track, without commas around it. */
void provenance_add(struct buf *b, const struct track *track, size_t event, struct text unit);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Comments.  Other programs' text formats have no escapes, and no lines for data that only
 * this toolkit uses.  Such data is stored in their free text, a description or a comment:
 *
 *	prof KEY: VALUE...		metadata
 *	prof event: ID NAME ...		an event that is more than its name
 *	prof total: run VALUE ...	a total that the format cannot hold
 *
 * with fields as in the stream: escaped, separated by TABs.
 */
#ifndef PROF_CODEC_COMMENTS_H
#define PROF_CODEC_COMMENTS_H

#include "stream/loss.h"
#include "stream/name_index.h"
#include "stream/record.h"

/* ---- writing ---- */

/* Adds a text as one line: line ends are escaped, which counts as a loss. */
void comment_line(struct buf *b, struct text t, struct loss *loss);

/* Adds the name of an event for formats in which names are words: blanks and the characters
 * in `bad` become "_", and so does an empty name.  False if the word differs from the
 * name. */
bool comment_word(struct buf *b, struct text name, const char *bad);

/* Adds "prof KEY: LIST" for a meta, event or total record.  A meta whose key is one of the
 * other two, or could not be read back, is dropped: false. */
bool comment_fact(struct buf *b, const struct record *r, struct loss *loss);

/* Would this text, as a description or comment, be read back unchanged?  Not if it looks
 * like metadata or contains line ends. */
bool comment_is_plain(struct text t);

/* ---- reading ---- */

/*
 * Is the text, a description or the rest of a comment after its "#", such metadata?  Then
 * sets its key and the unparsed rest, which are parts of the text; the rest is absent if
 * there is no value.
 */
bool comment_get(struct text t, struct text *key, struct text *list);

/* The `prof event:` lines of a part. */
struct comment_events {
	struct record **v;
	size_t n, cap;
	struct name_index named;	/* by number and word: the index in v */
};

/* Adds one, for an event that the format names by a word; `bad` as above.  False if it is
 * malformed. */
bool comment_event(struct comment_events *f, struct text list, const char *bad);
/* Returns the first event with this word whose number is id (NO_ID: derived); NULL if it
 * has no such line. */
const struct record *comment_event_of(const struct comment_events *f, uint64_t id,
    struct text word);
void comment_events_clear(struct comment_events *f);
void comment_events_free(struct comment_events *f);

/* The values of `prof total: run`, at most one for each event; false if malformed. */
bool comment_total(struct text list, uint64_t nevents, struct text *values);

#endif

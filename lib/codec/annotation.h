/* SPDX-License-Identifier: ISC */
/*
 * Annotations.  Other programs' text formats have no escapes, and no lines for what
 * the toolkit knows beyond them.  That rides where they have free text, a
 * description or a comment:
 *
 *	prof KEY: VALUE...		a fact
 *	prof event: ID NAME ...		an event that is more than its name
 *	prof total: run VALUE ...	a total that the format has not
 *
 * with fields as in the stream: escaped, a TAB between two.
 */
#ifndef PROF_CODEC_ANNOTATION_H
#define PROF_CODEC_ANNOTATION_H

#include "stream/lookup.h"
#include "stream/loss.h"
#include "stream/record.h"

/* ---- writing ---- */

/* A text in one line: what would end it is escaped, and a loss. */
void annotation_line(struct buf *b, struct text t, struct loss *loss);

/* The name of an event, for formats whose names are words: blanks and what is
 * in `bad`, too, become "_", and so does an empty name.  False if the word is
 * not the name itself. */
bool annotation_word(struct buf *b, struct text name, const char *bad);

/* "prof KEY: LIST" for a meta, event or total record.  A meta whose key is one
 * of the other two, or would not be read again, is lost: false. */
bool annotation_fact(struct buf *b, const struct record *r, struct loss *loss);

/* Would this, as a description or comment, be read again as a text that it is?
 * Not what looks like a fact or has line ends. */
bool annotation_is_plain(struct text t);

/* ---- reading ---- */

/*
 * Is the text, a description or what stands behind the "#" of a comment, such a
 * fact?  Then its key and the rest as it stands, which are
 * parts of it; the rest is absent if there is no value.
 */
bool annotation_get(struct text t, struct text *key, struct text *list);

/* What `prof event:` lines tell of a part. */
struct annotation_events {
	struct record **v;
	size_t n, cap;
	struct lookup named;	/* by number and word, in v */
};

/* One of them, which the format calls by a word; `bad` as above.  False if it is
 * malformed. */
bool annotation_event(struct annotation_events *f, struct text list, const char *bad);
/* The first event of this word whose number is id (NO_ID: derived).  NULL: the name is
 * all there is. */
const struct record *annotation_event_of(const struct annotation_events *f, uint64_t id,
    struct text word);
void annotation_events_clear(struct annotation_events *f);
void annotation_events_free(struct annotation_events *f);

/* The values of `prof total: run`, not more than there are events: false if it
 * is malformed. */
bool annotation_total(struct text list, uint64_t nevents, struct text *values);

#endif

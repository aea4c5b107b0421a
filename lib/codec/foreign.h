/* SPDX-License-Identifier: ISC */
/*
 * What the codecs of other programs' text formats share.  Such formats have no
 * escapes, and no lines for what the toolkit knows beyond them.
 *
 * That rides where they have free text, a description or a comment:
 *
 *	prof KEY: VALUE...		a fact
 *	prof event: ID NAME ...		an event that is more than its name
 *	prof total: run VALUE ...	a total that the format has not
 *
 * with fields as in the stream: escaped, a TAB between two.
 */
#ifndef PROF_CODEC_FOREIGN_H
#define PROF_CODEC_FOREIGN_H

#include "stream/loss.h"
#include "stream/record.h"

/* ---- writing ---- */

/* A text in one line: what would end it is escaped, and a loss. */
void foreign_line(struct buf *b, struct text t, struct loss *loss);

/* The name of an event, for formats whose names are words: blanks and what is
 * in `bad`, too, become "_", and so does an empty name.  False if the word is
 * not the name itself. */
bool foreign_word(struct buf *b, struct text name, const char *bad);

/* "prof KEY: LIST" for a meta, event or total record.  A meta whose key is one
 * of the other two, or would not be read again, is lost: false. */
bool foreign_fact(struct buf *b, const struct record *r, struct loss *loss);

/* Would this, as a description or comment, be read again as a text that it is?
 * Not what looks like a fact or has line ends. */
bool foreign_is_plain(struct text t);

/*
 * Functions that were defined since the last record.  An encoder writes a
 * function where a record names it: those that no record is about get an empty
 * block.
 */
struct fresh {
	uint64_t *func;		/* some of the first n have been dropped again */
	size_t n, cap;
	uint32_t *place;	/* in it, by the function's number: + 1, 0 for none */
	size_t capplace;
};

void fresh_add(struct fresh *f, uint64_t func);

/* The record will not be written: it takes its functions with it. */
void fresh_drop(struct fresh *f, const struct record *r);

/* The functions that are to be written, before the record if it is not NULL: how many
 * there are in f->func, which are in the list no more.  0, too, if the record defines
 * just these, in their order, when it is written. */
size_t fresh_take(struct fresh *f, const struct record *r);

void fresh_free(struct fresh *f);

/*
 * Facts behind events stand behind the header's last line, unless another event
 * follows.  Until that is known they are held back, and what depends on their
 * order with them.
 */
struct late {
	struct record **v;
	size_t n, cap;
};

void late_keep(struct late *l, const struct record *r);
/* Takes them out. */
struct late late_take(struct late *l);
void late_free(struct late *l);

/* ---- reading ---- */

/*
 * Is the text, a description or what stands behind the "#" of a comment, such a
 * fact?  Then its key and the rest as it stands, which are
 * parts of it; the rest is absent if there is no value.
 */
bool foreign_get(struct text t, struct text *key, struct text *list);

/* What `prof event:` lines tell of a part. */
struct foreign_events {
	struct record **v;
	size_t n, cap;
};

/* One of them: false if it is malformed. */
bool foreign_event(struct foreign_events *f, struct text list);
/*
 * The event that the format calls `word`, and whose number is id (NO_ID:
 * derived); `bad` as above.  NULL: the name is all there is.
 */
const struct record *foreign_event_of(const struct foreign_events *f, uint64_t id,
    struct text word, const char *bad);
void foreign_events_clear(struct foreign_events *f);
void foreign_events_free(struct foreign_events *f);

/* The values of `prof total: run`, not more than there are events: false if it
 * is malformed. */
bool foreign_total(struct text list, uint64_t nevents, struct text *values);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * A part as an object: its metadata, its events and its totals, collected in one place for
 * all code that needs more than the current record.
 *
 * A sink that takes parts as a whole is a part_sink (below): an encoder, a sum.  A filter
 * that passes records on in their order has a struct part of its own and calls
 * part_take() for each record.
 */
#ifndef PROF_STREAM_PART_H
#define PROF_STREAM_PART_H

#include "stream/deferred.h"
#include "stream/dict.h"
#include "stream/event.h"
#include "stream/record.h"
#include "stream/total.h"

/* ---- metadata ---- */

/* The `meta` records of a part, in their order; a key may have several. */
struct metadata {
	struct meta_entry {
		size_t key, list, end;	/* in text: the key, then the list of values */
		bool listed;		/* it has a list, which may be empty */
	} *v;
	size_t n, cap;
	struct buf text;
};


/* The record at i; its text is valid until metadata is added. */
struct record metadata_at(const struct metadata *m, size_t i);

/* Returns the index of the first record with this key from `from` on; -1: there is none. */
long metadata_find(const struct metadata *m, const char *key, size_t from);

/* Returns the first value of the first record with this key, unescaped, in scratch or in
 * the metadata; absent if there is none. */
struct text metadata_value(const struct metadata *m, const char *key, struct buf *scratch);

/* Is this the first value of a record with this key? */
bool metadata_has(const struct metadata *m, const char *key, const char *value);

/* ---- parts ---- */

enum part_place {
	PART_NONE,		/* no part has begun, or the stream is over */
	PART_HEADER,		/* it may get more metadata, events and totals */
	PART_BODY,		/* a measured or a declared record has come */
};

/* All zeros: before the first part. */
struct part {
	uint64_t number;	/* 1 is the first */
	struct record *head;	/* the `part` record: its run, its attributes */
	struct metadata metadata;	/* includes those of the body, when they have
					 * come */
	struct events events;
	struct total total;	/* of the `total` records so far; a sink may add self costs
				 * to it */
	bool events_known;	/* no more events will come, since one with values has
				 * come */
	enum part_place place;
};

/* Is each level of recursion a separate function, also in calls?  Call it at the part's
 * end. */
bool part_has_levels(const struct part *p);

/* Do a definition and the like leave a part as it is? */
static inline bool
part_is_apart(enum rec_kind kind)
{
	return kind == REC_PROF || kind == REC_TAG || rec_is_def(kind);
}

/* Is this another record of a body, which changes nothing in the part? */
static inline bool
part_goes_on(const struct part *p, enum rec_kind kind)
{
	return p->place == PART_BODY && rec_is_measured(kind);
}

/* Is the header complete before this record?  Call it before part_take(). */
static inline bool
part_ends_header(const struct part *p, enum rec_kind kind)
{
	return p->place == PART_HEADER && kind != REC_META && kind != REC_EVENT &&
	    kind != REC_TOTAL && !part_is_apart(kind);
}

/* Are the events complete before this record, which may have a value for each?  Call it
 * before part_take(). */
static inline bool
part_ends_events(const struct part *p, enum rec_kind kind)
{
	return !p->events_known && (part_ends_header(p, kind) ||
	    (kind == REC_TOTAL && p->place == PART_HEADER));
}

/* Is the part complete before this record?  Call it before part_take(). */
static inline bool
part_ends(const struct part *p, enum rec_kind kind)
{
	return p->place != PART_NONE && (kind == REC_PART || kind == REC_END);
}

/* part_take() for a record that may change the part. */
int part_take_other(struct part *p, const struct record *r);

/* Updates the part by a record; `part` begins the next one.  0, or -1 if a total does not
 * fit 128 bits. */
static inline int
part_take(struct part *p, const struct record *r)
{
	return part_goes_on(p, rec_kind(r)) ? 0 : part_take_other(p, r);
}

void part_free(struct part *p);

/* ---- a sink of parts ---- */

struct part_sink;

/* All except `put` may be NULL.  Each returns 0, or -1 like put() of a sink. */
struct part_methods {
	/* The header is complete. */
	int (*begin)(struct part_sink *, const struct part *);
	/* Metadata, an event and a total, which the part has already.  Those of the header
	 * come in their order, after begin() and while part->place is PART_HEADER; those of
	 * the body as they come.  If total() is NULL, a total that does not fit 128 bits is
	 * an error. */
	int (*meta)(struct part_sink *, const struct part *, const struct record *);
	int (*event)(struct part_sink *, const struct record *);
	int (*total)(struct part_sink *, const struct record *);
	/* The records of the header were put; a record of the body comes next, or the
	 * part's end. */
	int (*body)(struct part_sink *, const struct part *);
	/* A measured or a declared record. */
	int (*put)(struct part_sink *, const struct record *);
	/* A definition, which the dictionary has already.  It comes at once, even in a
	 * header, unless the sink has the dictionary: then it comes in its order among the
	 * header's records. */
	int (*define)(struct part_sink *, const struct record *);
	/* The part is complete, with its totals.  begin() and body() were called. */
	int (*end)(struct part_sink *, const struct part *);
	/* The stream is complete. */
	int (*finish)(struct part_sink *);
	/* Frees what the owner has, but not the part and the structure. */
	void (*free)(struct part_sink *);
};

struct output;

struct part_sink {
	struct sink sink;	/* the first member, so that a pointer to it is one to this
				 * structure */
	const struct part_methods *call;
	struct diag *diag;
	struct output *out;	/* NULL, or an output whose errors end the stream */
	struct dict *dict;	/* NULL, or set by the owner, so that definitions wait */
	struct part part;
	/* From begin() to body(): the first record of the body; NULL: there is none. */
	const struct record *first;
	/* Of the header: the kinds of its records, and its totals and definitions. */
	struct buf header;
	struct late_records totals;
	uint32_t *def;
	size_t ndef, capdef;
};

/* Initializes a sink whose owner has zeroed it. sink.free frees the owner's structure,
 * whose first member is the part_sink. */
void part_sink_init(struct part_sink *s, const struct part_methods *call, struct diag *d,
    struct output *out);

/* put() of such a sink.  An owner may set a put() of its own for frequent records, which it
 * handles at once if part_goes_on(), and which calls this one for all others. */
int part_sink_put(struct sink *s, const struct record *r);

/* Frees the memory that part_sink_init() and records have allocated, but not the structure.
 * For owners that no sink frees, and that have set sink.free to NULL. */
void part_sink_clear(struct part_sink *s);

#endif

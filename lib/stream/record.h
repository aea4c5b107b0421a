/* SPDX-License-Identifier: ISC */
/*
 * Records, and the one table of them. record.c defines what a record consists of; code for
 * a certain record has names for its columns (below, dict.h), in the same order.  Parsing,
 * printing and renumbering follow from the table, and a test compares prof-stream(5) with
 * it.
 */
#ifndef PROF_STREAM_RECORD_H
#define PROF_STREAM_RECORD_H

#include "stream/field.h"

enum col_type {
	COL_ID,			/* the number of a definition or an event */
	COL_OBJECT, COL_FILE, COL_FUNC, COL_CTX,	/* a reference to one */
	COL_INT, COL_LINE, COL_ADDR, COL_STR,
};

/* How a column changes when two records are merged.  A kind is summed, and whether it is
 * absent is part of the key. */
enum col_role { ROLE_KEY, ROLE_KIND, ROLE_SUM, ROLE_MIN, ROLE_MAX, ROLE_NOTE };

extern const char *const col_type_name[];	/* "id", "object", ... */
extern const char *const col_role_name[];	/* "key", "kind", ... */

struct column {
	const char *name;
	enum col_type type;
	enum col_role role;
};

enum rec_kind {
	REC_PROF, REC_TAG, REC_PART, REC_META, REC_EVENT,
	REC_OBJECT, REC_FILE, REC_FUNC, REC_CTX,	/* the dictionary */
	REC_COST, REC_CALL, REC_JUMP, REC_SAMPLE, REC_POINT, REC_VPROF, REC_RAW,
	REC_TOTAL, REC_END,
	REC_KINDS,
	REC_DECLARED = REC_KINDS,	/* declared by a `tag` record */
};

#define REC_COLS 20

/* What comes after the fixed columns: values, attributes, or a list. */
enum {
	REC_VALUES = 1,		/* a number for each event */
	REC_ATTRS = 2,		/* key=value */
	REC_LIST = 4,		/* plain fields, any number, stored in attrs */
};

struct rec_def {
	const char *tag;
	enum rec_kind kind;
	unsigned tail;		/* REC_VALUES | REC_ATTRS, or REC_LIST */
	unsigned ncol;
	struct column col[REC_COLS];
	const char *title;
};

extern const struct rec_def rec_table[REC_KINDS];

/* The columns of the kinds whose columns code uses by name. */
enum {
	PLACE_FUNC, PLACE_FILE, PLACE_LINE, PLACE_ADDR,
	CALL_CALLEE = 4, CALL_TLINE, CALL_TADDR, CALL_COUNT,
	JUMP_TFUNC = 4, JUMP_TFILE, JUMP_TLINE, JUMP_TADDR, JUMP_FOLLOWED,
	JUMP_EXECUTED,
};
enum {
	POINT_FUNC, POINT_CTX, POINT_SIZE, POINT_OCC, POINT_MIN, POINT_MAX,
	POINT_SUM, POINT_SQR, POINT_REAL, POINT_SELF, POINT_SELFMIN, POINT_SELFMAX,
	POINT_SELFSQR, POINT_AVG, POINT_RMS, POINT_RMSSQR, POINT_SYSCALLS,
	POINT_THREADS, POINT_SELFSYSCALLS, POINT_SELFTHREADS, POINT_COLS,
};
enum { VPROF_FUNC, VPROF_SITE, VPROF_TYPE, VPROF_COUNT, VPROF_VALUE };
enum { EVENT_ID, EVENT_NAME, EVENT_UNIT, EVENT_FORMULA, EVENT_DESCRIPTION };

/*
 * The values of a record as numbers, if they are plain, as nearly all are: none is absent or
 * negative, or has more than 18 digits, and there are at most 64 events.  So 64 bits suffice
 * for them, and for sums of several.
 */
#define PLAIN_EVENTS 64
#define PLAIN_DIGITS 18

struct plain_values {
	uint64_t nonzero;	/* bit i: the value of event i is not 0; */
	uint64_t value[PLAIN_EVENTS];	/* the others are not set */
};

/*
 * A record that is passed on.  All text is borrowed until put() returns. values: canonical
 * integers or "-", one blank (TAB or space) between two. attrs: as in the stream, escaped,
 * TAB between two, and NULL if there is none.
 */
struct record {
	const struct rec_def *def;
	struct text values, attrs;
	/* For a cost from a stream, its line from the column `line` on, and for a call from
	 * the column `tline` on: an encoder to the stream can copy it.  A copy that was
	 * changed has none. */
	struct text tail;
	/* The values as numbers, if the decoder had to read them.  A copy that was changed has
	 * none. */
	const struct plain_values *plain;
	/* Those of def: a record from rec_keep() ends after them, so that only rec_copy() and
	 * rec_copy_of() may copy one that is pointed to. */
	struct field col[REC_COLS];
};

static inline enum rec_kind
rec_kind(const struct record *r)
{
	return r->def->kind;
}

/* A definition: object, file, func, ctx. */
static inline bool
rec_is_def(enum rec_kind kind)
{
	return kind >= REC_OBJECT && kind <= REC_CTX;
}

/* A measured record, from cost to raw.  A total is not one: it sums them up. */
static inline bool
rec_is_measured(enum rec_kind kind)
{
	return kind >= REC_COST && kind <= REC_RAW;
}

static inline bool
col_is_ref(enum col_type t)
{
	return t >= COL_OBJECT && t <= COL_CTX;
}

/* Makes *r a record of this kind with absent columns.  Columns that the kind lacks are left
 * alone, as there are many of them, and records are made for each line. */
static inline void
rec_init(struct record *r, enum rec_kind kind)
{
	const struct rec_def *def = &rec_table[kind];
	unsigned i;

	r->def = def;
	for (i = 0; i < def->ncol; i++) {
		r->col[i] = (struct field){ 0 };
		if (def->col[i].type <= COL_CTX)
			r->col[i].n = NO_ID;
	}
	r->values = r->attrs = r->tail = (struct text){ 0 };
	r->plain = NULL;
}

/* The same as a value, which is copied whole: not for each line. */
static inline struct record
rec_make(enum rec_kind kind)
{
	struct record r;

	rec_init(&r, kind);
	return r;
}

/* Makes *to a copy of *r that may be changed: its text is still that of `r`, and it has
 * neither a tail nor plain values. */
static inline void
rec_copy(struct record *to, const struct record *r)
{
	unsigned i;

	to->def = r->def;
	for (i = 0; i < r->def->ncol; i++)
		to->col[i] = r->col[i];
	to->values = r->values;
	to->attrs = r->attrs;
	to->tail = (struct text){ 0 };
	to->plain = NULL;
}

/* The same as a value, which is copied whole: not for each line. */
static inline struct record
rec_copy_of(const struct record *r)
{
	struct record copy;

	rec_copy(&copy, r);
	return copy;
}

/* Finds a built-in record by its tag; NULL: there is none. */
const struct rec_def *rec_find(struct text tag);

/*
 * Costs of one place, and jumps within it, as lines of a stream, for sinks to which only
 * the place matters.  The lines were checked like lines that become records.  Everything is
 * borrowed until put_lines() returns.
 */
struct place_lines {
	const struct record *place;	/* a cost with the place alone */
	struct text text;	/* whole lines, with their newlines; at least one; SCAN readable
				 * bytes (scan.h) come after them */
	uint64_t n;		/* number of lines */
	/* The place as each line has it, with a TAB after it, in the numbers of the stream
	 * that was read, or without any: after the tag, and in a jump again after the column
	 * `addr`. */
	struct text as_read;
};

/*
 * The needs of a sink: any decoder may ask which of these shorter forms a sink takes.
 *
 * TAKES_LINES: only the place of costs and jumps matters, so that put_lines() may put them.
 *
 * TAKES_SUMS: costs and calls matter only by function, and of a cost only the value of the
 * part's first event.  Then put() may get, for any number of costs of a function that are
 * not negative, one with their sum as its only value; the sum is less than 2^64.  A cost and
 * a call may lack their file, lines and addresses, and jumps may be left out.  The first
 * cost of a function may come earlier than in the input, but each function and each pair of
 * functions must come for the first time in the order of the input.
 *
 * TAKES_JUMPS: jumps are only counted, so that they may lack all columns but their functions.
 * With TAKES_SUMS, none may be left out.
 *
 * FORGETS_CONTEXTS: the sink needs the contexts of a part's samples no longer when all of
 * them were put.  Then a filter that ends a part and has put all contexts of the dictionary
 * may remove them (dict_forget_contexts()).
 */
enum { TAKES_LINES = 1, TAKES_SUMS = 2, TAKES_JUMPS = 4, FORGETS_CONTEXTS = 8 };

/*
 * A sink takes records: an encoder, a summing table, or a filter in front of
 * another sink.
 */
struct sink {
	/* 0, or -1 with the reason in the diag that the sink was made with: an error, or
	 * that no more records are needed (diag_stop()).  A sink that changes a record
	 * changes a copy. */
	int (*put)(struct sink *, const struct record *);
	/* Frees the sink alone.  NULL: its owner frees it by other means. */
	void (*free)(struct sink *);
	struct sink *next;	/* for a filter; set by its pipeline */
	/* Returns the forms above that the sink takes from now on, instead of single costs,
	 * calls and jumps, until another record than these is put.  Called after one of
	 * these, or for FORGETS_CONTEXTS a sample, was put.  NULL: it takes only records. */
	unsigned (*takes)(const struct sink *);
	/* For TAKES_LINES; returns like put(). */
	int (*put_lines)(struct sink *, const struct place_lines *);
};

static inline int
sink_put(struct sink *s, const struct record *r)
{
	return s->put(s, r);
}

static inline unsigned
sink_takes(const struct sink *s)
{
	return s->takes ? s->takes(s) : 0;
}

static inline int
sink_put_lines(struct sink *s, const struct place_lines *l)
{
	return s->put_lines(s, l);
}

/* A put() that ignores the record. */
int sink_drop(struct sink *s, const struct record *r);

/* Takes the next value off a list: false at its end.  An absent value is "-". */
bool values_next(struct text *rest, struct text *value);

/* Adds a value to a list, which is empty at first. */
void values_add(struct buf *list, num value);

/* Does a meta record have this key?  Its first value; unescaped text is added to scratch,
 * and the value lives as long as scratch and the record. */
bool meta_is(const struct record *r, const char *key);
struct text meta_value(const struct record *r, struct buf *scratch);
/* Sets *n to the value as a count: false if it is no whole number from 0 to 2^64 - 1. */
bool meta_count(const struct record *r, uint64_t *n);
/* Has it several?  Formats that have room for one keep such a record whole elsewhere, or report
 * it as dropped: for them the value is absent. */
bool meta_has_several(const struct record *r);
struct text meta_only(const struct record *r, struct buf *scratch);
/* Returns all values, with ", " between two; valid as from meta_value(). */
struct text meta_values(const struct record *r, struct buf *scratch);
int meta_put(struct sink *s, const char *key, struct text value);
int meta_put_num(struct sink *s, const char *key, num value);

/* Returns a copy that owns its text, for sinks that must hold a record back. */
struct record *rec_keep(const struct record *r);

#endif

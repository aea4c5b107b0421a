/* SPDX-License-Identifier: ISC */
/*
 * Reading reports.  Each of these files calls only those after it:
 *
 *	read.c		lines and their errors
 *	records.c	the records of the stream
 *	routines.c	routines, contexts and points
 *	line_words.h	words
 *
 * Names and contexts come after the points that refer to them, so everything is read
 * before the first definition is put.
 */
#ifndef PROF_CODEC_APROF_READER_H
#define PROF_CODEC_APROF_READER_H

#include "aprof.h"
#include "codec/comments.h"
#include "stream/sums.h"

/* A line to be parsed again when all names are known. */
struct line {
	struct text rest;	/* after the id */
	uint64_t id;		/* of the routine or context */
	uint64_t number : 63;	/* of the line */
	uint64_t in_context : 1;	/* a point of a context, not of a routine */
};

struct lines {
	struct line *v;
	size_t n, cap;
};

struct routine {
	struct text name, image, addr;	/* of its r line; absent if not given */
	struct text other;	/* its name in u or d */
	struct text sizes;	/* the number of its sizes, as stated */
	bool by_d;
	uint64_t line;		/* of its r line; 0: it has none */
	uint64_t points;		/* without those in contexts */
	uint32_t func;
};

struct context {
	uint64_t routine, parent;	/* ids of the routine and the parent; a root's
					 * parent is NO_PARENT */
	uint64_t line;		/* of its x line; 0: it has none */
	uint32_t ctx;
	enum { UNSEEN, OPEN, DONE, BROKEN } state;
};

#define NO_PARENT UINT64_MAX	/* no context, and no routine, has this id */

struct reader {
	struct decode *d;

	/* The contents of lines. */
	struct text fact[APROF_FACTS], metric, total;
	struct comment_events own_events;
	struct sums routine_id, context_id;	/* rows are indices of these: */
	struct routine *routine;
	struct context *context;
	size_t caproutine, capcontext;
	struct lines points, raws;
	struct lines xs;	/* in their order */

	/* For warnings when everything is read. */
	uint64_t version;
	uint64_t odd, odd_line, misfits, misfit_line;
	const char *odd_what;

	/* For records.c. */
	uint64_t undeclared;
	struct buf text;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

/* ---- routines.c ---- */

/* Return the routine or context of an id, which is added if it is new; valid until another
 * one is added. */
struct routine *ar_routine(struct reader *rd, uint64_t id);
struct context *ar_context(struct reader *rd, uint64_t id);
/* Reads the fields of a point into r and returns their layout.  NULL: *bad is the field
 * that is not a number, or absent if there are too few or too many fields. */
const struct aprof_layout *ar_fields(struct text t, struct record *r, struct text *bad);

/* ---- records.c ---- */

/* Puts everything; 0, or -1 with the diag set.  The part was begun before the first line,
 * since comments are put as they come. */
int ar_put_all(struct reader *rd);

#endif

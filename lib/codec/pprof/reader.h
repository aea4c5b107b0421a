/* SPDX-License-Identifier: ISC */
/*
 * Reading pprof profiles.  Names come after their uses: the message is held whole, one pass
 * finds its tables, a second one puts the samples.
 *
 *	read.c			the passes
 *	tables.c		the first pass: the places of everything
 *	read_header.c		metadata and sample types
 *	read_places.c		mappings, functions and locations
 *	read_samples.c		the second pass: samples
 *
 * Functions that return an int return 0, or -1 with the diag set.
 */
#ifndef PROF_CODEC_PPROF_READER_H
#define PROF_CODEC_PPROF_READER_H

#include "pprof.h"

#include "codec/comments.h"
#include "codec/expansion_limit.h"
#include "codec/inlined_frames.h"
#include "util/cache.h"
#include "util/num.h"
#include "util/protobuf.h"

/* A message with an id: a mapping, a location, a function. */
struct entry {
	uint64_t id;
	size_t at;		/* its first byte in the file */
	uint32_t n;
	uint32_t to;		/* its number: an object, a function in `func`, the first of
				 * its frames; NO_ID: none yet */
};

struct table {
	struct entry *v;	/* by id */
	size_t n, cap;
	const char *what;	/* "location" */
};

struct type {
	uint64_t type, unit;	/* strings */
};

struct reader {
	struct decode *d;
	struct text file;
	struct type *type;
	size_t ntype, captype;
	size_t default_type;	/* the one that `go tool pprof` shows */
	size_t *string, nstring, capstring;	/* by index: the place of its field */
	struct expansion_limit text_limit;	/* text of strings that were referred to */
	struct table mapping, location, function;
	struct frames_func *func;
	struct frames frames;	/* of all locations */
	uint64_t fact[PPROF_FACTS];
	bool has_fact[PPROF_FACTS];
	struct type period_type;
	uint64_t period;
	uint64_t *comment;
	size_t ncomment, capcomment;
	struct comment_events own_events;	/* those in comments */
	size_t nsample;
	bool addrs, lines;	/* stacks have some */
	/* The current sample, and the one before. */
	uint64_t *id;		/* of locations, leaf first */
	size_t nid, capid;
	uint32_t *path, *path_ctx;	/* locations from the root, and their contexts */
	size_t npath, cappath, cappath_ctx;
	struct cache stacks;	/* contexts, by packed locations */
	struct cache numlabels;	/* keys and units that were declared */
	struct cache labels;	/* of labels with texts, by their bytes: where their */
	struct buf label_text;	/* attributes are, and how long they are */
	struct buf values, attrs, text;
};

/* Fails with an error at a byte of the file: -1. */
#define FAIL(rd, p, ...) (pprof_place((rd), (p)), diag_fail((rd)->d->diag, __VA_ARGS__))

/* Writes at p, without NUL, and returns the end. */
static inline char *
pprof_put_signed(char *p, int64_t n)
{
	if (n >= 0)
		return num_put_u64(p, (uint64_t)n);
	*p = '-';
	return num_put_u64(p + 1, -(uint64_t)n);
}

/* ---- tables.c ---- */

/* Sets the place of an error: a byte of the file. */
void pprof_place(struct reader *rd, const char *p);

/* Reports the error of a message: -1. */
int pprof_wrong(struct reader *rd, const struct pb *m);

/* The first pass: finds the tables of the message in rd->file, sorts them by id, and keeps
 * fields that occur once. */
int pprof_gather(struct reader *rd);

/* Returns the entry of this id; NULL: there is none. */
struct entry *pprof_find(const struct table *t, uint64_t id);

/* Returns the text of an index of the table of strings, absent if it is empty; or its
 * number in the dictionary.  -1: `at` has no valid index, or the total text exceeds the
 * limit. */
int pprof_string(struct reader *rd, const char *at, uint64_t i, struct text *t);
int pprof_str(struct reader *rd, const char *at, uint64_t i, uint32_t *str);

/* ---- read_header.c ---- */

/* Begins the part, with its metadata and events. */
int pprof_put_header(struct reader *rd);

/* ---- read_places.c ---- */

/* Put objects; read locations, whose functions are put when they are first needed. */
int pprof_put_mappings(struct reader *rd);
int pprof_read_locations(struct reader *rd);

/* ---- read_samples.c ---- */

int pprof_put_samples(struct reader *rd);

#endif

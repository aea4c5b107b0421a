/* SPDX-License-Identifier: ISC */
/*
 * Writing pprof profiles.  Fields of a message may come in any order: samples go out
 * as they come, with the numbers of locations that get their tables at the end.
 *
 *	write.c			records in; the end of the profile
 *	write_header.c		metadata and sample types
 *	write_samples.c		samples, whose stacks number the locations
 *	write_tables.c		mappings, functions and locations
 *	write_message.c		strings, numbers and fields, for all others
 *
 * Functions that return an int return 0, or -1 with the diag set.
 */
#ifndef PROF_CODEC_PPROF_WRITER_H
#define PROF_CODEC_PPROF_WRITER_H

#include "pprof.h"
#include "stream/part.h"
#include "stream/sums.h"
#include "util/protobuf.h"

/* Columns of the keys of tables. */
enum { LOC_PREFIX, LOC_FUNC, LOC_FILE, LOC_LINE, LOC_ADDR, LOC_ATTRS, LOC_KEYS };
enum { FN_FUNC, FN_FILE, FN_KEYS };

struct value {			/* of an event */
	uint64_t factor;	/* multiplied because the format has no scale */
	num sum;		/* of written values, before that */
};

struct writer {
	struct part_sink parts;
	struct encode e;
	struct value *value;
	/* Locations and functions are numbered from 1, in the order of these rows.  A
	 * location of several frames is one frame and a prefix, the location of those
	 * around it. */
	struct sums locations, functions;
	uint32_t *number;	/* by row: the number in the file */
	size_t capnumber;
	uint32_t nlocation;	/* the number of these */
	struct {
		uint32_t location;	/* + 1; 0: not known yet */
		uint32_t caller;	/* the context around that, NO_ID: none */
	} *of_ctx;
	size_t capof_ctx;
	uint32_t *chain;	/* scratch: frames of a location, innermost first */
	size_t capchain;
	uint32_t *mapping;	/* by object: number + 1 */
	size_t capmapping, nmapping;
	uint32_t *object;	/* of each mapping */
	size_t capobject;
	uint32_t *string;	/* by string of the dictionary: index + 1 */
	size_t capstring, nstring;
	struct buf strings;	/* the table as it is written */
	struct buf facts;	/* fields of the message */
	bool has_fact[PPROF_FACTS], has_period;	/* these hold one value each */
	struct name_index numlabels;	/* keys of numeric labels, in unit */
	uint64_t *unit;		/* by index in numlabels: a string */
	size_t nunit, capunit;
	struct buf default_type;	/* as the profile states it */
	struct buf run, sum;	/* the totals of the part */
	struct buf message, part, scratch;
};

/* ---- write_header.c ---- */

/* Was the profile read from pprof's format, new or old? */
bool pprof_is_own(const struct writer *w);

/* Methods of the sink.  Metadata become a field of the message, or a comment; body() writes
 * the sample types, and fails if there are none. */
int pprof_put_meta(struct part_sink *s, const struct part *p, const struct record *r);
int pprof_put_event(struct part_sink *s, const struct record *r);
int pprof_begin_body(struct part_sink *s, const struct part *p);

/* Writes which type is the default, when all metadata is known. */
void pprof_put_default(struct writer *w);

/* ---- write_samples.c ---- */

int pprof_put_sample(struct writer *w, const struct record *r);
/* A cost is a stack of one frame. */
int pprof_put_cost(struct writer *w, const struct record *r);

/* ---- write_tables.c ---- */

/* Returns the number of an object's mapping, from 1 in the order of first use; 0 for
 * NO_ID. */
uint64_t pprof_mapping_of(struct writer *w, uint32_t object);
/* Writes the tables that the samples refer to. */
void pprof_put_tables(struct writer *w);

/* ---- write_message.c ---- */

/* Return the index of a text, or of a string of the dictionary, in the table of strings; 0
 * for an empty or absent one. */
uint64_t pprof_string_of(struct writer *w, struct text t);
uint64_t pprof_string_of_id(struct writer *w, uint32_t str);

/* Writes a message as a field of the profile. */
void pprof_put_message(struct writer *w, unsigned field, struct buf *message);

/* Parses a whole number of 64 bits, signed, as the format has them: false if it is not
 * one. */
bool pprof_get_int(struct text t, uint64_t *n);

#endif

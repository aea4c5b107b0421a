/* SPDX-License-Identifier: ISC */
/*
 * Reading the profiles that gperftools and Go wrote before profile.proto, and still write
 * as text, and jemalloc's, which were made after them.  The memory map comes last, and an
 * address may be named after its first use: a file is held whole, one pass finds these, a
 * second one puts the samples.
 */
#ifndef PROF_CODEC_PPROF_LEGACY_READER_H
#define PROF_CODEC_PPROF_LEGACY_READER_H

#include "codec/inlined_frames.h"
#include "stream/name_index.h"
#include "stream/sums.h"
#include "stream/codec.h"
#include "util/cache.h"
#include "util/words.h"

/* Recognised by the first word or line. */
enum legacy_kind {
	LEGACY_NONE, LEGACY_CPU, LEGACY_HEAP, LEGACY_JEMALLOC, LEGACY_COUNT,
	LEGACY_CONTENTION, LEGACY_THREADS,
	LEGACY_JAVA,		/* recognised, but not read */
};

/* Returns the kind, and sets *sure to the number of bytes that show it. */
enum legacy_kind legacy_kind_of(const char *p, size_t n, int *sure);

/* The words of a CPU profile: their size, 0 if it is not one, and byte order. */
struct words {
	unsigned size;
	bool big;
	bool java;
};

struct words legacy_words(const char *p, size_t n);
uint64_t legacy_word(const struct words *w, const char *p);


/* An executable mapping. */
struct legacy_mapping {
	uint64_t start, limit, offset;
	struct text path, key;	/* in the file, or in the text of maps */
	uint32_t object;
};

struct maps {
	struct legacy_mapping *v;
	size_t n, cap;
	size_t *order;		/* by start */
	struct name_index names;	/* of variables: index of `value` */
	struct text *value;
	size_t nvalue, capvalue;
	struct buf line;	/* with variables replaced */
	char **text;		/* such lines */
	size_t ntext, captext, replaced;	/* bytes in these */
	size_t unknown;		/* number of unknown lines */
};

/* A line that names an address. */
struct name {
	uint64_t addr;
	size_t at;
};

/* Return addresses are decreased by a byte, so that they are inside the call. */
enum callers { ALL_ARE_CALLERS, FIRST_IS_NOT };

struct legacy_options {
	bool estimate_heap;
};

struct legacy {
	struct decode *d;
	const struct legacy_options *options;
	struct text file;
	struct maps maps;
	bool has_maps;
	struct name *name;
	size_t nname, capname;
	/* Places, by address. */
	struct sums places;
	size_t *place;		/* by row: the first of its frames */
	size_t capplace;
	struct frames frames;
	/* The current sample, and the one before. */
	uint64_t *addr;		/* leaf first */
	size_t naddr, capaddr;
	uint64_t *path;		/* addresses from the root, */
	uint32_t *path_ctx;	/* and their contexts */
	size_t npath, cappath, cappath_ctx;
	struct cache stacks;	/* contexts, by addresses */
	struct buf values, attrs;
};

/* ---- maps.c ---- */

/* Reads the lines of a memory map.  0, or -1 with the diag set. */
bool maps_heading(struct text line);
int maps_read(struct legacy *rd, const char *p, const char *end);
/* Puts them as objects. */
int maps_put(struct legacy *rd);
/* Returns the object at an address; NO_ID: none. */
uint32_t maps_object(const struct legacy *rd, uint64_t addr);
void maps_free(struct maps *m);

/* ---- places.c ---- */

/* Keeps a line that names an address, [p, end): false if it does not. */
bool names_add(struct legacy *rd, const char *p, const char *end);
void names_sort(struct legacy *rd);

void addr_add(struct legacy *rd, uint64_t addr);
/* Puts a sample of the addresses in rd->addr with the values in rd->values and the
 * attributes in rd->attrs.  0 or -1. */
int legacy_put_sample(struct legacy *rd, enum callers callers);
void places_free(struct legacy *rd);

/* ---- the header ---- */

struct legacy_event {
	struct text name;
	const char *unit;
	const char *type;	/* its name in pprof; NULL: the same */
};

/* Puts the part, the period and the events. */
struct legacy_header {
	struct text period_type;
	const char *period_unit;
	num period;
	num duration;		/* in ns; 0: unknown */
	struct legacy_event event[4];
	size_t nevent;
};

int legacy_put_header(struct legacy *rd, const struct legacy_header *h);

/* ---- kinds ---- */

int legacy_cpu(struct legacy *rd);
int legacy_text(struct legacy *rd, enum legacy_kind kind);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Reading the processed profile format of the Firefox Profiler, which samply also writes
 * (src/types/profile.ts and docs-developer/CHANGELOG-formats.md of
 * github.com/firefox-devtools/profiler).  Its tables are of columns:
 *
 *	until 40	each thread has its own libs,
 *	until 55	its own strings,
 *	until 59	and its own tables; files of functions are strings until 57;
 *	until 65	a stack has the number of the one around it, from then on how many
 *			rows above it is;
 *	until 69	a frame's library is that of its function's resource.
 *
 * Frames and stacks of all tables become rows of one list, in which a thread's begin at its
 * first one.
 */
#ifndef PROF_CODEC_FIREFOX_READER_H
#define PROF_CODEC_FIREFOX_READER_H

#include "codec/js_functions.h"
#include "codec/profiles_to_parts.h"

enum { OLDEST = 18, SHARED_LIBS = 41, SHARED_STRINGS = 56, SHARED_TABLES = 60,
    PREFIX_OFFSETS = 66, NEWEST = 70 };

/* The member of `meta` that has the version. */
#define VERSION "preprocessedProfileVersion"

#define MOST_ROWS (UINT32_MAX / 2)
#define NO_NUMBER INT64_MIN		/* null */

/* A column of whole numbers. */
struct cells {
	const char *at;		/* where its values begin; NULL: there is none */
	int64_t *v;
	size_t n, cap;
};

struct lib {
	struct text path, key;
};

struct frame_row {
	uint32_t start;		/* its function: a row of `starts` */
	uint32_t line, addr;	/* strings */
	uint32_t category;	/* NO_ID: the same as that of the frame around it */
	bool inlined;
};

struct stack_row {
	uint32_t parent;	/* row + 1; 0: none */
	uint32_t frame;
	uint32_t category;
	uint32_t ctx;		/* NO_ID: not put yet */
};

/* Data that are dropped, and their numbers. */
enum { LOST_MARKERS, LOST_ALLOCATIONS, LOST_COUNTERS, LOST_LOCATIONS,
    LOST_FUNCTION_LOCATIONS, LOST_SUBCATEGORIES, LOST_ORIGINS, LOST_SYMBOLS, LOSSES };

struct tables;

struct reader {
	struct document doc;
	struct {
		const char *shared, *libs, *threads, *meta;
	} at;
	uint64_t version;
	bool processed;		/* has it a version? */
	uint64_t gecko;
	struct text product;
	struct text cpu_unit;	/* the file's word */
	bool offsets;		/* times are not times but positions in a file */
	uint32_t *category;	/* names, as strings */
	size_t ncategories, capcategories;
	uint32_t other;		/* the category of frames without one */

	struct lib *lib;
	size_t nlibs, caplibs;
	uint32_t *string;
	size_t nstrings, capstrings;

	struct tables *tables;	/* the tables being read */
	struct js_functions starts;
	struct frame_row *frame;
	size_t nframes, capframes;
	struct stack_row *stack;
	size_t nstacks, capstacks;
	uint32_t *path;		/* a stack and those around it */
	size_t first, last;	/* stacks of the last tables */

	struct profiles profiles;
	bool own;		/* a thread has provenance */
	bool inexact;
	uint64_t lost[LOSSES];
};

#define FAIL(rd, at, ...) DOCUMENT_FAIL(&(rd)->doc, (at), __VA_ARGS__)

/* Each of these reads the next value: 0, or -1 with the diag set, or an error of the
 * document that stays. */

/* ---- read_columns.c ---- */

int firefox_read_column(struct reader *rd, struct cells *c);
int firefox_read_strings(void *rd);
int firefox_read_libs(void *rd);

/* ---- read_tables.c ---- */

/* An object with tables: shared ones, or those of a thread. */
int firefox_read_shared(void *rd);
int firefox_read_tables(void *rd);
struct tables *firefox_tables_new(void);
void firefox_tables_free(struct tables *t);

/* ---- read_thread.c ---- */

int firefox_read_thread(struct reader *rd);

/* ---- put_stacks.c ---- */

/* Puts all threads, as parts.  0, or -1 with the diag set. */
int firefox_put_all(struct reader *rd);

int firefox_decode(struct decode *d);
struct sink *firefox_encode(const struct encode *e);

#endif

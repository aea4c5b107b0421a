/* SPDX-License-Identifier: ISC */
/*
 * The reader's state, and the interface between read.c (lines, statements and their
 * numbers) and records.c (nesting, checks of stated counts, and the records).
 */
#ifndef PROF_CODEC_XPROF_READER_H
#define PROF_CODEC_XPROF_READER_H

#include "stream/sums.h"
#include "xprof.h"

/* A stated number, and how many came. */
struct due { uint64_t stated, found; };

struct reader {
	struct decode *d;

	/* lines of a statement that is not complete yet */
	struct buf text;
	uint64_t line;		/* where it begins */
	bool joined;		/* lines were joined without a backslash */
	bool more;		/* the last one ends with a backslash */

	bool any_part, in_part, at_end;
	uint64_t skipped;	/* number of skipped lines when the part began */
	struct due objects, programs, names;
	struct sums name;	/* those of VP_PROC, strings of the dictionary */
	struct sums seen;	/* kind and number of definitions */
	struct sums path;	/* by object file: the max and sum of its counters */

	bool in_object;
	uint32_t object;
	struct buf fact;	/* metadata of the object or the program */
	struct text object_path;
	uint64_t values;	/* in a value profile record */
	struct due procs;
	struct xprof_stated object_stated;
	num object_stat[XPROF_STATS];

	bool in_proc;
	uint32_t func;
	struct due counters, sites;
	uint64_t records;	/* number of those with values */
	unsigned __int128 lines_stated;	/* number of records times values in each */
	uint64_t lines;
	struct xprof_stated proc_stated;
	struct sums id, site;
	num stat[XPROF_STATS];

	bool in_program;
	struct due refs;
	struct xprof_stated program_stated;
	struct buf ref;		/* escaped, a TAB before each */
	num program_stat[XPROF_STATS];

	struct buf scratch;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

/* Reports an error after which --lenient continues with the same line. */
static inline int
tolerate(struct reader *rd, int bad)
{
	return decode_line_done(rd->d, bad) < 0 ? LINE_FATAL : LINE_OK;
}

/* The numbers of each statement, in order. */
enum { N_OBJFILES, N_PROGRAMS, N_PROC_NAMES, HEADER_NUMBERS };
enum { N_PROCS, TV_SEC, TV_USEC, N_VALUES, OBJECT_SIGNATURE, OBJECT_NUMBERS };
enum { PROC_SIGNATURE, N_COUNTERS, N_SITES, N_RECORDS, PROC_ID, PROC_NUMBERS };

/*
 * records.c; all but xr_stated() return LINE_OK, LINE_BAD or LINE_FATAL.
 *
 * xr_enter_X(): a statement begins, even if the rest of its line is malformed.  So the
 * statement before it is complete, and later lines do not belong to it.
 */
int xr_enter_header(struct reader *rd);
int xr_enter_object(struct reader *rd);
int xr_enter_proc(struct reader *rd);
int xr_enter_counter(struct reader *rd);
int xr_enter_value(struct reader *rd);
int xr_enter_program(struct reader *rd);
int xr_enter_ref(struct reader *rd);

/* The contents of the statement that was entered. */
int xr_header(struct reader *rd, struct text version,
    const uint64_t n[HEADER_NUMBERS]);
int xr_object(struct reader *rd, struct text path, const uint64_t n[OBJECT_NUMBERS]);
int xr_proc(struct reader *rd, struct text name, const uint64_t n[PROC_NUMBERS]);
int xr_counter(struct reader *rd, uint64_t id, uint64_t value);
int xr_value(struct reader *rd, struct text type, uint64_t site, uint64_t count,
    struct text value);
int xr_program(struct reader *rd, struct text path, uint64_t refs);
int xr_ref(struct reader *rd, struct text path);
/* Returns the statistics of the current statement, if they are allowed here; otherwise
 * NULL. */
struct xprof_stated *xr_stated(struct reader *rd);

/* Ends the file, or one that was concatenated with others. */
int xr_end(struct reader *rd);

#endif

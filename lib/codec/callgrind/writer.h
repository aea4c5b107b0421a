/* SPDX-License-Identifier: ISC */
/*
 * Writing Callgrind's format.  Each of these files calls only those after it:
 *
 *	write.c		records; positions and costs
 *	write_header.c	a part's header and its totals
 *	write_stacks.c	the stacks of Valgrind's xtree
 *	write_names.c	names; the current place
 */
#ifndef PROF_CODEC_CALLGRIND_WRITER_H
#define PROF_CODEC_CALLGRIND_WRITER_H

#include "callgrind.h"
#include "codec/comments.h"
#include "codec/cost64.h"
#include "stream/part.h"

struct ids {
	uint32_t *to;		/* the dictionary's number -> the file's, 0: none yet */
	size_t cap;
	uint32_t unknown;	/* the file's number of "???" */
	uint32_t n;
};

#define CW_NEAR 99			/* a position is relative up to this distance */

struct writer {
	struct part_sink parts;
	struct encode e;
	struct ids fn, fl, ob;
	bool header;		/* until `events:` is written */
	size_t nevents;		/* of the part, so far */
	bool converted;		/* the profile is from another format */
	/* In the part: records are stacks (stacks.c); the lines of calls are swapped, or
	 * calls are not counted (dialect.h). */
	bool stacks, swapped, no_counts;
	/* In the part: a name of a level of recursion was written; metadata state that such
	 * names are levels, as a reader infers them from the names. */
	bool recursion_levels, levels;

	struct buf run_id;		/* of the part, */
	bool next_run, pid_tells;	/* it differs from the last; pids show that */
	struct buf creator, pid, cmd;		/* as last written */
	bool have_creator, have_pid, have_cmd;	/* in this part */
	struct buf events, event;	/* `events:`; `event:` lines */
	struct name_index in_events, in_event;	/* the names in each */
	struct cost64 costs;
	struct buf run, sum;		/* `total` records, values */
	bool have_run, have_sum;

	unsigned npos, pos[POS_KINDS];
	bool has[POS_KINDS];

	uint64_t func, object, file;	/* fn=, ob=, fl= */
	uint64_t here, last;		/* as in reader.h */
	bool moved;
	struct pending_funcs fresh;
	struct pos self, any;		/* the two bases */
	bool based;			/* have both been set in this part? */
	struct {
		char s[4];
		unsigned char n;
	} near[2 * CW_NEAR + 1];	/* "-99" to "+99", "*" for 0 */
	struct buf text;
	uint32_t *frames;		/* of a stack, the leaf first */
	size_t capframes;
};


/* ---- write_header.c: methods of the sink ---- */

int cw_begin_part(struct part_sink *s, const struct part *p);
int cw_meta(struct part_sink *s, const struct part *p, const struct record *r);
int cw_event(struct part_sink *s, const struct record *r);
int cw_total(struct part_sink *s, const struct record *r);
int cw_begin_body(struct part_sink *s, const struct part *p);
int cw_end_part(struct part_sink *s, const struct part *p);

/* ---- write_names.c ---- */

/* Begins a file: no name is written yet, and lines are in no function and no object. */
void cw_begin_file(struct writer *w);

/* Writes "KEY" and a value, made fit for one line, as a line. */
void cw_line(struct writer *w, const char *key, struct text value);
/* Write "KEY" and a name, or its number if it was written before. */
void cw_put_file(struct writer *w, const char *key, uint64_t file);
void cw_put_object(struct writer *w, const char *key, uint64_t object);
void cw_put_func(struct writer *w, const char *key, uint64_t func);

/* Was the function's name written? */
static inline bool
cw_written(const struct writer *w, uint64_t func)
{
	return func < w->fn.cap && w->fn.to[func];
}

enum next_line { NEXT_SELF_COST, NEXT_OTHER };

/* Writes fn= and the file of a line, unless they are current.  Under one reading of the
 * format, a line of self cost is in the file of the last one. */
void cw_go_to(struct writer *w, const struct record *r, enum next_line next);

/* Writes an empty block for each function that was defined before the current record (NULL:
 * the last one), but not for it: these are known, without cost. */
void cw_fresh(struct writer *w, const struct record *r);

/* ---- write_stacks.c ---- */

/* Writes a sample as a stack, a cost as a stack of one frame; 0 or -1. */
int cw_stack(struct writer *w, const struct record *r);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Reading Callgrind's format.  Each of these files calls only those after it:
 *
 *	read.c		the loop over lines; cost lines
 *	body.c		"key=value" lines: where we are
 *	header.c	"key: value" lines; where parts end
 *	stacks.c	the stacks of Valgrind's xtree
 *	calls.c		the functions of lines; calls and jumps
 *	part.c		what a part begins with
 *	positions.c	positions, counts and costs
 */
#ifndef PROF_CODEC_CALLGRIND_READER_H
#define PROF_CODEC_CALLGRIND_READER_H

#include "callgrind.h"
#include "codec/comments.h"
#include "names.h"

enum pending { NONE, CALL, JUMP, SKIP };	/* SKIP: the first line was bad */

struct reader {
	struct decode *d;
	struct names fn, fl, ob;
	bool self_base;		/* the creator is callgrind */
	bool swapped;		/* the lines of calls are (dialect.h) */
	bool flat;		/* the part says that it has no stacks, whatever its creator */
	bool no_counts;		/* the writer does not count calls, as `calls=0` says */
	bool reported_levels;	/* the part has names of levels of recursion */

	/* the header of the part, until its body begins */
	bool any_part, in_part, started, have_events, have_totals, have_summary;
	bool new_run;		/* the next part is of another run */
	struct buf run_pid;	/* the process of the part that was put last */
	unsigned keys_seen;	/* of this header */
	unsigned npos, pos[POS_KINDS];	/* kinds, in the order of the columns */
	bool has[POS_KINDS];
	struct buf creator, pid, cmd;	/* also valid for the parts that follow */
	struct record **meta;	/* of the part, kept */
	size_t nmeta, capmeta;
	struct buf event;	/* `event:` lines, LF after each */
	struct name_index event_line;	/* by name: the offset in `event` */
	struct buf events;	/* the names */
	struct comment_events own_events;
	struct buf summary;	/* the header's, verbatim */
	uint64_t summary_line;	/* and its line */
	uint64_t total_line;	/* of the last summary or total */
	uint64_t nevents;
	struct buf total_run, total_sum;

	/* the current place */
	uint32_t object, file;	/* of the function: ob=, fl= */
	bool seen_fl;
	uint32_t here;		/* the file of the next line: fi=, fe= */
	uint32_t last;		/* the file of the last self cost line */
	bool moved;		/* a file line came after the last call or jump */
	bool have_fn, after_fn;	/* after_fn: the previous line was fn= */
	uint32_t fn_name;	/* in rd->fn */
	bool have_func;
	uint64_t func;		/* the dictionary's, once a line has needed it */
	struct pos base;
	struct pos at;		/* of the last cost line of any kind, */
	bool at_base;		/* unless this says that it is base */

	/* what calls=, jump= and jcnd= keep for their second line */
	enum pending pending;
	bool have_cob, have_cfi, have_cfn, have_jfi, have_jfn;
	uint32_t cob, cfi, jfi;
	uint32_t cfn, jfn;	/* in rd->fn */
	struct buf count[2], kept;	/* counts that are not in the block of lines */

	/* Of a part with stacks: the one at hand. */
	struct {
		bool are;		/* has the part such? */
		uint32_t ctx;		/* its last frame, NO_ID before the first */
		bool at_call;		/* a line of a call was the last one, */
		bool called;		/* or there was a call before, */
		uint32_t callee;	/* in rd->fn, */
		struct buf values;	/* with these costs */
		bool broken;		/* to be skipped up to the empty line after it */
	} stack;

	struct record call, jump, cost;
	const char *end;	/* of the block of lines */
	unsigned char keys[64];	/* body_table by hash: row + 1 */
	struct buf scratch;
	bool reported_unknown;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

static inline bool
blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Does a line that begins so have costs, or positions of a jump?  Digits,
 * "*", "+" and "-". */
static inline bool
cg_begins_cost(char byte)
{
	unsigned char c = (unsigned char)byte;

	return c < 64 && (uint64_t)0x03ff2c0000000000 >> c & 1;
}

/* The position of a jump that has no line of its own. */
static inline const struct pos *
cg_last_line(const struct reader *rd)
{
	return rd->at_base ? &rd->base : &rd->at;
}

/*
 * All that return an int return LINE_OK, LINE_BAD or LINE_FATAL, unless they say so.
 * Lines are [p, end) without their newline.
 */

/* ---- part.c ---- */

/* The part's header is complete: its first body line is here. */
int cg_start_part(struct reader *rd);
/* Values of `summary:` ("run") or `totals:` ("sum"), which ride like those of a cost line:
 * 0 or -1. */
int cg_put_total(struct reader *rd, const char *of, struct text values);
/* Takes a line off `event:` values: NAME [= FORMULA] [: description].  Parts of it that
 * are not there are absent; false at the end. */
bool cg_next_event(struct text *lines, struct text *name, struct text *formula,
    struct text *description);
/* A level of recursion has a name of its own: says so of the part, once, if it is
 * Callgrind's. */
int cg_tell_levels(struct reader *rd);
/* A fact for others to know: before the body it waits with the header, later
 * it goes on at once. */
int cg_add_meta(struct reader *rd, const char *key, struct text value);
/* Frees those that wait. */
void cg_forget_meta(struct reader *rd);
/* Is it a fact that prof-to has written for itself (comments.h)?  1 if so. */
int cg_own_fact(struct reader *rd, struct text v);

/* ---- calls.c ---- */

/* The function of fn=, when a line needs it. */
int cg_need_func(struct reader *rd);
/* These take what follows "calls=" and its like. */
int cg_calls(struct reader *rd, const char *p, const char *end);
int cg_jump(struct reader *rd, const char *p, const char *end);
int cg_jcnd(struct reader *rd, const char *p, const char *end);
/* A cost line after them: CG_TAKEN, or LINE_OK for a line of its own that a jump without
 * a source line comes before. */
#define CG_TAKEN 1
int cg_second_line(struct reader *rd, const struct pos *at, struct text values);
int cg_emit_jump(struct reader *rd, const struct pos *at);
/* What a second line still waits for when another line comes. */
int cg_settle(struct reader *rd);
/* A call or jump that comes to nothing takes what was said of its target with
 * it. */
void cg_forget_target(struct reader *rd);
/* The block of lines ends before the second line: copies what is a part of it. */
void cg_keep_counts(struct reader *rd);

/* ---- stacks.c ---- */

/* A line with positions in a part with stacks. */
int cg_stack_line(struct reader *rd, const struct pos *at, struct text values);
void cg_forget_stack(struct reader *rd);

/* ---- header.c ---- */

int cg_header_line(struct reader *rd, const char *p, const char *colon,
    const char *end);
/* A part ends, with the file or with the next one. */
int cg_end_part(struct reader *rd);
/* Forgets the current place, as at the beginning of a file. */
void cg_begin_file(struct reader *rd);
/* Another file, of another run, begins within this one. */
int cg_next_file(struct reader *rd);
/* Warns of the first line that is not known. */
void cg_tell_unknown(struct reader *rd, const char *p, const char *end);

/* ---- body.c ---- */

/* A line "key=value" with a known key, when nothing is pending: its newline, and
 * *ret; NULL for any other line.  The block of lines ends at rd->end. */
const char *cg_key_line(struct reader *rd, const char *p, int *ret);
/* Any line that is not a cost line. */
int cg_other_line(struct reader *rd, const char *p, const char *end);
/* Prepares the table of keys. */
void cg_index_keys(struct reader *rd);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Reading Callgrind's format.  Each of these files calls only those after it:
 *
 *	read.c		the file
 *	blocks.c	blocks of lines: by their digests, if the sink takes such
 *	digest_threads.c	digests by several threads
 *	digest_lines.c	digests of usual lines
 *	digest_calls.c	their calls and jumps
 *	lines.c		the loop over lines; cost lines
 *	body.c		"key=value" lines: the current place
 *	header.c	"key: value" lines; the ends of parts
 *	stacks.c	the stacks of Valgrind's xtree
 *	calls.c		the functions of lines; calls and jumps
 *	part.c		the beginning of a part
 *	positions.c	positions, counts and costs
 */
#ifndef PROF_CODEC_CALLGRIND_READER_H
#define PROF_CODEC_CALLGRIND_READER_H

#include "callgrind.h"
#include "codec/comments.h"
#include "names.h"

/* A first line whose second one has not come; PENDING_SKIP: it was malformed. */
enum pending { PENDING_NONE, PENDING_CALL, PENDING_JUMP, PENDING_SKIP };

struct reader {
	struct decode *d;
	struct names fn, fl, ob;
	bool self_base;		/* the creator is callgrind */
	bool swapped;		/* the lines of calls are swapped (dialect.h) */
	bool flat;		/* the part states that it has no stacks, whatever its
				 * creator */
	bool no_counts;		/* the writer does not count calls, as `calls=0` shows */
	bool reported_levels;	/* the part has names of levels of recursion */

	/* the header of the part, until its body begins */
	bool any_part, in_part, started, have_events, have_totals, have_summary;
	bool measured;		/* a cost, call or jump was put after all other records but
				 * definitions: the sink may be asked what it takes */
	bool new_run;		/* the next part belongs to another run */
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
	uint64_t func;		/* in the dictionary, once a line needs it */
	struct pos base;
	struct pos at;		/* of the last cost line of any kind, */
	bool at_base;		/* unless this is set: then it is the base */

	/* data of calls=, jump= and jcnd= for their second line */
	enum pending pending;
	bool have_cob, have_cfi, have_cfn, have_jfi, have_jfn;
	uint32_t cob, cfi, jfi;
	uint32_t cfn, jfn;	/* in rd->fn */
	struct buf count[2], kept;	/* counts that are not in the current block of
					 * lines */

	/* The current stack, in a part with stacks. */
	struct {
		bool are;		/* the part has stacks */
		uint32_t ctx;		/* its last frame, NO_ID before the first */
		bool at_call;		/* the last line was that of a call, */
		bool called;		/* or there was a call before it, */
		uint32_t callee;	/* in rd->fn, of the callee, */
		struct buf values;	/* with these costs */
		bool broken;		/* skip up to the empty line after it */
	} stack;

	bool wide;		/* the processor has the instructions of wide.h */
	struct record call, jump, cost;
	const char *end;	/* of the block of lines */
	unsigned char keys[64];	/* body_table by hash: row + 1 */
	struct buf scratch;
	bool reported_unknown;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

/* Does such a line have costs, or positions of a jump?  It begins with a digit, "*", "+" or
 * "-". */
static inline bool
cg_begins_cost(char byte)
{
	unsigned char c = (unsigned char)byte;

	return c < 64 && (uint64_t)0x03ff2c0000000000 >> c & 1;
}

/* A line of self cost comes: updates the file. */
static inline void
cg_take_file(struct reader *rd)
{
	/* After a call alone in another file, dump.c continues in the previous file. */
	if (__builtin_expect(!rd->moved && rd->self_base, 0))
		rd->here = rd->last;
	rd->last = rd->here;
}

/* Returns the position of a jump without a line of its own. */
static inline const struct pos *
cg_last_line(const struct reader *rd)
{
	return rd->at_base ? &rd->base : &rd->at;
}

/*
 * Functions that return an int return LINE_OK, LINE_BAD or LINE_FATAL, unless they state
 * otherwise.  Lines are [p, end) without their newline.
 */

/* ---- blocks.c ---- */

struct cg_blocks;

struct cg_blocks *cg_blocks_new(struct decode *d);
void cg_blocks_free(struct cg_blocks *s);
/* Reads a block of lines: as cg_lines() does, or by its digest, while the sink takes sums or
 * lines.  Then it may be late, up to the next block or cg_finish_blocks(). */
int cg_block(struct reader *rd, struct cg_blocks *s, const char *p, const char *end);
int cg_finish_blocks(struct reader *rd, struct cg_blocks *s);

/* ---- lines.c ---- */

/* Reads lines one by one: 0 or -1.  The last byte is a newline, with SCAN readable bytes
 * after it. */
int cg_lines(struct reader *rd, const char *p, const char *end);

/* ---- part.c ---- */

/* The part's header is complete: begins its body. */
int cg_start_part(struct reader *rd);
/* Puts values of `summary:` ("run") or `totals:` ("sum"), which are in a record like those
 * of a cost line: 0 or -1. */
int cg_put_total(struct reader *rd, const char *of, struct text values);
/* Takes a line off `event:` values: NAME [= FORMULA] [: description].  Missing components
 * are absent; false at the end. */
bool cg_next_event(struct text *lines, struct text *name, struct text *formula,
    struct text *description);
/* A level of recursion has a name of its own: notes that in the part's metadata, once, if
 * it is Callgrind's. */
int cg_tell_levels(struct reader *rd);
/* Adds metadata: before the body it waits with the header, later it is put at once. */
int cg_add_meta(struct reader *rd, const char *key, struct text value);
/* Frees the metadata that waits. */
void cg_forget_meta(struct reader *rd);
/* Is it metadata that prof-to has written in a comment (comments.h)?  1 if so. */
int cg_own_fact(struct reader *rd, struct text v);

/* ---- calls.c ---- */

/* Defines the function of fn=, when a line needs it. */
int cg_need_func(struct reader *rd);
/* Read the text after "calls=" and similar keys. */
int cg_calls(struct reader *rd, const char *p, const char *end);
int cg_jump(struct reader *rd, const char *p, const char *end);
int cg_jcnd(struct reader *rd, const char *p, const char *end);
/* Reads a cost line after them: CG_TAKEN, or LINE_OK for a separate line after a jump
 * without a source line. */
#define CG_TAKEN 1
int cg_second_line(struct reader *rd, const struct pos *at, struct text values);
int cg_emit_jump(struct reader *rd, const struct pos *at);
/* Set the functions and files of the pending call or jump, which is then over, in rd->call
 * and rd->jump. */
int cg_bind_call(struct reader *rd);
int cg_bind_jump(struct reader *rd);
/* Completes a first line whose second line does not come. */
int cg_settle(struct reader *rd);
/* Drops the target of a call or jump that is dropped. */
void cg_forget_target(struct reader *rd);
/* The block of lines ends before the second line: copies data that point into it. */
void cg_keep_counts(struct reader *rd);

/* ---- stacks.c ---- */

/* Reads a line with positions in a part with stacks. */
int cg_stack_line(struct reader *rd, const struct pos *at, struct text values);
void cg_forget_stack(struct reader *rd);

/* ---- header.c ---- */

int cg_header_line(struct reader *rd, const char *p, const char *colon,
    const char *end);
/* Ends a part, at the end of the file or before the next part. */
int cg_end_part(struct reader *rd);
/* Resets the current place, as at the beginning of a file. */
void cg_begin_file(struct reader *rd);
/* Begins another file, of another run, within this one. */
int cg_next_file(struct reader *rd);
/* Warns of the first unknown line. */
void cg_tell_unknown(struct reader *rd, const char *p, const char *end);

/* ---- body.c ---- */

/* The keys of body_table. */
enum cg_key {
	CG_CFN, CG_FN, CG_CFI, CG_CALLS, CG_JCND, CG_JUMP, CG_FI, CG_FE, CG_FL, CG_COB, CG_OB,
	CG_JFI, CG_JFN, CG_CFL, CG_CFE, CG_RCALLS, CG_FRFN,
};

/* Reads the name at p, after a key with a name and its "=". */
int cg_name_line(struct reader *rd, enum cg_key key, const char *p);
/* The same for the name "(N)" with this number. */
int cg_number_line(struct reader *rd, enum cg_key key, const char *p, uint64_t number);

/* Reads a line "key=value" with a known key, when no second line is pending: returns its
 * newline, and sets *ret; NULL for any other line.  The block of lines ends at rd->end. */
const char *cg_key_line(struct reader *rd, const char *p, int *ret);
/* Reads any line that is not a cost line. */
int cg_other_line(struct reader *rd, const char *p, const char *end);
/* Prepares the table of keys. */
void cg_index_keys(struct reader *rd);

#endif

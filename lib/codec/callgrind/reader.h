/* SPDX-License-Identifier: ISC */
/*
 * The reader's state, and the interface between its three files: header.c
 * ("key: value" lines and parts), body.c ("key=value" lines: the current place),
 * read.c (lines of costs, calls and jumps, and the loop over lines).
 */
#ifndef PROF_CODEC_CALLGRIND_READER_H
#define PROF_CODEC_CALLGRIND_READER_H

#include "callgrind.h"
#include "codec/annotation.h"
#include "names.h"

enum pending { NONE, CALL, JUMP, SKIP };	/* SKIP: the first line was bad */

struct reader {
	struct decode *d;
	struct names fn, fl, ob;
	bool self_base;		/* the creator is callgrind */
	bool reported_levels;	/* the part has names of levels of recursion */

	/* the header of the part, until its body begins */
	bool any_part, in_part, started, have_events, have_totals, have_summary;
	struct buf run_pid;	/* the process of the part that was put last */
	unsigned keys_seen;	/* of this header */
	unsigned npos, pos[POS_KINDS];	/* kinds, in the order of the columns */
	bool has[POS_KINDS];
	struct buf creator, pid, cmd;	/* also valid for the parts that follow */
	struct record **meta;	/* of the part, kept */
	size_t nmeta, capmeta;
	struct buf event;	/* `event:` lines, LF after each */
	struct lookup event_line;	/* by name: the offset in `event` */
	struct buf events;	/* the names */
	struct annotation_events own_events;
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

	struct record call, jump, cost;
	const char *end;	/* of the block of lines */
	unsigned char keys[64];	/* body_table by hash: row + 1 */
	struct buf scratch;
	bool reported_unknown;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)
#define QUOTE(p, end) diag_quote((p), (size_t)((end) - (p)))

static inline bool
blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool
cg_is_letter(char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* The characters in the keys of "key: value" lines, as producers write them. */
static inline bool
cg_in_key(char c)
{
	return cg_is_letter(c) || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80 ||
	    (c && strchr(" _-()", c));
}

/* Does a line beginning with this byte have costs, or positions of a jump?  Digits,
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
 * All return LINE_OK, LINE_BAD or LINE_FATAL.  Lines are [p, end) without
 * their newline.
 */

/* header.c */
int cg_header_line(struct reader *rd, const char *p, const char *colon,
    const char *end);
/* The part's header is complete: its first body line is here. */
int cg_start_part(struct reader *rd);
/* A part ends, with the file or with the next one. */
int cg_end_part(struct reader *rd);
/* Forgets the current place, as at the beginning of a file. */
void cg_begin_file(struct reader *rd);
/* Another file, of another run, begins within this one. */
int cg_next_file(struct reader *rd);
/* Adds a fact: in the header it is kept, in the body it is put at once. */
int cg_add_meta(struct reader *rd, const char *key, struct text value);
/* Levels of recursion have their own names: records this for the part, once, if the file
 * is Callgrind's. */
int cg_tell_levels(struct reader *rd);
/* Frees the facts that were kept. */
void cg_forget_meta(struct reader *rd);
/* Takes an annotation (annotation.h); 1 if it was one. */
int cg_own_fact(struct reader *rd, struct text v);
/* Warns of the first unknown line. */
void cg_tell_unknown(struct reader *rd, const char *p, const char *end);

/* body.c */
/* A line "key=value" with a known key, if nothing is pending: returns its newline and
 * sets *ret; NULL for any other line.  The block of lines ends at rd->end. */
const char *cg_key_line(struct reader *rd, const char *p, int *ret);
/* Any line that is not a cost line. */
int cg_other_line(struct reader *rd, const char *p, const char *end);
/* The function of fn=, when a line needs it. */
int cg_need_func(struct reader *rd);
/* The function with this name (an index in rd->fn) in this file and object. */
int cg_bind(struct reader *rd, uint32_t name, uint32_t file, uint32_t object,
    uint64_t *func);
/* Prepares the table of keys. */
void cg_index_keys(struct reader *rd);

/* read.c; the first three take what follows "calls=" and its like */
int cg_calls(struct reader *rd, const char *p, const char *end);
int cg_jump(struct reader *rd, const char *p, const char *end);
int cg_jcnd(struct reader *rd, const char *p, const char *end);
/* Completes a call or jump whose second line has not come, before another line. */
int cg_settle(struct reader *rd);
int cg_emit_jump(struct reader *rd, const struct pos *at);
/* Makes values in any spelling canonical, in rd->scratch. */
int cg_values(struct reader *rd, const char *p, const char *end,
    struct text *values);

#endif

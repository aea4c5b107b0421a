/* SPDX-License-Identifier: ISC */
/*
 * Reading Cachegrind's output: Valgrind's manual, "Cachegrind File Format", and
 * what cachegrind/cg_main.c, cg_diff and cg_merge really write.
 *
 *	read.c		lines, and those of cost as they usually are
 *	read_body.c	all lines of the body
 *	read_header.c	desc:, cmd:, events:, and facts of the toolkit's own
 *
 * What returns an int returns LINE_OK, LINE_BAD or LINE_FATAL.
 */
#ifndef PROF_CODEC_CACHEGRIND_READER_H
#define PROF_CODEC_CACHEGRIND_READER_H

#include "cachegrind.h"

#include "codec/comments.h"
#include "util/num.h"

enum state {
	START,			/* nothing but desc: yet */
	COMMAND,		/* cmd: was there, events: is due */
	BODY,
	DONE,			/* after summary: */
};

struct reader {
	struct decode *d;
	enum state state;
	bool in_part;

	/* the header */
	struct buf cmd;
	bool own_cmd;		/* it is from an annotation */
	bool reported_cmd;
	struct comment_events own_events;
	uint64_t nevents;

	/* the body */
	uint32_t file, name;	/* dictionary: the file's number, a string's */
	bool have_name;		/* fn= was there, after fl= */
	bool reported_nameless;
	bool have_func;		/* the cost's function is that of file and name */
	struct record cost;
	num *sum;		/* of the lines, by event */
	num *value;		/* of one line */
	uint64_t skipped;	/* when the part began */
	enum end_proof proof;	/* whether the summary ends the profile */
	struct buf own_run;	/* the total that a fact of the toolkit's tells */
	bool have_own_run;
	struct buf scratch;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

static inline bool
cachegrind_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* ---- read_header.c ---- */

/* A line of the header, [p, end); after a summary, of that of another profile. */
int cachegrind_header_line(struct reader *rd, const char *p, const char *end);

/* A fact of the toolkit's own: 1 if the text was one, LINE_OK if not. */
int cachegrind_own_fact(struct reader *rd, struct text v);

int cachegrind_put_meta(struct reader *rd, const char *key, struct text value);

/* ---- read_body.c ---- */

/* A line of the body, [p, end), which is neither empty nor a comment; what follows the #
 * of one that is. */
int cachegrind_body_line(struct reader *rd, const char *p, const char *end);
int cachegrind_comment(struct reader *rd, struct text v);

#endif

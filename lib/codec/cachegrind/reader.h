/* SPDX-License-Identifier: ISC */
/*
 * Reading Cachegrind's output: Valgrind's manual, "Cachegrind File Format", and
 * what cachegrind/cg_main.c, cg_diff and cg_merge really write.
 *
 *	read.c		the loop over lines; usual lines of cost
 *	read_body.c	all lines of the body
 *	read_header.c	desc:, cmd:, events:, and metadata in comments
 *
 * Functions that return an int return LINE_OK, LINE_BAD or LINE_FATAL.
 */
#ifndef PROF_CODEC_CACHEGRIND_READER_H
#define PROF_CODEC_CACHEGRIND_READER_H

#include "cachegrind.h"

#include "codec/comments.h"
#include "util/num.h"

enum state {
	START,			/* only desc: so far */
	COMMAND,		/* after cmd:, before events: */
	BODY,
	DONE,			/* after summary: */
};

struct reader {
	struct decode *d;
	enum state state;
	bool in_part;

	/* the header */
	struct buf cmd;
	bool own_cmd;		/* it is from a comment */
	bool reported_cmd;
	struct comment_events own_events;
	uint64_t nevents;

	/* the body */
	uint32_t file, name;	/* in the dictionary: the number of the file, that of the
				 * string */
	bool have_name;		/* fn= came after fl= */
	bool reported_nameless;
	size_t nnames;		/* lines with names so far */
	const char *ahead;	/* in the block: where to look for names that come after */
	unsigned nahead;	/* those that are being loaded */
	bool have_func;		/* the function of file and name is defined */
	struct record cost;
	struct plain_values plain;	/* of a usual line of cost */
	/* Puts usual lines. */
	const char *(*put_usual)(struct reader *, const char *p, const char *end);
	num *sum;		/* the sum of lines, by event */
	num *value;		/* the values of one line */
	uint64_t skipped;	/* when the part began */
	enum end_proof proof;	/* does the summary end the profile? */
	struct buf own_run;	/* the total in a comment */
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

/* Reads a line of the header, [p, end); after a summary, that of another profile. */
int cachegrind_header_line(struct reader *rd, const char *p, const char *end);

/* Reads metadata in a comment: 1 if the text is that, LINE_OK if not. */
int cachegrind_own_fact(struct reader *rd, struct text v);

int cachegrind_put_meta(struct reader *rd, const char *key, struct text value);

/* ---- read_body.c ---- */

/* Read a line of the body, [p, end), which is neither empty nor a comment; the text after
 * the # of a comment. */
int cachegrind_body_line(struct reader *rd, const char *p, const char *end);
int cachegrind_comment(struct reader *rd, struct text v);

#endif

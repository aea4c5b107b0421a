/* SPDX-License-Identifier: ISC */
/*
 * What is annotated: files and their lines in the order in which they are shown, the
 * ranges of lines around hot ones, and what becomes of all costs.
 */
#ifndef PROF_VIEW_ANNOTATE_LISTING_H
#define PROF_VIEW_ANNOTATE_LISTING_H

#include "code.h"
#include "view/annotate.h"
#include "view/rank_table.h"

enum { LISTED_FILE, LISTED_LINE };	/* the columns of a row's key */
enum { LISTED_OBJECT, LISTED_ADDR };	/* and those of an instruction's */

enum { LISTED_CALLER, LISTED_CALLEE, LISTED_CALL_KEYS };	/* a row, a family */

/* What can become of a cost: each is one of them, and they add up to the total. */
enum listed {
	LISTED_ANNOTATED,	/* beside its source */
	LISTED_MISSING,		/* of a line that is shown without */
	LISTED_BELOW,		/* of a line that is not hot nor near one that is */
	LISTED_NO_LINE,		/* of no line */
	LISTED_OTHER,		/* not asked for */
	LISTED_REST,		/* of no row at all: filters take rows, not totals */
	LISTED_KINDS
};

/* What they are called, and the total after them. */
extern const struct listed_name {
	const char *word;	/* for programs */
	const char *says;	/* for people */
	const char *insns;	/* the same, of instructions */
} listed_name[LISTED_KINDS + 1];

struct listed_line {
	uint64_t line;		/* an address, until listing_source() numbers it */
	uint32_t file, row;
	bool hot, inlined;
};

struct listed_file {
	uint32_t file;
	const struct listed_line *line;	/* n of them, by number */
	size_t n, hot;
	num *cost;		/* by slot */
};

struct listing {
	const struct annotate *a;
	const struct table *t;
	struct code_pages *code;	/* files are functions of these; NULL: files */
	struct listed_line *line;
	size_t nline;
	struct listed_file *file;	/* those that are shown: with sources, then others,
				 * of each the hottest first */
	size_t nfile;
	/* Calls, whichever of the functions that a line is in makes them.  The key is
	 * LISTED_CALL*, the sums are those of an edge. */
	struct sums calls;
	uint32_t *call, *next_call;	/* the first call of a row + 1, and the next */
	num *sum[LISTED_KINDS];	/* by slot */
};

/* 0, or -1 with the diag set.  listing_free() also after -1. */
int listing_make(struct listing *l, const struct annotate *a, const struct table *t);
void listing_free(struct listing *l);

/* What a file is called: its path, or the name of a function. */
struct text listing_name(const struct listing *l, uint32_t file);

/* Finds the source of a file that is shown, the instructions of a function, and numbers
 * the lines of the file as those of the source.  0, or -1 with the diag set. */
int listing_source(struct listing *l, const struct listed_file *f, struct source *s);

/* Counts the costs of all lines of a file that is shown, with this source. */
int listing_count(struct listing *l, const struct listed_file *f,
    const struct source *s);

/* When all files are counted: what is left of the total. */
int listing_end(struct listing *l);

/* Do these sums of a row or an edge reach the threshold? */
bool listing_is_hot(const struct listing *l, const num *sums);

/* The error of a sum: -1. */
static inline int
listing_overflow(const struct listing *l)
{
	return diag_fail_plain(l->t->q->diag, "a sum does not fit 128 bits");
}

/* ---- calls.c ---- */

/* After listing_make(): sums the calls of each row to each function, l->calls.  0, or -1
 * with the diag set. */
int listing_sum_calls(struct listing *l);

/* The calls of a row that are shown, the most expensive first: rows of l->calls, n of
 * them.  The caller frees them. */
uint32_t *listing_calls(const struct listing *l, size_t row, size_t *n);

/* A call: the name of its function, the count, NULL if it is not known, and its costs, by
 * slot. */
struct text listing_callee(const struct listing *l, uint32_t call);
const num *listing_count_of(const struct listing *l, uint32_t call);
const num *listing_cost_of(const struct listing *l, uint32_t call);

/* ---- walk.c: the lines of a file that are shown, one by one ---- */

struct walk {
	const struct annotate *a;
	const struct listed_file *f;
	const struct source *s;
	uint64_t at;		/* the last one shown */
	size_t row, hot;	/* of f->line: from here on they are of use */
};

struct walk_line {
	uint64_t line;
	uint64_t number;	/* the same, or the address of an instruction */
	const struct listed_line *of;	/* its costs; NULL: it has none */
	struct text text;	/* absent: there is no source, or it ends before */
	bool gap;		/* lines before it are not shown */
};

/* Begins with { .a, .f, .s }.  False at the end. */
bool walk_next(struct walk *w, struct walk_line *out);

#endif

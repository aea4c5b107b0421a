/* SPDX-License-Identifier: ISC */
/*
 * The annotated lines: files and their lines in the order in which they are shown, the
 * ranges of lines around hot ones, and the account of all costs.
 */
#ifndef PROF_VIEW_ANNOTATE_LISTING_H
#define PROF_VIEW_ANNOTATE_LISTING_H

#include "code.h"
#include "view/annotate.h"
#include "view/rank_table.h"

enum { LISTED_FILE, LISTED_LINE };	/* columns of a row's key */
enum { LISTED_OBJECT, LISTED_ADDR };	/* columns of an instruction's key */

enum { LISTED_CALLER, LISTED_CALLEE, LISTED_CALL_KEYS };	/* a row, a family */

/* The account of costs.  Each cost has one of these kinds, and together they are the
 * total. */
enum listed {
	LISTED_ANNOTATED,	/* with its source */
	LISTED_MISSING,		/* of a line that is shown without source */
	LISTED_BELOW,		/* of a line that is neither hot nor near a hot line */
	LISTED_NO_LINE,		/* of no line */
	LISTED_OTHER,		/* excluded by options */
	LISTED_REST,		/* of no row: filters drop rows, but leave totals */
	LISTED_KINDS
};

/* The names of the kinds, then that of the total. */
extern const struct listed_name {
	const char *word;	/* in TSV and JSON */
	const char *text;	/* in text */
	const char *insns;	/* the same for instructions */
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
	struct listed_file *file;	/* the files that are shown: those with sources,
					 * then the others, the hottest first in both */
	size_t nfile;
	/* Calls of a row, by any of the functions that its line is in.  The key is
	 * LISTED_CALL*, the sums are those of an edge. */
	struct sums calls;
	uint32_t *call, *next_call;	/* the first call of a row + 1, and the next */
	num *sum[LISTED_KINDS];	/* by slot */
};

/* 0, or -1 with the diag set. listing_free() must be called even after -1. */
int listing_make(struct listing *l, const struct annotate *a, const struct table *t);
void listing_free(struct listing *l);

/* Returns the path of a file, or the name of a function. */
struct text listing_name(const struct listing *l, uint32_t file);

/* Finds the source of a file that is shown, or a function's instructions, and numbers the
 * file's lines as the source does.  0, or -1 with the diag set. */
int listing_source(struct listing *l, const struct listed_file *f, struct source *s);

/* Counts the costs of all lines of a file that is shown, with this source. */
int listing_count(struct listing *l, const struct listed_file *f,
    const struct source *s);

/* After all files are counted: sets the remainder of the total. */
int listing_end(struct listing *l);

/* Do these sums of a row or an edge reach the threshold? */
bool listing_is_hot(const struct listing *l, const num *sums);

/* Sets the error of a sum: -1. */
static inline int
listing_overflow(const struct listing *l)
{
	return diag_fail_plain(l->t->q->diag, "a sum does not fit 128 bits");
}

/* ---- calls.c ---- */

/* After listing_make(): sums the calls of each row to each function, in l->calls.  0, or -1
 * with the diag set. */
int listing_sum_calls(struct listing *l);

/* Returns the calls of a row that are shown, the most expensive first: *n rows of l->calls.
 * The caller frees them. */
uint32_t *listing_calls(const struct listing *l, size_t row, size_t *n);

/* A call: the name of its function; the count, NULL if it is not known; its costs, by
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
	size_t row, hot;	/* the next of f->line */
};

struct walk_line {
	uint64_t line;
	uint64_t number;	/* the same, or the address of an instruction */
	const struct listed_line *of;	/* its costs; NULL: none */
	struct text text;	/* absent: there is no source, or it ends earlier */
	bool gap;		/* lines before it are left out */
};

/* Returns the next line in *out; `w` begins as { .a, .f, .s }.  False at the end. */
bool walk_next(struct walk *w, struct walk_line *out);

#endif

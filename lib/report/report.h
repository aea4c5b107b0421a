/* SPDX-License-Identifier: ISC */
/*
 * A report: the answer that a profile gives, on one page of Markdown within a budget of
 * bytes.  It reads the records once, into a ranking of functions, one of lines and a call
 * tree, and prints sections of these.
 */
#ifndef PROF_REPORT_REPORT_H
#define PROF_REPORT_REPORT_H

#include "io/output.h"
#include "stream/loss.h"
#include "stream/pipeline.h"
#include "sum/gate.h"
#include "sum/rank.h"
#include "sum/significance.h"
#include "sum/tree.h"
#include "view/annotate/source.h"
#include "view/info.h"

struct report_ranking {
	struct rank_request request;
	struct ranker *ranker;
	const struct rank *rank;	/* after report_finish() */
};

struct report {
	/* Set by the program before report_init(). */
	struct dict *dict;
	struct diag *diag;
	struct text event;	/* or a formula; absent: the default */
	struct source_search search;	/* for sources */
	/* The words of the command line, quoted, for the commands that the report names;
	 * "": none. */
	const char *options, *operands;
	const char *before;	/* of a difference: the command that makes it,
				 * "prof-diff a b | ", which has these words; NULL: it is
				 * none */
	const char *before_lines;	/* the same with lines */
	size_t budget;		/* the most bytes of the page */
	bool json;		/* the same content as JSON */
	const struct extra_columns *extra;	/* of a difference of several runs; NULL */
	double fdr;		/* as for significance_new() */
	struct gate *gate;	/* of a difference: checked and reported; NULL: none */

	struct sink sink;	/* takes all records, after the filters */
	struct significance *significance;	/* after report_finish(); NULL: one run a side */
	struct info *info;
	struct report_ranking functions, places;
	struct text usual;	/* the default event */
	struct tree_request tree_request;
	struct tree_builder *builder;
	const struct call_tree *tree;	/* NULL: there are no calls */
	struct loss loss;
	struct pipeline tree_line;
};

/* Prepares the report to take records from r->sink. */
void report_init(struct report *r);
void report_free(struct report *r);

/* Completes the sums, once all records are in: 0, or -1 with the diag set. */
int report_finish(struct report *r);

/* Prints the report: 0, or -1 with the diag set: the budget is too small, or the event does
 * not exist.  The caller checks the output. */
int report_print(struct report *r, struct output *out);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Annotated source: the most expensive lines of a profile, with their text and the calls
 * that they make, file by file, and an account of the total.  In the same way, the most
 * expensive instructions, function by function.
 */
#ifndef PROF_VIEW_ANNOTATE_H
#define PROF_VIEW_ANNOTATE_H

#include "symbol/object_code.h"
#include "util/threshold.h"
#include "view/annotate/source.h"
#include "view/view.h"

struct annotate {
	enum view_form form;
	struct text *show;	/* events and formulas, also "A / B" */
	size_t nshow;
	struct threshold min;	/* a line that costs less is not hot */
	uint64_t context;	/* lines shown before and after a hot one */
	bool whole;		/* shows all lines of the files */
	uint64_t most;		/* files; 0: all */
	struct code *code;	/* NULL: lines, not instructions */
	const struct match *file;	/* only these; NULL: all */
	const struct sums *lines;	/* keys of rows: only these; NULL: all */
	const struct sums *inlined;	/* key: file, line; these get a mark; NULL: none */
	struct source_search search;
	int64_t recorded;	/* the time of the profile, in seconds; 0: unknown */
	size_t width;		/* of the terminal; 0: not a terminal, bytes are copied */
	bool color;
	bool scaled;		/* as in struct view */
	struct page_items *items;	/* rows, in text; NULL: not wanted */
};

/* Does any row have a file and a line, or an address? */
bool annotate_has_lines(const struct rank *r);
bool annotate_has_addrs(const struct rank *r);

/* Prints everything, from a ranking by file and line, or by object and address.  0, or -1
 * with the diag of the request set: an event does not exist, no file matches, a sum does
 * not fit.  The caller checks the output. */
int annotate_print(const struct annotate *a, const struct rank_request *q,
    const struct rank *r, const struct rank_heading *h, struct output *out);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * The two sides of a comparison: their files, their sums, and how they were measured.
 */
#ifndef PROF_TOOL_SIDES_H
#define PROF_TOOL_SIDES_H

#include "rules/rename.h"
#include "sum/diff.h"
#include "sum/measurement.h"
#include "sum/merge.h"
#include "tool.h"

struct side {
	char **files;		/* the files of a directory are listed */
	size_t nfiles, capfiles;
	size_t runs;		/* the number of profiles among them */
	const char *exe;	/* the last executable among them; NULL: none */
	const char *word;	/* "old", "new" */
	struct buf name;	/* the first file's, and the number of others */
	struct merge *merge;
};

struct sides {
	/* Set by the tool, from its options. */
	struct tool *tool;
	const char *baseline;	/* the old side, if all operands are new; NULL */
	const char *keep_labels;	/* as for filter_labels(); NULL */
	bool strict;		/* sides that were measured differently are an error */
	struct rename *rename;	/* functions are matched by these names; NULL */

	struct side side[SIDES];
	bool several;		/* several runs on each side */
	struct measurement measured[SIDES];
};

/* Does a command line with these operands compare: are there files on both sides of "--"? */
bool sides_are_given(const struct tool *t);

/* Finds the files of each side: there is one on each, or a directory, or "--" separates
 * them; or there is a baseline.  Exits if the operands are wrong. */
void sides_find(struct sides *s);

/* Sums the files of each side, or computes the means of several runs, and compares how they
 * were measured: 0, or -1 with the tool's diag set.  The caller sets how->op. */
int sides_read(struct sides *s, const struct merge_how *how);

void sides_free(struct sides *s);

#endif

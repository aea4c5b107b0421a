/* SPDX-License-Identifier: ISC */
/*
 * The profile that is browsed: the filters in force, and the results that screens show.  A
 * result is made when a screen first needs it, by reading the profile again, and kept until
 * the filters, the event or the rows change.
 */
#ifndef PROF_BROWSE_PROFILE_H
#define PROF_BROWSE_PROFILE_H

#include "filter/filter.h"
#include "sum/function_lines.h"
#include "sum/inlined_lines.h"
#include "sum/rank.h"
#include "sum/tree.h"
#include "view/annotate/source.h"

/* A selection as prof-grep(1) makes it: of functions, files or objects. */
struct profile_filter {
	char *pattern;		/* an extended regular expression */
	struct match *match;
	struct selection selection;
	char *text;		/* for the metadata `filter`, and for commands */
};

/* A ranking; NULL: it was not made yet. */
struct profile_ranking {
	struct rank_request request;
	struct ranker *ranker;
	const struct rank *rank;
};

struct profile {
	/* Set by the program. */
	struct dict *dict;
	struct diag *diag;
	struct schema *schema;
	/* Returns a pipeline with the filters of the command line; reads the profile into
	 * one: 0, or -1 with the diag set. `lines`: costs need the lines of their addresses. */
	struct pipeline (*begin)(void);
	int (*run)(struct pipeline *p, bool lines);
	const char *before;	/* of a command: what makes the profile, "prof-diff a -- b | ";
				 * NULL: it is in files */
	/* Waits at most so many milliseconds for what has come of a profile that goes on, if
	 * it is not paused: true if `live` and what is read have changed.  NULL: the profile
	 * does not go on. */
	bool (*more)(int milliseconds);
	struct {
		bool on, paused;
		bool recent;	/* the last second is shown, not everything since the start */
		uint64_t at;	/* microseconds since the start */
		uint64_t span;	/* microseconds in which what is shown has come */
	} live;
	/* Rules that can be turned on and off; turn() does so: 0, or -1 with the diag set. */
	struct profile_rules {
		char *what, *about;	/* file or name; description */
		bool on;
	} *rules;
	size_t nrules;
	int (*turn)(struct profile_rules *r);
	struct buf in_force;	/* those that are on, in their order: "a, b" */
	struct buf rule_options;	/* the same as options of a command */
	struct source_search search;	/* for sources */
	const char *options, *operands;	/* for the first stage; "": none */
	const char *source_options;	/* for prof-annotate, each with a blank behind it */

	struct profile_filter **filter;
	size_t nfilter, capfilter;
	enum group_by by[BY_KINDS];	/* the rows of the table */
	size_t nby;
	struct buf by_text;
	struct text event;	/* the dictionary's; absent: the default */

	struct profile_ranking functions, rows, source;
	struct sums folds[2];	/* the paths of the nodes of each tree that are folded */
	struct profile_tree {
		struct tree_request request;
		struct tree_builder *builder;
		const struct call_tree *tree;
		struct loss loss;
		bool *folded;	/* by node: the lines below it are hidden */
		uint64_t *path;	/* by node: a hash of the functions from the root to it */
	} tree[2];		/* with callees below functions, and with callers */
	struct {
		char *pattern;	/* of the functions that `source` is of */
		struct match *match;
		struct lines_of lines;
		struct inlined inlined;
	} in;
};

void profile_init(struct profile *p);
void profile_free(struct profile *p);

/* Forget all results, or the trees.  Lines of trees stay hidden. */
void profile_forget(struct profile *p);
void profile_forget_trees(struct profile *p);

/* Adds a filter: 0, or -1 with the diag set: the pattern is malformed.  in: IN_FUNCTION and
 * the like. */
int profile_add_filter(struct profile *p, const char *pattern, unsigned in, bool drop);
/* Removes the last filter: false if there is none. */
bool profile_remove_filter(struct profile *p);

/* Turns rules on or off: 0, or -1 with the diag set. */
int profile_turn_rules(struct profile *p, size_t i);

/* Adds the share of the total that filters and rules have left, "12.34 % left"; nothing if
 * there are none. */
void profile_add_left(struct profile *p, struct buf *out);

/* Sets the rows of the table: 0, or -1 with the diag set. */
int profile_set_rows(struct profile *p, const char *by);

/* Make a result, unless there is one: 0, or -1 with the diag set.  The source is that of the
 * functions that match a pattern; the tree has callers below functions or callees. */
int profile_need_functions(struct profile *p);
int profile_need_rows(struct profile *p);
int profile_need_source(struct profile *p, const char *pattern);
int profile_need_tree(struct profile *p, bool callers);

/* Returns the table's ranking: `functions` if its rows are functions. */
struct profile_ranking *profile_table(struct profile *p);

/* Returns the event that is shown. */
struct text profile_event(const struct profile *p, const struct profile_ranking *r);

/* Sets *terms to those of the event in a ranking, which the caller frees: false, with none, if
 * there is no event. */
bool profile_terms(const struct profile *p, const struct profile_ranking *r,
    struct terms *terms);

/* Adds the command that prints a result: `tool` with the event that was chosen and these
 * arguments, on what the filters keep of the profile. */
void profile_command(const struct profile *p, struct buf *b, const char *tool,
    const char *arguments);

#endif

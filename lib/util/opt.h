/* SPDX-License-Identifier: ISC */
/*
 * Options: one table for each tool.  The parser, --help and --list-options
 * (which completions and the tests of the manual pages read) follow from it.
 *
 * The options of a format are a group, whose values are one object.  Each `struct opts` has
 * its own object, so that two inputs, or two encoders, may have different values.
 */
#ifndef PROF_UTIL_OPT_H
#define PROF_UTIL_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

enum opt_kind {
	OPT_FLAG,		/* bool *: true */
	OPT_TEXT,		/* const char **: the last one wins */
	OPT_LIST,		/* struct opt_list *: all of them */
	OPT_COUNT,		/* uint64_t * */
	OPT_SHARE,		/* struct threshold *: "0.5%" */
	OPT_SECONDS,		/* uint64_t *, microseconds: --name=SECONDS, or --name for one
				 * second */
	OPT_WHEN,		/* as OPT_ENUM: --name=WHEN, or --name for the first */
	OPT_ENUM,		/* int *, or enum *: which of `choices`, from 0 */
};

struct opt_list {
	const char **item;
	size_t n, cap;
};

struct opt {
	const char *name;	/* long, without the dashes */
	char letter;		/* 0: none */
	enum opt_kind kind;
	const char *arg;	/* as --help shows it, NULL for a flag */
	void *to;		/* where its value is; in a group OPT_AT() */
	const char *help;
	const char *choices;	/* OPT_WHEN, OPT_ENUM: "a|b|c"; for a list, the words for
				 * completion; for columns, those other than events */
};

#define OPT_END { .name = NULL }

/* `defaults` is an object of `size` bytes; `to` of each option is a place in it. */
struct opt_group {
	const struct opt *opts;	/* ends with OPT_END */
	size_t size;
	const void *defaults;
};

#define OPT_AT(type, member) ((void *)offsetof(type, member))
/* A group of the options in this table, with the constant object `values` as defaults. */
#define OPT_GROUP(table, values) \
	{ .opts = table, .size = sizeof values, .defaults = &values }

struct opt_table {
	const char *heading;	/* in --help all; NULL: continues the table before it */
	struct buf others;	/* after it, further headings: ", NAME" */
	const struct opt *opts;	/* ends with OPT_END */
	const struct opt_group *group;	/* NULL: not a group, and `to` are addresses */
	void *values;		/* of the group */
	const struct opt *given;	/* set: the first one given; NULL: none */
	bool own;		/* what makes the tool that tool: in --help, not only in
				 * --help all */
	bool hidden;		/* in neither */
};

/* All zeros but `diag`: no tables. */
struct opts {
	struct opt_table *table;
	size_t n;
	int first;		/* set: the number of operands before "--", or of all */
	/* Set: the options that were given, in their order. */
	struct opt_given {
		const struct opt *opt;	/* of the first table that has it */
		size_t table;
		const char *argument;	/* NULL: none */
	} *given;
	size_t ngiven;
	struct diag *diag;
};

void opts_add(struct opts *o, const char *heading, const struct opt *opts);
/* Adds a group, with values of its own that begin as the defaults.  If the group is there
 * already, since several formats may share one, adds its heading alone.  Does nothing if g
 * is NULL. */
void opts_add_group(struct opts *o, const char *heading, const struct opt_group *g);
/* Returns the values of a group: its defaults if it was not added, or if o is NULL; NULL
 * for the group NULL.  They live until opts_free(). */
const void *opts_values(const struct opts *o, const struct opt_group *g);
/* Adds an option as words of a shell's command, after a blank unless b is empty. */
void opts_add_words(const struct opt_given *g, struct buf *b);
void opts_free(struct opts *o);

/*
 * Takes the options out of argv: moves the operands to the front and returns
 * their number.  "--" ends the options, "-" is an operand.  -1 with the diag set.  An
 * option that several groups have is set in all of them.
 */
int opts_parse(struct opts *o, int argc, char **argv);

void opt_list_add(struct opt_list *l, const char *item);

/* Returns the word of "a|b|c" that an OPT_ENUM's value stands for. */
struct text opt_word(const char *choices, int which);

/* Adds the tables: the tool's own ones, as --help shows them, or all, as --help all does,
 * under their headings, in lines of `width` columns; and as --list-options does, one option
 * per line: --name, -l, ARG, help, choices, separated by TABs.  An ARG that can only be given
 * by "=" begins with it. */
void opts_help(const struct opts *o, bool all, struct buf *b, size_t width);
void opts_list(const struct opts *o, struct buf *b);

#endif

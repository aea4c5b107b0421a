/* SPDX-License-Identifier: ISC */
/*
 * A summary of a profile in a few lines: its format, command, events and totals, records,
 * how many functions have names, whether there are lines, addresses and labels.
 */
#ifndef PROF_VIEW_INFO_H
#define PROF_VIEW_INFO_H

#include "io/output.h"
#include "stream/dict.h"

struct info;

struct info *info_new(const struct dict *dict, struct diag *d);
void info_free(struct info *i);

/* Returns the sink, which takes all records.  The info frees it. */
struct sink *info_sink(struct info *i);

/* A fact of the summary: its name, and its values. */
struct info_fact {
	const char *name;
	struct info_value {
		const char *key;	/* its name for programs; NULL: it needs none */
		const char *before, *after;	/* the words around it in text; NULL: none */
		enum { INFO_TEXT, INFO_NUMBER, INFO_SHARE } kind;
		struct text text;
		num n, of;		/* a share is n of `of` */
	} *value;
	size_t n;
};

/* Calls put() for each fact in order, once all records are in. */
typedef void info_put(void *arg, const struct info_fact *f);
void info_each(const struct info *i, info_put *put, void *arg);

/* Puts the fact that so many lines were skipped, if any were. */
void info_put_skipped(num lines, info_put *put, void *arg);

/* Adds the values of a fact as text. */
void info_fact_add(struct buf *b, const struct info_fact *f);

/* Writes "KEY: VALUE" lines of at most `width` columns (0: unlimited), once all records are
 * in. */
void info_print(const struct info *i, struct output *out, size_t width);

#endif

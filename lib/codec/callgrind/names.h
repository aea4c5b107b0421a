/* SPDX-License-Identifier: ISC */
/*
 * Callgrind's compressed names: "(12) name" defines, "(12)" refers.  There are
 * three number spaces, for functions, files and objects.  Each is valid to the end of
 * the file (dump.c never forgets what it has written, across parts and threads), or to
 * a line that says that another file follows.
 */
#ifndef PROF_CODEC_CALLGRIND_NAMES_H
#define PROF_CODEC_CALLGRIND_NAMES_H

#include "stream/dict.h"
#include "stream/sums.h"
#include "util/diag.h"
#include "util/num.h"

struct name {
	uint32_t str;		/* the name; NO_ID is "???" */
	uint32_t def;		/* file, object: the dictionary's number */
	uint32_t file, object;	/* a function's, when it was last bound */
	bool defined;
	bool bound;		/* for functions: def is its number with file, object */
	bool level;		/* for functions: a level of recursion */
};

struct names {
	struct name *v;
	size_t n, cap;
	uint32_t *dense;	/* by number: index into v + 1, for small numbers */
	size_t ndense;
	struct sums others;	/* by key, index into v + 1 */
	bool expands;		/* names may consist of others, as Callgrind's functions
				 * do */
	bool files;		/* several files in a row: numbers start again */
	unsigned warned;	/* names to warn of; prints NAMES_WARNINGS of them */
	struct dict *dict;
	struct diag *diag;
	struct buf scratch;
};

#define NAMES_WARNINGS 12

/* Returns the index in t->v of the name after "fn=" and similar keys.  Undefined and
 * redefined numbers cause warnings; the name of an undefined one is "(12)". */
uint32_t names_read(struct names *t, const char *p, const char *end);

/* Returns the index of a defined number; NO_ID: it is not defined, or not a small one. */
static inline uint32_t
names_numbered(const struct names *t, uint64_t id)
{
	const uint32_t index = id < t->ndense ? t->dense[id] : 0;

	return index && t->v[index - 1].defined ? index - 1 : NO_ID;
}

/* Handles exactly "(N)" and a newline, N being defined: returns the newline, with *index
 * set.  NULL for anything else. */
static inline const char *
names_quick(const struct names *t, const char *p, uint32_t *index)
{
	uint64_t id;

	if (*p != '(' || p[1] < '0' || p[1] > '9' || !(p = num_get_u64(p + 1, &id)) ||
	    *p != ')' || p[1] != '\n')
		return NULL;
	*index = names_numbered(t, id);
	return *index == NO_ID ? NULL : p + 1;
}

/* The same as names_read(), but returns the entry, valid until the next name is read. */
static inline struct name *
names_at(struct names *t, const char *p, const char *end)
{
	uint32_t index = names_read(t, p, end);

	return &t->v[index];
}

void names_init(struct names *t, struct dict *dict, struct diag *d);

/* Removes all names and numbers, which invalidates all indices. */
void names_clear(struct names *t);
void names_free(struct names *t);

#endif

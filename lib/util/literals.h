/* SPDX-License-Identifier: ISC */
/*
 * A set of texts that are looked for in other texts, all at once, as Aho and Corasick do
 * ("Efficient string matching", 1975): the time does not depend on how many there are.
 */
#ifndef PROF_UTIL_LITERALS_H
#define PROF_UTIL_LITERALS_H

#include "util/buf.h"

struct literal_node;

/* All zeros: empty. */
struct literals {
	struct text *v;		/* copies; in the order of their bytes when ready */
	size_t n, cap;
	struct literal_node *node;
	size_t nodes, capnodes;
};

/* Returns the most bytes that a text of n bytes takes in a set. */
size_t literals_size(size_t n);

/* All texts are added before literals_ready(), and looked for after it.  Together they must
 * be shorter than 2^32 bytes. */
void literals_add(struct literals *l, struct text t);
void literals_ready(struct literals *l);
void literals_free(struct literals *l);

/* Is the text one of them? */
bool literals_have(const struct literals *l, struct text t);

/* Is one of them a part of the text? */
bool literals_in(const struct literals *l, struct text t);

/* A walk over those that are a part of a text.  The caller sets the first two; the others
 * are 0. */
struct literals_walk {
	struct text t;
	bool nocase;		/* its letters of ASCII are compared in lower case */
	size_t at;
	uint32_t node, hit;
};

/* Sets *from and *to to the indices in v of the next one, which more than one are if they
 * are equal; false: there are no more.  It comes once for each place where it is. */
bool literals_next(const struct literals *l, struct literals_walk *w, size_t *from, size_t *to);

#endif

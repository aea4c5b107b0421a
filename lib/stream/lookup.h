/* SPDX-License-Identifier: ISC */
/*
 * What is in a list, by its name: events of a part, facts.  The list may be long, and
 * is asked for each of its names.
 */
#ifndef PROF_STREAM_LOOKUP_H
#define PROF_STREAM_LOOKUP_H

#include "stream/field.h"

struct lookup {
	struct lookup_slot {
		uint32_t hash;
		bool absent;	/* or: */
		size_t from, n;	/* its text */
		size_t at1;	/* at + 1, 0: none */
	} *slot;
	size_t size, n;
	struct buf text;	/* of all */
};

/* The first that was added with this name: false if there is none. */
bool lookup_find(const struct lookup *l, struct text name, size_t *at);

/* The same, after adding it if there is none. */
size_t lookup_add(struct lookup *l, struct text name, size_t at);

void lookup_clear(struct lookup *l);	/* empties it */
void lookup_free(struct lookup *l);

#endif

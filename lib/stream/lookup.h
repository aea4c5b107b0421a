/* SPDX-License-Identifier: ISC */
/*
 * An index by name of a list that may be long, such as a part's events or facts.
 */
#ifndef PROF_STREAM_LOOKUP_H
#define PROF_STREAM_LOOKUP_H

#include "stream/field.h"
#include "util/index.h"

struct lookup {
	struct lookup_name {
		uint32_t hash;
		bool absent;	/* the name is absent; or: */
		size_t from, n;	/* its text */
		size_t at;
	} *v;
	size_t n, cap;
	struct hash_index index;	/* of v */
	struct buf text;	/* of all */
};

/* The first one added with this name: false if there is none. */
bool lookup_find(const struct lookup *l, struct text name, size_t *at);

/* The same; adds it as `at` if there is none. */
size_t lookup_add(struct lookup *l, struct text name, size_t at);

void lookup_clear(struct lookup *l);	/* keeps the memory */
void lookup_free(struct lookup *l);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * An index by name for a list that may be long, such as a part's events or metadata.
 */
#ifndef PROF_STREAM_NAME_INDEX_H
#define PROF_STREAM_NAME_INDEX_H

#include "stream/field.h"
#include "util/index.h"

struct name_index {
	struct name_index_entry {
		uint32_t hash;
		bool absent;	/* the name is absent; or: */
		size_t from, n;	/* its text */
		size_t at;
	} *v;
	size_t n, cap;
	struct hash_index index;	/* of v */
	struct buf text;	/* of all */
};

/* Finds the first one that was added with this name: false if there is none. */
bool name_index_find(const struct name_index *l, struct text name, size_t *at);

/* The same, but adds the name as `at` if there is none. */
size_t name_index_add(struct name_index *l, struct text name, size_t at);

void name_index_clear(struct name_index *l);	/* keeps the memory */
void name_index_free(struct name_index *l);

#endif

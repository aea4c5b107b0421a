/* SPDX-License-Identifier: ISC */
/*
 * Parsed conditions on metadata: see conditions_new() in filter.h.
 */
#ifndef PROF_FILTER_CONDITIONS_H
#define PROF_FILTER_CONDITIONS_H

#include "filter/filter.h"

struct condition {
	size_t key;
	struct text value;
	struct match *match;	/* KEY~REGEX; NULL: equality */
};

struct conditions {
	struct condition *v;
	size_t n, cap;
	struct text *key;	/* the keys of the conditions */
	size_t nkey, capkey;
	char *text;		/* the memory of all texts */
};

/* Returns the index of a key that a condition names; c->nkey if none does. */
size_t conditions_key(const struct conditions *c, struct text name);

/* Does this value of a key meet one of the conditions on it? */
bool conditions_meet(const struct conditions *c, size_t key, struct text value);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Conditions on facts, parsed: see conditions_new() of filter.h.
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
	struct text *key;	/* the facts that are asked for */
	size_t nkey, capkey;
	char *text;		/* that they point into */
};

/* The index of a fact that a condition names; c->nkey if none does. */
size_t conditions_key(const struct conditions *c, struct text name);

/* Does this value of a key meet one of the conditions on it? */
bool conditions_meet(const struct conditions *c, size_t key, struct text value);

#endif

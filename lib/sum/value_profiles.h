/* SPDX-License-Identifier: ISC */
/*
 * Value profiles summed in memory: which values were seen at a site, and how often.
 * It is a sink before another one, which gets all other records.
 */
#ifndef PROF_SUM_VALUE_PROFILES_H
#define PROF_SUM_VALUE_PROFILES_H

#include "stream/dict.h"
#include "stream/sums.h"
#include "util/diag.h"

struct value_profiles {
	struct sink sink;
	struct dict *dict;
	struct diag *diag;

	/* Rows are numbered in the order in which they were first met; strings
	 * are the dictionary's. */
	struct sums funcs;	/* a function: no sums */
	struct sums sites;	/* row of funcs, site, type: the sum of its counts */
	struct sums seen;	/* row of sites, value: its count */
};

/* The sink, which is part of *v: value_profiles_free() frees it. */
struct sink *value_profiles_sink(struct value_profiles *v, struct dict *dict,
    struct diag *diag);
void value_profiles_free(struct value_profiles *v);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Value profiles summed in memory: which values were seen at a site, and how
 * often.  It is a sink in front of another, which gets all the rest.
 */
#ifndef PROF_VALUES_H
#define PROF_VALUES_H

#include "stream/dict.h"
#include "stream/sums.h"
#include "util/diag.h"

struct values {
	struct sink sink;
	struct dict *dict;
	struct diag *diag;

	/* Rows are numbered in the order in which they were first met; strings
	 * are the dictionary's. */
	struct table funcs;	/* a function: no sums */
	struct table sites;	/* row of funcs, site, type: the sum of its counts */
	struct table seen;	/* row of sites, value: its count */
};

/* The sink, which is in *v: values_free() frees it, and not `next`. */
struct sink *values_sink(struct values *v, struct sink *next, struct dict *dict,
    struct diag *diag);
void values_free(struct values *v);

#endif

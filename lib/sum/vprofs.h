/* SPDX-License-Identifier: ISC */
/*
 * Value profiles summed in memory: which values were seen at a site, and how often.
 * It is a sink before another one, which gets all other records.
 */
#ifndef PROF_SUM_VPROFS_H
#define PROF_SUM_VPROFS_H

#include "stream/dict.h"
#include "stream/sums.h"
#include "util/diag.h"

struct vprofs {
	struct sink sink;
	struct dict *dict;
	struct diag *diag;

	/* Rows are numbered in the order in which they were first met; strings
	 * are the dictionary's. */
	struct sums funcs;	/* a function: no sums */
	struct sums sites;	/* row of funcs, site, type: the sum of its counts */
	struct sums seen;	/* row of sites, value: its count */
};

/* The sink, which is part of *v: vprofs_free() frees it. */
struct sink *vprofs_sink(struct vprofs *v, struct dict *dict,
    struct diag *diag);
void vprofs_free(struct vprofs *v);

#endif

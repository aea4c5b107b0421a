/* SPDX-License-Identifier: ISC */
/*
 * A file of limits for the gate (sum/gate.h): rows that may grow by more than others, or by
 * less, with the reason, and up to a day.  prof-diff(1) describes it.
 */
#ifndef PROF_RULES_LIMITS_H
#define PROF_RULES_LIMITS_H

#include "sum/gate.h"

struct limits;

/* Reads a file.  today: the day by which exceptions have expired or not.  NULL with the diag
 * set, with the place, if it is missing or malformed.  The caller frees it with limits_free(),
 * which accepts NULL. */
struct limits *limits_read(const char *path, struct gate_day today, struct diag *d);
void limits_free(struct limits *l);

/* Gives the gate the exceptions, which must outlive it. */
void limits_set(struct limits *l, struct gate *g);

#endif

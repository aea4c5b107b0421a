/* SPDX-License-Identifier: ISC */
/*
 * Data that a format could not hold, reported in one line when everything is written.
 */
#ifndef PROF_STREAM_LOSS_H
#define PROF_STREAM_LOSS_H

#include <stdint.h>

#include "stream/record.h"
#include "util/diag.h"

struct output;

struct loss {
	struct { const char *what; uint64_t n; } *item;
	size_t n, cap;
	bool records;	/* whole records were dropped: costs, calls and the like */
};

/* `what` is a static text, a plural: "event units". */
void loss_add(struct loss *l, const char *what);
/* The same n times. */
void loss_many(struct loss *l, const char *what, uint64_t n);

/* Adds a record of a kind that the format does not have. */
void loss_record(struct loss *l, const struct record *r);

/* Reports dropped data, if any: by a note "FORMAT cannot hold: event units (3), ...", or,
 * with strict, by an error.  0 or -1. */
int loss_tell(struct loss *l, const char *format, bool strict, struct diag *d);

/* Prints a line for each kind: "event units (3)". */
void loss_print(const struct loss *l, struct output *out);

void loss_free(struct loss *l);

#endif

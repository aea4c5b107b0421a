/* SPDX-License-Identifier: ISC */
/*
 * What an encoder holds back until it knows where it goes: functions that no record
 * has named yet, records that may have to wait.
 */
#ifndef PROF_STREAM_DEFERRED_H
#define PROF_STREAM_DEFERRED_H

#include "stream/record.h"

/*
 * Functions that were defined since the last record.  An encoder writes a
 * function where a record names it: those that no record is about get an empty
 * block.
 */
struct fresh {
	uint64_t *func;		/* some of the first n have been dropped again */
	size_t n, cap;
	uint32_t *place;	/* in it, by the function's number: + 1, 0 for none */
	size_t capplace;
};

void fresh_add(struct fresh *f, uint64_t func);

/* The record will not be written: it takes its functions with it. */
void fresh_drop(struct fresh *f, const struct record *r);

/* The functions that are to be written, before the record if it is not NULL: how many
 * there are in f->func, which are in the list no more.  0, too, if the record defines
 * just these, in their order, when it is written. */
size_t fresh_take(struct fresh *f, const struct record *r);

void fresh_free(struct fresh *f);

/*
 * Facts behind events stand behind the header's last line, unless another event
 * follows.  Until that is known they are held back, and what depends on their
 * order with them.
 */
struct late {
	struct record **v;
	size_t n, cap;
};

void late_keep(struct late *l, const struct record *r);
/* Takes them out. */
struct late late_take(struct late *l);
void late_free(struct late *l);

#endif

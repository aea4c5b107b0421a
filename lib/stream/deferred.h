/* SPDX-License-Identifier: ISC */
/*
 * Data that an encoder holds back until it knows where to write them: functions that no
 * record has named yet, and records that may have to wait.
 */
#ifndef PROF_STREAM_DEFERRED_H
#define PROF_STREAM_DEFERRED_H

#include "stream/record.h"

/*
 * Functions defined since the last record.  An encoder writes a function where a
 * record names it; those that no record names get an empty block.
 */
struct pending_funcs {
	uint64_t *func;		/* some of the n may be dropped again */
	size_t n, cap;
	uint32_t *place;	/* index in func + 1, by function; 0: none */
	size_t capplace;
};

void pending_funcs_add(struct pending_funcs *f, uint64_t func);

/* The record will not be written, so drop its functions. */
void pending_funcs_drop(struct pending_funcs *f, const struct record *r);

/* Returns how many functions to write now, before the record if it is not NULL; they are in
 * f->func, and the list is then empty.  Returns 0 also if the record names exactly these
 * functions in this order, so that writing it defines them. */
size_t pending_funcs_take(struct pending_funcs *f, const struct record *r);

void pending_funcs_free(struct pending_funcs *f);

/*
 * Metadata after the events go after the header's last line, unless another event follows.
 * Until that is known they are held back, with everything that depends on their order.
 */
struct late_records {
	struct record **v;
	size_t n, cap;
};

void late_records_keep(struct late_records *l, const struct record *r);
/* Empties the list and returns it; the caller frees it with late_records_free(). */
struct late_records late_records_take(struct late_records *l);
void late_records_free(struct late_records *l);

#endif

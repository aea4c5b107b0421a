/* SPDX-License-Identifier: ISC */
/*
 * Rows that `tag` records add to the table of records at run time.
 */
#ifndef PROF_STREAM_SCHEMA_H
#define PROF_STREAM_SCHEMA_H

#include "stream/record.h"
#include "util/diag.h"

struct schema;

struct schema *schema_new(void);
void schema_free(struct schema *s);

/* Begins a stream, which must declare again what it uses; returns its number. */
uint64_t schema_begin(struct schema *s);

/* The row that a `tag` record of this stream declares; if it was declared the same way
 * before, that row.  NULL with the diag set: malformed, or declared differently before.
 * Lives as long as the schema. */
const struct rec_def *schema_declare(struct schema *s, const struct record *tag,
    uint64_t stream, struct diag *d);

/* A built-in record, or one that this stream was the last to declare; NULL. */
const struct rec_def *schema_find(const struct schema *s, struct text tag,
    uint64_t stream);

#endif

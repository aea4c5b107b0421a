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

/* Begins a stream, which must declare its records again; returns its number. */
uint64_t schema_begin(struct schema *s);

/* Returns the row that a `tag` record of this stream declares, the same row if it was
 * declared in the same way before.  NULL with the diag set: it is malformed, or was
 * declared differently before.  The row lives as long as the schema. */
const struct rec_def *schema_declare(struct schema *s, const struct record *tag,
    uint64_t stream, struct diag *d);

/* Finds a built-in record, or one that this stream was the last to declare; NULL: none. */
const struct rec_def *schema_find(const struct schema *s, struct text tag,
    uint64_t stream);

#endif

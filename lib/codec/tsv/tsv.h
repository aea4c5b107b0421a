/* SPDX-License-Identifier: ISC */
/*
 * Tables of one kind of record: a header line, then one row per record, the fields spelled
 * as in the stream and separated by TABs.  The columns: metadata that distinguish parts, if
 * the first part has them; those of columns.h; the events.
 */
#ifndef PROF_CODEC_TSV_TSV_H
#define PROF_CODEC_TSV_TSV_H

#include "stream/codec.h"
#include "stream/columns.h"

/* The event of a table of points, which has no column for it. */
#define TSV_POINT_EVENT "cost"

/* read.c */
int tsv_decode(struct decode *d);

/* write.c */
struct sink *tsv_encode(const struct encode *e);

/* Has the table this column?  Not keys: they are rare, and a table has all its columns in
 * each row. */
static inline bool
tsv_has(const struct spelt_column *c)
{
	return c->part != COLUMN_KEY;
}

/* Can there be a table of this kind of record? */
static inline bool
tsv_supports(enum rec_kind kind)
{
	return rec_is_measured(kind) || kind == REC_TOTAL;
}

/* options.c */
extern const struct opt_group tsv_options;
struct tsv_options {
	int records;		/* the chosen word of --records; -1: none */
};
/* Returns the kind of record in the table; NULL: the main one. */
const struct rec_def *tsv_asked_records(const struct tsv_options *o);

#endif

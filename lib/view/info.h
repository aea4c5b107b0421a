/* SPDX-License-Identifier: ISC */
/*
 * A summary of a profile in a few lines: its format, command, events and totals, records,
 * how many functions have names, whether there are lines, addresses and labels.
 */
#ifndef PROF_VIEW_INFO_H
#define PROF_VIEW_INFO_H

#include "io/output.h"
#include "stream/dict.h"

struct info;

struct info *info_new(const struct dict *dict, struct diag *d);
void info_free(struct info *i);

/* Returns the sink, which takes all records.  The info frees it. */
struct sink *info_sink(struct info *i);

/* Writes "KEY: VALUE" lines of at most `width` columns (0: unlimited), once all records are
 * in. */
void info_print(const struct info *i, struct output *out, size_t width);

#endif

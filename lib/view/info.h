/* SPDX-License-Identifier: ISC */
/*
 * What a profile has, in a few lines: its format, command, events and totals, records,
 * how many functions have names, whether there are lines, addresses and labels.
 */
#ifndef PROF_VIEW_INFO_H
#define PROF_VIEW_INFO_H

#include "io/output.h"
#include "stream/dict.h"

struct info;

struct info *info_new(const struct dict *dict, struct diag *d);
void info_free(struct info *i);

/* Takes all records; the info's own, not to be freed. */
struct sink *info_sink(struct info *i);

/* Writes "KEY: VALUE" lines of at most `width` columns, 0: any, once all records are in. */
void info_print(const struct info *i, struct output *out, size_t width);

#endif

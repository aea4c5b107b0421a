/* SPDX-License-Identifier: ISC */
/*
 * Rule files: a view of a program, as prof-rules(5) has it.
 */
#ifndef PROF_RULES_RULES_H
#define PROF_RULES_RULES_H

#include "rules/rename.h"
#include "stream/dict.h"
#include "stream/schema.h"
#include "util/diag.h"

struct rules;

/* A file, or the name of one in a directory of rules.  NULL with the diag set: it
 * is not there, or wrong, with its place.  The caller frees it with rules_free(), which
 * takes NULL. */
struct rules *rules_open(const char *what, struct diag *d);
void rules_free(struct rules *r);

/* Adds a line for each that has a name: the name, its directory and the description,
 * TAB between two; of those that are wrong what is wrong with them instead.  0, or
 * -1 with the diag set: a directory cannot be read. */
int rules_list(struct buf *out, struct diag *d);

/* --match of prof-diff: a view in which functions are renamed, and nothing else.  At
 * its end a note says of how many that made them another one; `side` is whose.  The
 * rename must outlive it. */
struct sink *rules_match(struct rename *rename, const char *side, struct dict *dict,
    struct sink *next, struct diag *d);

/* Would a fact of this name be left out? */
bool rules_drop_fact(const struct rules *r, const char *key);

/* Does one file of several depend on the others in them: is what is kept by what it
 * costs in all, or must an event be there? */
bool rules_need_all(const struct rules *r);

/* Is everything held back until all is read? */
bool rules_hold(const struct rules *r);

/* What several processes must share: to be called before they are forked.  0, or -1
 * with the diag set. */
int rules_share(const struct rules *r, struct diag *d);

/* The view: filters in front of `next`, which they free with themselves; without
 * min-share and min-cost unless `min_cost`.  The rules must outlive them.  NULL with
 * the diag set, and `next` freed. */
struct sink *rules_filter(const struct rules *r, struct dict *dict,
    struct schema *schema, bool min_cost, struct sink *next, struct diag *d);

/* These alone; `next` itself if there are none. */
struct sink *rules_filter_least(const struct rules *r, struct dict *dict,
    struct schema *schema, struct sink *next, struct diag *d);

#endif

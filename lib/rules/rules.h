/* SPDX-License-Identifier: ISC */
/*
 * Rule files, which define a view of a program: prof-rules(5).
 */
#ifndef PROF_RULES_RULES_H
#define PROF_RULES_RULES_H

#include "rules/rename.h"
#include "stream/dict.h"
#include "stream/pipeline.h"
#include "stream/schema.h"
#include "util/diag.h"

struct rules;

/* Opens a file, or one by its name in a directory of rules.  NULL with the diag set, with
 * the place, if it is missing or malformed.  The caller frees it with rules_free(), which
 * accepts NULL. */
struct rules *rules_open(const char *what, struct diag *d);
void rules_free(struct rules *r);

/* Adds a line for each rule file that has a name: the name, its directory and the
 * description, or, for a malformed file, the error, separated by TABs.  0, or -1 with the
 * diag set if a directory cannot be read. */
int rules_list(struct buf *out, struct diag *d);

/* prof-diff's --match: a view that only renames functions.  At `end` a note gives the
 * number of those that became the same as another one in the profile `side`.  The rename
 * must outlive the sink. */
struct sink *rules_match(struct rename *rename, const char *side, struct dict *dict,
    struct diag *d);

/* Would metadata of this name be dropped? */
bool rules_drop_fact(const struct rules *r, const char *key);

/* Does the result for one of several files depend on the others, because something is kept
 * by its cost in all of them, or an event must occur in one of them? */
bool rules_need_all(const struct rules *r);

/* Is all output held back until everything is read? */
bool rules_hold(const struct rules *r);

/* The key of pseudonyms: one for all rule files of a run, both sides of a difference, and
 * all worker processes.  All zeros at first. */
struct pseudonym_key {
	uint64_t v[2];
	bool is_set;
};

/* Gives the rules the key, which must outlive them, and sets it if they are the first that
 * need it; call it before forking, and before rules_add().  0, or -1 with the diag set. */
int rules_share(struct rules *r, struct pseudonym_key *key, struct diag *d);

/* Adds the stages of the view, except min-share and min-cost.  The rules must outlive
 * the pipeline. */
void rules_add(const struct rules *r, struct pipeline *p, struct dict *dict,
    struct diag *d);

/* Adds the stage of min-share and min-cost, if the rules have one of them. */
void rules_add_min_cost(const struct rules *r, struct pipeline *p, struct dict *dict,
    struct schema *schema, struct diag *d);

#endif

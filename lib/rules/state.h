/* SPDX-License-Identifier: ISC */
/*
 * Declarations that the files of this module share:
 *
 *	yaml_read.c	YAML
 *	read.c		YAML to rules
 *	find.c		rules by name
 *	apply.c		rules applied to a symbol
 *	pseudonym.c	pseudonyms
 *	outcome.c	results for functions, files, objects, contexts
 *	filter.c	records in, records of the view out
 *	min_cost.c	drops functions that cost too little
 */
#ifndef PROF_RULES_STATE_H
#define PROF_RULES_STATE_H

#include "rules/rename.h"
#include "rules/rules.h"
#include "stream/group_by.h"
#include "util/match.h"
#include "util/threshold.h"

/* The names of a symbol. */
enum name { NAME_FUNCTION, NAME_FILE, NAME_OBJECT, NAMES };

extern const char *const name_of[NAMES];	/* read.c: "function", "file", "object" */

/* A list of patterns is one condition: any of them may match. */
struct rule_condition {
	bool is_fact;
	enum name name;
	enum group_by fact;		/* of the part: BY_PART, ... */
	struct match *match;
};

struct rule_conditions {
	struct rule_condition *v;
	size_t n;
};

enum rule_kind { RULE_RENAME, RULE_GROUP, RULE_HIDE, RULE_FOLD, RULE_DROP, RULE_KEEP,
	RULE_KINDS };

struct rule {
	enum rule_kind kind;
	struct rule_conditions all;		/* must all hold */
	struct rule_conditions unless;	/* must not all hold */
	enum name name;			/* the name that it changes; for a group, \1 refers
					 * to it */
	struct rename *rename;		/* the new name; for a group, NULL: `as` is the
					 * name */
	const char *as;
	bool hides[NAMES];
};

/* Drops functions that cost less.  A threshold of -1 is not set. */
struct min_cost {
	struct threshold self, incl;
	const char *event;	/* NULL: the first event */
};

struct rules {
	char *path, *name;	/* for messages, and for the metadata `filter` */
	const char *description;	/* "" */
	struct rule *rule;
	size_t n;
	bool has[RULE_KINDS];
	bool has_min_cost;
	struct min_cost min_cost;
	const char *events;	/* NULL: all events */
	bool has_facts;		/* keep only these metadata */
	const char **fact;
	size_t nfact;
	bool no_residue;
	const struct pseudonym_key *key;	/* of rules_share() */
	char **text;		/* owned; the other members point to these */
	size_t ntext;
};

/* ---- read.c ---- */

/* Reads a file: NULL with the diag set. */
struct rules *rules_read(const char *path, const char *name, struct diag *d);

/* ---- apply.c ---- */

enum action { ACTION_KEEP, ACTION_DROP, ACTION_FOLD };

struct subject {
	uint32_t name[NAMES];	/* texts of the dictionary; NO_ID: unknown */
	bool changed[NAMES];
	bool hidden[NAMES];	/* the last change was a pseudonym */
	bool grouped;
	bool too_long;		/* a name would be too long: it was kept, or is absent */
	bool of_line;		/* the file belongs to a line, so groups do not change it */
	enum action action;
};

struct facts_at_hand {
	uint32_t of[BY_KINDS];	/* values of the part's metadata: texts, or NO_ID */
};

struct hide;

/* Applies the rules to a symbol.  `hide` may be NULL if no rule hides. */
void rules_apply(const struct rules *r, struct subject *s,
    const struct facts_at_hand *facts, struct dict *dict, struct hide *hide);

/* ---- pseudonym.c ---- */

/* Sets a key that is not set yet: $PROF_KEY, otherwise a random one, which a note reports.
 * 0, or -1 with the diag set. */
int hide_key(struct pseudonym_key *k, struct diag *d);

/* Makes pseudonyms by a key, which must outlive them. */
struct hide *hide_new(const struct pseudonym_key *key);
void hide_free(struct hide *h);

/* Returns the pseudonym of a text of the dictionary; the same for the same text and key. */
uint32_t hide_text(struct hide *h, struct dict *dict, enum name kind, uint32_t text);

/* Did two names get the same pseudonym? */
bool hide_clashed(const struct hide *h);

/* ---- filter.c ---- */

/* A stage that drops functions: drops(arg, number) is called once for each. */
struct sink *rules_filter_dropping(bool (*drops)(void *arg, uint32_t func), void *arg,
    struct dict *dict, struct diag *d);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * What the parts of rules share:
 *
 *	read.c		YAML to rules
 *	find.c		rules by name
 *	apply.c		what rules make of a symbol
 *	pseudonym.c	pseudonyms
 *	outcome.c	what becomes of functions, files, objects, contexts
 *	filter.c	records in, records of the view out
 *	min_cost.c	what costs too little for it
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

/* All of its patterns' list is one condition: any may match. */
struct condition {
	bool is_fact;
	enum name name;
	enum group_by fact;		/* of the part: BY_PART, ... */
	struct match *match;
};

struct conditions {
	struct condition *v;
	size_t n;
};

enum rule_kind { RULE_RENAME, RULE_GROUP, RULE_HIDE, RULE_FOLD, RULE_DROP, RULE_KEEP,
	RULE_KINDS };

struct rule {
	enum rule_kind kind;
	struct conditions all;		/* must hold */
	struct conditions unless;	/* must not, all of them together */
	enum name name;			/* that it changes; of a group: \1 is of */
	struct rename *rename;		/* how; of a group NULL: to `as` */
	const char *as;
	bool hides[NAMES];
};

/* Functions that cost less are left out.  A threshold of -1: any do. */
struct min_cost {
	struct threshold self, incl;
	const char *event;	/* NULL: the first */
};

struct rules {
	char *path, *name;	/* as messages and the fact `filter` have it */
	const char *description;	/* "" */
	struct rule *rule;
	size_t n;
	bool has[RULE_KINDS];
	bool has_min_cost;
	struct min_cost min_cost;
	const char *events;	/* NULL: all */
	bool has_facts;		/* none but these */
	const char **fact;
	size_t nfact;
	bool no_residue;
	char **text;		/* what the others point to */
	size_t ntext, captext;
};

/* ---- read.c ---- */

/* NULL with the diag set. */
struct rules *rules_read(const char *path, const char *name, struct diag *d);

/* ---- apply.c ---- */

enum verdict { VERDICT_KEEP, VERDICT_DROP, VERDICT_FOLD };

struct subject {
	uint32_t name[NAMES];	/* texts of the dictionary; NO_ID: unknown */
	bool changed[NAMES];
	bool hidden[NAMES];	/* the last change was a pseudonym */
	bool grouped;
	bool too_long;		/* a name would be: it has stayed, or there is none */
	bool of_line;		/* the file is that of a line, which no group changes */
	enum verdict verdict;
};

struct facts_at_hand {
	uint32_t of[BY_KINDS];	/* values of the part's facts, texts, or NO_ID */
};

struct hide;

/* What the rules make of a symbol.  `hide` may be NULL if no rule hides. */
void rules_apply(const struct rules *r, struct subject *s,
    const struct facts_at_hand *facts, struct dict *dict, struct hide *hide);

/* ---- pseudonym.c ---- */

/* The key of this process and of those that it forks: that of $PROF_KEY, where that
 * is not set a random one, which is noted.  0, or -1 with the diag set. */
int hide_key(struct diag *d);

/* Pseudonyms by that key.  NULL with the diag set. */
struct hide *hide_new(struct diag *d);
void hide_free(struct hide *h);

/* That of a text of the dictionary; the same for the same text and key. */
uint32_t hide_text(struct hide *h, struct dict *dict, enum name kind, uint32_t text);

/* Has one pseudonym stood for two names? */
bool hide_clashed(const struct hide *h);

/* ---- filter.c ---- */

/* A stage without these functions: drops(arg, number) is asked once of each. */
struct sink *rules_filter_dropping(bool (*drops)(void *arg, uint32_t func), void *arg,
    struct dict *dict, struct diag *d);

#endif

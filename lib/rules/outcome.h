/* SPDX-License-Identifier: ISC */
/*
 * The results of rules for a profile's functions, files, objects and contexts.  Rules are
 * applied once to each, or once in each part if they have conditions on metadata.
 */
#ifndef PROF_RULES_OUTCOME_H
#define PROF_RULES_OUTCOME_H

#include "rules/state.h"
#include "stream/dict.h"
#include "stream/sums.h"
#include "util/mem.h"

/* The result for a function. */
struct func_out {
	uint32_t id;
	unsigned char known, action, grouped;
};

/* The result for a context: its stack without dropped and folded frames, NO_ID if nothing
 * is left; and whether the innermost frame, which has the cost, was dropped. */
struct ctx_out {
	uint32_t id;
	unsigned char known, dropped;
};

#define RECENT 512

struct outcomes {
	const struct rules *rules;
	struct dict *dict;
	/* Set after outcomes_init(), or left 0. */
	struct hide *hide;	/* for rules that hide; outcomes_free() frees it */
	bool (*drops_func)(void *arg, uint32_t func);	/* functions dropped in addition to
							 * the rules' */
	void *arg;
	bool counts_shared;

	bool by_part;		/* rules depend on metadata, so they are applied again in
				 * each part */
	bool names_lines;	/* rules change names of files */
	bool dropped, kept;	/* some functions were dropped; some were kept */
	bool too_long;		/* a name would have become too long */
	size_t shared;		/* functions that became the same as another one */
	struct sums source;	/* by result: the function, if they are counted */
	struct facts_at_hand facts;
	bool asked;		/* set in this part: it is too late for further metadata */
	struct func_out *func;	/* by number + 1; 0 is NO_ID */
	struct ctx_out *ctx;	/* by number */
	size_t capfunc, capctx;
	struct sums file;	/* of lines, by function and file: the new file */
	struct recent {		/* the last ones: inlined code alternates between files */
		uint64_t func, file;
		uint32_t out;
	} recent[RECENT];
};

void outcomes_init(struct outcomes *o, const struct rules *r, struct dict *dict);
void outcomes_free(struct outcomes *o);

/* Begins a part; outcomes_fact() takes its metadata, before any result is needed. */
void outcomes_part(struct outcomes *o);
void outcomes_fact(struct outcomes *o, const struct record *r);

#define OUTCOME_AT(func) ((func) == NO_ID ? 0 : (func) + 1)

/* Returns the result for a function, or for NO_ID, which has no name.  It is valid until
 * the next call. */
const struct func_out *outcome_ask_func(struct outcomes *o, uint64_t func);

/* The same; the result is nearly always known. */
static inline const struct func_out *
outcome_func(struct outcomes *o, uint64_t func)
{
	const uint64_t at = OUTCOME_AT(func);

	return at < o->capfunc && o->func[at].known ? &o->func[at] :
	    outcome_ask_func(o, func);
}

/* Returns the file of a line, which is not its function's if code was inlined. */
uint32_t outcome_file(struct outcomes *o, uint64_t func, uint64_t file);

/* Returns the result for an object that is not its function's. */
uint32_t outcome_object(struct outcomes *o, uint64_t object);

/* Returns the result for a text of the dictionary that names a function. */
uint32_t outcome_name(struct outcomes *o, uint32_t text);

/* Return the result for a context; for its innermost frame alone, below the new caller
 * `parent`. */
struct ctx_out outcome_ctx(struct outcomes *o, uint64_t ctx);
uint32_t outcome_frame(struct outcomes *o, uint64_t ctx, uint32_t parent);

#endif

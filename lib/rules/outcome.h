/* SPDX-License-Identifier: ISC */
/*
 * What rules make of a profile's functions, files, objects and contexts.  They are
 * asked once for each, and in each part anew if they ask for its facts.
 */
#ifndef PROF_RULES_OUTCOME_H
#define PROF_RULES_OUTCOME_H

#include "rules/state.h"
#include "stream/dict.h"
#include "stream/sums.h"
#include "util/mem.h"

/* What became of a function. */
struct func_out {
	uint32_t id;
	unsigned char known, verdict, grouped;
};

/* Of a context: its stack without what was dropped and folded, NO_ID if nothing is
 * left; and whether the innermost frame, to which its cost belongs, was dropped. */
struct ctx_out {
	uint32_t id;
	unsigned char known, dropped;
};

#define RECENT 512

struct outcomes {
	const struct rules *rules;
	struct dict *dict;
	/* Told after outcomes_init(), or left 0. */
	struct hide *hide;	/* of rules that hide; frees it with itself */
	bool (*drops_func)(void *arg, uint32_t func);	/* beside what rules drop */
	void *arg;
	bool counts_shared;

	bool by_part;		/* rules ask for facts: all is asked anew in each part */
	bool names_lines;	/* rules change names of files */
	bool dropped, kept;	/* some functions were */
	bool too_long;		/* a name would have been */
	size_t shared;		/* functions that became what another one had become */
	struct sums source;	/* which: of that, if they are to be counted */
	struct facts_at_hand facts;
	bool asked;		/* of this part: facts that come now are too late */
	struct func_out *func;	/* by number + 1, 0 is what has none */
	struct ctx_out *ctx;	/* by number */
	size_t capfunc, capctx;
	struct sums file;	/* of lines: the function and the file; it became */
	struct recent {		/* of those: inlined code goes to and fro */
		uint64_t func, file;
		uint32_t out;
	} recent[RECENT];
};

void outcomes_init(struct outcomes *o, const struct rules *r, struct dict *dict);
void outcomes_free(struct outcomes *o);

/* A part begins; what its header says of it, before anything is asked. */
void outcomes_part(struct outcomes *o);
void outcomes_fact(struct outcomes *o, const struct record *r);

#define OUTCOME_AT(func) ((func) == NO_ID ? 0 : (func) + 1)

/* NO_ID is what has no name.  The result is valid until the next one. */
const struct func_out *outcome_ask_func(struct outcomes *o, uint64_t func);

/* Nearly always it is known. */
static inline const struct func_out *
outcome_func(struct outcomes *o, uint64_t func)
{
	const uint64_t at = OUTCOME_AT(func);

	return at < o->capfunc && o->func[at].known ? &o->func[at] :
	    outcome_ask_func(o, func);
}

/* The file of a line, which is not its function's where code was inlined. */
uint32_t outcome_file(struct outcomes *o, uint64_t func, uint64_t file);

/* An object that is not its function's. */
uint32_t outcome_object(struct outcomes *o, uint64_t object);

/* A text of the dictionary that names a function. */
uint32_t outcome_name(struct outcomes *o, uint32_t text);

/* A context; its innermost frame alone, over what became of its caller. */
struct ctx_out outcome_ctx(struct outcomes *o, uint64_t ctx);
uint32_t outcome_frame(struct outcomes *o, uint64_t ctx, uint32_t parent);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Filters: stages of a pipeline.  What they are made of is checked before, so that
 * all can be made; the pipeline frees them.
 */
#ifndef PROF_FILTER_FILTER_H
#define PROF_FILTER_FILTER_H

#include "stream/dict.h"
#include "stream/loss.h"
#include "stream/pipeline.h"
#include "stream/schema.h"
#include "symbol/symbolize.h"
#include "util/diag.h"
#include "util/match.h"

/*
 * Conditions on facts, as --where has them: each of the list is one or more of
 * "KEY=VALUE" or "KEY~REGEX", separated by commas.  NULL with the diag set if one is
 * malformed.  The caller frees them.
 */
struct conditions;
struct conditions *conditions_new(const char *const *list, size_t n, struct diag *d);
void conditions_free(struct conditions *c);	/* NULL: nothing */

/*
 * Keeps the parts whose facts meet all conditions; of several on one key any may
 * hold.  `c` outlives the sink.  At `end` what the parts have instead is added to
 * `none`, if there are parts and none of them is kept.
 */
struct sink *filter_where(const struct conditions *c, struct buf *none);

/* The first entry of a list of events that is neither an event nor a sum of events;
 * absent: there is none. */
struct text filter_events_wrong(const char *list);

/*
 * Keeps these events, in this order: names, derived events, formulas, commas
 * between two; none of them is wrong (filter_events_wrong()).  At `end` an event that
 * no part had is an error.  `what` is put before messages.
 */
struct sink *filter_events(const char *list, const char *what, struct diag *d);

/*
 * Names what an executable's symbols have names for: functions that are called
 * by their address in it, and those without a name at an address.  A note says
 * where the profile knows no such executable.
 */
struct sink *filter_symbolize(struct symbolizer *symbolizer, struct dict *dict,
    struct diag *diag);

/*
 * For formats without points or samples: makes of both what such a format has.
 * Of points it is self cost, by the part's first event; those of a context
 * become a sample of it.  Samples become costs and, where calls are wanted, too,
 * calls from frame to frame with their inclusive cost, in which recursion counts
 * once; they are counted where points do.  That comes at the end of the part.
 * FLATTEN_SAMPLES is not for points without contexts; FLATTEN_POINTS, for what has both, takes points
 * without contexts as costs.
 * What gets lost is added to `loss`, which must outlive it.
 */
enum flatten { FLATTEN_SAMPLES, FLATTEN_POINTS, FLATTEN_COSTS, FLATTEN_CALLS };

struct sink *filter_flatten(enum flatten as, struct dict *dict, struct loss *loss,
    struct diag *d);

/*
 * Makes samples of the costs and calls of a part, at its end: stacks estimated
 * as graph/estimate.h has it, each under a root frame [estimate].  Such a part gets the
 * fact `estimate`, and at `end` a note says so.  Samples pass.
 */
struct sink *filter_estimate(struct dict *dict, struct diag *d);

/*
 * Folds functions into their callers: those of which folds(arg, number) is true,
 * which is asked once of each in a part, of its definition without attributes.
 * Their self cost and their calls go to the places that they are called from, as
 * graph/contract.h has it.  Of each event the sum of self cost stays what it is, and so does
 * that of the calls into each function that is left: one that calls itself by way
 * of folded ones calls itself then.  Definitions and what is of no such function
 * pass at once; what becomes of the rest comes at the end of the part.
 *
 * A function that no other one calls stays, with its calls as they are, and its
 * self cost, which has no lines then.  So does the first one, by name, file and
 * object, of functions that call each other and are called by no other.
 *
 * A call whose count came out as 0 and its cost did not, has no count; one that
 * came out as nothing is not put.  Of a difference the old and the new costs are
 * shared out, and the change is what lies between them.  Jumps from or to such
 * functions are dropped, and so are the attributes of their self cost, which tell
 * of places that are no more.  Samples, points and the like pass as they are.
 *
 * Where something was shared among several functions, the part gets the fact
 * `estimate`, and at `end` a note says of how many.  Several places, or callers
 * that are all folded into one function, are not several functions.
 *
 * Memory: a row for each such function, for each place with calls of or by one,
 * and for each call that comes of it.
 */
struct sink *filter_fold(bool (*folds)(void *arg, uint32_t func), void *arg,
    struct dict *dict, struct diag *d);

/* What prof-grep(1) selects by. */
enum { IN_FUNCTION = 1, IN_FILE = 2, IN_OBJECT = 4 };
enum { END_SELF = 1, END_CALLER = 2, END_CALLEE = 4 };

struct selection {
	const struct match *match;	/* NULL: everything */
	unsigned in, role;
	bool invert;		/* keep what does not match */
	/* Levels of the call graph to keep below what matches, and above it.  With
	 * either the stream is held back until its end, and what it declares is told
	 * apart by this schema. */
	uint32_t below, above;
	struct schema *schema;
	const char *text;	/* the `filter` fact to write; NULL: none */
	bool first;		/* whether anything is kept is all there is to know: the
				 * first record that is ends the run (diag_stop()) */
	uint64_t kept;		/* set: records kept, and functions of no record */
};

#define LEVELS_ALL UINT32_MAX

/* Keeps the records in which a name is selected, and those around them that `below`
 * and `above` ask for.  `sel` outlives the pipeline, which gets one stage or two. */
void filter_grep(struct pipeline *p, struct selection *sel, struct dict *dict,
    struct diag *d);

#endif

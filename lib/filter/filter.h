/* SPDX-License-Identifier: ISC */
/*
 * Filters: stages of a pipeline.  Their arguments are checked first, so that creating
 * them cannot fail; the pipeline frees them.
 */
#ifndef PROF_FILTER_FILTER_H
#define PROF_FILTER_FILTER_H

#include "stream/dict.h"
#include "stream/loss.h"
#include "stream/pipeline.h"
#include "stream/schema.h"
#include "symbol/objects.h"
#include "symbol/symbolize.h"
#include "util/diag.h"
#include "util/match.h"

/*
 * Parses conditions on metadata, as for --where: each item of the list is one or more of
 * "KEY=VALUE" or "KEY~REGEX", separated by commas.  NULL with the diag set if one is
 * malformed.  The caller frees them.
 */
struct conditions;
struct conditions *conditions_new(const char *const *list, size_t n, struct diag *d);
void conditions_free(struct conditions *c);	/* NULL: nothing */

/*
 * Keeps the parts whose metadata meet all conditions; of several on one key, one must hold.
 * In parts that lack a key, it keeps the samples with such a label; with `runs` also the
 * headers of parts without these.  `c` must outlive the sink.  At `end`, if there were
 * parts and none was kept, adds to `none` the values that the parts have instead.
 */
struct sink *filter_where(const struct conditions *c, bool runs, struct buf *none);

/* Returns the first entry of a list of events that is neither an event nor a sum of events;
 * absent if there is none. */
struct text filter_events_wrong(const char *list);

/*
 * Keeps these events, in this order: a comma-separated list of names, derived events and
 * formulas, which filter_events_wrong() has checked.  An event that no part had is an error
 * at `end`.  Messages begin with `what`.
 */
struct sink *filter_events(const char *list, const char *what, struct diag *d);

/*
 * Finds the default event of all parts, by events_default(), and sets *name to it before a
 * part passes; until then *name is absent, and it stays absent if there are no events.  The
 * first part with a default of its own decides.  `name` must outlive the sink; its text is
 * the dictionary's.
 *
 * Memory: all records until the first event has a cost, which usually is at once.
 */
struct sink *filter_default_event(struct text *name, struct dict *dict);

/*
 * Names functions by an executable's symbols: those whose name is an address in it, and
 * those without a name at an address.  When it is freed, a note reports if no profile has
 * such an executable.
 *
 * This filter and filter_name_frames() serve all inputs of a run, each in a pipeline of its
 * own: a context that was named stays so, even in inputs that do not define it again.
 */
struct sink *filter_symbolize(struct symbolizer *symbolizer, struct dict *dict,
    struct diag *diag);

/*
 * Names the functions of frames that have an address and no name, by the symbols that
 * `objects` finds for their objects.  Files and lines come with them.
 */
struct sink *filter_name_frames(struct objects *objects, struct dict *dict);

/*
 * Gives frames that have an address and no line their file and line, from the objects of
 * their functions.  Callers have an address inside the call.  It serves all inputs, like
 * the two above.
 */
struct sink *filter_frame_lines(struct objects *objects, struct dict *dict);

/* Functions that were inlined at the addresses of frames become frames, by the objects of their
 * functions; lines: frames need them.  It serves all inputs. */
struct sink *filter_add_inlined(struct objects *objects, struct dict *dict, bool lines);

/* Gives inlined frames without an address that of the frame around them; leaves out inlined
 * frames, whose cost then belongs to the frame around them. */
struct sink *filter_inline_addrs(struct dict *dict);
struct sink *filter_without_inlined(struct dict *dict);

/* Moves the places of functions for which keeps(arg, func) is false to the file "", without
 * a line: a line then has only the cost of the other functions. */
struct sink *filter_only_places(struct dict *dict, bool (*keeps)(void *arg, uint64_t func),
    void *arg);

/*
 * For formats without points or samples: converts both to other records.  Points become
 * self cost of the part's first event; points of a context, a sample of it.  Samples become
 * costs and, if wanted, calls from frame to frame with their inclusive cost, in which
 * recursion counts once; calls have counts if points give them.  All of that is put at the
 * end of the part.  FLATTEN_SAMPLES does not accept points without contexts;
 * FLATTEN_POINTS, for formats that have both, takes points without contexts as costs.
 * Samples of a part whose creator begins with `keep` stay samples; NULL: none.  Dropped
 * data is added to `loss`, which must outlive the filter.
 */
enum flatten { FLATTEN_SAMPLES, FLATTEN_POINTS, FLATTEN_COSTS, FLATTEN_CALLS };

struct sink *filter_flatten(enum flatten as, const char *keep, struct dict *dict,
    struct loss *loss, struct diag *d);

/*
 * Removes the labels that belong to one run from samples, so that equal samples of several
 * runs are equal: the labels in the list below, except the words of the list `keep`, which
 * filter_labels_wrong() has checked (it returns the first other word); NULL: none.  Removed
 * labels are added to `loss`, which must outlive the filter.
 */
extern const char filter_run_labels[];
struct text filter_labels_wrong(const char *keep);
struct sink *filter_labels(const char *keep, struct loss *loss);

/*
 * For formats of whole numbers: values of events with parts=N, such as means, are divided
 * by N.  Self costs are rounded so that they add up to their rounded total, and in a
 * difference so that old plus change is new; costs of calls are rounded to nearest.  That
 * is added to `loss`, which must outlive the filter.
 */
struct sink *filter_whole(struct loss *loss, struct diag *d);

/*
 * Turns the costs and calls of a part into samples, at its end: stacks estimated as
 * described in graph/estimate.h, each under a root frame [estimate].  Such a part gets the
 * metadata `estimate`, and there is a note at `end`.  Samples pass unchanged.
 */
struct sink *filter_estimate(struct dict *dict, struct diag *d);

/*
 * Folds functions into their callers: those for which folds(arg, number) is true.  It
 * is called once for each function in a part, with its definition without attributes.
 * Their self cost and their calls go to the places that call them, as described in
 * graph/contract.h.  For each event the sum of self cost does not change, nor does that
 * of the calls into each remaining function; one that calls itself through folded ones
 * then calls itself directly.  Definitions and records of other functions pass at
 * once; the rest is put at the end of the part.
 *
 * A function that no other one calls stays, with its calls unchanged, and with its
 * self cost, which loses its lines.  So does the first one, by name, file and object,
 * of functions that call each other and are called by no other.  A part whose events all
 * have calls=absent passes unchanged.
 *
 * If the count of a call becomes 0 but its cost does not, the count is absent; if both
 * become 0, the call is not put.  In a difference the old and the new costs are divided,
 * and the change is computed from them.  Jumps from or to folded functions are dropped,
 * and so are the attributes of their self cost, which describe places that no longer
 * exist.  Samples, points and the like pass unchanged.
 *
 * If a cost was divided among several functions, or exceeds all calls of its function, so
 * that part of it belongs to no caller, the part gets the metadata `estimate`, and a note
 * at `end` gives the number of these functions.  Several places, or callers that are all
 * folded into one function, are not several functions.
 *
 * Memory: a row for each folded function, for each place with calls of or by one,
 * and for each resulting call.
 */
struct sink *filter_fold(bool (*folds)(void *arg, uint32_t func), void *arg,
    struct dict *dict, struct diag *d);

/* The selection of prof-grep(1). */
enum { IN_FUNCTION = 1, IN_FILE = 2, IN_OBJECT = 4 };
enum { END_SELF = 1, END_CALLER = 2, END_CALLEE = 4 };

struct selection {
	const struct match *match;	/* NULL: everything */
	unsigned in, role;
	bool invert;		/* keep what does not match */
	/* Levels of the call graph to keep below matches, and above them.  With either the
	 * stream is held back until its end, with its declarations in this schema. */
	uint32_t below, above;
	struct schema *schema;
	const char *text;	/* the `filter` metadata to write; NULL: none */
	bool first;		/* only whether anything is kept matters: the first record
				 * kept ends the run (diag_stop()) */
	uint64_t kept;		/* set: records kept, and functions without records */
};

#define LEVELS_ALL UINT32_MAX

/* Keeps the records in which a name is selected, and `below` and `above` levels around
 * them.  `sel` must outlive the pipeline, which gets one or two stages. */
void filter_grep(struct pipeline *p, struct selection *sel, struct dict *dict,
    struct diag *d);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Runs of frames by their text.  Stacks share the calls of their outer frames, so a few
 * searches for several frames at once find most of a stack.  Each run is at its hash, in
 * place of the last one there: memory is bounded.
 */
#ifndef PROF_CODEC_FOLDED_RUNS_H
#define PROF_CODEC_FOLDED_RUNS_H

#include "stream/contexts.h"
#include "util/hash.h"
#include "util/scan.h"

#define RUN_FRAMES 4		/* the most in a run; its text is shorter than SCAN bytes */
#define RUNS 4096

struct folded_run {
	uint32_t n, length;	/* frames; bytes */
	uint32_t frame[RUN_FRAMES];
	char text[SCAN];
};

/* Returns where the frames of the run end with which this part of a stack begins, as bits;
 * 0: the first frame is too long. */
static inline uint64_t
folded_run_ends(struct text rest)
{
	uint64_t ends = scan_byte(rest.s, ';'), more;
	unsigned i;

	if (rest.n < SCAN) {
		more = (uint64_t)1 << rest.n;
		ends = (ends & (more - 1)) | more;
	}
	for (more = ends, i = 0; i < RUN_FRAMES; i++)
		more &= more - 1;
	return ends ^ more;
}

/* Returns its text; ends is not 0. */
static inline struct text
folded_run_text(struct text rest, uint64_t ends)
{
	return (struct text){ rest.s, 63 - (unsigned)__builtin_clzll(ends) };
}

static inline size_t
folded_run_place(struct text t)
{
	return hash_upper(hash_bytes(t.s, t.n)) % RUNS;
}

/* Returns a run that was kept; otherwise NULL.  SCAN bytes of the text can be read. */
static inline const struct folded_run *
folded_run_find(const struct folded_run *all, struct text t)
{
	const struct folded_run *r;
	uint64_t same;

	if (!all)
		return NULL;
	r = &all[folded_run_place(t)];
	if (r->length != t.n || !r->n)
		return NULL;
	same = scan_same(t.s, r->text);
	if (t.n > 32)
		same |= (uint64_t)scan_same(t.s + 32, r->text + 32) << 32;
	return ~same & (((uint64_t)1 << t.n) - 1) ? NULL : r;
}

/* Keeps a run of n frames. */
void folded_run_keep(struct folded_run **all, struct text t, const struct stack_frame *v,
    size_t n);

#endif

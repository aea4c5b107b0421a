/* SPDX-License-Identifier: ISC */
/*
 * The frame in front of the stack of a sample: its thread, in profiles from perf, where
 * users of flame graphs expect it.  --root overrides that.
 */
#ifndef PROF_STREAM_THREAD_FRAME_H
#define PROF_STREAM_THREAD_FRAME_H

#include "stream/part.h"
#include "util/opt.h"

enum root_label { ROOT_COMM, ROOT_PID, ROOT_TID, ROOT_NONE };

#define ROOT_OF_FORMAT -1	/* as the format that was read has it */

/* The option, for the tables of tools that have it.  Its value is an int, at first
 * ROOT_OF_FORMAT. */
#define ROOT_OPTION(to) { "root", 0, OPT_ENUM, "LABEL", to, \
	"first frame of stacks: comm, pid, tid or none", "comm|pid|tid|none" }

/* All zeros but `label`: no part has begun. */
struct thread_frame {
	int label;		/* a root_label, or ROOT_OF_FORMAT */
	struct buf name;	/* the last sample's; empty: none */
	struct buf scratch;
	struct buf attrs;	/* of the last sample: equal ones have the same name */
	bool perf;		/* the part is from perf */
};

/* Begins a part, whose header is complete. */
void thread_frame_part(struct thread_frame *r, const struct part *p);
void thread_frame_free(struct thread_frame *r);

/* Sets the name from a sample's attributes, written as stackcollapse-perf.pl does with
 * --pid and --tid.  Does it differ from the last sample's? */
bool thread_frame_see_label(struct thread_frame *r, struct text attrs);

/* Inline, since most profiles have no such frame. */
static inline bool
thread_frame_see(struct thread_frame *r, struct text attrs)
{
	return (r->perf || r->label != ROOT_OF_FORMAT) && thread_frame_see_label(r, attrs);
}

#endif

/* SPDX-License-Identifier: ISC */
/*
 * The frame that is put before the stack of a sample: its thread, where the profile is
 * from perf, as those who draw flame graphs expect it; --root says otherwise.
 */
#ifndef PROF_STREAM_THREAD_FRAME_H
#define PROF_STREAM_THREAD_FRAME_H

#include "stream/part.h"
#include "util/opt.h"

enum root_label { ROOT_COMM, ROOT_PID, ROOT_TID, ROOT_NONE };

#define ROOT_OF_FORMAT -1	/* that of the format that was read */

/* The option, in the table of each who has it; its value is an int, at first
 * ROOT_OF_FORMAT. */
#define ROOT_OPTION(to) { "root", 0, OPT_ENUM, "LABEL", to, \
	"first frame: the sample's comm (of perf), pid, tid, none", "comm|pid|tid|none" }

/* All zeros but `label`: no part has begun. */
struct thread_frame {
	int label;		/* which root_label, or ROOT_OF_FORMAT */
	struct buf name;	/* the last sample's; empty: none */
	struct buf scratch;
	bool perf;		/* the part is from perf */
};

/* Begins a part, whose header is complete. */
void thread_frame_part(struct thread_frame *r, const struct part *p);
void thread_frame_free(struct thread_frame *r);

/* Sets the name from a sample's attributes, spelt as stackcollapse-perf.pl does it with
 * --pid and --tid: is it another one than the last sample had? */
bool thread_frame_see_label(struct thread_frame *r, struct text attrs);

/* Inline, as most profiles have none. */
static inline bool
thread_frame_see(struct thread_frame *r, struct text attrs)
{
	return (r->perf || r->label != ROOT_OF_FORMAT) && thread_frame_see_label(r, attrs);
}

#endif

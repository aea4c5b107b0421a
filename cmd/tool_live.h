/* SPDX-License-Identifier: ISC */
/*
 * Tables of a growing profile: while it is read, copies of the process print the input so
 * far, and at the end the process prints all of it.
 */
#ifndef PROF_TOOL_LIVE_H
#define PROF_TOOL_LIVE_H

#include "tool.h"

#include "sum/rank.h"

/* The rows of OPT_SECONDS and OPT_FLAG. */
extern struct live_opts {
	uint64_t every;		/* microseconds between two tables; 0: none are printed */
	bool follow;
} live_opts;

#define LIVE_FOLLOW { "follow", 0, OPT_FLAG, NULL, &live_opts.follow, \
	"read a file that grows, until Ctrl-C", NULL }

/* From here on the tool's input is live, if the options ask for it. */
void live_begin(struct tool *t);

/* Is this process a copy that prints the input so far? */
bool live_is_copy(void);

/* In a copy: clears the terminal, or separates tables from each other, and prints the line
 * above the table: the time, and the cost of an event per second since the table before. */
void live_print_head(const struct rank *r, struct text event, size_t width,
    struct output *out);
#define LIVE_HEAD 1		/* its lines */

#endif

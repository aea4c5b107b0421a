/* SPDX-License-Identifier: ISC */
/*
 * A process that reads the tool's input while this one shows it: when asked, it writes the
 * sum of the input so far to a file, as a profile of its own.
 */
#ifndef PROF_TOOL_READER_H
#define PROF_TOOL_READER_H

#include <sys/types.h>

#include "tool.h"

#define READER_SLOTS 8		/* files */
#define READER_WARNING "warning: "	/* begins the line of a warning */

/* The result of a request. */
struct reader_news {
	uint32_t slot;		/* the file that has the profile; NO_SLOT: none has */
	bool ended;		/* the input has, and the profile is of all of it; */
	bool failed;
	uint64_t at;		/* microseconds since the start */
	size_t notes, error;	/* bytes of the texts that follow */
};

#define NO_SLOT UINT32_MAX

struct reader {
	pid_t pid;
	int ask, answer;	/* pipes */
	int slot[READER_SLOTS];	/* temporary files without a name */
};

/* Starts it: 0, or -1 with the diag set.  follow: files grow. */
int reader_start(struct reader *r, struct tool *t, bool follow);

/* Asks for the input so far, at the earliest a fifth of a second after the last answer. */
void reader_ask(struct reader *r, uint32_t slot);

/* Waits at most so many milliseconds for an answer: false if there is none yet.  *notes becomes
 * the notes and warnings so far, lines without a newline at the end, and *error the error, if
 * any.  If the process has died, that is its failure. */
bool reader_answer(struct reader *r, int milliseconds, struct reader_news *news,
    struct buf *notes, struct buf *error);

/* Reads the profile in a slot from now on, with the tool's own filters: the options of the
 * input no longer apply. */
void reader_read(struct reader *r, struct tool *t, uint32_t slot);

/* Ends the process. */
void reader_stop(struct reader *r);

#endif

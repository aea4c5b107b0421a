/* SPDX-License-Identifier: ISC */
/*
 * Commands for the profile of a report.
 */
#ifndef PROF_REPORT_COMMAND_H
#define PROF_REPORT_COMMAND_H

#include "report/report.h"

struct command {
	const char *tool, *arguments;
	bool of_lines;		/* of a difference, it needs one with lines */
};

/* Shows what a report of few bytes has no room for. */
#define COMMAND_OF_MORE { .tool = "prof-report", .arguments = "--budget 100000" }

/* Adds the command, with the options and operands of the report. */
void add_command(const struct report *r, struct buf *b, struct command c);
/* The same as code of Markdown. */
void add_command_code(const struct report *r, struct buf *b, struct command c);

#endif

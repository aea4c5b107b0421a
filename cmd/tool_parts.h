/* SPDX-License-Identifier: ISC */
/*
 * What the parts of tool.h share:
 *
 *	tool.c		options, filters, output; the beginning and the end
 *	tool_files.c	the files that are read
 *	tool_messages.c	messages, signals, running out of memory
 */
#ifndef PROF_TOOL_PARTS_H
#define PROF_TOOL_PARTS_H

#include "tool.h"

/* The options of all tools, as given. */
extern struct tool_given {
	bool help, version, list, quiet, lenient;
	bool mangled, no_pager;
	const char *from, *events, *exe, *syms;
	struct opt_list where, rules;
	const char *output;
	bool zstd, gzip;
	uint64_t max_line, max_whole;
} tool_given;

/* ---- tool_messages.c ---- */

/* Messages are printed from here on, those of t->diag, too. */
void tool_begin_messages(struct tool *t);

/* Prints "NAME: WHAT TEXT" in visible form, since names in it come from anywhere. */
void tool_print(const char *what, const char *text);

/* The diag's `say`. */
void tool_say(void *arg, enum diag_level level, const char *text);

/* A signal that ends the program leaves no temporary file and no pager behind. */
void tool_catch_signals(void);

/* Leaves none behind. */
void tool_abandon(void);

/* ---- tool_files.c ---- */

/* Sets t->files: a folder stands for the files in it, and no file for standard input. */
void tool_list_files(struct tool *t);
void tool_free_files(void);

#endif

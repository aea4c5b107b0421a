/* SPDX-License-Identifier: ISC */
/*
 * What the parts of tool.h share:
 *
 *	tool.c		filters, output; the beginning and the end
 *	tool_options.c	the options of all tools
 *	tool_files.c	the files that are read
 *	tool_messages.c	messages, signals, running out of memory
 */
#ifndef PROF_TOOL_PARTS_H
#define PROF_TOOL_PARTS_H

#include "tool.h"

/* The options of all tools, as given. */
extern struct tool_given {
	bool help, version, list, quiet, lenient;
	bool mangled, inlined, no_pager;
	const char *from, *events, *exe, *syms;
	struct opt_list where, rules;
	const char *output;
	bool zstd, gzip;
	uint64_t max_line, max_whole;
} tool_given;

/* ---- tool_options.c ---- */

/* Parses the options of the tool and of all tools, and sets t->files.  Does not return for
 * --help and the like, nor after misuse. */
void tool_parse(struct tool *t, int argc, char **argv);

/* How the output is packed. */
enum zip_kind tool_zip(void);

/* ---- tool_messages.c ---- */

/* Messages are printed from here on, those of t->diag, too; notes unless *no_notes. */
void tool_begin_messages(struct tool *t, const bool *no_notes);

/* Prints "NAME: WHAT TEXT" in visible form, since names in it come from anywhere. */
void tool_print(const char *what, const char *text);

/* The diag's `say`. */
void tool_say(void *arg, enum diag_level level, const char *text);

/* Prints the error and exits with 2, before any output is opened. */
_Noreturn void tool_fail(struct tool *t);

/* A signal that ends the program leaves no temporary file and no pager behind. */
void tool_catch_signals(void);

/* Leaves no temporary file and no pager behind. */
void tool_abandon(void);

/* ---- tool_files.c ---- */

/* Sets t->files: a folder stands for the files in it, and no file for standard input. */
void tool_list_files(struct tool *t);
void tool_free_files(void);

#endif

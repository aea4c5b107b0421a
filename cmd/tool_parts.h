/* SPDX-License-Identifier: ISC */
/*
 * Declarations that the files behind tool.h share:
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
	enum { HELP_NONE = -1, HELP_OWN, HELP_ALL } help;
	bool version, list, quiet, lenient;
	bool mangled, inlined, no_pager;
	const char *from, *events, *exe, *syms, *sysroot, *kallsyms;
	struct opt_list where, rules;
	const char *output;
	bool zstd, gzip;
	uint64_t max_line, max_whole;
} tool_given;

/* ---- tool_options.c ---- */

/* Parses the options of the tool and of all tools, and sets t->files.  Does not return for
 * --help and the like, nor after misuse. */
void tool_parse(struct tool *t, int argc, char **argv);

/* Returns the compression of the output. */
enum zip_kind tool_zip(void);

/* ---- tool_messages.c ---- */

/* From here on messages are printed, including those of t->diag; notes unless *no_notes. */
void tool_begin_messages(struct tool *t, const bool *no_notes);

/* Prints "NAME: WHAT TEXT" in visible form, since names in it may come from anywhere. */
void tool_print(const char *what, const char *text);

/* Prints the error and exits with 2, before any output is opened. */
_Noreturn void tool_fail(struct tool *t);

/* Catches signals that end the program, so that no temporary file and no pager remains. */
void tool_catch_signals(void);

/* Removes the temporary file, and ends the pager. */
void tool_abandon(void);

/* ---- tool_files.c ---- */

/* Sets t->files: a directory stands for its files, and no operand for standard input. */
void tool_list_files(struct tool *t);
void tool_free_files(void);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * What every tool does alike: options, messages, the loop over its files, the
 * exit status.  Unlike the rest of the library this prints and exits.
 *
 *	tool_begin()	options; --help and --version end here
 *	tool_filters()	a pipeline of --where, --rules, --events: the tool adds its own
 *			stages and an encoder or a sum
 *	tool_run()	the files through the pipeline
 *	tool_end()	the output closed, the error said, the exit status
 *
 * Mistakes in options and what they name are said by the first two, before the
 * output is opened.
 */
#ifndef PROF_TOOL_H
#define PROF_TOOL_H

#include "stream/codec.h"
#include "stream/pipeline.h"
#include "util/opt.h"

enum { EXIT_DONE = 0, EXIT_NO = 1, EXIT_TROUBLE = 2 };

struct tool {
	/* told by the tool */
	const char *name;
	const char *usage;	/* after the name, without "usage: " */
	const char *says;	/* one sentence, for --help */
	const char *example;	/* the last line of --help */
	const char *heading;	/* of its own options there: what they are about */
	const struct opt *opts;
	bool formats;		/* it has the options of all formats, too */
	/* What --help says of these operands before the options; it may hide those of
	 * some formats.  NULL: nothing. */
	void (*help_of)(struct tool *t, struct buf *b);
	bool writes;		/* it has -o, --zstd, --gzip */
	bool holds;		/* it writes when all is read: how far that is, is shown;
				 * set by rules, too */
	bool own_min_cost;		/* it leaves out what costs too little itself:
				 * tool_add_min_cost() */
	bool own_events;	/* it heeds --events itself: tool_events() */
	enum zip_kind zip;	/* how its output is packed, unless options say */
	bool of_several;	/* its files are some of several: parts are told apart */
	bool one_by_one;	/* they are read one at a time: any may be empty */

	/* the rest is tool_begin()'s */
	int nfiles;		/* operands: argv[0 .. nfiles) */
	char **files;
	struct opt_table *format;	/* options of formats: nformat tables */
	size_t nformat;
	struct diag diag;
	struct dict *dict;
	struct output *out;	/* of a tool that writes; opened by tool_output() */
	struct schema *schema;
	struct symbolizer *names;	/* of the executable that was read last; NULL */
	struct buf none;	/* why --where has kept no part of what was read last;
				 * empty if it has */
};

/* Parses; exits where it must.  Operands are in t->files. */
void tool_begin(struct tool *t, int argc, char **argv);

/* One line of usage and what is wrong, exit 2. */
_Noreturn void tool_misuse(struct tool *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The same as `holds`, said before tool_run() by a tool whose options decide. */
void tool_holds(struct tool *t);

/* Has --where, --events or --rules been given?  They select, too. */
bool tool_selects(void);

/* Does what is read of one file depend on the others?  As by rules that ask what
 * something costs in all, or --events that are in none of them, an error. */
bool tool_needs_all(void);

/* The list that --events has, or NULL. */
const char *tool_events(void);

/* Do --rules leave out a fact of this name? */
bool tool_drops_fact(const char *key);

/* The stages of --where, --rules and --events: what comes after them is the tool's. */
struct pipeline tool_filters(struct tool *t);

/* Adds those that leave out what costs too little for --rules. */
void tool_add_min_cost(struct tool *t, struct pipeline *p);

/* Opens the output as -o, --zstd and --gzip say (standard output without
 * them), and says what an encoder is to be made with. */
struct encode tool_output(struct tool *t);

/* The same, and adds the encoder of a tool whose output is the stream: on a terminal
 * people get the records as tables instead. */
void tool_stream(struct tool *t, struct pipeline *p);

/* In a process of its own: standard output is this pipe, whatever -o says. */
void tool_be_worker(int fd);

/* What is read from here on was chosen and decoded already: these files are whole
 * streams, and input options do not matter any more. */
void tool_read_workers(struct tool *t, char **files, int n);

/* Would this file be read as symbols for others? */
bool tool_is_exe(const char *path);

/* Puts `prof`, what all files hold, and `end` into the pipeline; standard input
 * where there are no files.  0, or -1 and no `end` put: with an error in the diag, or
 * stopped (diag_stop()). */
int tool_run(struct tool *t, struct pipeline *p);

/* The name of an input into the output, as it can be seen on a terminal. */
void tool_put_name(struct tool *t, const char *file);

/* Between two tool_run() that have nothing to do with each other: what was read is
 * forgotten, the dictionary with it. */
void tool_forget(struct tool *t);

/* Prints the error that there is, if there is one, and forgets it: for a tool that
 * goes on. */
void tool_say_error(struct tool *t);

/* Frees the pipeline (NULL: there is none), closes the output, prints the error if
 * there is one.  r: what tool_run() gave.  Returns the exit status: if all is well,
 * `status`, or EXIT_NO if --where has kept nothing. */
int tool_end(struct tool *t, struct pipeline *p, int r, int status);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * The functions that all tools share: options, messages, the loop over files, the exit
 * status.  Unlike the library they print and exit.
 *
 *	tool_begin()	options; --help and --version end here
 *	tool_filters()	a pipeline of --where, --rules, --events; the tool adds its own
 *			stages and an encoder or a sum
 *	tool_run()	reads the files into the pipeline
 *	tool_end()	closes the output, prints the error, returns the exit status
 *
 * The first two report errors in options, and in files that these name, before the output
 * is opened.
 */
#ifndef PROF_TOOL_H
#define PROF_TOOL_H

#include "stream/codec.h"
#include "stream/pipeline.h"
#include "symbol/symbols.h"
#include "util/match.h"
#include "util/opt.h"

enum { EXIT_DONE = 0, EXIT_NO = 1, EXIT_TROUBLE = 2, EXIT_INTERRUPTED = 130 };

struct tool {
	/* set by the tool */
	const char *name;
	const char *usage;	/* after the name, without "usage: " */
	const char *summary;	/* one sentence, for --help */
	const char *example;	/* for --help */
	const char *heading;	/* of its options in --help all */
	const struct opt *opts;	/* its own, in --help, which fits a screen */
	const struct opt *more;	/* further ones, in --help all; NULL: none */
	bool formats;		/* it also has the options of all formats */
	/* Takes the operands that are not files off t->files and t->nfiles, before
	 * directories are replaced by their files.  NULL: all operands are files. */
	void (*take)(struct tool *t);
	/* Adds help on operands, before the options; decides which options of formats are
	 * shown.  all: for --help all.  NULL: none. */
	void (*help_of)(struct tool *t, bool all, struct buf *b);
	bool writes;		/* it has -o, --zstd, --gzip */
	bool pages;		/* it has --no-pager: tool_page() */
	bool shows;		/* the result is for display: it is shown even if an
				 * interrupt ends the input */
	bool writes_at_end;		/* it writes when everything is read, so progress is shown;
				 * also set by rules */
	bool own_min_cost;	/* it applies min-cost itself: tool_add_min_cost() */
	bool own_events;	/* it applies --events itself: tool_events() */
	bool own_operands;	/* its operands are not a list of files: without any, it
				 * does not read standard input, and a directory does not
				 * stand for its files */
	enum zip_kind zip;	/* default compression of its output */
	bool of_several;	/* it reads several files: parts get their names */
	bool lines;		/* frames need lines, from their addresses if need be */
	bool compares_runs;	/* it compares runs: a missing event counts */
	bool none_will_do;	/* it is no error if no file contains a profile */
	bool by_addr;		/* it shows costs by address: decoders keep addresses
				 * without being told */
	bool no_labels;		/* it looks at no label of samples but `event` */
	size_t jobs;		/* threads that read a file; 0: decoders decide */
	bool one_by_one;	/* files are read one at a time: any may be empty */

	/* the rest is set by tool_begin() */
	int nfiles;		/* to read: operands, the files of directories, or "-" */
	int nfirst;		/* those before "--"; all, if there is no "--" */
	char **files;
	struct opts options;	/* all tables */
	size_t format_from, format_to;	/* of these in prof-to, those of formats: the first
					 * one, and behind the last one */
	size_t ninput;		/* those before the options for the input */
	struct diag diag;
	/* Prints a note or a warning; the diag's while files are read. */
	void (*say)(void *arg, enum diag_level level, const char *text);
	struct dict *dict;
	struct output *out;	/* for a tool that writes; opened by tool_output() */
	struct schema *schema;
	struct executables executables;
	struct symbolizer *names;	/* of the last executable; NULL */
	bool any;		/* tool_run() has read a profile */
	struct buf none;	/* why --where kept no part of the last input; empty if it
				 * kept some */
};

/* Appends copies of the paths of the files that an operand stands for, as
 * directory_expand() does; does not return if there are none, or if -o names a file of a
 * directory. */
char **tool_expand(struct tool *t, const char *path, char **list, size_t *n, size_t *cap);

/* Parses the options; exits on errors and for --help and the like.  Operands are in
 * t->files, which tool_end() frees. */
void tool_begin(struct tool *t, int argc, char **argv);

/* Prints the error and one line of usage; exits with 2. */
_Noreturn void tool_misuse(struct tool *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Misuse if the path is that of standard input, and that is a terminal. */
void tool_refuse_terminal(struct tool *t, const char *path);

/* Compiles the pattern of an option, NULL if that was not given; a malformed one is misuse.
 * The caller frees it. */
struct match *tool_match(struct tool *t, const char *pattern);

/* Begins the progress line, for a tool whose options decide whether it `holds`. */
void tool_show_progress(struct tool *t);

/* Was --where, --events or --rules given?  They also select. */
bool tool_selects(void);

/* Does the result for one file depend on the others?  It does with rules that depend on the
 * cost in all files, with --events, where an event that no file has is an error, and with
 * --where, which lists the available values if nothing is kept. */
bool tool_needs_all(void);

/* Turns rules on, after the others, or off: 0, or -1 with the diag set.  `what` must live
 * until the end. */
int tool_turn_rules(struct tool *t, const char *what, bool on);
/* Returns the file or name of the i-th rules in force; NULL: there are no more. */
const char *tool_rules(size_t i);

/* Do --rules hold all records back until everything is read? */
bool tool_holds(void);

/* The list given with --events, or NULL. */
const char *tool_events(void);

/* Do --rules remove metadata of this name? */
bool tool_drops_fact(const char *key);

/* Returns a pipeline with the stages of --where, --rules and --events; the tool adds the
 * rest. */
struct pipeline tool_filters(struct tool *t);

/* The option of tools that match samples of several runs; its check, which exits. */
#define TOOL_KEEP_LABELS(to) { "keep-labels", 0, OPT_TEXT, "LIST", to, \
	"keep samples with other labels separate: pid, ...", \
	"pid|tid|time|cpu|trace_id|span_id" }
void tool_check_labels(struct tool *t, const char *list);

/* The option of tools that read in threads; tool_begin() sets their `jobs`. */
extern uint64_t tool_jobs;
#define TOOL_JOBS { "jobs", 'j', OPT_COUNT, "N", &tool_jobs, \
	"read a file in N threads, if that helps", NULL }

/* Adds the stage that drops functions below the costs that --rules require. */
void tool_add_min_cost(struct tool *t, struct pipeline *p);

/* Opens the output by -o, --zstd and --gzip (standard output without them), and returns the
 * arguments of an encoder. */
struct encode tool_output(struct tool *t);

/* The same, but on a terminal the output goes through the pager. */
struct encode tool_page(struct tool *t);

/* Opens it the same way, and adds the encoder for a tool that writes the stream; on a
 * terminal, records are shown as tables instead. */
void tool_stream(struct tool *t, struct pipeline *p);

/* In a worker process: writes to this pipe instead of the -o file. */
void tool_be_worker(int fd);

/* From here on reads these files: complete streams from workers, already decoded and
 * filtered, so that input options no longer apply. */
void tool_read_workers(struct tool *t, char **files, int n);

/* The same for streams that are decoded, but not filtered. */
void tool_read_copies(struct tool *t, char **files, int n);

/* Opens a file to look at, with the limits set by options; returns the same as
 * in_open(). */
struct input *tool_open(struct tool *t, const char *path);

/* Returns the executable of --exe; NULL. */
const char *tool_exe(void);

/* Would this file be read for its symbols? */
bool tool_is_exe(const char *path);

/* Is it a source file of a program of the profile?  For struct source_search; arg: the tool.
 * The first call reads the programs: the executables among the files, the objects that the
 * profile names, and the program of the command line. */
struct stat;
bool tool_is_source(void *arg, const struct stat *st);
void tool_find_sources(struct text cmd);
void tool_forget_sources(void);

/* Puts `prof`, the contents of all files, and `end` into the pipeline.  0, or -1 without
 * `end`: with an error in the diag, or stopped (diag_stop()). */
int tool_run(struct tool *t, struct pipeline *p);

/* After an error of tool_run(): removes the files that cannot be read from t->files, with a
 * warning that has the reason, and forgets the error.  Returns their number; 0 if the error
 * is not a file's, and stands. */
int tool_leave_out(struct tool *t);

/* Writes the name of an input to the output; in visible form on a terminal. */
void tool_put_name(struct tool *t, const char *file);

/* After tool_run(): what it has reported is not reported when the files are read again, and
 * there is no progress line. */
void tool_read_quietly(struct tool *t);

/* Between two independent calls of tool_run(): forgets all input, including the
 * dictionary. */
void tool_forget(struct tool *t);

/* Prints the error, if any, and forgets it: for a tool that continues. */
void tool_say_error(struct tool *t);

/* Frees the pipeline (may be NULL), closes the output and prints the error, if any.
 * r: the result of tool_run().  Returns the exit status: on success `status`, or EXIT_NO
 * if --where kept nothing. */
int tool_end(struct tool *t, struct pipeline *p, int r, int status);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Decoding: the functions that all decoders share.  A decoder puts `part` and what belongs
 * to it, definitions before their use; its caller puts `prof` and `end`, once for all
 * decoders.
 */
#ifndef PROF_STREAM_DECODE_H
#define PROF_STREAM_DECODE_H

#include "io/input.h"
#include "stream/defs.h"
#include "stream/dict.h"
#include "stream/record.h"
#include "stream/schema.h"

struct executables;
struct objects;
struct opts;
struct symbolizer;

/* The state that all inputs of a run share; input_set.h reads them. */
struct input_set {
	struct dict *dict;
	struct schema *schema;	/* records that inputs have declared */
	struct sink *out;
	struct diag *diag;
	const struct opts *given;	/* options of formats; NULL: none were */
	bool by_addr;		/* costs by address are wanted: formats for which that is an
				 * option then keep addresses */
	bool no_labels;		/* only the label `event` of samples is used: decoders may add up
				 * samples that differ in others */
	bool lenient;		/* skip malformed records, accept a truncated file */
	size_t jobs;		/* threads for an input; 0: the decoder decides */
	bool by_lines;		/* for tests: no lines are read together that could be */
	size_t max_line, max_whole;	/* limits in bytes, for in_limit() */
	uint64_t skipped;	/* skipped lines of all inputs */
	uint32_t runs;		/* the last run number given */
	struct executables *executables;	/* that were opened for any input */
	struct symbolizer *names;	/* of the executable that was given; NULL: none */
	struct objects *objects;	/* of the objects that inputs name; NULL: not needed
					 * yet */
	bool lines;		/* frames need lines, found by their addresses if absent */
	bool inlined;		/* frames need the functions that were inlined there */
	/* Filters that name functions by `names` and `objects`, add inlined frames, and
	 * give lines to frames.  They serve all inputs.  NULL: not needed yet. */
	struct sink *by_names, *by_objects, *by_inlined, *by_addresses;
};

/* One input. */
struct decode {
	struct input_set *session;	/* runs and skipped lines are counted there */
	struct input *in;
	struct cursor at;	/* the place for messages: the decoder keeps file and line
				 * up to date */
	/* The input set's; `out` has filters in front of it. */
	struct dict *dict;
	struct schema *schema;
	struct sink *out;
	struct diag *diag;
	const void *options;	/* the values of the codec's read_options */
	bool lenient;
	/* The input was written by this process and is read again, with the same
	 * dictionary: runs keep their numbers, and definitions are put although they are
	 * not new. */
	bool again;
	bool cut;		/* the input turned out to be truncated */
	bool packed_cut;	/* so did its compressed data, which was reported and skipped */
	bool unended;		/* the current line, the last one, has no newline */
	size_t events;		/* of the part so far */
};

/*
 * Results of functions that parse a line.  LINE_BAD: the line is malformed, the diag has
 * the reason, and --lenient skips it.  LINE_FATAL: nothing more can be read, for example
 * because a sink failed.  LINE_OK and LINE_FATAL are the 0 and -1 of all other functions,
 * so that such a function returns what decode_func() or sink_put() returned; only LINE_BAD
 * is its own.
 */
enum { LINE_OK = 0, LINE_FATAL = -1, LINE_BAD = -2 };

/* Put a record of a part, or of one of its events, of which it may have DECODE_EVENTS; 0 or
 * -1.  Decoders put these two by no other function. */
#define DECODE_EVENTS 20000
int decode_put_part(struct decode *d, const struct record *part);
int decode_put_event(struct decode *d, const struct record *event);

/* Puts the part of a new run, with these attributes, and its format; 0 or -1. */
int decode_part(struct decode *d, const char *format, struct text attrs);

/* An event's columns but its number.  Without attributes it has `calls=absent`, unless its
 * calls have a cost. */
struct event_def {
	struct text name, unit, description, attrs;
	bool calls;
};

/* Puts an event of the part; 0 or -1. */
int decode_event(struct decode *d, uint64_t id, const struct event_def *e);
#define DECODE_EVENT(d, id, ...) decode_event(d, id, &(struct event_def){ __VA_ARGS__ })

/* Put definitions: each puts a new one, and sets *id.  0, or -1 if a sink failed.  A file
 * or an object is given by its path alone; NO_ID if that is absent. */
static inline int
decode_file(struct decode *d, struct text path, uint32_t *id)
{
	return dict_put_path(d->dict, d->out, REC_FILE, dict_str(d->dict, path), id);
}

static inline int
decode_object(struct decode *d, struct text path, uint32_t *id)
{
	return dict_put_path(d->dict, d->out, REC_OBJECT, dict_str(d->dict, path), id);
}

static inline int
decode_object_def(struct decode *d, const struct object_def *o, uint32_t *id)
{
	return dict_put_object(d->dict, d->out, o, id);
}

static inline int
decode_func(struct decode *d, const struct func_def *f, uint32_t *id)
{
	return dict_put_func(d->dict, d->out, f, id);
}

static inline int
decode_ctx(struct decode *d, const struct ctx_def *c, uint32_t *id)
{
	return dict_put_ctx(d->dict, d->out, c, id);
}

/* Is malformed or truncated input skipped?  It is with --lenient, and after an interrupt
 * has ended the input. */
bool decode_is_lenient(const struct decode *d);

/* Takes the result of parsing a line; returns 0 to go on, -1 to stop. */
int decode_line_done(struct decode *d, int result);
/* The same for a premature end of the input, which is none in a snapshot. */
int decode_cut(struct decode *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Meaning of a last line without a newline.  LAST_ENDS: all writers of the format end their
 * lines, so the line is truncated, and is not read.  LAST_MAY_END: it is read, unless the
 * compressed input is truncated, and decode_unended() decides whether it is accepted.
 */
enum last_line { LAST_ENDS, LAST_MAY_END };

/*
 * Passes all lines of the input to block(), in blocks of whole lines [p, end) with their
 * newlines.  It keeps count of them in the diag; block() returns 0 or -1.  A last line
 * without a newline that is read comes alone, with one.  Returns 0 at the end, or -1.
 */
int decode_lines(struct decode *d, const char *what, enum last_line last,
    int (*block)(void *arg, const char *p, const char *end), void *arg);
/* The same for a decoder that is late: the lines of a block live until the second next call
 * of block(), and before all else, an end or an error, finish() completes them: 0 or -1. */
int decode_lines_late(struct decode *d, const char *what, enum last_line last,
    int (*block)(void *arg, const char *p, const char *end), int (*finish)(void *arg),
    void *arg);
/* For decoders that do not use decode_lines(): handles a last line without a newline.  1:
 * read it; otherwise the result of decode_line_done(), 0 or -1. */
int decode_last_line(struct decode *d, const char *what, enum last_line last);
/* For decoders that have the whole input, of a format with LAST_ENDS: drops a last line
 * without a newline from it, and moves the place of errors there.  The result of
 * decode_line_done(), 0 or -1. */
int decode_whole_lines(struct decode *d, const char *what, struct text *all);

/* The evidence in the rest of the file for such a line: none, that the file is complete,
 * that it is truncated, or that its profiler never ends the last line. */
enum end_proof { END_UNPROVED, END_WHOLE, END_CUT, END_BY_HABIT };

/*
 * Called at the end of a file that LAST_MAY_END.  A line without a newline whose end is not
 * proved counts as truncated; with --lenient it gets a note.  In a file whose profiler
 * never ends the last line, it gets the note without --lenient; but from a pipe it counts
 * as truncated, as the writer may have been killed.  0 or -1.
 */
int decode_unended(struct decode *d, const char *what, enum end_proof proof);

/* For formats that are read a line at a time: calls line() for each line of a block,
 * without its newline, and handles the result as decode_line_done() does.  Inline, so that
 * a line costs no call by a pointer. */
static inline __attribute__((always_inline)) int
decode_each_line(struct decode *d, const char *p, const char *end,
    int (*line)(void *arg, const char *p, const char *end), void *arg)
{
	const char *lf;
	int ret;

	for (; p < end; p = lf + 1) {
		d->at.line++;
		lf = memchr(p, '\n', (size_t)(end - p));
		if ((ret = line(arg, p, lf)) && decode_line_done(d, ret) < 0)
			return -1;
	}
	return 0;
}

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Decoding: what every decoder does alike.  A decoder puts `part` and what belongs
 * to it, definitions before their use; `prof` and `end` are put once by whoever runs
 * the decoders.
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

/* What all inputs of a run share; session.h reads them. */
struct input_set {
	struct dict *dict;
	struct schema *schema;	/* records that inputs have declared */
	struct sink *out;
	struct diag *diag;
	const struct opts *given;	/* options of formats; NULL: none were */
	bool by_addr;		/* costs by address are wanted: formats that keep addresses if
				 * an option says so keep them */
	bool no_labels;		/* nobody looks at those of samples but at `event`: decoders may
				 * add up what differs in others */
	bool lenient;		/* skip what is malformed, take a cut file */
	size_t max_line, max_whole;	/* bytes, as in_limit() has them */
	uint64_t skipped;	/* lines that were, of all inputs */
	uint32_t runs;		/* the last run number given */
	struct executables *executables;	/* of all that is read */
	struct symbolizer *names;	/* of the executable; NULL: none was given */
	struct objects *objects;	/* of those that inputs name; NULL: not needed yet */
	bool lines;		/* frames need lines: from their addresses, if they have none */
	bool inlined;		/* and the functions that were inlined there */
	/* The filters that name functions by them, and that give frames lines; they serve all
	 * inputs.  NULL: not needed yet. */
	struct sink *by_names, *by_objects, *by_inlined, *by_addresses;
};

/* One input. */
struct decode {
	struct input_set *session;	/* runs and skipped lines are counted there */
	struct input *in;
	struct cursor at;	/* what messages name: file and line are the decoder's
				 * to keep */
	/* Those of the session; `out` has filters in front of it. */
	struct dict *dict;
	struct schema *schema;
	struct sink *out;
	struct diag *diag;
	const void *options;	/* the values of the codec's read_options */
	bool lenient;
	/* What was written from here is read again, with the dictionary that it was
	 * written with: runs keep their numbers, and definitions are put though they
	 * are no new ones. */
	bool again;
	bool cut;		/* the input was found to end too early */
	bool unended;		/* the line at hand, the last one, has no newline */
};

/*
 * Results of functions that parse a line.  LINE_BAD: the line is malformed, the diag says
 * how, and --lenient skips it.  LINE_FATAL: nothing more can be read, as where a sink
 * failed.  LINE_OK and LINE_FATAL are the 0 and -1 of all other functions, so that such a
 * function returns what decode_func() or sink_put() returned; only LINE_BAD is its own.
 */
enum { LINE_OK = 0, LINE_FATAL = -1, LINE_BAD = -2 };

/* Puts the part of a new run, with these attributes, and its format; 0 or -1. */
int decode_part(struct decode *d, const char *format, struct text attrs);

/* A decoder's definitions: each puts a new one, and sets *id.  0, or -1 as a sink failed.
 * A file or an object of which only the path is known is NO_ID if that is absent. */
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

/* Is what is malformed or cut left out?  With --lenient it is, and where an interrupt ended
 * the input. */
bool decode_is_lenient(const struct decode *d);

/* Takes the result of a line; returns 0 to go on, -1 to stop. */
int decode_line_done(struct decode *d, int result);
/* The same for an end of input that came too early. */
int decode_cut(struct decode *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * What a last line without a newline is.  In formats of which all writers end
 * their lines a cut, and it is not read; in others it is read, unless what was
 * compressed is cut, and decode_unended() says what becomes of it.
 */
enum last_line { LAST_ENDS, LAST_MAY_END };

/*
 * Gives all lines of the input to `block`, whole blocks of them, [p, end) with
 * their newlines; it keeps count of them in the diag and returns 0 or -1.  A
 * last line that is read comes alone, with a newline.  0 at the end, or -1.
 */
int decode_lines(struct decode *d, const char *what, enum last_line last,
    int (*block)(void *arg, const char *p, const char *end), void *arg);
/* For who has the lines otherwise: the one after those that were read has no
 * newline.  1: it is to be read; 0 or -1, as decode_line_done(), if not. */
int decode_last_line(struct decode *d, const char *what, enum last_line last);

/* What the rest of the file says of such a line: that nothing can be missing, that
 * something is, or neither; or that its producer ends no last line. */
enum end_proof { END_UNPROVED, END_WHOLE, END_CUT, END_BY_HABIT };

/*
 * Called at the end of a file that LAST_MAY_END.  A line without a newline whose
 * end is unproved is a cut; with --lenient it has a note.  So it has without, in a file
 * that ends so by habit; what a pipe brings is a cut, as whoever writes to it may have
 * been killed.  0 or -1.
 */
int decode_unended(struct decode *d, const char *what, enum end_proof proof);

/* For formats that are read a line at a time: calls line() for each of a block, its
 * newline left out, and does with what it comes to as decode_line_done().  Inline,
 * so that a line costs no call by a pointer. */
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

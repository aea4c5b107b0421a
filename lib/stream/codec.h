/* SPDX-License-Identifier: ISC */
/*
 * Formats.  A decoder reads an input and puts records into a sink; an encoder
 * is a sink that writes to an output.  codec.c holds the table of them.
 */
#ifndef PROF_STREAM_CODEC_H
#define PROF_STREAM_CODEC_H

#include "io/input.h"
#include "io/output.h"
#include "stream/dict.h"
#include "stream/record.h"
#include "stream/schema.h"

/*
 * What the tools' inputs share, and one input's decoding.  A decoder puts
 * `part` and what belongs to it, definitions before their use; `prof` and
 * `end` are put once by whoever runs the decoders.
 */
struct symbols;
struct symbolizer;

struct decode {
	struct input *in;
	struct dict *dict;
	struct schema *schema;	/* records that inputs have declared */
	struct sink *out;
	struct diag *diag;	/* file and line are the decoder's to keep */
	/* What was written from here is read again, with the dictionary that it was
	 * written with: runs keep their numbers, and definitions are put though they
	 * are no new ones. */
	bool again;
	bool lenient;		/* skip what is malformed, take a cut file */
	size_t max_line;	/* bytes, as in_limit() has it */
	uint64_t skipped;	/* lines that were */
	bool cut;		/* the input was found to end too early */
	bool unended;		/* the line at hand, the last one, has no newline */
	uint32_t runs;		/* the last run number given */
	struct symbolizer *names;	/* of the executable; NULL: none was given */
};

/* What a decoder's line says went wrong: a line that --lenient may skip, or
 * the end of all (a sink's failure, for one). */
enum { LINE_OK = 0, LINE_FATAL = -1, LINE_BAD = -2 };

/* Puts the part of a new run, with these attributes, and its format; 0 or -1. */
int decode_part(struct decode *d, const char *format, struct text attrs);

/* Called with what a line came to: 0 to go on, -1 to stop. */
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
/* For who has the lines otherwise: the one behind those that were read has no
 * newline.  1: it is to be read; 0 or -1, as decode_line_done(), if not. */
int decode_last_line(struct decode *d, const char *what, enum last_line last);

/* What the rest of the file says of such a line: that nothing can be missing, that
 * something is, or neither. */
enum end_proof { END_UNPROVED, END_WHOLE, END_CUT };

/*
 * Called at the end of a file that LAST_MAY_END.  A line without a newline whose
 * end is unproved has a note where it comes from a file, or with --lenient; what
 * a pipe brings is a cut, as whoever writes to it may have been killed.  0 or -1.
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
		d->diag->line++;
		lf = memchr(p, '\n', (size_t)(end - p));
		if ((ret = line(arg, p, lf)) && decode_line_done(d, ret) < 0)
			return -1;
	}
	return 0;
}

struct encode {
	struct output *out;
	struct dict *dict;
	struct diag *diag;
	/* Points to the names of the executable that was read last: one of the
	 * inputs may be one.  To NULL: there was none so far. */
	struct symbolizer *const *names;
	bool strict;		/* a loss is an error */
	const struct rec_def *records;	/* of a table; NULL: the main kind */
	const char *layout;	/* "little64" and the like; NULL: the profile's */
	int version;		/* of aprof reports; -1: the profile's */
	size_t width;		/* of the terminal that it is for; 0: for none */
	bool color;
};

/* What a probe says of bytes that may be of its format, or of anything else. */
#define PROBE_WHOLE -1

struct codec {
	const char *name, *alias;	/* alias NULL or the format's other name */
	const char *says;
	/* How sure the first n bytes make it that this is the format: 0 not,
	 * else the number of bytes that only this format has there; PROBE_WHOLE
	 * leaves it to probe_whole(), which is asked about all of the input if no
	 * other format is sure of it. */
	int (*probe)(const char *p, size_t n);
	bool (*probe_whole)(const char *p, size_t n);
	/* 0, or -1 with the reason in the diag. */
	int (*decode)(struct decode *);
	/* The encoder writes out and reports losses when it is put `end`.  Where that
	 * fails or never comes, it is freed as it is: that what it has written does
	 * not pass for a whole is the output's care (output.h).  One whose readers
	 * miss its end, writes binary data or for people says so by out_holds(). */
	struct sink *(*encode)(struct encode *);
};

extern const struct codec *const codec_table[];	/* ends with NULL */

/* By its name or its other one; NULL: there is none. */
const struct codec *codec_find(const char *name);
/* The codec that is surest of the input, which is not consumed, in *c; NULL: none
 * is.  0, or -1 with the diag set. */
int codec_probe(struct input *in, const struct codec **c);
/* "callgrind, prof", of those that can be decoded, or encoded. */
const char *codec_names(bool encode);

/* The symbols (NULL: reading them failed) are those of the files that follow;
 * they are taken over.  0, or -1 for NULL. */
int decode_names(struct decode *d, struct symbols *s);

/*
 * Decodes one file into d->out: opens it, finds the format (`from` may name
 * it), and writes the meta that come with a file.  source: the name to give
 * the parts of it that have none, or NULL (of several files then): an empty
 * one of several is passed over with a warning, as valgrind leaves one beside
 * those of the threads.  An executable is no profile: its symbols are for the
 * files after it.
 */
enum { FILE_DONE = 0, FILE_EMPTY = 1, FILE_EXE = 2 };	/* -1 with the diag set */

int decode_file(struct decode *d, const char *path, const struct codec *from,
    const char *source);

extern const struct codec codec_callgrind, codec_cachegrind, codec_aprof,
    codec_folded, codec_gmon, codec_gmon_bsd44, codec_gmon_bsd, codec_xprof,
    codec_prof, codec_tsv, codec_json, codec_text;

#endif

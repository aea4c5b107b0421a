/* SPDX-License-Identifier: ISC */
/*
 * Formats.  A decoder reads an input and puts records into a sink; an encoder
 * is a sink that writes to an output.  codec.c holds the table of them.
 */
#ifndef PROF_STREAM_CODEC_H
#define PROF_STREAM_CODEC_H

#include "stream/decode.h"
#include "stream/encode.h"
#include "util/opt.h"

/* What a probe says of bytes that may be of its format, or of anything else. */
#define PROBE_WHOLE -1

/* What of a profile a format may hold: the rows of the table in prof-formats(7). */
enum holding {
	HOLDS_LINES, HOLDS_ADDRS, HOLDS_COUNTERS,	/* costs by them */
	HOLDS_FUNCTIONS, HOLDS_FILES, HOLDS_OBJECTS, HOLDS_KEYS,
	HOLDS_CALLS, HOLDS_INCLUSIVE, HOLDS_JUMPS, HOLDS_CONTEXTS, HOLDS_SAMPLES,
	HOLDS_POINTS, HOLDS_VALUES,
	HOLDS_PARTS, HOLDS_EVENTS, HOLDS_UNITS, HOLDS_FACTS, HOLDS_TOTAL, HOLDS_END,
	HOLDINGS
};

enum held {
	HELD_NO,
	HELD_YES,
	HELD_RIDES,		/* in free text: other programs take it for a comment */
	HELD_SOME,		/* some of it, or some files */
	HELD_ONE, HELD_TWO, HELD_THREE,	/* that many: more than one or two events are refused */
	HELD_JOINED,		/* of parts: they become one, a loss */
	HELDS
};

extern const char *const holding_name[HOLDINGS];	/* "cost by line", ... */
extern const char *const held_name[HELDS];		/* "no", "yes", ... */

struct codec {
	const char *name, *alias;	/* alias NULL or the format's other name */
	const char *says;
	const char *meant;	/* NULL, or words by which people may ask for it that are
				 * none of its names: "did you mean" */
	const char *files;	/* what its files are called: patterns of sh(1), blanks
				 * between two; NULL: anything */
	/* How sure the first n bytes make it that this is the format: 0 not,
	 * else the number of bytes that only this format has there; PROBE_WHOLE
	 * leaves it to probe_whole(), which is asked about all of the input if no
	 * other format is sure of it. */
	int (*probe)(const char *p, size_t n);
	bool (*probe_whole)(const char *p, size_t n);
	/* What the first n bytes are that no format takes, but that this one could have had:
	 * how to make it so, in words that end a message; NULL: nothing of it. */
	const char *(*nearly)(const char *p, size_t n);
	/* 0, or the most that probe() returns: such a weak one, which has to look at
	 * all n bytes, comes after the others, and not where one is as sure. */
	int probe_most;
	/* 0, or -1 with the reason in the diag. */
	int (*decode)(struct decode *);
	/* The encoder writes out when it is put `end`.  Where that fails or never
	 * comes, it is freed as it is: that what it has written does not pass for a
	 * whole is the output's care (output.h).  One whose readers miss its end,
	 * writes binary data or for people says so by out_holds(). */
	struct sink *(*encode)(const struct encode *);
	/* How prof-to writes it, and how all tools read it; NULL: no options.  encode() and
	 * decode() have their values. */
	const struct opt_group *options, *read_options;
	/* From this follows what must become of a profile before the encoder has it,
	 * and what is refused or lost (fit.h). */
	enum held holds[HOLDINGS];
	enum zip_kind zip;	/* what it is packed with, unless options say */
	bool nameless;		/* frames may have addresses alone, of several objects */
	bool shows_default;	/* it has to know the event that is the default */
	bool parts;		/* means of whole numbers stay what they are: it has scales */
	bool gprof;		/* functions are those that gprof takes */
	bool picture;		/* it says itself what it shows: losses are told if asked for */
	bool raw;		/* `raw` records of its own files come back */
	const char *samples_of;	/* NULL, or it holds samples only of parts whose creator
				 * begins so */
	const char *needs;	/* "costs": a profile without them is refused */
};

extern const struct codec *const codec_table[];	/* ends with NULL */

/* By its name or its other one; NULL: there is none. */
const struct codec *codec_find(const char *name);
/* The name of the written format that may be meant by another word; NULL.  Valid until
 * the next call. */
const char *codec_meant(const char *word);
/* The codec that is surest of the input, which is not consumed, in *c; NULL: none
 * is.  Of several that have to be asked about the whole the first one that says yes.
 * 0, or -1 with the diag set. */
int codec_probe(struct input *in, const struct codec **c);
/* "callgrind, prof", of those that can be read, or written.  It lives until the next
 * call for the same. */
enum codec_use { CODEC_READ, CODEC_WRITE };
const char *codec_names(enum codec_use use);

/* For `holds`: everything, but for a mark at the end. */
#define HOLDS_ALL [HOLDS_LINES ... HOLDS_TOTAL] = HELD_YES

/* Those that code asks for: the canonical stream, and the records for people. */
extern const struct codec codec_prof, codec_text;

#endif

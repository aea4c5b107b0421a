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

/* Returned by a probe whose bytes may be of its format, or of anything else. */
#define PROBE_WHOLE -1

/* What a format may support of a profile: the columns of the tables in prof-formats(7). */
enum feature {
	FEATURE_LINES, FEATURE_ADDRS, FEATURE_COUNTERS,	/* costs by them */
	FEATURE_FUNCTIONS, FEATURE_FILES, FEATURE_OBJECTS, FEATURE_KEYS,
	FEATURE_CALLS, FEATURE_INCLUSIVE, FEATURE_JUMPS, FEATURE_CONTEXTS,
	FEATURE_SAMPLES, FEATURE_POINTS, FEATURE_VALUES,
	FEATURE_PARTS, FEATURE_EVENTS, FEATURE_UNITS, FEATURE_FACTS, FEATURE_TOTAL,
	FEATURE_END,
	FEATURES
};

enum support {
	SUPPORT_NO,
	SUPPORT_YES,
	SUPPORT_IN_COMMENTS,	/* only this toolkit reads them back */
	SUPPORT_SOME,		/* some of it, or in some files */
	SUPPORT_ONE, SUPPORT_TWO, SUPPORT_THREE,	/* that many; of events, more than one
				 * or two are refused */
	SUPPORT_JOINED,		/* several become one, which is a loss */
	SUPPORTS
};

extern const char *const feature_name[FEATURES];	/* "cost by line", ... */
extern const char *const support_name[SUPPORTS];	/* "no", "yes", ... */

struct codec {
	const char *name, *alias;	/* alias NULL or the format's other name */
	const char *summary;	/* one line */
	const char *synonyms;	/* NULL, or other words for it, for "did you mean" */
	const char *patterns;	/* of its files' names, as in sh(1), separated by blanks;
				 * NULL: they may have any name */
	/* How sure the first n bytes make it that this is the format: 0 not,
	 * else the number of bytes that only this format has there; PROBE_WHOLE
	 * leaves it to probe_whole(), which is asked about all of the input if no
	 * other format is sure of it. */
	int (*probe)(const char *p, size_t n);
	bool (*probe_whole)(const char *p, size_t n);
	/* For bytes that no format takes: what they are, if a related program wrote them,
	 * and how to make a profile of this format, in words that end a message; NULL: they
	 * are not related. */
	const char *(*near_miss)(const char *p, size_t n);
	/* 0, or the most that probe() returns: such a weak one, which has to look at
	 * all n bytes, comes after the others, and not where one is as sure. */
	int probe_most;
	/* 0, or -1 with the reason in the diag. */
	int (*decode)(struct decode *);
	/* The encoder writes out when it is put `end`.  If that fails or never comes, it
	 * is freed, and output.h sees to it that what it has written is not taken for the
	 * whole.  An encoder whose readers do not notice a missing end, or that writes
	 * binary data or text for people, declares so by out_holds(). */
	struct sink *(*encode)(const struct encode *);
	/* How prof-to writes it, and how all tools read it; NULL: no options.  encode() and
	 * decode() have their values. */
	const struct opt_group *options, *read_options;
	/* fit.h derives from this how a profile is changed before it reaches the encoder,
	 * and what is refused or lost. */
	enum support supports[FEATURES];
	enum zip_kind zip;	/* what it is packed with, unless options say */
	bool nameless;		/* frames may have addresses alone, of several objects */
	bool shows_default;	/* it has to know the event that is the default */
	bool scales;		/* it keeps means of whole numbers, as events have scales */
	bool gprof;		/* functions are those that gprof takes */
	bool picture;		/* it shows what it is of: losses are told only if asked for */
	bool raw;		/* `raw` records of its own files come back */
	const char *samples_of;	/* NULL, or it holds samples only of parts whose creator
				 * begins so */
	const char *needs;	/* "costs": a profile without them is refused */
};

extern const struct codec *const codec_table[];	/* ends with NULL */

/* By its name or its other one; NULL: there is none. */
const struct codec *codec_find(const char *name);
/* The name of the written format that another word may stand for; NULL.  Valid until
 * the next call. */
const char *codec_suggest(const char *word);
/* The codec that is surest of the input, which is not consumed, in *c; NULL: none
 * is.  Of several that have to be asked about the whole the first one that says yes.
 * 0, or -1 with the diag set. */
int codec_probe(struct input *in, const struct codec **c);
/* "callgrind, prof", of those that can be read, or written.  It lives until the next
 * call for the same. */
enum codec_use { CODEC_READ, CODEC_WRITE };
const char *codec_names(enum codec_use use);

/* For `supports`: everything, but for a mark at the end. */
#define SUPPORTS_ALL [FEATURE_LINES ... FEATURE_TOTAL] = SUPPORT_YES

/* The canonical stream, and the records for people: other code uses them by name. */
extern const struct codec codec_prof, codec_text;

#endif

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

/* What a format may support: the columns of the tables in prof-formats(7). */
enum feature {
	FEATURE_LINES, FEATURE_ADDRS, FEATURE_COUNTERS,	/* costs by these */
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
	SUPPORT_ONE, SUPPORT_TWO, SUPPORT_THREE,	/* that many; for events, more than
							 * one or two are rejected */
	SUPPORT_JOINED,		/* several become one, which drops data */
	SUPPORTS
};

/* What a written format is for. */
enum purpose {
	PURPOSE_PROFILER,	/* a profiler and its programs */
	PURPOSE_PICTURE,	/* dropped data is reported on request only */
	PURPOSE_VIEWER,		/* programs that show the profiles of others */
	PURPOSE_TABLE,		/* any program: records and tables */
	PURPOSES
};

extern const char *const purpose_name[PURPOSES];	/* "pictures", ... */
extern const char *const feature_name[FEATURES];	/* "cost by line", ... */
extern const char *const support_name[SUPPORTS];	/* "no", "yes", ... */

struct codec {
	const char *name, *alias;	/* alias NULL or the format's other name */
	const char *summary;	/* one line */
	const char *synonyms;	/* other words for the format, for "did you mean", separated
				 * by commas; NULL: none */
	enum purpose purpose;	/* if it is written */
	const char *patterns;	/* glob patterns of its file names, as in sh(1), separated
				 * by blanks; NULL: any name */
	const char *dir_file;	/* the file that stands for a directory which is one profile;
				 * NULL: none is */
	/* How sure the first n bytes make it that this is the format: 0 if they are not of
	 * it, otherwise the number of bytes that only this format has there.  PROBE_WHOLE
	 * leaves the decision to probe_whole(), which gets the whole input if no other
	 * format is sure of it. */
	int (*probe)(const char *p, size_t n);
	bool (*probe_whole)(const char *p, size_t n);
	/* For bytes that no format recognises: if a related program wrote them, returns
	 * their kind and how to make a profile of this format, for a message; otherwise
	 * NULL. */
	const char *(*near_miss)(const char *p, size_t n);
	/* 0, or the most that probe() returns.  A probe that is as weak as that needs all n
	 * bytes; it comes after the others, and loses against one that is as sure. */
	int probe_most;
	/* 0, or -1 with the reason in the diag. */
	int (*decode)(struct decode *);
	/* The encoder writes out when it is put `end`.  If that fails or never comes, it is
	 * freed, and output.h ensures that its output is not taken for a complete one.  An
	 * encoder whose readers do not notice a missing end, or that writes binary data or
	 * text for terminals, declares so by out_set_content(). */
	struct sink *(*encode)(const struct encode *);
	/* Options for writing it with prof-to, and for reading it with any tool; NULL:
	 * none. encode() and decode() get their values. */
	const struct opt_group *options, *read_options;
	/* unsupported.h derives from this how a profile is changed before it reaches the
	 * encoder, and which data is rejected or dropped. */
	enum support supports[FEATURES];
	enum zip_kind zip;	/* default compression */
	bool nameless;		/* frames may have addresses instead of names, in several
				 * objects */
	bool shows_default;	/* it needs to know which event is the default */
	bool scales;		/* it keeps means as whole numbers with a scale */
	bool gprof;		/* its functions are those that gprof would choose */
	bool raw;		/* `raw` records of its own files can be written back */
	const char *samples_of;	/* NULL, or the beginning of the creators whose parts have
				 * samples in this format; other parts have none */
	/* How to make a profile with lines, and with addresses, in words that end a message;
	 * NULL: by recording it with them. */
	const char *lines_from, *addrs_from;
	const char *needs;	/* "costs": a profile without them is rejected */
};

extern const struct codec *const codec_table[];	/* ends with NULL */

/* Finds a codec by its name or its alias; NULL: there is none. */
const struct codec *codec_find(const char *name);
/* Sets *c to the codec that is surest of the input, which is not consumed; NULL: no codec
 * is.  If several codecs need the whole input, the first one that accepts it is taken.  0,
 * or -1 with the diag set. */
int codec_probe(struct input *in, const struct codec **c);
/* Sets *file to the path of the file that stands for a directory; false: no format takes the
 * directory for one profile. */
bool codec_find_dir_file(const char *dir, struct buf *file);
/* The names of the formats that can be read, or written: "callgrind, prof".  Valid until
 * the next call for the same use. */
enum codec_use { CODEC_READ, CODEC_WRITE };
const char *codec_names(enum codec_use use);
/* Returns the name of the format that can be read, or written, and that another word may
 * stand for; NULL: none.  Valid until the next call. */
const char *codec_suggest(const char *word, enum codec_use use);

/* For `supports`: everything except a mark at the end. */
#define SUPPORTS_ALL [FEATURE_LINES ... FEATURE_TOTAL] = SUPPORT_YES

/* The canonical stream, and the records as text: other code uses them by name. */
extern const struct codec codec_prof, codec_text;

#endif

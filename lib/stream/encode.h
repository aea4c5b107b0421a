/* SPDX-License-Identifier: ISC */
/* Encoding: what an encoder is made with. */
#ifndef PROF_STREAM_ENCODE_H
#define PROF_STREAM_ENCODE_H

#include "io/output.h"
#include "stream/dict.h"
#include "stream/loss.h"
#include "stream/record.h"

struct opts;
struct symbolizer;

struct encode {
	const char *format;	/* its name, for messages */
	struct output *out;
	struct dict *dict;
	struct diag *diag;
	struct loss *loss;	/* what the format cannot hold is added to it */
	/* Points to the names of the executable that was read last: one of the
	 * inputs may be one.  To NULL: there was none so far. */
	struct symbolizer *const *names;
	/* Of a codec that shows one event: the default, set before the first part comes; it is
	 * absent if there are no events. */
	const struct text *event;
	const struct opts *given;	/* options of formats; NULL: none were */
	const void *options;	/* the values of those of the codec, set by codec_encode() */
	bool strict;		/* a loss is an error */
	struct output *losses;	/* NULL, or they are listed there instead of in a note */
	size_t width;		/* of the terminal that it is for; 0: for none */
	bool color;
};

/* An error of this encoder, "FORMAT: ..." with the format's name.  Always -1, as
 * diag_fail_plain(). */
int encode_fail(const struct encode *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The same of a number: "a sum". */
int encode_too_large(const struct encode *e, const char *what);

#endif

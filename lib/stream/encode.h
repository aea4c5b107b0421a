/* SPDX-License-Identifier: ISC */
/* Encoding: the arguments of an encoder. */
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
	struct loss *loss;	/* gets the data that the format does not support */
	/* *names are the symbols of the executable that was read last, as an input may be
	 * one; NULL until one was read. */
	struct symbolizer *const *names;
	/* For a codec that shows one event: the default event, set before the first part
	 * comes; absent if there are no events. */
	const struct text *event;
	const struct opts *given;	/* options of formats; NULL: none were */
	const void *options;	/* values of the codec's options, set by codec_encode() */
	bool strict;		/* dropped data is an error */
	struct output *losses;	/* NULL, or dropped data is listed there instead of in a
				 * note */
	size_t width;		/* of the terminal that it writes to; 0: none */
	bool color;
};

/* Sets an error of this encoder, "FORMAT: ..." with the format's name.  Always returns -1,
 * like diag_fail_plain(). */
int encode_fail(const struct encode *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The same of a number: "a sum". */
int encode_too_large(const struct encode *e, const char *what);

#endif

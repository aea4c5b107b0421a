/* SPDX-License-Identifier: ISC */
/*
 * Formats.  A decoder reads an input and puts records into a sink; an encoder
 * is a sink that writes to an output.  codec.c holds the table of them.
 */
#ifndef PROF_STREAM_CODEC_H
#define PROF_STREAM_CODEC_H

#include "stream/decode.h"
#include "stream/encode.h"

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

extern const struct codec codec_callgrind, codec_cachegrind, codec_aprof,
    codec_folded, codec_gmon, codec_gmon_bsd44, codec_gmon_bsd, codec_xprof,
    codec_prof, codec_tsv, codec_json, codec_text;

#endif

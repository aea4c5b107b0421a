/* SPDX-License-Identifier: ISC */
/* Encoding: what an encoder is made with. */
#ifndef PROF_STREAM_ENCODE_H
#define PROF_STREAM_ENCODE_H

#include "io/output.h"
#include "stream/dict.h"
#include "stream/record.h"

struct symbolizer;

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

#endif

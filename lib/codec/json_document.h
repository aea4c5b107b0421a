/* SPDX-License-Identifier: ISC */
/*
 * A JSON document as decoders read it: whole, in memory, up to --max-whole.  Errors name
 * the byte.  A document that is cut is none: --lenient does not read what is left of it.
 */
#ifndef PROF_CODEC_JSON_DOCUMENT_H
#define PROF_CODEC_JSON_DOCUMENT_H

#include "stream/decode.h"
#include "util/json_read.h"

struct document {
	struct decode *d;
	struct json_reader j;
};

/* Reads the input: 0, or -1 with the diag set.  The texts of doc->j live as long as the
 * input does. */
int document_open(struct document *doc, struct decode *d);

/* Ends it: r, which the decoder came to, or -1 with the diag set if the document is not
 * JSON, or there is more after it.  To be called whatever went wrong. */
int document_close(struct document *doc, int r);

/* Messages are about this byte of the document from now on. */
void document_place(struct document *doc, const char *at);

/* An error at this byte: -1. */
#define DOCUMENT_FAIL(doc, at, ...) \
	(document_place((doc), (at)), diag_fail((doc)->d->diag, __VA_ARGS__))

/* Reads a value that was passed over, at `at`, by read(arg): what that came to, or -1 if
 * there is an error in the document.  Reading goes on where it was. */
int document_reread(struct document *doc, const char *at, int (*read)(void *), void *arg);

/* A string, the next value, kept in the dictionary; absent for null, or an error. */
struct text document_text(struct document *doc);

/* Where the next value begins. */
const char *document_at(struct document *doc);

#endif

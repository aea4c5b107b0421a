/* SPDX-License-Identifier: ISC */
/*
 * A JSON document as decoders read it: whole, in memory, up to --max-whole, or through a
 * window (json_window.h).  Errors name the byte.  A truncated document is not JSON: --lenient
 * does not read a part of it.
 */
#ifndef PROF_CODEC_JSON_DOCUMENT_H
#define PROF_CODEC_JSON_DOCUMENT_H

#include "stream/decode.h"
#include "util/json_read.h"

struct document {
	struct decode *d;
	struct json_reader j;
	uint64_t base;		/* where the text of `j` begins in the file */
};

/* Reads the input: 0, or -1 with the diag set.  The texts of doc->j live as long as the
 * input. */
int document_open(struct document *doc, struct decode *d);

/* Ends reading.  Returns r, the decoder's result, or -1 with the diag set if the document
 * is not JSON, or something follows it.  Call it even after an error. */
int document_close(struct document *doc, int r);

/* Returns the byte of the file that a place of the text is. */
static inline uint64_t
document_offset(const struct document *doc, const char *at)
{
	return doc->base + (uint64_t)(at - doc->j.begin);
}

/* Sets the byte of the document that messages name, as a place of the text or as its
 * offset. */
void document_place(struct document *doc, const char *at);
void document_place_offset(struct document *doc, uint64_t offset);

/* Fails with an error at this byte: -1. */
#define DOCUMENT_FAIL(doc, at, ...) \
	(document_place((doc), (at)), diag_fail((doc)->d->diag, __VA_ARGS__))

/* Calls read(arg) for the value at `at`, which was skipped before.  Returns its result, or
 * -1 if there is an error in the document.  Reading then continues where it was. */
int document_reread(struct document *doc, const char *at, int (*read)(void *), void *arg);

/* Reads a string, the next value, and keeps it in the dictionary; absent for null, or after
 * an error. */
struct text document_text(struct document *doc);

/* Returns where the next value begins. */
const char *document_at(struct document *doc);

#endif

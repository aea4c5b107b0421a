/* SPDX-License-Identifier: ISC */
/*
 * speedscope's own format: a table of frames, and profiles of two types: samples, each a
 * list of frames with a weight, or events, which open and close frames
 * (src/lib/file-format-spec.ts of github.com/jlfwong/speedscope).
 */
#ifndef PROF_CODEC_SPEEDSCOPE_READER_H
#define PROF_CODEC_SPEEDSCOPE_READER_H

#include "codec/js_functions.h"
#include "codec/json_document.h"
#include "codec/profiles_to_parts.h"
#include "stream/encode.h"

struct reader {
	struct document doc;
	struct js_functions starts;
	struct text name;
	const char *at_profiles;	/* the place of the profiles */
	uint32_t *frame;	/* rows of `starts` */
	size_t nframes, capframes;
	/* Stacks are numbered from 1; rows are by the outer stack and the frame. */
	struct sums stacks;
	uint32_t *ctx;		/* by stack; NO_ID: not put yet */
	uint32_t *path;		/* a stack and those around it */
	struct profiles profiles;
	bool inexact;

	/* The profile that is being read. */
	struct { const char *samples, *weights, *events; } at;
	size_t nweights;
	bool evented;
};

#define FAIL(rd, at, ...) DOCUMENT_FAIL(&(rd)->doc, (at), __VA_ARGS__)

/* Reads a profile, the next value of the document: 0, or -1 with the diag set, or with an
 * error of the document. */
int speedscope_read_profile(struct reader *rd);

/* Puts all profiles, each as a part; profiles of our own as they were.  0 or -1. */
int speedscope_put_all(struct reader *rd);
struct sink *speedscope_encode(const struct encode *e);

#endif

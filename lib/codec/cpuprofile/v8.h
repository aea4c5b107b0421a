/* SPDX-License-Identifier: ISC */
/*
 * A CPU profile of V8 while it is read: nodes of a tree of calls, samples of them, and
 * the times of these (the types Profile and ProfileNode of V8's
 * include/js_protocol.pdl).  A file is one, or has a few in pieces, such as a trace of
 * Chrome.
 *
 * Memory: a row for each node, 20 bytes for each sample.
 */
#ifndef PROF_CODEC_CPUPROFILE_V8_H
#define PROF_CODEC_CPUPROFILE_V8_H

#include "codec/js_functions.h"
#include "codec/json_document.h"
#include "stream/encode.h"

/* Samples of a node that were on a line. */
struct v8_tick {
	uint64_t line;
	num n;
	size_t next;		/* of the node, + 1; 0: there is none */
};

struct v8_node {
	size_t at;		/* where the document first has its number */
	uint32_t parent;	/* a node, NO_ID: none */
	uint32_t start;		/* its function, a row of `starts` */
	uint32_t ctx;
	bool defined, named_root, used, put, sampled;
	num hits;		/* as the file says */
	num samples;
	num time;		/* in ns */
	size_t tick;		/* the first one, + 1; 0: it has none */
};

/* What the file says of its events if we wrote it: names and units, absent if it does
 * not. */
struct v8_events {
	struct text time, unit, hits;
};

struct v8 {
	struct document *doc;
	struct sums ids;	/* numbers of nodes by the file's */
	struct v8_node *node;
	size_t cap;
	struct js_functions starts;
	uint32_t *sample;	/* nodes */
	size_t nsamples, capsamples;
	num *delta;		/* of each sample from the one before, in ns; */
	size_t ndeltas, capdeltas;
	bool absolute;		/* or, in the old form, from some beginning */
	num begin, end;		/* in ns, or: */
	bool has_begin, has_end;
	struct v8_events own;
	uint64_t backwards;	/* negative differences */
	struct v8_tick *tick;	/* of all nodes */
	size_t nticks, capticks;
	bool shared;		/* the time of a node has been shared out to lines */
	bool inexact;		/* times with parts of a nanosecond */
};

void v8_init(struct v8 *v, struct document *doc);
void v8_free(struct v8 *v);

/* ---- reading: each takes a value, 0 or -1 with the diag set (or an error of the
 * document's that stays) ---- */

/* A list of nodes, whose children or parents are numbers. */
int v8_read_nodes(struct v8 *v);
/* The form of Node before version 10: a node that has its children in it. */
int v8_read_head(struct v8 *v);
/* Samples; and times of so many of them, added to those that are there, as differences in
 * microseconds. */
int v8_read_samples(struct v8 *v);
int v8_read_times(struct v8 *v);
/* An object with all of these, and when the profile began and ended. */
int v8_read_profile(struct v8 *v);

/* ---- what came of it ---- */

/* Finds out what each node costs.  0, or -1 with the diag set. */
int v8_finish(struct v8 *v);
/* Puts the events, and a sample for each node that has any, after v8_finish(). */
int v8_put(struct v8 *v);

int cpuprofile_decode(struct decode *d);
struct sink *cpuprofile_encode(const struct encode *e);

#endif

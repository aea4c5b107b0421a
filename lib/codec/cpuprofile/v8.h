/* SPDX-License-Identifier: ISC */
/*
 * A CPU profile of V8 while it is read: nodes of a tree of calls, samples of them, and the
 * times of these (the types Profile and ProfileNode of V8's include/js_protocol.pdl).  A
 * file is such a profile, or has several in pieces, like a trace of Chrome.
 *
 * Memory: a row for each node, 20 bytes for each sample.
 */
#ifndef PROF_CODEC_CPUPROFILE_V8_H
#define PROF_CODEC_CPUPROFILE_V8_H

#include "codec/js_functions.h"
#include "codec/json_document.h"
#include "stream/encode.h"

/* Samples of a node at a line. */
struct v8_tick {
	uint64_t line;
	num n;
	size_t next;		/* the next of the node, + 1; 0: there is none */
};

struct v8_node {
	uint64_t at;		/* the byte of the file that first refers to it */
	uint32_t parent;	/* its parent; NO_ID: none */
	uint32_t start;		/* its function, a row of `starts` */
	uint32_t ctx;
	bool defined, named_root, used, put, sampled;
	num hits;		/* as stated in the file */
	num samples;
	num time;		/* in ns */
	size_t tick;		/* the first one, + 1; 0: none */
};

/* Names and units of events in a file of our own; absent otherwise. */
struct v8_events {
	struct text time, unit, hits;
};

struct v8 {
	struct document *doc;
	struct sums ids;	/* rows are numbers of nodes, by those in the file */
	struct v8_node *node;
	size_t cap;
	struct js_functions starts;
	uint32_t *sample;	/* nodes */
	size_t nsamples, capsamples;
	num *delta;		/* time of each sample since the one before, in ns; */
	size_t ndeltas, capdeltas;
	bool absolute;		/* or, in the old form, since some beginning */
	num begin, end;		/* in ns, or: */
	bool has_begin, has_end;
	struct v8_events own;
	uint64_t backwards;	/* number of negative differences */
	struct v8_tick *tick;	/* those of all nodes */
	size_t nticks, capticks;
	bool shared;		/* the time of a node was divided among its lines */
	bool inexact;		/* some times had fractions of a nanosecond */
};

void v8_init(struct v8 *v, struct document *doc);
void v8_free(struct v8 *v);

/* ---- reading: each function takes a value, 0 or -1 with the diag set (or an error of the
 * document that stays) ---- */

/* A list of nodes that refer to their children, or parents, by numbers. */
int v8_read_nodes(struct v8 *v);
/* The form before version 10: a node that contains its children. */
int v8_read_head(struct v8 *v);
/* Samples; times, which are added to those read before, as differences in microseconds. */
int v8_read_samples(struct v8 *v);
int v8_read_times(struct v8 *v);
/* An object with all of these, and the beginning and end of the profile. */
int v8_read_profile(struct v8 *v);

/* ---- output ---- */

/* Computes the cost of each node.  0, or -1 with the diag set. */
int v8_finish(struct v8 *v);
/* Puts the events, and a sample for each node that has some, after v8_finish(). */
int v8_put(struct v8 *v);
struct sink *cpuprofile_encode(const struct encode *e);

#endif

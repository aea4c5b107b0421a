/* SPDX-License-Identifier: ISC */
/*
 * Converts the profiles of a file to parts, for formats in which a profile, or a thread, is
 * a list of stacks with a weight each.  Those with provenance (provenance.h) are joined to
 * a part if their metadata are the same: their events are its events, their labels those of
 * its samples.  Any other becomes a part of its own, a thread.
 *
 * Samples of one stack are added up in each thread, unless they have a time.
 */
#ifndef PROF_CODEC_PROFILES_TO_PARTS_H
#define PROF_CODEC_PROFILES_TO_PARTS_H

#include "codec/provenance.h"

/* A unit of weights, and how many of its decimals are kept: as nanoseconds. */
struct profile_unit {
	const char *ours, *theirs;
	unsigned decimals;
	const char *event;	/* the event, if nothing names it */
};

struct weight {
	uint32_t stack;		/* 0: none */
	uint64_t time;		/* in ns; NO_TIME */
	num n;			/* in units, or parts of them */
};

struct profile {
	struct text name;
	const struct profile_unit *unit;
	struct provenance origin;
	struct weight *v;
	size_t n, cap;
};

/* All zeros: none yet. */
struct profiles {
	struct profile *v;
	size_t n, cap;
	/* Callbacks of the decoder, which get `arg`.  Defines the context of a stack that
	 * is not 0: 0, or -1 with the diag set. */
	int (*put_stack)(void *arg, uint32_t stack, uint32_t *ctx);
	/* Adds the labels of its samples; NULL: they have none. */
	void (*add_labels)(void *arg, uint32_t stack, struct buf *labels);
	void *arg;
};

/* Returns another profile, valid until the next one is added. */
struct profile *profiles_add(struct profiles *p, const struct profile_unit *unit);
/* Returns 1 of the unit as a weight. */
num profile_one(const struct profile_unit *unit);
void profile_add(struct profile *p, uint32_t stack, uint64_t time, num n);

/* Puts all profiles: each part with its format, metadata and events.  `cmd`: the command of
 * the file, for profiles without one.  0, or -1 with the diag set. */
int profiles_put(struct profiles *p, struct decode *d, const char *format,
    struct text cmd);

void profiles_free(struct profiles *p);

#endif

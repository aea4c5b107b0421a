/* SPDX-License-Identifier: ISC */
/*
 * Profiles of a file as parts, for decoders of formats in which a profile, or a thread,
 * is a list of stacks with a weight each.  Those that say what they are of (provenance.h) are
 * a part together where facts are the same: their events are its events, their labels
 * those of its samples.  Any other is a part of its own, a thread.
 *
 * Samples of one stack are added up in each thread, but for those that have a time.
 */
#ifndef PROF_CODEC_PROFILES_TO_PARTS_H
#define PROF_CODEC_PROFILES_TO_PARTS_H

#include "codec/provenance.h"

/* A unit of weights, and how many decimals of it are kept: as nanoseconds. */
struct profile_unit {
	const char *ours, *theirs;
	unsigned decimals;
	const char *event;	/* what is counted, where nothing says it */
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
	/* What the decoder knows of stacks, called with `arg`: defines the context of one
	 * that is not 0: 0, or -1 with the diag set; */
	int (*put_stack)(void *arg, uint32_t stack, uint32_t *ctx);
	/* adds the labels that its samples have; NULL: none. */
	void (*add_labels)(void *arg, uint32_t stack, struct buf *labels);
	void *arg;
};

/* Another profile, valid until the next one is added. */
struct profile *profiles_add(struct profiles *p, const struct profile_unit *unit);
void profile_add(struct profile *p, uint32_t stack, uint64_t time, num n);

/* Puts all of them: each part with its format, facts and events.  `cmd` is what the file
 * says that it is of, for those that do not say.  0, or -1 with the diag set. */
int profiles_put(struct profiles *p, struct decode *d, const char *format,
    struct text cmd);

void profiles_free(struct profiles *p);

#endif

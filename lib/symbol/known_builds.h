/* SPDX-License-Identifier: ISC */
/*
 * Build IDs of files that were opened, by their device and inode: a profile may have
 * thousands of builds of one path, and a file of another build is opened once.
 */
#ifndef PROF_SYMBOL_KNOWN_BUILDS_H
#define PROF_SYMBOL_KNOWN_BUILDS_H

#include <sys/stat.h>

#include "stream/sums.h"
#include "symbol/symbols.h"

struct known_builds {
	struct sums files;	/* by device and inode, and by the same number: */
	struct buf *id;		/* empty: the file has none */
	size_t cap;
};

void known_builds_init(struct known_builds *k);
void known_builds_free(struct known_builds *k);

/* Returns a file's build ID, valid until another one is added; NULL: it is not known. */
const struct buf *known_builds_find(const struct known_builds *k, const struct stat *st);
/* Adds that of a file's symbols. */
void known_builds_add(struct known_builds *k, const struct stat *st, const struct symbols *s);

#endif

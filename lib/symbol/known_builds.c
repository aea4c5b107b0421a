/* SPDX-License-Identifier: ISC */
#include "symbol/known_builds.h"

#include <stdlib.h>

#include "util/mem.h"

enum { KEY_DEVICE, KEY_INODE, KEYS };

void
known_builds_init(struct known_builds *k)
{
	*k = (struct known_builds){ 0 };
	sums_init(&k->files, KEYS, 0);
}

void
known_builds_free(struct known_builds *k)
{
	size_t i;

	for (i = 0; i < k->files.n; i++)
		buf_free(&k->id[i]);
	free(k->id);
	sums_free(&k->files);
}

const struct buf *
known_builds_find(const struct known_builds *k, const struct stat *st)
{
	const uint64_t key[KEYS] = { st->st_dev, st->st_ino };
	size_t row;

	return sums_find(&k->files, key, &row) ? &k->id[row] : NULL;
}

void
known_builds_add(struct known_builds *k, const struct stat *st, const struct symbols *s)
{
	const uint64_t key[KEYS] = { st->st_dev, st->st_ino };
	const size_t was = k->files.n, row = sums_row(&k->files, key);

	k->id = mem_reach(k->id, &k->cap, row, sizeof *k->id, 0);
	if (row == was)
		symbols_build_id(s, &k->id[row]);
}

/* SPDX-License-Identifier: ISC */
#include "symbol/sources.h"

#include <stdlib.h>

#include "stream/sums.h"
#include "symbol/elf.h"
#include "symbol/trust.h"
#include "util/mem.h"

/* A file is identified by its number, through any path. */
enum { KEY_DEVICE, KEY_INODE, KEYS };

struct sources {
	struct sums files;
};

struct sources *
sources_new(void)
{
	struct sources *s = mem_alloc(1, sizeof *s);

	sums_init(&s->files, KEYS, 0);
	return s;
}

void
sources_free(struct sources *s)
{
	if (!s)
		return;
	sums_free(&s->files);
	free(s);
}

static void
put_source(void *arg, const char *path)
{
	struct sources *s = arg;
	struct stat st;

	/* A relative path is relative to where the compiler ran, which is not known. */
	if (*path == '/' && stat(path, &st) == 0)
		sums_row(&s->files, (uint64_t[KEYS]){ st.st_dev, st.st_ino });
}

/* Adds the sources of a program; a missing file, or one that is not a program, has none. */
static void
add(struct sources *s, const char *program, bool owned)
{
	struct diag quiet = { 0 };
	struct elf_file *e;
	struct stat st;

	if (stat(program, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (owned && trust_of(program) == TRUST_NONE))
		return;
	if ((e = elf_file_open(program, NULL, &quiet)))
		elf_file_sources(e, put_source, s);
	elf_file_close(e);
	buf_free(&quiet.error);
}

void
sources_add(struct sources *s, const char *program)
{
	add(s, program, false);
}

void
sources_add_owned(struct sources *s, const char *program)
{
	add(s, program, true);
}

bool
sources_has(const struct sources *s, const struct stat *file)
{
	size_t row;

	return sums_find(&s->files, (uint64_t[KEYS]){ file->st_dev, file->st_ino }, &row);
}

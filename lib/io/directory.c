/* SPDX-License-Identifier: ISC */
#include "io/directory.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/mem.h"

bool
directory_is(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int
by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static char **
append(char **list, size_t *n, size_t *cap, const char *path)
{
	list = mem_grow(list, cap, *n + 1, sizeof *list);
	list[(*n)++] = mem_copy(path, strlen(path));
	return list;
}

/* Appends the files of a directory. */
static char **
append_files(const char *path, directory_claim *claim, char **list, size_t *n, size_t *cap,
    struct diag *d)
{
	char *root = mem_copy(path, strlen(path)), *roots[] = { root, NULL };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
	const size_t before = *n;
	struct buf file = { 0 };
	FTSENT *e;

	errno = fts ? 0 : errno;
	while (fts && (e = fts_read(fts))) {
		if (e->fts_level > FTS_ROOTLEVEL && *e->fts_name == '.') {
			fts_set(fts, e, FTS_SKIP);
		} else if (e->fts_info == FTS_F) {
			list = append(list, n, cap, e->fts_path);
		} else if (e->fts_info == FTS_D && claim(e->fts_path, &file)) {
			list = append(list, n, cap, buf_str(&file));
			fts_set(fts, e, FTS_SKIP);
		} else if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR ||
		    e->fts_info == FTS_NS) {
			diag_fail_plain(d, "%s: %s", e->fts_path, strerror(e->fts_errno));
		}
		errno = 0;
	}
	if (errno)
		diag_fail_plain(d, "%s: %s", path, strerror(errno));
	else if (*n == before)
		diag_fail_plain(d, "%s: no files in this directory (hidden files and "
		    "symbolic links are skipped)", path);
	if (fts)
		fts_close(fts);
	free(root);
	buf_free(&file);
	return list;
}

char **
directory_expand(const char *path, directory_claim *claim, char **list, size_t *n, size_t *cap,
    struct diag *d)
{
	if (directory_is(path))
		return append_files(path, claim, list, n, cap, d);
	return append(list, n, cap, path);
}

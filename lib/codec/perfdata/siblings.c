/* SPDX-License-Identifier: ISC */
/*
 * The records of a recording that is a directory.  `perf record --threads` writes DIR/data,
 * which has the header, and DIR/data.0, DIR/data.1 ... with the records that each of its
 * threads has read.
 */
#include "perfdata.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/mem.h"

#define SIBLINGS_MOST 65536
#define ROUND ((size_t)4 << 20)	/* bytes of all siblings that wait at once, */
#define PIECE_LEAST ((size_t)64 << 10)	/* but of each so many, which have a record */

/* Is it NAME.0, NAME.1 ...? */
static bool
is_sibling(const char *entry, struct text name)
{
	const struct text t = text_of(entry);
	const struct text digits = t.n > name.n + 1 ? (struct text){ t.s + name.n + 1,
	    t.n - name.n - 1 } : (struct text){ 0 };
	size_t i;

	if (!digits.n || memcmp(t.s, name.s, name.n) != 0 || t.s[name.n] != '.' ||
	    (*digits.s == '0' && digits.n > 1))
		return false;
	for (i = 0; i < digits.n && digits.s[i] >= '0' && digits.s[i] <= '9'; i++)
		;
	return i == digits.n;
}

/* Sets *n to the number of siblings in a directory; 0, or the errno of what failed. */
static int
count_in(const char *path, struct text name, size_t *n)
{
	DIR *dir = opendir(path);
	const struct dirent *e;
	int failed;

	if (!dir)
		return errno;
	for (errno = 0; (e = readdir(dir)); errno = 0)
		*n += is_sibling(e->d_name, name);
	failed = errno;
	closedir(dir);
	return failed;
}

/* The same for the siblings of the recording. */
static int
count_siblings(const struct perfdata *pd, size_t *n)
{
	struct buf path = { 0 };
	int failed;

	pd_beside_add_directory(pd, &path);
	failed = count_in(path.n ? buf_str(&path) : ".",
	    text_base_name(text_of(in_name(pd->d->in))), n);
	buf_free(&path);
	return failed;
}

/* Lists as many siblings as there are: a missing one is found when it is opened. */
static void
list_siblings(struct perfdata *pd, size_t n)
{
	struct siblings *s = &pd->siblings;
	struct buf path = { 0 };

	s->v = mem_alloc(n, sizeof *s->v);
	for (; s->n < n; s->n++) {
		struct sibling *of = &s->v[s->n];

		path.n = 0;
		buf_printf(&path, "%s.%zu", in_name(pd->d->in), s->n);
		of->path = mem_copy(path.s, path.n);
		of->records = pd_reader_make((struct source){ 0 }, 0, UINT64_MAX);
		of->records.of = (uint32_t)s->n + 1;
		of->records.piece = ROUND / n < PIECE_LEAST ? PIECE_LEAST : ROUND / n;
	}
	buf_free(&path);
}

int
pd_siblings_find(struct perfdata *pd)
{
	const struct siblings *s = &pd->siblings;
	size_t n = 0;
	int failed;

	if (s->are == SIBLINGS_NONE || (s->are == SIBLINGS_MAYBE &&
	    !pd_beside_is_data(pd)))
		return 0;
	failed = pd_beside_is_file(pd) ? count_siblings(pd, &n) : 0;
	if (failed)
		return perf_cut(pd, "the directory, in which other files may have records, cannot "
		    "be listed: %s", strerror(failed));
	if (!n && s->are == SIBLINGS_SURE)
		return perf_cut(pd, "the records are in other files of its directory, "
		    "which are missing: name the whole directory that perf record "
		    "--threads wrote");
	if (n > SIBLINGS_MOST)
		return perf_fail(pd, "%zu files of records are in its directory", n);
	if (n)
		list_siblings(pd, n);
	return 0;
}

/* Opens a sibling: 1; 0 if it is missing, and that is accepted; -1. */
static int
open_sibling(struct perfdata *pd, const struct sibling *s, struct input **in)
{
	const int fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	pd->of = s->records.of;
	pd->at = 0;
	if (fd < 0 && errno == ENOENT)
		return perf_cut(pd, "the file is missing, while others of its recording are "
		    "there");
	if (fd >= 0 && (fstat(fd, &st) < 0 || !pd_beside_is_own(pd, &st))) {
		close(fd);
		return perf_fail(pd, "not a regular file of the owner of %s",
		    in_name(pd->d->in));
	}
	return (*in = in_fd(fd, s->path, pd->d->diag)) ? 1 : -1;
}

/* Reads a piece of a sibling: 1; 0 at its end; -1.  It is not kept open, as there may be more
 * of them than a process may have open. */
static int
step(struct perfdata *pd, struct sibling *s)
{
	struct input *in = NULL;
	int ret = open_sibling(pd, s, &in);

	if (ret <= 0)
		return ret;
	s->before = s->records.newest;
	s->records.source.in = in;
	ret = pd_reader_step(pd, &s->records);
	in_close(in);
	return ret;
}

/*
 * Merges them by time.  The kernel has put the records of each file in order, but for
 * neighbours, so the ones after a piece are not earlier than those before it: the sibling
 * whose last piece began first is read on, and all records up to there are put.
 */
int
pd_siblings_read(struct perfdata *pd)
{
	struct siblings *s = &pd->siblings;
	struct time_heap next = { 0 };
	int ret = 0;
	uint32_t i;

	for (i = 0; i < s->n; i++)
		pd_heap_put(&next, (struct time_entry){ 0, i, i });
	while (ret >= 0 && next.n) {
		struct time_entry e = *next.v;

		if ((ret = step(pd, &s->v[e.n])) > 0) {
			e.time = s->v[e.n].before;
			pd_heap_replace_first(&next, e);
		} else if (ret == 0) {
			pd_reader_free(&s->v[e.n].records);
			pd_heap_drop_first(&next);
		}
		if (ret >= 0 && next.n)
			ret = pd_order_put_until(pd, next.v->time);
	}
	free(next.v);
	return ret;
}

void
pd_siblings_free(struct siblings *s)
{
	while (s->n) {
		free(s->v[--s->n].path);
		pd_reader_free(&s->v[s->n].records);
	}
	free(s->v);
}

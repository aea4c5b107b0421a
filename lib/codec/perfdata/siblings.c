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

static size_t
count_siblings(const struct perfdata *pd)
{
	struct buf path = { 0 };
	const struct dirent *e;
	size_t n = 0;
	DIR *dir;

	pd_beside_add_directory(pd, &path);
	dir = opendir(path.n ? buf_str(&path) : ".");
	while (dir && (e = readdir(dir)))
		n += is_sibling(e->d_name, text_base_name(text_of(in_name(pd->d->in))));
	if (dir)
		closedir(dir);
	buf_free(&path);
	return n;
}

/* Lists as many siblings as there are: a missing one is found when it is opened. */
static void
list_siblings(struct perfdata *pd, size_t n)
{
	struct siblings *s = &pd->siblings;
	struct buf path = { 0 };

	s->path = mem_alloc(n, sizeof *s->path);
	for (; s->n < n; s->n++) {
		path.n = 0;
		buf_printf(&path, "%s.%zu", in_name(pd->d->in), s->n);
		s->path[s->n] = mem_copy(path.s, path.n);
	}
	buf_free(&path);
}

int
pd_siblings_find(struct perfdata *pd)
{
	const struct siblings *s = &pd->siblings;
	size_t n;

	if (s->are == SIBLINGS_NONE || (s->are == SIBLINGS_MAYBE &&
	    !pd_beside_is_data(pd)))
		return 0;
	n = pd_beside_is_file(pd) ? count_siblings(pd) : 0;
	if (!n && s->are == SIBLINGS_SURE)
		return perf_cut(pd, "the records are in other files of its directory, which "
		    "are not there: name the whole directory that perf record --threads wrote");
	if (n > SIBLINGS_MOST)
		return perf_fail(pd, "%zu files of records are in its directory", n);
	if (n)
		list_siblings(pd, n);
	return 0;
}

/* Opens the sibling pd->file.of: 1; 0 if it is missing, and that is accepted; -1. */
static int
open_sibling(struct perfdata *pd, struct input **in)
{
	const char *path = pd->siblings.path[pd->file.of - 1];
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	pd->of = pd->file.of;
	pd->at = 0;
	if (fd < 0 && errno == ENOENT)
		return perf_cut(pd, "the file is missing, while others of its recording are "
		    "there");
	if (fd >= 0 && (fstat(fd, &st) < 0 || !pd_beside_is_own(pd, &st))) {
		close(fd);
		return perf_fail(pd, "no regular file of the user whose file %s is",
		    in_name(pd->d->in));
	}
	if (!(*in = in_fd(fd, path, pd->d->diag)))
		return -1;
	in_limit(*in, pd->d->session->max_line, pd->d->session->max_whole);
	return 1;
}

static int
read_sibling(struct perfdata *pd, struct input *in)
{
	const struct source first = pd->source;
	const char *p;
	int ret = -1;

	if (in_peek(in, &p) >= 0 && pd_source_open(&pd->source, in, false) == 0)
		ret = perf_records_read(pd, 0, UINT64_MAX);
	pd->source = first;
	return ret;
}

int
pd_siblings_read(struct perfdata *pd)
{
	struct siblings *s = &pd->siblings;
	int ret = 0;

	while (ret == 0 && pd->file.of < s->n) {
		struct input *in;

		s->before += pd->file.at;
		pd->file.of++;
		if ((ret = open_sibling(pd, &in)) > 0) {
			ret = read_sibling(pd, in);
			in_close(in);
		}
	}
	return ret;
}

void
pd_siblings_free(struct siblings *s)
{
	while (s->n)
		free(s->path[--s->n]);
	free(s->path);
}

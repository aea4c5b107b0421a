/* SPDX-License-Identifier: ISC */
#include "io/sorter.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/temporary.h"
#include "util/mem.h"

#define RUN ((size_t)16 << 20)
#define BLOCK ((size_t)64 << 10)

void
sorter_init(struct sorter *s, size_t size, int (*compare)(const void *, const void *),
    struct diag *diag)
{
	*s = (struct sorter){ .diag = diag, .size = size, .compare = compare, .fd = -1 };
}

void
sorter_free(struct sorter *s)
{
	size_t i;

	for (i = 0; i < s->nruns; i++)
		free(s->run[i].s);
	free(s->run);
	free(s->s);
	buf_free(&s->name);
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* ---- the file ---- */

static int
file_fail(struct sorter *s)
{
	return diag_fail_plain(s->diag, "%s: %s", buf_str(&s->name), strerror(errno));
}

static int
write_all(struct sorter *s, const char *p, size_t n)
{
	ssize_t w;

	while (n) {
		w = write(s->fd, p, n);
		if (w < 0 && errno != EINTR)
			return file_fail(s);
		p += w > 0 ? w : 0;
		n -= w > 0 ? (size_t)w : 0;
	}
	return 0;
}

/* Reads the next records of a run into memory. */
static int
read_block(struct sorter *s, struct sorter_run *r)
{
	const size_t most = BLOCK / s->size * s->size;
	const size_t want = r->end - r->at < most ? (size_t)(r->end - r->at) : most;
	size_t n = 0;
	ssize_t got = 1;

	while (n < want && got) {
		got = pread(s->fd, r->s + n, want - n, (off_t)(r->at + n));
		if (got < 0 && errno != EINTR)
			return file_fail(s);
		n += got > 0 ? (size_t)got : 0;
	}
	if (n < want)
		return diag_fail_plain(s->diag, "%s: the file has become shorter",
		    buf_str(&s->name));
	r->at += n;
	r->i = 0;
	r->n = n / s->size;
	return 0;
}

/* ---- runs ---- */

static void
sort_run(struct sorter *s)
{
	if (s->unsorted)
		qsort(s->s, s->n, s->size, s->compare);
	s->unsorted = false;
}

static void
add_run(struct sorter *s, struct sorter_run run)
{
	s->run = mem_grow(s->run, &s->capruns, s->nruns + 1, sizeof *s->run);
	s->run[s->nruns++] = run;
}

/* Moves the last run to the file. */
static int
write_run(struct sorter *s)
{
	const uint64_t at = s->written;

	if (s->fd < 0 && (s->fd = temporary_file(&s->name)) < 0)
		return file_fail(s);
	sort_run(s);
	if (write_all(s, s->s, s->n * s->size) < 0)
		return -1;
	s->written += s->n * s->size;
	s->n = 0;
	add_run(s, (struct sorter_run){ .at = at, .end = s->written });
	return 0;
}

int
sorter_add(struct sorter *s, const void *record)
{
	char *to;

	if (s->n == RUN / s->size && write_run(s) < 0)
		return -1;
	s->s = mem_grow(s->s, &s->cap, (s->n + 1) * s->size, 1);
	to = s->s + s->n * s->size;
	memcpy(to, record, s->size);
	s->unsorted |= s->n++ && s->compare(to - s->size, to) > 0;
	return 0;
}

/* ---- merging ---- */

static bool
is_before(const struct sorter *s, const struct sorter_run *a, const struct sorter_run *b)
{
	return s->compare(a->s + a->i * s->size, b->s + b->i * s->size) < 0;
}

/* Moves a run, whose first record is new, down to its place in the heap. */
static void
sift(struct sorter *s, size_t i)
{
	const struct sorter_run run = s->run[i];
	size_t down;

	for (; (down = 2 * i + 1) < s->nruns; i = down) {
		down += down + 1 < s->nruns && is_before(s, &s->run[down + 1], &s->run[down]);
		if (!is_before(s, &s->run[down], &run))
			break;
		s->run[i] = s->run[down];
	}
	s->run[i] = run;
}

/* The last run stays in memory. */
int
sorter_end(struct sorter *s)
{
	size_t i;

	sort_run(s);
	for (i = 0; i < s->nruns; i++) {
		s->run[i].s = mem_resize(NULL, BLOCK, 1);
		if (read_block(s, &s->run[i]) < 0)
			return -1;
	}
	if (s->n)
		add_run(s, (struct sorter_run){ .s = s->s, .n = s->n });
	s->s = NULL;
	for (i = s->nruns / 2; i--; )
		sift(s, i);
	return 0;
}

int
sorter_next(struct sorter *s, void *record)
{
	struct sorter_run *first = s->run;

	if (!s->nruns)
		return 0;
	memcpy(record, first->s + first->i * s->size, s->size);
	if (++first->i == first->n && first->at < first->end && read_block(s, first) < 0)
		return -1;
	if (first->i == first->n) {
		free(first->s);
		*first = s->run[--s->nruns];
	}
	if (s->nruns)
		sift(s, 0);
	return 1;
}

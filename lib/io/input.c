/* SPDX-License-Identifier: ISC */
#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/interrupt.h"
#include "io/poll.h"
#include "io/progress.h"
#include "io/snapshot.h"
#include "io/unzip.h"
#include "util/fence.h"
#include "util/mem.h"
#include "util/scan.h"

#define BLOCK ((size_t)256 << 10)
#define PEEK ((size_t)64 << 10)
#define ROOM SCAN		/* after the bytes, which a scan may read (scan.h) */

struct input {
	const char *name;
	struct diag *diag;
	int fd;
	bool regular, begins;	/* a regular file; reading began at its first byte */
	bool grows;		/* a file that has no end */
	enum zip_kind zip;
	struct unzip_thread *unzip;	/* when it is compressed */
	char *s;		/* unread: [from, to) */
	size_t cap, from, to;
	char *other;		/* the other buffer, if there are two */
	size_t other_cap;
	size_t limit;		/* bytes of a line; 0: none */
	size_t whole_limit;	/* of in_all(); 0: none */
	bool eof, cut;
	uint64_t done, size;	/* bytes that were read; of the file, if it is one */
	const char *packed_cut;
	bool too_long;		/* what in_fail() reports: the line, */
	const char *why;	/* or this, */
	int error;		/* or this error of the system, if it is NULL */
};

struct input *
in_open(const char *path, struct diag *d)
{
	bool standard = strcmp(path, "-") == 0;

	return in_fd(standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
	    standard ? "standard input" : path, d);
}

struct input *
in_fd(int fd, const char *name, struct diag *d)
{
	struct input *in;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 ||
	    (S_ISDIR(st.st_mode) && (errno = EISDIR))) {
		diag_fail_plain(d, "%s: %s", name, strerror(errno));
		if (fd > STDIN_FILENO)
			close(fd);
		return NULL;
	}
	in = mem_alloc(1, sizeof *in);
	in->name = name;
	in->diag = d;
	in->fd = fd;
	in->regular = S_ISREG(st.st_mode) && !snapshots_follow();
	in->grows = S_ISREG(st.st_mode) && snapshots_follow();
	in->begins = in->regular && lseek(fd, 0, SEEK_CUR) == 0;
	in->size = in->regular ? (uint64_t)st.st_size : 0;
	in->cap = BLOCK;
	in->s = mem_resize(NULL, in->cap + ROOM, 1);
	return in;
}

void
in_limit(struct input *in, size_t line, size_t whole)
{
	in->limit = line;
	in->whole_limit = whole;
}

const char *
in_name(const struct input *in)
{
	return in->name;
}

enum zip_kind
in_zip(const struct input *in)
{
	return in->zip;
}

bool
in_standard(const struct input *in)
{
	return in->fd == STDIN_FILENO;
}

bool
in_regular(const struct input *in)
{
	return in->regular;
}

bool
in_interrupted(const struct input *in)
{
	return !in->regular && (interrupt_came() || snapshot_is());
}

bool
in_cut(const struct input *in)
{
	return in->cut;
}

const char *
in_packed_cut(const struct input *in)
{
	return in->packed_cut;
}

/* While others use the buffer, they may read up to n bytes of it. */
static void
lend(struct input *in, size_t n)
{
	fence_lift(in->s, n);
	fence_put(in->s + n, in->cap + ROOM - n);
}

static void
take_back(struct input *in)
{
	fence_lift(in->s, in->cap + ROOM);
}

void
in_alternate(struct input *in)
{
	in->other_cap = BLOCK;
	in->other = mem_resize(NULL, in->other_cap + ROOM, 1);
}

/* Moves the unread bytes to the other buffer, if there are two. */
static void
change_buffers(struct input *in)
{
	const size_t n = in->to - in->from, cap = in->cap;
	char *const s = in->s;

	if (!in->other)
		return;
	if (n > in->other_cap) {
		in->other_cap = in->cap;
		in->other = mem_resize(in->other, in->other_cap + ROOM, 1);
	}
	memcpy(in->other, s + in->from, n);
	in->s = in->other;
	in->cap = in->other_cap;
	in->other = s;
	in->other_cap = cap;
	in->from = 0;
	in->to = n;
}

/* Bytes of all inputs. */
static uint64_t total;

uint64_t
in_total(void)
{
	return __atomic_load_n(&total, __ATOMIC_RELAXED);
}

static void
add_total(size_t n)
{
	__atomic_add_fetch(&total, n, __ATOMIC_RELAXED);
}

/* The progress of a compressed file is counted in compressed bytes. */
static void
tell_progress(const struct input *in)
{
	off_t at = in->size ? lseek(in->fd, 0, SEEK_CUR) : -1;

	progress_read(in->name, at < 0 ? in->done : (uint64_t)at, in->size);
}

/* Reads at most n bytes; 0 at the end, -1 on failure, where `why` may be set. */
static ssize_t
read_some(struct input *in, char *to, size_t n, const char **why)
{
	ssize_t r;

	if (in->unzip)
		return unzip_read(in->unzip, to, n, why);
	do {
		r = read(in->fd, to, n);
	} while ((r < 0 && !in_interrupted(in) && (errno == EINTR ||
	    (errno == EAGAIN && poll_for(in->fd, POLLIN)))) ||
	    (r == 0 && in->grows && snapshot_wait(in->fd, true)));
	return r < 0 && in_interrupted(in) ? 0 : r;
}

/* Adds what one read gives; 0 at the end, -1 on failure, which in_fail() reports. */
static int
fill(struct input *in)
{
	const char *why = NULL;
	ssize_t r;

	in->eof |= in_interrupted(in) || (snapshots_on() && !in->regular && !in->eof &&
	    !snapshot_wait(in->unzip ? -1 : in->fd, false));
	take_back(in);
	if (in->eof)
		return 0;
	if (in->from) {
		memmove(in->s, in->s + in->from, in->to - in->from);
		in->to -= in->from;
		in->from = 0;
	}
	if (in->to == in->cap) {
		in->cap *= 2;
		in->s = mem_resize(in->s, in->cap + ROOM, 1);
	}
	r = read_some(in, in->s + in->to, in->cap - in->to, &why);
	if (r < 0 && in->unzip && unzip_cut(in->unzip)) {
		in->packed_cut = why;
		r = 0;
	}
	if (r < 0) {
		in->why = why;
		in->error = errno;
		return -1;
	}
	in->to += (size_t)r;
	/* Masks of a scan depend on these bytes only where their bits are dropped, but checkers
	 * of memory want them to have values. */
	memset(in->s + in->to, 0, ROOM);
	in->done += (size_t)r;
	add_total((size_t)r);
	in->eof = r == 0;
	if (progress_begun())
		tell_progress(in);
	return r > 0;
}

int
in_fail(struct input *in)
{
	if (!in->too_long)
		return diag_fail_plain(in->diag, "%s: %s", in->name,
		    in->why ? in->why : strerror(in->error));
	if (in->diag->at)
		in->diag->at->line++;
	return diag_fail(in->diag, "the line is longer than %zu MiB: see --max-line",
	    in->limit >> 20);
}

/* Fills until n bytes are there or no more come. */
static int
want(struct input *in, size_t n)
{
	int r = 1;

	while (in->to - in->from < n && (r = fill(in)) > 0)
		;
	return r < 0 ? in_fail(in) : 0;
}

long
in_peek(struct input *in, const char **p)
{
	const char *why;

	if (!in->unzip && !in->eof && in->from == 0) {
		if (want(in, ZIP_MAGIC) < 0)
			return -1;
		in->zip = zip_detect(in->s, in->to);
		if ((why = zip_missing(in->zip)))
			return diag_fail_plain(in->diag, "%s: compressed by %s: %s: "
			    "decompress it first", in->name, zip_name(in->zip), why);
		if (in->zip != ZIP_NONE) {
			in->unzip = unzip_start(in->fd, in->s, in->to, in->zip);
			if (!in->unzip)
				return diag_fail_plain(in->diag, "%s: %s",
				    in->name, strerror(errno));
			in->to = 0;
			in->eof = false;
		}
	}
	if (want(in, PEEK) < 0)
		return -1;
	lend(in, in->to);
	*p = in->s + in->from;
	return (long)(in->to - in->from);
}

static int
too_long(struct input *in)
{
	in->too_long = true;
	return -1;
}

int
in_lines(struct input *in, char **begin, char **end)
{
	size_t seen = 0;
	bool changed = false;
	const char *lf;
	int r;

	take_back(in);
	for (;;) {
		size_t n = in->to - in->from;

		lf = n > seen ? last_byte(in->s + in->from + seen, '\n', n - seen) : NULL;
		if (lf)
			break;
		if (in->limit && n > in->limit)
			return too_long(in);
		if (!changed)
			change_buffers(in);
		changed = true;
		seen = n;
		r = fill(in);
		if (r < 0)
			return -1;
		if (r == 0 && (in->to == in->from || snapshot_is()))
			return 0;	/* a line without its end is not complete yet */
		if (r == 0) {
			in->cut = true;
			in->s[in->to++] = '\n';	/* there is room for it */
		}
	}
	*begin = in->s + in->from;
	*end = in->s + (lf + 1 - in->s);
	/* Only the first of these lines can be longer than the last block. */
	if (in->limit && seen && (size_t)((char *)memchr(*begin + seen, '\n',
	    (size_t)(*end - *begin) - seen) - *begin) > in->limit)
		return too_long(in);
	in->from = (size_t)(*end - in->s);
	lend(in, in->from + ROOM);
	return 1;
}

int
in_block(struct input *in, const char **p, size_t *n)
{
	int r = 1;

	if (in->from == in->to)
		r = fill(in);
	*p = in->s + in->from;
	*n = in->to - in->from;
	in->from = in->to;
	return r < 0 ? in_fail(in) : *n > 0;
}

static int
too_large(struct input *in)
{
	return diag_fail_plain(in->diag, "%s: larger than %zu MiB, in a format that is read "
	    "whole: see --max-whole", in->name, in->whole_limit >> 20);
}

int
in_more(struct input *in, size_t used, const char **p, size_t *n)
{
	int r;

	in->from += used;
	if ((r = fill(in)) < 0)
		return in_fail(in);
	if (r > 0 && in->whole_limit && in->to - in->from > in->whole_limit)
		return too_large(in);
	lend(in, in->to);
	*p = in->s + in->from;
	*n = in->to - in->from;
	return r;
}

bool
in_seekable(const struct input *in, uint64_t *size)
{
	*size = in->size;
	return in->regular && in->zip == ZIP_NONE && in->begins;
}

long
in_read_at(struct input *in, char *to, size_t n, uint64_t offset)
{
	size_t done = 0;
	ssize_t r = 1;

	while (done < n && r > 0) {
		r = offset + done > INT64_MAX ? 0 :
		    pread(in->fd, to + done, n - done, (off_t)(offset + done));
		if (r < 0 && errno != EINTR)
			return diag_fail_plain(in->diag, "%s: %s", in->name, strerror(errno));
		done += r > 0 ? (size_t)r : 0;
		r = r < 0 ? 1 : r;
	}
	add_total(done);
	if (progress_begun())
		progress_read(in->name, offset + done, in->size);
	return (long)done;
}

int
in_all(struct input *in, const char **p, size_t *n)
{
	int r;

	if (in_peek(in, p) < 0)
		return -1;
	while ((r = fill(in)) > 0)
		if (in->whole_limit && in->to - in->from > in->whole_limit)
			return too_large(in);
	lend(in, in->to);
	*p = in->s + in->from;
	*n = in->to - in->from;
	return r < 0 ? in_fail(in) : 0;
}

void
in_end_line(struct input *in)
{
	take_back(in);
	in->s[in->to] = '\n';	/* there is room for it */
	lend(in, in->to + 1);
}

void
in_close(struct input *in)
{
	if (!in)
		return;
	if (!snapshot_is())	/* the thread is not in a copy */
		unzip_stop(in->unzip);
	if (in->fd != STDIN_FILENO)
		close(in->fd);
	take_back(in);
	free(in->s);
	free(in->other);
	free(in);
}

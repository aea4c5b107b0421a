/* SPDX-License-Identifier: ISC */
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/input.h"
#include "io/poll.h"
#include "util/mem.h"
#include "util/printable.h"

struct out_target {
	int fd;
	const char *name;
	char *path, *temp;	/* of a file: its final name, its temporary one */
	struct zip *zip;
	char *packed;
	bool term;		/* a terminal */
	bool memory;		/* nothing is written */
	bool began;		/* something was written */
	uint64_t written;	/* bytes, before they are compressed */
	bool warned;		/* that these are many */
	struct diag *diag;
	char why[80];		/* of an error that has no errno */
};

static const char binary[] = "will not write binary data to a terminal: use -o FILE or "
    "a pipe";

/* The temporary file, for out_abandon(): handlers of signals have no argument. */
static char *volatile abandoned;

void
out_abandon(void)
{
	if (abandoned)
		unlink(abandoned);
}

/* Creates the temporary file.  Signals are blocked until its name is in `abandoned`. */
static int
make_temp(char *path)
{
	sigset_t all, old;
	int fd, err;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	fd = mkstemp(path);
	err = errno;
	if (fd >= 0)
		abandoned = path;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = err;
	return fd;
}

/* Returns the descriptor of this process that a path such as /dev/fd/N names; -1: none. */
static int
own_fd(const char *path)
{
	static const char *const dirs[] = { "/dev/fd/", "/proc/self/fd/",
		"/proc/thread-self/fd/" };
	size_t i, n;
	long fd;
	char *end;

	for (i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		n = strlen(dirs[i]);
		if (strncmp(path, dirs[i], n) != 0 || path[n] < '0' || path[n] > '9')
			continue;
		fd = strtol(path + n, &end, 10);
		return !*end && fd <= INT_MAX ? (int)fd : -1;
	}
	return strcmp(path, "/dev/stdout") == 0 ? STDOUT_FILENO :
	    strcmp(path, "/dev/stderr") == 0 ? STDERR_FILENO : -1;
}

/* Returns the target of symbolic links, which need not exist yet; or, if they lead to a
 * descriptor of this process, its name. */
static char *
follow(const char *path)
{
	char *at = mem_copy(path, strlen(path)), target[PATH_MAX];
	struct buf b = { 0 };
	const char *slash;
	ssize_t n;
	int i;

	/* Gives up after as many links as the system follows, since somebody may make them
	 * a loop meanwhile. */
	for (i = 0; i < 40 && own_fd(at) < 0 &&
	    (n = readlink(at, target, sizeof target)) >= 0; i++) {
		slash = *target == '/' ? NULL : strrchr(at, '/');
		if (slash)
			buf_add(&b, at, (size_t)(slash + 1 - at));
		buf_add(&b, target, (size_t)n);
		free(at);
		at = mem_copy(b.s, b.n);
		b.n = 0;
	}
	buf_free(&b);
	return at;
}

/* Returns the mode of the old file, or the default for a new one.  Replacing a set-user-ID
 * file must not change whose rights it runs with. */
static mode_t
mode_of(const struct stat *old, int fd)
{
	mode_t mask = umask(0);
	struct stat st;

	umask(mask);
	if (!old)
		return 0666 & ~mask;
	if (fstat(fd, &st) == 0 && st.st_uid == old->st_uid && st.st_gid == old->st_gid)
		return old->st_mode & 07777;
	return old->st_mode & 01777;
}

static int
open_temp(struct out_target *t, const char *path)
{
	struct buf b = { 0 };
	struct stat st;
	bool old;

	/* Links that the system refuses to follow, such as a loop, are an error. */
	if (!(old = stat(path, &st) == 0) && errno != ENOENT)
		return -1;
	t->path = follow(path);
	/* A descriptor is written to at its current position: others have written to it,
	 * and will. */
	if (own_fd(t->path) >= 0)
		return fcntl(own_fd(t->path), F_DUPFD_CLOEXEC, 0);
	/* A device or a pipe is written to directly. */
	if (old && !S_ISREG(st.st_mode))
		return open(path, O_WRONLY | O_CLOEXEC);
	/* The target of a link is replaced, and its mode kept. */
	buf_printf(&b, "%s.XXXXXX", t->path);
	t->temp = mem_copy(b.s, b.n);
	buf_free(&b);
	t->fd = make_temp(t->temp);
	if (t->fd >= 0)
		(void)fchmod(t->fd, mode_of(old ? &st : NULL, t->fd));
	return t->fd;
}

static struct output *
make(struct out_target *t, enum zip_kind kind)
{
	struct output *o = mem_alloc(1, sizeof *o);

	o->full = OUT_WRITE;
	o->to = t;
	o->cap = 2 * OUT_WRITE;
	o->s = mem_resize(NULL, o->cap, 1);
	t->term = isatty(t->fd);
	if (kind != ZIP_NONE) {
		t->zip = zip_new(kind);
		t->packed = mem_resize(NULL, OUT_WRITE, 1);
	}
	return o;
}

struct output *
out_open(const char *path, enum zip_kind kind, struct diag *d)
{
	struct out_target *t = mem_alloc(1, sizeof *t);

	t->diag = d;
	t->name = path ? path : "standard output";
	t->fd = path ? open_temp(t, path) : STDOUT_FILENO;
	if (t->fd < 0 || (kind != ZIP_NONE && isatty(t->fd))) {
		diag_fail_plain(d, "%s: %s", t->name, t->fd < 0 ? strerror(errno) :
		    binary);
		free(t->path);
		free(t->temp);
		free(t);
		return NULL;
	}
#ifdef F_SETPIPE_SZ
	/* Gains 5 to 10% on a long pipeline; fails on anything but a pipe. */
	(void)fcntl(t->fd, F_SETPIPE_SZ, 1 << 20);
#endif
	return make(t, kind);
}

struct output *
out_fd(int fd, const char *name, struct diag *d)
{
	struct out_target *t = mem_alloc(1, sizeof *t);

	t->fd = fd;
	t->name = name;
	t->diag = d;
	return make(t, ZIP_NONE);
}

struct output *
out_terminal(int fd, const char *name, struct diag *d)
{
	struct output *o = out_fd(fd, name, d);

	o->to->term = true;
	return o;
}

struct output *
out_memory(void)
{
	struct output *o = out_fd(-1, "memory", NULL);

	o->to->memory = true;
	return o;
}

void
out_set_content(struct output *o, enum out_content content)
{
	o->content = content;
	if (content != OUT_BINARY || !o->to->term)
		return;
	snprintf(o->to->why, sizeof o->to->why, "%s", binary);
	o->error = EINVAL;
}

static void
write_all(struct output *o, const char *s, size_t n)
{
	while (n && !o->error) {
		ssize_t r = write(o->to->fd, s, n);

		if (r < 0 && errno != EINTR &&
		    (errno != EAGAIN || !poll_for(o->to->fd, POLLOUT)))
			o->error = errno;
		if (r > 0) {
			s += r;
			n -= (size_t)r;
		}
	}
}

static void
pack(struct output *o, const char *s, size_t n, enum zip_until until)
{
	struct out_target *t = o->to;
	struct zip_span z = { .in = s, .nin = n };
	const char *why;
	int more = 0;

	do {
		z.out = t->packed;
		z.nout = OUT_WRITE;
		more = zip_step(t->zip, &z, until, &why);
		if (more < 0) {
			snprintf(t->why, sizeof t->why, "%s", why);
			o->error = EIO;
			return;
		}
		write_all(o, t->packed, OUT_WRITE - z.nout);
	} while ((z.nin || more || !z.nout) && !o->error);
}

/* Adds whole lines in visible form. */
static void
show(struct output *o, const char *s, size_t n)
{
	struct buf b = { 0 };

	printable_lines(&b, (struct text){ s, n });
	write_all(o, b.s, b.n);
	buf_free(&b);
}

#define MUCH ((uint64_t)100 << 20)
#define TIMES 1000

/* Warns of an output that is far larger than the input, such as stacks that name all their
 * callers again and again, before it fills a disk. */
static void
look_at_size(struct out_target *t, size_t n)
{
	struct cursor *at;

	t->written += n;
	if (t->warned || t->written < MUCH || t->written / TIMES < in_total())
		return;
	t->warned = true;
	at = t->diag->at;
	t->diag->at = NULL;	/* it is not about this line */
	diag_say(t->diag, DIAG_WARN, "%s: more than %d MiB so far, over %d times the input",
	    t->name, (int)(MUCH >> 20), TIMES);
	t->diag->at = at;
}

static void
put(struct output *o, const char *s, size_t n)
{
	look_at_size(o->to, n);
	o->to->began |= n > 0;
	if (o->to->zip)
		pack(o, s, n, ZIP_MORE);
	else if (o->to->term && o->content != OUT_TERMINAL)
		show(o, s, n);
	else
		write_all(o, s, n);
}

/* Returns how many bytes can be written although the process may be killed after them: they
 * end one byte into a line or number, which every reader rejects. */
static size_t
unfinished(const struct output *o)
{
	size_t n = o->n - 1;
	const char *lf;

	if (o->to->zip || o->content == OUT_ENDS)	/* readers notice any truncation */
		return o->n - o->n % OUT_WRITE;
	if (o->content == OUT_BINARY)
		return n;
	while ((lf = last_byte(o->s, '\n', n)) && lf[1] == '\n')
		n = (size_t)(lf - o->s);
	return lf ? (size_t)(lf - o->s) + 2 : 0;
}

/* Returns how many bytes are whole lines, so that a terminal gets no part of a
 * character. */
static size_t
whole_lines(const struct output *o)
{
	const char *lf = last_byte(o->s, '\n', o->n);

	return lf ? (size_t)(lf - o->s) + 1 : 0;
}

void
out_spill(struct output *o)
{
	size_t n = o->to->term ? whole_lines(o) : unfinished(o);

	if (o->to->memory)
		return;
	put(o, o->s, n);
	memmove(o->s, o->s + n, o->n - n);
	o->n -= n;
	/* A long line is not searched for its end each time that it grows. */
	o->full = 2 * o->n > OUT_WRITE ? 2 * o->n : OUT_WRITE;
}

void
out_flush(struct output *o)
{
	if (o->to->memory)
		return;
	put(o, o->s, o->n);
	o->n = 0;
	if (o->to->zip)
		pack(o, NULL, 0, ZIP_FLUSH);
}

void
out_grow(struct output *o, size_t n)
{
	o->s = mem_grow(o->s, &o->cap, o->n + n, 1);
}

void
out_write(struct output *o, const char *s, size_t n)
{
	char *p = out_room(o, n);

	if (n)
		memcpy(p, s, n);
	out_upto(o, p + n);
}

void
out_text(struct output *o, struct text t)
{
	out_write(o, t.s, t.n);
}

void
out_puts(struct output *o, const char *s)
{
	out_write(o, s, strlen(s));
}

void
out_printf(struct output *o, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	out_write(o, b.s, b.n);
	buf_free(&b);
}

int
out_stat(const struct output *o, struct stat *st)
{
	return fstat(o->to->fd, st);
}

int
out_check(struct output *o)
{
	if (!o->error)
		return 0;
	if (o->error == EPIPE)
		return diag_stop(o->to->diag);
	return diag_fail_plain(o->to->diag, "%s: %s", o->to->name,
	    o->to->why[0] ? o->to->why : strerror(o->error));
}

int
out_close(struct output *o, bool good)
{
	struct out_target *t = o->to;
	int r;

	if (t->memory) {
		free(t);
		free(o->s);
		free(o);
		return 0;
	}
	if (!good && (t->began || o->n) && o->content != OUT_ENDS)
		out_puts(o, OUT_CUT);
	put(o, o->s, o->n);
	if (t->zip)	/* flush a truncated stream, so that readers see that it began */
		pack(o, NULL, 0, good ? ZIP_END : ZIP_FLUSH);
	if (close(t->fd) < 0 && !o->error)
		o->error = errno;
	if (t->temp && good && !o->error && rename(t->temp, t->path) < 0)
		o->error = errno;
	if (t->temp && (!good || o->error))
		unlink(t->temp);
	if (abandoned == t->temp)	/* the output of a spool has no temporary file */
		abandoned = NULL;
	r = out_check(o);
	zip_free(t->zip);
	free(t->packed);
	free(t->path);
	free(t->temp);
	free(t);
	free(o->s);
	free(o);
	return r;
}

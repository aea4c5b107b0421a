/* SPDX-License-Identifier: ISC */
/*
 * A library to preload: runs a program repeatedly, each time with another one of its
 * calls failing, and reports what the program did.
 *
 *	LD_PRELOAD=fault.so FAULT=write prof-cat -o out FILE
 *
 * FAULT is a row of the table below; only every FAULT_STRIDE-th call is tried.
 * FAULT_CRASH names libraries, by how their files begin, that may end the program as they
 * like when they get no memory.
 * FAULT_OUT is the file, if not standard output, that the program writes.  A run must
 * have the same result as without faults, or else end with status 2 and a message,
 * with the old file in place, no other file in the directory and no complete stream
 * on standard output.
 *
 * The program is started once; forked copies of it, made before main(), run.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { MEMORY, MMAP, OPEN, READ, WRITE, FULL, CLOSE, SEEK, STAT, RENAME,
	PIPE, FORK, THREAD, WAIT, DUP, POLL, KINDS, SHORT, EINTRS, ERRNOS };

static const struct {
	const char *name;
	int err;
} table[] = {
	[MEMORY] = { "memory", ENOMEM }, [MMAP] = { "mmap", ENOMEM },
	[OPEN] = { "open", EMFILE }, [READ] = { "read", EIO },
	[WRITE] = { "write", EIO }, [FULL] = { "full", ENOSPC },
	[CLOSE] = { "close", EIO }, [SEEK] = { "seek", EIO },
	[STAT] = { "stat", EIO }, [RENAME] = { "rename", EIO },
	[PIPE] = { "pipe", EMFILE }, [FORK] = { "fork", EAGAIN },
	[THREAD] = { "thread", EAGAIN }, [WAIT] = { "wait", ECHILD },
	[DUP] = { "dup", EMFILE }, [POLL] = { "poll", ENOMEM },
	/* Not failures: results as short as possible, signals, and the errno of a failure
	 * from which malloc() recovered. */
	[SHORT] = { "short", 0 }, [EINTRS] = { "eintr", EINTR },
	[ERRNOS] = { "errno", ENOMEM },
};

static struct shared {		/* by the program's processes */
	unsigned long calls, fail_at, turn;
	enum kind kind;
	char hungry[64];	/* the library that got no memory */
} *shared;

static bool armed;		/* set in the program, not in the process that waits for
				 * it */

/* Is this the call to fail?  If the disk is full, all later ones also fail. */
static bool
fails(enum kind kind)
{
	unsigned long n;

	if (!armed)
		return false;
	if (shared->kind == EINTRS && (kind == READ || kind == WRITE ||
	    kind == POLL || kind == WAIT)) {
		errno = EINTR;
		return __atomic_fetch_add(&shared->turn, 1, __ATOMIC_RELAXED) % 3 == 0;
	}
	if (kind != shared->kind && !(kind == WRITE && shared->kind == FULL))
		return false;
	n = __atomic_add_fetch(&shared->calls, 1, __ATOMIC_RELAXED);
	if (n != shared->fail_at && (shared->kind != FULL || !shared->fail_at ||
	    n < shared->fail_at))
		return false;
	errno = table[shared->kind].err;
	return true;
}

static size_t
shortened(size_t n)
{
	size_t most;

	if (!armed || shared->kind != SHORT)
		return n;
	most = __atomic_add_fetch(&shared->turn, 1, __ATOMIC_RELAXED) % 7 + 1;
	return n < most ? n : most;
}

/* ---- the calls ---- */

#define REAL(type, name, params) \
	static type (*real) params; \
	if (!real) \
		*(void **)&real = dlsym(RTLD_NEXT, #name)

#define WRAP(type, name, kind, bad, params, args) \
	type name params; \
	type name params \
	{ \
		REAL(type, name, params); \
		return fails(kind) ? bad : real args; \
	}

/* dlsym() may itself need memory: it comes from here. */
static char first[4096];
static size_t taken;
static bool looking;

static void *
lend(size_t n)
{
	void *p = first + taken;

	taken += (n + 15) / 16 * 16;
	if (taken > sizeof first)
		abort();
	return p;
}

/* Notes the library that got no memory, while it is loaded. */
static void
refused(const void *caller)
{
	Dl_info at;

	if (dladdr(caller, &at))
		snprintf(shared->hungry, sizeof shared->hungry, "%s", basename(at.dli_fname));
}

#define WRAP_MEMORY(name, size, params, args) \
	void *name params; \
	void *name params \
	{ \
		static void *(*real) params; \
		void *got; \
		if (looking) \
			return lend(size); \
		if (!real) { \
			looking = true; \
			*(void **)&real = dlsym(RTLD_NEXT, #name); \
			looking = false; \
		} \
		if (!fails(MEMORY)) { \
			got = real args; \
			if (armed && shared->kind == ERRNOS) \
				errno = ENOMEM; \
			return got; \
		} \
		refused(__builtin_return_address(0)); \
		return NULL; \
	}

WRAP_MEMORY(malloc, n, (size_t n), (n))
WRAP_MEMORY(calloc, n * size, (size_t n, size_t size), (n, size))
WRAP_MEMORY(realloc, n, (void *p, size_t n), (p, n))
WRAP_MEMORY(memalign, n, (size_t align, size_t n), (align, n))
WRAP_MEMORY(aligned_alloc, n, (size_t align, size_t n), (align, n))

void free(void *p);
void
free(void *p)
{
	REAL(void, free, (void *));
	if ((char *)p < first || (char *)p >= first + sizeof first)
		real(p);
}

WRAP(int, posix_memalign, MEMORY, ENOMEM, (void **p, size_t align, size_t n), (p, align, n))
WRAP(void *, mmap, MMAP, MAP_FAILED, (void *p, size_t n, int prot, int flags, int fd,
    off_t at), (p, n, prot, flags, fd, at))
WRAP(FILE *, fopen, OPEN, NULL, (const char *path, const char *mode), (path, mode))
WRAP(DIR *, opendir, OPEN, NULL, (const char *path), (path))
WRAP(int, mkstemp, OPEN, -1, (char *path), (path))
WRAP(int, mkostemp, OPEN, -1, (char *path, int flags), (path, flags))
WRAP(ssize_t, read, READ, -1, (int fd, void *p, size_t n), (fd, p, shortened(n)))
WRAP(ssize_t, write, WRITE, -1, (int fd, const void *p, size_t n), (fd, p, shortened(n)))
WRAP(off_t, lseek, SEEK, -1, (int fd, off_t at, int whence), (fd, at, whence))
WRAP(int, fstat, STAT, -1, (int fd, struct stat *st), (fd, st))
WRAP(int, stat, STAT, -1, (const char *path, struct stat *st), (path, st))
WRAP(char *, realpath, STAT, NULL, (const char *path, char *to), (path, to))
WRAP(int, fchmod, STAT, -1, (int fd, mode_t mode), (fd, mode))
WRAP(int, rename, RENAME, -1, (const char *from, const char *to), (from, to))
WRAP(int, pipe, PIPE, -1, (int fd[2]), (fd))
WRAP(pid_t, fork, FORK, -1, (void), ())
WRAP(int, pthread_create, THREAD, EAGAIN, (pthread_t *t, const pthread_attr_t *attr,
    void *(*run)(void *), void *arg), (t, attr, run, arg))
WRAP(pid_t, waitpid, WAIT, -1, (pid_t pid, int *status, int options),
    (pid, status, options))
WRAP(int, dup2, DUP, -1, (int from, int to), (from, to))
WRAP(int, poll, POLL, -1, (struct pollfd *p, nfds_t n, int timeout), (p, n, timeout))

#define WRAP_OPEN(name) \
	int name(const char *path, int flags, ...); \
	int name(const char *path, int flags, ...) \
	{ \
		va_list ap; \
		int mode; \
		REAL(int, name, (const char *, int, ...)); \
		va_start(ap, flags); \
		mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, int) : 0; \
		va_end(ap); \
		return fails(OPEN) ? -1 : real(path, flags, mode); \
	}

WRAP_OPEN(open)
WRAP_OPEN(open64)

int
fcntl(int fd, int cmd, ...)
{
	va_list ap;
	void *arg;
	REAL(int, fcntl, (int, int, ...));

	va_start(ap, cmd);
	arg = va_arg(ap, void *);
	va_end(ap);
	return cmd == F_DUPFD_CLOEXEC && fails(DUP) ? -1 : real(fd, cmd, arg);
}

/* The descriptor is closed in any case. */
int
close(int fd)
{
	int bad = fails(CLOSE), err = errno;
	REAL(int, close, (int));

	if (real(fd) < 0 || !bad)
		return bad ? -1 : 0;
	errno = err;
	return -1;
}

/* ---- the runs ---- */

struct result {
	int status;
	size_t nout, nfile, nerr;
	char out[1 << 20], file[1 << 20], err[4096];
	int left;		/* files that were not there before */
};

static const char *path;	/* the file that the program writes, or NULL */
static int out, err, bad;

static size_t
contents(int fd, char *to, size_t size)
{
	size_t n = 0;
	ssize_t r;

	while ((r = pread(fd, to + n, size - 1 - n, (off_t)n)) > 0)
		n += (size_t)r;
	if (n == size - 1) {
		fprintf(stderr, "fault: the output is too large\n");
		_exit(3);
	}
	to[n] = '\0';
	return n;
}

static int
entries(void)
{
	DIR *d = opendir(".");
	int n = 0;

	while (d && readdir(d))
		n++;
	closedir(d);
	return n;
}

static void
put_old_file(void)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || write(fd, "old\n", 4) != 4)
		_exit(3);
	close(fd);
}

/* In the copy this returns false, and the program goes on. */
static bool
run(unsigned long fail_at, struct result *res)
{
	pid_t pid;
	int fd;

	if (path)
		put_old_file();
	res->left = -entries();
	if (ftruncate(out, 0) < 0 || ftruncate(err, 0) < 0)
		_exit(3);
	shared->calls = shared->turn = 0;
	shared->hungry[0] = '\0';
	shared->fail_at = fail_at;
	if ((pid = fork()) < 0)
		_exit(3);
	if (!pid) {
		lseek(out, 0, SEEK_SET);
		lseek(err, 0, SEEK_SET);
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		close(out);
		close(err);
		alarm(20);
		armed = true;
		return false;
	}
	waitpid(pid, &res->status, 0);
	res->nout = contents(out, res->out, sizeof res->out);
	res->nerr = contents(err, res->err, sizeof res->err);
	res->nfile = 0;
	if (path && (fd = open(path, O_RDONLY)) >= 0) {
		res->nfile = contents(fd, res->file, sizeof res->file);
		close(fd);
	}
	res->left += entries();
	return true;
}

static bool
ends_with(const char *s, size_t n, const char *end)
{
	return n >= strlen(end) && strcmp(s + n - strlen(end), end) == 0;
}

static bool
same(const struct result *a, const struct result *b)
{
	return a->status == b->status && a->nout == b->nout && a->nfile == b->nfile &&
	    !memcmp(a->out, b->out, a->nout) && !memcmp(a->file, b->file, a->nfile);
}

/* Did it crash in the library that may?  Copies have the library at the same address. */
static bool
may_crash(void)
{
	const char *name = getenv("FAULT_CRASH");
	size_t n;

	for (; name && *shared->hungry && *name; name += n + (name[n] == ' ')) {
		n = strcspn(name, " ");
		if (strncmp(shared->hungry, name, n) == 0)
			return true;
	}
	return false;
}

/* Returns the problem of a run; NULL: none. */
static const char *
judge(const struct result *r, const struct result *good)
{
	static char text[80];

	if (r->left)
		return "a file is left behind";
	if (WIFSIGNALED(r->status)) {
		snprintf(text, sizeof text, "signal %d", WTERMSIG(r->status));
		return may_crash() ? NULL : text;
	}
	if (same(r, good) || (WEXITSTATUS(r->status) == 127 && may_crash()))
		return NULL;
	if (WEXITSTATUS(r->status) != 2) {
		snprintf(text, sizeof text, "status %d, and another output",
		    WEXITSTATUS(r->status));
		return text;
	}
	if (strncmp(r->err, program_invocation_short_name,
	    strlen(program_invocation_short_name)) != 0)
		return "no message";
	if (path && strcmp(r->file, "old\n") != 0)
		return "the old file is gone";
	if (shared->kind != CLOSE && (ends_with(r->out, r->nout, "\nend\n") ||
	    (r->nout && r->nout == good->nout)))
		return "a complete output";
	return NULL;
}

static void
complain(unsigned long n, const char *what, const struct result *r)
{
	bad++;
	fprintf(stderr, "fault: %s: %s %lu: %s\n%s", program_invocation_short_name,
	    table[shared->kind].name, n, what, r->err);
}

__attribute__((constructor)) static void
serve(void)
{
	static struct result good, r;
	const char *kind = getenv("FAULT"), *stride = getenv("FAULT_STRIDE");
	unsigned long n, calls, step = stride ? strtoul(stride, NULL, 10) : 1, runs = 0;
	const char *what;

	if (!kind)
		return;
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (n = 0; n < sizeof table / sizeof *table; n++)
		if (table[n].name && strcmp(table[n].name, kind) == 0)
			break;
	if (shared == MAP_FAILED || n == sizeof table / sizeof *table)
		_exit(3);
	path = getenv("FAULT_OUT");
	out = memfd_create("out", MFD_CLOEXEC);
	err = memfd_create("err", MFD_CLOEXEC);
	shared->kind = KINDS;	/* none: undisturbed */
	if (!run(0, &good))
		return;
	shared->kind = (enum kind)n;
	if (!run(0, &r))
		return;
	if (!same(&r, &good))
		complain(0, "another output", &r);
	calls = shared->calls;
	for (n = 1; n <= calls; n += step, runs++) {
		if (!run(n, &r))
			return;
		if ((what = judge(&r, &good)))
			complain(n, what, &r);
	}
	printf("%s\t%lu\t%lu\n", kind, calls, runs);
	fflush(stdout);
	_exit(bad ? 1 : 0);
}

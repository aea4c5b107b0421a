/* SPDX-License-Identifier: ISC */
#include "io/workers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/mem.h"

static void
close_all(const struct workers *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		close(w->v[i].fd);
}

/* Descriptors needed for everything else: standard streams, the output, the input. */
#define OTHERS 16

size_t
workers_most(void)
{
	struct rlimit most;

	if (access("/dev/fd/0", F_OK) < 0 && access("/dev/fd/1", F_OK) < 0)
		return 1;
	if (getrlimit(RLIMIT_NOFILE, &most) < 0 || most.rlim_cur == RLIM_INFINITY)
		return SIZE_MAX;
	return most.rlim_cur > OTHERS ? (size_t)most.rlim_cur - OTHERS : 1;
}

int
workers_start(struct workers *w, size_t n, void (*run)(void *, size_t, int), void *arg,
    struct diag *d)
{
	int fd[2];
	pid_t pid;

	/* Our parent may have started us with SIGCHLD ignored. */
	signal(SIGCHLD, SIG_DFL);
	*w = (struct workers){ .v = mem_alloc(n + 1, sizeof *w->v), .all = WORKER_BITS };
	while (w->n < n) {
		if (pipe(fd) < 0)
			return diag_fail_plain(d, "cannot create a pipe: %s",
			    strerror(errno));
		if ((pid = fork()) < 0) {
			close(fd[0]);
			close(fd[1]);
			return diag_fail_plain(d, "cannot create a process: %s",
			    strerror(errno));
		}
		if (pid == 0) {
			close_all(w);	/* else the others never get SIGPIPE */
			close(fd[0]);
			run(arg, w->n, fd[1]);
			_exit(2);
		}
		close(fd[1]);
		w->v[w->n] = (struct worker){ .pid = pid, .fd = fd[0] };
		snprintf(w->v[w->n].path, sizeof w->v->path, "/dev/fd/%d", fd[0]);
		w->n++;
	}
	return 0;
}

int
workers_end(struct workers *w, struct diag *d)
{
	size_t i;
	int status, ret = 0;
	pid_t pid;

	close_all(w);
	for (i = 0; i < w->n; i++) {
		while ((pid = waitpid(w->v[i].pid, &status, 0)) < 0 && errno == EINTR)
			;
		if (pid > 0 && WIFEXITED(status) && !(WEXITSTATUS(status) & ~WORKER_BITS)) {
			w->any |= (unsigned)WEXITSTATUS(status);
			w->all &= (unsigned)WEXITSTATUS(status);
			continue;
		}
		if (pid > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
			continue;	/* our reader stopped, and knows why */
		if (ret == 0)
			d->error.n = 0;	/* of the cut stream; this is its cause */
		ret = -1;
		if (pid < 0)
			diag_fail_plain(d, "cannot wait for a process: %s", strerror(errno));
		else if (WIFSIGNALED(status))
			diag_fail_plain(d, "a worker process was killed by signal %d",
			    WTERMSIG(status));
	}
	free(w->v);
	w->v = NULL;
	w->n = 0;
	return ret;
}

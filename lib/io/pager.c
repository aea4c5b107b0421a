/* SPDX-License-Identifier: ISC */
#include "io/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/term.h"
#include "util/buf.h"

/* State of the terminal, of which a process has one; handlers of signals use it. */
static volatile pid_t pager;	/* 0: none runs */
static int to_pager, own_stderr = -1;

/* Is a program of this name in one of the directories of $PATH? */
static bool
is_installed(const char *program)
{
	const char *path = getenv("PATH"), *end;
	struct buf b = { 0 };
	bool found = false;

	for (; path && !found; path = *end ? end + 1 : NULL) {
		end = path + strcspn(path, ":");
		b.n = 0;
		buf_add(&b, path, (size_t)(end - path));
		buf_printf(&b, "%s%s", b.n ? "/" : "", program);
		found = access(buf_str(&b), X_OK) == 0;
	}
	buf_free(&b);
	return found;
}

static const char *
find_pager(void)
{
	const char *command = getenv("PAGER"), *term = getenv("TERM");

	if (!term_is() || !term || strcmp(term, "dumb") == 0)
		return NULL;
	if (!command)
		command = is_installed("less") ? "less" : "";
	command += strspn(command, " \t");
	return *command && strcmp(command, "cat") != 0 ? command : NULL;
}

static _Noreturn void
run(const char *command, const int ends[2])
{
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	close(ends[1]);
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

int
pager_start(void)
{
	const char *command = find_pager();
	int ends[2];
	pid_t pid;

	if (!command || pipe(ends) < 0)
		return -1;
	pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	if (pid == 0)
		run(command, ends);
	close(ends[0]);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	if (isatty(STDERR_FILENO)) {
		own_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		dup2(ends[1], STDERR_FILENO);
	}
	to_pager = ends[1];
	pager = pid;
	return ends[1];
}

bool
pager_wait(void)
{
	int status = 0;

	if (!pager)
		return true;
	if (own_stderr >= 0)	/* standard error has the pipe open as well */
		dup2(own_stderr, STDERR_FILENO);
	while (waitpid(pager, &status, 0) < 0 && errno == EINTR)
		;
	pager = 0;	/* until here a signal handler must also wait */
	/* A shell exits with these if it cannot run a command; with more if a signal has
	 * ended it. */
	return !WIFEXITED(status) || (WEXITSTATUS(status) != 126 &&
	    WEXITSTATUS(status) != 127);
}

void
pager_abandon(void)
{
	if (pager)
		close(to_pager);
	(void)pager_wait();
}

/* SPDX-License-Identifier: ISC */
/*
 * Measures the cost of a command, independently of other load:
 *
 *	measure SECONDS MIB FILE COMMAND...
 *
 * runs it with standard output in FILE and standard error in FILE.err, limits its
 * processor time to SECONDS and its memory and output to MIB, and prints the exit
 * status (128 + signal), milliseconds of processor time of all its processes, the
 * largest resident size of any of them in KiB, and bytes of output.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void
limit(int resource, rlim_t n)
{
	struct rlimit r = { n, n };

	if (setrlimit(resource, &r) < 0)
		_exit(125);
}

static void
redirect(int fd, const char *path)
{
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (to < 0 || dup2(to, fd) < 0)
		_exit(125);
	close(to);
}

static void
run(char **argv)
{
	rlim_t memory = (rlim_t)strtoull(argv[2], NULL, 10) << 20;
	char err[4096];

	snprintf(err, sizeof err, "%s.err", argv[3]);
	redirect(0, "/dev/null");
	redirect(1, argv[3]);
	redirect(2, err);
	limit(RLIMIT_CPU, strtoull(argv[1], NULL, 10));
	limit(RLIMIT_AS, memory);
	limit(RLIMIT_FSIZE, memory);
	limit(RLIMIT_CORE, 0);
	execvp(argv[4], argv + 4);
	_exit(127);
}

static long
ms(struct timeval t)
{
	return (long)t.tv_sec * 1000 + t.tv_usec / 1000;
}

int
main(int argc, char **argv)
{
	struct rusage used;
	struct stat st;
	pid_t pid;
	int status;

	if (argc < 5)
		return 125;
	if ((pid = fork()) == 0)
		run(argv);
	if (pid < 0 || wait4(pid, &status, 0, &used) < 0 || stat(argv[3], &st) < 0)
		return 125;
	printf("%d %ld %ld %lld\n", WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
	    WEXITSTATUS(status), ms(used.ru_utime) + ms(used.ru_stime),
	    used.ru_maxrss, (long long)st.st_size);
	return 0;
}

/* SPDX-License-Identifier: ISC */
#include "symbol/disasm.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbol/symbols.h"
#include "util/mem.h"
#include "util/num.h"
#include "util/system.h"

#define PROGRAM "objdump"
#define MOST ((size_t)256 << 20)	/* bytes of output for a function */

extern char **environ;

/* ---- running it ---- */

/* Starts it with `end` as its standard output: 0 or an errno. */
static int
spawn(char *const argv[], int end, pid_t *pid)
{
	posix_spawn_file_actions_t to;
	int err = posix_spawn_file_actions_init(&to);

	if (err)
		return err;
	if (!(err = posix_spawn_file_actions_addopen(&to, 0, "/dev/null", O_RDONLY, 0)) &&
	    !(err = posix_spawn_file_actions_adddup2(&to, end, 1)))
		err = posix_spawnp(pid, PROGRAM, &to, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&to);
	return err;
}

/* It has printed the reason of a failure on standard error. */
static int
wait_for(pid_t pid, const char *path, struct diag *d)
{
	int status;
	pid_t r;

	while ((r = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
		;
	if (r == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return diag_fail_plain(d, PROGRAM " cannot disassemble %s",
	    diag_quote(path, strlen(path)));
}

static int
run(char *const argv[], const char *path, struct buf *out, struct diag *d)
{
	int fd[2], err, r;
	pid_t pid;
	bool good;

	if (system_pipe(fd) < 0)
		return diag_fail_plain(d, "pipe: %s", strerror(errno));
	err = spawn(argv, fd[1], &pid);
	close(fd[1]);
	if (err) {
		close(fd[0]);
		return err == ENOENT ? diag_fail_plain(d, PROGRAM " is not found: it is part "
		    "of GNU binutils, and prints the instructions") :
		    diag_fail_plain(d, PROGRAM ": %s", strerror(err));
	}
	good = buf_read(out, fd[0], MOST);
	close(fd[0]);
	r = wait_for(pid, path, d);
	return r == 0 && !good ? diag_fail_plain(d, "cannot read what " PROGRAM
	    " prints of %s", diag_quote(path, strlen(path))) : r;
}

/* ---- its output ---- */

/* Reads " 401136:<TAB>push %rbp": false for a heading. */
static bool
read_line(struct text line, struct insn *to)
{
	const char *p = line.s, *end = p + line.n, *q;

	while (p < end && *p == ' ')
		p++;
	q = num_get_hex(p, &to->addr);
	if (!q || q == p || q + 1 >= end || q[0] != ':' || q[1] != '\t')
		return false;
	to->text = (struct text){ q + 2, (size_t)(end - q) - 2 };
	while (to->text.n && to->text.s[to->text.n - 1] == ' ')
		to->text.n--;
	return true;
}

static void
read_lines(struct disasm *x)
{
	const char *p = buf_str(&x->bytes), *end = p + x->bytes.n, *lf;
	struct insn insn;
	size_t cap = 0;

	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		if (!read_line((struct text){ p, (size_t)(lf - p) }, &insn))
			continue;
		x->v = mem_grow(x->v, &cap, x->n + 1, sizeof *x->v);
		x->v[x->n++] = insn;
	}
}

/* Its arguments are not const, but are not changed. */
#define ARG(s) ((char *)(s))

int
disasm_read(struct disasm *x, const struct symbols *s, uint64_t from, uint64_t to,
    struct diag *d)
{
	const char *path = symbols_path(s);
	struct buf start = { 0 }, stop = { 0 };
	char *argv[] = { ARG(PROGRAM), ARG("-d"), ARG("-w"), ARG("-z"),
	    ARG("--no-show-raw-insn"), NULL, NULL, ARG("-C"), ARG("--"), ARG(path), NULL };
	int r;

	buf_printf(&start, "--start-address=0x%" PRIx64, from);
	buf_printf(&stop, "--stop-address=0x%" PRIx64, to);
	argv[5] = ARG(buf_str(&start));
	argv[6] = ARG(buf_str(&stop));
	if (symbols_are_mangled(s))	/* it prints these names itself */
		argv[7] = ARG("-d");
	r = run(argv, path, &x->bytes, d);
	if (r == 0)
		read_lines(x);
	buf_free(&start);
	buf_free(&stop);
	return r;
}

void
disasm_free(struct disasm *x)
{
	free(x->v);
	buf_free(&x->bytes);
	*x = (struct disasm){ 0 };
}

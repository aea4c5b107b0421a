/* SPDX-License-Identifier: ISC */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/mem.h"

#define SOURCE_MOST ((off_t)256 << 20)	/* bytes: more was not written by people */

/* ---- reading ---- */

/* A last line without a newline is one. */
void
source_lines(struct source *s)
{
	const char *p = s->bytes.s, *end = p + s->bytes.n, *next;
	size_t cap = 0;

	for (; p < end; p = next) {
		s->line = mem_grow(s->line, &cap, s->nline + 2, sizeof *s->line);
		s->line[s->nline++] = (size_t)(p - s->bytes.s);
		next = memchr(p, '\n', (size_t)(end - p));
		next = next ? next + 1 : end;
	}
	if (s->nline)
		s->line[s->nline] = s->bytes.n;
}

/* What is wrong with the file of an open descriptor; NULL: it has been read. */
static const char *
read_open(struct source *s, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return "is not a file";
	if (st.st_size > SOURCE_MOST)
		return "is too large";
	s->changed = st.st_mtime;
	s->bytes.n = 0;
	if (!buf_read(&s->bytes, fd, SOURCE_MOST))
		return "cannot be read";
	source_lines(s);
	return NULL;
}

/* Reads the file of s->path, if there is one; a pipe does not make it wait. */
static bool
read_file(struct source *s)
{
	int fd = open(buf_str(&s->path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			s->why = "cannot be opened";
		return false;
	}
	s->why = read_open(s, fd);
	close(fd);
	return !s->why;
}

/* ---- looking for it ---- */

/* With a slash between, unless there is one or nothing before it. */
static bool
try_path(struct source *s, struct text dir, struct text path)
{
	s->path.n = 0;
	buf_text(&s->path, dir);
	if (dir.n && dir.s[dir.n - 1] != '/' && path.n && path.s[0] != '/')
		buf_putc(&s->path, '/');
	buf_text(&s->path, path);
	return read_file(s);
}

static bool
begins_with(struct text path, struct text dir)
{
	return path.n >= dir.n && memcmp(path.s, dir.s, dir.n) == 0 &&
	    (path.n == dir.n || dir.s[dir.n - 1] == '/' || path.s[dir.n] == '/');
}

static struct text
without(struct text path, size_t n)
{
	return (struct text){ path.s + n, path.n - n };
}

static bool
try_maps(struct source *s, struct text path, const struct source_search *where)
{
	size_t i;

	for (i = 0; i < where->nmap; i++)
		if (begins_with(path, where->map[i].old))
			return try_path(s, where->map[i].new,
			    without(path, where->map[i].old.n));
	return false;
}

/* Takes off what leads nowhere below a directory: "/", "./", "../". */
static struct text
skip_dots(struct text path)
{
	static const struct text dots[] = { { "/", 1 }, { "./", 2 }, { "../", 3 } };
	size_t i;

	for (i = 0; i < sizeof dots / sizeof *dots; i++)
		if (path.n > dots[i].n && memcmp(path.s, dots[i].s, dots[i].n) == 0) {
			path = without(path, dots[i].n);
			i = (size_t)-1;
		}
	return path;
}

static bool
try_below(struct source *s, struct text dir, struct text path)
{
	const char *slash;

	for (path = skip_dots(path); ; path = skip_dots(path)) {
		if (try_path(s, dir, path))
			return true;
		if (!(slash = memchr(path.s, '/', path.n)))
			return false;
		path = without(path, (size_t)(slash + 1 - path.s));
	}
}

bool
source_find(struct source *s, struct text path, const struct source_search *where)
{
	bool found = false;
	size_t i;

	s->why = "not found";
	if (path.n && !memchr(path.s, '\0', path.n)) {
		found = try_maps(s, path, where) || try_path(s, TEXT(""), path);
		for (i = 0; i < where->ndir && !found; i++)
			found = try_below(s, text_of(where->dir[i]), path);
	}
	if (!found)
		s->path.n = 0;
	return found;
}

uint64_t
source_number(const struct source *s, uint64_t line)
{
	return s->insn && line && line <= s->nline ? s->insn[line - 1].addr : line;
}

struct text
source_line(const struct source *s, uint64_t line)
{
	struct text t = { 0 };

	if (!line || line > s->nline)
		return t;
	t.s = s->bytes.s + s->line[line - 1];
	t.n = s->line[line] - s->line[line - 1];
	if (t.s[t.n - 1] == '\n')
		t.n--;
	return t;
}

void
source_free(struct source *s)
{
	buf_free(&s->path);
	buf_free(&s->bytes);
	free(s->line);
	free(s->insn);
	*s = (struct source){ 0 };
}

/* SPDX-License-Identifier: ISC */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/mem.h"

#define SOURCE_MOST ((off_t)256 << 20)	/* bytes; larger files are not source */

/* ---- reading ---- */

/* A last line without a newline also counts. */
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

/* Uses the kept file, since a profile may have many spellings of a path. */
static bool
take_kept(struct source *s, struct source *kept, const struct stat *st)
{
	if (!kept || !kept->nline || kept->dev != st->st_dev || kept->ino != st->st_ino ||
	    kept->changed != st->st_mtime || (off_t)kept->bytes.n != st->st_size)
		return false;
	buf_free(&s->bytes);
	s->bytes = kept->bytes;
	s->line = kept->line;
	s->nline = kept->nline;
	buf_free(&kept->path);
	*kept = (struct source){ 0 };
	return true;
}

/* After following links, is a path this directory or below it, with nothing hidden
 * between? */
static bool
is_below(const char *path, const char *dir)
{
	char *file = realpath(path, NULL), *top = realpath(dir, NULL);
	size_t n = top ? strlen(top) : 0;
	bool below = file && top && strncmp(file, top, n) == 0 &&
	    (!file[n] || file[n] == '/' || top[n - 1] == '/');

	below = below && !strstr(file + n - (top[n - 1] == '/'), "/.");
	free(file);
	free(top);
	return below;
}

/* A directory that the user has named is meant to be read; the current directory is only
 * where the user is, and may be that of the whole system. */
static bool
is_allowed(struct source *s, const char *dir, const struct stat *st,
    const struct source_search *where)
{
	char *here;
	bool is_root;

	if (where->any)
		return true;
	if (dir)
		return is_below(buf_str(&s->path), dir);
	here = realpath(".", NULL);
	is_root = here && strcmp(here, "/") == 0;
	free(here);
	return (!is_root && is_below(buf_str(&s->path), ".")) ||
	    (where->vouched && where->vouched(where->arg, st));
}

/* Reads the file of an open descriptor: NULL, or the reason why it cannot be read. */
static const char *
read_open(struct source *s, int fd, const char *dir, const struct source_search *where)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return "is not a file";
	if (!is_allowed(s, dir, &st, where))
		return "is not below this directory: use -I DIR, --map OLD=NEW or "
		    "--any-source";
	if (st.st_size > SOURCE_MOST)
		return "is too large";
	s->changed = st.st_mtime;
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	if (s->only_found || take_kept(s, where->kept, &st))
		return NULL;
	s->bytes.n = 0;
	if (!buf_read(&s->bytes, fd, SOURCE_MOST))
		return "cannot be read";
	source_lines(s);
	return NULL;
}

/* Reads the file of s->path, if there is one that may be read below a directory of the
 * user's (NULL: the current one).  Does not wait for a pipe. */
static bool
read_file(struct source *s, const char *dir, const struct source_search *where)
{
	int fd = open(buf_str(&s->path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			s->why = "cannot be opened";
		return false;
	}
	s->why = read_open(s, fd, dir, where);
	close(fd);
	return !s->why;
}

/* ---- looking for it ---- */

/* Tries the path below `in`, with a slash between unless there is one or `in` is empty. */
static bool
try_path(struct source *s, const char *in, struct text path,
    const struct source_search *where)
{
	const struct text dir = text_of(in ? in : "");

	s->path.n = 0;
	buf_text(&s->path, dir);
	if (dir.n && dir.s[dir.n - 1] != '/' && path.n && path.s[0] != '/')
		buf_putc(&s->path, '/');
	buf_text(&s->path, path);
	return read_file(s, in, where);
}

static bool
is_within(struct text path, struct text dir)
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
	const struct source_map *map;
	struct text rest;
	size_t i;

	for (i = 0; i < where->nmap; i++) {
		map = &where->map[i];
		if (!is_within(path, map->old))
			continue;
		rest = without(path, map->old.n);
		/* With an empty replacement, the rest of the path remains. */
		return try_path(s, *map->new ? map->new : text_begins(rest, "/") ?
		    "/" : ".", rest, where);
	}
	return false;
}

/* Takes off components that lead nowhere below a directory: "/", "./", "../". */
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
try_below(struct source *s, const char *dir, struct text path,
    const struct source_search *where)
{
	const char *slash;

	for (path = skip_dots(path); ; path = skip_dots(path)) {
		if (try_path(s, dir, path, where))
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

	if (text_begins(path, "file://"))
		path = without(path, strlen("file://"));
	s->why = "not found: use -I DIR or --map OLD=NEW";
	if (path.n && !memchr(path.s, '\0', path.n)) {
		found = try_maps(s, path, where) || try_path(s, NULL, path, where);
		for (i = 0; i < where->ndir && !found; i++)
			found = try_below(s, where->dir[i], path, where);
	}
	if (!found)
		s->path.n = 0;
	return found;
}

const struct source_insn *
source_insn(const struct source *s, uint64_t line)
{
	return s->insn && line && line <= s->nline ? &s->insn[line - 1] : NULL;
}

uint64_t
source_number(const struct source *s, uint64_t line)
{
	const struct source_insn *insn = source_insn(s, line);

	return insn ? insn->addr : line;
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

bool
source_exists(struct text path, const struct source_search *where)
{
	struct source s = { .only_found = true };
	const bool found = source_find(&s, path, where);

	source_free(&s);
	return found;
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

void
source_keep(struct source *s, struct source *kept)
{
	if (s->nline && !s->insn) {
		source_free(kept);
		*kept = *s;
		*s = (struct source){ 0 };
	} else {
		source_free(s);
	}
}

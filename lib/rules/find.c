/* SPDX-License-Identifier: ISC */
#include "rules/state.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "util/mem.h"
#include "util/suggest.h"

#define SUFFIX ".yaml"

/* The directories where rules have names: the user's own, then the installed ones. */
enum { OWN, INSTALLED, DIRS };

#ifndef PROF_DATADIR
/* Returns the length of the program's path; 0: it is not known. */
static size_t
program(char exe[PATH_MAX])
{
	const ssize_t n = readlink("/proc/self/exe", exe, PATH_MAX);

	if (n > 0)
		return (size_t)n;
#ifdef __linux__
	/* In a root without /proc, the kernel has noted what was executed. */
	const char *executed = (const char *)getauxval(AT_EXECFN);

	if (executed && realpath(executed, exe))
		return strlen(exe);
#endif
	return 0;
}
#endif

/* The directory relative to the program: PREFIX/bin/prof-grep has
 * PREFIX/share/prof/rules. */
static void
installed(struct buf *b)
{
#ifdef PROF_DATADIR
	buf_puts(b, PROF_DATADIR "/rules");
#else
	char exe[PATH_MAX];
	const char *slash;
	size_t n = program(exe);
	int up;

	if (!n)
		n = strlen(strcpy(exe, "/usr/local/bin/prof"));
	for (up = 0; up < 2; up++) {
		slash = last_byte(exe, '/', n);
		n = slash ? (size_t)(slash - exe) : 0;
	}
	buf_add(b, exe, n);
	buf_puts(b, "/share/prof/rules");
#endif
}

/* Adds the path of a directory; false if there is none. */
static bool
directory(int which, struct buf *b)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	b->n = 0;
	if (which == INSTALLED)
		installed(b);
	else if (config && *config == '/')	/* XDG: ignore relative paths */
		buf_printf(b, "%s/prof/rules", config);
	else if (home && *home)
		buf_printf(b, "%s/.config/prof/rules", home);
	return b->n;
}

/* ---- the list ---- */

struct entry {
	char *name, *dir;
};

struct entries {
	struct entry *v;
	size_t n;
};

static int
by_entry(const void *pa, const void *pb)
{
	return strcmp(((const struct entry *)pa)->name, ((const struct entry *)pb)->name);
}

static void
add_entry(struct entries *e, const char *file, const char *dir)
{
	size_t n = strlen(file), i;
	char *name;

	if (n <= strlen(SUFFIX) || strcmp(file + n - strlen(SUFFIX), SUFFIX) != 0 ||
	    *file == '.')
		return;
	name = mem_copy(file, n - strlen(SUFFIX));
	for (i = 0; i < e->n && strcmp(e->v[i].name, name) != 0; i++)
		;
	if (i < e->n) {	/* the user's own takes precedence */
		free(name);
		return;
	}
	e->v = mem_resize(e->v, e->n + 1, sizeof *e->v);
	e->v[e->n++] = (struct entry){ name, mem_copy(dir, strlen(dir)) };
}

/* Lists all directories.  A missing one is ignored; one that cannot be read is an error,
 * but the rules of the others are still listed. */
static int
list_entries(struct entries *e, struct diag *diag)
{
	struct buf dir = { 0 };
	struct dirent *file;
	DIR *d;
	int i, r = 0;

	for (i = 0; i < DIRS; i++) {
		if (!directory(i, &dir))
			continue;
		if (!(d = opendir(buf_str(&dir)))) {
			if (errno != ENOENT && errno != ENOTDIR)
				r = diag_fail_plain(diag, "%s: %s", buf_str(&dir),
				    strerror(errno));
			continue;
		}
		while ((file = readdir(d)))
			add_entry(e, file->d_name, buf_str(&dir));
		closedir(d);
	}
	if (e->n)
		qsort(e->v, e->n, sizeof *e->v, by_entry);
	buf_free(&dir);
	return r;
}

static void
free_entries(struct entries *e)
{
	while (e->n--) {
		free(e->v[e->n].name);
		free(e->v[e->n].dir);
	}
	free(e->v);
}

static void
list_entry(const struct entry *e, struct buf *out)
{
	struct diag d = { 0 };
	struct buf path = { 0 };
	struct rules *r;
	const char *s;

	buf_printf(&path, "%s/%s" SUFFIX, e->dir, e->name);
	r = rules_read(buf_str(&path), e->name, &d);
	buf_printf(out, "%s\t%s\t", e->name, e->dir);
	for (s = r ? r->description : buf_str(&d.error); *s; s++)
		buf_putc(out, (unsigned char)*s < ' ' ? ' ' : *s);
	buf_putc(out, '\n');
	rules_free(r);
	buf_free(&d.error);
	buf_free(&path);
}

int
rules_list(struct buf *out, struct diag *d)
{
	struct entries e = { 0 };
	int r = list_entries(&e, d);
	size_t i;

	for (i = 0; i < e.n; i++)
		list_entry(&e.v[i], out);
	free_entries(&e);
	return r;
}

/* ---- one file ---- */

static struct rules *
not_found(const char *what, struct diag *d)
{
	struct entries e = { 0 };
	struct buf b = { 0 };
	const char **names;
	size_t i;

	if (list_entries(&e, d) < 0) {
		free_entries(&e);
		return NULL;
	}
	names = mem_alloc(e.n, sizeof *names);
	for (i = 0; i < e.n; i++)
		names[i] = e.v[i].name;
	suggest_add(&b, text_of(what), names, e.n);
	diag_fail_plain(d, "no rule file %s%s", diag_quote(what, strlen(what)),
	    buf_str(&b));
	buf_free(&b);
	free(names);
	free_entries(&e);
	return NULL;
}

/* Reads a file, whose name in the metadata `filter` is without directories. */
static struct rules *
read_file(const char *path, struct diag *d)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t n = strlen(name);
	struct rules *r;
	char *copy;

	if (n > strlen(SUFFIX) && strcmp(name + n - strlen(SUFFIX), SUFFIX) == 0)
		n -= strlen(SUFFIX);
	copy = mem_copy(name, n);
	r = rules_read(path, copy, d);
	free(copy);
	return r;
}

struct rules *
rules_open(const char *what, struct diag *d)
{
	struct buf path = { 0 };
	struct rules *r;
	struct stat st;
	bool named = false;
	int i;

	if (strchr(what, '/') || (stat(what, &st) == 0 && !S_ISDIR(st.st_mode)))
		return read_file(what, d);
	for (i = 0; i < DIRS && !named; i++) {
		if (!directory(i, &path))
			continue;
		buf_printf(&path, "/%s" SUFFIX, what);
		named = access(buf_str(&path), F_OK) == 0;
	}
	r = named ? rules_read(buf_str(&path), what, d) : not_found(what, d);
	buf_free(&path);
	return r;
}

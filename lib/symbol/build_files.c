/* SPDX-License-Identifier: ISC */
#include "symbol/build_files.h"

#include <stdlib.h>
#include <unistd.h>

#define BUILD_ID_LEAST 8	/* digits */

/* Where a place is below. */
enum root { ROOT_SYSROOT, ROOT_PERF, ROOT_SYSTEM, ROOT_DEBUGINFOD };

/* "BEFORExx/yyyy...AFTER", but debuginfod's "/xxyyyy...AFTER". */
static const struct place {
	enum build_file what;
	enum root root;
	const char *before, *after;
} places[] = {
	{ BUILD_CODE, ROOT_SYSROOT, "/.build-id/", "/elf" },
	{ BUILD_CODE, ROOT_SYSROOT, "/.build-id/", "" },
	{ BUILD_CODE, ROOT_SYSROOT, "/usr/lib/.build-id/", "" },	/* Fedora's links */
	{ BUILD_CODE, ROOT_PERF, "/.build-id/", "/elf" },
	{ BUILD_CODE, ROOT_PERF, "/.build-id/", "" },	/* of perf before 4.13 */
	{ BUILD_CODE, ROOT_SYSTEM, "/usr/lib/.build-id/", "" },
	{ BUILD_CODE, ROOT_DEBUGINFOD, "/", "/executable" },
	{ BUILD_DEBUG, ROOT_SYSROOT, "/.build-id/", "/debug" },
	{ BUILD_DEBUG, ROOT_SYSROOT, "/.build-id/", ".debug" },
	{ BUILD_DEBUG, ROOT_SYSROOT, "/usr/lib/debug/.build-id/", ".debug" },
	{ BUILD_DEBUG, ROOT_PERF, "/.build-id/", "/debug" },
	{ BUILD_DEBUG, ROOT_SYSTEM, "/usr/lib/debug/.build-id/", ".debug" },
	{ BUILD_DEBUG, ROOT_DEBUGINFOD, "/", "/debuginfo" },
	{ BUILD_KALLSYMS, ROOT_SYSROOT, "/.build-id/", "/kallsyms" },
	{ BUILD_KALLSYMS, ROOT_PERF, "/.build-id/", "/kallsyms" },
	{ BUILD_VDSO, ROOT_SYSROOT, "/.build-id/", "/vdso" },
	{ BUILD_VDSO, ROOT_PERF, "/.build-id/", "/vdso" },
};

bool
build_files_is_id(struct text id)
{
	size_t i;

	for (i = 0; i < id.n; i++)
		if (!strchr("0123456789abcdef", id.s[i]))
			return false;
	return id.n >= BUILD_ID_LEAST;
}

/* A directory that a variable names, with what comes after that; nothing if the variable is
 * not set. */
static bool
add_variable(struct buf *path, const char *name, const char *after)
{
	const char *dir = getenv(name);

	if (!dir || !*dir)
		return false;
	buf_puts(path, dir);
	buf_puts(path, after);
	return true;
}

static bool
add_root(struct buf *path, enum root root, const char *sysroot)
{
	switch (root) {
	case ROOT_SYSROOT:
		buf_puts(path, sysroot ? sysroot : "");
		return sysroot;
	case ROOT_PERF:
		return add_variable(path, "HOME", "/.debug");
	case ROOT_SYSTEM:
		return true;
	case ROOT_DEBUGINFOD:
		return add_variable(path, "DEBUGINFOD_CACHE_PATH", "") ||
		    add_variable(path, "XDG_CACHE_HOME", "/debuginfod_client") ||
		    add_variable(path, "HOME", "/.cache/debuginfod_client");
	}
	return false;
}

bool
build_files_next(struct buf *path, const char *sysroot, struct text id, enum build_file what,
    unsigned *at)
{
	while (build_files_is_id(id) && *at < sizeof places / sizeof *places) {
		const struct place *p = &places[(*at)++];

		path->n = 0;
		if (p->what != what || !add_root(path, p->root, sysroot))
			continue;
		buf_puts(path, p->before);
		buf_add(path, id.s, 2);
		if (p->root != ROOT_DEBUGINFOD)
			buf_putc(path, '/');
		buf_add(path, id.s + 2, id.n - 2);
		buf_puts(path, p->after);
		return true;
	}
	return false;
}

bool
build_files_find(struct buf *path, const char *sysroot, struct text id, enum build_file what)
{
	unsigned at = 0;

	while (build_files_next(path, sysroot, id, what, &at))
		if (access(buf_str(path), R_OK) == 0)
			return true;
	return false;
}

/* SPDX-License-Identifier: ISC */
#include "demangle.h"

#include <stddef.h>
#include <string.h>

#if defined HAVE_LIBIBERTY
#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#else
#include <demangle.h>	/* where Fedora has it */
#endif

#include "buf.h"
#include "mem.h"
#endif

bool demangle_off;

#if defined HAVE_LIBIBERTY
/* Called before libiberty ends a program whose memory it finds too small; headers
 * of it that are installed leave it out. */
extern void (*_xexit_cleanup)(void);

static void
no_memory(void)
{
	mem_fail(0);
}

static void
add(const char *s, size_t n, void *to)
{
	buf_add(to, s, n);
}

/* Into a buffer of ours: want of memory is not a name that cannot be read. */
static char *
by(int (*read)(const char *, int, demangle_callbackref, void *), const char *name)
{
	struct buf b = { 0 };

	if (read(name, DMGL_PARAMS | DMGL_ANSI, add, &b)) {
		buf_str(&b);
		return b.s;
	}
	buf_free(&b);
	return NULL;
}
#endif

char *
demangle(const char *name)
{
#if defined HAVE_LIBIBERTY
	char *s = NULL;

	/* Only what begins as mangled names do: "d" is no type here.  Rust's old
	 * names are C++'s with a hash; to look for it in all costs much. */
	if (demangle_off || name[0] != '_')
		return NULL;
	if (name[1] == 'R' || (name[1] == 'Z' && strstr(name, "17h")))
		s = by(rust_demangle_callback, name);
	if (name[1] == 'Z' && !s)
		s = by(cplus_demangle_v3_callback, name);
	if (name[1] == 'D') {
		_xexit_cleanup = no_memory;
		s = dlang_demangle(name, DMGL_PARAMS | DMGL_ANSI);
	}
	return s;
#else
	(void)name;
	return NULL;
#endif
}

const char *
demangle_version(void)
{
#if defined HAVE_LIBIBERTY
	return "libiberty";
#else
	return "no libiberty: names are not demangled";
#endif
}

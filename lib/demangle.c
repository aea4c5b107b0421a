/* SPDX-License-Identifier: ISC */
#include "demangle.h"

#include <stddef.h>
#include <string.h>

#if defined HAVE_LIBIBERTY
#include <libiberty/demangle.h>
#endif

bool demangle_off;

char *
demangle(const char *name)
{
#if defined HAVE_LIBIBERTY
	int style = 0;

	/* Only what begins as mangled names do: "d" is no type here.  Rust's old
	 * names are C++'s with a hash; to look for it in all costs much. */
	if (demangle_off || name[0] != '_')
		return NULL;
	if (name[1] == 'Z')
		style = strstr(name, "17h") ? DMGL_AUTO : DMGL_GNU_V3;
	else if (name[1] == 'R')
		style = DMGL_RUST;
	else if (name[1] == 'D')
		style = DMGL_DLANG;
	return style ? cplus_demangle(name, style | DMGL_PARAMS | DMGL_ANSI) : NULL;
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

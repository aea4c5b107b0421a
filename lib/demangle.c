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
	const int style = DMGL_PARAMS | DMGL_ANSI;

	/* Only what begins as mangled names do: "d" is no type here.  Rust's old
	 * names are C++'s with a hash; to look for it in all costs much. */
	if (!demangle_off && name[0] == '_' && name[1] && strchr("ZRD", name[1]))
		return cplus_demangle(name, style | (name[1] == 'Z' &&
		    !strstr(name, "17h") ? DMGL_GNU_V3 : DMGL_AUTO));
#endif
	(void)name;
	return NULL;
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

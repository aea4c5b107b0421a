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
	/* Only what begins as mangled names do: "d" is no type here. */
	if (!demangle_off && name[0] == '_' && strchr("ZRD", name[1]) && name[1])
		return cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
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

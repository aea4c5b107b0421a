/* SPDX-License-Identifier: ISC */
/* Names as people wrote them: C++, Rust, D (libiberty). */
#ifndef PROF_DEMANGLE_H
#define PROF_DEMANGLE_H

#include <stdbool.h>

extern bool demangle_off;	/* --no-demangle */

/* To be freed; NULL: the name is none that is mangled. */
char *demangle(const char *name);

/* For --version: the library that does it, or that there is none. */
const char *demangle_version(void);

#endif

/* SPDX-License-Identifier: ISC */
/* Names as people wrote them: C++, Rust, D (libiberty). */
#ifndef PROF_SYMBOL_DEMANGLE_H
#define PROF_SYMBOL_DEMANGLE_H

/* What a name may become: some of a hundred bytes would have gigabytes. */
#define DEMANGLE_LONGEST 32768

/* To be freed; NULL: the name is none that is mangled, or would be longer. */
char *demangle(const char *name);

/* For --version: the library that does it, or that there is none. */
const char *demangle_version(void);

#endif

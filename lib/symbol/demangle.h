/* SPDX-License-Identifier: ISC */
/* Demangles names: C++, Rust, D (libiberty). */
#ifndef PROF_SYMBOL_DEMANGLE_H
#define PROF_SYMBOL_DEMANGLE_H

/* The longest result: some names of a hundred bytes would have gigabytes. */
#define DEMANGLE_LONGEST 32768

/* Returns the demangled name, which the caller frees; NULL: the name is not mangled, or the
 * result would be too long. */
char *demangle(const char *name);

/* For --version: the library, or that there is none. */
const char *demangle_version(void);

#endif

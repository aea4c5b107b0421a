/* SPDX-License-Identifier: ISC */
/*
 * Which programs may be opened because a profile names them.  A stranger's profile may name
 * any file, whose symbols and instructions would be in the output.
 */
#ifndef PROF_SYMBOL_TRUST_H
#define PROF_SYMBOL_TRUST_H

#include <stdbool.h>

enum trust {
	TRUST_NONE,	/* it is not a regular file, is the kernel's, or another user's */
	TRUST_BUILD,	/* it is private: only profiles with its build ID may read it */
	TRUST_ALL,	/* all users of the machine may read it, or it is below the current
			 * directory */
};

enum trust trust_of(const char *path);

/* Is the path this directory, or below it?  Both as realpath(3) has them. */
bool trust_is_below(const char *path, const char *dir);

/* Is it a file of this user or of root, not a link, and not huge?  For names in directories in
 * which everybody may make files. */
bool trust_is_own(const char *path);

/* May a profile name this file of code that a program has generated (jit_dump.h)?  It is such a
 * file, and either all users may read it, or it is where programs write them: in the current
 * directory, in /tmp, or where perf's agent for Java does, whose directories nobody can guess
 * ($JITDUMPDIR or ~, .debug/jit). */
bool trust_is_dump(const char *path);

#endif

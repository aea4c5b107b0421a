/* SPDX-License-Identifier: ISC */
/*
 * The source files of programs, as listed in their debug information.  A profile may name
 * any file; being listed by a program of the user's shows that it is a source.
 */
#ifndef PROF_SYMBOL_SOURCES_H
#define PROF_SYMBOL_SOURCES_H

#include <stdbool.h>
#include <sys/stat.h>

struct sources;

/* Never returns NULL; sources_free() takes NULL. */
struct sources *sources_new(void);
void sources_free(struct sources *s);

/* Adds the sources of a program that the user has named. */
void sources_add(struct sources *s, const char *program);

/* The same for a program that a profile names, if the user or the system owns it. */
void sources_add_owned(struct sources *s, const char *program);

/* Is the file with this status one of them? */
bool sources_has(const struct sources *s, const struct stat *file);

#endif

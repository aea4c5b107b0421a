/* SPDX-License-Identifier: ISC */
/*
 * Files that no format reads: the name of their kind, and the command that converts them.
 */
#ifndef PROF_CODEC_UNREAD_H
#define PROF_CODEC_UNREAD_H

#include <stddef.h>

/* Returns what a file is and what to do with it, by its first bytes; NULL: unknown. */
const char *unread_kind(const char *p, size_t n);

#endif

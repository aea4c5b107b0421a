/* SPDX-License-Identifier: ISC */
/*
 * Files that no format reads: what they are, and the command that makes a readable one.
 */
#ifndef PROF_CODEC_UNREAD_H
#define PROF_CODEC_UNREAD_H

#include <stddef.h>

/* Returns what a file is and what to do with it, by its first bytes; NULL: unknown. */
const char *unread_kind(const char *p, size_t n);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Shortens names of functions to a width.  A C++ or Rust name loses, in this order: its
 * return type, template arguments, parameters, namespaces from the left, the brackets that
 * marked these; the method's own name goes last.  Any other name loses its middle.
 */
#ifndef PROF_UTIL_ABBREVIATE_H
#define PROF_UTIL_ABBREVIATE_H

#include "util/buf.h"

/* Adds the name, control characters made visible, in at most `width` characters if that is
 * 4 or more; "…" stands for an omission. */
void abbreviate(struct buf *b, struct text name, size_t width);

/* Adds the shortest form that abbreviate() tries before it leaves out namespaces. */
void abbreviate_most(struct buf *b, struct text name);

#endif

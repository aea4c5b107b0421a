/* SPDX-License-Identifier: ISC */
/*
 * Names of functions in little room.  A C++ or Rust name loses the type that it returns,
 * template arguments, parameters, then namespaces from the left, then the brackets of what
 * was taken away; the method's own name goes last.  A name without these loses its middle.
 */
#ifndef PROF_UTIL_ABBREVIATE_H
#define PROF_UTIL_ABBREVIATE_H

#include "util/buf.h"

/* Adds the name, control characters visible, in at most `width` characters if that is 4
 * or more; what was left out is "…". */
void abbreviate(struct buf *b, struct text name, size_t width);

/* Adds the shortest that abbreviate() makes of the name before it leaves out scopes. */
void abbreviate_most(struct buf *b, struct text name);

#endif

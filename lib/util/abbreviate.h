/* SPDX-License-Identifier: ISC */
/*
 * Names of functions in little room.  A C++ or Rust name loses the type that it returns,
 * template arguments, parameters, then namespaces from the left; the method's own name
 * goes last.  A name without these loses its middle.
 */
#ifndef PROF_UTIL_ABBREVIATE_H
#define PROF_UTIL_ABBREVIATE_H

#include "util/buf.h"

/* Adds the name, control characters visible, in at most `width` characters if that is 4
 * or more; what was left out is "…". */
void abbreviate(struct buf *b, struct text name, size_t width);

#endif

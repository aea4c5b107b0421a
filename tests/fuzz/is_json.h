/* SPDX-License-Identifier: ISC */
/*
 * Is a text JSON (RFC 8259)?  Of several values, one after the other, each has to be.
 */
#ifndef PROF_FUZZ_IS_JSON_H
#define PROF_FUZZ_IS_JSON_H

#include <stdbool.h>

#include "util/buf.h"

/* Not of what is deeper than 256 levels. */
bool is_json(struct text t);

#endif

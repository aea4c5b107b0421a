/* SPDX-License-Identifier: ISC */
/*
 * Standard output as a terminal.
 */
#ifndef PROF_IO_TERM_H
#define PROF_IO_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool term_is(void);

/* Does the locale have UTF-8? */
bool term_is_utf8(void);

/* The size of the terminal: $COLUMNS and $LINES override its own; 80 and 24 if unknown. */
size_t term_columns(void);
size_t term_lines(void);

/* Returns the width that a table has to fit, 0 for any: the one that was asked for,
 * otherwise that of the terminal if there is one and `whole` names are not wanted. */
#define TERM_OWN_WIDTH UINT64_MAX
size_t term_table_width(uint64_t asked, bool whole);

/* The choices of --color.  "auto": on a terminal that is not dumb, unless NO_COLOR is
 * set. */
enum term_when { TERM_ALWAYS, TERM_NEVER, TERM_AUTO };
#define TERM_CHOICES "always|never|auto"

bool term_wants_color(enum term_when when);

#endif

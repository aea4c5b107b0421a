/* SPDX-License-Identifier: ISC */
/*
 * Reads the line programs of .debug_line: DWARF 2 to 5, sections 6.2.4 and 6.2.5.
 *
 * It is strict: a program with anything unknown, unusual or malformed is left to libdw,
 * which takes ten times as long.  For all others the result has the same rows and names as
 * libdw's, but for the sequences that begin where there is no code: linkers leave those of
 * functions that they have dropped at 0 or -1, from where they may reach over other code.
 */
#ifndef PROF_SYMBOL_LINE_PROGRAM_H
#define PROF_SYMBOL_LINE_PROGRAM_H

#include "symbol/line_table.h"

struct line_sections {
	struct text line, line_str, str;	/* .debug_line and so on; NULL: none */
	bool big;		/* byte order */
};

/* Data that the line program refers to, but does not contain. */
struct line_unit {
	uint64_t offset;	/* of the program in .debug_line */
	unsigned address_size;	/* 4 or 8 */
	const char *comp_dir;	/* NULL: unknown */
	/* Is there code at an address?  NULL: there may be anywhere. */
	bool (*is_code)(const void *arg, uint64_t addr);
	const void *arg;
};

/* Reads the program into empty lines, whose names are borrowed from the sections and the
 * unit.  False, and they are empty: the program must be read by libdw. */
bool line_program_read(const struct line_sections *from, const struct line_unit *unit,
    struct line_table *lines);

#endif

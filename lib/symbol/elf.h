/* SPDX-License-Identifier: ISC */
/*
 * What elfutils reads of an ELF file: symbols and, from DWARF, source lines.
 * This is the only includer of its headers; built without it (HAVE_ELFUTILS),
 * exe_open() says so.
 */
#ifndef PROF_EXE_H
#define PROF_EXE_H

#include "symbol/symbols.h"

struct exe;

/* NULL with the diag set.  A separate file of debug information is found by
 * build id and .gnu_debuglink, where elfutils looks for them; nothing is
 * fetched. */
struct exe *exe_open(const char *path, struct diag *d);
void exe_close(struct exe *e);

/* Gives all defined symbols in code, with no `end`; their names live as long as
 * the file.  An address is that of the first instruction: a descriptor is looked
 * up, the mark of Thumb or MIPS16 taken away.  0, or -1 with the diag set. */
int exe_symbols(struct exe *e, void (*put)(void *arg, const struct symbol *),
    void *arg, struct diag *d);

/* The end of the section of code that an address is in; 0 if it is in none. */
uint64_t exe_code_end(const struct exe *e, uint64_t addr);

/* The file and line of an address; false if they are not known.  The path is good
 * until the next call of this or of exe_file(). */
bool exe_line(struct exe *e, uint64_t addr, const char **file, uint64_t *line);

/* The file of the function that begins at an address, not that of what is inlined
 * there; NULL. */
const char *exe_file(struct exe *e, uint64_t addr);

/* "elfutils 0.188", or that there is none. */
const char *exe_version(void);

#endif

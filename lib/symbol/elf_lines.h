/* SPDX-License-Identifier: ISC */
/*
 * The source lines of an ELF file, from DWARF, which libdw reads.
 */
#ifndef PROF_SYMBOL_ELF_LINES_H
#define PROF_SYMBOL_ELF_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/line_table.h"

struct Dwarf;			/* libdw's */
struct elf_lines;

/* Is there code at this address of the executable? */
typedef bool elf_is_code(const void *arg, uint64_t addr);

/* Finds the units, whose addresses plus `bias` are the executable's.  Borrows the debug
 * information and `arg`.  Never returns NULL; elf_lines_free() takes NULL. */
struct elf_lines *elf_lines_new(struct Dwarf *dwarf, uint64_t bias, elf_is_code *is_code,
    const void *arg);
void elf_lines_free(struct elf_lines *l);

/* Inlined code has several rows at one address: the first is that of the function that it
 * is inlined into. */
enum elf_lines_of { ELF_INSTRUCTION, ELF_FUNCTION };

/* Returns the row of the instruction at an address, or of the function that begins there;
 * NULL if it or its file is not known.  The path is valid until the next call. */
const struct line_row *elf_lines_find(struct elf_lines *l, uint64_t addr,
    enum elf_lines_of of, const char **file);

/* The unit that has the code at an address, by its offset: false if there is none. */
bool elf_lines_unit(const struct elf_lines *l, uint64_t addr, uint64_t *unit);

/* The path of a unit's file by its number; NULL.  It is good until the next call. */
const char *elf_lines_file(struct elf_lines *l, uint64_t unit, uint64_t number);

/* Passes the source files of units with code to put(), some of them repeatedly. */
void elf_lines_sources(struct elf_lines *l, void (*put)(void *arg, const char *path),
    void *arg);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * What elfutils reads of an ELF file: symbols and, from DWARF, source lines.
 * Without elfutils, in the build or on the machine, elf_file_open() says so.
 */
#ifndef PROF_SYMBOL_ELF_H
#define PROF_SYMBOL_ELF_H

#include "symbol/elf_inlined.h"
#include "symbol/symbol.h"
#include "symbol/unwind.h"
#include "util/diag.h"

struct elf_file;

/* NULL with the diag set.  A separate file of debug information is found by
 * build id and .gnu_debuglink, where elfutils looks for them; nothing is
 * fetched. */
struct elf_file *elf_file_open(const char *path, struct diag *d);
void elf_file_close(struct elf_file *e);

/* Gives all defined symbols in code, with no `end`, and the stubs of the PLT; their names
 * live as long as the file.  An address is that of the first instruction: a descriptor is looked
 * up, the mark of Thumb or MIPS16 taken away.  0, or -1 with the diag set. */
int elf_file_symbols(struct elf_file *e, void (*put)(void *arg, const struct symbol *),
    void *arg, struct diag *d);

/* Were these all, not those of the dynamic linker alone, which has no static functions? */
bool elf_file_has_all(const struct elf_file *e);

/* The end of the section of code that an address is in; 0 if it is in none. */
uint64_t elf_file_code_end(const struct elf_file *e, uint64_t addr);

/* Has it debug information, in itself or elsewhere? */
bool elf_file_has_lines(struct elf_file *e);

/* The file and line of an address; false if they are not known.  The path is good
 * until the next call of this or of elf_source_file(). */
bool elf_file_line(struct elf_file *e, uint64_t addr, const char **file, uint64_t *line);

/* The file of the function that begins at an address, not that of what is inlined
 * there; NULL. */
const char *elf_source_file(struct elf_file *e, uint64_t addr);

/* The functions that are inlined at an address: elf_inlined_find(). */
void elf_file_inlined(struct elf_file *e, uint64_t addr, bool files, inlined_put *put,
    void *arg);

/* Gives the source files that its debug information lists, some of them again. */
void elf_file_sources(struct elf_file *e, void (*put)(void *arg, const char *path),
    void *arg);

/* Are the file's offsets those of what is loaded?  In a separate file of debug information
 * segments lie elsewhere. */
bool elf_file_has_offsets(struct elf_file *e);

/* The address that the byte at an offset of the file is loaded to, before the file is
 * loaded anywhere: false if none is. */
bool elf_file_addr(struct elf_file *e, uint64_t offset, uint64_t *addr);

/* How a stack is unwound from an address of the file; NULL, as elf_unwind_row(). */
const struct unwind_row *elf_file_row(struct elf_file *e, enum unwind_machine machine,
    uint64_t addr);

/* Adds the build ID in lower-case hex; false if there is none. */
bool elf_file_build_id(struct elf_file *e, struct buf *b);

/* "elfutils 0.188", or that there is none. */
void elf_file_version(struct buf *b);

#endif

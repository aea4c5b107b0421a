/* SPDX-License-Identifier: ISC */
/*
 * ELF files, read by elfutils: symbols and, from DWARF, source lines.  Without elfutils, in
 * the build or on the machine, elf_file_open() fails with that message.
 */
#ifndef PROF_SYMBOL_ELF_H
#define PROF_SYMBOL_ELF_H

#include "symbol/elf_inlined.h"
#include "symbol/symbol.h"
#include "symbol/unwind.h"
#include "util/diag.h"

struct elf_file;

/* Opens a file: NULL with the diag set.  A separate file of debug information is found by
 * build id and .gnu_debuglink, where elfutils looks for them; nothing is fetched. */
struct elf_file *elf_file_open(const char *path, struct diag *d);
void elf_file_close(struct elf_file *e);

/* Passes all defined symbols in code to put(), with no `end`, and the stubs of the PLT;
 * their names live as long as the file.  An address is that of the first instruction:
 * descriptors are looked up, and the mark of Thumb or MIPS16 is removed.  0, or -1 with the
 * diag set. */
int elf_file_symbols(struct elf_file *e, void (*put)(void *arg, const struct symbol *),
    void *arg, struct diag *d);

/* Are these all symbols, not only the dynamic linker's, which lack static functions? */
bool elf_file_has_all(const struct elf_file *e);

/* Returns the end of the section of code that an address is in; 0: it is in none. */
uint64_t elf_file_code_end(const struct elf_file *e, uint64_t addr);

/* Has the file debug information, in itself or elsewhere? */
bool elf_file_has_lines(struct elf_file *e);

/* Sets the file and line of an address; false if they are not known.  The path is valid
 * until the next call of this function or of elf_source_file(). */
bool elf_file_line(struct elf_file *e, uint64_t addr, const char **file, uint64_t *line);

/* Returns the file of the function that begins at an address, not that of code inlined
 * there; NULL: unknown. */
const char *elf_source_file(struct elf_file *e, uint64_t addr);

/* The functions that are inlined at an address: elf_inlined_find(). */
void elf_file_inlined(struct elf_file *e, uint64_t addr, bool files, inlined_put *put,
    void *arg);

/* Passes the source files in the debug information to put(), some of them repeatedly. */
void elf_file_sources(struct elf_file *e, void (*put)(void *arg, const char *path),
    void *arg);

/* Are the file's offsets those of loaded segments?  In a separate file of debug
 * information, segments are elsewhere. */
bool elf_file_has_offsets(struct elf_file *e);

/* Sets *addr to the address, before loading, of the byte at an offset of the file: false if
 * it is not loaded. */
bool elf_file_addr(struct elf_file *e, uint64_t offset, uint64_t *addr);

/* Returns how a stack is unwound from an address of the file; NULL, as elf_unwind_row(). */
const struct unwind_row *elf_file_row(struct elf_file *e, enum unwind_machine machine,
    uint64_t addr);

/* Adds the build ID in lower-case hex; false if the file has none. */
bool elf_file_build_id(struct elf_file *e, struct buf *b);

/* Adds "elfutils 0.188", or that there is none. */
void elf_file_version(struct buf *b);

#endif

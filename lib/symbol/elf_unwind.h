/* SPDX-License-Identifier: ISC */
/* Reads the rows by which stacks are unwound (unwind.h) from the tables of an ELF file. */
#ifndef PROF_SYMBOL_ELF_UNWIND_H
#define PROF_SYMBOL_ELF_UNWIND_H

#include "symbol/unwind.h"

struct Dwfl_Module;
struct elf_unwind;

/* `mod` must outlive it; elf: the machine in the file's header. */
struct elf_unwind *elf_unwind_new(struct Dwfl_Module *mod, unsigned elf);
void elf_unwind_free(struct elf_unwind *u);	/* NULL: nothing */

/* Returns the row of an address, valid until the next call; NULL: there is none, or the
 * file is for another machine. */
const struct unwind_row *elf_unwind_row(struct elf_unwind *u, enum unwind_machine machine,
    uint64_t addr);

#endif

/* SPDX-License-Identifier: ISC */
/* The rows by which stacks are unwound (unwind.h), from the tables of an ELF file. */
#ifndef PROF_SYMBOL_ELF_UNWIND_H
#define PROF_SYMBOL_ELF_UNWIND_H

#include "symbol/unwind.h"

struct Dwfl_Module;
struct elf_unwind;

/* `mod` must outlive it; elf: the file's machine, as its header has it. */
struct elf_unwind *elf_unwind_new(struct Dwfl_Module *mod, unsigned elf);
void elf_unwind_free(struct elf_unwind *u);	/* NULL: nothing */

/* The row of an address, valid until the next one is asked for; NULL: there is none, or the
 * file is of another machine. */
const struct unwind_row *elf_unwind_row(struct elf_unwind *u, enum unwind_machine machine,
    uint64_t addr);

#endif

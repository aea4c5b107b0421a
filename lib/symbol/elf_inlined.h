/* SPDX-License-Identifier: ISC */
/*
 * The functions that a compiler has inlined at an address of an ELF file, from DWARF, which
 * libdw reads.
 */
#ifndef PROF_SYMBOL_ELF_INLINED_H
#define PROF_SYMBOL_ELF_INLINED_H

#include <stdbool.h>
#include <stdint.h>

/* An inlined function.  Its texts are valid until put() returns. */
struct inlined_function {
	uint64_t id;		/* the same for all copies of a function in the file */
	const char *name;	/* NULL: unknown */
	const char *file;	/* of its source; NULL: unknown, or not requested */
	const char *call_file;	/* where it is called: in the function that it is inlined into */
	uint64_t call_line;	/* 0: unknown */
};

/* The most functions at an address, with the blocks between them: templates reach a hundred, and
 * only a file that is made to take time has more. */
#define ELF_INLINED_MOST 256

typedef void inlined_put(void *arg, const struct inlined_function *f);

struct Dwarf;
struct elf_lines;
struct elf_inlined;

/* Both outlive it; addresses of the debug information plus `bias` are the executable's. */
struct elf_inlined *elf_inlined_new(struct Dwarf *dwarf, uint64_t bias,
    struct elf_lines *lines);
void elf_inlined_free(struct elf_inlined *e);	/* NULL: nothing */

/* Passes the functions at an address to put(), outermost first; files: with files and
 * lines. */
void elf_inlined_find(struct elf_inlined *e, uint64_t addr, bool files, inlined_put *put,
    void *arg);

#endif

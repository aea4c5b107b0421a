/* SPDX-License-Identifier: ISC */
/*
 * The stubs of an executable's procedure linkage table, which have no symbols: code that
 * jumps to a function of another object, through a slot that the dynamic linker fills.
 * Each is named after that function, "strcmp@plt", as in objdump and perf.
 */
#ifndef PROF_SYMBOL_ELF_PLT_H
#define PROF_SYMBOL_ELF_PLT_H

#include <stdint.h>

#include "util/buf.h"

struct Elf;			/* libelf's */

struct elf_plt {
	struct elf_stub { uint64_t addr, size; size_t name; } *v;
	size_t n, cap;
	struct buf names;	/* each with its NUL: a stub's begins at `name` */
};

/* Reads stubs into an empty table; none for machines whose stubs are not known. */
void elf_plt_read(struct elf_plt *t, struct Elf *elf);
void elf_plt_free(struct elf_plt *t);

#endif

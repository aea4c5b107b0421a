/* SPDX-License-Identifier: ISC */
/*
 * Instructions of an executable, by objdump(1) of GNU binutils.
 */
#ifndef PROF_SYMBOL_DISASM_H
#define PROF_SYMBOL_DISASM_H

#include <stdint.h>

#include "util/diag.h"

struct symbols;

struct disasm {
	struct insn {
		uint64_t addr;
		struct text text;	/* of `bytes` */
	} *v;			/* by address */
	size_t n;
	struct buf bytes;
};

/*
 * Reads the instructions of an executable in [from, to), addresses in the file.  0, even if
 * there are none; -1 with the diag set: objdump is missing, or fails. *x must be all zeros;
 * disasm_free() must be called even after -1.
 */
int disasm_read(struct disasm *x, const struct symbols *s, uint64_t from, uint64_t to,
    struct diag *d);
void disasm_free(struct disasm *x);

#endif

/* SPDX-License-Identifier: ISC */
/* The machines whose stacks can be unwound: their registers and the words of a stack. */
#ifndef PROF_SYMBOL_UNWIND_MACHINE_H
#define PROF_SYMBOL_UNWIND_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum unwind_machine { UNWIND_X86_64, UNWIND_I386, UNWIND_ARM64, UNWIND_MACHINES };

/* The machine of perf's name for it ("x86_64", "aarch64", "i686") whose process has
 * addresses of 32 bits or of 64; UNWIND_MACHINES: it is none of these. */
enum unwind_machine unwind_machine_of(const char *arch, size_t n, bool narrow);

#define UNWIND_REGS 33		/* at most: by their numbers in DWARF */
#define UNWIND_NONE 255		/* no register */

struct unwind_abi {
	unsigned elf, word;	/* the machine in an ELF header; bytes of an address */
	uint64_t code;		/* bits of an address of code: ARM64 signs return addresses
				 * in those above */
	uint8_t sp, fp, ra;	/* stack and frame pointer; where a caller's address is */
	uint8_t pc_of_perf, n_perf;	/* perf's number of the program counter, and how many
				 * it has (arch/.../uapi/asm/perf_regs.h) */
	uint8_t kept[16];	/* what a function leaves as it was, ended by UNWIND_NONE */
	uint8_t by_perf[UNWIND_REGS];	/* by perf's number; UNWIND_NONE: it is not needed */
};

extern const struct unwind_abi unwind_abi[UNWIND_MACHINES];

struct registers {
	enum unwind_machine machine;
	uint64_t v[UNWIND_REGS];
	uint64_t pc;
	bool exact;		/* pc is where it goes on, not the one after a call */
};

/* Sets them from those that perf has kept: the values of the registers in its mask, lowest
 * bit first.  False if the stack or the program counter is not among them. */
bool registers_set(struct registers *r, enum unwind_machine machine, uint64_t mask,
    const uint64_t *v);

uint64_t registers_sp(const struct registers *r);

struct stack_copy {
	uint64_t sp;		/* where it begins */
	const char *p;
	size_t n;
	bool swap;		/* it has the other byte order */
};

/* The word of the machine's size at an address of the copy. */
bool stack_word(const struct stack_copy *s, enum unwind_machine machine, uint64_t at,
    uint64_t *out);

#endif

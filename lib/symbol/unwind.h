/* SPDX-License-Identifier: ISC */
/*
 * Stacks from the registers of a thread and a copy of the top of its stack, by the tables
 * with which exceptions are unwound (DWARF, call frame information).
 *
 * An address has a row: how the registers of its caller are found.  It is asked of the file
 * once and serves all processes.
 */
#ifndef PROF_SYMBOL_UNWIND_H
#define PROF_SYMBOL_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum unwind_machine { UNWIND_X86_64, UNWIND_I386, UNWIND_ARM64, UNWIND_MACHINES };

/* The machine of perf's name for it ("x86_64", "aarch64", "i686") whose process has
 * addresses of 32 bits or of 64; UNWIND_MACHINES: it is none of these. */
enum unwind_machine unwind_machine_of(const char *arch, size_t n, bool narrow);

#define UNWIND_REGS 33		/* at most: by their numbers in DWARF */

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

/* How one of the caller's values is found. */
enum unwind_rule {
	UNWIND_SAME, UNWIND_UNDEFINED,
	UNWIND_AT,		/* in memory, n from the frame's address */
	UNWIND_IS,		/* n from the frame's address */
	UNWIND_FROM,		/* `reg`, and n more */
	UNWIND_AT_EXPR, UNWIND_IS_EXPR,	/* as these, of what is computed: expr */
};

struct unwind_expr;		/* of elf_unwind.c, which owns them */

struct unwind_value {
	enum unwind_rule rule;
	uint8_t to, reg;	/* `to`: the register that it is of */
	int32_t n;
	const struct unwind_expr *expr;
};

#define UNWIND_SAVED 12		/* registers that a row may restore */

struct unwind_row {
	bool known;		/* the file has one */
	bool signal;		/* the frame is one that a signal has made */
	uint8_t nsaved;
	struct unwind_value frame, pc, saved[UNWIND_SAVED];
};

enum unwound {
	UNWOUND,		/* the registers are the caller's */
	UNWOUND_ALL,		/* there is no caller */
	UNWOUND_CUT,		/* what it needs is not in the copy */
	UNWOUND_LOST,		/* there is no row, or one that is not understood */
};

/* Goes to the caller; row NULL: by the frame pointer, as there is no other way. */
enum unwound unwind_step(struct registers *r, const struct unwind_row *row,
    const struct stack_copy *stack);

/* Computes an expression with these registers; `frame` is on the stack at first.  Each has
 * the other one's context. */
bool unwind_compute(const struct unwind_expr *e, const struct registers *r,
    const struct stack_copy *stack, uint64_t frame, uint64_t *out);

/* The word of the machine's size at an address of the copy. */
bool stack_word(const struct stack_copy *s, enum unwind_machine machine, uint64_t at,
    uint64_t *out);

/* Which ELF machine it is (EM_X86_64, ...), and the number in DWARF of a caller's address. */
unsigned unwind_elf_machine(enum unwind_machine m);
unsigned unwind_return_reg(enum unwind_machine m);
/* The registers that a function leaves as they were, by number, ended by 255. */
const uint8_t *unwind_kept(enum unwind_machine m);

#endif

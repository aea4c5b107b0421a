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

#include "symbol/unwind_machine.h"

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
	UNWOUND_NO_ROW,		/* it has no row, and the frame pointer leads nowhere */
	UNWOUND_NO_RULE,	/* what the row says cannot be computed */
	UNWOUND_NOT_UP,		/* the caller's frame is not above, where it must be */
};

/* Goes to the caller; row NULL: by the frame pointer, as there is no other way. */
enum unwound unwind_step(struct registers *r, const struct unwind_row *row,
    const struct stack_copy *stack);

/* Computes an expression with the registers of a frame, whose address is `frame` where it is
 * asked for: UNWOUND, UNWOUND_CUT or UNWOUND_NO_RULE. */
enum unwound unwind_compute(const struct unwind_expr *e, const struct registers *r,
    const struct stack_copy *stack, uint64_t frame, uint64_t *out);

#endif

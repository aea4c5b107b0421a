/* SPDX-License-Identifier: ISC */
/*
 * Unwinds stacks from the registers of a thread and a copy of the top of its stack, by the
 * tables for unwinding exceptions (DWARF, call frame information).
 *
 * An address has a row: how to find the registers of its caller.  The row is read from the
 * file once and serves all processes.
 */
#ifndef PROF_SYMBOL_UNWIND_H
#define PROF_SYMBOL_UNWIND_H

#include "symbol/unwind_machine.h"

/* How to find one of the caller's values. */
enum unwind_rule {
	UNWIND_SAME, UNWIND_UNDEFINED,
	UNWIND_AT,		/* in memory, at the frame's address plus n */
	UNWIND_IS,		/* the frame's address plus n */
	UNWIND_FROM,		/* `reg` plus n */
	UNWIND_AT_EXPR, UNWIND_IS_EXPR,	/* like these two, with the result of expr */
};

struct unwind_expr;		/* defined in elf_unwind.c, which owns it */

struct unwind_value {
	enum unwind_rule rule;
	uint8_t to, reg;	/* `to`: the register that it gives */
	int32_t n;
	const struct unwind_expr *expr;
};

#define UNWIND_SAVED 12		/* registers that a row may restore */

struct unwind_row {
	bool known;		/* the file has one */
	bool signal;		/* the frame was made by a signal */
	uint8_t nsaved;
	struct unwind_value frame, pc, saved[UNWIND_SAVED];
};

enum unwound {
	UNWOUND,		/* the registers are now the caller's */
	UNWOUND_ALL,		/* there is no caller */
	UNWOUND_CUT,		/* a value that it needs is not in the copy */
	UNWOUND_NO_ROW,		/* there is no row, and the frame pointer leads nowhere */
	UNWOUND_NO_RULE,	/* a rule of the row cannot be computed */
	UNWOUND_NOT_UP,		/* the caller's frame is not above, where it must be */
};

/* Steps to the caller; row NULL: by the frame pointer, as there is no table. */
enum unwound unwind_step(struct registers *r, const struct unwind_row *row,
    const struct stack_copy *stack);

/* Computes an expression with the registers of a frame, whose address is `frame` if the
 * expression uses it: UNWOUND, UNWOUND_CUT or UNWOUND_NO_RULE. */
enum unwound unwind_compute(const struct unwind_expr *e, const struct registers *r,
    const struct stack_copy *stack, uint64_t frame, uint64_t *out);

#endif

/* SPDX-License-Identifier: ISC */
#include "unwinding.h"

#include <stdlib.h>

#include "symbol/unwind.h"
#include "util/mem.h"

enum { ROWS = 16, STEPS = 200, NEAR = 24 };

/* ---- what an input says ---- */

static uint64_t
take(struct text *t, unsigned bytes)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < bytes && t->n; i++, t->s++, t->n--)
		v |= (uint64_t)(unsigned char)*t->s << 8 * i;
	return v;
}

/* Mostly near 0, the stack's addresses, or both ends. */
static uint64_t
take_word(struct text *t, uint64_t sp)
{
	switch (take(t, 1) & 7) {
	case 0: return take(t, 8);
	case 1: return 0 - take(t, 1);
	case 2: return take(t, 4);
	case 3: return take(t, 2);
	default: return sp + take(t, 1);
	}
}

static struct unwind_value
take_value(struct text *t)
{
	static const enum unwind_rule rules[] = { UNWIND_SAME, UNWIND_UNDEFINED, UNWIND_AT,
	    UNWIND_IS, UNWIND_FROM, UNWIND_AT, UNWIND_AT, UNWIND_FROM };
	struct unwind_value v = { .rule = rules[take(t, 1) & 7] };

	v.to = (uint8_t)(take(t, 1) % UNWIND_REGS);
	v.reg = (uint8_t)(take(t, 1) % UNWIND_REGS);
	v.n = (int8_t)take(t, 1);
	if (v.n == -128)
		v.n = (int32_t)take(t, 4);
	return v;
}

static struct unwind_row
take_row(struct text *t)
{
	const unsigned how = (unsigned)take(t, 1);
	struct unwind_row row = { .known = how & 7, .signal = how & 8,
	    .nsaved = (uint8_t)((how >> 4) % (UNWIND_SAVED + 1)) };
	unsigned i;

	row.frame = take_value(t);
	row.pc = take_value(t);
	for (i = 0; i < row.nsaved; i++)
		row.saved[i] = take_value(t);
	return row;
}

/* ---- walks ---- */

static bool
same_registers(const struct registers *a, const struct registers *b)
{
	return memcmp(a->v, b->v, sizeof a->v) == 0 && a->pc == b->pc && a->exact == b->exact;
}

/* One step: what promise it has broken.  *go: there is another one. */
static const char *
step(struct registers *r, const struct unwind_row *row, const struct stack_copy *stack, bool *go)
{
	const struct registers was = *r;
	const enum unwound how = unwind_step(r, row, stack);

	*go = how == UNWOUND;
	if (how == UNWOUND && !r->pc)
		return "a caller has an address";
	if (how == UNWOUND && (registers_sp(r) < registers_sp(&was) ||
	    (registers_sp(r) == registers_sp(&was) && r->pc == was.pc)))
		return "a stack gets shorter";
	if (how != UNWOUND && how != UNWOUND_ALL && !same_registers(&was, r))
		return "registers stay where there is no caller";
	return NULL;
}

const char *
unwinding_walk(struct text input, struct buf *said)
{
	struct registers r = { .machine = (enum unwind_machine)(take(&input, 1) %
		    UNWIND_MACHINES) };
	struct stack_copy stack = { .swap = take(&input, 1) & 1 };
	const size_t nrow = take(&input, 1) % ROWS;
	struct unwind_row row[ROWS];
	const char *broken = NULL;
	bool go = true;
	char *copy;
	size_t i;

	stack.sp = take_word(&input, 0x7fff0000);
	for (i = 0; i < nrow; i++)
		row[i] = take_row(&input);
	for (i = 0; i < UNWIND_REGS && input.n > 64; i++)
		r.v[i] = take_word(&input, stack.sp);
	r.v[unwind_abi[r.machine].sp] = stack.sp;
	r.pc = take_word(&input, stack.sp);
	stack.n = input.n;
	stack.p = copy = memcpy(malloc(input.n + !input.n), input.n ? input.s : "", input.n);
	for (i = 0; i < STEPS && go && !broken; i++)
		broken = step(&r, nrow && r.pc % (nrow + 1) ? &row[r.pc % (nrow + 1) - 1] : NULL,
		    &stack, &go);
	buf_printf(said, "%zu steps", i);
	free(copy);
	return broken;
}

/* From an address, with a stack of words that are addresses of it and of the file. */
static const char *
walk_from(const struct symbols *s, enum unwind_machine machine, uint64_t addr, size_t *steps)
{
	enum { WORDS = 64 };
	struct registers r = { .machine = machine, .pc = addr, .exact = true };
	struct stack_copy stack = { .sp = 0x7fff0000, .n = 8 * WORDS };
	const struct unwind_row *row;
	uint64_t *words = mem_alloc(WORDS, sizeof *words);
	const char *broken = NULL;
	bool go = true;
	unsigned i;

	for (i = 0; i < WORDS; i++)
		words[i] = i & 1 ? addr + i : stack.sp + 8 * ((uint64_t)i + 2);
	for (i = 0; i < UNWIND_REGS; i++)
		r.v[i] = stack.sp + 8 * (uint64_t)(i % 8);
	r.v[unwind_abi[machine].sp] = stack.sp;
	stack.p = (const char *)words;
	for (i = 0; i < STEPS && go && !broken; i++, ++*steps) {
		row = symbols_row(s, machine, r.exact ? r.pc : r.pc - 1);
		if (row && row->nsaved > UNWIND_SAVED)
			broken = "a row has room for what it restores";
		else
			broken = step(&r, row, &stack, &go);
	}
	free(words);
	return broken;
}

const char *
unwinding_walk_file(const struct symbols *s, struct buf *said)
{
	const size_t n = symbols_count(s) < NEAR ? symbols_count(s) : NEAR;
	const char *broken = NULL;
	size_t i, steps = 0;
	unsigned machine, at;

	for (machine = 0; machine < UNWIND_MACHINES; machine++)
		for (i = 0; i < n && !broken; i++)
			for (at = 0; at < NEAR && !broken; at++)
				broken = walk_from(s, (enum unwind_machine)machine,
				    symbols_at(s, i)->addr + at, &steps);
	buf_printf(said, "%zu steps", steps);
	return broken;
}

/* SPDX-License-Identifier: ISC */
#include "symbol/elf_unwind.h"

#if defined HAVE_ELFUTILS

#include <stdlib.h>

#include "stream/sums.h"
#include "symbol/elfutils.h"
#include "util/mem.h"

struct unwind_expr {
	Dwarf_Op *op;
	size_t n;
};

struct elf_unwind {
	Dwfl_Module *mod;
	unsigned elf;
	struct table {
		bool asked;
		Dwarf_CFI *cfi;	/* NULL: there is none */
		Dwarf_Addr bias;
	} exceptions, debug;	/* .eh_frame, .debug_frame */
	struct sums known;	/* addresses whose row is known, and by number: */
	struct unwind_row *row;
	size_t caprow;
	struct unwind_expr **expr;
	size_t nexpr, capexpr;
};

struct elf_unwind *
elf_unwind_new(Dwfl_Module *mod, unsigned elf)
{
	struct elf_unwind *u = mem_alloc(1, sizeof *u);

	u->mod = mod;
	u->elf = elf;
	sums_init(&u->known, 1, 0);
	return u;
}

void
elf_unwind_free(struct elf_unwind *u)
{
	if (!u)
		return;
	while (u->nexpr) {
		free(u->expr[--u->nexpr]->op);
		free(u->expr[u->nexpr]);
	}
	free(u->expr);
	free(u->row);
	sums_free(&u->known);
	free(u);
}

/* ---- rules ---- */

/* An expression lives as long as its frame: a copy. */
static const struct unwind_expr *
keep_expr(struct elf_unwind *u, const Dwarf_Op *op, size_t n)
{
	struct unwind_expr *e = mem_alloc(1, sizeof *e);

	e->op = mem_alloc(n + 1, sizeof *e->op);
	memcpy(e->op, op, n * sizeof *op);
	e->n = n;
	u->expr = mem_grow(u->expr, &u->capexpr, u->nexpr + 1, sizeof *u->expr);
	return u->expr[u->nexpr++] = e;
}

static bool
fits(uint64_t n)
{
	return (int64_t)n >= INT32_MIN && (int64_t)n <= INT32_MAX;
}

/* The frame's address: a register and something more, or an expression. */
static void
set_frame(struct elf_unwind *u, struct unwind_value *v, const Dwarf_Op *op, size_t n)
{
	*v = (struct unwind_value){ .rule = UNWIND_UNDEFINED };
	if (!n)
		return;
	if (n == 1 && op->atom == DW_OP_bregx && op->number < UNWIND_REGS && fits(op->number2)) {
		v->rule = UNWIND_FROM;
		v->reg = (uint8_t)op->number;
		v->n = (int32_t)op->number2;
		return;
	}
	v->rule = UNWIND_IS_EXPR;
	v->expr = keep_expr(u, op, n);
}

/* Old versions of elfutils take the mark of a signed return address on ARM64 for SPARC's, by
 * which the registers from 16 on are in a window above the frame. */
static bool
is_window(enum unwind_machine machine, unsigned reg, int64_t n)
{
	return machine == UNWIND_ARM64 && reg >= 16 && n == 8 * ((int64_t)reg - 16);
}

/* That of a register: as dwarf_frame_register() says it, without operations it is the same,
 * or not known; else a place, or a value if DW_OP_stack_value ends it. */
static void
set_register(struct elf_unwind *u, struct unwind_value *v, enum unwind_machine machine,
    Dwarf_Frame *frame, unsigned reg)
{
	Dwarf_Op mem[3], *op;
	bool is;
	size_t n;

	*v = (struct unwind_value){ .rule = UNWIND_UNDEFINED, .to = (uint8_t)reg };
	if (libdw.dwarf_frame_register(frame, (int)reg, mem, &op, &n) < 0)
		return;
	if (!n) {
		v->rule = op == mem ? UNWIND_UNDEFINED : UNWIND_SAME;
		return;
	}
	is = op[n - 1].atom == DW_OP_stack_value;
	n -= is;
	if (n && op->atom == DW_OP_call_frame_cfa && (n == 1 ||
	    (n == 2 && op[1].atom == DW_OP_plus_uconst && fits(op[1].number)))) {
		v->n = n == 2 ? (int32_t)op[1].number : 0;
		v->rule = is_window(machine, reg, v->n) ? UNWIND_SAME :
		    is ? UNWIND_IS : UNWIND_AT;
	} else if (n == 1 && op->atom == DW_OP_regx && op->number < UNWIND_REGS) {
		v->rule = UNWIND_FROM;
		v->reg = (uint8_t)op->number;
	} else {
		v->rule = is ? UNWIND_IS_EXPR : UNWIND_AT_EXPR;
		v->expr = keep_expr(u, op, n);
	}
}

static void
set_row(struct elf_unwind *u, struct unwind_row *row, enum unwind_machine machine,
    Dwarf_Frame *frame)
{
	const uint8_t *kept = unwind_abi[machine].kept;
	Dwarf_Op *op;
	size_t n;

	libdw.dwarf_frame_info(frame, NULL, NULL, &row->signal);
	if (libdw.dwarf_frame_cfa(frame, &op, &n) < 0)
		n = 0;
	set_frame(u, &row->frame, op, n);
	set_register(u, &row->pc, machine, frame, unwind_abi[machine].ra);
	for (; *kept < UNWIND_REGS && row->nsaved < UNWIND_SAVED; kept++) {
		set_register(u, &row->saved[row->nsaved], machine, frame, *kept);
		/* What is not said is what the ABI says: it is kept. */
		row->nsaved += row->saved[row->nsaved].rule != UNWIND_SAME &&
		    row->saved[row->nsaved].rule != UNWIND_UNDEFINED;
	}
	row->known = row->frame.rule != UNWIND_UNDEFINED;
}

/* ---- rows ---- */

/* The rules at an address, to be freed; NULL. */
static Dwarf_Frame *
find_frame(struct elf_unwind *u, struct table *t,
    Dwarf_CFI *(*find)(Dwfl_Module *, Dwarf_Addr *), uint64_t addr)
{
	Dwarf_Frame *frame;

	if (!t->asked)
		t->cfi = find(u->mod, &t->bias);
	t->asked = true;
	return t->cfi && libdw.dwarf_cfi_addrframe(t->cfi, addr - t->bias, &frame) == 0 ?
	    frame : NULL;
}

/* The second table needs all debug information unpacked: only of what is not in the first,
 * which has no code that was compiled with -fno-asynchronous-unwind-tables. */
static void
find_row(struct elf_unwind *u, struct unwind_row *row, enum unwind_machine machine,
    uint64_t addr)
{
	Dwarf_Frame *frame = find_frame(u, &u->exceptions, libdw.dwfl_module_eh_cfi, addr);

	if (!frame)
		frame = find_frame(u, &u->debug, libdw.dwfl_module_dwarf_cfi, addr);
	if (frame)
		set_row(u, row, machine, frame);
	free(frame);
}

const struct unwind_row *
elf_unwind_row(struct elf_unwind *u, enum unwind_machine machine, uint64_t addr)
{
	const size_t was = u->known.n, i = sums_row(&u->known, &addr);

	if (unwind_abi[machine].elf != u->elf)
		return NULL;
	u->row = mem_reach(u->row, &u->caprow, i, sizeof *u->row, 0);
	if (i == was)
		find_row(u, &u->row[i], machine, addr);
	return u->row[i].known ? &u->row[i] : NULL;
}

/* ---- expressions ---- */

#define DEPTH 64		/* values on the stack */
#define STEPS 1000		/* operations: jumps may be a loop */

struct computer {
	const struct registers *r;
	const struct stack_copy *stack;
	const struct unwind_expr *expr;
	uint64_t frame, v[DEPTH];
	unsigned n;
	size_t next;		/* operation */
	bool cut;		/* it needs what is not in the copy */
};

static bool
push(struct computer *c, uint64_t v)
{
	if (c->n == DEPTH)
		return false;
	c->v[c->n++] = v;
	return true;
}

static bool
push_register(struct computer *c, uint64_t reg, uint64_t plus)
{
	/* On ARM64 that is a register like others. */
	const unsigned pc = c->r->machine == UNWIND_ARM64 ? UNWIND_REGS :
	    unwind_abi[c->r->machine].ra;

	return reg < UNWIND_REGS && push(c, (reg == pc ? c->r->pc : c->r->v[reg]) + plus);
}

/* To the operation at so many bytes from the end of this one, which has 3. */
static bool
jump(struct computer *c, const Dwarf_Op *op)
{
	const struct unwind_expr *e = c->expr;
	const Dwarf_Word to = op->offset + 3 + (Dwarf_Word)(int16_t)op->number;

	for (c->next = 0; c->next < e->n && e->op[c->next].offset != to; c->next++)
		;
	return c->next < e->n || to > op->offset;	/* to the end */
}

static bool
binary(struct computer *c, uint8_t atom)
{
	uint64_t a, b;
	int64_t sa, sb;

	if (c->n < 2)
		return false;
	b = c->v[--c->n];
	a = c->v[--c->n];
	sa = (int64_t)a;
	sb = (int64_t)b;
	switch (atom) {
	case DW_OP_plus: return push(c, a + b);
	case DW_OP_minus: return push(c, a - b);
	case DW_OP_mul: return push(c, a * b);
	case DW_OP_div: return sb && !(sb == -1 && sa == INT64_MIN) && push(c, (uint64_t)(sa / sb));
	case DW_OP_mod: return b && push(c, a % b);
	case DW_OP_and: return push(c, a & b);
	case DW_OP_or: return push(c, a | b);
	case DW_OP_xor: return push(c, a ^ b);
	case DW_OP_shl: return push(c, b < 64 ? a << b : 0);
	case DW_OP_shr: return push(c, b < 64 ? a >> b : 0);
	case DW_OP_shra: return push(c, (uint64_t)(sa >> (b < 63 ? b : 63)));
	case DW_OP_eq: return push(c, a == b);
	case DW_OP_ne: return push(c, a != b);
	case DW_OP_ge: return push(c, sa >= sb);
	case DW_OP_gt: return push(c, sa > sb);
	case DW_OP_le: return push(c, sa <= sb);
	case DW_OP_lt: return push(c, sa < sb);
	default: return false;
	}
}

static bool
deref(struct computer *c, uint64_t *top)
{
	c->cut = !stack_word(c->stack, c->r->machine, *top, top);
	return !c->cut;
}

/* The first `n` values from the top, the last of which becomes the first. */
static bool
rotate(struct computer *c, unsigned n)
{
	uint64_t top;
	unsigned i;

	if (c->n < n)
		return false;
	top = c->v[c->n - 1];
	for (i = 1; i < n; i++)
		c->v[c->n - i] = c->v[c->n - i - 1];
	c->v[c->n - n] = top;
	return true;
}

static bool
unary(struct computer *c, const Dwarf_Op *op)
{
	uint64_t *top;

	if (!c->n)
		return false;
	top = &c->v[c->n - 1];
	switch (op->atom) {
	case DW_OP_deref:
		return deref(c, top);
	case DW_OP_plus_uconst:
		*top += op->number;
		return true;
	case DW_OP_neg:
		*top = 0 - *top;
		return true;
	case DW_OP_abs:
		*top = (int64_t)*top < 0 ? 0 - *top : *top;
		return true;
	case DW_OP_not:
		*top = ~*top;
		return true;
	case DW_OP_dup:
		return push(c, *top);
	case DW_OP_drop:
		c->n--;
		return true;
	case DW_OP_over:
		return c->n > 1 && push(c, top[-1]);
	case DW_OP_pick:
		return op->number < c->n && push(c, c->v[c->n - 1 - op->number]);
	case DW_OP_swap:
		return rotate(c, 2);
	case DW_OP_rot:
		return rotate(c, 3);
	case DW_OP_bra:
		return !c->v[--c->n] || jump(c, op);
	default:
		return binary(c, op->atom);
	}
}

static bool
step(struct computer *c, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(c, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(c, op->atom - DW_OP_breg0, op->number);
	switch (op->atom) {
	case DW_OP_bregx:
		return push_register(c, op->number, op->number2);
	case DW_OP_call_frame_cfa:
		return push(c, c->frame);
	case DW_OP_addr: case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u:
	case DW_OP_const2s: case DW_OP_const4u: case DW_OP_const4s: case DW_OP_const8u:
	case DW_OP_const8s: case DW_OP_constu: case DW_OP_consts:
		return push(c, op->number);
	case DW_OP_nop:
		return true;
	case DW_OP_skip:
		return jump(c, op);
	default:
		return unary(c, op);
	}
}

enum unwound
unwind_compute(const struct unwind_expr *e, const struct registers *r,
    const struct stack_copy *stack, uint64_t frame, uint64_t *out)
{
	struct computer c = { .r = r, .stack = stack, .expr = e, .frame = frame };
	unsigned i;

	for (i = 0; c.next < e->n && i < STEPS; i++)
		if (!step(&c, &e->op[c.next++]))
			return c.cut ? UNWOUND_CUT : UNWOUND_NO_RULE;
	if (c.next < e->n || !c.n)
		return UNWOUND_NO_RULE;
	*out = c.v[c.n - 1];
	return UNWOUND;
}

#else

enum unwound
unwind_compute(const struct unwind_expr *e, const struct registers *r,
    const struct stack_copy *stack, uint64_t frame, uint64_t *out)
{
	(void)e;
	(void)r;
	(void)stack;
	(void)frame;
	(void)out;
	return UNWOUND_NO_RULE;
}

#endif

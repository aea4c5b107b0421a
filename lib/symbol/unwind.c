/* SPDX-License-Identifier: ISC */
#include "symbol/unwind.h"

#include <elf.h>
#include <string.h>

/* ---- machines ---- */

#define NO_REG 255

/*
 * by_perf: perf's numbers of registers (arch/.../uapi/asm/perf_regs.h) to DWARF's; the
 * program counter is apart.
 */
static const struct machine {
	unsigned elf, word;	/* word: bytes */
	uint8_t sp, fp, ra, pc_of_perf, n_perf;
	uint8_t kept[16];
	uint8_t by_perf[UNWIND_REGS];
} machines[UNWIND_MACHINES] = {
	[UNWIND_X86_64] = { EM_X86_64, 8, 7, 6, 16, 8, 24, { 3, 6, 12, 13, 14, 15, NO_REG },
	    { 0, 3, 2, 1, 4, 5, 6, 7, NO_REG, NO_REG, NO_REG, NO_REG, NO_REG, NO_REG, NO_REG,
	    NO_REG, 8, 9, 10, 11, 12, 13, 14, 15 } },
	[UNWIND_I386] = { EM_386, 4, 4, 5, 8, 8, 9, { 3, 5, 6, 7, NO_REG },
	    { 0, 3, 1, 2, 6, 7, 5, 4, NO_REG } },
	[UNWIND_ARM64] = { EM_AARCH64, 8, 31, 29, 30, 32, 33,
	    { 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, NO_REG },
	    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
	    23, 24, 25, 26, 27, 28, 29, 30, 31, NO_REG } },
};

static bool
is_one_of(const char *arch, size_t n, const char *const *list)
{
	for (; *list; list++)
		if (n == strlen(*list) && memcmp(arch, *list, n) == 0)
			return true;
	return false;
}

enum unwind_machine
unwind_machine_of(const char *arch, size_t n, bool narrow)
{
	static const char *const x86[] = { "x86_64", "i386", "i486", "i586", "i686", NULL };
	static const char *const arm64[] = { "aarch64", "arm64", NULL };

	if (is_one_of(arch, n, x86))
		return narrow ? UNWIND_I386 : UNWIND_X86_64;
	return is_one_of(arch, n, arm64) && !narrow ? UNWIND_ARM64 : UNWIND_MACHINES;
}

unsigned
unwind_elf_machine(enum unwind_machine m)
{
	return machines[m].elf;
}

unsigned
unwind_return_reg(enum unwind_machine m)
{
	return machines[m].ra;
}

const uint8_t *
unwind_kept(enum unwind_machine m)
{
	return machines[m].kept;
}

/* ---- registers and memory ---- */

bool
registers_set(struct registers *r, enum unwind_machine machine, uint64_t mask,
    const uint64_t *v)
{
	const struct machine *m = &machines[machine];
	bool has_sp = false, has_pc = false;
	unsigned i;

	*r = (struct registers){ .machine = machine, .exact = true };
	for (i = 0; i < m->n_perf && mask >> i; i++) {
		if (!(mask >> i & 1))
			continue;
		if (i == m->pc_of_perf) {
			r->pc = *v;
			has_pc = true;
		} else if (m->by_perf[i] != NO_REG) {
			r->v[m->by_perf[i]] = *v;
			has_sp |= m->by_perf[i] == m->sp;
		}
		v++;
	}
	return has_sp && has_pc;
}

uint64_t
registers_sp(const struct registers *r)
{
	return r->v[machines[r->machine].sp];
}

bool
stack_word(const struct stack_copy *s, enum unwind_machine machine, uint64_t at,
    uint64_t *out)
{
	const unsigned size = machines[machine].word;
	uint32_t half;

	if (s->n < size || at < s->sp || at - s->sp > s->n - size)
		return false;
	if (size == 8) {
		memcpy(out, s->p + (at - s->sp), 8);
		if (s->swap)
			*out = __builtin_bswap64(*out);
		return true;
	}
	memcpy(&half, s->p + (at - s->sp), 4);
	*out = s->swap ? __builtin_bswap32(half) : half;
	return true;
}

/* An address of the machine: of 32 bits it is what is left of them. */
static uint64_t
address(const struct machine *m, uint64_t v)
{
	return m->word == 8 ? v : (uint32_t)v;
}

/* ---- a step ---- */

/* Finds a value of the caller's: false if it cannot be found. */
static bool
find(const struct unwind_value *v, const struct registers *r, const struct stack_copy *s,
    uint64_t frame, uint64_t *out)
{
	const struct machine *m = &machines[r->machine];
	uint64_t at;

	switch (v->rule) {
	case UNWIND_SAME:
		*out = r->v[v->to];
		return true;
	case UNWIND_AT:
		return stack_word(s, r->machine, address(m, frame + (uint64_t)(int64_t)v->n), out);
	case UNWIND_IS:
		*out = address(m, frame + (uint64_t)(int64_t)v->n);
		return true;
	case UNWIND_FROM:
		*out = address(m, r->v[v->reg] + (uint64_t)(int64_t)v->n);
		return true;
	case UNWIND_AT_EXPR:
		return unwind_compute(v->expr, r, s, frame, &at) &&
		    stack_word(s, r->machine, at, out);
	case UNWIND_IS_EXPR:
		return unwind_compute(v->expr, r, s, frame, out);
	default:
		return false;
	}
}

/* By frame pointers: where it points to is the caller's, and then its address. */
static enum unwound
step_by_pointer(struct registers *r, const struct stack_copy *s)
{
	const struct machine *m = &machines[r->machine];
	const uint64_t fp = r->v[m->fp], frame = fp + 2 * (uint64_t)m->word;
	uint64_t pc, next;

	if (!fp || frame <= r->v[m->sp])
		return UNWOUND_LOST;
	if (!stack_word(s, r->machine, fp + m->word, &pc))
		return UNWOUND_CUT;
	r->v[m->fp] = stack_word(s, r->machine, fp, &next) ? next : 0;
	r->v[m->sp] = frame;
	r->pc = pc;
	r->exact = false;
	return pc ? UNWOUND : UNWOUND_ALL;
}

enum unwound
unwind_step(struct registers *r, const struct unwind_row *row, const struct stack_copy *s)
{
	const struct machine *m = &machines[r->machine];
	struct registers caller = *r;
	uint64_t frame;
	unsigned i;

	if (!row || !row->known)
		return step_by_pointer(r, s);
	if (row->pc.rule == UNWIND_UNDEFINED)
		return UNWOUND_ALL;
	if (!find(&row->frame, r, s, 0, &frame))
		return row->frame.rule == UNWIND_UNDEFINED ? UNWOUND_LOST : UNWOUND_CUT;
	if (!find(&row->pc, r, s, frame, &caller.pc))
		return UNWOUND_CUT;
	for (i = 0; i < row->nsaved; i++)
		if (!find(&row->saved[i], r, s, frame, &caller.v[row->saved[i].to]))
			caller.v[row->saved[i].to] = 0;
	caller.v[m->sp] = frame;
	caller.exact = row->signal;
	/* A stack that does not get shorter would never end. */
	if (frame < r->v[m->sp] || (frame == r->v[m->sp] && caller.pc == r->pc))
		return row->signal ? UNWOUND_CUT : UNWOUND_LOST;
	*r = caller;
	return r->pc ? UNWOUND : UNWOUND_ALL;
}

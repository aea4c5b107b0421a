/* SPDX-License-Identifier: ISC */
#include "symbol/unwind_machine.h"

#include <elf.h>
#include <string.h>

const struct unwind_abi unwind_abi[UNWIND_MACHINES] = {
	[UNWIND_X86_64] = {
		EM_X86_64, 8, UINT64_MAX, .sp = 7, .fp = 6, .ra = 16, .pc_of_perf = 8, .n_perf = 24,
		.kept = { 3, 6, 12, 13, 14, 15, UNWIND_NONE },
		.by_perf = { 0, 3, 2, 1, 4, 5, 6, 7, [8 ... 15] = UNWIND_NONE,
		    8, 9, 10, 11, 12, 13, 14, 15 },
	},
	[UNWIND_I386] = {
		EM_386, 4, UINT32_MAX, .sp = 4, .fp = 5, .ra = 8, .pc_of_perf = 8, .n_perf = 9,
		.kept = { 3, 5, 6, 7, UNWIND_NONE },
		.by_perf = { 0, 3, 1, 2, 6, 7, 5, 4, UNWIND_NONE },
	},
	[UNWIND_ARM64] = {
		EM_AARCH64, 8, ((uint64_t)1 << 48) - 1, .sp = 31, .fp = 29, .ra = 30,
		.pc_of_perf = 32, .n_perf = 33,
		.kept = { 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, UNWIND_NONE },
		.by_perf = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
		    19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, UNWIND_NONE },
	},
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

/* ---- registers and memory ---- */

bool
registers_set(struct registers *r, enum unwind_machine machine, uint64_t mask,
    const uint64_t *v)
{
	const struct unwind_abi *m = &unwind_abi[machine];
	bool has_sp = false, has_pc = false;
	unsigned i;

	*r = (struct registers){ .machine = machine, .exact = true };
	for (i = 0; i < m->n_perf && mask >> i; i++) {
		if (!(mask >> i & 1))
			continue;
		if (i == m->pc_of_perf) {
			r->pc = *v;
			has_pc = true;
		} else if (m->by_perf[i] != UNWIND_NONE) {
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
	return r->v[unwind_abi[r->machine].sp];
}

bool
stack_word(const struct stack_copy *s, enum unwind_machine machine, uint64_t at,
    uint64_t *out)
{
	const unsigned size = unwind_abi[machine].word;
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

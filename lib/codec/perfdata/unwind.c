/* SPDX-License-Identifier: ISC */
/* Unwinds the stacks of `perf record --call-graph dwarf`, from the registers of each sample
 * and a copy of its stack. */
#include "perfdata.h"

#include <sys/utsname.h>

#define FRAMES_MOST (1 << 14)	/* a copy has 64 KiB, and each frame a word: more would be a
				 * loop */

enum { ABI_32 = 1 };

/* Returns the machine of the recording or, if it is not recorded, this one. */
static enum unwind_machine
machine_of(const struct perfdata *pd, const struct perf_sample *s)
{
	struct text arch = buf_as_text(&pd->facts.arch);
	struct utsname u;

	if (!arch.n && !pd->swap && uname(&u) == 0)
		arch = text_of(u.machine);
	return unwind_machine_of(arch.s, arch.n, s->abi == ABI_32);
}

/* Sets the registers of the sample: false if its machine is not supported. */
static bool
read_registers(struct perfdata *pd, struct perf_sample *s, struct registers *r)
{
	const enum unwind_machine m = machine_of(pd, s);
	struct bytes b = s->registers;
	uint64_t v[64];
	size_t n = 0;

	while (bytes_left(&b) && n < 64)
		v[n++] = bytes_u64(&b);
	return m != UNWIND_MACHINES && registers_set(r, m, s->attr->regs_user, v);
}

static enum unfinished
reason(enum unwound how)
{
	return how == UNWOUND_CUT ? UNFINISHED_COPY :
	    how == UNWOUND_NO_ROW ? UNFINISHED_NO_ROW :
	    how == UNWOUND_NO_RULE ? UNFINISHED_NO_RULE : UNFINISHED_NOT_UP;
}

int
pd_unwind(struct perfdata *pd, struct perf_sample *s, int (*add)(struct perfdata *,
    struct perf_sample *, uint64_t, bool, enum pc))
{
	struct stack_copy stack = { .p = s->stack.p, .n = bytes_left(&s->stack),
	    .swap = pd->swap };
	enum unwound how = UNWOUND;
	const struct map *map;
	struct registers r;
	size_t n;

	if (!read_registers(pd, s, &r)) {
		pd_unfinished_add(pd, UNFINISHED_REGISTERS, NULL);
		return 1;
	}
	stack.sp = registers_sp(&r);
	for (n = 0; how == UNWOUND && n < FRAMES_MOST; n++) {
		const uint64_t addr = r.exact ? r.pc : r.pc - 1;
		const struct unwind_row *row;

		map = maps_find(s->maps, addr);
		if (n && !map) {	/* that was not a return address */
			how = UNWOUND_NO_ROW;
			break;
		}
		/* The return address of a signal handler does not follow a call. */
		row = map ? pd_places_row(pd, map, r.machine, addr) : NULL;
		if (add(pd, s, r.pc, false, r.exact || (row && row->signal) ? PC_EXACT :
		    PC_RETURN) < 0)
			return -1;
		how = unwind_step(&r, row, &stack);
	}
	if (how == UNWOUND_ALL)
		return 0;
	pd_unfinished_add(pd, reason(how), map);
	return 1;
}

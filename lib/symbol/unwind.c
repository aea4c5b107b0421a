/* SPDX-License-Identifier: ISC */
#include "symbol/unwind.h"

/* An address of the machine: of 32 bits it is what is left of them. */
static uint64_t
address(const struct unwind_abi *m, uint64_t v)
{
	return m->word == 8 ? v : (uint32_t)v;
}

/* ---- a step ---- */

static enum unwound
load(const struct registers *r, const struct stack_copy *s, uint64_t at, uint64_t *out)
{
	return stack_word(s, r->machine, address(&unwind_abi[r->machine], at), out) ? UNWOUND :
	    UNWOUND_CUT;
}

/* Finds a value of the caller's: UNWOUND, or why it cannot be found. */
static enum unwound
find(const struct unwind_value *v, const struct registers *r, const struct stack_copy *s,
    uint64_t frame, uint64_t *out)
{
	const struct unwind_abi *m = &unwind_abi[r->machine];
	enum unwound how;
	uint64_t at;

	switch (v->rule) {
	case UNWIND_SAME:
		*out = r->v[v->to];
		return UNWOUND;
	case UNWIND_AT:
		return load(r, s, frame + (uint64_t)(int64_t)v->n, out);
	case UNWIND_IS:
		*out = address(m, frame + (uint64_t)(int64_t)v->n);
		return UNWOUND;
	case UNWIND_FROM:
		*out = address(m, r->v[v->reg] + (uint64_t)(int64_t)v->n);
		return UNWOUND;
	case UNWIND_AT_EXPR:
		how = unwind_compute(v->expr, r, s, frame, &at);
		return how == UNWOUND ? load(r, s, at, out) : how;
	case UNWIND_IS_EXPR:
		how = unwind_compute(v->expr, r, s, frame, &at);
		*out = how == UNWOUND ? address(m, at) : 0;
		return how;
	default:
		return UNWOUND_NO_RULE;
	}
}

/* By frame pointers: where it points to is the caller's, and then its address.  A caller
 * whose pointer is 0 is what the kernel has started. */
static enum unwound
step_by_pointer(struct registers *r, const struct stack_copy *s)
{
	const struct unwind_abi *m = &unwind_abi[r->machine];
	const uint64_t fp = r->v[m->fp], frame = fp + 2 * (uint64_t)m->word;
	uint64_t pc, next;

	if (!fp && !r->exact)
		return UNWOUND_ALL;
	if (!fp || frame <= r->v[m->sp])
		return UNWOUND_NO_ROW;
	if (!stack_word(s, r->machine, fp + m->word, &pc))
		return UNWOUND_CUT;
	r->v[m->fp] = stack_word(s, r->machine, fp, &next) ? next : 0;
	r->v[m->sp] = frame;
	r->pc = pc & m->code;
	r->exact = false;
	return pc ? UNWOUND : UNWOUND_ALL;
}

enum unwound
unwind_step(struct registers *r, const struct unwind_row *row, const struct stack_copy *s)
{
	const struct unwind_abi *m = &unwind_abi[r->machine];
	struct registers caller = *r;
	enum unwound how;
	uint64_t frame;
	unsigned i;

	if (!row || !row->known)
		return step_by_pointer(r, s);
	if (row->pc.rule == UNWIND_UNDEFINED)
		return UNWOUND_ALL;
	if ((how = find(&row->frame, r, s, 0, &frame)) != UNWOUND ||
	    (how = find(&row->pc, r, s, frame, &caller.pc)) != UNWOUND)
		return how;
	for (i = 0; i < row->nsaved; i++)
		if (find(&row->saved[i], r, s, frame, &caller.v[row->saved[i].to]) != UNWOUND)
			caller.v[row->saved[i].to] = 0;
	caller.v[m->sp] = frame;
	caller.pc &= m->code;
	caller.exact = row->signal;
	/* A stack that does not get shorter would never end; one for signals may be below. */
	if (frame < r->v[m->sp] || (frame == r->v[m->sp] && caller.pc == r->pc))
		return row->signal ? UNWOUND_CUT : UNWOUND_NOT_UP;
	*r = caller;
	return r->pc ? UNWOUND : UNWOUND_ALL;
}

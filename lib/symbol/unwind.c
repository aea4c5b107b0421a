/* SPDX-License-Identifier: ISC */
#include "symbol/unwind.h"

/* Returns an address of the machine, truncated to its size. */
static uint64_t
address(const struct unwind_abi *m, uint64_t v)
{
	return m->word == 8 ? v : (uint32_t)v;
}

/* ---- a step ---- */

/* Finds one of the caller's values: false if it cannot be found. */
static bool
find(const struct unwind_value *v, const struct registers *r, const struct stack_copy *s,
    uint64_t frame, uint64_t *out)
{
	const struct unwind_abi *m = &unwind_abi[r->machine];
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

/* Steps by the frame pointer, which points to the caller's, followed by its address. */
static enum unwound
step_by_pointer(struct registers *r, const struct stack_copy *s)
{
	const struct unwind_abi *m = &unwind_abi[r->machine];
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
	const struct unwind_abi *m = &unwind_abi[r->machine];
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

/* SPDX-License-Identifier: ISC */
/*
 * Valgrind's xtrees, execution trees: --xtree-memory, --xtree-leak (coregrind/m_xtree.c,
 * VG_(XT_callgrind_print)).  Each stack with costs is written separately, the outermost
 * function first:
 *
 *	fl=(1) a.c
 *	fn=(1) main
 *	6				the line of the call, without costs
 *	cfi=(1)
 *	cfn=(2) leaf
 *	calls=0 3
 *	6 590 20			the same line, with the costs of the leaf
 *	fl=(1)
 *	fn=(2)
 *	3 590 20			the leaf
 *
 * Costs and calls of functions cannot represent that: it is read as a `sample`.
 */
#include "positions.h"

/* Puts the frame of the current function, called from the one before. */
static int
put_frame(struct reader *rd, const struct pos *at)
{
	struct ctx_def c = NO_CTX;
	int ret;

	if ((ret = cg_need_func(rd)))
		return ret;
	c.parent = rd->stack.ctx;
	c.func = (uint32_t)rd->func;
	c.file = rd->here;
	if (rd->has[POS_LINE])
		c.line = dict_line(rd->d->dict, at->v[POS_LINE], 0);
	return decode_ctx(rd->d, &c, &rd->stack.ctx) < 0 ? LINE_FATAL : LINE_OK;
}

static int
put_leaf(struct reader *rd, struct text values)
{
	struct record r = rec_make(REC_SAMPLE);

	r.col[0].n = rd->stack.ctx;
	r.values = values;
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

void
cg_forget_stack(struct reader *rd)
{
	rd->stack.ctx = NO_ID;
	rd->stack.at_call = rd->stack.called = rd->stack.broken = false;
}

/* Checks that the costs of all calls of a stack, and of its leaf, are the same. */
static int
same_costs(struct reader *rd, struct text values, bool first)
{
	if (first) {
		rd->stack.values.n = 0;
		buf_text(&rd->stack.values, values);
	}
	return text_eq(buf_as_text(&rd->stack.values), values) ? LINE_OK :
	    BAD("expected the costs of the caller in this stack, %s",
	    QUOTE(rd->stack.values));
}

static int
call(struct reader *rd, struct text values)
{
	const bool first = !rd->stack.called;
	const bool expected = rd->stack.at_call;

	cg_forget_target(rd);
	rd->stack.at_call = false;
	rd->stack.called = true;
	rd->stack.callee = rd->cfn;
	return !expected ? BAD("expected the line of the call before 'calls='") :
	    same_costs(rd, values, first);
}

static int
frame(struct reader *rd, const struct pos *at, struct text values)
{
	int ret;

	if (rd->stack.at_call)
		return BAD("expected 'cfn=' and 'calls=' after the line of a call");
	if (rd->stack.called && (!rd->have_fn || rd->fn_name != rd->stack.callee))
		return BAD("expected the function that is called in this stack");
	if ((ret = put_frame(rd, at)))
		return ret;
	if (!values.n) {
		rd->stack.at_call = true;
		return LINE_OK;
	}
	if ((rd->stack.called && (ret = same_costs(rd, values, false))) ||
	    (ret = put_leaf(rd, values)))
		return ret;
	cg_forget_stack(rd);
	return LINE_OK;
}

int
cg_stack_line(struct reader *rd, const struct pos *at, struct text values)
{
	const enum pending pending = rd->pending;

	rd->base = *at;
	rd->at_base = true;
	return rd->stack.broken || pending == PENDING_SKIP ?
	    BAD("this line belongs to a malformed stack") :
	    pending == PENDING_NONE ? frame(rd, at, values) :
	    pending == PENDING_CALL ? call(rd, values) :
	    BAD("expected a stack, as valgrind's xtree has them");
}

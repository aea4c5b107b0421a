/* SPDX-License-Identifier: ISC */
/*
 * Functions of lines, and calls and jumps, which take two lines of the format.  The first
 * line names the target, the second has the source, and for a call the costs.
 */
#include "positions.h"

#include "stream/recursion_suffix.h"

static bool
is_level(struct text name)
{
	return recursion_base(name) < name.n;
}

/* Defines the function of a name, an index in rd->fn, in this file and object. */
static int
bind_name(struct reader *rd, uint32_t name, uint32_t file, uint32_t object,
    uint64_t *func)
{
	struct name *n = &rd->fn.v[name];
	struct func_def f = NO_FUNC;
	int ret;

	/* The header lasts until a record is put, not only a name. */
	if (!rd->started && (ret = cg_start_part(rd)))
		return ret;
	if (!n->bound)
		n->level = is_level(dict_text(rd->d->dict, n->str));
	if (n->level && (ret = cg_tell_levels(rd)))
		return ret;
	if (!n->bound || n->file != file || n->object != object) {
		f.name = n->str;
		f.file = file;
		f.object = object;
		if (decode_func(rd->d, &f, &n->def) < 0)
			return LINE_FATAL;
		n->file = file;
		n->object = object;
		n->bound = true;
	}
	*func = n->def;
	return LINE_OK;
}

int
cg_need_func(struct reader *rd)
{
	if (rd->have_func)
		return LINE_OK;
	rd->have_func = true;
	rd->func = NO_ID;
	return rd->have_fn ?
	    bind_name(rd, rd->fn_name, rd->file, rd->object, &rd->func) : LINE_OK;
}

/* ---- second lines ---- */

/* Finds the function of jfn=, which has no file and object: it is the one last seen under
 * that name, or otherwise its file is unknown. */
static int
bind_jfn(struct reader *rd, uint64_t *func)
{
	struct name *n = &rd->fn.v[rd->jfn];

	return n->bound ? bind_name(rd, rd->jfn, n->file, n->object, func) :
	    bind_name(rd, rd->jfn, NO_ID, rd->object, func);
}

int
cg_bind_jump(struct reader *rd)
{
	struct record *r = &rd->jump;
	int ret;

	rd->pending = PENDING_NONE;
	rd->moved = false;
	if ((!rd->started && (ret = cg_start_part(rd))) || (ret = cg_need_func(rd)))
		return ret;
	r->col[PLACE_FUNC].n = rd->func;
	r->col[PLACE_FILE].n = rd->here;
	r->col[JUMP_TFILE].n = rd->have_jfi ? rd->jfi :
	    rd->self_base ? rd->last : rd->here;
	r->col[JUMP_TFUNC].n = rd->func;
	if (rd->have_jfn && (ret = bind_jfn(rd, &r->col[JUMP_TFUNC].n)))
		return ret;
	rd->have_jfi = rd->have_jfn = false;
	return LINE_OK;
}

int
cg_emit_jump(struct reader *rd, const struct pos *at)
{
	struct record *r = &rd->jump;
	int ret;

	if ((ret = cg_bind_jump(rd)))
		return ret;
	cg_set_place(rd, at, &r->col[PLACE_LINE], &r->col[PLACE_ADDR]);
	rd->measured = true;
	return sink_put(rd->d->out, r);
}

int
cg_bind_call(struct reader *rd)
{
	struct record *r = &rd->call;
	uint32_t file = rd->have_cfi ? rd->cfi : rd->self_base ? rd->last : rd->here;
	uint32_t object = rd->have_cob ? rd->cob : rd->object;
	int ret;

	rd->pending = PENDING_NONE;
	rd->moved = false;
	rd->have_cfi = rd->have_cob = false;
	if ((ret = cg_need_func(rd)) ||
	    (ret = bind_name(rd, rd->cfn, file, object, &r->col[CALL_CALLEE].n)))
		return ret;
	r->col[PLACE_FUNC].n = rd->func;
	r->col[PLACE_FILE].n = rd->here;
	return LINE_OK;
}

static int
emit_call(struct reader *rd, const struct pos *at, struct text values)
{
	struct record *r = &rd->call;
	int ret = cg_bind_call(rd);

	if (ret)
		return ret;
	cg_set_place(rd, at, &r->col[PLACE_LINE], &r->col[PLACE_ADDR]);
	if (rd->no_counts && text_is(r->col[CALL_COUNT].t, "0"))
		r->col[CALL_COUNT].t = (struct text){ 0 };
	if (rd->swapped) {
		const struct field line = r->col[PLACE_LINE];

		r->col[PLACE_LINE] = r->col[CALL_TLINE];
		r->col[CALL_TLINE] = line;
	}
	r->values = values;
	rd->measured = true;
	return sink_put(rd->d->out, r);
}

int
cg_second_line(struct reader *rd, const struct pos *at, struct text values)
{
	int ret;

	if (rd->pending == PENDING_JUMP && values.n)
		return cg_emit_jump(rd, cg_last_line(rd));
	if (rd->pending == PENDING_SKIP) {
		rd->pending = PENDING_NONE;
		return BAD("this line belongs to the malformed one before it");
	}
	ret = rd->pending == PENDING_CALL ? emit_call(rd, at, values) : cg_emit_jump(rd, at);
	if (ret)
		return ret;
	rd->at = *at;
	rd->at_base = false;
	if (!rd->self_base)
		rd->base = *at;
	return CG_TAKEN;
}

void
cg_forget_target(struct reader *rd)
{
	rd->pending = PENDING_NONE;
	rd->have_cob = rd->have_cfi = rd->have_jfi = rd->have_jfn = false;
}

int
cg_settle(struct reader *rd)
{
	if (rd->pending == PENDING_CALL) {
		cg_forget_target(rd);
		return BAD("expected the cost line of 'calls='");
	}
	if (rd->pending == PENDING_JUMP)
		return cg_emit_jump(rd, cg_last_line(rd));
	rd->pending = PENDING_NONE;
	return LINE_OK;
}

/* ---- first lines ---- */

/* Reads the subpositions of a target, after "calls=N " and similar keys.  A target may lack
 * the last of them, or all, or have additional zeros (xdebug writes two). */
static int
target(struct reader *rd, const char *p, const char *end, struct field *line,
    struct field *addr)
{
	struct pos at = { { 0 } };
	const char *q = p;
	unsigned n;

	*line = *addr = (struct field){ .has = 0 };
	while (q < end && blank(*q))
		q++;
	if (q == end)
		return LINE_OK;
	if (!(q = cg_some_positions(rd, q, end, &at, &n)))
		return BAD("expected %u position%s, found %s", rd->npos,
		    rd->npos == 1 ? "" : "s", QUOTE_TO(p, end));
	while (q < end && (*q == '0' || blank(*q)))
		q++;
	if (q < end)
		return BAD("expected the end of the line, found %s", QUOTE_TO(q, end));
	cg_set_place(rd, &at, line, addr);
	for (; n < rd->npos; n++)
		*(rd->pos[n] == POS_LINE ? line : addr) = (struct field){ .has = 0 };
	return LINE_OK;
}

int
cg_calls(struct reader *rd, const char *p, const char *end)
{
	struct record *r = &rd->call;
	const char *q = cg_read_count(p, end, &rd->count[0], &r->col[CALL_COUNT].t);

	if (!q || (q < end && !blank(*q)))
		return BAD("calls: expected a count, found %s", QUOTE_TO(p, end));
	if (!rd->have_cfn)
		return BAD("calls: no 'cfn=' before it");
	rd->pending = PENDING_CALL;
	return target(rd, q, end, &r->col[CALL_TLINE], &r->col[CALL_TADDR]);
}

int
cg_jump(struct reader *rd, const char *p, const char *end)
{
	struct record *r = &rd->jump;
	const char *q = cg_read_count(p, end, &rd->count[0], &r->col[JUMP_FOLLOWED].t);

	if (!q || (q < end && !blank(*q)))
		return BAD("jump: expected a count, found %s", QUOTE_TO(p, end));
	r->col[JUMP_EXECUTED].t = (struct text){ 0 };
	rd->pending = PENDING_JUMP;
	return target(rd, q, end, &r->col[JUMP_TLINE], &r->col[JUMP_TADDR]);
}

/* Reads jcnd=. dump.c writes FOLLOWED/EXECUTED, while the specification has EXECUTED
 * FOLLOWED. */
int
cg_jcnd(struct reader *rd, const char *p, const char *end)
{
	struct record *r = &rd->jump;
	struct text first, second;
	const char *q = cg_read_count(p, end, &rd->count[0], &first), *q2 = NULL;
	bool slash = q && q < end && *q == '/';

	if (q && q < end && (slash || blank(*q)))
		q2 = cg_read_count(q + 1, end, &rd->count[1], &second);
	if (!q2 || (q2 < end && !blank(*q2)))
		return BAD("jcnd: expected two counts, found %s", QUOTE_TO(p, end));
	r->col[JUMP_FOLLOWED].t = slash ? first : second;
	r->col[JUMP_EXECUTED].t = slash ? second : first;
	rd->pending = PENDING_JUMP;
	return target(rd, q2, end, &r->col[JUMP_TLINE], &r->col[JUMP_TADDR]);
}

void
cg_keep_counts(struct reader *rd)
{
	struct text *v[2] = { &rd->call.col[CALL_COUNT].t, NULL };
	size_t i, at = 0;

	if (rd->pending == PENDING_JUMP) {
		v[0] = &rd->jump.col[JUMP_FOLLOWED].t;
		v[1] = &rd->jump.col[JUMP_EXECUTED].t;
	} else if (rd->pending != PENDING_CALL) {
		return;
	}
	rd->kept.n = 0;
	for (i = 0; i < 2 && v[i]; i++)
		buf_text(&rd->kept, *v[i]);
	for (i = 0; i < 2 && v[i]; at += v[i++]->n)
		if (v[i]->s)
			v[i]->s = rd->kept.s + at;
}

/* SPDX-License-Identifier: ISC */
#include "filter/select.h"

#include <stdlib.h>

/* Contexts come after their parents. */
void
verdicts_mark_above(struct verdicts *ctx, const struct dict *dict)
{
	uint32_t id = dict_count(dict, REC_CTX), up;

	while (id-- > 0) {
		up = dict_caller(dict, id);
		if (up != NO_ID && *verdict(ctx, id))
			*verdict(ctx, up) = 1;
	}
}

bool
selector_file(struct selector *s, uint64_t id)
{
	unsigned char *v;

	if (id == NO_ID || !(s->sel->in & IN_FILE))
		return false;
	v = verdict(&s->file, id);
	if (!*v)
		*v = ASKED | (match_text(s->sel->match,
		    dict_path(s->dict, (uint32_t)id)) ? SELECTED : 0);
	return *v & SELECTED;
}

static bool
object_selected(struct selector *s, uint64_t id)
{
	unsigned char *v;

	if (id == NO_ID || !(s->sel->in & IN_OBJECT))
		return false;
	v = verdict(&s->object, id);
	if (!*v)
		*v = ASKED | (match_text(s->sel->match,
		    dict_object_path(s->dict, (uint32_t)id)) ? SELECTED : 0);
	return *v & SELECTED;
}

bool
selector_ask_func(struct selector *s, uint64_t id)
{
	unsigned char *v;
	const uint32_t *f;

	if (id == NO_ID)
		return false;
	v = verdict(&s->func, id);
	if (!*v) {
		f = dict_def(s->dict, REC_FUNC, (uint32_t)id);
		*v = ASKED;
		if ((s->sel->in & IN_FUNCTION && match_text(s->sel->match,
		    dict_text(s->dict, f[FUNC_NAME]))) ||
		    selector_file(s, f[FUNC_FILE]) ||
		    object_selected(s, f[FUNC_OBJECT]))
			*v |= SELECTED;
	}
	return *v & SELECTED;
}

/* Contexts come after their parents, so the path up ends at the first known one; on the way
 * down all become known. */
bool
selector_ctx(struct selector *s, uint64_t id)
{
	const uint32_t *c;
	unsigned char *v;
	bool any = false;
	uint64_t up;

	for (up = id; up != NO_ID && !any; up = dict_caller(s->dict, (uint32_t)up)) {
		v = verdict(&s->ctx, up);
		if (*v) {
			any = *v & SELECTED;
			break;
		}
		c = dict_frame(s->dict, (uint32_t)up);
		any = selector_func(s, c[CTX_FUNC]) || selector_file(s, c[CTX_FILE]);
	}
	if (id != NO_ID)
		*verdict(&s->ctx, id) = ASKED | (any ? SELECTED : 0);
	return any;
}

/* The same for calls and jumps, which are frequent, without a loop over their columns. */
static bool
call_selected(struct selector *s, const struct record *r)
{
	return (s->sel->role & END_CALLER &&
	    (selector_func(s, r->col[PLACE_FUNC].n) ||
	    selector_file(s, r->col[PLACE_FILE].n))) ||
	    (s->sel->role & END_CALLEE && selector_func(s, r->col[CALL_CALLEE].n));
}

static bool
jump_selected(struct selector *s, const struct record *r)
{
	return s->sel->role & END_SELF && (selector_func(s, r->col[PLACE_FUNC].n) ||
	    selector_file(s, r->col[PLACE_FILE].n) ||
	    selector_func(s, r->col[JUMP_TFUNC].n) ||
	    selector_file(s, r->col[JUMP_TFILE].n));
}

static bool
general_selected(struct selector *s, const struct record *r)
{
	unsigned i;

	if (!(s->sel->role & END_SELF))
		return false;
	for (i = 0; i < r->def->ncol; i++) {
		uint64_t id = r->col[i].n;

		switch (r->def->col[i].type) {
		case COL_FUNC:
			if (selector_func(s, id))
				return true;
			break;
		case COL_FILE:
			if (selector_file(s, id))
				return true;
			break;
		case COL_OBJECT:
			if (object_selected(s, id))
				return true;
			break;
		case COL_CTX:
			if (selector_ctx(s, id))
				return true;
			break;
		default:
			break;
		}
	}
	return false;
}

bool
selector_record(struct selector *s, const struct record *r)
{
	return rec_kind(r) == REC_CALL ? call_selected(s, r) :
	    rec_kind(r) == REC_JUMP ? jump_selected(s, r) : general_selected(s, r);
}

void
selector_free(struct selector *s)
{
	free(s->func.v);
	free(s->file.v);
	free(s->object.v);
	free(s->ctx.v);
}

/* SPDX-License-Identifier: ISC */
/* Writes names, and the lines for the place of the costs below them. */
#include "writer.h"

#include <inttypes.h>

#include "stream/recursion_suffix.h"
#include "util/mem.h"

void
cw_begin_file(struct writer *w)
{
	struct ids *const ids[] = { &w->fn, &w->fl, &w->ob };
	size_t i;

	for (i = 0; i < sizeof ids / sizeof *ids; i++) {
		if (ids[i]->to)
			memset(ids[i]->to, 0, ids[i]->cap * sizeof *ids[i]->to);
		ids[i]->unknown = ids[i]->n = 0;
	}
	w->func = w->file = w->here = w->last = NOT_YET;
	w->object = NO_ID;
}

/* Leaves out blanks before a name, which readers skip: after them "(12)" would be a number. */
static struct text
without_blanks(struct writer *w, struct text t)
{
	if (t.n && blank(*t.s))
		loss_add(w->e.loss, "blanks before names");
	while (t.n && blank(*t.s))
		t.s++, t.n--;
	return t;
}

/* Sets w->text to a text made fit for one line. */
static void
add_name(struct writer *w, struct text t)
{
	size_t i;

	/* callgrind's own "(1)'2" would in any case be read as a name made of others. */
	for (i = 1; i < t.n && t.s[i] >= '0' && t.s[i] <= '9'; i++)
		;
	if (callgrind_wrote(buf_as_text(&w->creator)) && t.n > 3 &&
	    t.s[0] == '(' && i > 1 && i + 1 < t.n && t.s[i] == ')' &&
	    t.s[i + 1] == '\'')
		loss_add(w->e.loss, "names that look compressed");
	comment_line(&w->text, t, w->e.loss);
}

void
cw_line(struct writer *w, const char *key, struct text value)
{
	w->text.n = 0;
	buf_puts(&w->text, key);
	add_name(w, value);
	buf_putc(&w->text, '\n');
	out_write(w->e.out, w->text.s, w->text.n);
}

#define KEY_ROOM 48		/* "cfn=(12345)" */

static void
put_name(struct writer *w, const char *key, struct ids *ids, uint64_t id,
    struct text t)
{
	uint32_t *slot = &ids->unknown;

	if (id != NO_ID) {
		ids->to = mem_reach(ids->to, &ids->cap, id, sizeof *ids->to, 0);
		slot = &ids->to[id];
	}
	if (*slot) {		/* nearly always */
		char *p = out_room(w->e.out, KEY_ROOM);

		p = stpcpy(p, key);
		*p++ = '(';
		p = num_put_u64(p, *slot);
		*p++ = ')';
		*p++ = '\n';
		out_upto(w->e.out, p);
		return;
	}
	t = t.s ? without_blanks(w, t) : TEXT("???");
	w->text.n = 0;
	buf_puts(&w->text, key);
	if (t.n)		/* a number needs a name after it */
		buf_printf(&w->text, "(%" PRIu32 ") ", *slot = ++ids->n);
	add_name(w, t);
	buf_putc(&w->text, '\n');
	out_write(w->e.out, w->text.s, w->text.n);
}

void
cw_put_file(struct writer *w, const char *key, uint64_t file)
{
	put_name(w, key, &w->fl, file, dict_path(w->e.dict, (uint32_t)file));
}

void
cw_put_object(struct writer *w, const char *key, uint64_t object)
{
	if (object != NO_ID && (object >= w->ob.cap || !w->ob.to[object]) &&
	    dict_def(w->e.dict, REC_OBJECT, (uint32_t)object)[OBJECT_KEY] != NO_ID)
		loss_add(w->e.loss, "keys of objects");
	put_name(w, key, &w->ob, object, dict_object_path(w->e.dict, (uint32_t)object));
}

void
cw_put_func(struct writer *w, const char *key, uint64_t func)
{
	const uint32_t *f = func == NO_ID ? NULL :
	    dict_def(w->e.dict, REC_FUNC, (uint32_t)func);
	const struct text name = dict_func_name(w->e.dict, (uint32_t)func);

	if (f && !cw_written(w, func)) {
		if (f[FUNC_KEY] != NO_ID)
			loss_add(w->e.loss, "keys of functions");
		if (f[FUNC_ATTRS] != NO_ID)
			loss_add(w->e.loss, "attributes of functions");
	}
	if (!w->levels && !w->recursion_levels)
		w->recursion_levels = recursion_base(name) < name.n;
	put_name(w, key, &w->fn, func, name);
}

/* ---- the current place ---- */

void
cw_go_to(struct writer *w, const struct record *r, enum next_line next)
{
	uint64_t func = r->col[PLACE_FUNC].n, file = r->col[PLACE_FILE].n;

	if (func != w->func) {
		const uint32_t *f = dict_def(w->e.dict, REC_FUNC, (uint32_t)func);
		uint64_t ffile = f[FUNC_FILE], fobject = f[FUNC_OBJECT];
		bool fresh = ffile != w->file;

		out_puts(w->e.out, "\n");
		if (fobject != w->object)
			cw_put_object(w, "ob=", w->object = fobject);
		if (fresh)
			cw_put_file(w, "fl=", w->file = ffile);
		else if (w->here != ffile)
			cw_put_file(w, "fe=", ffile);
		if (func == NO_ID && w->func != NOT_YET)
			loss_add(w->e.loss, "lines outside any function (written "
			    "without a name)");
		if (func != NO_ID || w->func != NOT_YET)
			cw_put_func(w, "fn=", func);
		w->func = func;
		w->here = w->last = ffile;
		w->moved = true;
	}
	if (file != w->here || (next == NEXT_SELF_COST && !w->moved && file != w->last)) {
		cw_put_file(w, file == w->file ? "fe=" : "fi=", file);
		w->here = file;
		w->moved = true;
	}
}

void
cw_fresh(struct writer *w, const struct record *r)
{
	struct record place = rec_make(REC_COST);
	size_t i, n;

	/* In a part with stacks a block without a cost begins a stack. */
	if (w->stacks && r)
		return;
	n = pending_funcs_take(&w->fresh, r);
	for (i = 0; i < n; i++) {
		uint64_t func = w->fresh.func[i];

		if (cw_written(w, func))
			continue;
		if (w->stacks) {
			loss_add(w->e.loss, "functions without costs");
			continue;
		}
		place.col[PLACE_FUNC].n = func;
		place.col[PLACE_FILE].n =
		    dict_def(w->e.dict, REC_FUNC, (uint32_t)func)[FUNC_FILE];
		cw_go_to(w, &place, NEXT_OTHER);
	}
}

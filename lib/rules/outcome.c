/* SPDX-License-Identifier: ISC */
#include "rules/outcome.h"

#include <stdlib.h>

#include "stream/defs.h"

/* ---- symbols ---- */

static uint32_t
path_of(const struct outcomes *o, enum rec_kind kind, uint64_t id)
{
	return *dict_def(o->dict, kind, (uint32_t)id);
}

static struct subject
symbol_of(const struct outcomes *o, uint64_t func, uint64_t file)
{
	const uint32_t *f = dict_def(o->dict, REC_FUNC, (uint32_t)func);

	return (struct subject){ .name = { f[FUNC_NAME], path_of(o, REC_FILE, file),
	    path_of(o, REC_OBJECT, f[FUNC_OBJECT]) } };
}

/* Returns a key under the new name.  A key distinguishes definitions of one name, also
 * under a pseudonym; under another name it is dropped, as it belongs to the old one. */
static uint32_t
key_out(struct outcomes *o, const struct subject *s, enum name name, uint32_t key)
{
	/* Without a name, the key may be one. */
	if (key != NO_ID && (s->hidden[name] || (s->name[name] == NO_ID &&
	    o->rules->no_residue && o->hide)))
		return hide_text(o->hide, o->dict, name, key);
	return s->changed[name] ? NO_ID : key;
}

static uint32_t
define_object(struct outcomes *o, uint32_t object, const struct subject *s)
{
	struct object_def def = NO_OBJECT;

	if (s->grouped || (object == NO_ID && s->name[NAME_OBJECT] == NO_ID))
		return NO_ID;
	def.path = s->name[NAME_OBJECT];
	def.key = key_out(o, s, NAME_OBJECT,
	    dict_def(o->dict, REC_OBJECT, object)[OBJECT_KEY]);
	return dict_define_object(o->dict, object, &def);
}

/* Defines the function; under another name it is a new one, without the old one's key and
 * attributes. */
static uint32_t
define_func(struct outcomes *o, uint64_t func, const struct subject *s)
{
	struct func_def f = dict_func_def(o->dict, (uint32_t)func);

	if (s->changed[NAME_FILE] || s->grouped)
		f.file = dict_define_path(o->dict, REC_FILE, s->name[NAME_FILE]);
	if (s->changed[NAME_OBJECT] || s->grouped || o->rules->no_residue)
		f.object = define_object(o, f.object, s);
	if (s->changed[NAME_FUNCTION] || s->grouped || o->rules->no_residue) {
		f.name = s->name[NAME_FUNCTION];
		f.key = s->grouped ? NO_ID : key_out(o, s, NAME_FUNCTION, f.key);
		f.attrs = NO_ID;
	}
	return dict_define_func(o->dict, func, &f);
}

static void
ask(struct outcomes *o, struct subject *s)
{
	o->asked = true;
	rules_apply(o->rules, s, &o->facts, o->dict, o->hide);
	o->too_long |= s->too_long;
}

/* Counts the function if another one became the same.  Attributes do not distinguish
 * functions. */
static void
count_shared(struct outcomes *o, uint64_t func, uint64_t is)
{
	bool fresh;
	uint64_t bare = dict_func_bare(o->dict, is, &fresh);
	size_t n = o->source.n;
	num *source = sums_val(&o->source, sums_row(&o->source, &bare));

	func = dict_func_bare(o->dict, func, &fresh);
	if (n < o->source.n)
		*source = (num)func;
	o->shared += *source != (num)func;
}

const struct func_out *
outcome_ask_func(struct outcomes *o, uint64_t func)
{
	const uint64_t at = OUTCOME_AT(func);
	struct func_out *out;
	struct subject s;

	o->func = mem_reach(o->func, &o->capfunc, at, sizeof *o->func, 0);
	out = &o->func[at];
	if (out->known)
		return out;
	s = symbol_of(o, func, dict_def(o->dict, REC_FUNC, (uint32_t)func)[FUNC_FILE]);
	ask(o, &s);
	if (o->drops_func && o->drops_func(o->arg, (uint32_t)func))
		s.action = ACTION_DROP;
	o->dropped |= s.action == ACTION_DROP;
	o->kept |= s.action != ACTION_DROP;
	*out = (struct func_out){ .known = true, .action = (unsigned char)s.action,
	    .grouped = s.grouped };
	out->id = func == NO_ID && s.name[NAME_FUNCTION] == NO_ID ? NO_ID :
	    define_func(o, func, &s);
	if (o->counts_shared)
		count_shared(o, func, out->id);
	return out;
}

uint32_t
outcome_file(struct outcomes *o, uint64_t func, uint64_t file)
{
	const uint64_t key[2] = { func, file };
	struct recent *last;
	struct subject s;
	num *out;

	if (file == NO_ID || !o->names_lines)
		return (uint32_t)file;
	last = &o->recent[(func ^ file * 37) % RECENT];
	if (last->func == func && last->file == file)
		return last->out;
	out = sums_val(&o->file, sums_row(&o->file, key));
	if (*out < 0) {
		s = symbol_of(o, func, file);
		s.of_line = true;
		ask(o, &s);
		*out = s.changed[NAME_FILE] ?
		    dict_define_path(o->dict, REC_FILE, s.name[NAME_FILE]) : (uint32_t)file;
	}
	*last = (struct recent){ func, file, (uint32_t)*out };
	return last->out;
}

uint32_t
outcome_object(struct outcomes *o, uint64_t object)
{
	struct subject s = { .name = { NO_ID, NO_ID, path_of(o, REC_OBJECT, object) } };

	ask(o, &s);
	return s.changed[NAME_OBJECT] ? define_object(o, (uint32_t)object, &s) :
	    (uint32_t)object;
}

uint32_t
outcome_name(struct outcomes *o, uint32_t text)
{
	struct subject s = { .name = { text, NO_ID, NO_ID } };

	ask(o, &s);
	return s.name[NAME_FUNCTION];
}

/* ---- contexts ---- */

uint32_t
outcome_frame(struct outcomes *o, uint64_t ctx, uint32_t parent)
{
	struct ctx_def c = dict_ctx_def(o->dict, (uint32_t)ctx);
	const uint32_t func = c.func;
	const struct func_out *f = outcome_func(o, func);

	/* Calls within a group are dropped. */
	if (f->grouped && parent != NO_ID &&
	    dict_frame(o->dict, parent)[CTX_FUNC] == f->id)
		return parent;
	if (c.parent != parent || f->id != func || o->rules->no_residue)
		c.attrs = NO_ID;
	c.parent = parent;
	c.func = f->id;
	c.file = outcome_file(o, func, c.file);
	if (f->grouped)
		c.file = c.line = c.addr = NO_ID;
	return dict_define_ctx(o->dict, ctx, &c);
}

static struct ctx_out *
reach_ctx(struct outcomes *o, uint64_t ctx)
{
	o->ctx = mem_reach(o->ctx, &o->capctx, ctx, sizeof *o->ctx, 0);
	return &o->ctx[ctx];
}

/* Decides about a context whose caller is decided. */
static void
decide_ctx(struct outcomes *o, uint64_t ctx)
{
	const uint32_t func = dict_frame(o->dict, (uint32_t)ctx)[CTX_FUNC];
	const uint32_t up = dict_caller(o->dict, (uint32_t)ctx);
	const enum action action = outcome_func(o, func)->action;
	struct ctx_out out = { NO_ID, true, action == ACTION_DROP };

	if (up != NO_ID) {
		out.id = o->ctx[up].id;
		out.dropped |= action == ACTION_FOLD && o->ctx[up].dropped;
	}
	/* A frame without a caller cannot be folded and stays. */
	if (action == ACTION_KEEP || (action == ACTION_FOLD && up == NO_ID))
		out.id = outcome_frame(o, ctx, out.id);
	*reach_ctx(o, ctx) = out;
}

/* Goes down from the outermost frame that is not decided. */
struct ctx_out
outcome_ctx(struct outcomes *o, uint64_t ctx)
{
	uint64_t up, *path = NULL;
	size_t n = 0, cap = 0;

	for (up = ctx; up != NO_ID && !reach_ctx(o, up)->known;
	    up = dict_caller(o->dict, (uint32_t)up)) {
		path = mem_grow(path, &cap, n + 1, sizeof *path);
		path[n++] = up;
	}
	while (n--)
		decide_ctx(o, path[n]);
	free(path);
	return o->ctx[ctx];
}

/* ---- all contexts ---- */

static void
look_at_rules(struct outcomes *o)
{
	size_t i, k;

	for (i = 0; i < o->rules->n; i++) {
		const struct rule *r = &o->rules->rule[i];
		const struct rule_conditions *c[] = { &r->all, &r->unless };

		o->names_lines |= r->kind == RULE_RENAME ? r->name == NAME_FILE :
		    r->kind == RULE_HIDE && r->hides[NAME_FILE];
		for (k = 0; k < c[0]->n + c[1]->n; k++)
			o->by_part |= (k < c[0]->n ? &c[0]->v[k] :
			    &c[1]->v[k - c[0]->n])->is_fact;
	}
}

void
outcomes_init(struct outcomes *o, const struct rules *r, struct dict *dict)
{
	*o = (struct outcomes){ .rules = r, .dict = dict };
	sums_init(&o->source, 1, 1);
	sums_init(&o->file, 2, 1);
	o->file.init = -1;
	look_at_rules(o);
	outcomes_part(o);
}

void
outcomes_free(struct outcomes *o)
{
	hide_free(o->hide);
	sums_free(&o->source);
	sums_free(&o->file);
	free(o->func);
	free(o->ctx);
}

void
outcomes_part(struct outcomes *o)
{
	size_t i;

	for (i = 0; i < BY_KINDS; i++)
		o->facts.of[i] = NO_ID;
	o->asked = false;
	for (i = 0; i < RECENT; i++)
		o->recent[i].func = o->recent[i].file = NOT_YET;
	if (!o->by_part)
		return;
	if (o->capfunc)
		memset(o->func, 0, o->capfunc * sizeof *o->func);
	if (o->capctx)
		memset(o->ctx, 0, o->capctx * sizeof *o->ctx);
	sums_free(&o->file);
	sums_init(&o->file, 2, 1);
	o->file.init = -1;
}

void
outcomes_fact(struct outcomes *o, const struct record *r)
{
	struct buf b = { 0 };
	enum group_by i;

	for (i = BY_PART; i < BY_TOTAL; i++)
		if (text_is(r->col[0].t, group_by_name[i]) && o->facts.of[i] == NO_ID &&
		    !o->asked)
			o->facts.of[i] = dict_str(o->dict, meta_value(r, &b));
	buf_free(&b);
}

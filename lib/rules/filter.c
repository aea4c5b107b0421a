/* SPDX-License-Identifier: ISC */
/*
 * The view of a profile: records in, those of the view out.  What the rules make of
 * a symbol is asked once for each, and for each part if that matters.
 */
#include "rules/state.h"

#include <stdlib.h>

#include "base.h"
#include "field.h"
#include "filter.h"
#include "mem.h"
#include "table.h"

/* What became of a function. */
struct func_out {
	uint32_t id;
	unsigned char known, verdict, grouped;
};

/* Of a context: its stack without what was dropped and folded, NO_ID if nothing is
 * left; and whether the innermost frame, to which its cost belongs, was dropped. */
struct ctx_out {
	uint32_t id;
	unsigned char known, dropped;
};

#define RECENT 512

struct view {
	struct sink sink;
	const struct rules *rules;
	/* Of --match: its rule, whose profile it is, what has become which function. */
	struct rules *own;
	const char *side;
	struct table source;
	size_t shared;
	/* What costs too little; NULL: there is nothing. */
	bool (*drops_func)(void *arg, uint32_t func);
	void *arg;
	struct dict *dict;
	struct diag *diag;
	struct hide *hide;
	bool by_part;		/* rules ask for facts: all is asked anew in each part */
	bool names_lines;	/* rules change names of files */
	bool drops;		/* rules drop records: `base` is what they are shares of */
	bool dropped, kept;	/* some functions were */
	struct facts_at_hand facts;
	struct base base;
	bool in_header;
	bool plain;		/* costs just go through */
	bool asked;		/* of this part: facts that come now are too late */
	struct func_out *func;	/* by number + 1, 0 is what has none */
	struct ctx_out *ctx;	/* by number */
	size_t capfunc, capctx;
	struct table file;	/* of lines: the function and the file; it became */
	struct recent {		/* of those: inlined code goes to and fro */
		uint64_t func, file;
		uint32_t out;
	} recent[RECENT];
	/* The last cost's function and file, and what they became. */
	uint64_t func_before, file_before, func_now, file_now;
	bool kept_before;
	struct buf attrs;
};

/* ---- symbols ---- */

static uint32_t
path_of(const struct view *v, enum rec_kind kind, uint64_t id)
{
	return *dict_def(v->dict, kind, id == NO_ID ? NO_ID : (uint32_t)id);
}

static struct subject
symbol_of(const struct view *v, uint64_t func, uint64_t file)
{
	const uint32_t *f = dict_def(v->dict, REC_FUNC, (uint32_t)func);

	return (struct subject){ .name = { f[FUNC_NAME], path_of(v, REC_FILE, file),
	    path_of(v, REC_OBJECT, f[FUNC_OBJECT]) } };
}

/* A file or an object by its name alone. */
static uint32_t
define_path(struct view *v, enum rec_kind kind, uint32_t path)
{
	uint32_t cols[DEF_COLS] = { path, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	bool fresh;

	return path == NO_ID ? NO_ID : dict_define(v->dict, kind, cols, &fresh);
}

/* A key tells apart what has one name, under a pseudonym, too; with another name it
 * is the old one's. */
static uint32_t
key_out(struct view *v, const struct subject *s, enum name name, uint32_t key)
{
	/* Where there is no name the key may be one. */
	if (key != NO_ID && (s->hidden[name] || (s->name[name] == NO_ID &&
	    v->rules->no_residue && v->hide)))
		return hide_text(v->hide, v->dict, name, key);
	return s->changed[name] ? NO_ID : key;
}

static uint32_t
define_object(struct view *v, uint32_t object, const struct subject *s)
{
	uint32_t cols[DEF_COLS] = { s->name[NAME_OBJECT], NO_ID, NO_ID, NO_ID, NO_ID,
	    NO_ID };

	if (s->grouped || (object == NO_ID && s->name[NAME_OBJECT] == NO_ID))
		return NO_ID;
	cols[OBJECT_KEY] = key_out(v, s, NAME_OBJECT,
	    dict_def(v->dict, REC_OBJECT, object)[OBJECT_KEY]);
	return dict_redefine(v->dict, REC_OBJECT, object, cols);
}

/* With another name it is another function: its key and its attributes are the old
 * one's. */
static uint32_t
define_func(struct view *v, uint64_t func, const struct subject *s)
{
	uint32_t cols[DEF_COLS];

	memset(cols, 0xff, sizeof cols);
	memcpy(cols, dict_def(v->dict, REC_FUNC, (uint32_t)func),
	    (FUNC_ATTRS + 1) * sizeof *cols);
	if (s->changed[NAME_FILE] || s->grouped)
		cols[FUNC_FILE] = define_path(v, REC_FILE, s->name[NAME_FILE]);
	if (s->changed[NAME_OBJECT] || s->grouped || v->rules->no_residue)
		cols[FUNC_OBJECT] = define_object(v, cols[FUNC_OBJECT], s);
	if (s->changed[NAME_FUNCTION] || s->grouped || v->rules->no_residue) {
		cols[FUNC_NAME] = s->name[NAME_FUNCTION];
		cols[FUNC_KEY] = s->grouped ? NO_ID :
		    key_out(v, s, NAME_FUNCTION, cols[FUNC_KEY]);
		cols[FUNC_ATTRS] = NO_ID;
	}
	return dict_redefine(v->dict, REC_FUNC, func, cols);
}

static void
ask(struct view *v, struct subject *s)
{
	v->asked = true;
	rules_apply(v->rules, s, &v->facts, v->dict, v->hide);
}

/* Is it what another one has become?  Attributes make no other function. */
static void
count_shared(struct view *v, uint64_t func, uint64_t is)
{
	bool fresh;
	uint64_t bare = dict_func_bare(v->dict, is, &fresh);
	size_t n = v->source.n;
	num *source = table_val(&v->source, table_row(&v->source, &bare));

	func = dict_func_bare(v->dict, func, &fresh);
	if (n < v->source.n)
		*source = (num)func;
	v->shared += *source != (num)func;
}

static struct func_out *
func_out(struct view *v, uint64_t func)
{
	uint64_t at = func == NO_ID ? 0 : func + 1;
	struct func_out *out;
	struct subject s;

	v->func = mem_reach(v->func, &v->capfunc, at, sizeof *v->func, 0);
	out = &v->func[at];
	if (out->known)
		return out;
	s = symbol_of(v, func, dict_def(v->dict, REC_FUNC, (uint32_t)func)[FUNC_FILE]);
	ask(v, &s);
	if (v->drops_func && v->drops_func(v->arg, (uint32_t)func))
		s.verdict = VERDICT_DROP;
	v->dropped |= s.verdict == VERDICT_DROP;
	v->kept |= s.verdict != VERDICT_DROP;
	*out = (struct func_out){ .known = true, .verdict = (unsigned char)s.verdict,
	    .grouped = s.grouped };
	out->id = func == NO_ID && s.name[NAME_FUNCTION] == NO_ID ? NO_ID :
	    define_func(v, func, &s);
	if (v->own)
		count_shared(v, func, out->id);
	return out;
}

/* The file of a line, which is not its function's where code was inlined. */
static uint32_t
file_out(struct view *v, uint64_t func, uint64_t file)
{
	const uint64_t key[2] = { func, file };
	struct recent *last;
	struct subject s;
	num *out;

	if (file == NO_ID || !v->names_lines)
		return (uint32_t)file;
	last = &v->recent[(func ^ file * 37) % RECENT];
	if (last->func == func && last->file == file)
		return last->out;
	out = table_val(&v->file, table_row(&v->file, key));
	if (*out < 0) {
		s = symbol_of(v, func, file);
		s.of_line = true;
		ask(v, &s);
		*out = s.changed[NAME_FILE] ? define_path(v, REC_FILE, s.name[NAME_FILE]) :
		    (uint32_t)file;
	}
	*last = (struct recent){ func, file, (uint32_t)*out };
	return last->out;
}

/* An object that is not its function's. */
static uint32_t
object_out(struct view *v, uint64_t object)
{
	struct subject s = { .name = { NO_ID, NO_ID, path_of(v, REC_OBJECT, object) } };

	ask(v, &s);
	return s.changed[NAME_OBJECT] ? define_object(v, (uint32_t)object, &s) :
	    (uint32_t)object;
}

/* ---- contexts ---- */

/* The frame over what became of its caller. */
static uint32_t
define_frame(struct view *v, uint64_t ctx, uint32_t parent)
{
	uint32_t cols[DEF_COLS], func;
	const struct func_out *f;

	memcpy(cols, dict_def(v->dict, REC_CTX, (uint32_t)ctx), sizeof cols);
	func = cols[CTX_FUNC];
	f = func_out(v, func);
	/* The inner workings of a group are its own. */
	if (f->grouped && parent != NO_ID &&
	    dict_def(v->dict, REC_CTX, parent)[CTX_FUNC] == f->id)
		return parent;
	if (cols[CTX_PARENT] != parent || f->id != func || v->rules->no_residue)
		cols[CTX_ATTRS] = NO_ID;
	cols[CTX_PARENT] = parent;
	cols[CTX_FUNC] = f->id;
	cols[CTX_FILE] = file_out(v, func, cols[CTX_FILE]);
	if (f->grouped)
		cols[CTX_FILE] = cols[CTX_LINE] = cols[CTX_ADDR] = NO_ID;
	return dict_redefine(v->dict, REC_CTX, ctx, cols);
}

static struct ctx_out *
reach_ctx(struct view *v, uint64_t ctx)
{
	v->ctx = mem_reach(v->ctx, &v->capctx, ctx, sizeof *v->ctx, 0);
	return &v->ctx[ctx];
}

/* The caller being known. */
static void
decide_ctx(struct view *v, uint64_t ctx)
{
	const uint32_t *c = dict_def(v->dict, REC_CTX, (uint32_t)ctx);
	const uint32_t up = c[CTX_PARENT];
	const enum verdict verdict = func_out(v, c[CTX_FUNC])->verdict;
	struct ctx_out out = { NO_ID, true, verdict == VERDICT_DROP };

	if (up != NO_ID) {
		out.id = v->ctx[up].id;
		out.dropped |= verdict == VERDICT_FOLD && v->ctx[up].dropped;
	}
	/* What has no caller stays. */
	if (verdict == VERDICT_KEEP || (verdict == VERDICT_FOLD && up == NO_ID))
		out.id = define_frame(v, ctx, out.id);
	*reach_ctx(v, ctx) = out;
}

/* From the outermost frame that is not known down. */
static struct ctx_out
ctx_out(struct view *v, uint64_t ctx)
{
	uint64_t up, *path = NULL;
	size_t n = 0, cap = 0;

	for (up = ctx; up != NO_ID && !reach_ctx(v, up)->known;
	    up = dict_def(v->dict, REC_CTX, (uint32_t)up)[CTX_PARENT]) {
		path = mem_grow(path, &cap, n + 1, sizeof *path);
		path[n++] = up;
	}
	while (n--)
		decide_ctx(v, path[n]);
	free(path);
	return v->ctx[ctx];
}

/* ---- records ---- */

static inline int
put(struct view *v, struct record *r)
{
	struct record bare;

	if (!v->rules->no_residue || !r->attrs.s)
		return sink_put(v->sink.next, r);
	bare = *r;
	bare.attrs = bare.tail = (struct text){ 0 };
	return sink_put(v->sink.next, &bare);
}

static __attribute__((noinline)) void
see_place(struct view *v, uint64_t func, uint64_t file)
{
	const struct func_out *f = func_out(v, func);

	v->kept_before = f->verdict != VERDICT_DROP;
	v->func_now = f->id;
	v->file_now = file_out(v, func, file);
	v->func_before = func;
	v->file_before = file;
}

static inline int
put_cost(struct view *v, struct record *r)
{
	uint64_t func = r->col[PLACE_FUNC].n, file = r->col[PLACE_FILE].n;
	int ret;

	if (func != v->func_before || file != v->file_before)
		see_place(v, func, file);
	if (!v->kept_before)
		return 0;
	r->col[PLACE_FUNC].n = v->func_now;
	r->col[PLACE_FILE].n = v->file_now;
	ret = put(v, r);
	r->col[PLACE_FUNC].n = func;
	r->col[PLACE_FILE].n = file;
	return ret;
}

/* Columns that name functions and files of lines; false if one of them is dropped. */
static bool
map_places(struct view *v, struct record *r)
{
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		uint64_t func = r->col[i].n;

		if (r->def->col[i].type != COL_FUNC)
			continue;
		if (func_out(v, func)->verdict == VERDICT_DROP)
			return false;
		r->col[i].n = func_out(v, func)->id;
		if (i + 1 < r->def->ncol && r->def->col[i + 1].type == COL_FILE)
			r->col[i + 1].n = file_out(v, func, r->col[i + 1].n);
	}
	return true;
}

static int
put_call(struct view *v, struct record *r)
{
	const uint64_t func = r->col[PLACE_FUNC].n;
	const struct func_out from = *func_out(v, func);
	const struct func_out to = *func_out(v, r->col[CALL_CALLEE].n);

	if (from.verdict == VERDICT_DROP || to.verdict == VERDICT_DROP ||
	    (from.grouped && to.grouped && from.id == to.id))
		return 0;
	r->col[PLACE_FUNC].n = from.id;
	r->col[PLACE_FILE].n = file_out(v, func, r->col[PLACE_FILE].n);
	r->col[CALL_CALLEE].n = to.id;
	return put(v, r);
}

static int
put_sample(struct view *v, struct record *r)
{
	struct ctx_out c;

	if (r->col[0].n == NO_ID)
		return func_out(v, NO_ID)->verdict == VERDICT_DROP ? 0 : put(v, r);
	c = ctx_out(v, r->col[0].n);
	if (c.dropped)
		return 0;
	r->col[0].n = c.id;
	return put(v, r);
}

/* The cost of a size of input is nobody else's: points of what is folded stay. */
static int
put_point(struct view *v, struct record *r)
{
	uint64_t ctx = r->col[POINT_CTX].n;

	if (ctx != NO_ID) {
		const uint32_t *def = dict_def(v->dict, REC_CTX, (uint32_t)ctx);
		const uint32_t func = def[CTX_FUNC], up = def[CTX_PARENT];
		struct ctx_out c = ctx_out(v, ctx);

		if (func_out(v, func)->verdict == VERDICT_FOLD && up != NO_ID)
			c = (struct ctx_out){ define_frame(v, ctx, c.id), true, false };
		if (c.dropped)
			return 0;
		r->col[POINT_CTX].n = c.id;
		/* Within its own group it is a recursion, which counts once. */
		if (up != NO_ID && c.id != NO_ID && c.id == ctx_out(v, up).id &&
		    r->col[POINT_REAL].t.s)
			r->col[POINT_REAL].t = TEXT("0");
	} else if (func_out(v, r->col[POINT_FUNC].n)->grouped) {
		/* Whose activations are within those of others nobody knows. */
		r->col[POINT_REAL].t = (struct text){ 0 };
	}
	return map_places(v, r) ? put(v, r) : 0;
}

/* What it says is not known, but what it refers to is. */
static int
put_declared(struct view *v, struct record *r)
{
	const struct column *col = r->def->col;
	unsigned i;

	if (v->rules->no_residue)
		return 0;
	for (i = 0; i < r->def->ncol; i++) {
		uint64_t *id = &r->col[i].n;

		if (col[i].type == COL_CTX && *id != NO_ID) {
			struct ctx_out c = ctx_out(v, *id);

			if (c.dropped)
				return 0;
			*id = c.id;
		} else if (col[i].type == COL_FILE && !(i && col[i - 1].type == COL_FUNC))
			*id = file_out(v, NO_ID, *id);
		else if (col[i].type == COL_OBJECT && *id != NO_ID)
			*id = object_out(v, *id);
	}
	return map_places(v, r) ? put(v, r) : 0;
}

/* As it is spelt in its format. */
static bool
is_number(struct text value, struct text type)
{
	size_t i = value.n && (*value.s == '-' || *value.s == '+'), first = i;

	while (i < value.n && value.s[i] >= '0' && value.s[i] <= '9')
		i++;
	return (i > first && i == value.n) || text_is(type, "FLOAT") ||
	    text_is(type, "DOUBLE");
}

/* A value may be the name of a function. */
static int
put_value(struct view *v, struct record *r)
{
	struct subject s = { .name = { NO_ID, NO_ID, NO_ID } };
	struct text *t = &r->col[VPROF_VALUE].t;

	if (!map_places(v, r))
		return 0;
	if (t->s && !is_number(*t, r->col[VPROF_TYPE].t)) {
		s.name[NAME_FUNCTION] = dict_str(v->dict, *t);
		ask(v, &s);
		*t = dict_text(v->dict, s.name[NAME_FUNCTION]);
	}
	return put(v, r);
}

/* ---- headers ---- */

static void
forget(struct view *v)
{
	size_t i;

	for (i = 0; i < BY_KINDS; i++)
		v->facts.of[i] = NO_ID;
	v->func_before = v->file_before = UINT64_MAX;
	v->asked = false;
	for (i = 0; i < RECENT; i++)
		v->recent[i].func = v->recent[i].file = UINT64_MAX;
	if (!v->by_part)
		return;
	if (v->capfunc)
		memset(v->func, 0, v->capfunc * sizeof *v->func);
	if (v->capctx)
		memset(v->ctx, 0, v->capctx * sizeof *v->ctx);
	table_free(&v->file);
	table_init(&v->file, 2, 1);
	v->file.init = -1;
}

static bool
drops_fact(const struct rules *r, struct text key)
{
	size_t i;

	for (i = 0; i < r->nfact && !text_is(key, r->fact[i]); i++)
		;
	return r->has_facts && i == r->nfact;
}

bool
rules_drop_fact(const struct rules *r, const char *key)
{
	return drops_fact(r, text_of(key));
}

static int
put_fact(struct view *v, struct record *r)
{
	struct buf b = { 0 };
	enum by i;

	for (i = BY_PART; i < BY_TOTAL; i++)
		if (text_is(r->col[0].t, by_name[i]) && v->facts.of[i] == NO_ID &&
		    !v->asked)
			v->facts.of[i] = dict_str(v->dict, meta_value(r, &b));
	buf_free(&b);
	return drops_fact(v->rules, r->col[0].t) ? 0 : sink_put(v->sink.next, r);
}

/* What says how a part or an event is to be read is no residue, and what people have
 * written about an event is. */
static int
put_header(struct view *v, struct record *r)
{
	static const char *const known[] = { "positions", "calls", "scale", "role", "of" };
	struct buf b = { 0 }, scratch = { 0 };
	struct record out = *r;
	struct text rest = r->attrs, key, value;
	size_t i;
	int ret;

	if (!v->rules->no_residue)
		return sink_put(v->sink.next, r);
	for (; attr_next(&rest, &scratch, &key, &value); scratch.n = 0) {
		for (i = 0; i < sizeof known / sizeof *known; i++)
			if (text_is(key, known[i]))
				attr_add(&b, known[i], value);
	}
	out.attrs = b.n ? buf_as_text(&b) : (struct text){ 0 };
	out.tail = (struct text){ 0 };
	if (rec_kind(r) == REC_EVENT)
		out.col[EVENT_DESCRIPTION].t = (struct text){ 0 };
	ret = sink_put(v->sink.next, &out);
	buf_free(&b);
	buf_free(&scratch);
	return ret;
}

/* The view's own fact, after those that the part has. */
static int
put_filter(struct view *v)
{
	struct buf b = { 0 };
	int ret;

	v->in_header = false;
	if (!v->rules->name || drops_fact(v->rules, TEXT("filter")))
		return 0;
	buf_printf(&b, "--rules %s", v->rules->name);
	ret = meta_put(v->sink.next, "filter", buf_as_text(&b));
	buf_free(&b);
	return ret;
}

/* Functions that never ran are told, too; all else that is defined comes with what
 * it is about. */
static int
put_definition(struct view *v, const struct record *r)
{
	const struct func_out *f;
	struct record out;

	/* By facts it may be another one in each part. */
	if (rec_kind(r) != REC_FUNC || v->by_part)
		return 0;
	f = func_out(v, r->col[0].n);
	if (f->verdict != VERDICT_KEEP || f->id == NO_ID)
		return 0;
	out = dict_record(v->dict, REC_FUNC, f->id);
	return sink_put(v->sink.next, &out);
}

static int
put_end(struct view *v, struct record *r)
{
	if (v->drops && base_end(&v->base) < 0)
		return -1;
	if (hide_clashed(v->hide))
		return diag_fail_plain(v->diag, "two names have one pseudonym: use "
		    "another PROF_KEY");
	if (v->dropped && !v->kept)
		diag_say(v->diag, DIAG_NOTE, "--rules: no function of the profile is kept");
	if (v->shared)
		diag_say(v->diag, DIAG_NOTE, "--match: of the %s profile %zu function%s "
		    "the name of another, and %s added to it", v->side, v->shared,
		    v->shared == 1 ? " gets" : "s get", v->shared == 1 ? "is" : "are");
	return sink_put(v->sink.next, r);
}

static __attribute__((noinline)) int
put_any(struct view *v, struct record *r)
{
	struct sink *next = v->sink.next;
	enum rec_kind kind = rec_kind(r);

	if (kind == REC_PART) {
		if (v->in_header && put_filter(v) < 0)	/* of a part of facts alone */
			return -1;
		forget(v);
		v->in_header = true;
		return v->drops && base_part(&v->base) < 0 ? -1 : put_header(v, r);
	}
	if (rec_is_def(kind))
		return put_definition(v, r);
	if (v->in_header && kind != REC_META && kind != REC_PROF && kind != REC_TAG &&
	    put_filter(v) < 0)
		return -1;
	if (v->drops && base_see(&v->base, r) < 0)
		return -1;
	switch (kind) {
	case REC_META: return put_fact(v, r);
	case REC_EVENT: return put_header(v, r);
	case REC_TOTAL: return v->drops ? 0 : sink_put(next, r);
	case REC_COST: return put_cost(v, r);
	case REC_CALL: return put_call(v, r);
	case REC_JUMP: return map_places(v, r) ? put(v, r) : 0;
	case REC_SAMPLE: return put_sample(v, r);
	case REC_POINT: return put_point(v, r);
	case REC_VPROF: return put_value(v, r);
	case REC_RAW: return v->rules->no_residue || !map_places(v, r) ? 0 : put(v, r);
	case REC_DECLARED: return put_declared(v, r);
	case REC_TAG: return v->rules->no_residue ? 0 : sink_put(next, r);
	case REC_END: return put_end(v, r);
	default: return sink_put(next, r);
	}
}

/* Nearly every line is a cost, of which nothing needs to be known. */
static int
view_put(struct sink *s, struct record *r)
{
	struct view *v = (struct view *)s;
	int ret;

	if (rec_kind(r) == REC_COST && v->plain)
		return put_cost(v, r);
	ret = put_any(v, r);
	v->plain = !v->in_header && (!v->drops || base_known(&v->base));
	return ret;
}

static void
view_free(struct sink *s)
{
	struct view *v = (struct view *)s;

	if (v->own) {
		free(v->own->rule);
		free(v->own);
		table_free(&v->source);
	}

	hide_free(v->hide);
	base_free(&v->base);
	table_free(&v->file);
	free(v->func);
	free(v->ctx);
	sink_free(s->next);
	free(v);
}

/* ---- the filters of a view ---- */

static void
look_at_rules(struct view *v)
{
	size_t i, k;

	for (i = 0; i < v->rules->n; i++) {
		const struct rule *r = &v->rules->rule[i];
		const struct conditions *c[] = { &r->all, &r->unless };

		v->names_lines |= r->kind == RULE_RENAME ? r->name == NAME_FILE :
		    r->kind == RULE_HIDE && r->hides[NAME_FILE];
		for (k = 0; k < c[0]->n + c[1]->n; k++)
			v->by_part |= (k < c[0]->n ? &c[0]->v[k] :
			    &c[1]->v[k - c[0]->n])->is_fact;
	}
}

static bool
folds(void *arg, uint32_t func)
{
	return func_out(arg, func)->verdict == VERDICT_FOLD;
}

static struct sink *
choose_events(const struct rules *r, struct sink *next, struct diag *d)
{
	struct buf what = { 0 };

	buf_printf(&what, "%s: events", r->path);
	next = filter_events(r->events, buf_str(&what), next, d);
	buf_free(&what);
	return next;
}

static struct view *
view_new(const struct rules *r, struct dict *dict, struct sink *next, struct diag *d)
{
	struct view *v = mem_alloc(1, sizeof *v);

	v->sink = (struct sink){ .put = view_put, .free = view_free, .next = next };
	v->rules = r;
	v->dict = dict;
	v->diag = d;
	v->drops = r->has[RULE_DROP] || r->has[RULE_KEEP];
	v->base = (struct base){ .next = next, .diag = d };
	table_init(&v->file, 2, 1);
	v->file.init = -1;
	look_at_rules(v);
	forget(v);
	return v;
}

struct sink *
view_dropping(bool (*drops)(void *arg, uint32_t func), void *arg, struct dict *dict,
    struct sink *next, struct diag *d)
{
	static const struct rules none = { .has = { [RULE_DROP] = true } };
	struct view *v = view_new(&none, dict, next, d);

	v->drops_func = drops;
	v->arg = arg;
	return &v->sink;
}

struct sink *
rules_match(struct rename *rename, const char *side, struct dict *dict,
    struct sink *next, struct diag *d)
{
	struct rules *r = mem_alloc(1, sizeof *r);
	struct view *v;

	r->rule = mem_alloc(1, sizeof *r->rule);
	r->rule->kind = RULE_RENAME;
	r->rule->rename = rename;
	r->n = 1;
	r->has[RULE_RENAME] = true;
	v = view_new(r, dict, next, d);
	v->own = r;
	v->side = side;
	table_init(&v->source, 1, 1);
	return &v->sink;
}

struct sink *
rules_filter_least(const struct rules *r, struct dict *dict, struct schema *schema,
    struct sink *next, struct diag *d)
{
	return r->has_least ? rules_least(r, dict, schema, next, d) : next;
}

struct sink *
rules_filter(const struct rules *r, struct dict *dict, struct schema *schema,
    bool least, struct sink *next, struct diag *d)
{
	struct hide *hide = NULL;
	struct view *v;
	struct sink *s;

	if (r->has[RULE_HIDE] && !(hide = hide_new(d))) {
		sink_free(next);
		return NULL;
	}
	if (least)
		next = rules_filter_least(r, dict, schema, next, d);
	if (r->events && !(next = choose_events(r, next, d))) {
		hide_free(hide);
		return NULL;
	}
	v = view_new(r, dict, next, d);
	v->hide = hide;
	s = &v->sink;
	/* In front: costs move to who called, before callers are dropped or renamed. */
	if (r->has[RULE_FOLD])
		s = filter_fold(folds, v, dict, s, d);
	return s;
}

int
rules_share(const struct rules *r, struct diag *d)
{
	return r->has[RULE_HIDE] ? hide_key(d) : 0;
}

bool
rules_hold(const struct rules *r)
{
	return r->has_least;
}

bool
rules_need_all(const struct rules *r)
{
	return r->has_least || r->events;
}

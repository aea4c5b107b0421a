/* SPDX-License-Identifier: ISC */
/* The view of a profile: records in, records of the view out. */
#include "rules/outcome.h"

#include <stdlib.h>

#include "filter/filter.h"
#include "filter/filter_fact.h"
#include "filter/keep_total.h"
#include "stream/field.h"

struct view {
	struct sink sink;
	const struct rules *rules;
	/* For --match: its rule, and whose profile it is. */
	struct rules *own;
	const char *side;
	struct dict *dict;
	struct diag *diag;
	bool drops;		/* rules drop records: `base` keeps the total */
	struct outcomes out;
	struct keep_total total;
	struct filter_fact fact;
	struct buf filter;	/* its text */
	bool plain;		/* costs just go through */
	/* The last cost's function and file, and what they became. */
	uint64_t func_before, file_before, func_now, file_now;
	bool kept_before;
};

/* ---- records ---- */

static inline int
put(struct view *v, const struct record *r)
{
	struct record bare;

	if (!v->rules->no_residue || !r->attrs.s)
		return sink_put(v->sink.next, r);
	bare = rec_copy(r);
	bare.attrs = (struct text){ 0 };
	return sink_put(v->sink.next, &bare);
}

static __attribute__((noinline)) void
see_place(struct view *v, uint64_t func, uint64_t file)
{
	const struct func_out *f = outcome_func(&v->out, func);

	v->kept_before = f->verdict != VERDICT_DROP;
	v->func_now = f->id;
	v->file_now = outcome_file(&v->out, func, file);
	v->func_before = func;
	v->file_before = file;
}

static inline int
put_cost(struct view *v, const struct record *r)
{
	uint64_t func = r->col[PLACE_FUNC].n, file = r->col[PLACE_FILE].n;
	struct record out;

	if (func != v->func_before || file != v->file_before)
		see_place(v, func, file);
	if (!v->kept_before)
		return 0;
	if (v->func_now == func && v->file_now == file)
		return put(v, r);
	out = rec_copy(r);
	out.tail = r->tail;	/* it begins after them */
	out.col[PLACE_FUNC].n = v->func_now;
	out.col[PLACE_FILE].n = v->file_now;
	return put(v, &out);
}

/* Maps columns that name functions and files of lines; false if one is dropped. */
static bool
map_places(struct view *v, struct record *r)
{
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		uint64_t func = r->col[i].n;

		if (r->def->col[i].type != COL_FUNC)
			continue;
		if (outcome_func(&v->out, func)->verdict == VERDICT_DROP)
			return false;
		r->col[i].n = outcome_func(&v->out, func)->id;
		if (i + 1 < r->def->ncol && r->def->col[i + 1].type == COL_FILE)
			r->col[i + 1].n = outcome_file(&v->out, func, r->col[i + 1].n);
	}
	return true;
}

static int
put_mapped(struct view *v, const struct record *r)
{
	struct record out = rec_copy(r);

	return map_places(v, &out) ? put(v, &out) : 0;
}

static int
put_call(struct view *v, const struct record *r)
{
	const uint64_t func = r->col[PLACE_FUNC].n;
	const struct func_out from = *outcome_func(&v->out, func);
	const struct func_out to = *outcome_func(&v->out, r->col[CALL_CALLEE].n);
	struct record out;

	if (from.verdict == VERDICT_DROP || to.verdict == VERDICT_DROP)
		return filter_fact_drop_call(&v->fact);
	if (from.grouped && to.grouped && from.id == to.id)
		return 0;
	out = rec_copy(r);
	out.col[PLACE_FUNC].n = from.id;
	out.col[PLACE_FILE].n = outcome_file(&v->out, func, r->col[PLACE_FILE].n);
	out.col[CALL_CALLEE].n = to.id;
	return put(v, &out);
}

static int
put_sample(struct view *v, const struct record *r)
{
	struct record out;
	struct ctx_out c;

	if (r->col[0].n == NO_ID)
		return outcome_func(&v->out, NO_ID)->verdict == VERDICT_DROP ? 0 :
		    put(v, r);
	c = outcome_ctx(&v->out, r->col[0].n);
	if (c.dropped)
		return 0;
	out = rec_copy(r);
	out.col[0].n = c.id;
	return put(v, &out);
}

/* A cost at a size of input cannot move to a caller: points of folded functions stay. */
static int
put_point(struct view *v, const struct record *r)
{
	uint64_t ctx = r->col[POINT_CTX].n;
	struct record out = rec_copy(r);

	if (ctx != NO_ID) {
		const uint32_t *def = dict_def(v->dict, REC_CTX, (uint32_t)ctx);
		const uint32_t func = def[CTX_FUNC], up = def[CTX_PARENT];
		struct ctx_out c = outcome_ctx(&v->out, ctx);

		if (outcome_func(&v->out, func)->verdict == VERDICT_FOLD && up != NO_ID)
			c = (struct ctx_out){ outcome_frame(&v->out, ctx, c.id), true,
			    false };
		if (c.dropped)
			return 0;
		out.col[POINT_CTX].n = c.id;
		/* Within its own group it is recursion, which counts once. */
		if (up != NO_ID && c.id != NO_ID &&
		    c.id == outcome_ctx(&v->out, up).id && r->col[POINT_REAL].t.s)
			out.col[POINT_REAL].t = TEXT("0");
	} else if (outcome_func(&v->out, r->col[POINT_FUNC].n)->grouped) {
		/* It is unknown which activations are nested in others. */
		out.col[POINT_REAL].t = (struct text){ 0 };
	}
	return map_places(v, &out) ? put(v, &out) : 0;
}

/* The meaning of a declared record is unknown, but not what it refers to. */
static int
put_declared(struct view *v, const struct record *r)
{
	const struct column *col = r->def->col;
	struct record out = rec_copy(r);
	unsigned i;

	if (v->rules->no_residue)
		return 0;
	for (i = 0; i < r->def->ncol; i++) {
		uint64_t *id = &out.col[i].n;

		if (col[i].type == COL_CTX && *id != NO_ID) {
			struct ctx_out c = outcome_ctx(&v->out, *id);

			if (c.dropped)
				return 0;
			*id = c.id;
		} else if (col[i].type == COL_FILE && !(i && col[i - 1].type == COL_FUNC))
			*id = outcome_file(&v->out, NO_ID, *id);
		else if (col[i].type == COL_OBJECT && *id != NO_ID)
			*id = outcome_object(&v->out, *id);
	}
	return map_places(v, &out) ? put(v, &out) : 0;
}

/* Is the value a number, as its type says? */
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
put_value(struct view *v, const struct record *r)
{
	struct record out = rec_copy(r);
	struct text *t = &out.col[VPROF_VALUE].t;

	if (!map_places(v, &out))
		return 0;
	if (t->s && !is_number(*t, r->col[VPROF_TYPE].t))
		*t = dict_text(v->dict, outcome_name(&v->out, dict_str(v->dict, *t)));
	return put(v, &out);
}

/* ---- headers ---- */

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

static bool
changes_names(const struct rules *r)
{
	return r->has[RULE_RENAME] || r->has[RULE_GROUP] || r->has[RULE_HIDE];
}

/* Facts that say how to read calls are no residue.  Renaming may merge functions, and
 * then levels of recursion cannot be distinguished. */
static int
put_fact(struct view *v, const struct record *r)
{
	const bool levels = meta_is(r, "recursion");

	outcomes_fact(&v->out, r);
	if (levels ? changes_names(v->rules) :
	    !meta_is(r, "calls") && drops_fact(v->rules, r->col[0].t))
		return 0;
	return sink_put(v->sink.next, r);
}

/* Attributes that say how to read a part or an event are no residue; what people have
 * written about an event is. */
static int
put_header(struct view *v, const struct record *r)
{
	static const char *const known[] = { "positions", "calls", "scale", "role", "of",
	    "only" };
	struct buf b = { 0 }, scratch = { 0 };
	struct record out = rec_copy(r);
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
	if (rec_kind(r) == REC_EVENT)
		out.col[EVENT_DESCRIPTION].t = (struct text){ 0 };
	ret = sink_put(v->sink.next, &out);
	buf_free(&b);
	buf_free(&scratch);
	return ret;
}

/* Functions that never ran are put, too; other definitions come with the records that
 * refer to them. */
static int
put_definition(struct view *v, const struct record *r)
{
	const struct func_out *f;
	struct record out;

	/* With conditions on facts the result may differ in each part. */
	if (rec_kind(r) != REC_FUNC || v->out.by_part)
		return 0;
	f = outcome_func(&v->out, r->col[0].n);
	if (f->verdict != VERDICT_KEEP || f->id == NO_ID)
		return 0;
	out = dict_record(v->dict, REC_FUNC, f->id);
	return sink_put(v->sink.next, &out);
}

static int
put_end(struct view *v, const struct record *r)
{
	if (v->drops && keep_total_end(&v->total) < 0)
		return -1;
	if (hide_clashed(v->out.hide))
		return diag_fail_plain(v->diag, "two names have the same pseudonym: "
		    "use another PROF_KEY");
	if (v->out.dropped && !v->out.kept)
		diag_say(v->diag, DIAG_NOTE, "--rules: no function of the profile is kept");
	if (v->out.shared)
		diag_say(v->diag, DIAG_NOTE, "--match: in the %s profile %zu "
		    "function%s the name of another, and %s added to it", v->side,
		    v->out.shared,
		    v->out.shared == 1 ? " gets" : "s get",
		    v->out.shared == 1 ? "is" : "are");
	return sink_put(v->sink.next, r);
}

static __attribute__((noinline)) int
put_any(struct view *v, const struct record *r)
{
	struct sink *next = v->sink.next;
	enum rec_kind kind = rec_kind(r);

	if (filter_fact_see(&v->fact, r) < 0)
		return -1;
	if (kind == REC_PART) {
		outcomes_part(&v->out);
		v->func_before = v->file_before = UINT64_MAX;
		return v->drops && keep_total_part(&v->total) < 0 ? -1 : put_header(v, r);
	}
	if (rec_is_def(kind))
		return put_definition(v, r);
	if (v->drops && keep_total_see(&v->total, r) < 0)
		return -1;
	switch (kind) {
	case REC_META: return put_fact(v, r);
	case REC_EVENT: return put_header(v, r);
	case REC_TOTAL: return v->drops ? 0 : sink_put(next, r);
	case REC_COST: return put_cost(v, r);
	case REC_CALL: return put_call(v, r);
	case REC_JUMP: return put_mapped(v, r);
	case REC_SAMPLE: return put_sample(v, r);
	case REC_POINT: return put_point(v, r);
	case REC_VPROF: return put_value(v, r);
	case REC_RAW: return v->rules->no_residue ? 0 : put_mapped(v, r);
	case REC_DECLARED: return put_declared(v, r);
	case REC_TAG: return v->rules->no_residue ? 0 : sink_put(next, r);
	case REC_END: return put_end(v, r);
	default: return sink_put(next, r);
	}
}

/* Nearly every line is a cost, which often just passes. */
static int
view_put(struct sink *s, const struct record *r)
{
	struct view *v = (struct view *)s;
	int ret;

	if (rec_kind(r) == REC_COST && v->plain) {
		ret = put_cost(v, r);
	} else {
		ret = put_any(v, r);
		v->plain = !v->fact.due && (!v->drops || keep_total_known(&v->total));
	}
	if (v->out.too_long)
		return diag_fail_plain(v->diag, "%s: a name would have more than %d bytes",
		    v->rules->path, RENAME_LONGEST);
	return ret;
}

static void
view_free(struct sink *s)
{
	struct view *v = (struct view *)s;

	if (v->own)
		free(v->own->rule);
	free(v->own);
	keep_total_free(&v->total);
	buf_free(&v->filter);
	outcomes_free(&v->out);
	free(v);
}

/* ---- the filters of a view ---- */

static bool
folds(void *arg, uint32_t func)
{
	struct view *v = arg;

	return outcome_func(&v->out, func)->verdict == VERDICT_FOLD;
}

static struct sink *
choose_events(const struct rules *r, struct diag *d)
{
	struct buf what = { 0 };
	struct sink *s;

	buf_printf(&what, "%s: events", r->path);
	s = filter_events(r->events, buf_str(&what), d);
	buf_free(&what);
	return s;
}

static struct view *
view_new(const struct rules *r, struct dict *dict, struct diag *d)
{
	struct view *v = mem_alloc(1, sizeof *v);

	v->sink = (struct sink){ .put = view_put, .free = view_free };
	v->rules = r;
	v->dict = dict;
	v->diag = d;
	v->drops = r->has[RULE_DROP] || r->has[RULE_KEEP];
	v->total = (struct keep_total){ .stage = &v->sink, .diag = d };
	v->fact.stage = &v->sink;
	if (r->name && !drops_fact(r, TEXT("filter"))) {
		buf_printf(&v->filter, "--rules %s", r->name);
		v->fact.text = buf_str(&v->filter);
	}
	v->func_before = v->file_before = UINT64_MAX;
	outcomes_init(&v->out, r, dict);
	return v;
}

struct sink *
view_dropping(bool (*drops)(void *arg, uint32_t func), void *arg, struct dict *dict,
    struct diag *d)
{
	static const struct rules none = { .has = { [RULE_DROP] = true } };
	struct view *v = view_new(&none, dict, d);

	v->out.drops_func = drops;
	v->out.arg = arg;
	return &v->sink;
}

struct sink *
rules_match(struct rename *rename, const char *side, struct dict *dict,
    struct diag *d)
{
	struct rules *r = mem_alloc(1, sizeof *r);
	struct view *v;

	r->rule = mem_alloc(1, sizeof *r->rule);
	r->rule->kind = RULE_RENAME;
	r->rule->rename = rename;
	r->n = 1;
	r->has[RULE_RENAME] = true;
	v = view_new(r, dict, d);
	v->own = r;
	v->side = side;
	v->out.counts_shared = true;
	return &v->sink;
}

void
rules_add_min_cost(const struct rules *r, struct pipeline *p, struct dict *dict,
    struct schema *schema, struct diag *d)
{
	if (r->has_min_cost)
		pipeline_add(p, rules_min_cost(r, dict, schema, d));
}

int
rules_add(const struct rules *r, struct pipeline *p, struct dict *dict, struct diag *d)
{
	struct view *v;
	struct hide *hide = NULL;

	if (r->has[RULE_HIDE] && !(hide = hide_new(d)))
		return -1;
	v = view_new(r, dict, d);
	v->out.hide = hide;
	/* First, so that costs move to callers before these are dropped or renamed. */
	if (r->has[RULE_FOLD])
		pipeline_add(p, filter_fold(folds, v, dict, d));
	pipeline_add(p, &v->sink);
	if (r->events)
		pipeline_add(p, choose_events(r, d));
	return 0;
}

int
rules_share(const struct rules *r, struct diag *d)
{
	return r->has[RULE_HIDE] ? hide_key(d) : 0;
}

bool
rules_hold(const struct rules *r)
{
	return r->has_min_cost;
}

bool
rules_need_all(const struct rules *r)
{
	return r->has_min_cost || r->events;
}

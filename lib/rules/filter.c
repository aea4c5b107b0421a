/* SPDX-License-Identifier: ISC */
/* The filter of a view: records in, records of the view out. */
#include "rules/outcome.h"

#include <stdlib.h>

#include "filter/filter.h"
#include "filter/filtered_part.h"
#include "stream/field.h"

struct rules_filter {
	struct sink sink;
	const struct rules *rules;
	/* For --match: its rule, and the side's name. */
	struct rules *own;
	const char *side;
	struct dict *dict;
	struct diag *diag;
	struct outcomes out;
	struct filtered_part part;
	struct buf filter;	/* the text of the metadata `filter` */
	bool plain;		/* costs pass unchanged */
	/* The last cost's function and file, and their results. */
	uint64_t func_before, file_before, func_now, file_now;
	bool kept_before;
};

/* ---- records ---- */

static inline int
put(struct rules_filter *f, const struct record *r)
{
	struct record bare;

	if (!f->rules->no_residue || !r->attrs.s)
		return sink_put(f->sink.next, r);
	rec_copy(&bare, r);
	bare.attrs = (struct text){ 0 };
	return sink_put(f->sink.next, &bare);
}

static __attribute__((noinline)) void
see_new_place(struct rules_filter *f, uint64_t func, uint64_t file)
{
	const struct func_out *o = outcome_func(&f->out, func);

	f->kept_before = o->action != ACTION_DROP;
	if (f->part.drops)
		lost_calls_cost(&f->part.lost, o->id, f->kept_before);
	f->func_now = o->id;
	f->file_now = outcome_file(&f->out, func, file);
	f->func_before = func;
	f->file_before = file;
}

/* Is a cost at this place kept?  Sets the resulting place. */
static inline bool
see_place(struct rules_filter *f, const struct record *r)
{
	uint64_t func = r->col[PLACE_FUNC].n, file = r->col[PLACE_FILE].n;

	if (func != f->func_before || file != f->file_before)
		see_new_place(f, func, file);
	return f->kept_before;
}

static inline int
put_cost(struct rules_filter *f, const struct record *r)
{
	struct record out;

	if (!see_place(f, r))
		return 0;
	if (f->func_now == f->func_before && f->file_now == f->file_before)
		return put(f, r);
	rec_copy(&out, r);
	out.tail = r->tail;	/* it begins after these columns */
	out.col[PLACE_FUNC].n = f->func_now;
	out.col[PLACE_FILE].n = f->file_now;
	return put(f, &out);
}

/* Maps columns that name functions and files of lines; false if one is dropped. */
static bool
map_places(struct rules_filter *f, struct record *r)
{
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		uint64_t func = r->col[i].n;

		if (r->def->col[i].type != COL_FUNC)
			continue;
		if (outcome_func(&f->out, func)->action == ACTION_DROP)
			return false;
		r->col[i].n = outcome_func(&f->out, func)->id;
		if (i + 1 < r->def->ncol && r->def->col[i + 1].type == COL_FILE)
			r->col[i + 1].n = outcome_file(&f->out, func, r->col[i + 1].n);
	}
	return true;
}

static int
put_mapped(struct rules_filter *f, const struct record *r)
{
	struct record out;

	rec_copy(&out, r);
	return map_places(f, &out) ? put(f, &out) : 0;
}

static int
put_call(struct rules_filter *f, const struct record *r)
{
	const uint64_t func = r->col[PLACE_FUNC].n;
	const struct func_out from = *outcome_func(&f->out, func);
	const struct func_out to = *outcome_func(&f->out, r->col[CALL_CALLEE].n);
	const bool kept = from.action != ACTION_DROP && to.action != ACTION_DROP;
	struct record out;

	if (kept && from.grouped && to.grouped && from.id == to.id)
		return 0;
	if (f->part.drops)
		lost_calls_see(&f->part.lost, from.id, to.id, kept);
	if (!kept)
		return 0;
	rec_copy(&out, r);
	out.col[PLACE_FUNC].n = from.id;
	out.col[PLACE_FILE].n = outcome_file(&f->out, func, r->col[PLACE_FILE].n);
	out.col[CALL_CALLEE].n = to.id;
	return put(f, &out);
}

static int
put_sample(struct rules_filter *f, const struct record *r)
{
	struct record out;
	struct ctx_out c;

	if (r->col[0].n == NO_ID)
		return outcome_func(&f->out, NO_ID)->action == ACTION_DROP ? 0 :
		    put(f, r);
	c = outcome_ctx(&f->out, r->col[0].n);
	if (c.dropped)
		return 0;
	rec_copy(&out, r);
	out.col[0].n = c.id;
	return put(f, &out);
}

/* Puts a point.  A cost at a size of input cannot move to a caller: points of folded
 * functions stay. */
static int
put_point(struct rules_filter *f, const struct record *r)
{
	uint64_t ctx = r->col[POINT_CTX].n;
	struct record out;

	rec_copy(&out, r);
	if (ctx != NO_ID) {
		const uint32_t func = dict_frame(f->dict, (uint32_t)ctx)[CTX_FUNC];
		const uint32_t up = dict_caller(f->dict, (uint32_t)ctx);
		struct ctx_out c = outcome_ctx(&f->out, ctx);

		if (outcome_func(&f->out, func)->action == ACTION_FOLD && up != NO_ID)
			c = (struct ctx_out){ outcome_frame(&f->out, ctx, c.id), true,
			    false };
		if (c.dropped)
			return 0;
		out.col[POINT_CTX].n = c.id;
		/* Within its own group it is recursion, which counts once. */
		if (up != NO_ID && c.id != NO_ID &&
		    c.id == outcome_ctx(&f->out, up).id && r->col[POINT_REAL].t.s)
			out.col[POINT_REAL].t = TEXT("0");
	} else if (outcome_func(&f->out, r->col[POINT_FUNC].n)->grouped) {
		/* It is not known which activations are within others. */
		out.col[POINT_REAL].t = (struct text){ 0 };
	}
	return map_places(f, &out) ? put(f, &out) : 0;
}

/* Puts a declared record, whose meaning is unknown; its references are not. */
static int
put_declared(struct rules_filter *f, const struct record *r)
{
	const struct column *col = r->def->col;
	struct record out;
	unsigned i;

	rec_copy(&out, r);
	if (f->rules->no_residue)
		return 0;
	for (i = 0; i < r->def->ncol; i++) {
		uint64_t *id = &out.col[i].n;

		if (col[i].type == COL_CTX && *id != NO_ID) {
			struct ctx_out c = outcome_ctx(&f->out, *id);

			if (c.dropped)
				return 0;
			*id = c.id;
		} else if (col[i].type == COL_FILE && !(i && col[i - 1].type == COL_FUNC))
			*id = outcome_file(&f->out, NO_ID, *id);
		else if (col[i].type == COL_OBJECT && *id != NO_ID)
			*id = outcome_object(&f->out, *id);
	}
	return map_places(f, &out) ? put(f, &out) : 0;
}

/* Is the value a number, according to its type? */
static bool
is_number(struct text value, struct text type)
{
	size_t i = value.n && (*value.s == '-' || *value.s == '+'), first = i;

	while (i < value.n && value.s[i] >= '0' && value.s[i] <= '9')
		i++;
	return (i > first && i == value.n) || text_is(type, "FLOAT") ||
	    text_is(type, "DOUBLE");
}

/* Puts a value, which may be the name of a function. */
static int
put_value(struct rules_filter *f, const struct record *r)
{
	struct record out;
	struct text *t = &out.col[VPROF_VALUE].t;

	rec_copy(&out, r);
	if (!map_places(f, &out))
		return 0;
	if (t->s && !is_number(*t, r->col[VPROF_TYPE].t))
		*t = dict_text(f->dict, outcome_name(&f->out, dict_str(f->dict, *t)));
	return put(f, &out);
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

/* Puts metadata.  Those that describe calls are no residue.  Renaming may merge functions,
 * and then levels of recursion cannot be distinguished. */
static int
put_fact(struct rules_filter *f, const struct record *r)
{
	const bool levels = meta_is(r, "recursion");

	outcomes_fact(&f->out, r);
	if (levels ? changes_names(f->rules) :
	    !meta_is(r, "calls") && drops_fact(f->rules, r->col[0].t))
		return 0;
	return sink_put(f->sink.next, r);
}

/* Puts a record of the header.  Attributes that describe a part or an event to readers are
 * no residue; text that people have written about an event is. */
static int
put_header(struct rules_filter *f, const struct record *r)
{
	static const char *const known[] = { "positions", "calls", "counts", "scale", "parts",
	    "role", "of", "only", "inclusive", "sample", "default" };
	struct buf b = { 0 }, scratch = { 0 };
	struct record out;
	struct text rest = r->attrs, key, value;
	size_t i;
	int ret;

	rec_copy(&out, r);
	if (!f->rules->no_residue)
		return sink_put(f->sink.next, r);
	for (; attr_next(&rest, &scratch, &key, &value); scratch.n = 0) {
		for (i = 0; i < sizeof known / sizeof *known; i++)
			if (text_is(key, known[i]))
				attr_add(&b, known[i], value);
	}
	out.attrs = b.n ? buf_as_text(&b) : (struct text){ 0 };
	if (rec_kind(r) == REC_EVENT)
		out.col[EVENT_DESCRIPTION].t = (struct text){ 0 };
	ret = sink_put(f->sink.next, &out);
	buf_free(&b);
	buf_free(&scratch);
	return ret;
}

static int
put_part(struct rules_filter *f, const struct record *r)
{
	outcomes_part(&f->out);
	f->func_before = f->file_before = NOT_YET;
	return put_header(f, r);
}

/* Puts a definition.  Functions that never ran are put as well; other definitions come with
 * the records that refer to them. */
static int
put_definition(struct rules_filter *f, const struct record *r)
{
	const struct func_out *o;
	struct record out;

	/* With conditions on metadata, the result may differ in each part. */
	if (rec_kind(r) != REC_FUNC || f->out.by_part)
		return 0;
	o = outcome_func(&f->out, r->col[0].n);
	if (o->action != ACTION_KEEP || o->id == NO_ID)
		return 0;
	dict_record(f->dict, REC_FUNC, o->id, &out);
	return sink_put(f->sink.next, &out);
}

static int
put_end(struct rules_filter *f, const struct record *r)
{
	if (filtered_end(&f->part) < 0)
		return -1;
	if (hide_clashed(f->out.hide))
		return diag_fail_plain(f->diag, "two names have the same pseudonym: "
		    "use another PROF_KEY");
	if (f->out.dropped && !f->out.kept)
		diag_say(f->diag, DIAG_NOTE, "--rules: no function of the profile is kept");
	if (f->out.shared)
		diag_say(f->diag, DIAG_NOTE, "--match: in the %s profile %zu "
		    "function%s the name of another, and %s added to it", f->side,
		    f->out.shared,
		    f->out.shared == 1 ? " gets" : "s get",
		    f->out.shared == 1 ? "is" : "are");
	return sink_put(f->sink.next, r);
}

static __attribute__((noinline)) int
put_any(struct rules_filter *f, const struct record *r)
{
	struct sink *next = f->sink.next;
	enum rec_kind kind = rec_kind(r);

	if (rec_is_def(kind))
		return put_definition(f, r);
	if (filtered_see(&f->part, r) < 0)
		return -1;
	switch (kind) {
	case REC_PART: return put_part(f, r);
	case REC_META: return put_fact(f, r);
	case REC_EVENT: return put_header(f, r);
	case REC_TOTAL: return f->part.drops ? 0 : sink_put(next, r);
	case REC_COST: return put_cost(f, r);
	case REC_CALL: return put_call(f, r);
	case REC_JUMP: return put_mapped(f, r);
	case REC_SAMPLE: return put_sample(f, r);
	case REC_POINT: return put_point(f, r);
	case REC_VPROF: return put_value(f, r);
	case REC_RAW: return f->rules->no_residue ? 0 : put_mapped(f, r);
	case REC_DECLARED: return put_declared(f, r);
	case REC_TAG: return f->rules->no_residue ? 0 : sink_put(next, r);
	case REC_END: return put_end(f, r);
	default: return sink_put(next, r);
	}
}

static int
fail_too_long(const struct rules_filter *f)
{
	return diag_fail_plain(f->diag, "%s: a name would have more than %d bytes",
	    f->rules->path, RENAME_LONGEST);
}

/* Nearly every line is a cost, which often passes unchanged. */
static int
rules_filter_put(struct sink *s, const struct record *r)
{
	struct rules_filter *f = (struct rules_filter *)s;
	int ret;

	if (rec_kind(r) == REC_COST && f->plain) {
		ret = put_cost(f, r);
	} else {
		ret = put_any(f, r);
		f->plain = filtered_settled(&f->part);
	}
	return f->out.too_long ? fail_too_long(f) : ret;
}

static unsigned
rules_filter_takes(const struct sink *s)
{
	const struct rules_filter *f = (const struct rules_filter *)s;

	return f->plain ? sink_takes(s->next) & TAKES_LINES : 0;
}

/* Jumps within a place are treated like its costs. */
static int
rules_filter_put_lines(struct sink *s, const struct place_lines *l)
{
	struct rules_filter *f = (struct rules_filter *)s;
	struct place_lines out = *l;
	struct record place;

	const bool kept = see_place(f, l->place);

	if (f->out.too_long)
		return fail_too_long(f);
	if (!kept)
		return 0;
	rec_init(&place, REC_COST);
	place.col[PLACE_FUNC].n = f->func_now;
	place.col[PLACE_FILE].n = f->file_now;
	out.place = &place;
	return sink_put_lines(s->next, &out);
}

static void
rules_filter_free(struct sink *s)
{
	struct rules_filter *f = (struct rules_filter *)s;

	if (f->own)
		free(f->own->rule);
	free(f->own);
	filtered_free(&f->part);
	buf_free(&f->filter);
	outcomes_free(&f->out);
	free(f);
}

/* ---- the filters of a view ---- */

static bool
folds(void *arg, uint32_t func)
{
	struct rules_filter *f = arg;

	return outcome_func(&f->out, func)->action == ACTION_FOLD;
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

static struct rules_filter *
rules_filter_new(const struct rules *r, struct dict *dict, struct diag *d)
{
	struct rules_filter *f = mem_alloc(1, sizeof *f);

	f->sink = (struct sink){ .put = rules_filter_put, .free = rules_filter_free,
	    .takes = rules_filter_takes,
	    .put_lines = rules_filter_put_lines };
	f->rules = r;
	f->dict = dict;
	f->diag = d;
	filtered_init(&f->part, &f->sink, r->has[RULE_DROP] || r->has[RULE_KEEP], dict, d);
	if (r->name && !drops_fact(r, TEXT("filter"))) {
		buf_printf(&f->filter, "--rules %s", r->name);
		f->part.text = buf_str(&f->filter);
	}
	f->func_before = f->file_before = NOT_YET;
	outcomes_init(&f->out, r, dict);
	return f;
}

struct sink *
rules_filter_dropping(bool (*drops)(void *arg, uint32_t func), void *arg,
    struct dict *dict, struct diag *d)
{
	static const struct rules none = { .has = { [RULE_DROP] = true } };
	struct rules_filter *f = rules_filter_new(&none, dict, d);

	f->out.drops_func = drops;
	f->out.arg = arg;
	return &f->sink;
}

struct sink *
rules_match(struct rename *rename, const char *side, struct dict *dict,
    struct diag *d)
{
	struct rules *r = mem_alloc(1, sizeof *r);
	struct rules_filter *f;

	r->rule = mem_alloc(1, sizeof *r->rule);
	r->rule->kind = RULE_RENAME;
	r->rule->rename = rename;
	r->n = 1;
	r->has[RULE_RENAME] = true;
	f = rules_filter_new(r, dict, d);
	f->own = r;
	f->side = side;
	f->out.counts_shared = true;
	return &f->sink;
}

void
rules_add(const struct rules *r, struct pipeline *p, struct dict *dict, struct diag *d)
{
	struct rules_filter *f = rules_filter_new(r, dict, d);

	if (r->has[RULE_HIDE])
		f->out.hide = hide_new(r->key);
	/* Folding comes first: costs move to callers before these are dropped or
	 * renamed. */
	if (r->has[RULE_FOLD])
		pipeline_add(p, filter_fold(folds, f, dict, d));
	pipeline_add(p, &f->sink);
	if (r->events)
		pipeline_add(p, choose_events(r, d));
}

int
rules_share(struct rules *r, struct pseudonym_key *key, struct diag *d)
{
	r->key = key;
	return r->has[RULE_HIDE] ? hide_key(key, d) : 0;
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

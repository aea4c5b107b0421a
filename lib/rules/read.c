/* SPDX-License-Identifier: ISC */
/* Reads rule files, which are YAML (yaml_read.h). */
#include "rules/state.h"

#include <stddef.h>
#include <stdlib.h>

#include "filter/filter.h"
#include "rules/yaml_read.h"
#include "util/mem.h"

/* Limits for a file, which is written by hand.  Each name of a profile is matched with each
 * rule and pattern. */
#define MOST_RULES 500
#define MOST_EVENTS 1000
#define LONGEST 4096		/* bytes of a name in it */

const char *const name_of[NAMES] = { "function", "file", "object" };

/* ---- values ---- */

/* Reads the new name; the key is the same for all kinds of names. */
static int
read_name_text(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	const struct yaml_place mark = yaml_place(y);
	const char **s = yaml_member(to, key);

	if (yaml_read_text(y, to, key) < 0)
		return -1;
	return strlen(*s) <= LONGEST ? 0 : yaml_wrong(y, mark, "%s has more than %d bytes",
	    key->what, LONGEST);
}

/* ---- rules ---- */

#define CONDITION_KINDS 8	/* three names, five facts */

/* A rule as written: the meaning of its keys together is known at its end. */
struct written {
	struct rule *rule;
	struct rule_conditions *to;	/* the target of conditions: all, or unless */
	bool nocase;
	const char *replacement, *as, *named;
	bool every;		/* `all` */
	struct yaml_texts names;	/* of `names` */
	struct yaml_place mark;
	const struct yaml_texts *pattern[NAMES];	/* of each name, in `pending` */
	/* Conditions are compiled when it is known whether case matters. */
	struct pending {
		struct rule_conditions *to;
		struct rule_condition c;
		struct yaml_texts t;
	} pending[2 * CONDITION_KINDS];
	size_t npending;
};

static int
take_condition(struct yaml_reader *y, struct written *w, struct rule_condition c)
{
	struct pending *p = &w->pending[w->npending++];

	p->to = w->to;
	p->c = c;
	if (yaml_take_patterns(y, &p->t) < 0)
		return -1;
	if (!c.is_fact && w->to == &w->rule->all)
		w->pattern[c.name] = &p->t;
	return 0;
}

static int
read_name(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	return take_condition(y, to, (struct rule_condition){ .name = (enum name)key->which });
}

static int
read_fact(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	return take_condition(y, to, (struct rule_condition){ .is_fact = true,
	    .fact = (enum group_by)key->which });
}

#define CONDITIONS \
	{ "function", .read = read_name, .which = NAME_FUNCTION }, \
	{ "file", .read = read_name, .which = NAME_FILE }, \
	{ "object", .read = read_name, .which = NAME_OBJECT }, \
	{ "part", .read = read_fact, .which = BY_PART }, \
	{ "thread", .read = read_fact, .which = BY_THREAD }, \
	{ "pid", .read = read_fact, .which = BY_PID }, \
	{ "cmd", .read = read_fact, .which = BY_CMD }, \
	{ "source", .read = read_fact, .which = BY_SOURCE }

static int
read_unless(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	static const struct yaml_key keys[] = { CONDITIONS, { .name = NULL } };
	const struct yaml_place mark = yaml_place(y);
	struct written *w = to;
	int r;

	(void)key;
	w->to = &w->rule->unless;
	r = yaml_take_mapping(y, keys, "a mapping of conditions", w);
	w->to = &w->rule->all;
	if (r == 0 && (!w->npending || w->pending[w->npending - 1].to != &w->rule->unless))
		r = yaml_wrong(y, mark, "no condition");
	return r;
}

static int
read_names(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	const struct yaml_place mark = yaml_place(y);
	struct written *w = to;

	(void)key;
	if (yaml_take_texts(y, "function, file, object", &w->names) < 0)
		return -1;
	return w->names.n ? 0 : yaml_wrong(y, mark, "an empty list of names");
}

static int
compile(struct yaml_reader *y, struct written *w)
{
	size_t i;

	for (i = 0; i < w->npending; i++) {
		struct pending *p = &w->pending[i];

		p->c.match = match_new(p->t.v, p->t.n, w->nocase ? MATCH_NOCASE : 0,
		    y->diag);
		if (!p->c.match)
			return yaml_wrong_within(y, p->t.at[0]);
		p->to->v = mem_resize(p->to->v, p->to->n + 1, sizeof *p->to->v);
		p->to->v[p->to->n++] = p->c;
	}
	return 0;
}

/* Finds the name that the rule changes: the function's if there is a condition on that,
 * otherwise the file's, otherwise the object's. */
static bool
find_name(const struct written *w, enum name *name)
{
	for (*name = 0; *name < NAMES && !w->pattern[*name]; ++*name)
		;
	return *name < NAMES;
}

/* Makes the renaming from the name's patterns and its new name. */
static int
make_rename(struct yaml_reader *y, struct written *w, const char *to, unsigned flags)
{
	const struct yaml_texts *t = w->pattern[w->rule->name];

	w->rule->rename = rename_pattern(t->v, t->n, to,
	    flags | (w->nocase ? RENAME_NOCASE : 0), y->diag);
	return w->rule->rename ? 0 : yaml_wrong_within(y, t->at[0]);
}

static int
finish_rename(struct yaml_reader *y, struct written *w)
{
	struct rule *rule = w->rule;

	if (!find_name(w, &rule->name))
		return yaml_wrong(y, w->mark, "a rename needs function, file or object");
	if (!w->replacement)
		return yaml_wrong(y, w->mark, "a rename needs `to`");
	return make_rename(y, w, w->replacement, w->every ? RENAME_ALL : 0);
}

static int
finish_group(struct yaml_reader *y, struct written *w)
{
	struct rule *rule = w->rule;

	if (!w->as || !*w->as)
		return yaml_wrong(y, w->mark, "a group needs a name: `as`");
	rule->as = w->as;
	return find_name(w, &rule->name) ? make_rename(y, w, w->as, RENAME_WHOLE) : 0;
}

/* Hides the names in `names`, otherwise those with conditions. */
static int
finish_hide(struct yaml_reader *y, struct written *w)
{
	bool any = false;
	enum name i;
	size_t k;

	for (k = 0; k < w->names.n; k++) {
		const char *s = w->names.v[k];

		for (i = 0; i < NAMES && strcmp(s, name_of[i]); i++)
			;
		if (i == NAMES)
			return yaml_wrong(y, w->names.at[k], "expected function, file or "
			    "object, found %s", diag_quote(s, strlen(s)));
		w->rule->hides[i] = true;
	}
	for (i = 0; i < NAMES; i++) {
		w->rule->hides[i] |= !w->names.n && w->pattern[i];
		any |= w->rule->hides[i];
	}
	return any ? 0 : yaml_wrong(y, w->mark, "nothing to hide: no names, and no "
	    "condition on a name");
}

static const char *const kind_name[RULE_KINDS] = {
	"rename", "group", "hide", "fold", "drop", "keep",
};

/* Keys that any rule may have. */
#define COMMON \
	CONDITIONS, { "unless", .read = read_unless }, \
	{ "ignore-case", .read = yaml_read_bool, .at = offsetof(struct written, nocase) }

static int
read_rule(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	static const struct yaml_key keys[RULE_KINDS][YAML_KEYS] = {
		[RULE_RENAME] = { COMMON,
		    { "to", .read = read_name_text, .at = offsetof(struct written, replacement),
		    .what = "what the name becomes" },
		    { "all", .read = yaml_read_bool, .at = offsetof(struct written, every) } },
		[RULE_GROUP] = { COMMON, { "as", .read = read_name_text,
		    .at = offsetof(struct written, as), .what = "the name of the group" } },
		[RULE_HIDE] = { COMMON, { "names", .read = read_names } },
		[RULE_FOLD] = { COMMON },
		[RULE_DROP] = { COMMON },
		[RULE_KEEP] = { COMMON },
	};
	const enum rule_kind kind = (enum rule_kind)key->which;
	struct yaml_place mark = y->key;
	struct written w = { .rule = to, .mark = mark };
	size_t i;
	int r;

	if (w.rule->kind != RULE_KINDS)
		return yaml_wrong(y, mark, "a rule is one of rename, group, hide, fold, "
		    "drop, keep: this one is already %s", kind_name[w.rule->kind]);
	w.rule->kind = kind;
	w.to = &w.rule->all;
	if (kind == RULE_RENAME && yaml_at(y, YAML_TEXT)) {
		mark = yaml_place(y);
		w.named = yaml_take_text(y, "names of renamings");
		w.rule->rename = w.named ? rename_named(w.named, "rename", y->diag) : NULL;
		return w.rule->rename ? 0 : !w.named ? -1 : yaml_wrong_within(y, mark);
	}
	r = yaml_take_mapping(y, keys[kind], "a mapping of conditions", &w);
	if (r == 0)
		r = compile(y, &w);
	if (r == 0 && !w.npending)
		r = yaml_wrong(y, mark, "no condition: to %s everything, write "
		    "\"function: ''\"",
		    kind_name[kind]);
	if (r == 0)
		r = kind == RULE_RENAME ? finish_rename(y, &w) : kind == RULE_GROUP ?
		    finish_group(y, &w) : kind == RULE_HIDE ? finish_hide(y, &w) : 0;
	for (i = 0; i < w.npending; i++)
		yaml_free_texts(&w.pending[i].t);
	yaml_free_texts(&w.names);
	return r;
}

static int
read_rules(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	static const struct yaml_key keys[] = {
		{ "rename", .read = read_rule, .which = RULE_RENAME },
		{ "group", .read = read_rule, .which = RULE_GROUP },
		{ "hide", .read = read_rule, .which = RULE_HIDE },
		{ "fold", .read = read_rule, .which = RULE_FOLD },
		{ "drop", .read = read_rule, .which = RULE_DROP },
		{ "keep", .read = read_rule, .which = RULE_KEEP }, { .name = NULL } };
	struct rules *r = to;
	struct yaml_place mark;

	(void)key;
	if (!yaml_at(y, YAML_LIST))
		return yaml_expected(y, "a list of rules");
	if (yaml_next(y) < 0)
		return -1;
	while (!yaml_at(y, YAML_LIST_END)) {
		mark = yaml_place(y);
		if (r->n == MOST_RULES)
			return yaml_wrong(y, mark, "more than %d rules in a file", MOST_RULES);
		r->rule = mem_resize(r->rule, r->n + 1, sizeof *r->rule);
		r->rule[r->n] = (struct rule){ .kind = RULE_KINDS };
		r->n++;
		if (yaml_take_mapping(y, keys, "a rule: rename, group, hide, fold, drop or keep",
		    &r->rule[r->n - 1]) < 0)
			return -1;
		if (r->rule[r->n - 1].kind == RULE_KINDS)
			return yaml_wrong(y, mark, "an empty rule");
		r->has[r->rule[r->n - 1].kind] = true;
	}
	return yaml_next(y);
}

/* ---- the whole ---- */

/* Checks a comma-separated list, as for --events, and counts its events in *n. */
static int
check_events(struct yaml_reader *y, const char *list, struct yaml_place mark, size_t *n)
{
	const char *rest = list;
	struct text event;

	if (filter_events_wrong(list).s)
		return yaml_wrong(y, mark, "expected an event or a sum of events, found %s",
		    diag_quote(list, strlen(list)));
	while (list_next(&rest, &event))
		++*n;
	return *n > MOST_EVENTS ? yaml_wrong(y, mark, "more than %d events in a file",
	    MOST_EVENTS) : 0;
}

static int
read_events(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	const struct yaml_place mark = yaml_place(y);
	struct rules *r = to;
	struct buf b = { 0 };
	struct yaml_texts t = { 0 };
	size_t i, n = 0;
	int ret;

	(void)key;
	ret = yaml_take_texts(y, "an event or a list of events", &t);
	if (ret == 0 && !t.n)
		ret = yaml_wrong(y, mark, "an empty list of events");
	for (i = 0; i < t.n && ret == 0; i++) {
		buf_printf(&b, "%s%s", i ? "," : "", t.v[i]);
		ret = check_events(y, t.v[i], t.at[i], &n);
	}
	yaml_free_texts(&t);
	if (ret == 0)
		r->events = yaml_keep(y, buf_as_text(&b));
	buf_free(&b);
	return ret;
}

static int
read_facts(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	struct rules *r = to;
	struct yaml_texts t = { 0 };
	int ret;

	(void)key;
	ret = yaml_take_texts(y, "the name of a metadata field or a list of names", &t);
	free(t.at);
	r->has_facts = true;
	r->fact = t.v;
	r->nfact = t.n;
	return ret;
}

static int
read_residue(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	struct rules *r = to;
	bool keep;

	(void)key;
	if (yaml_take_bool(y, &keep) < 0)
		return -1;
	r->no_residue = !keep;
	return 0;
}

static int
take_threshold(struct yaml_reader *y, bool percent, struct threshold *out)
{
	struct yaml_place mark = yaml_place(y);
	const char *s = yaml_take_text(y, percent ? "a percentage" : "a number");

	if (!s)
		return -1;
	if (percent ? threshold_get_share(text_of(s), out) :
	    threshold_get(text_of(s), out) && !out->percent)
		return 0;
	return yaml_wrong(y, mark, "expected %s, found %s", percent ? "a percentage" :
	    "a number", diag_quote(s, strlen(s)));
}

enum { MIN_SHARE, MIN_COST };

/* Keys of min-share and min-cost. */
struct limits {
	bool percent;
	struct min_cost min_cost;
};

static int
read_threshold(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	const struct limits *l = to;

	return take_threshold(y, l->percent, yaml_member(to, key));
}

static int
take_limits(struct yaml_reader *y, struct limits *l)
{
	static const struct yaml_key keys[] = {
		{ "self", .read = read_threshold,
		    .at = offsetof(struct limits, min_cost.self) },
		{ "inclusive", .read = read_threshold,
		    .at = offsetof(struct limits, min_cost.incl) },
		{ "event", .read = yaml_read_text, .at = offsetof(struct limits, min_cost.event),
		    .what = "the name of an event" }, { .name = NULL } };

	if (yaml_at(y, YAML_TEXT))
		return take_threshold(y, l->percent, &l->min_cost.incl);
	return yaml_take_mapping(y, keys, l->percent ? "a percentage, or a mapping of self, "
	    "inclusive, event" : "a number, or a mapping of self, inclusive, event", l);
}

static int
read_min_cost(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	struct limits l = { key->which == MIN_SHARE, { { -1, false }, { -1, false }, NULL } };
	const struct yaml_place mark = y->key;
	struct rules *r = to;

	if (r->has_min_cost)
		return yaml_wrong(y, mark, "min-share and min-cost cannot be combined");
	r->has_min_cost = true;
	if (take_limits(y, &l) < 0)
		return -1;
	r->min_cost = l.min_cost;
	return l.min_cost.self.n >= 0 || l.min_cost.incl.n >= 0 ? 0 :
	    yaml_wrong(y, mark, "expected self or inclusive, found neither");
}

/* Reads also the begin and end events of the stream and the document; a file of comments
 * has no document. */
static int
read_document(struct yaml_reader *y, struct rules *r)
{
	static const struct yaml_key keys[] = {
		{ "description", .read = yaml_read_text, .at = offsetof(struct rules, description),
		    .what = "a description" },
		{ "rules", .read = read_rules }, { "events", .read = read_events },
		{ "min-share", .read = read_min_cost, .which = MIN_SHARE },
		{ "min-cost", .read = read_min_cost, .which = MIN_COST },
		{ "facts", .read = read_facts }, { "residue", .read = read_residue },
		{ .name = NULL } };

	return yaml_take_document(y, keys, "a mapping of description, rules, events, min-share, "
	    "min-cost, facts, residue", r);
}

struct rules *
rules_read(const char *path, const char *name, struct diag *d)
{
	struct yaml_reader y;
	struct rules *r;
	int ret;

	if (yaml_open(&y, path, d) < 0)
		return NULL;
	r = mem_alloc(1, sizeof *r);
	r->path = mem_copy(path, strlen(path));
	r->name = mem_copy(name, strlen(name));
	r->description = "";
	ret = read_document(&y, r);
	r->text = y.text;
	r->ntext = y.ntext;
	yaml_close(&y);
	if (ret == 0)
		return r;
	rules_free(r);
	return NULL;
}

static void
free_conditions(struct rule_conditions *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		match_free(c->v[i].match);
	free(c->v);
}

void
rules_free(struct rules *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->n; i++) {
		free_conditions(&r->rule[i].all);
		free_conditions(&r->rule[i].unless);
		rename_free(r->rule[i].rename);
	}
	for (i = 0; i < r->ntext; i++)
		free(r->text[i]);
	free(r->text);
	free(r->rule);
	free(r->fact);
	free(r->path);
	free(r->name);
	free(r);
}

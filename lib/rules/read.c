/* SPDX-License-Identifier: ISC */
/*
 * Rule files are YAML of a fixed depth, so they are read event by event: errors are found
 * at their place, however deep the rest is nested.
 */
#include "rules/state.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

#include "filter/filter.h"
#include "util/mem.h"
#include "util/suggest.h"

/* Limits for a file that people write.  Each name of a profile is matched with each rule
 * and pattern. */
#define LARGEST (1 << 20)	/* bytes */
#define MOST_RULES 500
#define MOST_PATTERNS 1000
#define LONGEST 4096		/* bytes of a name in it */

const char *const name_of[NAMES] = { "function", "file", "object" };

struct reader {
	const char *path;
	yaml_parser_t parser;
	yaml_event_t event;	/* the current one */
	yaml_mark_t key;	/* the place of the key whose value comes */
	struct rules *rules;
	size_t npatterns;
	struct diag *diag;
};

/* ---- events ---- */

/* Lines and columns are counted from 0. */
static int
wrong_at(struct reader *rd, yaml_mark_t at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static int
wrong_at(struct reader *rd, yaml_mark_t at, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	diag_fail_plain(rd->diag, "%s:%zu:%zu: %s", rd->path, at.line + 1, at.column + 1,
	    buf_str(&b));
	buf_free(&b);
	return -1;
}

static int
bad_yaml(struct reader *rd)
{
	const yaml_parser_t *p = &rd->parser;
	const char *problem = p->problem ? p->problem : "cannot be parsed";

	if (p->error == YAML_MEMORY_ERROR)
		mem_fail(0);
	if (p->error == YAML_READER_ERROR)
		return diag_fail_plain(rd->diag, "%s: byte %zu: not UTF-8: %s", rd->path,
		    p->problem_offset, problem);
	return wrong_at(rd, p->problem_mark, "not YAML: %s%s%s", problem,
	    p->context ? ", " : "", p->context ? p->context : "");
}

/* All values are text; a tag would ask for another type. */
static const yaml_char_t *
tag_of(const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_SCALAR_EVENT: return e->data.scalar.tag;
	case YAML_SEQUENCE_START_EVENT: return e->data.sequence_start.tag;
	case YAML_MAPPING_START_EVENT: return e->data.mapping_start.tag;
	default: return NULL;
	}
}

static int
next(struct reader *rd)
{
	yaml_event_delete(&rd->event);
	if (!yaml_parser_parse(&rd->parser, &rd->event))
		return bad_yaml(rd);
	if (rd->event.type == YAML_ALIAS_EVENT)
		return wrong_at(rd, rd->event.start_mark, "aliases are not allowed");
	if (tag_of(&rd->event))
		return wrong_at(rd, rd->event.start_mark, "tags are not allowed");
	return 0;
}

static bool
at(const struct reader *rd, yaml_event_type_t type)
{
	return rd->event.type == type;
}

/* Is the value missing after its key?  '' is not missing. */
static bool
nothing(const struct reader *rd)
{
	return at(rd, YAML_SCALAR_EVENT) && !rd->event.data.scalar.length &&
	    rd->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static const char *
found(const struct reader *rd)
{
	switch (rd->event.type) {
	case YAML_SCALAR_EVENT:
		if (nothing(rd))
			return "nothing";
		return diag_quote((const char *)rd->event.data.scalar.value,
		    rd->event.data.scalar.length);
	case YAML_MAPPING_START_EVENT:
		return "a mapping";
	case YAML_SEQUENCE_START_EVENT:
		return "a list";
	default:
		return "nothing";
	}
}

static int
expected(struct reader *rd, const char *what)
{
	return wrong_at(rd, rd->event.start_mark, "expected %s, found %s", what,
	    found(rd));
}

/* Takes the current scalar, and advances.  The text lives as long as the rules. */
static const char *
take_text(struct reader *rd, const char *what)
{
	struct rules *r = rd->rules;
	const char *s = (const char *)rd->event.data.scalar.value;
	size_t n = rd->event.data.scalar.length;

	if (!at(rd, YAML_SCALAR_EVENT) || nothing(rd)) {
		expected(rd, what);
		return NULL;
	}
	if (memchr(s, '\0', n)) {
		wrong_at(rd, rd->event.start_mark, "NUL is not allowed");
		return NULL;
	}
	r->text = mem_grow(r->text, &r->captext, r->ntext + 1, sizeof *r->text);
	s = r->text[r->ntext++] = mem_copy(s, n);
	return next(rd) < 0 ? NULL : s;
}

static int
take_bool(struct reader *rd, bool *out)
{
	struct text t = { NULL, 0 };

	if (at(rd, YAML_SCALAR_EVENT))
		t = (struct text){ (const char *)rd->event.data.scalar.value,
		    rd->event.data.scalar.length };
	if (!text_is(t, "true") && !text_is(t, "false"))
		return expected(rd, "true or false");
	*out = *t.s == 't';
	return next(rd);
}

/* Some texts, and the place of each. */
struct texts {
	const char **v;
	yaml_mark_t *at;
	size_t n;
};

static void
free_texts(struct texts *t)
{
	free(t->v);
	free(t->at);
}

static int
add_text(struct reader *rd, const char *what, struct texts *t)
{
	yaml_mark_t mark = rd->event.start_mark;
	const char *s = take_text(rd, what);

	if (!s)
		return -1;
	t->v = mem_resize(t->v, t->n + 1, sizeof *t->v);
	t->at = mem_resize(t->at, t->n + 1, sizeof *t->at);
	t->v[t->n] = s;
	t->at[t->n++] = mark;
	return 0;
}

/* A text, or a list of some, into `t`, which is empty. */
static int
take_texts(struct reader *rd, const char *what, struct texts *t)
{
	if (!at(rd, YAML_SEQUENCE_START_EVENT))
		return add_text(rd, what, t);
	if (next(rd) < 0)
		return -1;
	while (!at(rd, YAML_SEQUENCE_END_EVENT))
		if (add_text(rd, what, t) < 0)
			return -1;
	return next(rd);
}

/* ---- mappings ---- */

struct key {
	const char *name;
	/* Reads its value into the mapping's structure: 0 or -1. */
	int (*read)(struct reader *rd, void *to, const struct key *key);
	size_t at;		/* offset of the member that it sets */
	const char *what;	/* for a text: what it is, for messages */
	int which;		/* the name, fact or kind of rule */
};

#define KEYS 16			/* the most that one has */

static int
unknown_key(struct reader *rd, struct text t, const struct key *key)
{
	const char *names[KEYS];
	struct buf b = { 0 };
	size_t n;

	for (n = 0; key[n].name; n++)
		names[n] = key[n].name;
	suggest_add(&b, t, names, n);
	wrong_at(rd, rd->event.start_mark, "unknown key %s%s", diag_quote(t.s, t.n),
	    buf_str(&b));
	buf_free(&b);
	return -1;
}

/* A mapping of these keys, each once. */
static int
take_mapping(struct reader *rd, const struct key *key, const char *what, void *to)
{
	bool seen[KEYS] = { false };
	struct text t;
	size_t i;

	if (!at(rd, YAML_MAPPING_START_EVENT))
		return expected(rd, what);
	if (next(rd) < 0)
		return -1;
	while (!at(rd, YAML_MAPPING_END_EVENT)) {
		if (!at(rd, YAML_SCALAR_EVENT))
			return expected(rd, "a key");
		t = (struct text){ (const char *)rd->event.data.scalar.value,
		    rd->event.data.scalar.length };
		for (i = 0; key[i].name && !text_is(t, key[i].name); i++)
			;
		if (!key[i].name)
			return unknown_key(rd, t, key);
		rd->key = rd->event.start_mark;
		if (seen[i])
			return wrong_at(rd, rd->key, "%s appears twice", key[i].name);
		seen[i] = true;
		if (next(rd) < 0 || key[i].read(rd, to, &key[i]) < 0)
			return -1;
	}
	return next(rd);
}

static void *
member(void *to, const struct key *key)
{
	return (char *)to + key->at;
}

static int
read_text(struct reader *rd, void *to, const struct key *key)
{
	const char **s = member(to, key);

	*s = take_text(rd, key->what);
	return *s ? 0 : -1;
}

/* Reads the new name, which any kind of name may have. */
static int
read_name_text(struct reader *rd, void *to, const struct key *key)
{
	const yaml_mark_t mark = rd->event.start_mark;
	const char **s = member(to, key);

	if (read_text(rd, to, key) < 0)
		return -1;
	return strlen(*s) <= LONGEST ? 0 : wrong_at(rd, mark, "%s has more than %d bytes",
	    key->what, LONGEST);
}

static int
read_bool(struct reader *rd, void *to, const struct key *key)
{
	return take_bool(rd, member(to, key));
}

/* Adds the place to a pattern's error. */
static int
bad_pattern(struct reader *rd, yaml_mark_t mark)
{
	struct buf why = { 0 };

	buf_text(&why, buf_as_text(&rd->diag->error));
	rd->diag->error.n = 0;
	wrong_at(rd, mark, "%s", buf_str(&why));
	buf_free(&why);
	return -1;
}

/* ---- rules ---- */

#define CONDITION_KINDS 8	/* three names, five facts */

/* A rule as written: what its keys mean together is known at its end. */
struct written {
	struct rule *rule;
	struct conditions *to;	/* where conditions go: all, unless */
	bool nocase;
	const char *replacement, *as, *named;
	bool every;		/* `all` */
	struct texts names;	/* of `names` */
	yaml_mark_t mark;
	const struct texts *pattern[NAMES];	/* of each name, in `pending` */
	/* Conditions are compiled when it is known whether case matters. */
	struct pending {
		struct conditions *to;
		struct condition c;
		struct texts t;
	} pending[2 * CONDITION_KINDS];
	size_t npending;
};

/* A name has no line breaks, so $ never matches at one; and a block of text in YAML ends
 * with a line break that the writer did not think of. */
static int
check_pattern(struct reader *rd, const char *s, yaml_mark_t mark)
{
	struct match *m;

	if (strchr(s, '\n'))
		return wrong_at(rd, mark, "line breaks are not allowed in a pattern");
	if (!(m = match_new(&s, 1, 0, rd->diag)))
		return bad_pattern(rd, mark);
	match_free(m);
	return 0;
}

static int
take_condition(struct reader *rd, struct written *w, struct condition c)
{
	yaml_mark_t mark = rd->event.start_mark;
	struct pending *p = &w->pending[w->npending++];
	size_t i;

	p->to = w->to;
	p->c = c;
	if (take_texts(rd, "a pattern or a list of patterns", &p->t) < 0)
		return -1;
	if (!p->t.n)
		return wrong_at(rd, mark, "an empty list of patterns");
	if ((rd->npatterns += p->t.n) > MOST_PATTERNS)
		return wrong_at(rd, mark, "more than %d patterns in a file", MOST_PATTERNS);
	for (i = 0; i < p->t.n; i++)
		if (check_pattern(rd, p->t.v[i], p->t.at[i]) < 0)
			return -1;
	if (!c.is_fact && w->to == &w->rule->all)
		w->pattern[c.name] = &p->t;
	return 0;
}

static int
read_name(struct reader *rd, void *to, const struct key *key)
{
	return take_condition(rd, to, (struct condition){ .name = (enum name)key->which });
}

static int
read_fact(struct reader *rd, void *to, const struct key *key)
{
	return take_condition(rd, to, (struct condition){ .is_fact = true,
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
read_unless(struct reader *rd, void *to, const struct key *key)
{
	static const struct key keys[] = { CONDITIONS, { .name = NULL } };
	const yaml_mark_t mark = rd->event.start_mark;
	struct written *w = to;
	int r;

	(void)key;
	w->to = &w->rule->unless;
	r = take_mapping(rd, keys, "a mapping of conditions", w);
	w->to = &w->rule->all;
	if (r == 0 && (!w->npending || w->pending[w->npending - 1].to != &w->rule->unless))
		r = wrong_at(rd, mark, "no condition");
	return r;
}

static int
read_names(struct reader *rd, void *to, const struct key *key)
{
	const yaml_mark_t mark = rd->event.start_mark;
	struct written *w = to;

	(void)key;
	if (take_texts(rd, "function, file, object", &w->names) < 0)
		return -1;
	return w->names.n ? 0 : wrong_at(rd, mark, "an empty list of names");
}

static int
compile(struct reader *rd, struct written *w)
{
	size_t i;

	for (i = 0; i < w->npending; i++) {
		struct pending *p = &w->pending[i];

		p->c.match = match_new(p->t.v, p->t.n, w->nocase ? MATCH_NOCASE : 0,
		    rd->diag);
		if (!p->c.match)
			return bad_pattern(rd, p->t.at[0]);
		p->to->v = mem_resize(p->to->v, p->to->n + 1, sizeof *p->to->v);
		p->to->v[p->to->n++] = p->c;
	}
	return 0;
}

/* Which name it changes: the function's if there is a condition on that, else the
 * file's, else the object's. */
static bool
find_name(const struct written *w, enum name *name)
{
	for (*name = 0; *name < NAMES && !w->pattern[*name]; ++*name)
		;
	return *name < NAMES;
}

/* Makes the renaming from the name's patterns and its new name. */
static int
make_rename(struct reader *rd, struct written *w, const char *to, unsigned flags)
{
	const struct texts *t = w->pattern[w->rule->name];

	w->rule->rename = rename_pattern(t->v, t->n, to,
	    flags | (w->nocase ? RENAME_NOCASE : 0), rd->diag);
	return w->rule->rename ? 0 : bad_pattern(rd, t->at[0]);
}

static int
finish_rename(struct reader *rd, struct written *w)
{
	struct rule *rule = w->rule;

	if (!find_name(w, &rule->name))
		return wrong_at(rd, w->mark, "a rename needs function, file or object");
	if (!w->replacement)
		return wrong_at(rd, w->mark, "a rename needs `to`");
	return make_rename(rd, w, w->replacement, w->every ? RENAME_ALL : 0);
}

static int
finish_group(struct reader *rd, struct written *w)
{
	struct rule *rule = w->rule;

	if (!w->as || !*w->as)
		return wrong_at(rd, w->mark, "a group needs a name: `as`");
	rule->as = w->as;
	return find_name(w, &rule->name) ? make_rename(rd, w, w->as, RENAME_WHOLE) : 0;
}

/* Hides the names in `names`, or else those with conditions. */
static int
finish_hide(struct reader *rd, struct written *w)
{
	bool any = false;
	enum name i;
	size_t k;

	for (k = 0; k < w->names.n; k++) {
		const char *s = w->names.v[k];

		for (i = 0; i < NAMES && strcmp(s, name_of[i]); i++)
			;
		if (i == NAMES)
			return wrong_at(rd, w->names.at[k], "expected function, file or "
			    "object, found %s", diag_quote(s, strlen(s)));
		w->rule->hides[i] = true;
	}
	for (i = 0; i < NAMES; i++) {
		w->rule->hides[i] |= !w->names.n && w->pattern[i];
		any |= w->rule->hides[i];
	}
	return any ? 0 : wrong_at(rd, w->mark, "nothing to hide: no names, and no "
	    "condition on a name");
}

static const char *const kind_name[RULE_KINDS] = {
	"rename", "group", "hide", "fold", "drop", "keep",
};

/* Keys that any rule may have. */
#define COMMON \
	CONDITIONS, { "unless", .read = read_unless }, \
	{ "ignore-case", .read = read_bool, .at = offsetof(struct written, nocase) }

static int
read_rule(struct reader *rd, void *to, const struct key *key)
{
	static const struct key keys[RULE_KINDS][KEYS] = {
		[RULE_RENAME] = { COMMON,
		    { "to", .read = read_name_text, .at = offsetof(struct written, replacement),
		    .what = "what the name becomes" },
		    { "all", .read = read_bool, .at = offsetof(struct written, every) } },
		[RULE_GROUP] = { COMMON, { "as", .read = read_name_text,
		    .at = offsetof(struct written, as), .what = "the name of the group" } },
		[RULE_HIDE] = { COMMON, { "names", .read = read_names } },
		[RULE_FOLD] = { COMMON },
		[RULE_DROP] = { COMMON },
		[RULE_KEEP] = { COMMON },
	};
	const enum rule_kind kind = (enum rule_kind)key->which;
	yaml_mark_t mark = rd->key;
	struct written w = { .rule = to, .mark = mark };
	size_t i;
	int r;

	if (w.rule->kind != RULE_KINDS)
		return wrong_at(rd, mark, "a rule is one of rename, group, hide, fold, "
		    "drop, keep: this one is already %s", kind_name[w.rule->kind]);
	w.rule->kind = kind;
	w.to = &w.rule->all;
	rd->rules->has[kind] = true;
	if (kind == RULE_RENAME && at(rd, YAML_SCALAR_EVENT)) {
		mark = rd->event.start_mark;
		w.named = take_text(rd, "names of renamings");
		w.rule->rename = w.named ? rename_named(w.named, "rename", rd->diag) : NULL;
		return w.rule->rename ? 0 : !w.named ? -1 : bad_pattern(rd, mark);
	}
	r = take_mapping(rd, keys[kind], "a mapping of conditions", &w);
	if (r == 0)
		r = compile(rd, &w);
	if (r == 0 && !w.npending)
		r = wrong_at(rd, mark, "no condition: to %s everything, write "
		    "\"function: ''\"",
		    kind_name[kind]);
	if (r == 0)
		r = kind == RULE_RENAME ? finish_rename(rd, &w) : kind == RULE_GROUP ?
		    finish_group(rd, &w) : kind == RULE_HIDE ? finish_hide(rd, &w) : 0;
	for (i = 0; i < w.npending; i++)
		free_texts(&w.pending[i].t);
	free_texts(&w.names);
	return r;
}

static int
read_rules(struct reader *rd, void *to, const struct key *key)
{
	static const struct key keys[] = {
		{ "rename", .read = read_rule, .which = RULE_RENAME },
		{ "group", .read = read_rule, .which = RULE_GROUP },
		{ "hide", .read = read_rule, .which = RULE_HIDE },
		{ "fold", .read = read_rule, .which = RULE_FOLD },
		{ "drop", .read = read_rule, .which = RULE_DROP },
		{ "keep", .read = read_rule, .which = RULE_KEEP }, { .name = NULL } };
	struct rules *r = to;
	yaml_mark_t mark;

	(void)key;
	if (!at(rd, YAML_SEQUENCE_START_EVENT))
		return expected(rd, "a list of rules");
	if (next(rd) < 0)
		return -1;
	while (!at(rd, YAML_SEQUENCE_END_EVENT)) {
		mark = rd->event.start_mark;
		if (r->n == MOST_RULES)
			return wrong_at(rd, mark, "more than %d rules in a file", MOST_RULES);
		r->rule = mem_resize(r->rule, r->n + 1, sizeof *r->rule);
		r->rule[r->n] = (struct rule){ .kind = RULE_KINDS };
		r->n++;
		if (take_mapping(rd, keys, "a rule: rename, group, hide, fold, drop or keep",
		    &r->rule[r->n - 1]) < 0)
			return -1;
		if (r->rule[r->n - 1].kind == RULE_KINDS)
			return wrong_at(rd, mark, "an empty rule");
	}
	return next(rd);
}

/* ---- the whole ---- */

/* A comma-separated list, as for --events. */
static int
check_events(struct reader *rd, const char *list, yaml_mark_t mark)
{
	return filter_events_wrong(list).s ? wrong_at(rd, mark, "expected an event or a "
	    "sum of events, found %s", diag_quote(list, strlen(list))) : 0;
}

static int
read_events(struct reader *rd, void *to, const struct key *key)
{
	const yaml_mark_t mark = rd->event.start_mark;
	struct rules *r = to;
	struct buf b = { 0 };
	struct texts t = { 0 };
	size_t i;
	int ret;

	(void)key;
	ret = take_texts(rd, "an event or a list of events", &t);
	if (ret == 0 && !t.n)
		ret = wrong_at(rd, mark, "an empty list of events");
	for (i = 0; i < t.n && ret == 0; i++) {
		buf_printf(&b, "%s%s", i ? "," : "", t.v[i]);
		ret = check_events(rd, t.v[i], t.at[i]);
	}
	free_texts(&t);
	if (ret == 0) {
		r->text = mem_grow(r->text, &r->captext, r->ntext + 1, sizeof *r->text);
		r->events = r->text[r->ntext++] = mem_copy(b.s, b.n);
	}
	buf_free(&b);
	return ret;
}

static int
read_facts(struct reader *rd, void *to, const struct key *key)
{
	struct rules *r = to;
	struct texts t = { 0 };
	int ret;

	(void)key;
	ret = take_texts(rd, "the name of a fact or a list of names", &t);
	free(t.at);
	r->has_facts = true;
	r->fact = t.v;
	r->nfact = t.n;
	return ret;
}

static int
read_residue(struct reader *rd, void *to, const struct key *key)
{
	struct rules *r = to;
	bool keep;

	(void)key;
	if (take_bool(rd, &keep) < 0)
		return -1;
	r->no_residue = !keep;
	return 0;
}

static int
take_threshold(struct reader *rd, bool percent, struct threshold *out)
{
	yaml_mark_t mark = rd->event.start_mark;
	const char *s = take_text(rd, percent ? "a percentage" : "a number");

	if (!s)
		return -1;
	if (percent ? threshold_get_share(text_of(s), out) :
	    threshold_get(text_of(s), out) && !out->percent)
		return 0;
	return wrong_at(rd, mark, "expected %s, found %s", percent ? "a percentage" :
	    "a whole number", diag_quote(s, strlen(s)));
}

enum { MIN_SHARE, MIN_COST };

/* Keys of min-share and min-cost. */
struct limits {
	bool percent;
	struct min_cost min_cost;
};

static int
read_threshold(struct reader *rd, void *to, const struct key *key)
{
	const struct limits *l = to;

	return take_threshold(rd, l->percent, member(to, key));
}

static int
take_limits(struct reader *rd, struct limits *l)
{
	static const struct key keys[] = {
		{ "self", .read = read_threshold,
		    .at = offsetof(struct limits, min_cost.self) },
		{ "inclusive", .read = read_threshold,
		    .at = offsetof(struct limits, min_cost.incl) },
		{ "event", .read = read_text, .at = offsetof(struct limits, min_cost.event),
		    .what = "the name of an event" }, { .name = NULL } };

	if (at(rd, YAML_SCALAR_EVENT))
		return take_threshold(rd, l->percent, &l->min_cost.incl);
	return take_mapping(rd, keys, l->percent ? "a percentage, or a mapping of self, "
	    "inclusive, event" : "a number, or a mapping of self, inclusive, event", l);
}

static int
read_min_cost(struct reader *rd, void *to, const struct key *key)
{
	struct limits l = { key->which == MIN_SHARE, { { -1, false }, { -1, false }, NULL } };
	const yaml_mark_t mark = rd->key;
	struct rules *r = to;

	if (r->has_min_cost)
		return wrong_at(rd, mark, "min-share and min-cost cannot be combined");
	r->has_min_cost = true;
	if (take_limits(rd, &l) < 0)
		return -1;
	r->min_cost = l.min_cost;
	return l.min_cost.self.n >= 0 || l.min_cost.incl.n >= 0 ? 0 :
	    wrong_at(rd, mark, "expected self or inclusive, found neither");
}

/* Reads the begin and end events of the stream and the document, too; a file of comments
 * has no document. */
static int
read_document(struct reader *rd)
{
	static const struct key keys[] = {
		{ "description", .read = read_text, .at = offsetof(struct rules, description),
		    .what = "a description" },
		{ "rules", .read = read_rules }, { "events", .read = read_events },
		{ "min-share", .read = read_min_cost, .which = MIN_SHARE },
		{ "min-cost", .read = read_min_cost, .which = MIN_COST },
		{ "facts", .read = read_facts }, { "residue", .read = read_residue },
		{ .name = NULL } };

	if (next(rd) < 0 || next(rd) < 0)
		return -1;
	if (at(rd, YAML_STREAM_END_EVENT))
		return wrong_at(rd, rd->event.start_mark, "expected a mapping of "
		    "description, rules, ..., found nothing");
	if (next(rd) < 0 || take_mapping(rd, keys, "a mapping of description, rules, events, "
	    "min-share, min-cost, facts, residue", rd->rules) < 0 || next(rd) < 0)
		return -1;
	if (!at(rd, YAML_STREAM_END_EVENT))
		return wrong_at(rd, rd->event.start_mark, "more than one document");
	return 0;
}

/* Reads the whole file, adding a NUL; NULL with the diag set. */
static char *
slurp(const char *path, size_t *n, struct diag *d)
{
	char *s = mem_resize(NULL, LARGEST + 2, 1);
	FILE *f = fopen(path, "r");

	*n = f ? fread(s, 1, LARGEST + 1, f) : 0;
	if (!f || ferror(f))
		diag_fail_plain(d, "%s: %s", path, strerror(errno));
	else if (*n > LARGEST)
		diag_fail_plain(d, "%s: more than %d bytes", path, LARGEST);
	if (f)
		fclose(f);
	if (!d->error.n)
		return s;
	free(s);
	return NULL;
}

struct rules *
rules_read(const char *path, const char *name, struct diag *d)
{
	struct reader rd = { .path = path, .diag = d };
	size_t n;
	char *s = slurp(path, &n, d);
	int r;

	if (!s)
		return NULL;
	rd.rules = mem_alloc(1, sizeof *rd.rules);
	rd.rules->path = mem_copy(path, strlen(path));
	rd.rules->name = mem_copy(name, strlen(name));
	rd.rules->description = "";
	if (!yaml_parser_initialize(&rd.parser))
		mem_fail(0);
	yaml_parser_set_input_string(&rd.parser, (const unsigned char *)s, n);
	yaml_parser_set_encoding(&rd.parser, YAML_UTF8_ENCODING);
	r = read_document(&rd);
	yaml_event_delete(&rd.event);
	yaml_parser_delete(&rd.parser);
	free(s);
	if (r == 0)
		return rd.rules;
	rules_free(rd.rules);
	return NULL;
}

static void
free_conditions(struct conditions *c)
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

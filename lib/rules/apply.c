/* SPDX-License-Identifier: ISC */
#include "rules/state.h"

static bool
holds(const struct rule_condition *c, const struct subject *s,
    const struct facts_at_hand *facts, const struct dict *dict)
{
	return match_text(c->match, dict_text(dict,
	    c->is_fact ? facts->of[c->fact] : s->name[c->name]));
}

/* Do all conditions hold?  True if there are none. */
static bool
all_hold(const struct rule_conditions *c, const struct subject *s,
    const struct facts_at_hand *facts, const struct dict *dict)
{
	size_t i;

	for (i = 0; i < c->n && holds(&c->v[i], s, facts, dict); i++)
		;
	return i == c->n;
}

static void
set_name(struct subject *s, enum name name, uint32_t text)
{
	s->changed[name] |= s->name[name] != text;
	s->hidden[name] = false;
	s->name[name] = text;
}

static void
rename_symbol(const struct rule *rule, struct subject *s, struct dict *dict)
{
	struct text was = dict_text(dict, s->name[rule->name]), is;
	struct buf b = { 0 };

	is = rename_apply(rule->rename, was, &b);
	s->too_long |= was.s && !is.s;
	if (is.s && is.s != was.s)
		set_name(s, rule->name, dict_str(dict, is));
	buf_free(&b);
}

/* A group is a function without file and object; its lines keep their files. */
static void
group_symbol(const struct rule *rule, struct subject *s, struct dict *dict)
{
	struct buf b = { 0 };
	struct text as = text_of(rule->as);

	if (rule->rename)
		as = rename_apply(rule->rename, dict_text(dict, s->name[rule->name]), &b);
	s->too_long |= !as.s;
	set_name(s, NAME_FUNCTION, dict_str(dict, as));
	if (!s->of_line)
		set_name(s, NAME_FILE, NO_ID);
	set_name(s, NAME_OBJECT, NO_ID);
	s->grouped = true;
	buf_free(&b);
}

static void
hide_name(struct subject *s, enum name name, uint32_t text)
{
	set_name(s, name, text);
	s->hidden[name] = true;
}

static void
hide_symbol(const struct rule *rule, struct subject *s, struct dict *dict,
    struct hide *hide)
{
	enum name i;

	for (i = 0; i < NAMES; i++)
		if (rule->hides[i] && s->name[i] != NO_ID)
			hide_name(s, i, hide_text(hide, dict, i, s->name[i]));
}

void
rules_apply(const struct rules *r, struct subject *s,
    const struct facts_at_hand *facts, struct dict *dict, struct hide *hide)
{
	bool decided = false;
	size_t i;

	s->action = r->has[RULE_KEEP] ? ACTION_DROP : ACTION_KEEP;
	for (i = 0; i < r->n && !s->too_long; i++) {
		const struct rule *rule = &r->rule[i];

		if ((decided && rule->kind >= RULE_FOLD) ||
		    !all_hold(&rule->all, s, facts, dict) || (rule->unless.n &&
		    all_hold(&rule->unless, s, facts, dict)))
			continue;
		switch (rule->kind) {
		case RULE_RENAME:
			rename_symbol(rule, s, dict);
			break;
		case RULE_GROUP:
			group_symbol(rule, s, dict);
			break;
		case RULE_HIDE:
			hide_symbol(rule, s, dict, hide);
			break;
		default:	/* the first decision counts; names may still change */
			s->action = rule->kind == RULE_FOLD ? ACTION_FOLD :
			    rule->kind == RULE_DROP ? ACTION_DROP : ACTION_KEEP;
			decided = true;
		}
	}
}

/* SPDX-License-Identifier: ISC */
#include "util/opt.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/num.h"
#include "util/shell_word.h"
#include "util/suggest.h"
#include "util/threshold.h"

/* ---- tables ---- */

void
opts_add(struct opts *o, const char *heading, const struct opt *opts)
{
	o->table = mem_resize(o->table, o->n + 1, sizeof *o->table);
	o->table[o->n++] = (struct opt_table){ .heading = heading, .opts = opts };
}

static struct opt_table *
find_group(const struct opts *o, const struct opt_group *g)
{
	size_t i;

	for (i = 0; o && i < o->n; i++)
		if (o->table[i].group == g)
			return &o->table[i];
	return NULL;
}

void
opts_add_group(struct opts *o, const char *heading, const struct opt_group *g)
{
	struct opt_table *t = g ? find_group(o, g) : NULL;

	if (t)
		buf_printf(&t->others, ", %s", heading);
	if (!g || t)
		return;
	opts_add(o, heading, g->opts);
	t = &o->table[o->n - 1];
	t->group = g;
	t->values = mem_copy(g->defaults, g->size);
}

const void *
opts_values(const struct opts *o, const struct opt_group *g)
{
	const struct opt_table *t = g ? find_group(o, g) : NULL;

	return t ? t->values : g ? g->defaults : NULL;
}

void
opts_free(struct opts *o)
{
	while (o->n) {
		buf_free(&o->table[--o->n].others);
		free(o->table[o->n].values);
	}
	free(o->table);
	o->table = NULL;
	free(o->given);
	o->given = NULL;
	o->ngiven = 0;
}

/* Returns the option of a table with this name or, if name is NULL, this letter. */
static const struct opt *
find_in(const struct opt_table *t, const char *name, size_t n, char letter)
{
	const struct opt *p;

	for (p = t->opts; p->name; p++)
		if (name ? strlen(p->name) == n && memcmp(p->name, name, n) == 0
		    : p->letter && p->letter == letter)
			return p;
	return NULL;
}

/* Returns the first option with this name or letter. */
static const struct opt *
find(const struct opts *o, const char *name, size_t n, char letter)
{
	const struct opt *p;
	size_t i;

	for (i = 0; i < o->n; i++)
		if ((p = find_in(&o->table[i], name, n, letter)))
			return p;
	return NULL;
}

/* ---- values ---- */

void
opt_list_add(struct opt_list *l, const char *item)
{
	l->item = mem_grow(l->item, &l->cap, l->n + 1, sizeof *l->item);
	l->item[l->n++] = item;
}

struct text
opt_word(const char *choices, int which)
{
	for (; which > 0; which--)
		choices += strcspn(choices, "|") + 1;
	return (struct text){ choices, strcspn(choices, "|") };
}

/* Returns the index of s in "a|b|c"; -1: it is not there. */
static int
find_choice(const char *choices, const char *s)
{
	int which;

	for (which = 0; ; which++) {
		struct text word = opt_word(choices, which);

		if (text_is(word, s))
			return which;
		if (!word.s[word.n])
			return -1;
	}
}

static int
set_seconds(const struct opts *o, const struct opt *p, uint64_t *to, const char *arg)
{
	struct threshold t;

	if (!threshold_get(text_of(arg), &t) || t.percent || t.n <= 0 || t.n > UINT32_MAX)
		return diag_fail_plain(o->diag, "--%s: expected seconds, such as 0.5, at most "
		    "4294.967295, found %s", p->name, diag_quote(arg, strlen(arg)));
	*to = (uint64_t)t.n;
	return 0;
}

/* Can the option be given without its argument? */
static bool
is_optional(const struct opt *p)
{
	return p->kind == OPT_WHEN || p->kind == OPT_SECONDS;
}

/* Sets the value of an option at its place in a table. */
static int
set_at(const struct opts *o, const struct opt *p, void *to, const char *arg)
{
	const char *end;
	int which;

	switch (p->kind) {
	case OPT_FLAG:
		*(bool *)to = true;
		return 0;
	case OPT_LIST:
		opt_list_add(to, arg);
		return 0;
	case OPT_COUNT:
		end = num_get_u64(arg, to);
		if (!end || end == arg || *end)
			return diag_fail_plain(o->diag, "--%s: expected a number, "
			    "found %s", p->name, diag_quote(arg, strlen(arg)));
		return 0;
	case OPT_SHARE:
		if (!threshold_get_share(text_of(arg), to))
			return diag_fail_plain(o->diag, "--%s: expected a share, such as "
			    "0.5%%, found %s", p->name, diag_quote(arg, strlen(arg)));
		return 0;
	case OPT_SECONDS:
		return set_seconds(o, p, to, arg ? arg : "1");
	case OPT_WHEN: case OPT_ENUM:
		which = arg ? find_choice(p->choices, arg) : 0;
		if (which < 0)
			return diag_fail_plain(o->diag, "--%s: expected one of %s, "
			    "found %s%s", p->name, p->choices,
			    diag_quote(arg, strlen(arg)),
			    suggest_suffix(suggest_in(text_of(arg), p->choices, "|")));
		*(int *)to = which;
		return 0;
	case OPT_TEXT:
		*(const char **)to = arg;
	}
	return 0;
}

void
opts_add_words(const struct opt_given *g, struct buf *b)
{
	struct buf word = { 0 };

	buf_printf(&word, "--%s", g->opt->name);
	if (g->argument)
		buf_printf(&word, "=%s", g->argument);
	buf_puts(b, b->n ? " " : "");
	shell_word_add(b, buf_as_text(&word));
	buf_free(&word);
}

static void
note_given(struct opts *o, const struct opt *p, size_t table, const char *arg)
{
	o->given = mem_resize(o->given, o->ngiven + 1, sizeof *o->given);
	o->given[o->ngiven++] = (struct opt_given){ p, table, arg };
}

/* Sets the option in each table that has it. */
static int
set(struct opts *o, const struct opt *p, const char *arg)
{
	struct opt_table *t;
	const struct opt *q;
	bool noted = false;

	for (t = o->table; t < o->table + o->n; t++) {
		if (!(q = find_in(t, p->name, strlen(p->name), 0)))
			continue;
		if (!t->given)
			t->given = q;
		if (!noted)
			note_given(o, q, (size_t)(t - o->table), arg);
		noted = true;
		if (set_at(o, q, t->values ? (char *)t->values + (uintptr_t)q->to : q->to,
		    arg) < 0)
			return -1;
	}
	return 0;
}

static int
unknown_option(const struct opts *o, struct text name)
{
	const struct opt *p;
	struct opt_list names = { 0 };
	const char *word;
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < o->n; i++)
		for (p = o->table[i].opts; p->name; p++)
			opt_list_add(&names, p->name);
	word = suggest_find(name, names.item, names.n);
	if (word)
		buf_printf(&b, "--%s", word);
	diag_fail_plain(o->diag, "unknown option '--%.*s'%s", (int)name.n, name.s,
	    suggest_suffix(word ? buf_str(&b) : NULL));
	buf_free(&b);
	free(names.item);
	return -1;
}

/* --name, --name=ARG, --name ARG */
static int
long_option(struct opts *o, int argc, char **argv, int *i)
{
	const char *s = argv[*i] + 2, *eq = strchr(s, '=');
	size_t n = eq ? (size_t)(eq - s) : strlen(s);
	const struct opt *p = find(o, s, n, 0);

	if (!p)
		return unknown_option(o, (struct text){ s, n });
	if (p->kind == OPT_FLAG && eq)
		return diag_fail_plain(o->diag, "--%s takes no argument", p->name);
	if (p->kind == OPT_FLAG || is_optional(p) || eq)
		return set(o, p, eq ? eq + 1 : NULL);
	if (*i + 1 == argc)
		return diag_fail_plain(o->diag, "--%s needs an argument: %s", p->name,
		    p->arg);
	return set(o, p, argv[++*i]);
}

/* -a, -abc, -nARG, -n ARG */
static int
short_options(struct opts *o, int argc, char **argv, int *i)
{
	const char *s;

	for (s = argv[*i] + 1; *s; s++) {
		const struct opt *p = find(o, NULL, 0, *s);

		if (!p)
			return diag_fail_plain(o->diag, "unknown option '-%c'", *s);
		if (p->kind == OPT_FLAG || is_optional(p)) {
			set(o, p, NULL);
			continue;
		}
		if (s[1])
			return set(o, p, s + 1);
		if (*i + 1 == argc)
			return diag_fail_plain(o->diag, "-%c needs an argument: %s",
			    *s, p->arg);
		return set(o, p, argv[++*i]);
	}
	return 0;
}

int
opts_parse(struct opts *o, int argc, char **argv)
{
	int i, n = 0, r = 0;
	bool ended = false;

	for (i = 1; i < argc && r == 0; i++) {
		char *s = argv[i];

		if (ended || s[0] != '-' || !s[1])
			argv[n++] = s;
		else if (strcmp(s, "--") == 0)
			ended = (o->first = n) >= 0;
		else if (s[1] == '-')
			r = long_option(o, argc, argv, &i);
		else
			r = short_options(o, argc, argv, &i);
	}
	if (!ended)
		o->first = n;
	return r < 0 ? -1 : n;
}

#define HELP_AT 28		/* the column where an option's help begins */
#define HELP_BELOW 8		/* the same, where it begins below the option */
#define HELP_LEAST 30		/* the narrowest column for it next to the option */

/* Wrapped at words. */
static void
add_help(struct buf *b, const char *s, size_t at, size_t width)
{
	const size_t room = width - at;
	size_t n;

	while ((n = strlen(s)) > room) {
		for (n = room; n && s[n] != ' '; n--)
			;
		if (!n)
			n = strcspn(s, " ");
		if (!s[n])
			break;
		buf_printf(b, "%.*s\n%*s", (int)n, s, (int)at, "");
		s += n + 1;
	}
	buf_printf(b, "%s\n", s);
}

static void
add_option(struct buf *b, const struct opt *p, size_t width)
{
	const bool below = width < HELP_AT + HELP_LEAST;
	const size_t at = below ? HELP_BELOW : HELP_AT;
	size_t from = b->n;

	if (p->letter)
		buf_printf(b, "  -%c, --%s", p->letter, p->name);
	else
		buf_printf(b, "      --%s", p->name);
	if (p->arg)
		buf_printf(b, "%s%s", is_optional(p) ? "=" : " ", p->arg);
	if (below) {
		buf_putc(b, '\n');
		from = b->n;
	}
	while (b->n - from < at - 1)
		buf_putc(b, ' ');
	buf_putc(b, ' ');
	add_help(b, p->help, at, width);
}

void
opts_help(const struct opts *o, bool all, struct buf *b, size_t width)
{
	const struct opt_table *t;
	const struct opt *p;
	bool any = false;

	for (t = o->table; t < o->table + o->n; t++) {
		if (t->hidden || !t->opts->name || !(all || t->own))
			continue;
		if (t->heading && (all || any)) {
			buf_printf(b, "%s%s", any ? "\n" : "", t->heading);
			buf_text(b, buf_as_text(&t->others));
			buf_puts(b, ":\n");
		}
		for (p = t->opts; p->name; p++)
			add_option(b, p, width);
		any = true;
	}
}

/* Is the option in an earlier table as well? */
static bool
listed(const struct opts *o, size_t table, const char *name)
{
	const struct opt *p;
	size_t i;

	for (i = 0; i < table; i++)
		for (p = o->table[i].opts; p->name; p++)
			if (strcmp(p->name, name) == 0)
				return true;
	return false;
}

void
opts_list(const struct opts *o, struct buf *b)
{
	const struct opt *p;
	size_t i;

	for (i = 0; i < o->n; i++)
		for (p = o->table[i].opts; p->name; p++) {
			if (listed(o, i, p->name))
				continue;
			buf_printf(b, "--%s\t", p->name);
			if (p->letter)
				buf_printf(b, "-%c", p->letter);
			buf_printf(b, "\t%s%s\t%s\t%s\n",
			    is_optional(p) ? "=" : "", p->arg ? p->arg : "",
			    p->help, p->choices ? p->choices : "");
		}
}

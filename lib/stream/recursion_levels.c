/* SPDX-License-Identifier: ISC */
#include "stream/recursion_levels.h"

#include <stdlib.h>

#include "stream/defs.h"
#include "stream/recursion_suffix.h"
#include "util/mem.h"

/* In this run: the function occurs; another level of it does.  In some run: it occurred
 * with another level; without one. */
enum { SEEN = 1, HAS_LEVEL = 2, NAMED = 4, ALONE = 8 };

#define MOST_QUOTES 16		/* more quotes in a name are not searched for a level */

void
recursion_levels_init(struct recursion_levels *l, struct dict *dict)
{
	*l = (struct recursion_levels){ .dict = dict };
}

void
recursion_levels_free(struct recursion_levels *l)
{
	free(l->known);
	free(l->seen);
}

static unsigned char *
known_of(struct recursion_levels *l, uint64_t func)
{
	l->known = mem_reach(l->known, &l->cap, func, 1, 0);
	return &l->known[func];
}

void
recursion_levels_see(struct recursion_levels *l, uint64_t func)
{
	if (func == NO_ID || *known_of(l, func) & SEEN)
		return;
	l->known[func] |= SEEN;
	l->seen = mem_grow(l->seen, &l->capseen, l->n + 1, sizeof *l->seen);
	l->seen[l->n++] = (uint32_t)func;
}

/* Returns the function without its attributes, with the first n bytes of its name. */
static uint32_t
bare_of(struct recursion_levels *l, uint32_t func, size_t n)
{
	const struct text name = dict_func_name(l->dict, func);
	struct func_def f;
	bool fresh;

	func = dict_func_bare(l->dict, func, &fresh);
	if (n == name.n)
		return func;
	f = dict_func_def(l->dict, func);
	f.name = dict_str(l->dict, (struct text){ name.s, n });
	return dict_define_func(l->dict, NO_ID, &f);
}

static size_t
name_length(const struct recursion_levels *l, uint32_t func)
{
	return dict_func_name(l->dict, func).n;
}

/* Has the name a level?  It comes before callers, which may be part of the name. */
static bool
has_level(struct recursion_levels *l, uint32_t func)
{
	const struct text name = dict_func_name(l->dict, func);
	unsigned quotes = 0;
	size_t i;

	for (i = 1; i < name.n && quotes < MOST_QUOTES; i++)
		if (name.s[i] == '\'' && ++quotes && *known_of(l, bare_of(l, func, i)) & HAS_LEVEL)
			return true;
	return *known_of(l, bare_of(l, func, name.n)) & HAS_LEVEL;
}

static void
end_run(struct recursion_levels *l)
{
	bool any = false;
	size_t i;

	for (i = 0; i < l->n; i++) {
		const size_t n = recursion_at(dict_func_name(l->dict, l->seen[i]));

		if (n == name_length(l, l->seen[i]))
			continue;
		*known_of(l, bare_of(l, l->seen[i], n)) |= HAS_LEVEL;
		any = true;
	}
	for (i = 0; i < l->n; i++)
		*known_of(l, bare_of(l, l->seen[i], name_length(l, l->seen[i]))) |=
		    any && has_level(l, l->seen[i]) ? NAMED : ALONE;
	for (i = 0; i < l->n; i++) {
		const size_t n = recursion_at(dict_func_name(l->dict, l->seen[i]));

		*known_of(l, l->seen[i]) &= NAMED | ALONE;
		*known_of(l, bare_of(l, l->seen[i], n)) &= NAMED | ALONE;
	}
	l->n = 0;
}

void
recursion_levels_part(struct recursion_levels *l, const struct record *part)
{
	num run = 0;

	if (num_get_num(part->col[0].t.s, part->col[0].t.n, &run) < 0 || run != l->run)
		end_run(l);
	l->run = run;
}

void
recursion_levels_end(struct recursion_levels *l)
{
	end_run(l);
}

bool
recursion_levels_first(const struct recursion_levels *l, uint64_t func)
{
	return func != NO_ID && func < l->cap && (l->known[func] & (NAMED | ALONE)) == NAMED &&
	    recursion_is_first(dict_func_name(l->dict, (uint32_t)func));
}

bool
recursion_levels_alone(const struct recursion_levels *l, uint64_t func)
{
	return func != NO_ID && func < l->cap && l->known[func] & ALONE &&
	    recursion_is_first(dict_func_name(l->dict, (uint32_t)func));
}

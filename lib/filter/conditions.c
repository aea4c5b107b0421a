/* SPDX-License-Identifier: ISC */
#include "filter/conditions.h"

#include <stdlib.h>

#include "util/mem.h"

size_t
conditions_key(const struct conditions *c, struct text name)
{
	size_t i;

	for (i = 0; i < c->nkey && !text_eq(c->key[i], name); i++)
		;
	return i;
}

bool
conditions_meet(const struct conditions *c, size_t key, struct text value)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->v[i].key == key && (c->v[i].match ?
		    match_text(c->v[i].match, value) : text_eq(c->v[i].value, value)))
			return true;
	return false;
}

/* Adds one condition at p, which ends with a NUL. */
static int
add(struct conditions *c, char *p, struct diag *d)
{
	size_t n = strcspn(p, "=~");
	struct condition one = { .key = conditions_key(c, (struct text){ p, n }) };
	const char *pattern = p + n + 1;

	if (!n || !p[n])
		return diag_fail_plain(d, "--where: expected KEY=VALUE or "
		    "KEY~REGEX, found %s", diag_quote(p, strlen(p)));
	if (one.key == c->nkey) {
		c->key = mem_grow(c->key, &c->capkey, c->nkey + 1, sizeof *c->key);
		c->key[c->nkey++] = (struct text){ p, n };
	}
	one.value = text_of(pattern);
	if (p[n] == '~' && !(one.match = match_new(&pattern, 1, 0, d)))
		return -1;
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	c->v[c->n++] = one;
	return 0;
}

struct conditions *
conditions_new(const char *const *list, size_t n, struct diag *d)
{
	struct conditions *c = mem_alloc(1, sizeof *c);
	struct buf b = { 0 };
	char *p, *end, *comma;
	size_t i;

	for (i = 0; i < n; i++)
		buf_add(&b, list[i], strlen(list[i]) + 1);
	c->text = b.s;
	for (p = b.s; p < b.s + b.n; p = end + 1) {
		end = p + strlen(p);
		for (;; p = comma + 1) {
			if ((comma = strchr(p, ',')))
				*comma = '\0';
			if (add(c, p, d) < 0) {
				conditions_free(c);
				return NULL;
			}
			if (!comma)
				break;
		}
	}
	return c;
}

void
conditions_free(struct conditions *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->n; i++)
		match_free(c->v[i].match);
	free(c->v);
	free(c->key);
	free(c->text);
	free(c);
}

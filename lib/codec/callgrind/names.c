/* SPDX-License-Identifier: ISC */
#include "names.h"

#include <inttypes.h>
#include <stdlib.h>

#include "mem.h"
#include "num.h"

#define PLAIN ((uint64_t)1 << 63)

struct name *
names_entry(const struct names *t, uint64_t key)
{
	size_t i = (key * 0x9e3779b97f4a7c15) >> 20 & (t->size - 1);

	while (t->slot[i].key && t->slot[i].key != key)
		i = (i + 1) & (t->size - 1);
	return &t->slot[i];
}

static struct name *
entry(struct names *t, uint64_t key)
{
	struct name *n;

	if (t->used * 4 >= t->size * 3) {
		struct names new = *t;
		size_t i;

		new.size = t->size ? t->size * 2 : 64;
		new.slot = mem_alloc(new.size, sizeof *new.slot);
		for (i = 0; i < t->size; i++)
			if (t->slot[i].key)
				*names_entry(&new, t->slot[i].key) = t->slot[i];
		free(t->slot);
		*t = new;
	}
	n = names_entry(t, key);
	if (!n->key) {
		*n = (struct name){ .key = key, .str = NO_ID, .def = NO_ID };
		t->used++;
	}
	return n;
}

/* "(123)" at p: the end of it and its number. */
static const char *
number(const char *p, const char *end, uint64_t *id)
{
	const char *q;

	if (end - p < 3 || *p != '(' || p[1] < '0' || p[1] > '9')
		return NULL;
	q = num_get_u64(p + 1, id);
	return q && q < end && *q == ')' && *id < PLAIN - 1 ? q + 1 : NULL;
}

/*
 * --compress-mangled=yes writes names made of compressed ones: "(12)'2'(7)",
 * function, recursion level, callers (dump.c, print_mangled_fn).  The name in
 * full goes into t->scratch; false if this is not such a name.
 */
static bool
expand(struct names *t, const char *p, const char *end)
{
	const char *start = p, *q;
	uint64_t id;

	t->scratch.n = 0;
	for (; p < end; p = q) {
		if (p > start) {
			if (*p != '\'')
				return false;
			buf_putc(&t->scratch, *p++);
		}
		if ((q = number(p, end, &id))) {
			const struct name *n = names_entry(t, id + 1);

			if (!n->key || (p == start && q == end))
				return false;
			buf_text(&t->scratch, n->str == NO_ID ? TEXT("???") :
			    dict_text(t->dict, n->str));
			continue;
		}
		for (q = p; q < end && *q >= '0' && *q <= '9'; q++)
			;
		if (q == p || p == start)
			return false;
		buf_add(&t->scratch, p, (size_t)(q - p));
	}
	return true;
}

static uint32_t
string(struct names *t, struct text s)
{
	return text_is(s, "???") ? NO_ID : dict_str(t->dict, s);
}

static void
define(struct names *t, struct name *n, uint64_t id, struct text s)
{
	uint32_t str;

	if (t->functions && s.s[0] == '(' && expand(t, s.s, s.s + s.n))
		s = buf_as_text(&t->scratch);
	str = string(t, s);
	if (n->defined && n->str == str)
		return;
	if (n->defined)
		diag_say(t->diag, DIAG_WARN, "(%" PRIu64 ") is defined a second "
		    "time, differently: %s", id, diag_quote(s.s, s.n));
	n->str = str;
	n->def = NO_ID;
	n->bound = false;
	n->defined = true;
}

struct name *
names_read(struct names *t, const char *p, const char *end)
{
	struct name *n;
	uint64_t id;
	const char *q = number(p, end, &id);

	if (!q) {
		uint32_t str = string(t, (struct text){ p, (size_t)(end - p) });

		n = entry(t, PLAIN | ((uint64_t)str + 1));
		n->str = str;
		n->defined = true;
		return n;
	}
	n = entry(t, id + 1);
	while (q < end && (*q == ' ' || *q == '\t'))
		q++;
	if (q < end) {
		define(t, n, id, (struct text){ q, (size_t)(end - q) });
	} else if (!n->defined) {
		/* valgrind 3.19 does it with --mangle-names=no. */
		diag_say(t->diag, DIAG_WARN,
		    "name (%" PRIu64 ") is used but never defined", id);
		t->scratch.n = 0;
		buf_printf(&t->scratch, "(%" PRIu64 ")", id);
		n->str = dict_str(t->dict, buf_as_text(&t->scratch));
		n->defined = true;
	}
	return n;
}

void
names_free(struct names *t)
{
	free(t->slot);
	buf_free(&t->scratch);
}

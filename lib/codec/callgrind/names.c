/* SPDX-License-Identifier: ISC */
#include "names.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/num.h"

#define PLAIN ((uint64_t)1 << 63)	/* the key of a plain name: PLAIN | string + 1 */
static uint32_t
add(struct names *t)
{
	t->v = mem_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n] = (struct name){ .str = NO_ID, .def = NO_ID };
	return (uint32_t)t->n++;
}

/* Returns the index of a key, which is added if it is new. */
static uint32_t
hashed(struct names *t, uint64_t key)
{
	num *index1 = sums_val(&t->others, sums_row(&t->others, &key));

	if (!*index1)
		*index1 = 1 + add(t);
	return (uint32_t)*index1 - 1;
}

/* Adds a number.  Numbers are dense in real files; hostile ones must not make the array
 * grow. */
static uint32_t
numbered_new(struct names *t, uint64_t id)
{
	uint32_t index;
	size_t row;

	if (id >= 8 * t->n + 4096 || sums_find(&t->others, &id, &row))
		return hashed(t, id);
	t->dense = mem_reach(t->dense, &t->ndense, id, sizeof *t->dense, 0);
	index = add(t);
	t->dense[id] = index + 1;
	return index;
}

static inline uint32_t
numbered(struct names *t, uint64_t id)
{
	return id < t->ndense && t->dense[id] ? t->dense[id] - 1 :
	    numbered_new(t, id);
}

/* Reads "(123)" at p: returns its end, and sets its number. */
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
 * Expands a compressed name.  --compress-mangled=yes writes names composed of others:
 * "(12)'2'(7)", function, recursion level, callers (dump.c, print_mangled_fn).  Puts the
 * full name into t->scratch; false if this is not such a name.
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
			uint32_t index = numbered(t, id);	/* may move t->v */
			const struct name *n = &t->v[index];

			if (!n->defined || (p == start && q == end))
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

/* The number of warnings is limited, as a file that was edited or truncated can cause
 * hundreds. */
static void __attribute__((format(printf, 2, 3)))
names_warn(struct names *t, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	if (t->warned++ >= NAMES_WARNINGS)
		return;
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	if (t->warned == NAMES_WARNINGS)
		buf_puts(&b, " (more such names are not shown)");
	diag_say(t->diag, DIAG_WARN, "%s", buf_str(&b));
	buf_free(&b);
}

static void
define(struct names *t, uint32_t index, uint64_t id, struct text s)
{
	struct name *n = &t->v[index];
	uint32_t str;

	/* Every part defines its names again. */
	if (n->defined && n->str != NO_ID && text_eq(dict_text(t->dict, n->str), s))
		return;
	if (t->expands && s.s[0] == '(' && expand(t, s.s, s.s + s.n))
		s = buf_as_text(&t->scratch);
	n = &t->v[index];	/* it may have moved */
	str = string(t, s);
	if (n->defined && n->str == str)
		return;
	if (n->defined && !t->files)
		names_warn(t, "(%" PRIu64 ") is defined again, differently: %s",
		    id, QUOTE(s));
	*n = (struct name){ .str = str, .def = NO_ID, .defined = true };
}

static void
placeholder(struct names *t, uint32_t index, uint64_t id)
{
	/* valgrind 3.19 does this with --mangle-names=no. */
	names_warn(t, "name (%" PRIu64 ") is used but never defined", id);
	t->scratch.n = 0;
	buf_printf(&t->scratch, "(%" PRIu64 ")", id);
	t->v[index].str = dict_str(t->dict, buf_as_text(&t->scratch));
	t->v[index].defined = true;
}

static uint32_t
plain(struct names *t, const char *p, const char *end)
{
	uint32_t str = string(t, (struct text){ p, (size_t)(end - p) });
	uint32_t index = hashed(t, PLAIN | ((uint64_t)str + 1));

	t->v[index].str = str;
	t->v[index].defined = true;
	return index;
}

uint32_t
names_read(struct names *t, const char *p, const char *end)
{
	uint32_t index;
	uint64_t id;
	const char *q;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (!(q = number(p, end, &id)))
		return plain(t, p, end);
	index = numbered(t, id);
	if (q == end && t->v[index].defined)
		return index;
	while (q < end && (*q == ' ' || *q == '\t'))
		q++;
	if (q < end)
		define(t, index, id, (struct text){ q, (size_t)(end - q) });
	else if (!t->v[index].defined)
		placeholder(t, index, id);
	return index;
}

void
names_init(struct names *t, struct dict *dict, struct diag *d)
{
	*t = (struct names){ .dict = dict, .diag = d };
	sums_init(&t->others, 1, 1);
}

void
names_clear(struct names *t)
{
	const unsigned warned = t->warned;

	names_free(t);
	names_init(t, t->dict, t->diag);
	t->warned = warned;
}

void
names_free(struct names *t)
{
	free(t->v);
	free(t->dense);
	sums_free(&t->others);
	buf_free(&t->scratch);
}

/* SPDX-License-Identifier: ISC */
/* The lines of a stream, by the table of prof-stream(5). */
#include "count.h"

#include <stdlib.h>

#include "util/mem.h"

/*
 * The columns of a record: o, F, f and c are the numbers of an object, a file, a function
 * and a context, k is a key, s a number that is added up, and what is - is neither.  After
 * them come values, if there are any, and attributes.
 */
static const struct shape {
	const char *tag, *columns;
	bool values;
} shapes[] = {
	[COUNT_COST] = { "cost", "fFkk", true },
	[COUNT_CALL] = { "call", "fFkkfkks", true },
	[COUNT_JUMP] = { "jump", "fFkkfFkkss", false },
	[COUNT_SAMPLE] = { "sample", "c", true },
	[COUNT_POINT] = { "point", "fcks--sssss--skssssss", false },
	[COUNT_VPROF] = { "vprof", "fkksk", false },
};

/* The definitions, and of which list each is. */
static const struct shape definitions[] = {
	{ "object", "kk", false }, { "file", "k", false }, { "func", "kFok", false },
	{ "ctx", "cfFkk", false },
};
enum { OBJECT, FILE_, FUNC, CTX, LISTS };

struct reader {
	struct counts *c;
	uint64_t print;
	struct hashes { uint64_t *v; size_t n, cap; } list[LISTS];
	uint64_t event[64];	/* of the part */
	size_t nevent;
	bool strange;
};

static uint64_t
mix(uint64_t a, uint64_t b)
{
	a = (a ^ b) * 0x9e3779b97f4a7c15;
	a ^= a >> 29;
	a *= 0xbf58476d1ce4e5b9;
	return a ^ a >> 32;
}

static uint64_t
hash(struct text t)
{
	uint64_t h = 1;
	size_t i;

	for (i = 0; i < t.n; i++)
		h = mix(h, (unsigned char)t.s[i]);
	return h;
}

static uint64_t
hash_of(struct reader *rd, char type, struct text t)
{
	const char *const lists = "oFfc", *list = strchr(lists, type);
	wide id = 0;

	if (!list || text_is(t, "-"))
		return hash(t);
	if (!count_add(&id, t) || id >= rd->list[list - lists].n) {
		rd->strange = true;
		return 0;
	}
	return rd->list[list - lists].v[id];
}

static void
define(struct reader *rd, size_t list, struct text rest)
{
	struct hashes *l = &rd->list[list];
	const char *type = definitions[list].columns;
	uint64_t h = mix(7, list);

	(void)count_word(&rest, '\t');	/* its number: they come in their order */
	for (; *type; type++)
		h = mix(h, hash_of(rd, *type, count_word(&rest, '\t')));
	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = h;
}

static void
define_event(struct reader *rd, struct text rest)
{
	const struct text id = count_word(&rest, '\t');
	uint64_t h = hash(count_word(&rest, '\t'));

	if (text_is(id, "-"))
		return;
	if (rd->nevent == sizeof rd->event / sizeof *rd->event)
		rd->strange = true;
	else
		rd->event[rd->nevent++] = mix(h, hash(count_word(&rest, '\t')));
}

static bool
is_value(struct text t)
{
	wide n;

	return text_is(t, "-") || count_add(&n, t);
}

/* What a record's line has besides its key. */
struct line {
	struct text number[16], value[64];
	size_t nnumber, nvalue, nlabel;
	uint64_t key, labels;
};

static void
split(struct reader *rd, size_t kind, struct text rest, struct line *l)
{
	const char *type = shapes[kind].columns;
	struct text t;

	l->nnumber = l->nvalue = l->nlabel = 0;
	l->key = mix(11, kind);
	l->labels = 0;
	for (; *type; type++) {
		t = count_word(&rest, '\t');
		if (*type == 's')
			l->number[l->nnumber++] = t;
		else if (*type != '-')
			l->key = mix(l->key, hash_of(rd, *type, t));
	}
	while (rest.s) {
		t = count_word(&rest, '\t');
		if (shapes[kind].values && !l->nlabel && is_value(t)) {
			if (l->nvalue == sizeof l->value / sizeof *l->value)
				rd->strange = true;
			else
				l->value[l->nvalue++] = t;
			continue;
		}
		l->nlabel++;
		l->labels += hash(t);
	}
}

static uint64_t
number(struct reader *rd, struct text t)
{
	wide n = 0;

	rd->strange |= !text_is(t, "-") && !count_add(&n, t);
	return (uint64_t)n;
}

static void
add_line(struct reader *rd, size_t kind, const struct line *l)
{
	struct count *c = &rd->c->kind[kind];
	const uint64_t key = mix(l->key, l->labels);
	size_t i;

	c->known = c->calls_known = c->labels_known = true;
	c->sums = UINT32_MAX;
	c->records++;
	c->labels += l->nlabel;
	for (i = 0; i < l->nnumber; i++) {
		rd->print += mix(key, i) * number(rd, l->number[i]);
		if (!text_is(l->number[i], "-"))
			(void)count_add(&c->calls, l->number[i]);
	}
	for (i = 0; i < l->nvalue; i++) {
		if (i >= rd->nevent)
			rd->strange = true;
		else
			rd->print += mix(key, rd->event[i]) * number(rd, l->value[i]);
		if (i < COUNT_SUMS && !text_is(l->value[i], "-"))
			(void)count_add(&c->sum[i], l->value[i]);
	}
}

static void
read_line(struct reader *rd, struct text rest)
{
	const struct text tag = count_word(&rest, '\t');
	struct line l;
	size_t i;

	if (text_is(tag, "part"))
		rd->nevent = 0;
	else if (text_is(tag, "event"))
		define_event(rd, rest);
	else if (text_is(tag, "prof"))
		for (i = 0; i < LISTS; i++)
			rd->list[i].n = 0;
	for (i = 0; i < LISTS; i++)
		if (text_is(tag, definitions[i].tag))
			define(rd, i, rest);
	for (i = 0; i < COUNT_KINDS; i++)
		if (text_is(tag, shapes[i].tag)) {
			split(rd, i, rest, &l);
			add_line(rd, i, &l);
		}
	rd->strange |= text_is(tag, "tag");
}

bool
count_stream(struct text stream, struct counts *c, uint64_t *print)
{
	struct reader rd = { .c = c };
	size_t i;

	*c = (struct counts){ 0 };
	while (stream.n)
		read_line(&rd, count_word(&stream, '\n'));
	for (i = 0; i < LISTS; i++)
		free(rd.list[i].v);
	*print = rd.print;
	return !rd.strange;
}

/* SPDX-License-Identifier: ISC */
#include "valgrind_frames.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/scan.h"

/* The components of a description; absent if it lacks them. */
struct parts {
	struct text addr, name, file, line, object;
};

static struct text
between(const char *p, const char *end)
{
	return (struct text){ p, (size_t)(end - p) };
}

/* ---- the parentheses at the end ---- */

static bool
is_number(struct text t)
{
	size_t i;

	for (i = 0; i < t.n && t.s[i] >= '0' && t.s[i] <= '9'; i++)
		;
	return t.n && i == t.n && t.n < 20;
}

/* Splits "heap.cc:9", or "heap.rs:9:5". */
static bool
split_line(struct text t, struct parts *parts)
{
	const char *end = t.s + t.n, *colon = last_byte(t.s, ':', t.n), *first;

	if (!colon || colon == t.s || !is_number(between(colon + 1, end)))
		return false;
	first = last_byte(t.s, ':', (size_t)(colon - t.s));
	if (first && first > t.s && is_number(between(first + 1, colon)))
		colon = first;
	parts->file = between(t.s, colon);
	parts->line = between(colon + 1, end);
	return true;
}

/* Finds the place: after the last " (" if it is a line, as the name of a function may
 * contain others, and after the first " (in " if it is an object, as a path may. */
static const char *
split_place(const char *p, const char *end, struct parts *parts)
{
	const char *q;

	if (end == p || end[-1] != ')')
		return end;
	for (q = end - 2; q > p && (q[0] != ' ' || q[1] != '('); q--)
		;
	if (q > p && split_line(between(q + 2, end - 1), parts))
		return q;
	q = memmem(p, (size_t)(end - p), " (in ", 5);
	if (!q || q == p)
		return end;
	parts->object = between(q + 5, end - 1);
	return q;
}

/* Splits off "0x109583: ". */
static const char *
split_addr(const char *p, const char *end, struct parts *parts)
{
	const char *q = p + 2;

	if (end - p < 5 || p[0] != '0' || (p[1] | 0x20) != 'x')
		return p;
	while (q < end && ((*q >= '0' && *q <= '9') ||
	    ((*q | 0x20) >= 'a' && (*q | 0x20) <= 'f')))
		q++;
	if (q == p + 2 || q - p > 18 || end - q < 3 || q[0] != ':' || q[1] != ' ')
		return p;
	parts->addr = between(p + 2, q);
	return q + 2;
}

static void
split(struct text t, struct parts *parts)
{
	const char *end = t.s + t.n, *p = split_addr(t.s, end, parts);

	if (parts->addr.s)
		end = split_place(p, end, parts);
	parts->name = between(p, end);
	if (parts->addr.s && text_is(parts->name, "???"))
		parts->name = (struct text){ 0 };
}

/* ---- frames ---- */

static uint32_t
addr_str(struct dict *dict, struct text hex)
{
	char digits[FIELD_TEXT] = "";
	uint64_t addr;

	if (!hex.s)
		return NO_ID;
	memcpy(digits, hex.s, hex.n);	/* 16 at most: split_addr() */
	num_get_hex(digits, &addr);
	return dict_addr(dict, addr);
}

/* Returns the string of "9" or "9:5"; line 0 is none. */
static uint32_t
line_str(struct dict *dict, struct text t)
{
	const char *colon = t.n ? memchr(t.s, ':', t.n) : NULL;
	uint64_t line, column = 0;

	/* A byte other than a digit follows, the parenthesis. */
	if (!t.s || !num_get_u64(t.s, &line) || (colon && !num_get_u64(colon + 1, &column)))
		return NO_ID;
	return line ? dict_line(dict, line, column) : NO_ID;
}

static int
put_func(struct decode *d, struct valgrind_frame *f, const struct parts *parts)
{
	struct func_def func = NO_FUNC;

	if (decode_file(d, parts->file, &f->file) < 0 ||
	    decode_object(d, parts->object, &func.object) < 0)
		return -1;
	func.name = dict_str(d->dict, parts->name);
	func.file = f->file;
	f->func = NO_ID;
	if (func.name == NO_ID && func.object == NO_ID)
		return 0;
	return decode_func(d, &func, &f->func);
}

int
valgrind_frames_find(struct valgrind_frames *f, struct decode *d, struct text t, uint32_t *frame)
{
	const uint64_t hash = cache_hash(t);
	struct parts parts = { 0 };
	struct valgrind_frame made;

	if (cache_find(&f->known, t, hash, frame))
		return 0;
	split(t, &parts);
	if (put_func(d, &made, &parts) < 0)
		return -1;
	made.text = dict_str(d->dict, t);
	made.line = line_str(d->dict, parts.line);
	made.addr = addr_str(d->dict, parts.addr);
	*frame = (uint32_t)f->n;
	f->v = mem_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n++] = made;
	cache_add(&f->known, t, hash, *frame);
	return 0;
}

/* ---- stacks ---- */

/* Returns where the frames that share an address end, from `i` on: all but the last are
 * inlined.  If the first of them occurs again, it is recursion. */
static size_t
place_end(const struct valgrind_frames *f, const uint32_t *stack, size_t n, size_t i)
{
	const struct valgrind_frame *first = &f->v[stack[i]];

	for (i++; i < n; i++) {
		const struct valgrind_frame *next = &f->v[stack[i]];

		if (first->addr == NO_ID || next->addr != first->addr ||
		    next->text == first->text)
			break;
	}
	return i;
}

/* Sets for each frame whether it is inlined. */
static void
find_inlined(const struct valgrind_frames *f, const uint32_t *stack, size_t n, bool *inlined)
{
	size_t i, end;

	for (i = 0; i < n; i = end) {
		end = place_end(f, stack, n, i);
		memset(inlined + i, true, end - i);
		inlined[end - 1] = false;
	}
}

static int
put_frame(struct decode *d, const struct valgrind_frame *f, bool inlined, uint32_t *ctx)
{
	struct ctx_def c = NO_CTX;

	c.parent = *ctx;
	c.func = f->func;
	c.file = f->file;
	c.line = f->line;
	c.addr = f->addr;
	if (inlined)
		c.attrs = dict_str(d->dict, TEXT("inlined=1"));
	return decode_ctx(d, &c, ctx);
}

int
valgrind_frames_put(const struct valgrind_frames *f, struct decode *d, const uint32_t *stack,
    size_t n, uint32_t *ctx)
{
	bool *inlined = mem_alloc(n + 1, sizeof *inlined);
	int ret = 0;

	find_inlined(f, stack, n, inlined);
	for (; n && ret == 0; n--)
		ret = put_frame(d, &f->v[stack[n - 1]], inlined[n - 1], ctx);
	free(inlined);
	return ret;
}

void
valgrind_frames_free(struct valgrind_frames *f)
{
	cache_free(&f->known);
	free(f->v);
}

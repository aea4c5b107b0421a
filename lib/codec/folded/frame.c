/* SPDX-License-Identifier: ISC */
/* Frames of py-spy and Austin, and Austin's threads. */
#include "folded.h"

#include "util/num.h"

const struct folded_unit folded_units[] = {
	{ "wall", "time", "us" }, { "cpu", "time", "us" }, { "memory", "memory", "B" },
	{ NULL, NULL, NULL },
};

/* Is it a line in the only spelling that is written back the same? */
static bool
is_line(struct text t)
{
	size_t i;

	for (i = 0; i < t.n && t.s[i] >= '0' && t.s[i] <= '9'; i++)
		;
	return i == t.n && t.n && t.n <= 18 && *t.s != '0';
}

/* Takes the text after the last c off t; absent if there is none, or nothing before it. */
static struct text
take_last(struct text *t, char c)
{
	const char *p = last_byte(t->s, c, t->n);
	struct text last;

	if (!p || p == t->s)
		return (struct text){ 0 };
	last = (struct text){ p + 1, (size_t)(t->s + t->n - p - 1) };
	t->n = (size_t)(p - t->s);
	return last;
}

/* Splits "name (file:line)", or "name (file)". */
static struct folded_frame
split_pyspy(struct text t)
{
	struct folded_frame whole = { .name = t }, f = { 0 };
	struct text inner, file;

	if (!t.n || t.s[t.n - 1] != ')')
		return whole;
	inner = (struct text){ t.s, t.n - 1 };
	file = take_last(&inner, '(');
	if (!file.n || inner.n < 2 || inner.s[inner.n - 1] != ' ')
		return whole;
	f.name = (struct text){ inner.s, inner.n - 1 };
	f.file = file;
	f.line = take_last(&f.file, ':');
	if (!f.line.s || !is_line(f.line))
		f = (struct folded_frame){ .name = f.name, .file = file };
	return f;
}

/* Splits "file:name:line". */
static struct folded_frame
split_austin(struct text t)
{
	struct folded_frame f = { .file = t };

	f.line = take_last(&f.file, ':');
	if (f.line.s && (is_line(f.line) || text_is(f.line, "0")))
		f.name = take_last(&f.file, ':');
	return f.name.n ? f : (struct folded_frame){ .name = t };
}

struct folded_frame
folded_split(int dialect, struct text frame)
{
	return dialect == FOLDED_PYSPY ? split_pyspy(frame) :
	    dialect == FOLDED_AUSTIN ? split_austin(frame) :
	    (struct folded_frame){ .name = frame };
}

/* Takes a number, in any base, up to one of the two characters. */
static struct text
take_number(const char **p, const char *end, char a, char b)
{
	struct text t = { *p, 0 };

	while (t.s + t.n < end && strchr("0123456789abcdefx", t.s[t.n]) && t.s[t.n])
		t.n++;
	*p = t.s + t.n;
	return t.n && (*p == end || **p == a || **p == b) ? t : (struct text){ 0 };
}

struct folded_thread
folded_take_thread(struct text *stack)
{
	const char *p = stack->s, *end = p + stack->n;
	struct folded_thread t = { 0 };

	if (!stack->n || *p++ != 'P' || !(t.pid = take_number(&p, end, ';', ';')).s ||
	    end - p < 2 || p[1] != 'T')
		return (struct folded_thread){ 0 };
	p += 2;
	t.tid = take_number(&p, end, ':', ';');
	if (t.tid.s && p < end && *p == ':') {
		t.iid = t.tid;
		p++;
		t.tid = take_number(&p, end, ';', ';');
	}
	if (!t.tid.s)
		return (struct folded_thread){ 0 };
	p += p < end;
	*stack = (struct text){ p, (size_t)(end - p) };
	return t;
}

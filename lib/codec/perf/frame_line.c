/* SPDX-License-Identifier: ISC */
/* Lines of frames, and of their sources, in perf script's output. */
#include "line_words.h"

/* Returns the last "(" with a blank before it and a path or a "[" after it. */
static const char *
last_path(const char *p, const char *end)
{
	const char *q;

	for (q = end - 2; q > p; q--)
		if (*q == '(' && perf_blank(q[-1]) && (q[1] == '/' || q[1] == '['))
			return q;
	return NULL;
}

/* Returns the first byte of the object, which is in the last group of parentheses and ends
 * the line; or NULL.  Parentheses in names and paths are usually paired. */
static const char *
last_group(const char *p, const char *end)
{
	const char *q;
	int depth = 0;

	if (end == p || end[-1] != ')')
		return NULL;
	for (q = end - 1; ; q--) {
		depth += (*q == ')') - (*q == '(');
		if (!depth || q == p)
			break;
	}
	return !depth && (q == p || perf_blank(q[-1])) ? q : last_path(p, end);
}

/* Returns the end of "+0x1f (OBJECT)" in a frame whose line continues; NULL. */
static const char *
place_end(const char *p, const char *end)
{
	const char *q, *r;

	for (q = p; (q = memmem(q, (size_t)(end - q), "+0x", 3)); q += 3) {
		for (r = q + 3; r < end && perf_hex(*r); r++)
			;
		if (r == q + 3 || end - r < 2 || r[0] != ' ' || r[1] != '(')
			continue;
		if ((r = memchr(r, ')', (size_t)(end - r))) && r + 1 < end)
			return r + 1;
	}
	return NULL;
}

bool
perf_frame_line(const char *p, const char *end, struct perf_frame *f)
{
	const char *q, *group;

	end = perf_trim(p, end);
	p = perf_skip_blanks(p, end);
	for (q = p; q < end && perf_hex(*q); q++)
		;
	if (q == p || q - p > 16 || (q < end && !perf_blank(*q)))
		return false;
	*f = (struct perf_frame){ .addr = perf_between(p, q) };
	p = perf_skip_blanks(q, end);
	f->key = perf_between(p, end);
	group = last_group(p, end);
	f->bare = !group;
	if (group) {
		f->inlined = text_is(perf_between(group, end), "(inlined)");
		if (!f->inlined)
			f->object = perf_known(group + 1, perf_strip_offset(group + 1, end - 1));
		end = perf_trim(p, group);
	}
	f->name = perf_known(p, perf_strip_offset(p, end));
	return !place_end(p, end);
}

bool
perf_inline_frame(const char *p, const char *end, struct perf_frame *f, bool *more)
{
	const char *q;

	*more = false;
	if (perf_frame_line(p, end, f))
		return true;
	if (!(q = place_end(p, end)))
		return false;
	if (perf_frame_line(q, end, f) && f->object.s)
		return true;
	*more = true;
	return perf_frame_line(p, q, f);
}

bool
perf_event_has_frame(const struct perf_event *e)
{
	struct perf_frame f;
	bool more;

	return e->name.s && e->rest.n && perf_inline_frame(e->rest.s,
	    e->rest.s + e->rest.n, &f, &more) && f.object.s;
}

/* ---- sources ---- */

#define LINE_DIGITS 18	/* of a line, which fits 64 bits then */

/* Skips a text at the end, if it is there. */
static const char *
strip(const char *p, const char *end, const char *what)
{
	const size_t n = strlen(what);

	return (size_t)(end - p) >= n && memcmp(end - n, what, n) == 0 ?
	    perf_trim(p, end - n) : end;
}

/* Is it what perf writes if it has no line: "symbol+12", "object[1f]"? */
static bool
is_place(const char *p, const char *end)
{
	const bool bracket = end > p && end[-1] == ']';
	const char *q = end - bracket;

	while (q > p && perf_hex(q[-1]))
		q--;
	return q > p && q < end - bracket && q[-1] == (bracket ? '[' : '+');
}

bool
perf_source_line(const char *p, const char *end, struct perf_source *s)
{
	const char *q;

	end = perf_trim(p, end);
	q = strip(p, end, "(inlined)");
	*s = (struct perf_source){ .inlined = q < end };
	end = q;
	p = perf_skip_blanks(p, end);
	if ((q = last_group(p, end)) && perf_begins(q, end, "(discriminator "))
		end = perf_trim(p, q);
	for (q = end; q > p && perf_digit(q[-1]); q--)
		;
	if (q == end || q == p || q[-1] != ':')
		return is_place(p, end);
	if (q - p > 1 && !text_is(perf_between(p, q - 1), "??"))
		s->file = perf_between(p, q - 1);
	while (q < end && *q == '0')
		q++;
	if (end - q > LINE_DIGITS)	/* it belongs to the name of the file */
		s->file = perf_between(p, end);
	else if (q < end)
		s->line = perf_between(q, end);
	return true;
}

/* ---- objects ---- */

bool
perf_is_kernel(struct text o)
{
	static const char *const user[] = { "[vdso", "[vsyscall]", "[stack", "[heap]",
	    "[anon", "[vvar", "[vectors]", "[uprobes]", "[sigpage]" };
	const struct text base = text_base_name(o);
	const char *ko;
	size_t i;

	if (!o.s || !o.n)
		return false;
	if (o.s[0] == '[') {
		for (i = 0; i < sizeof user / sizeof *user; i++)
			if (perf_begins(o.s, o.s + o.n, user[i]))
				return false;
		return true;
	}
	if (base.n >= 7 && memcmp(base.s, "vmlinux", 7) == 0)
		return true;
	/* for example foo.ko, foo.ko.zst */
	ko = last_byte(base.s, '.', base.n);
	if (ko && base.s + base.n - ko > 1 && !text_is(perf_between(ko, base.s + base.n), ".ko"))
		return ko - base.s > 3 && memcmp(ko - 3, ".ko", 3) == 0;
	return ko && text_is(perf_between(ko, base.s + base.n), ".ko");
}

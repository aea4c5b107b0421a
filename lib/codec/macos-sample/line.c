/* SPDX-License-Identifier: ISC */
/* Lines of the call graph. */
#include "reader.h"

#include "util/num.h"

bool
sample_next_line(const char **p, const char *end, struct text *line)
{
	const char *lf;

	if (*p == end)
		return false;
	lf = memchr(*p, '\n', (size_t)(end - *p));
	line->s = *p;
	line->n = (size_t)((lf ? lf : end) - *p);
	*p = lf ? lf + 1 : end;
	return true;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool
sample_is_line(struct text line, struct sample_line *l)
{
	size_t i, digits;

	for (i = 0; i < line.n && strchr(" +!:|", line.s[i]) && line.s[i]; i++)
		;
	l->indent = i;
	l->samples = 0;
	for (digits = i; i < line.n && is_digit(line.s[i]); i++)
		if (__builtin_mul_overflow(l->samples, 10, &l->samples) ||
		    __builtin_add_overflow(l->samples, line.s[i] - '0', &l->samples))
			return false;
	if (i == digits || i == line.n || line.s[i] != ' ')
		return false;
	l->what = words_trim((struct text){ line.s + i, line.n - i });
	return l->what.n;
}

/* Returns the text after the last `mark` of t, which then ends before it; absent if there
 * is none. */
static struct text
cut_last(struct text *t, const char *mark)
{
	const size_t n = strlen(mark);
	size_t i;

	for (i = t->n; i-- > n; ) {
		const size_t at = i - n;

		if (memcmp(t->s + at, mark, n) == 0) {
			struct text rest = { t->s + i, t->n - i };

			t->n = at;
			return rest;
		}
	}
	return (struct text){ 0 };
}

/* Splits "file:12"; line 0 stands for none. */
static void
split_source(struct text source, struct sample_frame *f)
{
	f->file = source;
	f->line = cut_last(&f->file, ":");
	if (!f->line.n || f->line.n > 18 || !f->file.n || !num_is_canonical(f->line) ||
	    *f->line.s == '-') {
		f->file = source;
		f->line = (struct text){ 0 };
	} else if (text_is(f->line, "0")) {
		f->line = (struct text){ 0 };
	}
}

/* Splits "name (in object) + 41 [0x10384b549] file:12"; each but the name may be
 * missing. */
struct sample_frame
sample_split(struct text what)
{
	struct sample_frame f = { 0 };
	struct text rest = what, place = cut_last(&rest, "  [0x");
	const char *end;

	if (place.s && (end = memchr(place.s, ']', place.n))) {
		struct text source = words_trim((struct text){ end + 1,
		    (size_t)(place.s + place.n - end - 1) });

		f.addrs = (struct text){ place.s - 2, (size_t)(end - place.s + 2) };
		if (source.n)
			split_source(source, &f);
	} else {
		rest = what;
	}
	f.name = rest;
	f.object = cut_last(&f.name, "  (in ");
	end = f.object.s ? last_byte(f.object.s, ')', f.object.n) : NULL;
	/* A bracket after it begins an address without an end. */
	if (end && !memchr(end, '[', (size_t)(f.object.s + f.object.n - end)))
		f.object.n = (size_t)(end - f.object.s);
	else
		f = (struct sample_frame){ rest, { 0 }, f.addrs, f.file, f.line };
	if (text_is(f.object, "<unknown binary>"))
		f.object = (struct text){ 0 };
	f.name = words_trim(f.name);
	if (text_is(f.name, "???"))
		f.name = (struct text){ 0 };
	return f;
}

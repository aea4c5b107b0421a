/* SPDX-License-Identifier: ISC */
/* Lines of folded stacks. */
#include "folded.h"

static bool
blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns the beginning of the last word of [p, end), if that is a number. */
static const char *
last_number(const char *p, const char *end)
{
	const char *q = end, *point = NULL;

	while (q > p && digit(q[-1]))
		q--;
	if (q > p && q[-1] == '.')
		for (point = --q; q > p && digit(q[-1]); q--)
			;
	if (q == end || q == point)
		return NULL;
	if (q > p && q[-1] == '-')
		q--;
	return q == p || blank(q[-1]) ? q : NULL;
}

bool
folded_next_count(const char **p, const char *end, bool *minus,
    struct text *whole, struct text *fraction)
{
	const char *q = *p;

	while (q < end && !digit(*q) && *q != '-')
		q++;
	if (q == end)
		return false;
	*minus = *q == '-';
	q += *minus;
	whole->s = q;
	while (q < end && digit(*q))
		q++;
	whole->n = (size_t)(q - whole->s);
	*fraction = (struct text){ 0 };
	if (q < end && *q == '.') {
		fraction->s = ++q;
		while (q < end && digit(*q))
			q++;
		fraction->n = (size_t)(q - fraction->s);
		while (fraction->n && fraction->s[fraction->n - 1] == '0')
			fraction->n--;
	}
	*p = q;
	return true;
}

static const char *
trim(const char *p, const char *end)
{
	while (end > p && (blank(end[-1]) || end[-1] == '\r'))
		end--;
	return end;
}

/* One blank ends the stack, as in flamegraph.pl: before it there may be a frame whose name
 * is a blank. */
const char *
folded_stack_end(const char *p, const char *end, unsigned counts)
{
	for (; counts; counts--)
		if (!(end = last_number(p, trim(p, end))))
			return NULL;
	return end > p ? end - 1 : NULL;
}

bool
folded_is_comment(const char *p, const char *end)
{
	return end - p > 1 && p[0] == '#' && p[1] == ' ';
}

/* Takes digits at *p, which moves past them. */
static struct text
take_digits(const char **p, const char *end)
{
	struct text t = { *p, 0 };

	while (*p < end && digit(**p))
		++*p;
	t.n = (size_t)(*p - t.s);
	return t;
}

static bool
take(const char **p, const char *end, char c)
{
	const bool is = *p < end && **p == c;

	*p += is;
	return is;
}

const char *
folded_full_end(const char *p, const char *end, struct folded_full *f)
{
	const char *q, *start;
	struct text idle;

	end = trim(p, end);
	for (start = end; start > p && !blank(start[-1]); start--)
		;
	q = start;
	f->time = take_digits(&q, end);
	if (!f->time.n || !take(&q, end, ','))
		return NULL;
	idle = take_digits(&q, end);
	if (idle.n != 1 || *idle.s > '1' || !take(&q, end, ','))
		return NULL;
	f->idle = *idle.s == '1';
	f->minus = take(&q, end, '-');
	f->memory = take_digits(&q, end);
	return f->memory.n && q == end && start > p + 1 ? start - 1 : NULL;
}

static unsigned
count_numbers(const char *p, const char *end)
{
	unsigned n = 0;

	while (n < FOLDED_COUNTS && folded_stack_end(p, end, n + 1))
		n++;
	return n;
}

/* Takes a line off [*p, end), in which the last may have no newline; NULL at the end. */
static const char *
next_line(const char **p, const char *end, const char **line_end)
{
	const char *line = *p, *lf;

	if (line == end)
		return NULL;
	lf = memchr(line, '\n', (size_t)(end - line));
	*line_end = lf ? lf : end;
	*p = lf ? lf + 1 : end;
	return line;
}

static bool
is_stack_line(const char *p, const char *end)
{
	return trim(p, end) != p && !folded_is_comment(p, end);
}

/* Returns the end of the whole lines, if there is a stack in them. */
static const char *
lines_end(const char *p, size_t n)
{
	const char *lf = last_byte(p, '\n', n), *q = p, *line, *line_end;

	while (lf && (line = next_line(&q, lf + 1, &line_end)))
		if (is_stack_line(line, line_end))
			return lf + 1;
	return p + n;
}

unsigned
folded_counts(const char *p, size_t n)
{
	const char *end = lines_end(p, n), *line, *line_end;
	unsigned least = 0, here;
	bool any = false;

	while ((line = next_line(&p, end, &line_end))) {
		if (!is_stack_line(line, line_end))
			continue;
		here = count_numbers(line, line_end);
		least = any && least < here ? least : here;
		any = true;
		if (!least)
			return 0;
	}
	return least;
}

bool
folded_is_full(const char *p, size_t n)
{
	const char *end = lines_end(p, n), *line, *line_end;
	struct folded_full f;
	bool any = false;

	while ((line = next_line(&p, end, &line_end))) {
		if (!is_stack_line(line, line_end))
			continue;
		if (!folded_full_end(line, line_end, &f))
			return false;
		any = true;
	}
	return any;
}

size_t
folded_decimals(const char *p, size_t n, unsigned counts)
{
	const char *end = p + n, *line, *line_end, *q;
	struct text whole, fraction;
	size_t most = 0;
	bool minus;

	while ((line = next_line(&p, end, &line_end))) {
		if (!is_stack_line(line, line_end) ||
		    !(q = folded_stack_end(line, line_end, counts)))
			continue;
		while (folded_next_count(&q, line_end, &minus, &whole, &fraction))
			most = fraction.n > most ? fraction.n : most;
	}
	return most;
}

static bool
is_text(const char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if ((unsigned char)p[i] < ' ' && !memchr("\t\n\r\x1b", p[i], 4))
			return false;
	return true;
}

int
folded_probe(const char *p, size_t n)
{
	const char *end = lines_end(p, n), *line, *line_end, *stack_end;
	size_t good = 0, bad = 0, deep = 0;
	struct folded_full full;

	if (!memchr(p, ';', n) || !is_text(p, n))
		return 0;
	while ((line = next_line(&p, end, &line_end))) {
		if (!is_stack_line(line, line_end))
			continue;
		stack_end = folded_stack_end(line, line_end, 1);
		if (!stack_end)
			stack_end = folded_full_end(line, line_end, &full);
		if (!stack_end && !good)
			return 0;
		if (!stack_end)
			bad++;
		else if (++good && memchr(line, ';', (size_t)(stack_end - line)))
			deep++;
	}
	return !deep || bad > good / 4 ? 0 : bad ? 1 : 3;
}

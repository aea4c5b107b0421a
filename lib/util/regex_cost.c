/* SPDX-License-Identifier: ISC */
#include "util/regex_cost.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Bytes in glibc 2.41 on a 64-bit machine, measured and rounded up: for a pattern, for a
 * state, and for each state that another one reaches without a character. */
#define PATTERN 3500
#define STATE 280
#define REACHED 12

#define MOST_REPEATS 0x7fff	/* RE_DUP_MAX */
#define MANY ((uint64_t)1 << 31)	/* numbers stop here: a product fits 64 bits */

/*
 * A part of a pattern, with its repetitions expanded.  A path consumes no characters.
 * A state counts once for each path to it, since the C library follows all of them
 * for some repetitions and anchors.
 */
struct part {
	uint64_t states;
	uint64_t reached;	/* by each state, added up */
	uint64_t first;		/* reached from the start */
	uint64_t last;		/* states that reach the end */
	uint64_t through;	/* paths from the start to the end */
	uint64_t tails, passed;	/* anchors among the last states, and on the paths
				 * through */
};

static const struct part nothing = { .through = 1 };
static const struct part character = { .states = 1, .reached = 1, .first = 1 };
static const struct part anchor = { .states = 1, .reached = 1, .first = 1, .last = 1,
	.through = 1, .tails = 1, .passed = 1 };

struct weigher {
	const char *p, *end;
	unsigned depth;
	bool stop;		/* parsing has ended early */
	const char *why;	/* the excess, for the message */
};

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
times(uint64_t a, uint64_t b)
{
	return least(a * b, MANY);
}

static struct part
bounded(struct part a)
{
	a.states = least(a.states, MANY);
	a.reached = least(a.reached, MANY);
	a.first = least(a.first, MANY);
	a.last = least(a.last, MANY);
	a.through = least(a.through, MANY);
	a.tails = least(a.tails, MANY);
	a.passed = least(a.passed, MANY);
	return a;
}

static uint64_t
bytes(const struct part *a)
{
	return a->states * STATE + a->reached * REACHED;
}

/* a, then b.  The C library copies the states that an anchor reaches, for that anchor
 * alone, and the anchors among them too. */
static struct part
then(struct part a, struct part b)
{
	const uint64_t copies = times(a.tails, b.first);

	return bounded((struct part){
		.states = a.states + b.states + copies,
		.reached = a.reached + b.reached + times(a.last, b.first) +
		    times(copies, b.first),
		.first = a.first + times(a.through + a.passed, b.first),
		.last = b.last + times(b.through, a.last + copies),
		.through = times(a.through, b.through),
		.tails = b.tails + times(b.through + b.passed, a.tails),
		.passed = times(a.passed, b.through + b.passed) +
		    times(b.passed, a.through),
	});
}

/* The part with a state before it and one after it. */
static struct part
around(struct part a)
{
	a.states += 2;
	a.first += 1 + a.through;
	a.last += 1 + a.through;
	a.reached += a.first + a.last;
	return bounded(a);
}

static struct part
either(struct part a, struct part b)
{
	const uint64_t first = a.first + b.first + 1;

	return bounded((struct part){
		.states = a.states + b.states + 1,
		.reached = a.reached + b.reached + first,
		.first = first,
		.last = a.last + b.last + a.through + b.through,
		.through = a.through + b.through,
		.tails = a.tails + b.tails,
		.passed = a.passed + b.passed,
	});
}

/* A part that may follow itself: counted like two of them, but its own states only once.
 * Paths through anchors go around several times, with other anchors each time. */
static struct part
star(struct part a)
{
	struct part loop = then(a, a);

	if (a.passed)
		loop = then(loop, loop);
	loop.states -= a.states;
	loop.reached -= a.reached;
	loop.through = a.passed ? loop.through : a.through;
	return either(loop, nothing);
}

static struct part
repeat(struct part a, unsigned min, unsigned max)
{
	const struct part maybe = either(a, nothing);
	struct part r = max ? nothing : maybe;
	unsigned i;

	for (i = 0; i < min && bytes(&r) <= REGEX_COST_BYTES; i++)
		r = then(r, a);
	if (max > MOST_REPEATS)
		return then(r, star(a));
	for (; i < max && bytes(&r) <= REGEX_COST_BYTES; i++)
		r = then(r, maybe);
	return r;
}

/* ---- syntax ---- */

/* Syntax errors are left to regcomp(3), which reports them. */
static struct part
stop(struct weigher *w, const char *why)
{
	w->stop = true;
	w->why = why;
	return nothing;
}

static bool
get_number(struct weigher *w, unsigned *n)
{
	const char *from = w->p;

	for (*n = 0; *w->p >= '0' && *w->p <= '9'; w->p++)
		*n = *n > MOST_REPEATS ? *n : *n * 10 + (unsigned)(*w->p - '0');
	return w->p > from;
}

/* Parses an interval, after its opening brace. */
static struct part
interval(struct weigher *w, struct part a)
{
	unsigned min, max;
	bool any = get_number(w, &min);

	max = min;
	if (*w->p == ',') {
		w->p++;
		any = true;
		if (!get_number(w, &max))
			max = UINT_MAX;
	}
	if (!any || *w->p != '}' || min > MOST_REPEATS || min > max)
		return stop(w, NULL);
	w->p++;
	return repeat(a, min, max);
}

const char *
regex_bracket(const char *p, const char *end)
{
	p++;
	p += p < end && *p == '^';
	p += p < end && *p == ']';
	for (; p < end && *p != ']'; p++) {
		if (*p == '[' && p + 1 < end && strchr(".:=", p[1])) {
			const char last[] = { p[1], ']' };

			if (!(p = memmem(p + 2, (size_t)(end - p - 2), last, sizeof last)))
				return NULL;
			p++;
		}
	}
	return p < end ? p + 1 : NULL;
}

/* Parses a bracket expression, after its opening bracket. */
static struct part
bracket(struct weigher *w)
{
	const char *after = regex_bracket(w->p - 1, w->end);

	if (!after)
		return stop(w, NULL);
	w->p = after;
	return character;
}

static struct part
escape(struct weigher *w)
{
	const char c = *w->p;

	if (!c)
		return stop(w, NULL);
	w->p++;
	/* To the C library \b and \B are each a choice of two anchors. */
	return c == 'b' || c == 'B' ? either(anchor, anchor) :
	    strchr("<>`'", c) ? anchor :
	    c >= '1' && c <= '9' ? either(character, nothing) : character;
}

static struct part alternatives(struct weigher *w);

static struct part
group(struct weigher *w)
{
	struct part a;

	if (w->depth == REGEX_COST_DEPTH)
		return stop(w, "groups nested more than 100 deep");
	w->depth++;
	a = alternatives(w);
	w->depth--;
	if (*w->p != ')')
		return stop(w, w->why);
	w->p++;
	return around(a);
}

static struct part
piece(struct weigher *w)
{
	const char c = *w->p++;
	struct part a = c == '(' ? group(w) : c == '[' ? bracket(w) :
	    c == '\\' ? escape(w) : c == '^' || c == '$' ? anchor : character;

	while (!w->stop && *w->p && strchr("*+?{", *w->p)) {
		const char op = *w->p++;

		a = op == '*' ? star(a) : op == '+' ? then(a, star(a)) :
		    op == '?' ? either(a, nothing) : interval(w, a);
	}
	return a;
}

static struct part
alternatives(struct weigher *w)
{
	struct part all = nothing, one = nothing;
	bool several = false;

	while (!w->stop) {
		if (*w->p == '|' || !*w->p || (*w->p == ')' && w->depth)) {
			all = several ? either(all, one) : one;
			one = nothing;
			several = true;
			if (*w->p != '|')
				return all;
			w->p++;
		} else {
			one = then(one, piece(w));
		}
		if (bytes(&one) > REGEX_COST_BYTES || bytes(&all) > REGEX_COST_BYTES)
			stop(w, "may take more than 128 MB of memory: split it into "
			    "several patterns");
	}
	return all;
}

const char *
regex_cost(const char *pattern, size_t *size)
{
	struct weigher w = { .p = pattern, .end = pattern + strlen(pattern) };
	struct part all = alternatives(&w);

	*size = PATTERN + bytes(&all);
	return w.why;
}

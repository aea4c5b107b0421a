/* SPDX-License-Identifier: ISC */
#include "event.h"

#include <inttypes.h>
#include <stdlib.h>

#include "mem.h"
#include "near.h"

#define DEPTH 20		/* of derived events that use derived events */

static const struct {
	const char *name, *formula;
	int terms;		/* that must be there */
} known[] = {
	{ "L1m", "I1mr + D1mr + D1mw", 1 },
	{ "LLm", "ILmr + DLmr + DLmw", 1 },
	{ "Bm", "Bcm + Bim", 1 },
	{ "CEst", "Ir + 10 Bm + 10 L1m + 20 Ge + 100 L2m + 100 LLm", 2 },
};

void
events_add(struct events *e, const struct record *event)
{
	e->v = mem_grow(e->v, &e->cap, e->n + 1, sizeof *e->v);
	e->v[e->n].r = rec_keep(event);
	e->v[e->n].measured = event->col[EVENT_ID].n != NO_ID;
	e->measured += e->v[e->n++].measured;
}

void
events_clear(struct events *e)
{
	while (e->n)
		free(e->v[--e->n].r);
	e->measured = 0;
}

void
events_free(struct events *e)
{
	events_clear(e);
	free(e->v);
	*e = (struct events){ 0 };
}

const struct record *
events_at(const struct events *e, size_t column)
{
	size_t i;

	for (i = 0; i < e->n; i++)
		if (e->v[i].measured && column-- == 0)
			return e->v[i].r;
	return NULL;
}

long
events_find(const struct events *e, struct text name)
{
	size_t i;
	long column = 0;

	for (i = 0; i < e->n; i++) {
		if (!e->v[i].measured)
			continue;
		if (text_eq(e->v[i].r->col[EVENT_NAME].t, name))
			return column;
		column++;
	}
	return -1;
}

const struct record *
events_derived(const struct events *e, struct text name)
{
	size_t i;

	for (i = 0; i < e->n; i++)
		if (!e->v[i].measured && e->v[i].r->col[EVENT_FORMULA].t.s &&
		    text_eq(e->v[i].r->col[EVENT_NAME].t, name))
			return e->v[i].r;
	return NULL;
}

static bool
operator(char c)
{
	return c == '+' || c == '-' || c == '*' || c == '/' || c == ' ' || c == '\t';
}

/* Takes "[+-] [N] [*] NAME" off: false if that is not what stands there. */
static bool
next_term(struct text *rest, bool first, num *coef, struct text *name)
{
	const char *p = rest->s, *end = p + rest->n, *q;
	bool minus = false;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p < end && (*p == '+' || *p == '-'))
		minus = *p++ == '-';
	else if (!first)
		return false;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	for (q = p; q < end && *q >= '0' && *q <= '9'; q++)
		;
	*coef = 1;
	if (q > p && num_get_num(p, (size_t)(q - p), coef) < 0)
		return false;
	if (minus)
		*coef = -*coef;
	for (p = q; p < end && (*p == ' ' || *p == '\t' || *p == '*'); p++)
		;
	for (q = p; q < end && !operator(*q); q++)
		;
	*name = (struct text){ p, (size_t)(q - p) };
	while (q < end && (*q == ' ' || *q == '\t'))
		q++;
	*rest = (struct text){ q, (size_t)(end - q) };
	return name->n > 0;
}

static int resolve(const struct events *e, struct text what, num by, num *coef,
    int depth);

/* Adds the formula times `by`.  Terms that are not there are left out as long
 * as `need` are; need < 0: all must be there. */
static int
add_formula(const struct events *e, struct text rest, num by, int need,
    num *coef, int depth)
{
	struct text name;
	num c;
	bool first = true;
	int found = 0, r;

	while (first || rest.n) {
		if (!next_term(&rest, first, &c, &name) || num_mul(c, by, &c) < 0)
			return -1;
		r = resolve(e, name, c, coef, depth + 1);
		if (r < 0 || (r == 0 && need < 0))
			return r;
		found += r;
		first = false;
	}
	return found >= need;
}

static int
resolve(const struct events *e, struct text what, num by, num *coef, int depth)
{
	long column = events_find(e, what);
	const struct record *derived;
	size_t i;

	if (depth > DEPTH)
		return -1;
	if (column >= 0)
		return num_add(&coef[column], by) < 0 ? -1 : 1;
	if ((derived = events_derived(e, what)))
		return add_formula(e, derived->col[EVENT_FORMULA].t, by, -1, coef, depth);
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (text_is(what, known[i].name))
			return add_formula(e, text_of(known[i].formula), by,
			    known[i].terms, coef, depth);
	return 0;
}

int
events_resolve(const struct events *e, struct text what, num *coef)
{
	size_t i;
	int r;

	for (i = 0; i < e->measured; i++)
		coef[i] = 0;
	r = resolve(e, what, 1, coef, 0);
	if (r != 0)
		return r;
	for (i = 0; i < what.n && !operator(what.s[i]); i++)
		;
	if (i == what.n && (!i || what.s[0] < '0' || what.s[0] > '9'))
		return 0;	/* a name, and not here; "10Bm" is a term */
	for (i = 0; i < e->measured; i++)
		coef[i] = 0;
	return add_formula(e, what, 1, -1, coef, 0);
}

static struct text
trim(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (p < end && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (end - p > 1 && *p == '(' && end[-1] == ')')
		return trim(p + 1, end - 1);
	return (struct text){ p, (size_t)(end - p) };
}

bool
formula_ratio(struct text what, struct text *over, struct text *under)
{
	const char *slash = memchr(what.s, '/', what.n), *end = what.s + what.n;

	if (!slash)
		return false;
	*over = trim(what.s, slash);
	*under = trim(slash + 1, end);
	return true;
}

uint64_t
event_scale(const struct record *event)
{
	struct buf b = { 0 };
	struct text t = attr_get(event->attrs, "scale", &b);
	char digits[24] = "";
	uint64_t n = 1;
	const char *q;

	if (t.n > 2 && t.n < sizeof digits && memcmp(t.s, "1/", 2) == 0) {
		memcpy(digits, t.s + 2, t.n - 2);
		q = num_get_u64(digits, &n);
		if (!q || *q || n == 0)
			n = 1;
	}
	buf_free(&b);
	return n;
}

bool
event_calls(const struct record *event, const char *value)
{
	struct buf b = { 0 };
	bool is = text_is(attr_get(event->attrs, "calls", &b), value);

	buf_free(&b);
	return is;
}

int
event_check_units(const struct record *was, const struct record *event, struct diag *d)
{
	struct text a = was->col[EVENT_UNIT].t, b = event->col[EVENT_UNIT].t;

	if (event_scale(was) == event_scale(event) && text_eq(a, b))
		return 0;
	return diag_fail(d, "event %s is in other units than before: "
	    "1/%" PRIu64 " %s, and 1/%" PRIu64 " %s",
	    diag_quote(event->col[EVENT_NAME].t.s, event->col[EVENT_NAME].t.n),
	    event_scale(event), b.s ? diag_quote(b.s, b.n) : "without a unit",
	    event_scale(was), a.s ? diag_quote(a.s, a.n) : "without a unit");
}

const char *
events_near(const struct events *e, struct text what)
{
	num *coef = mem_alloc(e->measured + 1, sizeof *coef);
	struct buf b = { 0 };
	const char *said;
	size_t i;

	for (i = 0; i < e->n; i++) {
		struct text name = e->v[i].r->col[EVENT_NAME].t;

		if (events_resolve(e, name, coef) == 1)
			buf_printf(&b, "%s%.*s", b.n ? "\n" : "", (int)name.n, name.s);
	}
	said = near_say(near_in(what, buf_str(&b), "\n"));
	buf_free(&b);
	free(coef);
	return said;
}

/* SPDX-License-Identifier: ISC */
#include "stream/event.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/suggest.h"

#define DEPTH 20		/* of derived events that use derived events */

static const struct known {
	const char *name, *formula;
	int terms;		/* the number that must be available */
} known[] = {
	{ "L1m", "I1mr + D1mr + D1mw", 1 },
	{ "LLm", "ILmr + DLmr + DLmw", 1 },
	{ "Bm", "Bcm + Bim", 1 },
	{ "CEst", "Ir + 10 Bm + 10 L1m + 20 Ge + 100 L2m + 100 LLm", 2 },
};

/* The state of derived events, by index in v. */
struct formulas {
	signed char *height;	/* from 1: one more than its terms have; otherwise: */
	size_t n, cap;		/* for how many events */
};

enum { FORMULA_OPEN = 0, FORMULA_NONE = -1, FORMULA_LACKS = -2 };

static enum event_class
class_of(const struct event *e)
{
	return e->measured ? EVENT_MEASURED : e->r->col[EVENT_FORMULA].t.s ?
	    EVENT_DERIVED : EVENT_OTHER;
}

/* Can values of two events be added as they are? */
static bool
are_alike(const struct record *a, const struct record *b)
{
	return text_eq(a->col[EVENT_UNIT].t, b->col[EVENT_UNIT].t) &&
	    event_scale(a) == event_scale(b) && event_whole(a) == event_whole(b);
}

void
events_add(struct events *e, const struct record *event)
{
	size_t i = e->n++, first, column;

	if (!e->formulas)
		e->formulas = mem_alloc(1, sizeof *e->formulas);
	e->v = mem_grow(e->v, &e->cap, e->n, sizeof *e->v);
	e->v[i].r = rec_keep(event);
	e->v[i].measured = event->col[EVENT_ID].n != NO_ID;
	first = name_index_add(&e->named[class_of(&e->v[i])], event->col[EVENT_NAME].t, i);
	if (!e->v[i].measured)
		return;
	column = e->measured++;
	e->at = mem_grow(e->at, &e->capat, e->measured, sizeof *e->at);
	e->at[column] = i;
	e->column = mem_reach(e->column, &e->capcolumn, i, sizeof *e->column, 0);
	e->column[i] = column;
	e->twin = mem_grow(e->twin, &e->captwin, e->measured, sizeof *e->twin);
	e->twin[column] = 0;
	if (first == i || !are_alike(e->v[first].r, event))
		return;
	e->twin[column] = e->twin[e->column[first]];
	e->twin[e->column[first]] = column + 1;
}

void
events_replace(struct events *e, struct event *event, struct record *r)
{
	free(event->r);
	event->r = r;
	name_index_add(&e->named[class_of(event)], r->col[EVENT_NAME].t,
	    (size_t)(event - e->v));
	e->formulas->n = 0;
}

void
events_clear(struct events *e)
{
	enum event_class c;

	while (e->n)
		free(e->v[--e->n].r);
	for (c = 0; c < EVENT_CLASSES; c++)
		name_index_clear(&e->named[c]);
	e->measured = 0;
	if (e->formulas)
		e->formulas->n = 0;
}

void
events_free(struct events *e)
{
	enum event_class c;

	events_clear(e);
	for (c = 0; c < EVENT_CLASSES; c++)
		name_index_free(&e->named[c]);
	if (e->formulas)
		free(e->formulas->height);
	free(e->formulas);
	free(e->at);
	free(e->column);
	free(e->twin);
	free(e->v);
	*e = (struct events){ 0 };
}

const struct record *
events_at(const struct events *e, size_t column)
{
	return column < e->measured ? e->v[e->at[column]].r : NULL;
}

long
events_find(const struct events *e, struct text name)
{
	size_t i;

	return name_index_find(&e->named[EVENT_MEASURED], name, &i) ? (long)e->column[i] : -1;
}

long
events_twin(const struct events *e, long column)
{
	return (long)e->twin[column] - 1;
}

struct event *
events_same(const struct events *e, const struct event *as)
{
	struct text name = as->r->col[EVENT_NAME].t;
	size_t i, k;

	if (as->measured)
		return name_index_find(&e->named[EVENT_MEASURED], name, &i) ? &e->v[i] : NULL;
	if (!name_index_find(&e->named[EVENT_DERIVED], name, &i))
		return name_index_find(&e->named[EVENT_OTHER], name, &i) ? &e->v[i] : NULL;
	return &e->v[name_index_find(&e->named[EVENT_OTHER], name, &k) && k < i ? k : i];
}

/* ---- formulas ---- */

static bool
operator(char c)
{
	return c == '+' || c == '-' || c == '*' || c == '/' || c == ' ' || c == '\t';
}

/* Takes "[+-] [N] [*] NAME" off the text: false if it does not begin with that. */
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

/*
 * Derived events may use others, and use them often.  First find which are available,
 * upwards from those of measured events alone; then pass coefficients down from each
 * event to those it uses.  So each formula is parsed only a few times, however many
 * use it.
 */
enum { LATER = 2 };		/* it is not known yet whether a term is available */

static const struct known *
find_known(struct text name)
{
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (text_is(name, known[i].name))
			return &known[i];
	return NULL;
}

bool
events_is_known(struct text name)
{
	return find_known(name) != NULL;
}

static int check(const struct events *e, struct text what, int below);

/* Unavailable terms are left out if at least `need` are available; need < 0: all must be.
 * Returns 1, 0, -1, LATER. */
static int
check_formula(const struct events *e, struct text rest, int need, int below)
{
	struct text name;
	num c;
	bool first = true;
	int found = 0, r;

	for (; first || rest.n; first = false) {
		if (!next_term(&rest, first, &c, &name))
			return -1;
		r = check(e, name, below);
		if (r < 0 || r == LATER || (r == 0 && need < 0))
			return r;
		found |= r;
		need -= need > 0 ? r : 0;
	}
	return found && need <= 0;
}

/* The same for a name; only derived events lower than `below` count. */
static int
check(const struct events *e, struct text what, int below)
{
	const struct known *k;
	size_t i;
	int h;

	if (events_find(e, what) >= 0)
		return 1;
	if (name_index_find(&e->named[EVENT_DERIVED], what, &i)) {
		h = e->formulas->height[i];
		return h == FORMULA_LACKS ? 0 : h < 0 ? -1 : h && h < below ? 1 : LATER;
	}
	k = find_known(what);
	return k ? check_formula(e, text_of(k->formula), k->terms, below) : 0;
}

/* Checks the open ones: true if some remain open. */
static bool
check_open(const struct events *e, int height)
{
	bool any = false;
	size_t i;
	int r;

	for (i = 0; i < e->n; i++) {
		if (e->formulas->height[i] != FORMULA_OPEN ||
		    class_of(&e->v[i]) != EVENT_DERIVED)
			continue;
		r = check_formula(e, e->v[i].r->col[EVENT_FORMULA].t, -1, height);
		e->formulas->height[i] = (signed char)(r == 1 ? height : r == LATER ?
		    FORMULA_OPEN : r < 0 ? FORMULA_NONE : FORMULA_LACKS);
		any |= r == LATER;
	}
	return any;
}

/* Formulas deeper than DEPTH, or that use themselves, are invalid. */
static void
find_heights(const struct events *e)
{
	struct formulas *f = e->formulas;
	int height = 1;
	size_t i;

	if (f->n == e->n)
		return;
	f->height = mem_grow(f->height, &f->cap, e->n, sizeof *f->height);
	memset(f->height, FORMULA_OPEN, e->n);
	f->n = e->n;
	while (check_open(e, height) && height < DEPTH)
		height++;
	for (i = 0; i < e->n; i++)
		if (f->height[i] == FORMULA_OPEN)
			f->height[i] = FORMULA_NONE;
}

/* The state of passing coefficients down. */
struct descent {
	const struct events *e;
	num *coef;
	num *factor;		/* of derived events; NULL: none was reached yet */
	size_t *open, n, cap;	/* those that were reached */
	bool *met;
};

static int
add_derived(struct descent *d, size_t i, num factor)
{
	if (!d->factor) {
		d->factor = mem_alloc(d->e->n, sizeof *d->factor);
		d->met = mem_alloc(d->e->n, sizeof *d->met);
	}
	if (!d->met[i]) {
		d->open = mem_grow(d->open, &d->cap, d->n + 1, sizeof *d->open);
		d->open[d->n++] = i;
		d->met[i] = true;
	}
	return num_add(&d->factor[i], factor);
}

static int add_event(struct descent *d, struct text what, num factor);

/* Adds the formula times `factor`. */
static int
add_formula(struct descent *d, struct text rest, num factor)
{
	struct text name;
	bool first = true;
	num c;

	for (; first || rest.n; first = false)
		if (!next_term(&rest, first, &c, &name) || num_mul(c, factor, &c) < 0 ||
		    add_event(d, name, c) < 0)
			return -1;
	return 0;
}

/* Adds an event times `factor`.  Leaves out unavailable terms, as check() has allowed
 * that. */
static int
add_event(struct descent *d, struct text what, num factor)
{
	long column = events_find(d->e, what);
	const struct known *k;
	size_t i;

	if (column >= 0) {
		for (; column >= 0; column = events_twin(d->e, column))
			if (num_add(&d->coef[column], factor) < 0)
				return -1;
		return 0;
	}
	if (name_index_find(&d->e->named[EVENT_DERIVED], what, &i))
		return add_derived(d, i, factor);
	k = find_known(what);
	return k ? add_formula(d, text_of(k->formula), factor) : 0;
}

/* Sets *scale to a common multiple of the scales of all terms: 0, or -1 if it does not fit
 * 64 bits. */
static int
find_scale(const struct events *e, const num *coef, uint64_t (*of)(const struct record *),
    uint64_t *scale)
{
	size_t i;

	*scale = 1;
	for (i = 0; i < e->measured; i++)
		if (coef[i] && event_common_scale(*scale, of(events_at(e, i)), scale) < 0)
			return -1;
	return 0;
}

static int
use_one_scale(const struct events *e, num *coef)
{
	uint64_t scale;
	size_t i;

	if (find_scale(e, coef, event_scale, &scale) < 0)
		return -1;
	for (i = 0; i < e->measured && scale > 1; i++)
		if (coef[i] && num_mul(coef[i], (num)(scale / event_scale(events_at(e, i))),
		    &coef[i]) < 0)
			return -1;
	return 0;
}

/* Returns the attribute calls of a sum: its calls are estimates if those of a term are, and
 * absent if those of all are. */
static struct text
calls_of_sum(const struct events *e, const num *coef)
{
	bool absent = true;
	size_t i;

	for (i = 0; i < e->measured; i++) {
		if (!coef[i])
			continue;
		if (event_calls(events_at(e, i), "propagated"))
			return TEXT("propagated");
		absent &= event_calls(events_at(e, i), "absent");
	}
	return absent ? TEXT("absent") : (struct text){ 0 };
}

/* Returns the unit that all terms share; absent: there is none. */
static struct text
unit_of_sum(const struct events *e, const num *coef)
{
	const struct record *first = NULL;
	size_t i;

	for (i = 0; i < e->measured; i++) {
		if (!coef[i])
			continue;
		first = first ? first : events_at(e, i);
		if (!text_eq(first->col[EVENT_UNIT].t, events_at(e, i)->col[EVENT_UNIT].t))
			return (struct text){ 0 };
	}
	return first ? first->col[EVENT_UNIT].t : (struct text){ 0 };
}

/* Returns the event, measured or derived; NULL: there is none of this name. */
static const struct record *
find_event(const struct events *e, struct text name)
{
	size_t i;

	return name_index_find(&e->named[EVENT_MEASURED], name, &i) ||
	    name_index_find(&e->named[EVENT_DERIVED], name, &i) ? e->v[i].r : NULL;
}

struct record *
events_sum(const struct events *e, struct text name, const num *coef)
{
	const struct record *event = find_event(e, name);
	struct record r = event ? rec_copy_of(event) : rec_make(REC_EVENT), *sum;
	const struct text calls = calls_of_sum(e, coef);
	struct buf attrs = { 0 };
	uint64_t scale, whole;
	size_t i;

	for (i = 0; i < e->measured && !coef[i]; i++)
		;
	if (i == e->measured || find_scale(e, coef, event_scale, &scale) < 0 ||
	    find_scale(e, coef, event_whole, &whole) < 0)
		return NULL;
	r.col[EVENT_NAME].t = name;
	r.col[EVENT_FORMULA].t = (struct text){ 0 };	/* it is like a measured one */
	if (!r.col[EVENT_UNIT].t.s)
		r.col[EVENT_UNIT].t = unit_of_sum(e, coef);
	if (calls.s)
		attr_add(&attrs, "calls", calls);
	attr_add_others(&attrs, r.attrs, "calls");
	r.attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	sum = event_rescaled(&r, scale, whole, 1);
	buf_free(&attrs);
	return sum;
}

/* Sets coef to an event, by its name, or a formula. */
static int
descend(const struct events *e, struct text what, bool formula, num *coef)
{
	struct descent d = { .e = e, .coef = coef };
	int height, ret;
	size_t i;

	memset(coef, 0, e->measured * sizeof *coef);
	ret = formula ? add_formula(&d, what, 1) : add_event(&d, what, 1);
	for (height = DEPTH; height > 0; height--)
		for (i = 0; i < d.n && ret == 0; i++)
			if (e->formulas->height[d.open[i]] == height)
				ret = add_formula(&d, e->v[d.open[i]].r->col[EVENT_FORMULA].t,
				    d.factor[d.open[i]]);
	free(d.factor);
	free(d.met);
	free(d.open);
	return ret < 0 || use_one_scale(e, coef) < 0 ? -1 : 1;
}

/* Is it the name of an event?  "10Bm" is not: it is a term. */
static bool
is_name(struct text what)
{
	size_t i;

	for (i = 0; i < what.n && !operator(what.s[i]); i++)
		;
	return i == what.n && (!i || what.s[0] < '0' || what.s[0] > '9');
}

int
events_resolve(const struct events *e, struct text what, num *coef)
{
	bool formula;
	int r;

	if (!e->n)
		return is_name(what) ? 0 : check_formula(e, what, -1, 0);
	find_heights(e);
	r = check(e, what, DEPTH + 1);
	formula = r == 0 && !is_name(what);
	if (formula)
		r = check_formula(e, what, -1, DEPTH + 1);
	return r == 1 && coef ? descend(e, what, formula, coef) : r;
}

bool
events_make(const struct events *e, struct text what, num *coef, struct record **event)
{
	const long column = events_find(e, what);
	num *own = NULL;
	bool made;

	*event = NULL;
	if (column >= 0 && events_twin(e, column) < 0) {
		if (coef) {
			memset(coef, 0, e->measured * sizeof *coef);
			coef[column] = 1;
		}
		*event = rec_keep(events_at(e, (size_t)column));
		return true;
	}
	if (!coef)
		coef = own = mem_alloc(e->measured + 1, sizeof *coef);
	made = events_resolve(e, what, coef) == 1;
	if (made)
		*event = events_sum(e, what, coef);
	free(own);
	return made;
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
event_sample(const struct record *event)
{
	struct buf b = { 0 };
	const struct text t = attr_get(event->attrs, "sample", &b);
	uint64_t n = text_is(event->col[EVENT_NAME].t, "samples") ? event_whole(event) : 0;
	const char *end;

	if (t.s && (!t.n || !(end = num_get_u64(t.s, &n)) || end != t.s + t.n))
		n = 0;
	buf_free(&b);
	return n;
}

/* Returns the column of the event that inclusive=EVENT names; -1: there is none. */
static long
inclusive_of(const struct events *e, size_t column)
{
	struct buf scratch = { 0 };
	const struct text name = attr_get(events_at(e, column)->attrs, "inclusive", &scratch);
	const long of = name.s ? events_find(e, name) : -1;

	buf_free(&scratch);
	return of;
}

size_t
events_measure_of(const struct events *e, size_t column)
{
	const long of = inclusive_of(e, column);

	return of < 0 || inclusive_of(e, (size_t)of) >= 0 ? column : (size_t)of;
}

size_t
events_whole_of(const struct events *e, size_t column)
{
	const struct record *r = events_at(e, column);
	const size_t of = events_measure_of(e, column);
	const struct text name = events_at(e, of)->col[EVENT_NAME].t;
	long side = (long)of;

	if (of == column || !text_eq(r->col[EVENT_UNIT].t, events_at(e, of)->col[EVENT_UNIT].t))
		return column;
	if (event_has_role(r, "old"))
		side = event_side(e, name, "old");
	else if (event_has_role(r, "new"))
		side = event_side(e, name, "new");
	return side < 0 ? column : (size_t)side;
}

bool
event_is_inclusive(const struct record *event)
{
	return attr_has(event->attrs, "inclusive");
}

bool
event_convert(num *v, uint64_t from, uint64_t to)
{
	num n = *v;

	if (from == to)
		return true;
	if (num_mul(n, (num)to, &n) < 0 || n % (num)from)
		return false;
	*v = n / (num)from;
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

int
event_common_scale(uint64_t a, uint64_t b, uint64_t *out)
{
	return __builtin_mul_overflow(a / (uint64_t)num_gcd(a, b), b, out) ? -1 : 0;
}

/* Sets an attribute to a number, or removes it if that is its default, `without`. */
static void
set_number(struct buf *attrs, const char *key, uint64_t n, uint64_t without)
{
	struct buf others = { 0 };
	char tmp[2 + NUM_TEXT];

	attr_add_others(&others, buf_as_text(attrs), key);
	if (n != without) {
		const bool scale = strcmp(key, "scale") == 0;

		memcpy(tmp, "1/", 2);
		attr_add(&others, key, (struct text){ scale ? tmp : tmp + 2,
		    (scale ? 2 : 0) + num_text_u64(tmp + 2, n).n });
	}
	attrs->n = 0;
	buf_text(attrs, buf_as_text(&others));
	buf_free(&others);
}

uint64_t
event_whole(const struct record *event)
{
	const uint64_t scale = event_scale(event);
	struct buf b = { 0 };
	const struct text t = attr_get(event->attrs, "parts", &b);
	uint64_t parts = 1;
	const char *end;

	if (t.n && (!(end = num_get_u64(t.s, &parts)) || end != t.s + t.n || !parts ||
	    scale % parts))
		parts = 1;
	buf_free(&b);
	return scale / parts;
}

struct record *
event_rescaled(const struct record *event, uint64_t scale, uint64_t whole, num by)
{
	const uint64_t sample = event_sample(event);
	struct record r = rec_copy_of(event), *kept;
	struct buf attrs = { 0 };
	num each;

	/* A sample too large for 64 bits cannot be used to estimate random variation. */
	if (num_mul(sample, by, &each) < 0 || each > UINT64_MAX)
		each = 0;
	buf_text(&attrs, event->attrs);
	set_number(&attrs, "scale", scale, 1);
	set_number(&attrs, "parts", scale / whole, 1);
	set_number(&attrs, "sample", (uint64_t)each,
	    text_is(event->col[EVENT_NAME].t, "samples") ? whole : 0);
	r.attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	kept = rec_keep(&r);
	buf_free(&attrs);
	return kept;
}

bool
event_calls(const struct record *event, const char *value)
{
	return attr_is(event->attrs, "calls", value);
}

bool
events_have_calls(const struct events *e)
{
	size_t i;

	for (i = 0; i < e->measured && event_calls(events_at(e, i), "absent"); i++)
		;
	return i < e->measured || !e->measured;
}

bool
event_has_role(const struct record *event, const char *role)
{
	return attr_is(event->attrs, "role", role);
}

long
event_side(const struct events *e, struct text name, const char *role)
{
	struct buf scratch = { 0 };
	bool found = false;
	size_t i;

	for (i = 0; i < e->measured && !found; i++) {
		scratch.n = 0;
		found = event_has_role(events_at(e, i), role) &&
		    text_eq(attr_get(events_at(e, i)->attrs, "of", &scratch), name);
	}
	buf_free(&scratch);
	return found ? (long)i - 1 : -1;
}

bool
event_is_change(const struct events *e, size_t column, size_t *old, size_t *new)
{
	const struct record *r = events_at(e, column);
	const struct text name = r->col[EVENT_NAME].t;
	long side[2];

	if (!event_has_role(r, "delta") || (side[0] = event_side(e, name, "old")) < 0 ||
	    (side[1] = event_side(e, name, "new")) < 0)
		return false;
	*old = (size_t)side[0];
	*new = (size_t)side[1];
	return true;
}

long
events_own_default(const struct events *e)
{
	size_t i;

	for (i = 0; i < e->measured; i++)
		if (attr_is(events_at(e, i)->attrs, "default", "1"))
			return (long)i;
	return -1;
}

long
events_change_of(const struct events *e, size_t column)
{
	const struct record *r = events_at(e, column);
	struct buf scratch = { 0 };
	long of = (long)column;

	if (event_has_role(r, "old") || event_has_role(r, "new"))
		of = events_find(e, attr_get(r->attrs, "of", &scratch));
	buf_free(&scratch);
	return of;
}

long
events_default(const struct events *e, const bool *costs)
{
	const long own = events_own_default(e);
	long best = -1, of;
	size_t i;

	for (i = 0; i < e->measured && own < 0; i++)
		if (costs[i] && (of = events_change_of(e, i)) >= 0 && (best < 0 || of < best))
			best = of;
	return own >= 0 ? own : best >= 0 ? best : e->measured ? 0 : -1;
}

/* Compares the attribute `counts` of both, if they have it. */
static int
check_counts(const struct record *was, const struct record *event, struct diag *d)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	const struct text a = attr_get(was->attrs, "counts", &scratch[0]);
	const struct text b = attr_get(event->attrs, "counts", &scratch[1]);
	int ret = 0;

	if (a.s && b.s && !text_eq(a, b))
		ret = diag_fail(d, "event %s counts %s, and counted %s before: they cannot "
		    "be added up", QUOTE(event->col[EVENT_NAME].t), QUOTE(b),
		    QUOTE(a));
	buf_free(&scratch[0]);
	buf_free(&scratch[1]);
	return ret;
}

static int
other_unit(const struct record *was, const struct record *event, struct diag *d)
{
	struct text a = was->col[EVENT_UNIT].t, b = event->col[EVENT_UNIT].t;

	return diag_fail(d, "event %s has a different unit than before: "
	    "1/%" PRIu64 " %s, not 1/%" PRIu64 " %s", QUOTE(event->col[EVENT_NAME].t),
	    event_scale(event), b.s ? QUOTE(b) : "without a unit",
	    event_scale(was), a.s ? QUOTE(a) : "without a unit");
}

int
event_check_unit(const struct record *was, const struct record *event, struct diag *d)
{
	return text_eq(was->col[EVENT_UNIT].t, event->col[EVENT_UNIT].t) ?
	    check_counts(was, event, d) : other_unit(was, event, d);
}

int
event_check_units(const struct record *was, const struct record *event, struct diag *d)
{
	return event_scale(was) == event_scale(event) ?
	    event_check_unit(was, event, d) : other_unit(was, event, d);
}

void
events_tell_lacking(struct diag *d, const char *names, struct text formula, uint64_t lacking,
    uint64_t parts)
{
	const bool one = lacking == 1;
	struct buf b = { 0 };

	buf_printf(&b, "%" PRIu64 " of %" PRIu64 " parts ", lacking, parts);
	if (!names)
		buf_printf(&b, "%s an event of %s, and %s not in it", one ? "lacks" : "lack",
		    QUOTE(formula), one ? "is" : "are");
	else
		buf_printf(&b, "%s no %s", one ? "has" : "have", names);
	if (names && formula.n)
		buf_printf(&b, ", and %s not in %s", one ? "is" : "are", QUOTE(formula));
	if (lacking)
		diag_say(d, DIAG_NOTE, "%s", buf_str(&b));
	buf_free(&b);
}

const char *
events_suggest(const struct events *e, struct text what)
{
	struct buf b = { 0 };
	const char *suggestion;
	size_t i;

	for (i = 0; i < e->n; i++) {
		struct text name = e->v[i].r->col[EVENT_NAME].t;

		if (events_resolve(e, name, NULL) == 1)
			buf_printf(&b, "%s%.*s", b.n ? "\n" : "", (int)name.n, name.s);
	}
	suggestion = suggest_suffix(suggest_in(what, buf_str(&b), "\n"));
	buf_free(&b);
	return suggestion;
}

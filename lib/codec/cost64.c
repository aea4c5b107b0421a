/* SPDX-License-Identifier: ISC */
#include "codec/cost64.h"

#include <stdlib.h>

#include "util/mem.h"

void
cost64_event(struct cost64 *c, struct buf *name)
{
	c->names = mem_grow(c->names, &c->cap, c->n + 1, sizeof *c->names);
	c->names[c->n++] = *name;
	*name = (struct buf){ 0 };
}

void
cost64_begin(struct cost64 *c)
{
	c->total = mem_grow(c->total, &c->captotal, c->n + 1, sizeof *c->total);
	memset(c->total, 0, (c->n + 1) * sizeof *c->total);
}

void
cost64_end(struct cost64 *c)
{
	while (c->n)
		buf_free(&c->names[--c->n]);
}

void
cost64_free(struct cost64 *c)
{
	cost64_end(c);
	free(c->names);
	free(c->total);
}

static bool
fits(struct text v, num *n)
{
	return num_get_num(v.s, v.n, n) == 0 && *n <= UINT64_MAX && *n >= INT64_MIN;
}

/* Returns the function; for a stack, the innermost one. */
static uint32_t
func_of(const struct cost64 *c, const struct record *r)
{
	const uint32_t id = (uint32_t)r->col[0].n;

	return rec_kind(r) == REC_SAMPLE ? dict_frame(c->e->dict, id)[CTX_FUNC] : id;
}

static int
too_large(struct cost64 *c, const struct record *r, size_t event, struct text v)
{
	struct text f = dict_func_name(c->e->dict, func_of(c, r));
	struct text e = event < c->n ? buf_as_text(&c->names[event]) : TEXT("?");

	return diag_fail_plain(c->e->diag, "%s: function %s, event %s: %s "
	    "does not fit 64 bits", c->e->format, QUOTE(f), QUOTE(e), QUOTE(v));
}

static int
too_many(struct cost64 *c)
{
	return diag_fail_plain(c->e->diag, "%s: more values than events", c->e->format);
}

/* Writes a value at *p, of any kind, and adds it to *sum unless that is NULL. */
static int
put_any(struct cost64 *c, const struct record *r, size_t event, struct text v, num *sum,
    char **p)
{
	num n;

	if (text_is(v, "-")) {
		loss_add(c->e->loss, "absent values (written as 0)");
		*(*p)++ = '0';
		return 0;
	}
	if (!fits(v, &n) || (sum && num_add(sum, n) < 0))
		return too_large(c, r, event, v);
	c->negative |= n < 0;
	*p = num_put_num(*p, n);
	return 0;
}

long
cost64_rest(struct cost64 *c, const struct record *r, enum cost64_kind kind, char **out,
    const char *s, size_t i)
{
	const char *end = r->values.s + r->values.n, *start;
	num *sum;

	for (; s < end; s++, i++) {
		if (i >= c->n)
			return too_many(c);
		for (start = s; s < end && *s != ' ' && *s != '\t'; s++)
			;
		*(*out)++ = ' ';
		sum = kind == COST64_SELF ? &c->total[i] : NULL;
		if (put_any(c, r, i, (struct text){ start, (size_t)(s - start) }, sum,
		    out) < 0)
			return -1;
	}
	return (long)i;
}

int
cost64_other_count(struct cost64 *c, const struct record *r, struct text t, uint64_t least,
    uint64_t *out)
{
	num n = least;

	if (!t.s)
		loss_add(c->e->loss, least ? "absent counts (written as 1)" :
		    "absent counts (written as 0)");
	else if (!fits(t, &n) || n < 0)
		return too_large(c, r, SIZE_MAX, t);
	*out = (uint64_t)n;
	return 0;
}

int
cost64_totals(struct cost64 *c, const char *key, struct text values, size_t least)
{
	struct text v;
	size_t i;
	num n;

	out_puts(c->e->out, key);
	for (i = 0; values_next(&values, &v); i++) {
		out_puts(c->e->out, " ");
		if (text_is(v, "-")) {
			loss_add(c->e->loss, "absent values (written as 0)");
			v = TEXT("0");
		} else if (!fits(v, &n)) {
			return diag_fail_plain(c->e->diag, "%s: %s %s does not fit "
			    "64 bits", c->e->format, key, QUOTE(v));
		}
		out_text(c->e->out, v);
	}
	for (; i < least; i++)
		out_puts(c->e->out, " 0");
	out_puts(c->e->out, "\n");
	return 0;
}

struct text
cost64_sums(const struct cost64 *c, struct buf *b)
{
	size_t i;

	b->n = 0;
	for (i = 0; i < c->n; i++)
		values_add(b, c->total[i]);
	return buf_as_text(b);
}

void
cost64_check(const struct cost64 *c, struct text stated)
{
	struct text v;
	size_t i;
	num n;

	for (i = 0; i < c->n; i++) {
		n = 0;
		if (!values_next(&stated, &v))
			v = TEXT("0");
		if (text_is(v, "-"))
			continue;
		if (num_get_num(v.s, v.n, &n) == 0 && n != c->total[i])
			diag_say(c->e->diag, DIAG_WARN, "the lines of a part do not add "
			    "up to the profiler's total: %s of %s", QUOTE(v),
			    QUOTE(c->names[i]));
	}
}

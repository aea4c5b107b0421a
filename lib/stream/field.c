/* SPDX-License-Identifier: ISC */
#include "stream/field.h"

static void
escape(struct buf *b, struct text t, bool key)
{
	size_t i, from = 0;

	for (i = 0; i < t.n; i++) {
		const char *e = NULL;

		switch (t.s[i]) {
		case '\t': e = "\\t"; break;
		case '\n': e = "\\n"; break;
		case '\r': e = "\\r"; break;
		case '\\': e = "\\\\"; break;
		case '\0': e = "\\x00"; break;
		case '=': e = key ? "\\=" : NULL; break;
		}
		if (!e)
			continue;
		buf_add(b, t.s + from, i - from);
		buf_puts(b, e);
		from = i + 1;
	}
	buf_add(b, t.s + from, t.n - from);
}

void
field_escape(struct buf *b, struct text t)
{
	if (!t.s)
		buf_putc(b, '-');
	else if (t.n == 1 && t.s[0] == '-')
		buf_puts(b, "\\-");
	else
		escape(b, t, false);
}

/* Adds the text of a field that contains no TAB. */
static bool
unescape(struct text f, struct buf *out)
{
	size_t i;

	for (i = 0; i < f.n; i++) {
		char c = f.s[i];

		if (c != '\\') {
			buf_putc(out, c);
			continue;
		}
		if (++i == f.n)
			return false;
		switch (f.s[i]) {
		case 't': c = '\t'; break;
		case 'n': c = '\n'; break;
		case 'r': c = '\r'; break;
		case '\\': c = '\\'; break;
		case '=': c = '='; break;
		case '-':
			if (f.n != 2)
				return false;
			c = '-';
			break;
		case 'x':
			if (f.n - i < 3 || f.s[i + 1] != '0' || f.s[i + 2] != '0')
				return false;
			i += 2;
			c = '\0';
			break;
		default:
			return false;
		}
		buf_putc(out, c);
	}
	return true;
}

bool
field_unescape(struct text f, struct buf *scratch, struct text *t)
{
	size_t from = scratch->n;

	if (f.n == 1 && f.s[0] == '-') {
		*t = (struct text){ 0 };
		return true;
	}
	if (!f.n || !memchr(f.s, '\\', f.n)) {
		*t = (struct text){ f.s ? f.s : "", f.n };
		return true;
	}
	buf_room(scratch, f.n);	/* so that it is not reallocated below */
	if (!unescape(f, scratch))
		return false;
	*t = (struct text){ scratch->s + from, scratch->n - from };
	return true;
}

/* A canonical decimal at p that ends before `end`. */
static const char *
get_dec(const char *p, const char *end, uint64_t *v)
{
	const char *q = p;

	while (q < end && *q >= '0' && *q <= '9')
		q++;
	if (q == p || (*p == '0' && q - p > 1) || q - p > 20)
		return NULL;
	for (*v = 0; p < q; p++)
		if (__builtin_mul_overflow(*v, 10, v) ||
		    __builtin_add_overflow(*v, (uint64_t)(*p - '0'), v))
			return NULL;
	return q;
}

static const char *
get_0x(const char *p, const char *end, uint64_t *v)
{
	const char *q;

	if (end - p < 3 || p[0] != '0' || p[1] != 'x')
		return NULL;
	p += 2;
	for (q = p; q < end && ((*q >= '0' && *q <= '9') ||
	    (*q >= 'a' && *q <= 'f')); q++)
		;
	if (q == p || (*p == '0' && q - p > 1) || q - p > 16)
		return NULL;
	for (*v = 0; p < q; p++)
		*v = *v << 4 | (uint64_t)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
	return q;
}

bool
field_get_line(struct text t, struct field *f)
{
	const char *p = t.s, *end = t.s + t.n;

	f->has = 0;
	if (t.n == 1 && *p == '-')
		return true;
	if (!(p = get_dec(p, end, &f->n)))
		return false;
	f->has = HAS_N;
	if (p < end && *p == ':') {
		if (!(p = get_dec(p + 1, end, &f->m)))
			return false;
		f->has |= HAS_M;
	}
	return p == end;
}

bool
field_get_addr(struct text t, struct field *f)
{
	const char *p = t.s, *end = t.s + t.n;

	f->has = 0;
	if (t.n == 1 && *p == '-')
		return true;
	if (p < end && *p != '#') {
		if (!(p = get_0x(p, end, &f->n)))
			return false;
		f->has = HAS_N;
	}
	if (p < end && *p == '#') {
		const char *q = get_0x(p + 1, end, &f->m);

		f->has |= q ? HAS_BB : HAS_M;
		if (!q && (f->has & HAS_N))
			return false;
		p = q ? q : get_dec(p + 1, end, &f->m);
	}
	return p == end && f->has;
}

bool
fields_next(struct text *rest, struct text *field)
{
	const char *tab;

	if (!rest->s)
		return false;
	tab = rest->n ? memchr(rest->s, '\t', rest->n) : NULL;
	*field = *rest;
	if (!tab) {
		*rest = (struct text){ 0 };
		return true;
	}
	field->n = (size_t)(tab - rest->s);
	rest->n -= field->n + 1;
	rest->s = tab + 1;
	return true;
}

bool
attr_next(struct text *rest, struct buf *scratch, struct text *key,
    struct text *value)
{
	struct text f;
	size_t eq, from = scratch->n, mid;

	if (!fields_next(rest, &f))
		return false;
	for (eq = 0; eq < f.n && f.s[eq] != '='; eq++)
		if (f.s[eq] == '\\')
			eq++;
	if (eq >= f.n)
		return false;
	buf_room(scratch, f.n + 1);
	if (!unescape((struct text){ f.s, eq }, scratch))
		return false;
	mid = scratch->n;
	if (!unescape((struct text){ f.s + eq + 1, f.n - eq - 1 }, scratch))
		return false;
	scratch->s[scratch->n] = '\0';	/* there is room, as neither form is longer than the
					 * text */
	*key = (struct text){ scratch->s + from, mid - from };
	*value = (struct text){ scratch->s + mid, scratch->n - mid };
	return true;
}

struct text
attr_get(struct text attrs, const char *key, struct buf *scratch)
{
	struct text k, v;
	size_t from = scratch->n;

	while (attr_next(&attrs, scratch, &k, &v)) {
		if (text_is(k, key))
			return v;
		scratch->n = from;
	}
	return (struct text){ 0 };
}

bool
attr_has(struct text attrs, const char *key)
{
	struct buf scratch = { 0 };
	const bool has = attr_get(attrs, key, &scratch).s != NULL;

	buf_free(&scratch);
	return has;
}

bool
attr_is(struct text attrs, const char *key, const char *value)
{
	struct buf scratch = { 0 };
	const bool is = text_is(attr_get(attrs, key, &scratch), value);

	buf_free(&scratch);
	return is;
}

void
attr_add_text(struct buf *b, struct text key, struct text value)
{
	if (b->n)
		buf_putc(b, '\t');
	escape(b, key, true);
	buf_putc(b, '=');
	escape(b, value, false);
}

void
attr_add(struct buf *b, const char *key, struct text value)
{
	attr_add_text(b, text_of(key), value);
}

void
attr_add_others(struct buf *b, struct text attrs, const char *key)
{
	const size_t n = strlen(key);
	struct text f;

	while (attrs.n && fields_next(&attrs, &f)) {
		if (f.n > n && memcmp(f.s, key, n) == 0 && f.s[n] == '=')
			continue;
		buf_puts(b, b->n ? "\t" : "");
		buf_text(b, f);
	}
}

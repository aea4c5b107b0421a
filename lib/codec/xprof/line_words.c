/* SPDX-License-Identifier: ISC */
/* Words of a file, and their conversion when reading and writing. */
#include "xprof.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

const char *const xprof_stat_name[XPROF_STATS] = { "max", "sum" };
static const char *const count_name[XPROF_COUNTS] = { "n_vp_sites", "n_vp_records" };

/* ---- numbers ---- */

bool
xprof_number(struct text t, uint64_t most, uint64_t *out)
{
	size_t i;

	*out = 0;
	for (i = 0; i < t.n; i++)
		if (t.s[i] < '0' || t.s[i] > '9' ||
		    __builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, (uint64_t)(t.s[i] - '0'), out))
			return false;
	return t.n && *out <= most;
}

bool
xprof_signature(struct text t, uint64_t *out)
{
	size_t i = t.n > 2 && t.s[0] == '0' && (t.s[1] | 0x20) == 'x' ? 2 : 0;

	*out = 0;
	for (; i < t.n; i++) {
		unsigned char c = (unsigned char)t.s[i];

		if (!isxdigit(c) || *out >> 60)
			return false;
		*out = *out << 4 | (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return t.n;
}

bool
xprof_knows(struct text version)
{
	const char *dot = version.n ? memchr(version.s, '.', version.n) : NULL;
	size_t n = dot ? (size_t)(dot - version.s) : 0;
	uint64_t major, minor;

	if (!dot || !xprof_number((struct text){ version.s, n }, 99, &major) ||
	    !xprof_number((struct text){ dot + 1, version.n - n - 1 }, 99, &minor))
		return false;
	return (major == 3 && minor >= 1) || (major == 4 && minor <= 3);
}

/* Is it a whole number between the limits of a signed one of so many bits? */
static bool
is_int(struct text t, unsigned bits)
{
	const uint64_t most = ((uint64_t)1 << (bits - 1)) - 1;
	bool minus = t.n && *t.s == '-';
	uint64_t v;

	return xprof_number((struct text){ t.s + minus, t.n - minus }, most + minus, &v);
}

/* Is it a floating-point number? printf(3) writes infinities and NaN in several ways, and with
 * "%f" hundreds of digits. */
static bool
is_float(struct text t)
{
	char few[64], *s = few, *end;
	bool is;

	if (!t.n || isspace((unsigned char)*t.s))
		return false;
	if (t.n >= sizeof few)
		s = mem_resize(NULL, 1, t.n + 1);
	memcpy(s, t.s, t.n);
	s[t.n] = '\0';
	strtod(s, &end);
	is = end == s + t.n;
	if (s != few)
		free(s);
	return is;
}

bool
xprof_is_value(struct text type, struct text value)
{
	if (text_is(type, "INT"))
		return is_int(value, 32);
	if (text_is(type, "LLONG"))
		return is_int(value, 64);
	if (text_is(type, "FLOAT") || text_is(type, "DOUBLE"))
		return is_float(value);
	return true;
}

/* ---- stated numbers ---- */

void
xprof_stated_add(struct buf *b, const struct xprof_stated *s)
{
	const size_t from = b->n;
	unsigned i;

	for (i = 0; i < s->n; i++) {
		buf_printf(b, "%s%s", b->n > from ? " " : "",
		    xprof_stat_name[s->stat[i].what]);
		if (s->stat[i].stated)
			buf_printf(b, "=%" PRIu64, s->stat[i].value);
	}
	for (i = 0; i < XPROF_COUNTS; i++)
		if (s->count[i].stated)
			buf_printf(b, "%s%s=%" PRIu64, b->n > from ? " " : "",
			    count_name[i], s->count[i].value);
}

static bool
stated_word(struct xprof_stated *s, struct text word)
{
	const char *eq = word.n ? memchr(word.s, '=', word.n) : NULL;
	struct text name = { word.s, eq ? (size_t)(eq - word.s) : word.n };
	uint64_t v = 0;
	unsigned i;

	if (eq && !xprof_number((struct text){ eq + 1, word.n - name.n - 1 },
	    UINT64_MAX, &v))
		return false;
	for (i = 0; i < XPROF_COUNTS && eq; i++)
		if (text_is(name, count_name[i])) {
			s->count[i].stated = true;
			s->count[i].value = v;
			return true;
		}
	for (i = 0; i < s->n; i++)
		if (text_is(name, xprof_stat_name[s->stat[i].what]))
			return false;
	for (i = 0; i < XPROF_STATS && !text_is(name, xprof_stat_name[i]); i++)
		;
	if (i == XPROF_STATS)
		return false;
	s->stat[s->n++] = (struct xprof_stat){ i, eq != NULL, v };
	return true;
}

bool
xprof_stated_get(struct text t, struct xprof_stated *s)
{
	struct text word;

	*s = (struct xprof_stated){ 0 };
	while (values_next(&t, &word))
		if (!stated_word(s, word))
			return false;
	return true;
}

/* ---- objects ---- */

struct object_def
xprof_object(struct dict *d, struct text path, uint64_t signature, uint64_t sec,
    uint64_t usec)
{
	struct object_def o;
	struct buf b = { 0 };

	o.path = dict_str(d, path);
	o.key = dict_addr(d, signature);
	buf_printf(&b, "xprof.sec=%" PRIu64 "\txprof.usec=%" PRIu64, sec, usec);
	o.attrs = dict_str(d, buf_as_text(&b));
	buf_free(&b);
	return o;
}

/* SPDX-License-Identifier: ISC */
#include "util/json_read.h"

#include <string.h>

#include "util/printable.h"

/* ---- errors ---- */

void
json_read_fail(struct json_reader *j, const char *why)
{
	if (!j->why)
		j->why = why;
}

/* The input at this place is not what it should be, or the text ends. */
static bool
fail_at(struct json_reader *j, const char *at, const char *why)
{
	if (!j->why) {
		j->at = at;
		j->cut = at >= j->end;
		j->why = j->cut ? "the text ends early" : why;
	}
	return false;
}

/* ---- structure ---- */

static bool
in_object(const struct json_reader *j)
{
	return j->depth && j->kinds[(j->depth - 1) / 8] & 1u << (j->depth - 1) % 8;
}

static void
skip_blanks(struct json_reader *j)
{
	while (j->at < j->end &&
	    (*j->at == ' ' || *j->at == '\n' || *j->at == '\r' || *j->at == '\t'))
		j->at++;
}

/* Is this byte the next one? */
static bool
is_next(struct json_reader *j, char c)
{
	skip_blanks(j);
	return !j->why && j->at < j->end && *j->at == c;
}

static bool
take(struct json_reader *j, char c, const char *why)
{
	if (j->why)
		return false;
	if (!is_next(j, c))
		return fail_at(j, j->at, why);
	j->at++;
	return true;
}

static void
enter(struct json_reader *j, bool object)
{
	const unsigned char bit = (unsigned char)(1u << j->depth % 8);

	if (j->why)
		return;
	if (j->depth == JSON_DEPTH) {
		fail_at(j, j->at, "objects and arrays are nested too deeply");
		return;
	}
	j->kinds[j->depth / 8] = (unsigned char)(object ? j->kinds[j->depth / 8] | bit :
	    j->kinds[j->depth / 8] & ~bit);
	j->depth++;
	j->first = true;
}

/* True: the next member or item begins; false: the innermost object or array has ended, or
 * there is an error. */
static bool
next(struct json_reader *j, char close)
{
	if (is_next(j, close) && j->depth) {
		j->at++;
		j->depth--;
		j->first = false;
		return false;
	}
	if (!j->first && !take(j, ',', close == '}' ? "expected ',' or '}'" :
	    "expected ',' or ']'"))
		return false;
	skip_blanks(j);
	if (j->at >= j->end)
		fail_at(j, j->at, "");
	j->first = false;
	return !j->why;
}

void
json_read_object(struct json_reader *j)
{
	if (take(j, '{', "expected an object"))
		enter(j, true);
}

void
json_read_array(struct json_reader *j)
{
	if (take(j, '[', "expected an array"))
		enter(j, false);
}

bool
json_read_item(struct json_reader *j)
{
	return next(j, ']');
}

/* ---- strings ---- */

static bool
get_hex(struct json_reader *j, const char *p, uint32_t *c)
{
	int i;

	*c = 0;
	for (i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdef", *d;

		if (p + i >= j->end || !p[i] || !(d = strchr(digits, p[i] | 0x20)) ||
		    ((p[i] < '0' || p[i] > '9') && (p[i] | 0x20) < 'a'))
			return fail_at(j, p + i, "expected four hexadecimal digits");
		*c = *c << 4 | (uint32_t)(d - digits);
	}
	return true;
}

/* Adds the character of \uXXXX at p, after the u.  Returns the byte after it, or after the
 * second of a pair; NULL: an error. */
static const char *
add_unicode(struct json_reader *j, const char *p)
{
	uint32_t c, low;

	if (!get_hex(j, p, &c))
		return NULL;
	p += 4;
	if (c >= 0xd800 && c < 0xdc00 && j->end - p >= 2 && p[0] == '\\' && p[1] == 'u') {
		if (!get_hex(j, p + 2, &low))
			return NULL;
		if (low >= 0xdc00 && low < 0xe000) {
			printable_add_code(&j->text, 0x10000 + ((c - 0xd800) << 10) +
			    (low - 0xdc00));
			return p + 6;
		}
	}
	if (c >= 0xdc80 && c <= 0xdcff)
		buf_putc(&j->text, (char)(c & 0xff));
	else
		printable_add_code(&j->text, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
	return p;
}

/* Adds the character of an escape at p, after the backslash.  Returns the byte after it;
 * NULL: an error. */
static const char *
add_escape(struct json_reader *j, const char *p)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found;

	if (p < j->end && *p == 'u')
		return add_unicode(j, p + 1);
	if (p >= j->end || !*p || !(found = strchr(from, *p))) {
		fail_at(j, p, "not an escape of JSON");
		return NULL;
	}
	buf_putc(&j->text, to[found - from]);
	return p + 1;
}

/* Returns the first quote, backslash or control character from p on. */
static const char *
plain_end(const struct json_reader *j, const char *p)
{
	while (p < j->end && *p != '"' && *p != '\\' && (unsigned char)*p >= ' ')
		p++;
	return p;
}

/* Reads a string from its quote on. */
static bool
get_string(struct json_reader *j, struct text *s)
{
	const char *p, *from;

	if (!take(j, '"', "expected a string"))
		return false;
	from = j->at;
	p = plain_end(j, from);
	j->text.n = 0;
	while (p < j->end && *p == '\\') {
		buf_add(&j->text, from, (size_t)(p - from));
		if (!(p = from = add_escape(j, p + 1)))
			return false;
		p = plain_end(j, p);
	}
	if (p >= j->end || *p != '"')
		return fail_at(j, p, "a control character in a string");
	if (j->at == from) {
		*s = (struct text){ from, (size_t)(p - from) };
	} else {
		buf_add(&j->text, from, (size_t)(p - from));
		*s = buf_as_text(&j->text);
	}
	j->at = p + 1;
	return true;
}

bool
json_read_key(struct json_reader *j, struct text *key)
{
	return next(j, '}') && get_string(j, key) && take(j, ':', "expected ':'");
}

/* ---- words ---- */

static bool
take_word(struct json_reader *j, const char *word)
{
	const size_t n = strlen(word);

	if ((size_t)(j->end - j->at) < n)
		return fail_at(j, j->end, "");
	if (memcmp(j->at, word, n) != 0)
		return fail_at(j, j->at, "expected a value");
	j->at += n;
	return true;
}

enum json_kind
json_read_kind(struct json_reader *j)
{
	skip_blanks(j);
	if (j->why || j->at >= j->end)
		return JSON_NONE;
	switch (*j->at) {
	case '{':
		return JSON_OBJECT;
	case '[':
		return JSON_ARRAY;
	case '"':
		return JSON_STRING;
	case 't':
		return JSON_TRUE;
	case 'f':
		return JSON_FALSE;
	case 'n':
		return JSON_NULL;
	default:
		return *j->at == '-' || (*j->at >= '0' && *j->at <= '9') ? JSON_NUMBER :
		    JSON_NONE;
	}
}

bool
json_read_string(struct json_reader *j, struct text *s)
{
	*s = (struct text){ 0 };
	return json_read_kind(j) == JSON_NULL ? take_word(j, "null") : get_string(j, s);
}

bool
json_read_bool(struct json_reader *j, bool *b)
{
	const enum json_kind kind = json_read_kind(j);

	*b = kind == JSON_TRUE;
	if (j->why)
		return false;
	return kind == JSON_TRUE ? take_word(j, "true") : kind == JSON_FALSE ?
	    take_word(j, "false") : fail_at(j, j->at, "expected true or false");
}

/* ---- numbers ---- */

static const char *
digits_end(const struct json_reader *j, const char *p)
{
	while (p < j->end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

/* Skips digits, at least one, and returns the byte after them; NULL: an error. */
static const char *
some_digits(struct json_reader *j, const char *p)
{
	const char *q = digits_end(j, p);

	if (q == p)
		fail_at(j, p, "expected a digit");
	return q == p ? NULL : q;
}

bool
json_read_number(struct json_reader *j, struct text *number)
{
	const char *from, *p;

	skip_blanks(j);
	if (j->why)
		return false;
	from = p = j->at;
	if (p < j->end && *p == '-')
		p++;
	if (p >= j->end || *p < '0' || *p > '9')
		return fail_at(j, p, "expected a number");
	p = *p == '0' ? p + 1 : digits_end(j, p);
	if (p < j->end && *p == '.' && !(p = some_digits(j, p + 1)))
		return false;
	if (p < j->end && (*p == 'e' || *p == 'E')) {
		p++;
		p += p < j->end && (*p == '+' || *p == '-');
		if (!(p = some_digits(j, p)))
			return false;
	}
	*number = (struct text){ from, (size_t)(p - from) };
	j->at = p;
	return true;
}

/* The largest exponent.  No file is long enough to have the digits for a larger one. */
#define MOST_EXPONENT ((int64_t)1 << 60)

static int64_t
exponent_of(const char *p, const char *end)
{
	const bool minus = p < end && *p == '-';
	int64_t n = 0;

	for (p += p < end && (*p == '-' || *p == '+'); p < end; p++)
		n = n < MOST_EXPONENT / 10 ? n * 10 + (*p - '0') : MOST_EXPONENT;
	return minus ? -n : n;
}

/* Returns the next digit, skipping the point; -1 at the end. */
static int
next_digit(const char **p, const char *end)
{
	*p += *p < end && **p == '.';
	return *p < end ? *(*p)++ - '0' : -1;
}

/* Converts a number times ten to the power of `decimals`, rounded, from its text, so that
 * the digits that count are exact however many there are.  False: it does not fit. */
static bool
get_fixed(struct text t, unsigned decimals, num *n, bool *exact)
{
	const bool minus = *t.s == '-';
	const char *p = t.s + minus, *end = t.s + t.n, *point;
	const char *e = memchr(p, 'e', (size_t)(end - p));
	int64_t whole;		/* digits that count */
	int digit, after;
	num v = 0;

	if (!e && !(e = memchr(p, 'E', (size_t)(end - p))))
		e = end;
	point = memchr(p, '.', (size_t)(e - p));
	whole = (point ? point : e) - p + (int64_t)decimals + exponent_of(e + (e < end), end);
	for (; whole > 0 && ((digit = next_digit(&p, e)) >= 0 || v); whole--)
		if (__builtin_mul_overflow(v, 10, &v) ||	/* downwards: holds NUM_MIN */
		    num_sub(&v, digit > 0 ? digit : 0) < 0)
			return false;
	after = whole < 0 ? 0 : next_digit(&p, e);
	*exact &= after <= 0;
	while ((digit = next_digit(&p, e)) >= 0)
		*exact &= digit == 0;
	if ((after >= 5 && num_sub(&v, 1) < 0) || (!minus && v == NUM_MIN))
		return false;
	*n = minus ? v : -v;
	return true;
}

bool
json_read_fixed(struct json_reader *j, unsigned decimals, num *n, bool *exact)
{
	const char *at = j->at;
	struct text t;

	*n = 0;
	return json_read_number(j, &t) && (get_fixed(t, decimals, n, exact) ||
	    fail_at(j, at, "the number is too large"));
}

/* Reads a number in a string, as json_num() writes large ones. */
static bool
take_quoted(struct json_reader *j, num *n)
{
	const char *at = j->at;
	struct text t;
	size_t i;
	bool exact = true;

	if (!get_string(j, &t))
		return false;
	for (i = t.n > 1 && *t.s == '-'; i < t.n && t.s[i] >= '0' && t.s[i] <= '9'; i++)
		;
	return (t.n && i == t.n && get_fixed(t, 0, n, &exact)) ||
	    fail_at(j, at, "expected a number");
}

bool
json_read_int(struct json_reader *j, num *n)
{
	const enum json_kind kind = json_read_kind(j);
	const char *at = j->at;
	bool exact = true;

	*n = 0;
	if (kind == JSON_STRING)
		return take_quoted(j, n);
	return json_read_fixed(j, 0, n, &exact) &&
	    (exact || fail_at(j, at, "expected a whole number"));
}

bool
json_read_u64(struct json_reader *j, uint64_t *n)
{
	const char *at;
	num v;

	skip_blanks(j);
	at = j->at;
	*n = 0;
	if (!json_read_int(j, &v))
		return false;
	if (v < 0 || v > (num)UINT64_MAX)
		return fail_at(j, at, "expected a number from 0 to 2^64 - 1");
	*n = (uint64_t)v;
	return true;
}

/* ---- any value ---- */

/* Takes a value that is neither object nor array, or enters one that is. */
static void
take_or_enter(struct json_reader *j)
{
	struct text t;
	bool b;

	switch (json_read_kind(j)) {
	case JSON_OBJECT:
		json_read_object(j);
		break;
	case JSON_ARRAY:
		json_read_array(j);
		break;
	case JSON_STRING:
		get_string(j, &t);
		break;
	case JSON_NUMBER:
		json_read_number(j, &t);
		break;
	case JSON_NULL:
		take_word(j, "null");
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		json_read_bool(j, &b);
		break;
	default:
		fail_at(j, j->at, "expected a value");
	}
}

void
json_read_skip(struct json_reader *j)
{
	const size_t depth = j->depth;
	struct text key;

	take_or_enter(j);
	while (!j->why && j->depth > depth)
		if (in_object(j) ? json_read_key(j, &key) : json_read_item(j))
			take_or_enter(j);
}

/* ---- the whole ---- */

void
json_read_begin(struct json_reader *j, const char *p, size_t n)
{
	*j = (struct json_reader){ .begin = p, .at = p, .end = p + n };
	if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)	/* a byte order mark */
		j->at += 3;
}

int
json_read_end(struct json_reader *j)
{
	skip_blanks(j);
	if (!j->why && j->at < j->end)
		fail_at(j, j->at, "there is more after the end");
	buf_free(&j->text);
	return j->why ? -1 : 0;
}

bool
json_has_key(const char *p, size_t n, const char *key)
{
	struct json_reader j;
	struct text name;
	bool found = false;

	json_read_begin(&j, p, n);
	json_read_object(&j);
	while (!found && json_read_key(&j, &name))
		if (!(found = text_is(name, key)))
			json_read_skip(&j);
	buf_free(&j.text);
	return found;
}

bool
json_contains(const char *p, size_t n, const char *bytes)
{
	struct json_reader j;

	json_read_begin(&j, p, n);
	return json_read_kind(&j) == JSON_OBJECT && memmem(p, n, bytes, strlen(bytes));
}

bool
json_is_cut(const char *p, size_t n)
{
	struct json_reader j;

	json_read_begin(&j, p, n);
	json_read_skip(&j);
	buf_free(&j.text);
	return j.cut;
}

/* SPDX-License-Identifier: ISC */
/*
 * Reads JSON text (RFC 8259) from memory, value by value, on the caller's demand:
 *
 *	json_read_begin(&j, p, n);
 *	for (json_read_object(&j); json_read_key(&j, &key); )
 *		if (text_is(key, "size"))
 *			json_read_int(&j, &size);
 *		else
 *			json_read_skip(&j);
 *	if (json_read_end(&j) < 0)
 *		... j.why, at byte j.at - j.begin ...
 *
 * Each key and each item must be followed by one call that takes its value, or, where
 * that is an object or an array, by the calls that take what is in it.  No tree is made,
 * and nothing is recursive: depth is bounded, by JSON_DEPTH.
 *
 * The first error sticks: from then on every call fails, and loops end, so that callers
 * need to ask only once, at the end.
 */
#ifndef PROF_UTIL_JSON_READ_H
#define PROF_UTIL_JSON_READ_H

#include "util/num.h"
#include "util/scan.h"

#define JSON_DEPTH 20000	/* a nested call tree is as deep as its stacks */

enum json_kind {
	JSON_NONE,		/* an error, or the end of the text */
	JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER, JSON_TRUE, JSON_FALSE, JSON_NULL,
};

struct json_reader {
	const char *begin, *at, *end;	/* the text, and the part not read yet */
	const char *why;	/* the error at `at`, static; NULL: none so far */
	bool cut;		/* the error is that the text ends */
	bool first;		/* nothing has been read in the innermost object or array */
	size_t depth;
	unsigned char kinds[JSON_DEPTH / 8];	/* bit: object, of each level */
	struct buf text;	/* of a string with escapes */
};

/* The text must outlive the reader and the texts that it returns. */
void json_read_begin(struct json_reader *j, const char *p, size_t n);

/* Ends reading: 0 if all was read and nothing follows, otherwise -1 with j->why.  Always
 * frees the reader's memory. */
int json_read_end(struct json_reader *j);

/* Returns the kind of the next value, without taking it. */
enum json_kind json_read_kind(struct json_reader *j);

/* Begins an object. json_read_key() takes its next key, escapes replaced, which lives until
 * the next string or key is read; it returns false at the end of the object, which it
 * takes.  Arrays work in the same way, without keys. */
void json_read_object(struct json_reader *j);
bool json_read_key(struct json_reader *j, struct text *key);
void json_read_array(struct json_reader *j);
bool json_read_item(struct json_reader *j);

/*
 * Takes a string, escapes replaced; it lives as long as a key.  The surrogates U+DC80 to
 * U+DCFF that stand alone are bytes, as json.h writes them; others become U+FFFD. null is
 * an absent text.  False: an error.
 */
bool json_read_string(struct json_reader *j, struct text *s);

/* Takes a number as text, unchanged. */
bool json_read_number(struct json_reader *j, struct text *number);

/* Takes a whole number that fits, in any spelling: 12, 12.0, 1.2e1, or "12" as json.h
 * writes large ones.  False, with an error, for any other value. */
bool json_read_int(struct json_reader *j, num *n);
bool json_read_u64(struct json_reader *j, uint64_t *n);

/* Takes a number times ten to the power of `decimals`, rounded half away from zero.  Sets
 * *exact to false if it rounded, and leaves it alone otherwise. */
bool json_read_fixed(struct json_reader *j, unsigned decimals, num *n, bool *exact);

bool json_read_bool(struct json_reader *j, bool *b);

/* Takes a value of any kind. */
void json_read_skip(struct json_reader *j);

/* Sets an error of the caller's own, at the value that was read last. */
void json_read_fail(struct json_reader *j, const char *why);

/* For probes: does the text, which begins with the n bytes at p, begin with an object that
 * has this key at its outermost level? */
bool json_has_key(const char *p, size_t n, const char *key);

/* The same, but these bytes anywhere, which takes less time to rule out. */
bool json_contains(const char *p, size_t n, const char *bytes);

/* Does the text end inside its value? */
bool json_is_cut(const char *p, size_t n);

#endif

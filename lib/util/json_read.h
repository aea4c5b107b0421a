/* SPDX-License-Identifier: ISC */
/*
 * Reading JSON text (RFC 8259) from memory, value by value, as the caller asks for them:
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

#define JSON_DEPTH 20000	/* a call tree that is nested is as deep as its stacks */

enum json_kind {
	JSON_NONE,		/* an error, or the end of the text */
	JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER, JSON_TRUE, JSON_FALSE, JSON_NULL,
};

struct json_reader {
	const char *begin, *at, *end;	/* the text, and what is to be read */
	const char *why;	/* what is wrong at `at`, static; NULL: nothing so far */
	bool cut;		/* that is that the text ends */
	bool first;		/* nothing has been read in the innermost object or array */
	size_t depth;
	unsigned char kinds[JSON_DEPTH / 8];	/* bit: object, of each level */
	struct buf text;	/* of a string with escapes */
};

/* The text must live as long as the reader, and the texts that come from it. */
void json_read_begin(struct json_reader *j, const char *p, size_t n);

/* All has been read, and there is nothing after it: 0, else -1 with j->why.  Frees what
 * the reader holds in any case. */
int json_read_end(struct json_reader *j);

/* What the next value is, not taken. */
enum json_kind json_read_kind(struct json_reader *j);

/* Begins an object; its next key, with escapes replaced, which lives until the next
 * string or key is read: false at its end, which is taken.  An array in the same way,
 * without keys. */
void json_read_object(struct json_reader *j);
bool json_read_key(struct json_reader *j, struct text *key);
void json_read_array(struct json_reader *j);
bool json_read_item(struct json_reader *j);

/*
 * A string, with escapes replaced; it lives as a key does.  The surrogates U+DC80 to
 * U+DCFF that stand alone are bytes, as json.h writes them; others become U+FFFD.  null
 * is an absent text.  False: an error.
 */
bool json_read_string(struct json_reader *j, struct text *s);

/* A number, as it is written. */
bool json_read_number(struct json_reader *j, struct text *number);

/* A number that is whole and fits, however it is written: 12, 12.0, 1.2e1, "12" as json.h
 * writes large ones.  Another one is an error. */
bool json_read_int(struct json_reader *j, num *n);
bool json_read_u64(struct json_reader *j, uint64_t *n);

/* A number times ten to the power of `decimals`, rounded half away from zero; *exact
 * becomes false, else is left alone, if there was something to round. */
bool json_read_fixed(struct json_reader *j, unsigned decimals, num *n, bool *exact);

bool json_read_bool(struct json_reader *j, bool *b);

/* Takes a value whatever it is. */
void json_read_skip(struct json_reader *j);

/* An error of the caller's making, at the value that was read last. */
void json_read_fail(struct json_reader *j, const char *why);

/* For probes: does the text, whose first n bytes are p, begin with an object that has
 * this key at its outermost level? */
bool json_has_key(const char *p, size_t n, const char *key);

/* Does the text end within its value? */
bool json_is_cut(const char *p, size_t n);

#endif

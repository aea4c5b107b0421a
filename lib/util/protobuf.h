/* SPDX-License-Identifier: ISC */
/*
 * Protocol buffers, as far as a file with one message needs them: a cursor over the fields
 * of a message, and functions to write one (protobuf.dev/programming-guides/ encoding).  No
 * schema, no tree: a message in a field is bytes for another cursor.
 *
 *	struct pb m = pb_of(text);
 *	struct pb_field f;
 *	while (pb_next(&m, &f))
 *		...
 *	if (m.wrong)
 *		...
 */
#ifndef PROF_UTIL_PROTOBUF_H
#define PROF_UTIL_PROTOBUF_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"

enum pb_type { PB_VARINT, PB_FIXED64, PB_BYTES, PB_FIXED32 = 5 };

struct pb {
	const char *p, *end;
	const char *wrong;	/* the error at p, a static text; NULL: none */
	bool cut;		/* the error is that the message ends inside a field */
};

struct pb_field {
	uint64_t number;
	enum pb_type type;
	uint64_t n;		/* the value, for all types but PB_BYTES */
	struct text bytes;	/* for PB_BYTES, in the message; otherwise empty */
};

static inline struct pb
pb_of(struct text message)
{
	return (struct pb){ message.s, message.s + message.n, NULL, false };
}

/* Reads a varint at *p and moves past it.  False if it does not end before `end`, or does
 * not fit 64 bits. */
bool pb_long_varint(const char **p, const char *end, uint64_t *n);

static inline bool
pb_varint(const char **p, const char *end, uint64_t *n)
{
	const unsigned char *s = (const unsigned char *)*p;

	if (*p < end && s[0] < 0x80) {
		*n = s[0];
		*p += 1;
		return true;
	}
	if (end - *p > 1 && s[1] < 0x80) {
		*n = (s[0] & 0x7f) | (uint64_t)s[1] << 7;
		*p += 2;
		return true;
	}
	return pb_long_varint(p, end, n);
}

/* Reads the next field.  False at the end, or if the message is malformed, with m->wrong
 * set and m->p at the field. */
bool pb_next(struct pb *m, struct pb_field *f);

/* Counts the numbers in this occurrence of a repeated field, which may come one by one or
 * packed.  -1: they are malformed. */
long pb_count(const struct pb_field *f);
/* Takes the first of these numbers off the field; false when none is left. */
static inline bool
pb_take(struct pb_field *f, uint64_t *n)
{
	const char *p = f->bytes.s, *end = p + f->bytes.n;

	if (f->type != PB_BYTES) {
		*n = f->n;
		f->type = PB_BYTES;	/* none is left */
		return true;
	}
	if (p == end || !pb_varint(&p, end, n))
		return false;
	f->bytes = (struct text){ p, (size_t)(end - p) };
	return true;
}

/* ---- writing ---- */

void pb_put_varint(struct buf *b, uint64_t n);
/* Writes a number; 0 is not written, as readers take a missing number for 0. */
void pb_put(struct buf *b, unsigned field, uint64_t n);
void pb_put_bytes(struct buf *b, unsigned field, struct text t);

#endif

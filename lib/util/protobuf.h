/* SPDX-License-Identifier: ISC */
/*
 * Protocol buffers, as far as a file of one message needs them: a cursor over the
 * fields of a message, and the way to write one (protobuf.dev/programming-guides/
 * encoding).  No schema, no tree: a message in a field is bytes for another cursor.
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
	const char *wrong;	/* what is wrong at p, a static text; NULL: nothing */
	bool cut;		/* that is, that it ends in a field */
};

struct pb_field {
	uint64_t number;
	enum pb_type type;
	uint64_t n;		/* of all types but PB_BYTES */
	struct text bytes;	/* of PB_BYTES; in the message, empty for others */
};

static inline struct pb
pb_of(struct text message)
{
	return (struct pb){ message.s, message.s + message.n, NULL, false };
}

/* A varint at *p, which moves past it: false if it does not end before `end`, or does
 * not fit 64 bits. */
bool pb_long_varint(const char **p, const char *end, uint64_t *n);

static inline bool
pb_varint(const char **p, const char *end, uint64_t *n)
{
	if (*p < end && (signed char)**p >= 0) {
		*n = (unsigned char)*(*p)++;
		return true;
	}
	return pb_long_varint(p, end, n);
}

/* The next field: false at the end, or where the message is malformed, with m->wrong
 * set and m->p at the field. */
bool pb_next(struct pb *m, struct pb_field *f);

/* The numbers of a repeated field, which may come one by one or packed: how many there
 * are in this one.  -1: they are malformed. */
long pb_count(const struct pb_field *f);
/* Takes the first of them off the field; false when none is left. */
bool pb_take(struct pb_field *f, uint64_t *n);

/* ---- writing ---- */

void pb_put_varint(struct buf *b, uint64_t n);
/* A number; 0, which readers take for an absent one, is not written. */
void pb_put(struct buf *b, unsigned field, uint64_t n);
void pb_put_bytes(struct buf *b, unsigned field, struct text t);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * The parts of a record and their text: columns, attributes, escapes, as
 * prof-stream(5) defines them.
 */
#ifndef PROF_STREAM_FIELD_H
#define PROF_STREAM_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/num.h"

/* The components of a line or an address that are present. */
enum {
	HAS_N = 1,		/* the line; the address */
	HAS_M = 2,		/* the line's column; a counter's number (#n) */
	HAS_BB = 4,		/* m is the address of a basic block (#0x...) */
};

#define NO_ID UINT32_MAX	/* a reference that is absent */
#define NOT_YET UINT64_MAX	/* no reference has come; it is not NO_ID either */

struct field {
	union {
		uint64_t n;	/* reference: dictionary id or NO_ID; line; address */
		struct text t;	/* string, not escaped; integer, canonical */
	};
	uint64_t m;		/* column; counter; basic block */
	unsigned has;		/* line, address: HAS_* */
};

/* Text as a field of the stream: escaped, absent as "-". */
void field_escape(struct buf *b, struct text t);

/* The reverse. *t becomes a part of the field itself, or of *scratch, to which the text is
 * added.  False for a bad escape. */
bool field_unescape(struct text field, struct buf *scratch, struct text *t);

#define FIELD_TEXT 48		/* room for a line or an address */

/* "12", "12:3" or "-"; returns the end. */
static inline char *
field_put_line(char *p, const struct field *f)
{
	if (!(f->has & HAS_N)) {
		*p = '-';
		return p + 1;
	}
	p = num_put_u64(p, f->n);
	if (f->has & HAS_M) {
		*p++ = ':';
		p = num_put_u64(p, f->m);
	}
	return p;
}

/* "0x12", "#3", "#0x12", "0x12#0x10" or "-". */
static inline __attribute__((always_inline)) char *
field_put_addr(char *p, const struct field *f)
{
	if (__builtin_expect(f->has == HAS_N, 1))
		return num_put_hex(p, f->n);
	if (!f->has)
		*p++ = '-';
	if (f->has & HAS_N)
		p = num_put_hex(p, f->n);
	if (f->has & (HAS_M | HAS_BB))
		*p++ = '#';
	if (f->has & HAS_BB)
		return num_put_hex(p, f->m);
	return f->has & HAS_M ? num_put_u64(p, f->m) : p;
}

/* The reverse of these two; false if the text is malformed. */
bool field_get_line(struct text t, struct field *f);
bool field_get_addr(struct text t, struct field *f);

/* Takes the next field off a TAB-separated run; false at its end. */
bool fields_next(struct text *rest, struct text *field);

/* Attributes: "key=value" fields. attr_next() takes one off, unescaped into scratch, a NUL
 * after the value; false at the end (or at a bad escape, which decoders reject). */
bool attr_next(struct text *rest, struct buf *scratch, struct text *key,
    struct text *value);
/* The value of an attribute, absent (s == NULL) if there is none.  Valid until scratch
 * changes. */
struct text attr_get(struct text attrs, const char *key, struct buf *scratch);
/* Is there an attribute with this key; has it this value? */
bool attr_has(struct text attrs, const char *key);
bool attr_is(struct text attrs, const char *key, const char *value);
void attr_add(struct buf *b, const char *key, struct text value);
void attr_add_text(struct buf *b, struct text key, struct text value);
/* Adds all attributes except those with this key, which must not need escapes, in their
 * original spelling. */
void attr_add_others(struct buf *b, struct text attrs, const char *key);

#endif

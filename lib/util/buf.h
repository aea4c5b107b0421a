/* SPDX-License-Identifier: ISC */
/*
 * Bytes: a borrowed run (struct text) and a growing buffer (struct buf).  Both
 * may hold NULs.  A zeroed buf is empty and valid; buf_free() returns it to that
 * state.  `s` is stale after any call that adds.
 */
#ifndef PROF_UTIL_BUF_H
#define PROF_UTIL_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "util/mem.h"

struct text {
	const char *s;		/* NULL: absent, which is not the same as empty */
	size_t n;
};

#define TEXT(literal) ((struct text){ (literal), sizeof(literal) - 1 })

static inline struct text
text_of(const char *s)
{
	return (struct text){ s, s ? strlen(s) : 0 };
}

/* Are n bytes the same?  Most names are short, and for these a call of memcmp() would cost
 * more than the comparison. */
static inline bool
bytes_eq(const char *a, const char *b, size_t n)
{
	uint64_t x, y, differ;
	uint32_t v, w;
	size_t i;

	if (n > 32)
		return memcmp(a, b, n) == 0;
	if (n < 4)
		return !n || !((a[0] ^ b[0]) | (a[n / 2] ^ b[n / 2]) | (a[n - 1] ^ b[n - 1]));
	if (n < 8) {
		memcpy(&v, a, 4);
		memcpy(&w, b, 4);
		differ = v ^ w;
		memcpy(&v, a + n - 4, 4);
		memcpy(&w, b + n - 4, 4);
		return !(differ | (v ^ w));
	}
	memcpy(&x, a + n - 8, 8);
	memcpy(&y, b + n - 8, 8);
	differ = x ^ y;
	for (i = 0; i < n - 8; i += 8) {
		memcpy(&x, a + i, 8);
		memcpy(&y, b + i, 8);
		differ |= x ^ y;
	}
	return !differ;
}

static inline bool
text_eq(struct text a, struct text b)
{
	return a.n == b.n && (a.s == NULL) == (b.s == NULL) &&
	    (a.n == 0 || memcmp(a.s, b.s, a.n) == 0);
}

static inline bool
text_is(struct text a, const char *s)
{
	return a.s && a.n == strlen(s) && memcmp(a.s, s, a.n) == 0;
}

static inline bool
text_begins(struct text t, const char *with)
{
	const size_t n = strlen(with);

	return t.n >= n && memcmp(t.s, with, n) == 0;
}

/* The last c in n bytes, or NULL; not every system has memrchr(3). */
static inline const char *
last_byte(const char *s, char c, size_t n)
{
	while (n && s[n - 1] != c)
		n--;
	return n ? s + n - 1 : NULL;
}

/* A path's last component; a path that ends in a slash is returned whole. */
struct text text_base_name(struct text path);

/* Compares bytes, like memcmp(3); absent text sorts first. */
int text_cmp(struct text a, struct text b);

/* Takes the next word off a comma-separated list, trimmed of blanks; *list is NULL after
 * the last one.  False at the end. */
bool list_next(const char **list, struct text *word);

struct buf {
	char *s;
	size_t n, cap;
};

/* n writable bytes at the end. */
static inline char *
buf_room(struct buf *b, size_t n)
{
	b->s = mem_grow(b->s, &b->cap, b->n + n + 1, 1);
	return b->s + b->n;
}

static inline void
buf_add(struct buf *b, const void *s, size_t n)
{
	if (n)
		memcpy(buf_room(b, n), s, n);
	b->n += n;
}

static inline void
buf_putc(struct buf *b, char c)
{
	*buf_room(b, 1) = c;
	b->n++;
}

/* Adds n blanks. */
static inline void
buf_pad(struct buf *b, size_t n)
{
	memset(buf_room(b, n), ' ', n);
	b->n += n;
}

static inline void
buf_text(struct buf *b, struct text t)
{
	buf_add(b, t.s, t.n);
}

void buf_puts(struct buf *b, const char *s);
void buf_printf(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

/* Adds everything up to the end of a descriptor.  False if reading fails (errno is set), or
 * if the buffer would have more than `most` bytes; some of it was then added. */
bool buf_read(struct buf *b, int fd, size_t most);
const char *buf_str(struct buf *b);		/* with a NUL after it */
void buf_free(struct buf *b);

static inline struct text
buf_as_text(const struct buf *b)
{
	return (struct text){ b->s ? b->s : "", b->n };
}

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Bytes: a borrowed run of them (struct text) and a growing buffer of them
 * (struct buf).  Both may hold NULs.  A buf that is all zero is empty and
 * valid; buf_free() makes it so again.  `s` is stale after any call that adds.
 */
#ifndef PROF_UTIL_BUF_H
#define PROF_UTIL_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

/* The last c in n bytes, or NULL; memrchr(3) is not everywhere. */
static inline const char *
last_byte(const char *s, char c, size_t n)
{
	while (n && s[n - 1] != c)
		n--;
	return n ? s + n - 1 : NULL;
}

/* A path's last component; one that ends in a slash is left as it is. */
struct text text_base_name(struct text path);

/* Orders by bytes; absent comes first. */
int text_cmp(struct text a, struct text b);

/* Takes the next word off a list with commas between two, blanks around it left out;
 * *list is NULL behind the last one.  False at its end. */
bool list_next(const char **list, struct text *word);

struct buf {
	char *s;
	size_t n, cap;
};

void buf_add(struct buf *b, const void *s, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_text(struct buf *b, struct text t);
void buf_printf(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
char *buf_room(struct buf *b, size_t n);	/* n writable bytes at the end */
const char *buf_str(struct buf *b);		/* with a NUL after it */
void buf_free(struct buf *b);

static inline struct text
buf_as_text(const struct buf *b)
{
	return (struct text){ b->s ? b->s : "", b->n };
}

#endif

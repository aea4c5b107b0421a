/* SPDX-License-Identifier: ISC */
#include "util/buf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/mem.h"

int
text_cmp(struct text a, struct text b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c;

	if (!a.s || !b.s)
		return (a.s != NULL) - (b.s != NULL);
	c = n ? memcmp(a.s, b.s, n) : 0;
	return c ? c : (a.n > b.n) - (a.n < b.n);
}

struct text
text_base_name(struct text path)
{
	const char *slash = last_byte(path.s, '/', path.n);

	if (!slash || slash + 1 == path.s + path.n)
		return path;
	return (struct text){ slash + 1, (size_t)(path.s + path.n - slash - 1) };
}

bool
list_next(const char **list, struct text *word)
{
	size_t n;

	if (!*list)
		return false;
	n = strcspn(*list, ",");
	*word = (struct text){ *list, n };
	*list = (*list)[n] ? *list + n + 1 : NULL;
	while (word->n && word->s[0] == ' ')
		word->s++, word->n--;
	while (word->n && word->s[word->n - 1] == ' ')
		word->n--;
	return true;
}

void
buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	const size_t room = 64;		/* usually enough */
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(buf_room(b, room), room, fmt, again);
	va_end(again);
	if (n < 0)
		mem_fail(room);
	if ((size_t)n >= room)
		vsnprintf(buf_room(b, (size_t)n + 1), (size_t)n + 1, fmt, ap);
	b->n += (size_t)n;
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

const char *
buf_str(struct buf *b)
{
	*buf_room(b, 1) = '\0';
	return b->s;
}

void
buf_free(struct buf *b)
{
	free(b->s);
	*b = (struct buf){ 0 };
}

bool
buf_read(struct buf *b, int fd, size_t most)
{
	const size_t block = 1 << 16;
	ssize_t n;

	do {
		n = read(fd, buf_room(b, block), block);
		b->n += n > 0 ? (size_t)n : 0;
	} while ((n > 0 && b->n <= most) || (n < 0 && errno == EINTR));
	return n == 0;
}

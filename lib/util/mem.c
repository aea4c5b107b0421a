/* SPDX-License-Identifier: ISC */
#include "util/mem.h"

#include <stdlib.h>
#include <string.h>

void (*mem_failed)(size_t size);

void
mem_fail(size_t size)
{
	if (mem_failed)
		mem_failed(size);
	abort();
}

void *
mem_alloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);
	size_t bytes;

	if (!p)
		mem_fail(__builtin_mul_overflow(n, size, &bytes) ? 0 : bytes);
	return p;
}

void *
mem_resize(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		mem_fail(0);
	p = realloc(p, bytes ? bytes : 1);
	if (!p)
		mem_fail(bytes);
	return p;
}

char *
mem_copy(const char *s, size_t n)
{
	char *p = mem_resize(NULL, n + 1, 1);

	if (n)
		memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

void *
mem_grow_to(void *p, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap;

	n += n / 2;
	if (n < need)
		n = need;
	if (n < 4)
		n = 4;
	p = mem_resize(p, n, size);
	*cap = n;
	return p;
}

void *
mem_reach_to(void *p, size_t *cap, size_t i, size_t size, int fill)
{
	const size_t old = *cap;

	p = mem_grow(p, cap, i + 1, size);
	memset((char *)p + old * size, fill, (*cap - old) * size);
	return p;
}

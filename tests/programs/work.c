/* SPDX-License-Identifier: ISC */
/* Some of everything that a profile of calls can show. */
#include <stdio.h>
#include <stdlib.h>

#include "inline.h"

#define N 40

static int odd(unsigned n);

static int
even(unsigned n)
{
	return n == 0 ? 1 : odd(n - 1);
}

static int
odd(unsigned n)
{
	return n == 0 ? 0 : even(n - 1);
}

static unsigned
fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int
compare(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

static unsigned
loops(unsigned *v)
{
	unsigned i, j, h = 0;

	for (i = 0; i < N; i++) {
		h = mix(h, i);
		for (j = i; j > 0; j--)
			if ((h >> j) & 1)
				h += j;
		v[i] = h;
	}
	return h;
}

__attribute__((noinline)) static unsigned
leaf(unsigned n)
{
	return n * 3;
}

/* With --toggle-collect=leaf these lines have calls and no self cost. */
static unsigned
leaves(unsigned n)
{
	unsigned s = leaf(n);
	s += leaf(n + 1);
	s += leaf(n + 2) + leaf(n + 3);

	s += leaf(n + 4);
	return s;
}

int
main(int argc, char **argv)
{
	unsigned v[N], s = loops(v);

	qsort(v, N, sizeof *v, compare);
	s += fib(10) + (unsigned)even(7) + leaves(s);
	s += leaves(v[0]);
	printf("%u %d %s\n", s, argc, argv[argc - 1]);
	return 0;
}

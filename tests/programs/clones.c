/* SPDX-License-Identifier: ISC */
/* Functions that gcc -O2 clones, and two that call each other. */
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline))

struct point {
	long x, y, z;
};

/* .constprop: all calls have the same `step`. */
KEEP static long
add_up(const long *v, long n, long step)
{
	long s = 0, i;

	for (i = 0; i < n; i += step)
		s += v[i] * step + (s >> step);
	return s;
}

/* .isra: gets the one member that it uses, instead of a pointer. */
KEEP static long
distance(const struct point *p, long n)
{
	long s = p->x, i;

	for (i = 0; i < n; i++)
		s = s * i ^ n;
	return s;
}

/* .part: the test is inlined, the rest is not. */
static long
slow(long *v, long n)
{
	long i, s = 0;

	if (v[0] % 3)
		return n;
	for (i = 0; i < n; i++) {
		v[i % 8] ^= i * n;
		s += v[(i + n) % 8] * 3 + i;
		printf("%ld\n", s);
	}
	for (i = n; i > 0; i--)
		s = s * 5 + labs(v[i % 8] - s);
	return s;
}

/* .cold: unlikely code is placed elsewhere. */
KEEP static long
checked(long n)
{
	if (__builtin_expect(n % 50 == 0, 0)) {
		static int times;

		fprintf(stderr, "%ld\n", n);
		if (times++ > 5)
			abort();
	}
	return n / 3;
}

/* Recursion in two functions. */
KEEP static long
odd(long n, long (*f)(long));

KEEP static long
even(long n, long (*f)(long))
{
	return n ? odd(n - 1, f) + f(n) : 0;
}

KEEP static long
odd(long n, long (*f)(long))
{
	return n ? even(n - 1, f) + 1 : 0;
}

int
main(int argc, char **argv)
{
	long v[64], s = 0, i;
	struct point p = { argc, 2, 3 }, q = { 4, argc, 6 };

	(void)argv;
	for (i = 0; i < 64; i++)
		v[i] = i * argc;
	for (i = 1; i < 30; i++) {
		s += add_up(v, i, 2) + add_up(v + 3, i + 3, 2) + checked(i * 5);
		s += distance(&p, i) + distance(&q, i + 1);
		p.x += s;
		v[0] = i;
		s += slow(v, i % 4);
		v[8] = i + 1;
		s += slow(v + 8, i % 5) + slow(v + 16, 2);
	}
	s += even(9, checked) + even(6, labs);
	printf("%ld\n", s);
	return 0;
}

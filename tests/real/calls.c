/* SPDX-License-Identifier: ISC */
/* Calls without recursion, in a known shape: main -> work -> leaf, main ->
 * leaf, main -> branchy. */
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned sink;

static void
leaf(unsigned n)
{
	while (n--)
		sink += n;
}

static void
work(unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		leaf(i);
}

static int
branchy(int n)
{
	int i, odd = 0;
	unsigned char *p = malloc(64 * 1024);

	for (i = 0; i < n; i++) {
		p[(i * 4099) % (64 * 1024)] = (unsigned char)i;
		if (i % 3 == 1)
			odd++;
	}
	free(p);
	return odd;
}

int
main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 30;

	work(n);
	leaf(7);
	printf("%d\n", branchy(2000));
	return 0;
}

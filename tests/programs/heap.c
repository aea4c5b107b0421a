/* SPDX-License-Identifier: ISC */
/* Spends time in two functions, one of them deep in recursion, and keeps and frees
 * memory in others: for gperftools' profilers. */
#include <stdio.h>
#include <stdlib.h>

#define KEEP 2000

static char *kept[KEEP];
static volatile unsigned sum;

__attribute__((noinline)) static void
add(unsigned n)
{
	while (n--)
		sum += n * 33;
}

__attribute__((noinline)) static void
recurse(unsigned depth, unsigned n)
{
	if (depth == 0) {
		while (n--)
			sum ^= n;
		return;
	}
	recurse(depth - 1, n);
	sum++;
}

__attribute__((noinline)) static void
keep(unsigned from, unsigned n)
{
	for (; n--; from++)
		kept[from] = malloc(1000);
}

__attribute__((noinline)) static void
forget(unsigned n)
{
	while (n--)
		free(kept[n]);
}

int
main(int argc, char **argv)
{
	unsigned i, n = argc > 1 ? (unsigned)atoi(argv[1]) : 1;

	keep(0, KEEP / 2);
	keep(KEEP / 2, KEEP / 2);
	forget(KEEP / 4);
	for (i = 0; i < n; i++) {
		add(20000000);
		recurse(5, 20000000);
	}
	printf("%u\n", sum);
	return 0;
}

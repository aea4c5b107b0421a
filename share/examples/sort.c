/* SPDX-License-Identifier: ISC */
/*
 * Sorts and searches whose costs grow as textbooks say.  README.md says how the
 * report beside this file was made from it.
 *
 * sort SIZE
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define APART __attribute__((noinline, noipa))

static uint64_t seed = 1;

static int
random_number(void)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (int)(seed >> 40);
}

APART static int
constant(const int *v)
{
	return v[0] % 3;
}

APART static long
linear_search(const int *v, long n, int what)
{
	long i;

	for (i = 0; i < n && v[i] != what; i++)
		;
	return i;
}

APART static long
binary_search(const int *v, long n, int what)
{
	long low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (v[middle] < what)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

APART static void
insertion_sort(int *v, long n)
{
	long i, k;

	for (i = 1; i < n; i++) {
		int x = v[i];

		for (k = i; k > 0 && v[k - 1] > x; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

APART static void
merge(int *v, long half, long n, int *tmp)
{
	long i = 0, k = half, to;

	for (to = 0; to < n; to++)
		tmp[to] = k == n || (i < half && v[i] <= v[k]) ? v[i++] : v[k++];
	for (to = 0; to < n; to++)
		v[to] = tmp[to];
}

APART static void
merge_sort(int *v, long n, int *tmp)
{
	if (n < 2)
		return;
	merge_sort(v, n / 2, tmp);
	merge_sort(v + n / 2, n - n / 2, tmp);
	merge(v, n / 2, n, tmp);
}

APART static void
multiply(const int *a, const int *b, int *c, long n)
{
	long i, j, k;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			for (k = 0, c[i * n + j] = 0; k < n; k++)
				c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int
main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 100, side = n / 10, sum = 0, i;
	int *v = calloc((size_t)(3 * n + 1), sizeof *v);
	int *m = calloc((size_t)(3 * side * side + 1), sizeof *m);

	for (i = 0; i < n; i++)
		v[i] = v[n + i] = random_number();
	insertion_sort(v, n);
	merge_sort(v + n, n, v + 2 * n);
	for (i = 0; i < 20; i++)
		sum += constant(v) + binary_search(v, n, random_number());
	sum += linear_search(v, n, -1);
	for (i = 0; i < 2 * side * side; i++)
		m[i] = (int)i;
	multiply(m, m + side * side, m + 2 * side * side, side);
	printf("%ld\n", sum + m[2 * side * side]);
	free(v);
	free(m);
	return 0;
}

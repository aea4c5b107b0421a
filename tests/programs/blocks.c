/* SPDX-License-Identifier: ISC */
/* Allocates in several ways, for Valgrind's xtree: 30 blocks of 10 to 39 bytes, 10 of which
 * are freed, a string of 6 that grows to 100, and 21 bytes. */
#include <stdlib.h>
#include <string.h>

static char *kept[30];

__attribute__((noinline)) static char *
leaf(size_t n)
{
	return malloc(n);
}

__attribute__((noinline)) static char *
middle(size_t n)
{
	return leaf(n);
}

__attribute__((noinline)) static char *
string(void)
{
	char *s = malloc(6);

	return strcpy(s, "hello");
}

int
main(void)
{
	char *s, *zeros;
	size_t i;

	for (i = 0; i < 30; i++)
		kept[i] = i % 2 ? middle(10 + i) : leaf(10 + i);
	for (i = 0; i < 10; i++)
		free(kept[i]);
	s = string();
	s = realloc(s, 100);
	zeros = calloc(3, 7);
	i = s[0] + zeros[0] == 'h' ? 0 : 1;
	memset(kept, 0, sizeof kept);
	return (int)i;
}

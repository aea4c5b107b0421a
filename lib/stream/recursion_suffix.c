/* SPDX-License-Identifier: ISC */
#include "stream/recursion_suffix.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

size_t
recursion_base(struct text name)
{
	size_t n = name.n;

	while (n && is_digit(name.s[n - 1]))
		n--;
	return n > 1 && n < name.n && name.s[n - 1] == '\'' ? n - 1 : name.n;
}

size_t
recursion_at(struct text name)
{
	size_t i, end;

	for (i = 1; i < name.n; i = end) {
		end = i + 1;
		if (name.s[i] != '\'')
			continue;
		while (end < name.n && is_digit(name.s[end]))
			end++;
		if (end > i + 1 && (end == name.n || name.s[end] == '\''))
			return i;
	}
	return name.n;
}

bool
recursion_is_first(struct text name)
{
	return recursion_at(name) == name.n;
}

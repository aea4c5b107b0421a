/* SPDX-License-Identifier: ISC */
#include "codec/program.h"

/* Is it a library: "libc.so", "libc.so.6"? */
static bool
is_library(struct text path)
{
	size_t i;

	for (i = 0; i + 3 <= path.n; i++) {
		if (memcmp(path.s + i, ".so", 3) != 0)
			continue;
		if (i + 3 == path.n || (i + 4 < path.n &&
		    (path.s[i + 3] == '.' || path.s[i + 3] == '_') &&
		    path.s[i + 4] >= '0' && path.s[i + 4] <= '9'))
			return true;
	}
	return false;
}

bool
program_may_be(struct text path)
{
	return path.n && path.s[0] != '[' && !is_library(path);
}

/* SPDX-License-Identifier: ISC */
#include "callgrind.h"

/* Is the line at p, which n bytes hold, "key:" and something? */
static bool
begins(const char *p, size_t n, const char *key)
{
	size_t k = strlen(key);

	return n > k && memcmp(p, key, k) == 0;
}

/* Lines of a body that Cachegrind's format has not, and numbers for names. */
static bool
has_own_body(const char *p, const char *end)
{
	static const char *const own[] = { "ob=", "cob=", "cfi=", "cfl=", "cfn=",
	    "calls=", "jump=", "jcnd=", "totals:" };
	const char *lf;
	size_t i;

	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		for (i = 0; i < sizeof own / sizeof *own; i++)
			if (begins(p, (size_t)(end - p), own[i]))
				return true;
		if (lf - p > 4 && *p == 'f' && p[2] == '=' && p[3] == '(' &&
		    p[4] >= '0' && p[4] <= '9')
			return true;
	}
	return false;
}

/*
 * "# callgrind format" settles it.  Without it: lines that Cachegrind's format
 * has not, or `events:` without Cachegrind's `cmd:` before it.
 */
static int
callgrind_probe(const char *p, size_t n)
{
	static const char magic[] = "# callgrind format";
	static const char *const own[] = { "version:", "creator:", "positions:",
	    "part:", "pid:", "thread:", "event:" };
	const char *end = p + n, *lf;
	bool cmd = false, only_own = false;
	size_t i;

	if (begins(p, n, magic))
		return sizeof magic - 1;
	for (; p < end; p = lf + 1) {
		size_t left = (size_t)(end - p);

		if (!(lf = memchr(p, '\n', left)))
			lf = end;
		for (i = 0; i < sizeof own / sizeof *own; i++)
			only_own |= begins(p, left, own[i]);
		cmd |= begins(p, left, "cmd:");
		if (begins(p, left, "events:"))
			return only_own || has_own_body(lf, end) ? 12 :
			    cmd ? 0 : 7;
		if (lf > p && !memchr(p, ':', (size_t)(lf - p)) && *p != '#')
			break;		/* no header any more */
		if (lf == end)
			break;
	}
	return only_own ? 4 : 0;
}

const struct codec codec_callgrind = {
	.name = "callgrind",
	.says = "Callgrind's profile format, version 1",
	.probe = callgrind_probe,
	.decode = callgrind_decode,
	.encode = callgrind_encode,
};

/* SPDX-License-Identifier: ISC */
#include "cachegrind.h"

static bool
begins(const char *p, const char *end, const char *key)
{
	size_t n = strlen(key);

	return (size_t)(end - p) >= n && memcmp(p, key, n) == 0;
}

/* desc: lines, cmd: and events: in this order.  If lines of Callgrind's follow, its probe
 * is more certain.  The command may contain newlines (read.c). */
static int
cachegrind_probe(const char *p, size_t n)
{
	const char *end = p + n, *lf;
	int lines = 0;		/* of the header, from cmd: on */
	bool body = false;

	for (; p < end && !body; p = lf + 1) {
		if (!(lf = memchr(p, '\n', (size_t)(end - p))))
			break;
		if (lines == 0 && begins(p, end, "desc:"))
			continue;
		if (lines++ == 0 && !begins(p, end, "cmd:"))
			return 0;
		body = begins(p, end, "events:");
	}
	return body && lines == 2 ? 11 : lines ? 3 : 0;
}

const struct codec codec_cachegrind = {
	.name = "cachegrind",
	.says = "Cachegrind's output, as cg_annotate reads it",
	.files = "cachegrind.out*",
	.probe = cachegrind_probe,
	.decode = cachegrind_decode,
	.encode = cachegrind_encode,
	.holds = {
		[HOLDS_LINES] = HELD_YES, [HOLDS_FUNCTIONS] = HELD_YES,
		[HOLDS_FILES] = HELD_YES, [HOLDS_EVENTS] = HELD_YES,
		[HOLDS_UNITS] = HELD_RIDES, [HOLDS_FACTS] = HELD_RIDES,
		[HOLDS_TOTAL] = HELD_YES, [HOLDS_END] = HELD_YES,
	},
	.needs = "costs",
};

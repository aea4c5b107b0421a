/* SPDX-License-Identifier: ISC */
#include "by.h"

#include "near.h"

const char *const by_name[BY_KINDS] = {
	"function", "file", "object", "line", "addr", "part", "thread", "pid",
	"cmd", "source", "total",
};

int
by_parse(const char *list, enum by by[BY_KINDS], size_t *n, struct diag *d)
{
	struct text word;
	size_t i;
	enum by b;

	*n = 0;
	while (list_next(&list, &word)) {
		for (b = 0; b < BY_KINDS && !text_is(word, by_name[b]); b++)
			;
		if (b == BY_KINDS)
			return diag_fail_plain(d, "--by: expected function, file, object, "
			    "line, addr, part, thread, pid, cmd, source or total, found "
			    "%s%s", diag_quote(word.s, word.n),
			    near_say(near_find(word, by_name, BY_KINDS)));
		for (i = 0; i < *n; i++)
			if (by[i] == b)
				return diag_fail_plain(d, "--by: %s is there twice",
				    by_name[b]);
		by[(*n)++] = b;
	}
	return 0;
}

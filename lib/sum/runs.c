/* SPDX-License-Identifier: ISC */
#include "sum/runs.h"

#define MARK '\1'

void
runs_put_name(char end[NUM_TEXT], uint64_t run)
{
	*end = MARK;
	*num_put_u64(end + 1, run) = '\0';
}

bool
runs_is_taken(struct text name)
{
	return last_byte(name.s, MARK, name.n) != NULL;
}

/* After the run there may be the suffix of a side, ".old". */
bool
runs_name(struct text name, struct text *event, uint64_t *run)
{
	const char *mark = last_byte(name.s, MARK, name.n), *end = name.s + name.n, *p;

	if (!mark)
		return false;
	*event = (struct text){ name.s, (size_t)(mark - name.s) };
	*run = 0;
	for (p = mark + 1; p < end && *p >= '0' && *p <= '9'; p++)
		*run = *run * 10 + (uint64_t)(*p - '0');
	return p > mark + 1;
}

/* SPDX-License-Identifier: ISC */
#include "json_error.h"

#include <string.h>

int
json_error(struct decode *d, struct text file, const struct json_reader *j)
{
	const char *p = file.s;

	d->at.line = 1;
	for (; p < j->at && (p = memchr(p, '\n', (size_t)(j->at - p))); p++)
		d->at.line++;
	return j->cut && j->end == file.s + file.n ?
	    decode_cut(d, "the file is truncated: %s", j->why) : diag_fail(d->diag, "%s", j->why);
}

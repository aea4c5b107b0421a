/* SPDX-License-Identifier: ISC */
#include "stream/loss.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/output.h"
#include "util/mem.h"

/* The same text is usually at the same place. */
static size_t
find(const struct loss *l, const char *what)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->item[i].what == what)
			return i;
	for (i = 0; i < l->n && strcmp(l->item[i].what, what) != 0; i++)
		;
	return i;
}

void
loss_many(struct loss *l, const char *what, uint64_t n)
{
	const size_t i = find(l, what);

	if (!n)
		return;
	if (i == l->n) {
		l->item = mem_grow(l->item, &l->cap, l->n + 1, sizeof *l->item);
		l->item[l->n++].what = what;
		l->item[i].n = 0;
	}
	l->item[i].n += n;
}

void
loss_add(struct loss *l, const char *what)
{
	loss_many(l, what, 1);
}

void
loss_record(struct loss *l, const struct record *r)
{
	static const char *const plural[REC_KINDS + 1] = {
		[REC_META] = "metadata", [REC_EVENT] = "events",
		[REC_COST] = "costs", [REC_CALL] = "calls", [REC_JUMP] = "jumps",
		[REC_SAMPLE] = "samples", [REC_POINT] = "points",
		[REC_VPROF] = "value profiles",
		[REC_RAW] = "lines of another format", [REC_TOTAL] = "totals",
		[REC_DECLARED] = "declared records",
	};

	l->records |= (rec_is_measured(rec_kind(r)) && rec_kind(r) != REC_RAW) ||
	    rec_kind(r) == REC_DECLARED;
	if (plural[rec_kind(r)])
		loss_add(l, plural[rec_kind(r)]);
}

int
loss_tell(struct loss *l, const char *format, bool strict, struct diag *d)
{
	struct buf b = { 0 };
	size_t i;
	int r = 0;

	if (!l->n)
		return 0;
	for (i = 0; i < l->n; i++)
		buf_printf(&b, "%s%s (%" PRIu64 ")", i ? ", " : "",
		    l->item[i].what, l->item[i].n);
	if (strict)
		r = diag_fail_plain(d, "%s cannot hold: %s", format, buf_str(&b));
	else
		diag_say(d, DIAG_NOTE, "%s cannot hold: %s", format,
		    buf_str(&b));
	buf_free(&b);
	return r;
}

void
loss_print(const struct loss *l, struct output *out)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		out_printf(out, "%s (%" PRIu64 ")\n", l->item[i].what, l->item[i].n);
}

void
loss_free(struct loss *l)
{
	free(l->item);
	*l = (struct loss){ 0 };
}

/* SPDX-License-Identifier: ISC */
/* Puts the stacks of a profile as contexts. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "stream/field.h"
#include "util/mem.h"

static int
put_frame(struct reader *rd, const struct stack_row *s, uint32_t *ctx)
{
	const struct frame_row *f = &rd->frame[s->frame];
	struct decode *d = rd->doc.d;
	struct ctx_def c = NO_CTX;

	c.parent = *ctx;
	if (js_functions_put(&rd->starts, d, f->start, &c.func) < 0)
		return -1;
	if (f->line != NO_ID)
		c.file = dict_def(d->dict, REC_FUNC, c.func)[FUNC_FILE];
	c.line = f->line;
	c.addr = f->addr;
	if (f->inlined)
		c.attrs = dict_str(d->dict, TEXT("inlined=1"));
	return decode_ctx(d, &c, ctx);
}

/* Puts the context of a stack, after those of the stacks around it that have none, from the
 * outermost on. */
static int
put_stack(void *arg, uint32_t stack, uint32_t *ctx)
{
	struct reader *rd = arg;
	size_t n = 0;

	for (; stack && rd->stack[stack - 1].ctx == NO_ID; stack = rd->stack[stack - 1].parent)
		rd->path[n++] = stack - 1;
	*ctx = stack ? rd->stack[stack - 1].ctx : NO_ID;
	while (n--) {
		struct stack_row *s = &rd->stack[rd->path[n]];

		if (put_frame(rd, s, ctx) < 0)
			return -1;
		s->ctx = *ctx;
	}
	return 0;
}

/* Adds the kind of code, which in files of our own follows from the function. */
static void
add_labels(void *arg, uint32_t stack, struct buf *labels)
{
	const struct reader *rd = arg;
	const uint32_t category = rd->stack[stack - 1].category;

	if (!rd->own && category != rd->other && category != NO_ID)
		attr_add(labels, "category", dict_text(rd->doc.d->dict, category));
}

/* Marks the functions with inclusive cost; only these are distinguished. */
static void
use_functions(struct reader *rd)
{
	bool *used = mem_alloc(rd->nstacks + 1, sizeof *used);
	const struct profile *p = rd->profiles.v;
	size_t i, k;

	for (i = 0; i < rd->profiles.n; i++)
		for (k = 0; k < p[i].n; k++)
			if (p[i].v[k].n)
				used[p[i].v[k].stack] = true;
	for (i = rd->nstacks; i > 0; i--)
		if (used[i]) {
			used[rd->stack[i - 1].parent] = true;
			js_functions_use(&rd->starts, rd->frame[rd->stack[i - 1].frame].start);
		}
	free(used);
}

static void
say_losses(struct reader *rd)
{
	static const char *const names[LOSSES] = { "markers", "allocations", "counters",
	    "original locations of frames", "original locations of functions",
	    "subcategories of frames", "hosts and add-ons of frames in libraries",
	    "native symbols of frames" };
	struct diag *diag = rd->doc.d->diag;
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < LOSSES; i++)
		if (rd->lost[i])
			buf_printf(&b, "%s%s (%" PRIu64 ")", b.n ? ", " : "", names[i],
			    rd->lost[i]);
	if (b.n)
		diag_say(diag, DIAG_NOTE, "dropped: %s", buf_str(&b));
	if (rd->inexact)
		diag_say(diag, DIAG_WARN, "fractions of nanoseconds or bytes are rounded");
	buf_free(&b);
}

int
firefox_put_all(struct reader *rd)
{
	int ret;

	rd->path = mem_alloc(rd->nstacks + 1, sizeof *rd->path);
	use_functions(rd);
	rd->profiles.put_stack = put_stack;
	rd->profiles.add_labels = add_labels;
	rd->profiles.arg = rd;
	ret = profiles_put(&rd->profiles, rd->doc.d, "firefox", rd->product);
	if (ret == 0)
		say_losses(rd);
	return ret;
}

/* SPDX-License-Identifier: ISC */
#include "browse/printed.h"

#include <stdlib.h>

#include "util/mem.h"

void
printed_begin(struct printed *p)
{
	printed_free(p);
	p->out = out_memory();
}

static void
add_line(struct printed *p, const char *s, size_t n, uint32_t item)
{
	p->line = mem_grow(p->line, &p->cap, p->n + 1, sizeof *p->line);
	p->line[p->n++] = (struct printed_line){ { s, n }, item };
}

void
printed_end(struct printed *p)
{
	const char *at = p->out->s, *const end = at + p->out->n, *lf;
	size_t i = 0;
	uint32_t item;

	p->heads = SIZE_MAX;
	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf)
			break;
		item = NO_ITEM;
		if (i < p->items.n && p->items.v[i].at == (size_t)(at - p->out->s))
			item = p->items.v[i++].of;
		if (p->heads == SIZE_MAX && (p->items.body ?
		    (size_t)(at - p->out->s) >= p->items.body : item != NO_ITEM))
			p->heads = p->n;
		add_line(p, at, (size_t)(lf - at), item);
	}
	if (p->heads == SIZE_MAX)
		p->heads = 0;
}

void
printed_free(struct printed *p)
{
	if (p->out)
		out_close(p->out, true);
	free(p->items.v);
	free(p->line);
	*p = (struct printed){ 0 };
}

size_t
printed_find(const struct printed *p, size_t line, int step)
{
	for (; line < p->n; line += (size_t)step)
		if (p->line[line].item != NO_ITEM)
			return line;
	return p->n;
}

/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include "util/vis.h"

/* Adds a text after a separator, unless it is there. */
static void
add_once(struct buf *b, const char *separator, struct text t)
{
	const size_t n = b->n;

	if (n && memmem(b->s, n, t.s, t.n))
		return;
	buf_puts(b, n ? separator : "");
	vis_add(b, t);
}

/* "old: A, new: B", the two names of a difference. */
static void
set_sides(struct buf *b, struct text list)
{
	struct buf scratch = { 0 };
	struct text field, name;
	size_t n;

	b->n = 0;
	for (n = 0; fields_next(&list, &field); n++) {
		scratch.n = 0;
		if (!field_unescape(field, &scratch, &name))
			name = field;
		buf_puts(b, n ? ", new: " : "old: ");
		vis_add(b, name);
	}
	buf_free(&scratch);
}

bool
caption_meta(struct caption *c, const struct record *r)
{
	struct buf scratch = { 0 };
	const struct text value = meta_value(r, &scratch);
	bool said = true;

	if (meta_is(r, "cmd") && value.n) {
		c->cmds_differ |= c->cmd.n && !text_eq(buf_as_text(&c->cmd), value);
		if (!c->cmd.n)
			buf_text(&c->cmd, value);
	} else if (meta_is(r, "filter")) {
		add_once(&c->filter, "; ", value);
	} else if (meta_is(r, "estimate")) {
		add_once(&c->estimate, "; ", value);
	} else if (meta_is(r, "diff")) {
		set_sides(&c->diff, r->attrs);
	} else {
		said = meta_is(r, "format");
	}
	buf_free(&scratch);
	return said;
}

void
caption_free(struct caption *c)
{
	buf_free(&c->title);
	buf_free(&c->unit);
	buf_free(&c->event);
	buf_free(&c->cmd);
	buf_free(&c->filter);
	buf_free(&c->diff);
	buf_free(&c->estimate);
}

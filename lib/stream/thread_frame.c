/* SPDX-License-Identifier: ISC */
#include "stream/thread_frame.h"

void
thread_frame_part(struct thread_frame *r, const struct part *p)
{
	struct buf scratch = { 0 };

	r->name.n = r->attrs.n = 0;
	r->perf = text_is(metadata_value(&p->metadata, "format", &scratch), "perf");
	buf_free(&scratch);
}

void
thread_frame_free(struct thread_frame *r)
{
	buf_free(&r->name);
	buf_free(&r->scratch);
	buf_free(&r->attrs);
}

/* Adds a label of a sample, "?" if it has none. */
static void
add_label(struct buf *b, struct text attrs, const char *key)
{
	struct buf scratch = { 0 };
	struct text t = attr_get(attrs, key, &scratch);

	buf_text(b, t.s ? t : TEXT("?"));
	buf_free(&scratch);
}

bool
thread_frame_see_label(struct thread_frame *r, struct text attrs)
{
	struct buf *b = &r->scratch, was = r->name;
	const int root = r->label != ROOT_OF_FORMAT ? r->label : r->perf ? ROOT_COMM : ROOT_NONE;

	if (attrs.n && text_eq(buf_as_text(&r->attrs), attrs))
		return false;
	r->attrs.n = b->n = 0;
	buf_text(&r->attrs, attrs);
	if (root != ROOT_NONE && attr_get(attrs, "comm", b).s) {
		b->n = 0;
		add_label(b, attrs, "comm");
		if (root != ROOT_COMM) {
			buf_putc(b, '-');
			add_label(b, attrs, "pid");
		}
		if (root == ROOT_TID) {
			buf_putc(b, '/');
			add_label(b, attrs, "tid");
		}
	}
	if (text_eq(buf_as_text(b), buf_as_text(&was)))
		return false;
	r->name = *b;
	r->scratch = was;
	return true;
}

/* SPDX-License-Identifier: ISC */
#include "filter/filter.h"

#include <stdlib.h>

#include "util/mem.h"

const char filter_run_labels[] = "pid,tid,time,cpu,trace_id,span_id";

struct labels {
	struct sink sink;
	char *keep;		/* the list; NULL: none */
	struct loss *loss;
	struct buf attrs;
};

static bool
is_in(const char *list, struct text word)
{
	struct text one;

	while (list && list_next(&list, &one))
		if (text_eq(one, word))
			return true;
	return false;
}

static __attribute__((noinline)) int
put_labelled(struct sink *s, const struct record *r)
{
	struct labels *l = (struct labels *)s;
	struct text rest = r->attrs, key, value;
	struct buf scratch = { 0 };
	struct record out;
	bool any = false;

	l->attrs.n = 0;
	for (; attr_next(&rest, &scratch, &key, &value); scratch.n = 0)
		if (is_in(filter_run_labels, key) && !is_in(l->keep, key))
			any = true;
		else
			attr_add_text(&l->attrs, key, value);
	buf_free(&scratch);
	if (!any)
		return sink_put(s->next, r);
	loss_add(l->loss, "labels of one run");
	rec_copy(&out, r);
	out.attrs = l->attrs.n ? buf_as_text(&l->attrs) : (struct text){ 0 };
	return sink_put(s->next, &out);
}

static int
labels_put(struct sink *s, const struct record *r)
{
	return rec_kind(r) == REC_SAMPLE && r->attrs.s ? put_labelled(s, r) :
	    sink_put(s->next, r);
}

static void
labels_free(struct sink *s)
{
	struct labels *l = (struct labels *)s;

	free(l->keep);
	buf_free(&l->attrs);
	free(l);
}

struct text
filter_labels_wrong(const char *list)
{
	struct text word;

	while (list_next(&list, &word))
		if (!is_in(filter_run_labels, word))
			return word;
	return (struct text){ 0 };
}

struct sink *
filter_labels(const char *keep, struct loss *loss)
{
	struct labels *l = mem_alloc(1, sizeof *l);

	l->sink = (struct sink){ .put = labels_put, .free = labels_free };
	l->keep = keep ? mem_copy(keep, strlen(keep)) : NULL;
	l->loss = loss;
	return &l->sink;
}

/* SPDX-License-Identifier: ISC */
/* Names of processes and threads. */
#include "trace.h"

/* Reads the name in the arguments. */
static int
read_name(void *arg)
{
	struct trace *t = arg;
	struct json_reader *j = &t->w.doc.j;
	struct text key;

	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "name") && json_read_kind(j) == JSON_STRING)
			*sums_val(&t->names, t->names.n - 1) = dict_str(t->w.doc.d->dict,
			    document_text(&t->w.doc));
		else
			json_read_skip(j);
	return j->why ? -1 : 0;
}

/* The first name counts. */
int
trace_take_name(struct trace *t, const struct event *e, bool thread)
{
	const uint64_t key[] = { trace_string(t, e->process),
	    thread ? trace_string(t, e->thread) : NO_ID };
	const size_t n = t->names.n;

	sums_row(&t->names, key);
	if (n == t->names.n || !e->args)
		return 0;
	*sums_val(&t->names, n) = NO_ID;
	return document_reread(&t->w.doc, e->args, read_name, t);
}

uint32_t
trace_name(const struct trace *t, uint32_t pid, uint32_t tid)
{
	const uint64_t key[] = { pid, tid };
	size_t row;

	return sums_find(&t->names, key, &row) ? (uint32_t)*sums_val(&t->names, row) : NO_ID;
}

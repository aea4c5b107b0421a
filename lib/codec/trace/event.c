/* SPDX-License-Identifier: ISC */
/* The fields of an event. */
#include "trace.h"

#include <stddef.h>

static const struct {
	const char *key;
	size_t to;
} members[] = {
	{ "ph", offsetof(struct event, phase) }, { "name", offsetof(struct event, name) },
	{ "cat", offsetof(struct event, category) }, { "pid", offsetof(struct event, process) },
	{ "tid", offsetof(struct event, thread) }, { "id", offsetof(struct event, id) },
	{ "ts", offsetof(struct event, time) }, { "dur", offsetof(struct event, duration) },
	{ "args", offsetof(struct event, args) },
};

#define MEMBERS (sizeof members / sizeof *members)

/* Keys come in the same order in most events of a file. */
static const char **
member(struct event *e, struct text key, size_t *next)
{
	size_t i, at;

	for (i = 0; i < MEMBERS; i++) {
		at = (*next + i) % MEMBERS;
		if (!text_is(key, members[at].key))
			continue;
		*next = at + 1;
		return (const char **)((char *)e + members[at].to);
	}
	return NULL;
}

void
trace_read_event(struct trace *t, struct event *e)
{
	struct document *doc = &t->w.doc;
	struct json_reader *j = &doc->j;
	const char **to;
	struct text key;
	size_t next = 0;

	*e = (struct event){ .at = document_at(doc) };
	for (json_read_object(j); json_read_key(j, &key); ) {
		if ((to = member(e, key, &next)))
			*to = document_at(doc);
		json_read_skip(j);
	}
}

uint32_t
trace_string(struct trace *t, const char *at)
{
	struct json_reader *j = &t->w.doc.j;
	const char *was = j->at;
	struct text text = { 0 };
	enum json_kind kind;

	if (!at)
		return NO_ID;
	j->at = at;
	kind = json_read_kind(j);
	if (kind == JSON_NUMBER)
		json_read_number(j, &text);
	else if (kind == JSON_STRING)
		json_read_string(j, &text);
	j->at = was;
	return dict_str(t->w.doc.d->dict, text);
}

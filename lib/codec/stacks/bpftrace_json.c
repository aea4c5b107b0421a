/* SPDX-License-Identifier: ISC */
/*
 * The JSON of bpftrace, a document in each line (src/output/json.cpp):
 *
 *	{"type": "map", "data": {"@": {"\n    spin+22\n    main+42\n,hot": 77}}}
 */
#include "words.h"

#include "stacks.h"

#include "util/json_read.h"

struct line {
	struct reader *rd;
	struct json_reader j;
	void (*map)(struct reader *rd, struct text name);
	int (*key)(struct reader *rd, struct text key);
	int (*value)(struct reader *rd, struct text number);
	int ret;
};

/* Takes a value: a whole number, which may be in a string; absent: it is none. */
static struct text
take_number(struct json_reader *j)
{
	struct text t = { 0 };

	switch (json_read_kind(j)) {
	case JSON_NUMBER:
		json_read_number(j, &t);
		break;
	case JSON_STRING:
		json_read_string(j, &t);
		break;
	default:
		json_read_skip(j);
	}
	return t.s && is_number(t) ? t : (struct text){ 0 };
}

static void
read_map(struct line *l)
{
	struct json_reader *j = &l->j;
	struct text key;

	for (json_read_object(j); !l->ret && json_read_key(j, &key); )
		if (!(l->ret = l->key(l->rd, key)))
			l->ret = l->value(l->rd, take_number(j));
}

/* Reads data: maps by their names, or the number of lost events. */
static void
read_data(struct line *l, bool maps)
{
	struct json_reader *j = &l->j;
	struct text key;
	uint64_t lost;

	for (json_read_object(j); !l->ret && json_read_key(j, &key); )
		if (!maps && text_is(key, "events")) {
			if (json_read_u64(j, &lost))
				l->rd->drop[DROP_LOST] += lost;
		} else if (!maps) {
			json_read_skip(j);
		} else {
			l->map(l->rd, key);
			if (json_read_kind(j) == JSON_OBJECT)
				read_map(l);
			else
				l->rd->drop[take_number(j).s ? DROP_STACKLESS : DROP_TABLES]++;
		}
}

enum kind { KIND_OTHER, KIND_MAPS, KIND_LOST, KIND_NOTHING };

/* Returns what a line of this type has. */
static enum kind
kind_of(struct text type)
{
	static const struct { const char *type; enum kind kind; } kinds[] = {
		{ "map", KIND_MAPS }, { "stats", KIND_MAPS }, { "hist", KIND_MAPS },
		{ "tseries", KIND_MAPS }, { "lost_events", KIND_LOST },
		{ "attached_probes", KIND_NOTHING },
	};
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (text_is(type, kinds[i].type))
			return kinds[i].kind;
	return KIND_OTHER;
}

int
stacks_read_json(struct reader *rd, struct text line,
    void (*map)(struct reader *rd, struct text name),
    int (*key)(struct reader *rd, struct text key),
    int (*value)(struct reader *rd, struct text number))
{
	struct line l = { .rd = rd, .map = map, .key = key, .value = value };
	struct json_reader *j = &l.j;
	enum kind kind = KIND_OTHER;
	struct text k, type;
	bool found = false;

	json_read_begin(j, line.s, line.n);
	for (json_read_object(j); !l.ret && json_read_key(j, &k); )
		if (text_is(k, "type") && json_read_kind(j) == JSON_STRING) {
			if (json_read_string(j, &type))
				kind = kind_of(type);
		} else if (text_is(k, "data") && json_read_kind(j) == JSON_OBJECT &&
		    (kind == KIND_MAPS || kind == KIND_LOST)) {
			found = true;
			read_data(&l, kind == KIND_MAPS);
		} else {
			json_read_skip(j);
		}
	rd->drop[DROP_LINES] += kind != KIND_NOTHING && !found;
	if (json_read_end(j) < 0 && !l.ret) {
		stacks_forget(rd);
		l.ret = BAD("%s", j->why);
	}
	return l.ret;
}

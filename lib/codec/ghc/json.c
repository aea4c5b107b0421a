/* SPDX-License-Identifier: ISC */
/*
 * JSON of +RTS -pj:
 *
 *	{"program": "t", "arguments": ["./t"], "end_time": "...", "total_ticks": 3356,
 *	 "tick_interval": 1000, "total_alloc": 4932027648,
 *	 "cost_centres": [{"id": 155, "label": "collatz", "module": "Main",
 *	   "src_loc": "T.hs:(5,1)-(6,65)", "is_caf": false}, ...],
 *	 "profile": {"id": 151, "entries": 0, "alloc": 832, "ticks": 1, "children": [...]}}
 *
 * The keys may come in any order, and nodes before the cost centres that they refer to.
 */
#include "ghc.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/json_error.h"
#include "stream/sums.h"
#include "util/mem.h"

struct reader {
	struct ghc *g;
	struct text file;
	struct json_reader json;
	struct sums centres;	/* the function of each id */
	struct level {
		uint32_t node;
		bool in_children, has_id, has_ticks;
	} *open;
	size_t nopen, capopen;
	uint64_t *id;		/* of each node; UINT64_MAX: not read yet */
	size_t capid;
	bool has_profile, has_ticks, has_alloc;
	struct buf text;
};

/* ---- cost centres ---- */

static uint32_t
read_str(struct reader *rd)
{
	struct text t;

	return json_read_string(&rd->json, &t) ? dict_str(rd->g->d->dict, t) : NO_ID;
}

static void
read_centre(struct reader *rd)
{
	const struct dict *dict = rd->g->d->dict;
	struct json_reader *j = &rd->json;
	uint32_t label = NO_ID, module = NO_ID, source = NO_ID;
	uint64_t id = UINT64_MAX;
	struct text key;

	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "id"))
			json_read_u64(j, &id);
		else if (text_is(key, "label"))
			label = read_str(rd);
		else if (text_is(key, "module"))
			module = read_str(rd);
		else if (text_is(key, "src_loc"))
			source = read_str(rd);
		else
			json_read_skip(j);	/* is_caf: the label tells */
	if (id == UINT64_MAX || label == NO_ID || module == NO_ID)
		json_read_fail(j, "a cost centre without id, label or module");
	if (!j->why)
		*sums_val(&rd->centres, sums_row(&rd->centres, &id)) =
		    ghc_function(rd->g, dict_text(dict, module), dict_text(dict, label),
		    dict_text(dict, source));
}

/* ---- the tree ---- */

static void
open_node(struct reader *rd)
{
	const uint32_t parent = rd->nopen ? rd->open[rd->nopen - 1].node : NO_ID;

	json_read_object(&rd->json);
	if (rd->g->nnode >= UINT32_MAX - 1)
		json_read_fail(&rd->json, "too many nodes");
	if (rd->json.why)
		return;
	rd->open = mem_grow(rd->open, &rd->capopen, rd->nopen + 1, sizeof *rd->open);
	rd->open[rd->nopen++] = (struct level){ .node = (uint32_t)rd->g->nnode };
	rd->id = mem_grow(rd->id, &rd->capid, rd->g->nnode + 1, sizeof *rd->id);
	rd->id[rd->g->nnode] = UINT64_MAX;
	ghc_add(rd->g, parent, NO_ID);	/* set_functions() gives it one */
}

static void
read_value(struct reader *rd, num *value)
{
	uint64_t n;

	if (json_read_u64(&rd->json, &n))
		*value = n;
}

static void
read_node_key(struct reader *rd, struct text key)
{
	struct level *level = &rd->open[rd->nopen - 1];
	struct ghc_node *n = &rd->g->node[level->node];

	if (text_is(key, "children")) {
		level->in_children = true;
		json_read_array(&rd->json);
	} else if (text_is(key, "id")) {
		level->has_id = json_read_u64(&rd->json, &rd->id[level->node]);
	} else if (text_is(key, "ticks")) {
		level->has_ticks = true;
		read_value(rd, &n->value[GHC_TIME]);
	} else if (text_is(key, "alloc")) {
		read_value(rd, &n->value[GHC_ALLOC]);
	} else if (text_is(key, "entries")) {
		read_value(rd, &n->value[GHC_ENTRIES]);
	} else {
		json_read_skip(&rd->json);
	}
}

static void
close_node(struct reader *rd)
{
	const struct level *level = &rd->open[--rd->nopen];

	if (!level->has_id || !level->has_ticks)
		json_read_fail(&rd->json, "a node without id or ticks");
}

/* Reads nested nodes without recursion. */
static void
read_profile(struct reader *rd)
{
	struct json_reader *j = &rd->json;
	struct text key;

	if (rd->has_profile)
		json_read_fail(j, "a second profile");
	rd->has_profile = true;
	open_node(rd);
	while (rd->nopen && !j->why) {
		struct level *level = &rd->open[rd->nopen - 1];

		if (level->in_children) {
			if (json_read_item(j))
				open_node(rd);
			else
				level->in_children = false;
		} else if (json_read_key(j, &key)) {
			read_node_key(rd, key);
		} else {
			close_node(rd);
		}
	}
}

/* ---- the whole ---- */

/* Reads the arguments, the first of which is the program. */
static void
read_arguments(struct reader *rd)
{
	struct json_reader *j = &rd->json;
	struct text t;

	for (json_read_array(j); json_read_item(j); )
		if (json_read_string(j, &t)) {
			if (rd->text.n)
				buf_putc(&rd->text, ' ');
			buf_text(&rd->text, t);
		}
	rd->g->cmd = dict_str(rd->g->d->dict, buf_as_text(&rd->text));
}

static void
read_member(struct reader *rd, struct text key)
{
	struct json_reader *j = &rd->json;
	struct ghc *g = rd->g;

	if (text_is(key, "profile")) {
		read_profile(rd);
	} else if (text_is(key, "cost_centres")) {
		for (json_read_array(j); json_read_item(j); )
			read_centre(rd);
	} else if (text_is(key, "arguments")) {
		read_arguments(rd);
	} else if (text_is(key, "end_time")) {
		g->date = read_str(rd);
	} else if (text_is(key, "tick_interval")) {
		json_read_u64(j, &g->interval);
	} else if (text_is(key, "total_ticks")) {
		rd->has_ticks = true;
		read_value(rd, &g->total[GHC_TIME]);
	} else if (text_is(key, "total_alloc")) {
		rd->has_alloc = true;
		read_value(rd, &g->total[GHC_ALLOC]);
	} else {
		json_read_skip(j);
	}
}

/* Gives each node its function, one without a name if the file is truncated before that is
 * known. */
static int
set_functions(struct reader *rd, bool cut)
{
	const struct js_function unknown = { .nameless = true };
	struct ghc *g = rd->g;
	size_t i, row;

	for (i = 0; i < g->nnode; i++) {
		struct ghc_node *n = &g->node[i];

		if (sums_find(&rd->centres, &rd->id[i], &row))
			n->func = (uint32_t)*sums_val(&rd->centres, row);
		else if (cut)
			n->func = js_functions_add(&g->functions, g->d->dict, &unknown);
		else
			return diag_fail(g->d->diag, "a node of cost centre %" PRIu64 ", which is "
			    "not defined", rd->id[i]);
		js_functions_use(&g->functions, n->func);
	}
	return 0;
}

static int
read_all(struct reader *rd)
{
	struct json_reader *j = &rd->json;
	struct decode *d = rd->g->d;
	struct text key;
	bool cut = true;
	int ret = 0;

	if (in_all(d->in, &rd->file.s, &rd->file.n) < 0)
		return -1;
	json_read_begin(j, rd->file.s, rd->file.n);
	for (json_read_object(j); json_read_key(j, &key); )
		read_member(rd, key);
	if (!rd->has_profile || !rd->has_ticks || !rd->has_alloc || !rd->g->interval)
		json_read_fail(j, "expected profile, total_ticks, total_alloc and "
		    "tick_interval: one is missing");
	if (json_read_end(j) < 0)
		ret = json_error(d, rd->file, j);
	else if (in_packed_cut(d->in))
		ret = decode_cut(d, "the file is truncated");
	else
		cut = false;
	d->at.line = 0;
	return ret < 0 ? -1 : set_functions(rd, cut);
}

int
ghc_read_json(struct ghc *g)
{
	struct reader *rd = mem_alloc(1, sizeof *rd);
	int ret;

	rd->g = g;
	sums_init(&rd->centres, 1, 1);
	ret = read_all(rd);
	buf_free(&rd->json.text);
	buf_free(&rd->text);
	sums_free(&rd->centres);
	free(rd->open);
	free(rd->id);
	free(rd);
	return ret;
}

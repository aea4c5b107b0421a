/* SPDX-License-Identifier: ISC */
/*
 * V8's heap profiles, *.heapprofile (the type SamplingHeapProfile of the Chrome DevTools
 * protocol; node --heap-prof): a tree of calls, node in node, each with the bytes that it
 * allocated itself and that are still in use:
 *
 *	{"head":{"callFrame":{"functionName":"(root)","url":"","lineNumber":-1, ...},
 *	 "selfSize":0,"id":1,"children":[{"callFrame":{ ... },"selfSize":16416, ...}]},
 *	 "samples":[{"size":16416,"nodeId":2,"ordinal":1}]}
 *
 * The keys of a node may come in any order: the whole tree is read, then put.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "codec/json_error.h"
#include "stream/codec.h"
#include "util/mem.h"

struct node {
	uint32_t parent, ctx;	/* NO_ID: none */
	uint32_t name, url;	/* strings of the dictionary */
	num line, column;	/* from 0; -1: none */
	num self;
	bool has_frame, has_self;
};

/* An object that is being read: its node, and whether its children are being read. */
struct level {
	uint32_t node;
	bool in_children;
};

struct reader {
	struct decode *d;
	struct text file;
	struct json_reader json;
	struct node *node;	/* parents before children */
	size_t nnode, capnode;
	struct level *open;
	size_t nopen, capopen;
	bool has_head;
	uint64_t samples;	/* length of the list, which is not kept */
};

/* ---- the tree ---- */

static void
read_frame(struct reader *rd, struct node *n)
{
	struct json_reader *j = &rd->json;
	struct text key, t;

	n->has_frame = true;
	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "functionName")) {
			if (json_read_string(j, &t))
				n->name = dict_str(rd->d->dict, t.s && !t.n ?
				    TEXT("(anonymous)") : t);	/* as DevTools shows it */
		} else if (text_is(key, "url")) {
			if (json_read_string(j, &t) && t.n)
				n->url = dict_str(rd->d->dict, t);
		} else if (text_is(key, "lineNumber")) {
			json_read_int(j, &n->line);
		} else if (text_is(key, "columnNumber")) {
			json_read_int(j, &n->column);
		} else {
			json_read_skip(j);	/* scriptId: the URL identifies the
						 * script */
		}
}

/* Completes a node, whose last key was read. */
static void
close_node(struct reader *rd)
{
	const struct node *n = &rd->node[rd->open[--rd->nopen].node];

	if (!rd->json.why && (!n->has_frame || !n->has_self))
		json_read_fail(&rd->json, "a node without callFrame or selfSize");
}

static void
open_node(struct reader *rd)
{
	const uint32_t parent = rd->nopen ? rd->open[rd->nopen - 1].node : NO_ID;

	json_read_object(&rd->json);
	if (rd->nnode >= UINT32_MAX - 1)
		json_read_fail(&rd->json, "too many nodes");
	if (rd->json.why)
		return;
	rd->open = mem_grow(rd->open, &rd->capopen, rd->nopen + 1, sizeof *rd->open);
	rd->open[rd->nopen++] = (struct level){ (uint32_t)rd->nnode, false };
	rd->node = mem_grow(rd->node, &rd->capnode, rd->nnode + 1, sizeof *rd->node);
	rd->node[rd->nnode++] = (struct node){ .parent = parent, .ctx = NO_ID, .name = NO_ID,
	    .url = NO_ID, .line = -1, .column = -1 };
}

static void
read_key(struct reader *rd, struct text key)
{
	struct level *level = &rd->open[rd->nopen - 1];
	struct node *n = &rd->node[level->node];

	if (text_is(key, "children")) {
		level->in_children = true;
		json_read_array(&rd->json);
	} else if (text_is(key, "callFrame")) {
		read_frame(rd, n);
	} else if (text_is(key, "selfSize")) {
		n->has_self = json_read_int(&rd->json, &n->self);
	} else {
		json_read_skip(&rd->json);	/* id, which only the samples refer to */
	}
}

/* Reads nested nodes without recursion: a tree may be as deep as JSON may be nested. */
static void
read_head(struct reader *rd)
{
	struct text key;

	if (rd->has_head)
		json_read_fail(&rd->json, "a second head");
	rd->has_head = true;
	open_node(rd);
	while (rd->nopen && !rd->json.why) {
		struct level *level = &rd->open[rd->nopen - 1];

		if (level->in_children) {
			if (json_read_item(&rd->json))
				open_node(rd);
			else
				level->in_children = false;
		} else if (json_read_key(&rd->json, &key)) {
			read_key(rd, key);
		} else {
			close_node(rd);
		}
	}
}

static void
count_samples(struct reader *rd)
{
	for (json_read_array(&rd->json); json_read_item(&rd->json); rd->samples++)
		json_read_skip(&rd->json);
}

static int
gather(struct reader *rd)
{
	struct json_reader *j = &rd->json;
	struct text key;

	json_read_begin(j, rd->file.s, rd->file.n);
	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "head"))
			read_head(rd);
		else if (text_is(key, "samples"))
			count_samples(rd);
		else
			json_read_skip(j);
	if (json_read_end(j) < 0)
		return json_error(rd->d, rd->file, j);
	rd->d->at.line = 0;
	return rd->has_head ? 0 : diag_fail(rd->d->diag, "'head' is missing");
}

/* ---- records ---- */

/* Returns a line or a column counted from 1; 0: none. */
static uint64_t
from_one(num n)
{
	return n < 0 || n >= (num)UINT64_MAX ? 0 : (uint64_t)n + 1;
}

static int
put_ctx(struct reader *rd, struct node *n)
{
	struct func_def f = NO_FUNC;
	struct ctx_def c = NO_CTX;

	f.name = n->name;
	if (decode_file(rd->d, dict_text(rd->d->dict, n->url), &f.file) < 0 ||
	    (n->name != NO_ID && decode_func(rd->d, &f, &c.func) < 0))
		return -1;
	c.parent = n->parent == NO_ID ? NO_ID : rd->node[n->parent].ctx;
	c.file = f.file;
	if (from_one(n->line))
		c.line = dict_line(rd->d->dict, from_one(n->line), from_one(n->column));
	return decode_ctx(rd->d, &c, &n->ctx);
}

static int
put_sample(struct reader *rd, const struct node *n)
{
	struct record r = rec_make(REC_SAMPLE);
	char tmp[NUM_TEXT];

	r.col[0].n = n->ctx;
	r.values = num_text(tmp, n->self);
	return sink_put(rd->d->out, &r);
}

static int
put_nodes(struct reader *rd)
{
	size_t i;

	for (i = 0; i < rd->nnode; i++) {
		if (put_ctx(rd, &rd->node[i]) < 0 ||
		    (rd->node[i].self && put_sample(rd, &rd->node[i]) < 0))
			return -1;
	}
	return 0;
}

static int
put_header(struct reader *rd)
{
	return decode_part(rd->d, "heapprofile", TEXT("positions=line")) < 0 ? -1 :
	    DECODE_EVENT(rd->d, 0, .name = TEXT("bytes"), .unit = TEXT("B"));
}

static int
read_all(struct reader *rd)
{
	if (in_all(rd->d->in, &rd->file.s, &rd->file.n) < 0 || gather(rd) < 0)
		return -1;
	rd->d->at.line = 0;
	if (in_packed_cut(rd->d->in))
		return decode_cut(rd->d, "the file is truncated");
	if (rd->samples)
		diag_say(rd->d->diag, DIAG_NOTE, "the list of %" PRIu64 " sample%s is "
		    "dropped; the bytes of each stack are kept", rd->samples,
		    rd->samples == 1 ? "" : "s");
	return put_header(rd) < 0 ? -1 : put_nodes(rd);
}

static int
heapprofile_decode(struct decode *d)
{
	struct reader *rd = mem_alloc(1, sizeof *rd);
	int ret;

	rd->d = d;
	ret = read_all(rd);
	buf_free(&rd->json.text);
	free(rd->node);
	free(rd->open);
	free(rd);
	return ret;
}

/* Old CPU profiles also have a head, but its nodes have no callFrame. */
static int
heapprofile_probe(const char *p, size_t n)
{
	return json_has_key(p, n, "head") && json_contains(p, n, "\"callFrame\"") &&
	    json_contains(p, n, "\"selfSize\"") ? (int)strlen("headcallFrameselfSize") : 0;
}

const struct codec codec_heapprofile = {
	.name = "heapprofile",
	.summary = "V8's heap profiles: node --heap-prof, Chrome DevTools",
	.patterns = "*.heapprofile",
	.probe = heapprofile_probe,
	.decode = heapprofile_decode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_YES, [FEATURE_END] = SUPPORT_YES,
	},
};

/* SPDX-License-Identifier: ISC */
/* Reads massif.out: chooses snapshots, and puts their metadata. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#define HEAD_REPEATED 4096	/* bytes of the head, if each of many parts repeats it */

/* ---- metadata ---- */

static int
put_time(struct massif *rd, uint64_t time)
{
	struct record r = rec_make(REC_META);
	struct buf b = { 0 };
	int ret;

	buf_printf(&b, "%" PRIu64 "\t", time);
	field_escape(&b, rd->time_unit);
	r.col[0].t = TEXT("massif.time");
	r.attrs = buf_as_text(&b);
	ret = sink_put(rd->d->out, &r);
	buf_free(&b);
	return ret;
}

/* Puts the lines before the first snapshot; those of the command are joined. */
static int
put_head(struct massif *rd)
{
	const char *p = rd->head.s, *end = p + rd->head.n, *lf;
	struct text t;

	for (; p < end; p = lf + 1) {
		lf = memchr(p, '\n', (size_t)(end - p));
		if (p < rd->command.s && rd->command.s <= lf)
			lf = rd->command.s + rd->command.n;
		if (massif_key((struct text){ p, (size_t)(lf - p) }, "desc: ", &t) &&
		    meta_put(rd->d->out, "desc", t) < 0)
			return -1;
	}
	return rd->command.s ? meta_put(rd->d->out, "cmd", rd->command) : 0;
}

static int
put_snapshot_facts(struct massif *rd, const struct snapshot *s)
{
	if (meta_put_num(rd->d->out, "massif.snapshot", s->number) < 0 ||
	    (!rd->options->all && meta_put_num(rd->d->out, "massif.snapshots", rd->n) < 0) ||
	    put_time(rd, s->value[MASSIF_TIME]) < 0 ||
	    meta_put_num(rd->d->out, "massif.mem_heap_extra_B", s->value[MASSIF_EXTRA]) < 0 ||
	    meta_put_num(rd->d->out, "massif.mem_stacks_B", s->value[MASSIF_STACKS]) < 0)
		return -1;
	return s->root.s ? meta_put(rd->d->out, "massif.root", s->root) : 0;
}

/* ---- events ---- */

static int
put_event(struct massif *rd, size_t i, struct text name, struct text description)
{
	const bool blocks = name.n && name.s[name.n - 1] == 'k';

	return DECODE_EVENT(rd->d, i, .name = name, .description = description,
	    .unit = blocks ? TEXT("blocks") : TEXT("B"));
}

/* Puts the event of "curBk : currently allocated Blocks". */
static int
put_metric(struct massif *rd, size_t i)
{
	struct text root = rd->v[i].root, description = { 0 };
	const char *colon = root.n ? memmem(root.s, root.n, " : ", 3) : NULL;

	if (colon) {
		description = (struct text){ colon + 3, root.n - (size_t)(colon + 3 - root.s) };
		root.n = (size_t)(colon - root.s);
	}
	return put_event(rd, i, root.n ? root : TEXT("bytes"), description);
}

/* ---- parts ---- */

/* Puts the bytes of a snapshot as a total, if it has no tree, or a tree with other
 * bytes. */
static int
put_total(struct massif *rd, const struct snapshot *s)
{
	struct record r = rec_make(REC_TOTAL);
	struct massif_line root;
	char tmp[NUM_TEXT];
	const char *lf = s->tree.n ? memchr(s->tree.s, '\n', s->tree.n) : NULL;

	if (lf && massif_tree_line((struct text){ s->tree.s, (size_t)(lf - s->tree.s) },
	    &root)) {
		if (root.bytes == s->value[MASSIF_HEAP])
			return 0;
		rd->d->at.line = s->line + 1;
		diag_say(rd->d->diag, DIAG_WARN, "snapshot %" PRIu64 ": its tree has %" PRIu64
		    " bytes, and mem_heap_B is %" PRIu64, s->number, root.bytes,
		    s->value[MASSIF_HEAP]);
	}
	r.col[0].t = TEXT("run");
	r.values = num_text_u64(tmp, s->value[MASSIF_HEAP]);
	return sink_put(rd->d->out, &r);
}

static int
put_snapshot(struct massif *rd, const struct snapshot *s, bool head)
{
	if (decode_part(rd->d, "massif", TEXT("positions=addr,line")) < 0 ||
	    (head && put_head(rd) < 0) || put_snapshot_facts(rd, s) < 0 ||
	    (rd->options->all && meta_put_num(rd->d->out, "part", s->number) < 0) ||
	    put_event(rd, 0, TEXT("bytes"), (struct text){ 0 }) < 0 || put_total(rd, s) < 0)
		return -1;
	return massif_read_tree(rd, s, 0);
}

/* Puts the snapshots of an xtree, which are events of one part. */
static int
put_metrics(struct massif *rd)
{
	size_t i;

	if (decode_part(rd->d, "massif", TEXT("positions=addr,line")) < 0 ||
	    put_head(rd) < 0 || put_time(rd, rd->v[0].value[MASSIF_TIME]) < 0)
		return -1;
	for (i = 0; i < rd->n; i++)
		if (put_metric(rd, i) < 0)
			return -1;
	for (i = 0; i < rd->n; i++)
		if (massif_read_tree(rd, &rd->v[i], (int)i) < 0)
			return -1;
	return 0;
}

/* ---- the choice of snapshots ---- */

/* Returns the peak; if there is none, the last snapshot with a tree; otherwise the first of
 * those with most bytes. */
static const struct snapshot *
choose(const struct massif *rd)
{
	const struct snapshot *tree = NULL, *most = rd->v, *s;

	for (s = rd->v; s < rd->v + rd->n; s++) {
		if (s->kind == MASSIF_PEAK)
			return s;
		if (s->kind == MASSIF_DETAILED)
			tree = s;
		if (s->value[MASSIF_HEAP] > most->value[MASSIF_HEAP])
			most = s;
	}
	return tree ? tree : most;
}

/* Reads the other snapshots as well, since the file may be truncated. */
static int
put_one(struct massif *rd)
{
	const struct snapshot *one = choose(rd), *s;

	if (one->kind == MASSIF_EMPTY) {
		rd->d->at.line = 0;
		diag_say(rd->d->diag, DIAG_WARN, "no snapshot has a tree, only a total");
	}
	if (put_snapshot(rd, one, true) < 0)
		return -1;
	for (s = rd->v; s < rd->v + rd->n; s++)
		if (s != one && massif_read_tree(rd, s, -1) < 0)
			return -1;
	return 0;
}

static int
put_all(struct massif *rd)
{
	size_t i;

	for (i = 0; i < rd->n; i++)
		if (put_snapshot(rd, &rd->v[i], !i || rd->head.n <= HEAD_REPEATED) < 0)
			return -1;
	return 0;
}

/* ---- the file ---- */

static int
read_all(struct massif *rd)
{
	if (in_all(rd->d->in, &rd->file.s, &rd->file.n) < 0 ||
	    decode_whole_lines(rd->d, "file", &rd->file) < 0 || massif_find_snapshots(rd) < 0)
		return -1;
	return !rd->n ? 0 : rd->metrics ? put_metrics(rd) : rd->options->all ? put_all(rd) :
	    put_one(rd);
}

int
massif_decode(struct decode *d)
{
	struct massif rd = { .d = d, .options = d->options };
	int ret = read_all(&rd);

	valgrind_frames_free(&rd.frames);
	free(rd.v);
	free(rd.open);
	free(rd.stack);
	buf_free(&rd.values);
	return ret;
}

/* SPDX-License-Identifier: ISC */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/json_error.h"
#include "util/mem.h"

#define FILE_VERSION 2		/* the version since 2018 */

/* ---- the first pass ---- */

/* Notes where the value is, which is read later. */
static void
find_points(struct dhat *rd)
{
	if (json_read_kind(&rd->json) != JSON_ARRAY || rd->facts.has_points)
		json_read_fail(&rd->json, "expected one array, pps");
	rd->facts.has_points = true;
	rd->points = rd->json.at;
	json_read_skip(&rd->json);
	rd->points_end = rd->json.at;
}

/* Reads the frames; an empty name is absent. */
static void
read_frames(struct dhat *rd)
{
	struct text t;

	if (rd->facts.has_frames)
		json_read_fail(&rd->json, "a second ftbl");
	rd->facts.has_frames = true;
	for (json_read_array(&rd->json); json_read_item(&rd->json); ) {
		if (!json_read_string(&rd->json, &t))
			return;
		rd->frame = mem_grow(rd->frame, &rd->capframe, rd->nframe + 1,
		    sizeof *rd->frame);
		rd->frame[rd->nframe++] = (struct dhat_frame){
		    dict_str(rd->d->dict, t.s ? t : TEXT("")), NO_ID };
	}
}

static int
gather(struct dhat *rd)
{
	struct json_reader *j = &rd->json;
	struct text key;
	bool known;

	json_read_begin(j, rd->file.s, rd->file.n);
	for (json_read_object(j); json_read_key(j, &key); ) {
		if (text_is(key, "pps")) {
			find_points(rd);
		} else if (text_is(key, "ftbl")) {
			read_frames(rd);
		} else {
			dhat_read_fact(rd, key, &known);
			if (!known)
				json_read_skip(j);
		}
	}
	return json_read_end(j) < 0 ? json_error(rd->d, rd->file, j) : 0;
}

static int
check(struct dhat *rd)
{
	const struct dhat_facts *f = &rd->facts;

	rd->d->at.line = 0;
	if (!f->has_version || f->version != FILE_VERSION)
		return diag_fail(rd->d->diag, "expected dhatFileVersion %d", FILE_VERSION);
	if (!f->has_points || !f->has_frames)
		return diag_fail(rd->d->diag, "'%s' is missing", f->has_points ? "ftbl" : "pps");
	return 0;
}

/* ---- the file ---- */

static void
free_facts(struct dhat_facts *f)
{
	buf_free(&f->mode);
	buf_free(&f->verb);
	buf_free(&f->cmd);
	buf_free(&f->time_unit);
	buf_free(&f->unit);
	buf_free(&f->units);
	buf_free(&f->blocks);
}

static int
read_all(struct dhat *rd)
{
	if (in_all(rd->d->in, &rd->file.s, &rd->file.n) < 0 || gather(rd) < 0 || check(rd) < 0)
		return -1;
	if (in_packed_cut(rd->d->in))
		return decode_cut(rd->d, "the file is truncated");
	return dhat_put_header(rd) < 0 || dhat_put_points(rd) < 0 ? -1 : 0;
}

static int
dhat_decode(struct decode *d)
{
	struct dhat *rd = mem_alloc(1, sizeof *rd);
	int ret;

	rd->d = d;
	ret = read_all(rd);
	buf_free(&rd->json.text);
	valgrind_frames_free(&rd->frames);
	cache_free(&rd->stacks);
	free_facts(&rd->facts);
	free(rd->frame);
	free(rd->stack);
	buf_free(&rd->values);
	buf_free(&rd->attrs);
	free(rd);
	return ret;
}

static int
dhat_probe(const char *p, size_t n)
{
	return json_has_key(p, n, "dhatFileVersion") ? (int)strlen("dhatFileVersion") : 0;
}

const struct codec codec_dhat = {
	.name = "dhat",
	.summary = "Allocations by Valgrind's DHAT, or by dhat-rs",
	.patterns = "dhat.out* *.dhat dhat-heap.json",
	.probe = dhat_probe,
	.decode = dhat_decode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_ADDRS] = SUPPORT_YES,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_YES,
		[FEATURE_OBJECTS] = SUPPORT_SOME, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_YES, [FEATURE_UNITS] = SUPPORT_YES,
		[FEATURE_FACTS] = SUPPORT_SOME, [FEATURE_END] = SUPPORT_YES,
	},
	.lines_from = "compile the program with -g",
};

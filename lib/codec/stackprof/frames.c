/* SPDX-License-Identifier: ISC */
/* Frames: functions, by the number that each has. */
#include "reader.h"

#include "util/mem.h"

#define FAIL(s, at, ...) DOCUMENT_FAIL(&(s)->doc, at, __VA_ARGS__)

int
stackprof_count(struct stackprof *s, num *n)
{
	const char *at = document_at(&s->doc);

	if (!json_read_int(&s->doc.j, n))
		return -1;
	return *n >= 0 && *n <= INT64_MAX ? 0 : FAIL(s, at, "expected a number of samples");
}

static int
read_line(struct stackprof *s, num *n)
{
	const char *at = document_at(&s->doc);

	if (json_read_kind(&s->doc.j) == JSON_NULL)
		json_read_skip(&s->doc.j);
	else if (!json_read_int(&s->doc.j, n))
		return -1;
	return *n >= 0 && *n <= INT64_MAX ? 0 : FAIL(s, at, "expected a line");
}

/* Notes where an object begins, and skips it. */
static const char *
find_object(struct stackprof *s)
{
	const bool is = json_read_kind(&s->doc.j) == JSON_OBJECT;
	const char *at = document_at(&s->doc);

	json_read_skip(&s->doc.j);
	return is ? at : NULL;
}

static int
read_member(struct stackprof *s, struct text key, struct frame *f)
{
	struct dict *dict = s->d->dict;
	struct text t;

	if (text_is(key, "name")) {
		if (json_read_string(&s->doc.j, &t) && t.n)
			f->name = dict_str(dict, t);
	} else if (text_is(key, "file")) {
		if (json_read_string(&s->doc.j, &t) && t.n)
			f->file = dict_str(dict, t);
	} else if (text_is(key, "line")) {
		return read_line(s, &f->line);
	} else if (text_is(key, "samples")) {
		return stackprof_count(s, &f->samples);
	} else if (text_is(key, "total_samples")) {
		return stackprof_count(s, &f->total);
	} else if (text_is(key, "edges")) {
		f->edges = find_object(s);
	} else if (text_is(key, "lines")) {
		f->lines = find_object(s);
	} else {
		json_read_skip(&s->doc.j);
	}
	return 0;
}

/* Returns the number of frames like this one: twins or triplets. */
static num *
like(struct sums *t, const struct frame *f)
{
	const uint64_t key[3] = { f->name, f->file, (uint64_t)f->line };

	return sums_val(t, sums_row(t, key));
}

static int
read_frame(struct stackprof *s, struct text id, const char *at)
{
	struct frame f = { .id = dict_str(s->d->dict, id), .name = NO_ID, .file = NO_ID,
	    .func = NO_ID, .place = NO_ID };
	struct text key;

	if (s->nframe == UINT32_MAX - 1)
		return FAIL(s, at, "too many frames");
	if (name_index_add(&s->ids, id, s->nframe) != s->nframe)
		return FAIL(s, at, "two frames with the number %s", QUOTE(id));
	for (json_read_object(&s->doc.j); json_read_key(&s->doc.j, &key); )
		if (read_member(s, key, &f) < 0)
			return -1;
	*like(&s->twins, &f) += 1;
	*like(&s->triplets, &f) += 1;
	s->frame = mem_grow(s->frame, &s->capframe, s->nframe + 1, sizeof *s->frame);
	s->frame[s->nframe++] = f;
	return 0;
}

int
stackprof_read_frames(struct stackprof *s)
{
	struct text id;
	const char *at;

	s->has_frames = true;
	json_read_object(&s->doc.j);
	for (at = s->doc.j.at; json_read_key(&s->doc.j, &id); at = s->doc.j.at)
		if (read_frame(s, id, at) < 0)
			return -1;
	return 0;
}

struct frame *
stackprof_frame(struct stackprof *s, struct text id)
{
	size_t i;

	return name_index_find(&s->ids, id, &i) ? &s->frame[i] : NULL;
}

num
stackprof_rest(struct stackprof *s, const char *what, num n)
{
	const num rest = s->number[SAMPLES] - n;
	struct buf more = { 0 };

	if (rest >= 0)
		return rest;
	num_add_grouped(&more, -rest);
	diag_say(s->d->diag, DIAG_WARN, "the %s have %s samples more than the total",
	    what, buf_str(&more));
	buf_free(&more);
	return 0;
}

/* Puts a function.  If several share a name and a file, such as blocks of one method, the
 * line is the key of each; if that is the same, they are one, as stacks show where it is
 * recursive.  Without stacks their numbers cannot be added up: their own number is the key. */
static int
put_function(struct stackprof *s, struct frame *f)
{
	struct func_def def = NO_FUNC;
	char tmp[NUM_TEXT];
	const struct text line = num_text(tmp, f->line);

	if (decode_file(s->d, dict_text(s->d->dict, f->file), &f->place) < 0)
		return -1;
	if (f->name == NO_ID)
		return 0;
	def.name = f->name;
	def.file = f->place;
	if (*like(&s->triplets, f) > 1 && !s->list[RAW])
		def.key = f->id;
	else if (*like(&s->twins, f) > 1)
		def.key = dict_str(s->d->dict, line);
	if (f->line) {
		s->attrs.n = 0;
		attr_add(&s->attrs, "start", line);
		def.attrs = dict_str(s->d->dict, buf_as_text(&s->attrs));
	}
	return decode_func(s->d, &def, &f->func);
}

int
stackprof_put_functions(struct stackprof *s)
{
	size_t i;

	for (i = 0; i < s->nframe; i++)
		if (put_function(s, &s->frame[i]) < 0)
			return -1;
	return 0;
}

/* SPDX-License-Identifier: ISC */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/num.h"

/* ---- the outermost object ---- */

/* Reads a number that may be null: the interval is, where the program itself asked for each
 * sample. */
static int
read_number(struct stackprof *s, enum number i)
{
	const char *at = document_at(&s->doc);

	if (json_read_kind(&s->doc.j) == JSON_NULL) {
		json_read_skip(&s->doc.j);
		return 0;
	}
	if (!json_read_int(&s->doc.j, &s->number[i]))
		return -1;
	s->has[i] = true;
	return s->number[i] >= 0 && s->number[i] <= INT64_MAX ? 0 :
	    DOCUMENT_FAIL(&s->doc, at, "a number out of range");
}

static void
find_list(struct stackprof *s, enum list i)
{
	if (json_read_kind(&s->doc.j) != JSON_ARRAY) {	/* null is none */
		json_read_skip(&s->doc.j);
		return;
	}
	s->list[i] = document_at(&s->doc);
	s->items[i] = 0;
	for (json_read_array(&s->doc.j); json_read_item(&s->doc.j); s->items[i]++)
		json_read_skip(&s->doc.j);
}

/* Keeps facts that the program has given: texts and numbers. */
static void
read_metadata(struct stackprof *s)
{
	struct json_reader *j = &s->doc.j;
	struct buf name = { 0 };
	struct text key, value;
	bool is;

	for (json_read_object(j); json_read_key(j, &key); ) {
		const enum json_kind kind = json_read_kind(j);

		name.n = 0;
		field_escape(&name, key);
		is = kind == JSON_STRING ? json_read_string(j, &value) :
		    kind == JSON_NUMBER ? json_read_number(j, &value) : (json_read_skip(j), false);
		if (!is)
			continue;
		buf_text(&s->metadata, buf_as_text(&name));
		buf_putc(&s->metadata, '\t');
		field_escape(&s->metadata, value);
		buf_putc(&s->metadata, '\n');
	}
	buf_free(&name);
}

static int
read_member(struct stackprof *s, struct text key)
{
	static const char *const numbers[NUMBERS] = { "interval", "samples", "gc_samples",
	    "missed_samples" };
	static const char *const lists[LISTS] = { "raw", "raw_lines", "raw_timestamp_deltas" };
	struct text t;
	int i;

	for (i = 0; i < NUMBERS; i++)
		if (text_is(key, numbers[i]))
			return read_number(s, (enum number)i);
	for (i = 0; i < LISTS; i++)
		if (text_is(key, lists[i])) {
			find_list(s, (enum list)i);
			return 0;
		}
	if (text_is(key, "frames")) {
		if (!s->has_frames)
			return stackprof_read_frames(s);
		json_read_fail(&s->doc.j, "a second list of frames");
	} else if (text_is(key, "mode")) {
		if (json_read_string(&s->doc.j, &t))
			s->mode = dict_str(s->d->dict, t);
	} else if (text_is(key, "metadata") && json_read_kind(&s->doc.j) == JSON_OBJECT) {
		read_metadata(s);
	} else {
		json_read_skip(&s->doc.j);
	}
	return 0;
}

static int
read_members(struct stackprof *s)
{
	struct text key;

	for (json_read_object(&s->doc.j); json_read_key(&s->doc.j, &key); )
		if (read_member(s, key) < 0)
			return -1;
	if (s->doc.j.why)
		return -1;
	if (!s->has_frames || !s->has[SAMPLES])
		return DOCUMENT_FAIL(&s->doc, s->doc.j.at, "the member '%s' is missing",
		    s->has_frames ? "samples" : "frames");
	return 0;
}

/* ---- the header ---- */

static bool
is_mode(const struct stackprof *s, const char *mode)
{
	return text_is(dict_text(s->d->dict, s->mode), mode);
}

/* Puts what the profiler has missed.  Of objects these are those that the interval leaves
 * out. */
static int
put_missed(struct stackprof *s)
{
	const num missed = s->number[MISSED], all = missed + s->number[SAMPLES];
	struct buf b = { 0 };
	int ret;

	if (is_mode(s, "object"))
		return meta_put_num(s->d->out, "stackprof.missed_samples", missed);
	if (!missed)
		return 0;
	num_add_grouped(&b, missed);
	buf_puts(&b, " samples of ");
	num_add_grouped(&b, all);
	buf_puts(&b, " (");
	num_add_percent(&b, missed, all);
	buf_puts(&b, " %)");
	diag_say(s->d->diag, DIAG_WARN, "%s were missed", buf_str(&b));
	ret = meta_put(s->d->out, "lost", buf_as_text(&b));
	buf_free(&b);
	return ret;
}

static int
put_sampling(struct stackprof *s)
{
	struct buf b = { 0 };
	int ret;

	if (!s->has[INTERVAL])
		return 0;
	buf_printf(&b, "samples: every %" PRId64 "%s", (int64_t)s->number[INTERVAL],
	    is_mode(s, "cpu") || is_mode(s, "wall") ? " us" :
	    is_mode(s, "object") ? " objects" : "");
	ret = meta_put(s->d->out, "sampling", buf_as_text(&b));
	buf_free(&b);
	return ret;
}

static int
put_metadata(struct stackprof *s)
{
	const char *p = s->metadata.s, *end = p + s->metadata.n, *lf;
	struct record r = rec_make(REC_META);

	r.col[0].t = TEXT("stackprof.metadata");
	for (; p < end; p = lf + 1) {
		lf = memchr(p, '\n', (size_t)(end - p));
		r.attrs = (struct text){ p, (size_t)(lf - p) };
		if (sink_put(s->d->out, &r) < 0)
			return -1;
	}
	return 0;
}

static int
put_facts(struct stackprof *s)
{
	const struct text mode = dict_text(s->d->dict, s->mode);

	return meta_put(s->d->out, "creator", TEXT("stackprof")) < 0 ||
	    (mode.n && meta_put(s->d->out, "stackprof.mode", mode) < 0) ||
	    put_sampling(s) < 0 || put_missed(s) < 0 ||
	    (s->has[GC_SAMPLES] && meta_put_num(s->d->out, "stackprof.gc_samples",
	    s->number[GC_SAMPLES]) < 0) ||
	    put_metadata(s) < 0 ? -1 : 0;
}

static int
put_events(struct stackprof *s)
{
	const bool stacks = s->list[RAW];

	/* Without stacks there are calls, which have their samples. */
	if (!stacks)
		return DECODE_EVENT(s->d, 0, .name = TEXT("samples"), .calls = true) < 0 ? -1 :
		    DECODE_EVENT(s->d, 1, .name = TEXT("total"),
		    .description = TEXT("samples with those of callees"),
		    .attrs = TEXT("calls=absent\tinclusive=samples"));
	return DECODE_EVENT(s->d, 0, .name = TEXT("samples")) < 0 ? -1 : !s->has_times ? 0 :
	    DECODE_EVENT(s->d, 1, .name = TEXT("time"), .unit = TEXT("us"),
	    .description = TEXT("since the sample before"));
}

/* ---- the file ---- */

/* Times are those of the clock, and weights only where that is sampled. */
static int
find_times(struct stackprof *s)
{
	if (!s->list[RAW])
		return 0;
	if (stackprof_count_stacks(s) < 0)
		return -1;
	s->has_times = is_mode(s, "wall") && s->list[DELTAS] &&
	    s->stacked == (num)s->items[DELTAS];
	return 0;
}

static int
read_all(struct stackprof *s)
{
	if (read_members(s) < 0 || find_times(s) < 0 ||
	    decode_part(s->d, "stackprof", TEXT("positions=line")) < 0 ||
	    put_facts(s) < 0 || put_events(s) < 0 || stackprof_put_functions(s) < 0)
		return -1;
	return s->list[RAW] ? stackprof_put_stacks(s) : stackprof_put_graph(s);
}

static int
stackprof_decode(struct decode *d)
{
	struct stackprof *s = mem_alloc(1, sizeof *s);
	int ret;

	s->d = d;
	s->mode = NO_ID;
	sums_init(&s->twins, 2, 1);
	sums_init(&s->triplets, 3, 1);
	sums_init(&s->places, 2, 0);
	ret = document_open(&s->doc, d);
	ret = document_close(&s->doc, ret < 0 ? -1 : read_all(s));
	if (ret == 0 && in_packed_cut(d->in))
		ret = decode_cut(d, "the file is truncated");
	buf_free(&s->metadata);
	name_index_free(&s->ids);
	free(s->frame);
	sums_free(&s->twins);
	sums_free(&s->triplets);
	sums_free(&s->places);
	free(s->place);
	buf_free(&s->values);
	buf_free(&s->attrs);
	free(s);
	return ret;
}

static int
stackprof_probe(const char *p, size_t n)
{
	return json_contains(p, n, "\"gc_samples\"") && json_has_key(p, n, "missed_samples") ?
	    (int)strlen("gc_samplesmissed_samples") : 0;
}

/* A dump is a hash in Ruby's Marshal, version 4.8, which has the version first. */
static const char *
stackprof_near_miss(const char *p, size_t n)
{
	const size_t head = n < 64 ? n : 64;

	return n > 3 && memcmp(p, "\4\b{", 3) == 0 && memmem(p, head, ":\fversion", 9) &&
	    memmem(p, head, ":\tmode", 6) ? "a dump of stackprof: run 'stackprof --json' on it" :
	    NULL;
}

const struct codec codec_stackprof = {
	.name = "stackprof",
	.summary = "Ruby's profiles by stackprof, as JSON",
	.probe = stackprof_probe,
	.near_miss = stackprof_near_miss,
	.decode = stackprof_decode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_KEYS] = SUPPORT_SOME,
		[FEATURE_CALLS] = SUPPORT_SOME, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_SOME, [FEATURE_UNITS] = SUPPORT_YES,
		[FEATURE_FACTS] = SUPPORT_SOME, [FEATURE_END] = SUPPORT_YES,
	},
	.lines_from = "profile with 'raw: true'",
};

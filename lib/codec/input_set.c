/* SPDX-License-Identifier: ISC */
#include "codec/input_set.h"

#include <inttypes.h>
#include <string.h>

#include "codec/unread.h"
#include "filter/filter.h"
#include "stream/part.h"
#include "symbol/symbols.h"
#include "util/num.h"

/*
 * The filter between a decoder and the tool's sink, which gives parts the name of their
 * file.
 */
struct source_filter {
	struct sink sink;
	const char *source;
	bool due;		/* the part has no source yet */
};

/* A part's `source` comes after its other meta; one that is there already
 * (from a stream) stays. */
static int
source_put(struct sink *s, const struct record *r)
{
	struct source_filter *o = (struct source_filter *)s;
	enum rec_kind kind = rec_kind(r);

	if (kind == REC_PART) {
		o->due = true;
	} else if (o->due && kind == REC_META) {
		o->due = !meta_is(r, "source");
	} else if (o->due && !part_is_apart(kind)) {
		o->due = false;
		if (meta_put(s->next, "source", text_of(o->source)) < 0)
			return -1;
	}
	return sink_put(s->next, r);
}

/* The source is put before the first cost. */
static unsigned
source_takes(const struct sink *s)
{
	return sink_takes(s->next);
}

static int
source_put_lines(struct sink *s, const struct place_lines *l)
{
	return sink_put_lines(s->next, l);
}

/* Says that no format reads the file, and what it may be. */
static void
fail_unknown(struct decode *d)
{
	const char *p;
	const long n = in_peek(d->in, &p);
	const char *const kind = n > 0 ? unread_kind(p, (size_t)n) : NULL;

	if (kind)
		diag_fail_plain(d->diag, "%s: unknown format (%s)", in_name(d->in), kind);
	else
		diag_fail_plain(d->diag, "%s: unknown format; 'prof-cat --list-formats' "
		    "lists the known ones", in_name(d->in));
}

static const struct codec *
find_format(struct decode *d, const struct codec *from)
{
	const struct codec *c = from;
	const char *p;
	long n = in_peek(d->in, &p);

	if (n < 0)
		return NULL;
	if (n == 0 && in_packed_cut(d->in))
		return NULL;
	if (n == 0) {
		diag_fail_plain(d->diag, "%s: empty file: the profiled program wrote "
		    "nothing, or died", in_name(d->in));
		return NULL;
	}
	if (!c && codec_probe(d->in, &c) == 0 && !c && !in_packed_cut(d->in))
		fail_unknown(d);
	return c;
}

static bool
is_empty(struct input *in)
{
	const char *p;

	return in_regular(in) && !in_packed_cut(in) && in_peek(in, &p) == 0;
}

/* Is it an executable, for tools that can use one?  A compressed one is not. */
static bool
is_exe(struct input *in)
{
	const char *p;
	long n = in_peek(in, &p);

	return n > 0 && in_regular(in) && !in_standard(in) && in_zip(in) == ZIP_NONE &&
	    symbols_is_elf(p, (size_t)n);
}

static void
free_filter(struct sink **filter)
{
	if (*filter)
		(*filter)->free(*filter);
	*filter = NULL;
}

void
input_set_end(struct input_set *s)
{
	free_filter(&s->by_names);
	free_filter(&s->by_objects);
	free_filter(&s->by_inlined);
	free_filter(&s->by_addresses);
	if (s->objects)
		objects_report(s->objects);
	objects_free(s->objects);
	s->objects = NULL;
}

int
input_set_symbols(struct input_set *s, struct symbols *symbols)
{
	input_set_end(s);		/* the new symbols may give other results */
	symbolize_free(s->names);
	s->names = symbols ? symbolize_new(symbols, s->dict) : NULL;
	return symbols ? 0 : -1;
}

/* May frames of a format have addresses? */
static bool
has_frame_addrs(const struct codec *format)
{
	return format && format->supports[FEATURE_CONTEXTS] && format->supports[FEATURE_ADDRS];
}

/* Returns the filter that finds what was inlined into a format's frames, or NULL. */
static struct sink *
inlining(struct input_set *s, const struct codec *format)
{
	if (!s->inlined || !has_frame_addrs(format))
		return NULL;
	if (!s->by_inlined)
		s->by_inlined = filter_add_inlined(objects_of(s), s->dict, s->lines);
	return s->by_inlined;
}

/* Returns the filter that finds the lines of a format's frames, if they may have addresses
 * and lines are needed, or NULL. */
static struct sink *
placing(struct input_set *s, const struct codec *format)
{
	if (!s->lines || !has_frame_addrs(format))
		return NULL;
	if (!s->by_addresses)
		s->by_addresses = filter_frame_lines(objects_of(s), s->dict);
	return s->by_addresses;
}

/* Returns the filter that names the functions in files of the format, or NULL. */
static struct sink *
naming(struct input_set *s, const struct codec *format)
{
	if (format && format->nameless) {
		if (!s->by_objects)
			s->by_objects = filter_name_frames(objects_of(s), s->dict);
		return s->by_objects;
	}
	if (s->names && !s->by_names)
		s->by_names = filter_symbolize(s->names, s->dict, s->diag);
	return s->by_names;
}

/* Makes the filters that the records of an input pass first, which name its functions and
 * its parts.  Returns the sink to put them into. */
static struct sink *
make_pipeline(struct input_set *s, const struct codec *format, struct source_filter *o)
{
	struct sink *names = naming(s, format), *inlined = inlining(s, format);
	struct sink *places = placing(s, format);
	struct pipeline p = { 0 };

	if (s->names && format)
		symbolize_set_rule(s->names, format->gprof ? SYMBOLS_AS_GPROF : SYMBOLS_BY_SIZE);
	o->sink = (struct sink){ .put = source_put, .takes = source_takes,
	    .put_lines = source_put_lines };
	if (names)
		pipeline_add(&p, names);
	if (inlined)
		pipeline_add(&p, inlined);
	if (places)
		pipeline_add(&p, places);
	if (o->source)
		pipeline_add(&p, &o->sink);
	return pipeline_into(&p, s->out);
}

/* Reports the number of skipped lines, also in the metadata of the last part, if there is
 * one; 0 or -1. */
static int
report_skipped(struct input_set *s, bool in_part, uint64_t n)
{
	if (!n)
		return 0;
	diag_say(s->diag, DIAG_WARN, "%" PRIu64 " malformed or truncated line%s skipped", n,
	    n == 1 ? "" : "s");
	return in_part ? meta_put_num(s->out, "skipped", n) : 0;
}

/* Is the error one of this input, or is there none?  Otherwise the output may have
 * failed. */
static bool
is_of(const struct diag *diag, struct input *in)
{
	const struct text name = text_of(in_name(in));

	return !diag->stopped && (!diag->error.n || (diag->error.n > name.n &&
	    memcmp(diag->error.s, name.s, name.n) == 0));
}

/* Reports truncated compressed data, which is the cause of any other error.  It may be
 * truncated after what the decoder took for the end. */
static int
take_cut(struct decode *d, int r)
{
	if (r == 0)
		return decode_cut(d, "%s", in_packed_cut(d->in));
	d->diag->error.n = 0;
	d->at.line = 0;
	d->at.bytes = false;
	return diag_fail(d->diag, "%s", in_packed_cut(d->in));
}

static int
decode_input(struct input_set *s, struct decode *d, const struct codec *from,
    const char *source)
{
	struct source_filter o = { .source = source };
	const uint64_t skipped = s->skipped;
	const uint32_t runs = s->runs;
	int r = -1;

	from = find_format(d, from);
	d->out = make_pipeline(s, from, &o);
	if (from) {
		d->options = opts_values(s->given, from->read_options);
		r = from->decode(d);
	} else if (source && is_empty(d->in)) {
		s->diag->error.n = 0;
		diag_say(s->diag, DIAG_WARN, "empty, skipped");
		r = FILE_EMPTY;
	}
	if (in_packed_cut(d->in) && !d->cut && (r == 0 || is_of(d->diag, d->in)))
		r = take_cut(d, r);
	d->at.line = 0;
	if (r == 0)
		r = report_skipped(s, s->runs != runs, s->skipped - skipped);
	return r;
}

int
input_set_read(struct input_set *s, const char *path, const struct codec *from,
    const char *source)
{
	struct decode d = { .session = s, .dict = s->dict, .schema = s->schema,
	    .diag = s->diag, .lenient = s->lenient };
	struct cursor *at = s->diag->at;
	int r;

	if (!(d.in = in_open(path, s->diag)))
		return -1;
	in_limit(d.in, s->max_line, s->max_whole);
	d.at.file = in_name(d.in);
	if (is_exe(d.in)) {
		r = input_set_symbols(s, symbols_open(s->executables, path, s->diag)) < 0 ? -1 :
		    FILE_EXE;
	} else {
		s->diag->at = &d.at;
		r = decode_input(s, &d, from, source);
		s->diag->at = at;
	}
	in_close(d.in);
	return r;
}

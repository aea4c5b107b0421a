/* SPDX-License-Identifier: ISC */
#include "stream/codec.h"

#include <inttypes.h>
#include <string.h>

#include "filter/filter.h"
#include "util/num.h"

const struct codec *const codec_table[] = {
	&codec_callgrind,
	&codec_cachegrind,
	&codec_aprof,
	&codec_folded,
	&codec_gmon,
	&codec_gmon_bsd44,
	&codec_gmon_bsd,
	&codec_xprof,
	&codec_prof,
	&codec_tsv,
	&codec_json,
	&codec_text,
	NULL,
};

const struct codec *
codec_find(const char *name)
{
	const struct codec *const *c;

	for (c = codec_table; *c; c++)
		if (strcmp((*c)->name, name) == 0 ||
		    ((*c)->alias && strcmp((*c)->alias, name) == 0))
			break;
	return *c;
}

int
codec_probe(struct input *in, const struct codec **best)
{
	const struct codec *const *c, *unsure = NULL;
	int sure, most = 0;
	const char *p;
	size_t all;
	long n = in_peek(in, &p);

	*best = NULL;
	for (c = codec_table; *c && n > 0; c++) {
		sure = (*c)->probe ? (*c)->probe(p, (size_t)n) : 0;
		if (sure > most) {
			most = sure;
			*best = *c;
		} else if (sure == PROBE_WHOLE) {
			unsure = *c;
		}
	}
	if (n < 0 || *best || !unsure)
		return n < 0 ? -1 : 0;
	if (in_all(in, &p, &all) < 0)
		return -1;
	*best = unsure->probe_whole(p, all) ? unsure : NULL;
	return 0;
}

const char *
codec_names(bool encode)
{
	static struct buf text[2];
	const struct codec *const *c;
	struct buf *b = &text[encode];

	b->n = 0;
	for (c = codec_table; *c; c++)
		if (encode ? (*c)->encode != NULL : (*c)->decode != NULL)
			buf_printf(b, "%s%s", b->n ? ", " : "", (*c)->name);
	return buf_str(b);
}

int
decode_part(struct decode *d, const char *format, struct text attrs)
{
	struct record r = rec_make(REC_PART);
	char run[24];

	r.col[0].t = (struct text){ run, (size_t)(num_put_u64(run, ++d->runs) - run) };
	r.attrs = attrs;
	return sink_put(d->out, &r) < 0 ||
	    meta_put(d->out, "format", text_of(format)) < 0 ? -1 : 0;
}

int
decode_line_done(struct decode *d, int result)
{
	if (result == LINE_BAD && d->unended && !d->cut)
		buf_puts(&d->diag->error, ": the file is cut, its last line has no end");
	if (result != LINE_BAD || !d->lenient)
		return result == LINE_OK ? 0 : -1;
	if (d->skipped++ < 10)
		diag_demote(d->diag, DIAG_WARN, "skipped: ");
	d->diag->error.n = 0;	/* unsaid ones */
	return 0;
}

int
decode_cut(struct decode *d, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	d->cut = true;
	if (in_packed_cut(d->in)) {	/* the reason for all others */
		d->diag->line = 0;
		diag_fail(d->diag, "%s", in_packed_cut(d->in));
	} else {
		diag_fail(d->diag, "%s", buf_str(&b));
	}
	buf_free(&b);
	return decode_line_done(d, LINE_BAD);
}

#define NO_END "the %s is cut: its last line has no end"

int
decode_last_line(struct decode *d, const char *what, enum last_line last)
{
	if (last == LAST_ENDS || in_packed_cut(d->in)) {
		d->diag->line++;
		return decode_cut(d, NO_END, what);
	}
	d->unended = true;
	return 1;
}

int
decode_lines(struct decode *d, const char *what, enum last_line last,
    int (*block)(void *, const char *, const char *), void *arg)
{
	char *p, *end;
	int r, given;

	d->diag->line = 0;
	while ((r = in_lines(d->in, &p, &end)) > 0) {
		if (in_cut(d->in) && (given = decode_last_line(d, what, last)) <= 0)
			return given;
		if (block(arg, p, end) < 0)
			return -1;
	}
	return r;
}

int
decode_unended(struct decode *d, const char *what, enum end_proof proof)
{
	if (!d->unended || d->cut || proof == END_WHOLE)
		return 0;
	if (proof == END_CUT)
		return decode_cut(d, NO_END, what);
	if (!in_regular(d->in) && !d->lenient)
		return decode_cut(d, NO_END " (in a file it is read, and with "
		    "--lenient)", what);
	diag_say(d->diag, DIAG_NOTE, "the last line has no newline: nothing tells "
	    "whether the %s is cut there", what);
	return 0;
}

/*
 * Between a decoder and the tool's sink: gives parts the name of their file.
 */
struct origin {
	struct sink sink;
	const char *source;
	bool in_part, named;
};

/* A part's `source` stands after its other meta; one that is there already
 * (from a stream) stays. */
static int
origin_put(struct sink *s, const struct record *r)
{
	struct origin *o = (struct origin *)s;
	enum rec_kind kind = rec_kind(r);

	if (meta_is(r, "source")) {
		o->named = true;
	} else if (kind == REC_PART) {
		o->in_part = true;
		o->named = false;
	} else if (o->in_part && !o->named && o->source && kind != REC_META &&
	    !rec_is_def(kind) && kind != REC_TAG) {
		o->named = true;
		if (meta_put(s->next, "source", text_of(o->source)) < 0)
			return -1;
	}
	return sink_put(s->next, r);
}

/* What else a file is, whose first bytes tell: "" if they do not. */
static const char *
guess(struct input *in)
{
	static const struct { const char *magic; size_t n; const char *says; } known[] = {
		{ "\xfd" "7zXZ", 5, " (xz: unpack it first)" },
		{ "BZh", 3, " (bzip2: unpack it first)" },
		{ "\xff\xfe", 2, " (UTF-16 text)" }, { "\xfe\xff", 2, " (UTF-16 text)" },
		{ "\xef\xbb\xbf", 3, " (text with a UTF-8 mark before it)" },
		{ "\x7f" "ELF", 4, " (a program)" },
		{ "PERFILE2", 8, " (perf's: fold what 'perf script' prints of it)" },
		{ "{", 1, " (JSON)" },
	};
	const char *p;
	long n = in_peek(in, &p);
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (n >= (long)known[i].n && memcmp(p, known[i].magic, known[i].n) == 0)
			return known[i].says;
	return "";
}

static const struct codec *
find_format(struct decode *d, const struct codec *from)
{
	const struct codec *c = from;
	const char *p;
	long n = in_peek(d->in, &p);

	if (n < 0)
		return NULL;
	if (n == 0 && in_packed_cut(d->in)) {
		diag_fail(d->diag, "%s", in_packed_cut(d->in));
		return NULL;
	}
	if (n == 0) {
		diag_fail_plain(d->diag, "%s: empty: nothing was written, or the "
		    "program that writes it died", in_name(d->in));
		return NULL;
	}
	if (!c && codec_probe(d->in, &c) == 0 && !c)
		diag_fail_plain(d->diag, "%s: unknown format%s; known are %s",
		    in_name(d->in), guess(d->in), codec_names(false));
	return c;
}

static bool
is_empty(struct input *in)
{
	const char *p;

	return in_regular(in) && !in_packed_cut(in) && in_peek(in, &p) == 0;
}

/* Is it an executable, for those who can use one?  A packed one is not. */
static bool
is_exe(struct input *in)
{
	const char *p;
	long n = in_peek(in, &p);

	return n > 0 && in_regular(in) && !in_standard(in) && in_zip(in) == ZIP_NONE &&
	    symbols_is_elf(p, (size_t)n);
}

int
decode_names(struct decode *d, struct symbols *s)
{
	symbolize_free(d->names);
	d->names = s ? symbolize_new(s, d->dict) : NULL;
	return s ? 0 : -1;
}

int
decode_file(struct decode *d, const char *path, const struct codec *from,
    const char *source)
{
	struct origin o = { .sink = { .put = origin_put }, .source = source };
	struct sink *out = d->out;
	uint64_t skipped = d->skipped;
	struct sink *namer = NULL;
	char text[24];
	int r = -1;

	if (!(d->in = in_open(path, d->diag)))
		return -1;
	in_limit(d->in, d->max_line);
	d->cut = d->unended = false;
	if (is_exe(d->in)) {
		in_close(d->in);
		d->in = NULL;
		return decode_names(d, symbols_open(path, d->diag)) < 0 ? -1 : FILE_EXE;
	}
	o.sink.next = out;
	if (source || d->lenient)
		d->out = &o.sink;
	if (d->names)
		d->out = namer = filter_symbolize(d->names, d->dict, d->diag, d->out);
	d->diag->file = in_name(d->in);
	if ((from = find_format(d, from)))
		r = from->decode(d);
	else if (source && is_empty(d->in)) {
		d->diag->error.n = 0;
		diag_say(d->diag, DIAG_WARN, "empty, passed over");
		r = FILE_EMPTY;
	}
	/* It may be cut behind what the decoder took for the end. */
	if (r == 0 && in_packed_cut(d->in) && !d->cut)
		r = decode_cut(d, "%s", in_packed_cut(d->in));
	skipped = d->skipped - skipped;
	d->diag->line = 0;
	if (r == 0 && skipped) {
		diag_say(d->diag, DIAG_WARN, "%" PRIu64 " malformed or cut line%s "
		    "skipped", skipped, skipped == 1 ? "" : "s");
		if (o.in_part)
			r = meta_put(out, "skipped", (struct text){ text,
			    (size_t)(num_put_u64(text, skipped) - text) });
	}
	if (namer)
		sinks_free(namer, namer->next);
	d->diag->file = NULL;
	d->out = out;
	in_close(d->in);
	d->in = NULL;
	return r;
}

/* SPDX-License-Identifier: ISC */
/*
 * Profiles of R, which Rprof() writes (R_InitProfiling() and doprof() of src/main/eval.c): a
 * header, then a line for each sample, its functions innermost first:
 *
 *	memory profiling: GC profiling: line profiling: sample.interval=5000
 *	#File 1: src.R
 *	:312216:1183591:30764888:395:"c" 1#5 "g" 1#2 "f"
 *
 * Before a function is the number of its file and the line where it is; before all of them
 * are how much small and large vectors hold, in units of 8 bytes, and nodes, in bytes, and how
 * many objects were duplicated since the sample before.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "stream/codec.h"
#include "util/mem.h"

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

/* doprof() adds nothing to a line that is as long as this. */
#define LONGEST 10000

static const char *const prefixes[] = { "memory profiling: ", "GC profiling: ",
    "line profiling: " };
enum { MEMORY, GC, LINES, PREFIXES };

static const char interval_is[] = "sample.interval=";

enum { SMALL, LARGE, NODES, DUPLICATED, MEMORIES };

struct frame {
	struct text name;	/* absent: code outside of functions */
	uint64_t file, line;	/* 0: none */
};

struct reader {
	struct decode *d;
	bool in_part;
	bool has[PREFIXES];
	uint64_t interval;	/* in microseconds */
	uint64_t memory[MEMORIES];
	bool has_memory;	/* a sample came before */
	uint32_t *path;		/* strings, by the number of the file */
	size_t cappath;
	struct frame *frame;
	size_t nframe, capframe;
	uint64_t empty, full;	/* samples of no function; as long as R writes them */
};

/* ---- the header ---- */

/* Takes what a header begins with off *t; returns the number of the prefix, PREFIXES for the
 * interval, and a larger one for none. */
static unsigned
take_prefix(struct text *t)
{
	const char *prefix;
	unsigned i;

	for (i = 0; i <= PREFIXES; i++) {
		prefix = i < PREFIXES ? prefixes[i] : interval_is;
		if (!text_begins(*t, prefix))
			continue;
		t->s += strlen(prefix);
		t->n -= strlen(prefix);
		break;
	}
	return i;
}

/* Reads a header: false if it is none, and nothing is set. */
static bool
read_header(struct text t, bool has[PREFIXES], uint64_t *interval)
{
	bool found[PREFIXES] = { false };
	const char *end;
	uint64_t n;
	unsigned i;

	while ((i = take_prefix(&t)) < PREFIXES)
		found[i] = true;
	if (i > PREFIXES || !t.n)
		return false;
	end = num_get_u64(t.s, &n);
	if (end != t.s + t.n || !n)
		return false;
	memcpy(has, found, sizeof found);
	*interval = n;
	return true;
}

/* Puts the part that a header begins; Rprof(append = TRUE) adds one to a file. */
static int
put_header(struct reader *rd)
{
	char attrs[NUM_TEXT + 32] = "calls=absent\tsample=", *p = attrs + strlen(attrs);

	rd->in_part = true;
	rd->has_memory = false;
	rd->cappath = 0;
	free(rd->path);
	rd->path = NULL;
	p = num_put_u64(p, rd->interval);
	if (decode_part(rd->d, "rprof", rd->has[LINES] ? TEXT("positions=line") :
	    (struct text){ 0 }) < 0 ||
	    DECODE_EVENT(rd->d, 0, .name = TEXT("time"), .unit = TEXT("us"),
	    .attrs = { attrs, (size_t)(p - attrs) }) < 0 ||
	    DECODE_EVENT(rd->d, 1, .name = TEXT("samples")) < 0)
		return LINE_FATAL;
	if (rd->has[MEMORY] && (DECODE_EVENT(rd->d, 2, .name = TEXT("growth"), .unit = TEXT("B"),
	    .description = TEXT("growth of the memory in use since the sample before")) < 0 ||
	    DECODE_EVENT(rd->d, 3, .name = TEXT("duplications"),
	    .description = TEXT("objects duplicated since the sample before")) < 0))
		return LINE_FATAL;
	return LINE_OK;
}

/* ---- lines ---- */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Takes "#File 1: src.R". */
static int
read_file(struct reader *rd, const char *p, const char *end)
{
	uint64_t n;
	const char *q = num_get_u64(p, &n);

	if (!q || q == p || end - q < 2 || q[0] != ':' || q[1] != ' ' || !n || n > UINT16_MAX)
		return BAD("expected '#File N: PATH', found %s", QUOTE_TO(p, end));
	rd->path = mem_reach(rd->path, &rd->cappath, n, sizeof *rd->path, 0xff);
	rd->path[n] = dict_str(rd->d->dict, (struct text){ q + 2, (size_t)(end - q - 2) });
	return LINE_OK;
}

/* Takes ":1:2:3:4:" off *p. */
static bool
take_memory(const char **p, const char *end, uint64_t now[MEMORIES])
{
	const char *q = *p;
	unsigned i;

	for (i = 0; i < MEMORIES; i++) {
		if (q == end || *q != ':' || !is_digit(q[1]) || !(q = num_get_u64(q + 1, &now[i])))
			return false;
	}
	if (q == end || *q != ':')
		return false;
	*p = q + 1;
	return true;
}

/* Takes "1#5 " off *p, the number of a file and a line. */
static bool
take_place(const char **p, const char *end, struct frame *f)
{
	const char *q;
	uint64_t file, line;

	if (*p == end || !is_digit(**p) || !(q = num_get_u64(*p, &file)) || q == end ||
	    *q != '#' || !is_digit(q[1]) || !(q = num_get_u64(q + 1, &line)) ||
	    q == end || *q != ' ')
		return false;
	*p = q + 1;
	f->file = file;
	f->line = line;
	return true;
}

/* Does a function or a place begin here, or the line end? */
static bool
is_frame_end(const char *p, const char *end)
{
	struct frame f;

	return p == end || *p == '"' || take_place(&p, end, &f);
}

/* Takes "\"name\" " off *p.  R does not escape quotes in names, so that the name ends at the
 * first one that a frame or the end of the line follows. */
static bool
take_name(const char **p, const char *end, struct text *name)
{
	const char *q;

	if (*p == end || **p != '"')
		return false;
	for (q = ++*p; q && q < end; q++) {
		if (!(q = memchr(q, '"', (size_t)(end - q))))
			break;
		if (end - q >= 2 && q[1] == ' ' && is_frame_end(q + 2, end)) {
			*name = (struct text){ *p, (size_t)(q - *p) };
			*p = q + 2;
			return true;
		}
	}
	return false;
}

/* Reads the frames of a sample, innermost first. */
static int
read_frames(struct reader *rd, const char *p, const char *end)
{
	rd->nframe = 0;
	while (p < end) {
		struct frame f = { .line = 0 };
		const char *from = p;
		const bool placed = take_place(&p, end, &f);

		if (!take_name(&p, end, &f.name) && !(placed && p == end))
			return BAD("expected '\"FUNCTION\" ' or 'FILE#LINE ', found %s",
			    QUOTE_TO(placed ? p : from, end));
		if (f.file && (f.file >= rd->cappath || rd->path[f.file] == NO_ID))
			return BAD("the line '#File %" PRIu64 ":' is missing", f.file);
		rd->frame = mem_grow(rd->frame, &rd->capframe, rd->nframe + 1,
		    sizeof *rd->frame);
		rd->frame[rd->nframe++] = f;
	}
	return LINE_OK;
}

static int
put_ctx(struct reader *rd, const struct frame *f, uint32_t *ctx)
{
	struct decode *d = rd->d;
	struct func_def func = NO_FUNC;
	struct ctx_def c = NO_CTX;

	func.name = dict_str(d->dict, f->name);
	c.parent = *ctx;
	if (f->file && f->line) {
		c.line = dict_line(d->dict, f->line, 0);
		if (decode_file(d, dict_text(d->dict, rd->path[f->file]), &c.file) < 0)
			return -1;
	}
	return (f->name.s && decode_func(d, &func, &c.func) < 0) ? -1 : decode_ctx(d, &c, ctx);
}

/* Returns how much a number of the memory has grown, as summaryRprof() counts it. */
static num
growth(const struct reader *rd, const uint64_t now[MEMORIES], unsigned i)
{
	const num grown = (num)now[i] - rd->memory[i];

	return !rd->has_memory || grown < 0 ? 0 : i == NODES ? grown : 8 * grown;
}

static char *
put_num(char *p, num n)
{
	*p++ = '\t';
	return num_put_num(p, n);
}

static int
put_sample(struct reader *rd, const uint64_t now[MEMORIES])
{
	struct record r = rec_make(REC_SAMPLE);
	char values[4 * NUM_TEXT], *p;
	uint32_t ctx = NO_ID;
	size_t i;

	for (i = rd->nframe; i--; )
		if (put_ctx(rd, &rd->frame[i], &ctx) < 0)
			return LINE_FATAL;
	r.col[0].n = ctx;
	p = num_put_u64(values, rd->interval);
	p = put_num(p, 1);
	if (rd->has[MEMORY]) {
		p = put_num(p, growth(rd, now, SMALL) + growth(rd, now, LARGE) +
		    growth(rd, now, NODES));
		p = put_num(p, now[DUPLICATED]);
	}
	r.values = (struct text){ values, (size_t)(p - values) };
	return sink_put(rd->d->out, &r);
}

static int
read_sample(struct reader *rd, const char *p, const char *end)
{
	uint64_t now[MEMORIES] = { 0 };
	const char *from = p;
	int ret;

	if (rd->has[MEMORY] && !take_memory(&p, end, now))
		return BAD("expected ':N:N:N:N:', found %s", QUOTE_TO(p, end));
	if ((ret = read_frames(rd, p, end)))
		return ret;
	rd->full += end - from >= LONGEST;
	if (rd->nframe)
		ret = put_sample(rd, now);
	else
		rd->empty++;
	memcpy(rd->memory, now, sizeof now);
	rd->has_memory = true;
	return ret;
}

static int
read_line(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	const struct text t = { p, (size_t)(end - p) - (end > p && end[-1] == '\r') };

	if (t.n && (*p == 's' || (*p >= 'G' && *p <= 'm'))) {
		if (!read_header(t, rd->has, &rd->interval))
			return BAD("expected a header that ends with 'sample.interval=N', found %s",
			    QUOTE(t));
		return put_header(rd);
	}
	if (!rd->in_part)
		return BAD("expected 'sample.interval=N', found %s", QUOTE(t));
	if (text_begins(t, "#File "))
		return read_file(rd, p + strlen("#File "), t.s + t.n);
	return read_sample(rd, p, t.s + t.n);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;

	return decode_each_line(rd->d, p, end, read_line, rd);
}

static int
read_all(struct reader *rd)
{
	struct decode *d = rd->d;

	/* R writes whole lines. */
	if (decode_lines(d, "profile", LAST_ENDS, block, rd) < 0)
		return -1;
	if (!rd->in_part && !d->cut)
		return decode_line_done(d, BAD("no 'sample.interval='"));
	if (rd->empty)
		diag_say(d->diag, DIAG_NOTE, "samples without a function are not "
		    "counted, as in summaryRprof(): %" PRIu64, rd->empty);
	if (rd->full)
		diag_say(d->diag, DIAG_WARN, "stacks of %d bytes, from which R drops the "
		    "outermost functions: %" PRIu64, LONGEST, rd->full);
	return 0;
}

static int
rprof_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	int ret = read_all(&rd);

	free(rd.path);
	free(rd.frame);
	return ret;
}

static int
rprof_probe(const char *p, size_t n)
{
	const char *lf = memchr(p, '\n', n < 200 ? n : 200);
	bool has[PREFIXES];
	uint64_t interval;

	if (!lf || !read_header((struct text){ p, (size_t)(lf - p) - (lf > p && lf[-1] == '\r') },
	    has, &interval))
		return 0;
	return (int)strlen(interval_is);
}

const struct codec codec_rprof = {
	.name = "rprof",
	.summary = "Profiles of R, which Rprof writes",
	.synonyms = "r",
	.patterns = "Rprof.out",
	.probe = rprof_probe,
	.decode = rprof_decode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_SOME, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_PARTS] = SUPPORT_YES, [FEATURE_EVENTS] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_YES,
	},
};

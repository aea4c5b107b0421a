/* SPDX-License-Identifier: ISC */
/*
 * Fuzzes the library, in one process.  One program has all targets; its own name
 * selects one.
 *
 * Built for libFuzzer, it gets generated inputs.  Built with REPLAY, it has a main():
 * `replay TARGET FILE...` prints the result for each file.  It aborts if a promise is
 * broken:
 *
 *	a profile, and the stream that it decodes to, have the same records;
 *	a profile that is encoded without loss and decoded again is the same, and in any
 *	other format has the same totals;
 *	a decoder finds as many records, values and labels as the format's own counter
 *	(count.h), also if the input comes in pieces or is packed;
 *	a sum of profiles has the sum of their totals, and of each place, event and label
 *	the sum of their values, in whatever order they come; folding functions of a call
 *	graph does not change its cost;
 *	the rows of a ranking add up to the costs and the samples that it is of;
 *	a profile is written for viewers in the same way again, and as JSON where that is
 *	what they read;
 *	a call tree of stacks has the cost of all of them, and what is below a function
 *	costs no more than it does;
 *	a recording has the maps of its processes at each moment, and an address the symbol
 *	that a list of them has last (maps.h, listed.h);
 *	a stack that is unwound gets shorter with each caller;
 *	compression and decompression return the same bytes;
 *	a kilobyte takes neither a second nor 64 megabytes;
 *	what is nested deeply takes no stack (tests/fuzz/run).
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "count.h"
#include "is_json.h"
#include "listed.h"
#include "maps.h"
#include "unwinding.h"

#include "codec/unsupported.h"
#include "codec/input_set.h"
#include "filter/filter.h"
#include "io/zip.h"
#include "rules/rules.h"
#include "stream/codec.h"
#include "stream/thread_frame.h"
#include "sum/diff.h"
#include "sum/merge.h"
#include "sum/rank.h"
#include "symbol/jit_dump.h"
#include "symbol/symbol_lists.h"
#include "util/match.h"
#include "util/mem.h"
#include "view/annotate.h"
#include "view/tree.h"
#include "view/metric_list.h"
#include "view/view.h"

#define SMALL 1024		/* bytes of an input that must not take much: */
#define MOST_MEMORY ((size_t)64 << 20)
#define PIECES_MOST 256		/* that a pipe takes, */
#define PIECE_MOST 4000		/* and bytes in one, which is a page */
#define UNPACKED ((size_t)128 << 20)	/* a window, and a line that bytes became */
#ifdef REPLAY
#define MOST_SECONDS 1
#else
#define MOST_SECONDS 5		/* of code that is watched */
#endif

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static struct buf said;		/* what came of an input */

/* ---- files in memory ---- */

enum { INPUT, STREAM, PACKED, AGAIN, NORMAL, NORMAL_AGAIN, TURNED, FILES,
	PIECES = FILES, PATHS };	/* PIECES is a pipe */

static int fds[FILES];
static char path[PATHS][32];

static void
make_files(void)
{
	int i;

	for (i = 0; i < FILES; i++) {
		if ((fds[i] = memfd_create("fuzz", MFD_CLOEXEC)) < 0)
			abort();
		snprintf(path[i], sizeof path[i], "/proc/self/fd/%d", fds[i]);
	}
}

static void
set_file(int file, struct text t)
{
	if (ftruncate(fds[file], 0) < 0 || pwrite(fds[file], t.s, t.n, 0) < 0)
		abort();
}

static void
get_file(int file, struct buf *b)
{
	ssize_t n;

	b->n = 0;
	while ((n = pread(fds[file], buf_room(b, 65536), 65536, (off_t)b->n)) > 0)
		b->n += (size_t)n;
}

/* Puts bytes into a pipe, of which each read(2) gets so many at most: the end to read. */
static int
open_pieces(struct text t, size_t n)
{
	int pipes[2];
	size_t i, k;

	if (pipe2(pipes, O_CLOEXEC | O_DIRECT) < 0 ||
	    fcntl(pipes[1], F_SETPIPE_SZ, PIECES_MOST * getpagesize()) < 0)
		abort();
	for (i = 0; i < t.n; i += k) {
		k = t.n - i < n ? t.n - i : n;
		if (write(pipes[1], t.s + i, k) != (ssize_t)k)
			abort();
	}
	close(pipes[1]);
	snprintf(path[PIECES], sizeof path[PIECES], "/proc/self/fd/%d", pipes[0]);
	return pipes[0];
}

/* As tables of nothing are, which no decoder takes. */
static bool
is_empty(int file)
{
	return lseek(fds[file], 0, SEEK_END) == 0;
}

/* Adds to what is said how much a file has. */
static void
say_size(int file)
{
	buf_printf(&said, "%s%lld bytes", said.n ? ", " : "",
	    (long long)lseek(fds[file], 0, SEEK_END));
}

static bool
same_files(int one, int other, bool show)
{
	struct buf a = { 0 }, b = { 0 };
	bool same;

	get_file(one, &a);
	get_file(other, &b);
	same = text_eq(buf_as_text(&a), buf_as_text(&b));
	if (!same && show)
		fprintf(stderr, "---- this\n%s\n---- is not\n%s\n", buf_str(&a),
		    buf_str(&b));
	buf_free(&a);
	buf_free(&b);
	return same;
}

static _Noreturn void
broken(const char *promise)
{
	fprintf(stderr, "broken promise: %s\n%s\n", promise, buf_str(&said));
	abort();
}

/* ---- a tool's run ---- */

struct job {
	int in;
	size_t times;		/* that it is read, 0 is once, */
	int other;		/* and every second time from here, if not 0 */
	const struct codec *from;	/* NULL: probed */
	const struct opts *given;	/* options of the format that is written */
	bool lenient, by_addr;
	struct text text;	/* for filters */
	/* Puts filters in front; -1 with the diag set. */
	int (*filter)(struct job *, struct pipeline *);
	/* Of INPUT: */
	struct symbols *(*symbols)(struct executables *, const char *path, struct diag *);
	struct executables executables;

	struct dict *dict;
	struct schema *schema;
	struct diag diag;
	struct symbolizer *names;
	struct conditions *where;
};

static void
hear(void *arg, enum diag_level level, const char *text)
{
	(void)arg;
	(void)level;
	(void)text;
}

static void
job_begin(struct job *j)
{
	j->dict = dict_new();
	j->schema = schema_new();
	j->diag.say = hear;
}

/* Adds the error, if there is one, to what is said. */
static int
job_end(struct job *j, int r)
{
	if (r < 0)
		buf_printf(&said, "%s%s", said.n ? "; " : "", buf_str(&j->diag.error));
	buf_free(&j->diag.error);
	symbolize_free(j->names);
	conditions_free(j->where);
	dict_free(j->dict);
	schema_free(j->schema);
	return r;
}

static int
feed(struct job *j, struct sink *s)
{
	struct input_set d = { .dict = j->dict, .schema = j->schema, .out = s,
	    .diag = &j->diag, .executables = &j->executables, .lenient = j->lenient,
	    .by_addr = j->by_addr };
	struct record prof = rec_make(REC_PROF), end = rec_make(REC_END);
	size_t i;
	int r;

	prof.col[0].t = TEXT("1");
	if ((j->symbols && input_set_symbols(&d, j->symbols(&j->executables,
	    path[INPUT], &j->diag)) < 0) ||
	    sink_put(s, &prof) < 0)
		return -1;
	j->names = d.names;
	r = input_set_read(&d, path[j->in], j->from, NULL);
	for (i = 1; i < j->times && r == FILE_DONE; i++)
		r = input_set_read(&d, path[i & 1 && j->other ? j->other : j->in], j->from,
		    NULL);
	j->names = d.names;
	input_set_end(&d);
	return r == FILE_DONE ? sink_put(s, &end) : r < 0 ? r :
	    diag_fail_plain(&j->diag, "no profile");
}

/* The same with the job's filters in front. */
static int
filtered(struct job *j, struct sink *s)
{
	struct pipeline p = { 0 };
	int r = j->filter ? j->filter(j, &p) : 0;

	if (r == 0)
		r = feed(j, pipeline_into(&p, s));
	pipeline_free(&p);
	return r;
}

static struct output *
open_output(struct job *j, int file)
{
	return out_fd(open(path[file], O_WRONLY | O_TRUNC | O_CLOEXEC), "output",
	    &j->diag);
}

static int
encode(struct job j, const struct codec *to, bool strict, int file)
{
	struct pipeline p = { 0 };
	struct encode e;
	int r;

	job_begin(&j);
	e = (struct encode){ .out = open_output(&j, file), .dict = j.dict,
	    .diag = &j.diag, .names = &j.names, .given = j.given, .strict = strict };
	codec_encode(to, &e, &p);
	r = filtered(&j, p.first);
	pipeline_free(&p);
	if (out_close(e.out, r == 0) < 0)
		r = -1;
	return job_end(&j, r);
}

/* Leaves out definitions, since no record may refer to some of them. */
static void
drop_definitions(int file)
{
	struct buf b = { 0 }, kept = { 0 };
	const char *s, *lf;

	get_file(file, &b);
	for (s = buf_str(&b); (lf = strchr(s, '\n')); s = lf + 1)
		if (strncmp(s, "{\"record\":\"f", 12) != 0 &&
		    strncmp(s, "{\"record\":\"object", 17) != 0)
			buf_add(&kept, s, (size_t)(lf + 1 - s));
	set_file(file, buf_as_text(&kept));
	buf_free(&b);
	buf_free(&kept);
}

/* ---- totals ---- */

/* The sum of a column in all records of a kind, or of the values of an event. */
struct sum {
	enum rec_kind kind;
	struct buf name;
	uint64_t scale;		/* of an event */
	num sum;		/* of what is known */
	bool follows;		/* from other numbers: propagated costs from counts of calls */
};

struct totals {
	struct sink sink;
	struct events events;
	struct sum *v;
	size_t n, cap;
	bool overflow;
};

static struct sum *
find_sum(const struct totals *t, enum rec_kind kind, struct text name, uint64_t scale)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->v[i].kind == kind && t->v[i].scale == scale &&
		    text_eq(buf_as_text(&t->v[i].name), name))
			return &t->v[i];
	return NULL;
}

/* Returns the sum to which the number belongs, until another one is added. */
static struct sum *
add_number(struct totals *t, enum rec_kind kind, struct text name, uint64_t scale,
    struct text number)
{
	struct sum *sum = find_sum(t, kind, name, scale);
	num n;

	if (!sum) {
		t->v = mem_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
		sum = &t->v[t->n++];
		*sum = (struct sum){ .kind = kind, .scale = scale };
		buf_text(&sum->name, name);
	}
	if (number.s && !text_is(number, "-") && (num_get_num(number.s, number.n, &n) < 0 ||
	    num_add(&sum->sum, n) < 0))
		t->overflow = true;
	return sum;
}

static void
add_columns(struct totals *t, const struct record *r)
{
	unsigned i;

	for (i = 0; i < r->def->ncol; i++)
		if (r->def->col[i].role == ROLE_SUM || r->def->col[i].role == ROLE_KIND)
			add_number(t, r->def->kind, text_of(r->def->col[i].name), 0,
			    r->col[i].t);
}

static void
add_values(struct totals *t, const struct record *r)
{
	struct text values = r->values, v;
	const struct record *event;
	size_t i;

	for (i = 0; values_next(&values, &v); i++)
		if ((event = events_at(&t->events, i)))
			add_number(t, r->def->kind, event->col[EVENT_NAME].t,
			    event_scale(event), v)->follows |= r->def->kind == REC_CALL &&
			    event_calls(event, "propagated");
}

static int
totals_put(struct sink *s, const struct record *r)
{
	struct totals *t = (struct totals *)s;
	const enum rec_kind kind = rec_kind(r);

	if (kind == REC_PART)
		events_clear(&t->events);
	else if (kind == REC_EVENT)
		events_add(&t->events, r);
	else if (rec_is_measured(kind) && kind != REC_RAW) {
		add_columns(t, r);
		add_values(t, r);
	}
	return 0;
}

static void
totals_free(struct totals *t)
{
	while (t->n)
		buf_free(&t->v[--t->n].name);
	free(t->v);
	events_free(&t->events);
}

/* Those of a stream. */
static struct totals
totals_of(int file)
{
	struct job j = { .in = file, .from = &codec_prof };
	struct totals t = { .sink = { .put = totals_put } };

	job_begin(&j);
	if (feed(&j, &t.sink) < 0)
		broken("a stream that was written can be read");
	job_end(&j, 0);
	return t;
}

static void
put_sum(struct buf *b, const struct sum *sum)
{
	char tmp[NUM_TEXT];

	buf_printf(b, "%s ", rec_table[sum->kind].tag);
	buf_text(b, buf_as_text(&sum->name));
	buf_putc(b, ' ');
	buf_add(b, tmp, (size_t)(num_put_num(tmp, sum->sum) - tmp));
}

static void
say_totals(int file)
{
	struct totals t = totals_of(file);
	size_t i;

	for (i = 0; i < t.n; i++) {
		if (!t.v[i].sum)
			continue;
		buf_puts(&said, ", ");
		put_sum(&said, &t.v[i]);
	}
	totals_free(&t);
}

/* Checks that two streams have the same totals, in records of a kind or (REC_KINDS) of
 * each; of_both: only for columns or events that both have. */
static void
check_totals(int one, int other, enum rec_kind kind, bool of_both, const char *promise)
{
	struct totals a = totals_of(one), b = totals_of(other);
	size_t i;

	for (i = 0; i < a.n && !a.overflow && !b.overflow; i++) {
		const struct sum *was = &a.v[i], *is = find_sum(&b, was->kind,
		    buf_as_text(&was->name), was->scale);

		if ((kind != REC_KINDS && was->kind != kind) || was->follows ||
		    (!is && (of_both || !was->sum)) ||
		    (is && is->sum == was->sum))
			continue;
		buf_puts(&said, ": ");
		put_sum(&said, was);
		buf_puts(&said, ", then ");
		if (is)
			put_sum(&said, is);
		broken(promise);
	}
	totals_free(&a);
	totals_free(&b);
}

/* Puts it into normal form: by merge_write(), or by diff_write() of it and itself. */
static int
normalise(struct job j, bool diff, int file)
{
	struct merge *m[2] = { NULL, NULL };
	struct encode e;
	struct pipeline p = { 0 };
	int r = 0, i;

	job_begin(&j);
	for (i = 0; i <= diff && r == 0; i++) {
		m[i] = merge_new(&(struct merge_how){ .dict = j.dict, .diag = &j.diag });
		r = filtered(&j, merge_sink(m[i]));
	}
	e = (struct encode){ .out = open_output(&j, file), .dict = j.dict,
	    .diag = &j.diag, .names = &j.names };
	codec_encode(&codec_prof, &e, &p);
	if (r == 0)
		r = diff ? diff_write(m[0], m[1], &(struct diff_how){ .dict = j.dict,
		    .diag = &j.diag, .old_name = "old", .new_name = "new" }, p.first) :
		    merge_write(m[0], p.first);
	pipeline_free(&p);
	if (out_close(e.out, r == 0) < 0)
		r = -1;
	for (i = 0; i < 2; i++)
		if (m[i])
			merge_free(m[i]);
	return job_end(&j, r);
}

/* The self cost of an event, by name and scale, in all rows: false if it does not fit. */
static bool
add_rows(const struct rank *rank, struct text name, uint64_t scale, num *sum)
{
	size_t i, row;

	for (i = 0; i < rank->events.n; i++) {
		const struct record *event = rank->events.v[i].r;

		if (rank->slot[i] < 0 || !text_eq(event->col[EVENT_NAME].t, name) ||
		    event_scale(event) != scale)
			continue;
		for (row = 0; row < rank->rows.n; row++)
			if (num_add(sum, sums_val(&rank->rows, row)[rank->slot[i]]) < 0)
				return false;
	}
	return true;
}

/* The rows of a ranking of all events add up to the costs and samples of the stream; not
 * those of points, or of a difference, which has numbers of calls besides. */
static void
check_rows(const struct rank *rank, const struct totals *t)
{
	size_t i;

	if (rank->ndelta || rank->points.n)
		return;
	for (i = 0; i < t->n; i++) {
		const struct sum *cost = &t->v[i], *sample = find_sum(t, REC_SAMPLE,
		    buf_as_text(&cost->name), cost->scale);
		num sum = 0, want = cost->sum;

		if (cost->kind != REC_COST || (sample && num_add(&want, sample->sum) < 0) ||
		    !add_rows(rank, buf_as_text(&cost->name), cost->scale, &sum) ||
		    sum == want)
			continue;
		put_sum(&said, cost);
		broken("rows add up to what they are of");
	}
}

static void
rank_as(struct job j, struct text want, enum group_by by, enum view_form form, bool growth)
{
	struct rank_request q = { .group_by = { by }, .ngroup_by = 1,
	    .all_events = !want.s, .want = want.s ? &want : NULL,
	    .nwant = want.s != NULL };
	struct ranker *ranker;
	const struct rank *rank;
	struct view view = { .form = form, .growth = growth };
	struct totals t = totals_of(j.in);
	struct output *out;
	size_t i;

	job_begin(&j);
	q.dict = j.dict;
	q.diag = &j.diag;
	ranker = ranker_new(&q);
	out = open_output(&j, AGAIN);
	if (filtered(&j, ranker_sink(ranker)) == 0 && (rank = ranker_finish(ranker))) {
		if (!want.s && !t.overflow)
			check_rows(rank, &t);
		view.show = mem_alloc(rank->events.n + 1, sizeof *view.show);
		for (i = 0; i < rank->events.n && !want.s; i++)
			if (rank->events.v[i].measured)
				view.show[view.nshow++] =
				    rank->events.v[i].r->col[EVENT_NAME].t;
		if (want.s)
			view.show[view.nshow++] = want;
		(void)view_print(&view, &q, rank, ranker_heading(ranker), out);
		free(view.show);
	}
	(void)out_close(out, true);
	ranker_free(ranker);
	totals_free(&t);
	job_end(&j, 0);
}

/* ---- formats ---- */

/* The result of decoding is a stream, which decodes to itself. */
static void
check_stream(int file)
{
	struct job j = { .in = file, .from = &codec_prof };

	if (encode(j, &codec_prof, false, AGAIN) < 0)
		broken("a stream that was written can be read");
	if (!same_files(file, AGAIN, true))
		broken("a stream is decoded to itself");
}

/* Does the stream have records?  An empty table, for one, does not say what it is of. */
static bool
has_records(void)
{
	struct buf b = { 0 };
	char tag[32];
	bool has = false;
	int kind;

	get_file(STREAM, &b);
	for (kind = REC_COST; kind <= REC_TOTAL; kind++) {
		snprintf(tag, sizeof tag, "\n%s\t", rec_table[kind].tag);
		has |= strstr(buf_str(&b), tag) != NULL;
	}
	buf_free(&b);
	return has;
}

/* The records of a stream, in normal form with names spelt out, as each format numbers
 * names in its own way. */
static int
spell(struct job j, int file)
{
	if (normalise(j, false, PACKED) < 0 || encode((struct job){ .in = PACKED,
	    .from = &codec_prof }, codec_find("json"), false, file) < 0)
		return -1;
	drop_definitions(file);
	return 0;
}

/* A function whose name begins so makes an executable, or a compressed file, of folded
 * stacks. */
static bool
is_other_file(int file)
{
	char magic[16] = "";
	const ssize_t n = pread(fds[file], magic, sizeof magic, 0);

	return n >= 4 && (memcmp(magic, "\x7f" "ELF", 4) == 0 || zip_detect(magic, (size_t)n));
}

/* The line of a stream that states the layout of its gmon.out; absent if there is none. */
static struct text
layout_of(int file, char *s, size_t room)
{
	ssize_t n = pread(fds[file], s, room, 0);
	const char *p = n > 0 ? memmem(s, (size_t)n, "gmon.layout", 11) : NULL;
	const char *end = p ? memchr(p, '\n', (size_t)(s + n - p)) : NULL;

	return end ? (struct text){ p, (size_t)(end - p) } : (struct text){ 0 };
}

/* Layouts are distinguished by what makes sense; a tiny file may make sense in several. */
static bool
is_other_layout(void)
{
	char one[4096], other[4096];

	return !text_eq(layout_of(STREAM, one, sizeof one),
	    layout_of(AGAIN, other, sizeof other));
}

/* Encoding without loss to the original format returns the same profile. */
static void
check_back(const struct codec *c)
{
	struct job j = { .in = STREAM, .from = &codec_prof }, back = { .in = PACKED,
	    .from = c };

	if (!has_records() || encode(j, c, true, PACKED) < 0 || is_empty(PACKED) ||
	    is_other_file(PACKED))
		return;
	if (encode(back, &codec_prof, false, AGAIN) < 0)
		broken("what was encoded can be decoded");
	if (is_other_layout())
		return;
	back = (struct job){ .in = AGAIN, .from = &codec_prof };
	if (!same_files(STREAM, AGAIN, false) && spell(j, NORMAL) == 0 &&
	    (spell(back, NORMAL_AGAIN) < 0 || !same_files(NORMAL, NORMAL_AGAIN, true)))
		broken("what is encoded without a loss is the same profile");
	buf_puts(&said, ", back the same");
}

/* ---- packing ---- */

static void
pack(enum zip_kind kind, struct text input, struct buf *b)
{
	struct zip_span s = { .in = input.s, .nin = input.n };
	struct zip *z = zip_new(kind);
	const char *why;
	int r;

	do {
		s.out = buf_room(b, 4096);
		s.nout = 4096;
		if ((r = zip_step(z, &s, ZIP_END, &why)) < 0)
			broken(why);
		b->n += 4096 - s.nout;
	} while (r);
	zip_free(z);
}

/* ---- second counts ---- */

static bool
count_file(int file, struct counts *c, uint64_t *print)
{
	struct buf b = { 0 };
	bool known;

	get_file(file, &b);
	known = count_stream(buf_as_text(&b), c, print);
	buf_free(&b);
	return known;
}

/* What the input has, by the counter of its format: false if that cannot tell. */
static bool
count_again(const struct codec *from, struct text input, struct counts *c)
{
	uint64_t print;

	if (!from || zip_detect(input.s, input.n) != ZIP_NONE)
		return false;
	return from == &codec_prof ? count_stream(input, c, &print) :
	    count_input(from->name, input, c);
}

static bool
same_counts(const struct count *want, const struct count *got)
{
	unsigned i;

	for (i = 0; i < COUNT_SUMS; i++)
		if (want->sums >> i & 1 && want->sum[i] != got->sum[i])
			return false;
	return (want->added_up || want->records == got->records) &&
	    (!want->calls_known || want->calls == got->calls) &&
	    (!want->labels_known || want->labels == got->labels);
}

/* The stream has what the input has, by another count. */
static void
check_counts(const struct codec *from, struct text input)
{
	struct counts want, got;
	uint64_t print;
	unsigned i;

	if (!count_again(from, input, &want) || !count_file(STREAM, &got, &print))
		return;
	for (i = 0; i < COUNT_KINDS; i++) {
		if (!want.kind[i].known || same_counts(&want.kind[i], &got.kind[i]))
			continue;
		buf_printf(&said, ": %" PRIu64 " %s, then %" PRIu64, want.kind[i].records,
		    count_tags[i], got.kind[i].records);
		broken("a decoder finds what the format's own counter finds");
	}
	buf_puts(&said, ", counted");
}

/* The input is the same if it comes in pieces, or packed: by turns, as it takes time.  A
 * pipe without an end that a file may lack can be refused. */
static void
check_pieces(struct job j, struct text input)
{
	const size_t turn = input.n + (input.n ? (unsigned char)input.s[input.n / 2] : 0);
	const size_t had = said.n;
	struct buf packed = { 0 };
	size_t least;
	int fd, r;

	if (zip_detect(input.s, input.n) != ZIP_NONE)
		return;
	if (turn % 4 == 0) {
		pack(turn & 4 ? ZIP_GZIP : ZIP_ZSTD, input, &packed);
		input = buf_as_text(&packed);
	}
	least = input.n / (PIECES_MOST - 1) + 1;
	if (least > PIECE_MOST) {
		buf_free(&packed);
		return;
	}
	fd = open_pieces(input, least + turn % 61);
	j.in = PIECES;
	r = encode(j, &codec_prof, false, AGAIN);
	if (r < 0 && !strstr(buf_str(&said) + had, "(accepted in a file)"))
		broken("what comes in pieces can be read");
	if (r == 0 && !same_files(STREAM, AGAIN, true))
		broken("what comes in pieces is the same");
	said.n = had;
	close(fd);
	buf_free(&packed);
}

static void
run_format(const char *target, struct text input)
{
	struct job j = { .in = INPUT, .from = codec_find(target) };

	set_file(INPUT, input);
	if (encode(j, &codec_prof, false, STREAM) < 0) {
		if (strncmp(target, "gmon", 4) == 0)	/* has no lines to skip */
			return;
		j.lenient = true;
		if (encode(j, &codec_prof, false, STREAM) < 0)
			return;
		buf_puts(&said, "; skipped");
	} else {
		buf_puts(&said, "decoded");
		check_counts(j.from, input);
		check_pieces(j, input);
	}
	check_stream(STREAM);
	if (j.from && j.from->encode)
		check_back(j.from);
	say_totals(STREAM);
}

static bool
fold_odd(void *arg, uint32_t func)
{
	(void)arg;
	return func & 1;
}

static int
add_fold(struct job *j, struct pipeline *p)
{
	pipeline_add(p, filter_fold(fold_odd, NULL, j->dict, &j->diag));
	return 0;
}

static int
add_estimate(struct job *j, struct pipeline *p)
{
	pipeline_add(p, filter_estimate(j->dict, &j->diag));
	return 0;
}

static int
add_around(struct job *j, struct pipeline *p)
{
	static const char *const patterns[] = { "a", "main" };
	static struct match *m;
	static struct selection sel;

	if (!m)
		m = match_new(patterns, 2, 0, &j->diag);
	sel = (struct selection){ .match = m, .in = IN_FUNCTION | IN_FILE, .below = 2,
	    .above = LEVELS_ALL, .schema = j->schema,
	    .role = END_SELF | END_CALLER | END_CALLEE };
	filter_grep(p, &sel, j->dict, &j->diag);
	return 0;
}

/* A round trip through another format keeps the totals if nothing is lost. */
static void
there_and_back(struct job j, const struct codec *c)
{
	bool strict = encode(j, c, true, PACKED) == 0;

	if ((!strict && encode(j, c, false, PACKED) < 0) || !c->decode || is_empty(PACKED) ||
	    (text_is(text_of(c->name), "folded") && is_other_file(PACKED)))
		return;
	if (encode((struct job){ .in = PACKED, .from = c }, &codec_prof, false, AGAIN) < 0)
		broken("what was encoded can be decoded");
	if (strict)
		check_totals(j.in, AGAIN, REC_KINDS, true,
		    "what is encoded without a loss has the same totals");
}

/* Writes the stream with the records of each part in the reverse order. */
static void
turn_over(int file, int to)
{
	struct buf b = { 0 }, turned = { 0 };
	struct text rest, line, *kept = NULL;
	size_t n = 0, cap = 0, i;

	get_file(file, &b);
	for (rest = buf_as_text(&b); rest.n; ) {
		const char *at = rest.s;
		struct text tail = line = count_word(&rest, '\n'), tag = count_word(&tail, '\t');

		line = (struct text){ at, line.n + 1 };
		for (i = 0; i < COUNT_KINDS && !text_is(tag, count_tags[i]); i++)
			;
		if (i < COUNT_KINDS) {
			kept = mem_grow(kept, &cap, n + 1, sizeof *kept);
			kept[n++] = line;
			continue;
		}
		if (text_is(tag, "part") || text_is(tag, "end"))
			while (n)
				buf_text(&turned, kept[--n]);
		buf_text(&turned, line);
	}
	set_file(to, buf_as_text(&turned));
	free(kept);
	buf_free(&b);
	buf_free(&turned);
}

#define RUNS 5

/* A sum has each value as often as it came in, in whatever order it did. */
static void
check_sum(struct job j)
{
	struct counts c;
	uint64_t one, sum;

	if (!count_file(STREAM, &c, &one) || !count_file(NORMAL, &c, &sum))
		return;
	if (sum != one)
		broken("a sum of one has its values, in their places");
	turn_over(STREAM, TURNED);
	j.times = RUNS;
	j.other = TURNED;
	if (normalise(j, false, NORMAL_AGAIN) < 0)
		return;		/* they do not fit 128 bits */
	if (!count_file(NORMAL_AGAIN, &c, &sum) || sum != RUNS * one)
		broken("a sum of equals is a multiple of each value");
}

/* A stream through all that tools make of one. */
static void
run_tools(const char *target, struct text input)
{
	struct job j = { .in = INPUT, .from = &codec_prof };
	int (*const filters[])(struct job *, struct pipeline *) = { add_fold, add_estimate,
	    add_around };
	const struct codec *const *c;
	enum group_by by;
	size_t i;

	(void)target;
	set_file(INPUT, input);
	if (encode(j, &codec_prof, false, STREAM) < 0)
		return;
	j.in = STREAM;
	for (c = codec_table; *c; c++)
		if ((*c)->encode)
			there_and_back(j, *c);
	for (by = 0; by < BY_KINDS; by++)
		rank_as(j, (struct text){ NULL, 0 }, by, by % 3, by & 1);
	if (normalise(j, false, NORMAL) == 0) {
		check_totals(STREAM, NORMAL, REC_KINDS, false, "a sum has the same totals");
		check_sum(j);
		if (normalise((struct job){ .in = NORMAL, .from = &codec_prof }, false,
		    NORMAL_AGAIN) < 0 || !same_files(NORMAL, NORMAL_AGAIN, true))
			broken("a normal form is its own normal form");
		(void)normalise(j, true, AGAIN);
	}
	for (i = 0; i < sizeof filters / sizeof *filters; i++) {
		j.filter = filters[i];
		if (encode(j, &codec_prof, false, PACKED) == 0) {
			if (filters[i] == add_fold)
				check_totals(STREAM, PACKED, REC_COST, false,
				    "what is folded costs the same");
			check_stream(PACKED);
		}
	}
	said.n = 0;	/* most formats refuse most profiles */
	buf_puts(&said, "went through all");
}

/* ---- what people and viewers read ---- */

static void
check_json(const struct codec *c)
{
	static const char *const are_json[] = { "speedscope", "firefox", "cpuprofile",
	    "json" };
	struct buf b = { 0 };
	size_t i;

	get_file(PACKED, &b);
	for (i = 0; i < sizeof are_json / sizeof *are_json; i++)
		if (strcmp(c->name, are_json[i]) == 0 && !is_json(buf_as_text(&b))) {
			fprintf(stderr, "%s\n", buf_str(&b));
			broken("what is written as JSON is that");
		}
	buf_free(&b);
}

static void
encode_with(struct job j, const struct codec *c, const struct opt *flag)
{
	struct opts given = { .diag = &j.diag };
	struct buf arg = { 0 };
	char *argv[] = { NULL, NULL, NULL };

	buf_printf(&arg, "--%s", flag->name);
	argv[1] = (char *)(uintptr_t)buf_str(&arg);
	opts_add_group(&given, c->name, c->options);
	opts_parse(&given, 2, argv);
	j.given = &given;
	if (encode(j, c, false, PACKED) == 0)
		check_json(c);
	opts_free(&given);
	buf_free(&arg);
}

/* Twice, and with each of the flags that the format has. */
static void
encode_all_ways(struct job j, const struct codec *c)
{
	const struct opt *o;

	if (encode(j, c, false, PACKED) < 0)
		return;
	say_size(PACKED);
	check_json(c);
	if (encode(j, c, false, AGAIN) < 0 || !same_files(PACKED, AGAIN, true))
		broken("a profile is written in the same way again");
	for (o = c->options ? c->options->opts : NULL; o && o->name; o++)
		if (o->kind == OPT_FLAG)
			encode_with(j, c, o);
}

/* A stream, and the difference of it and itself, in a format for people or viewers. */
static void
run_encoder(const char *target, struct text input)
{
	struct job j = { .in = INPUT, .from = &codec_prof };
	const struct codec *c = codec_find(target);

	set_file(INPUT, input);
	if (encode(j, &codec_prof, false, STREAM) < 0)
		return;
	j.in = STREAM;
	encode_all_ways(j, c);
	j.in = NORMAL;
	if (normalise((struct job){ .in = STREAM, .from = &codec_prof }, true, NORMAL) == 0)
		encode_all_ways(j, c);
}

/* A profile of a format that is read and written for viewers, or a stream. */
static void
run_viewed(const char *target, struct text input)
{
	if (!codec_find(target)->decode ||
	    (input.n >= 5 && memcmp(input.s, "prof\t", 5) == 0))
		run_encoder(target, input);
	else
		run_format(target, input);
}

/* Is it what viewers of stacks read? */
static bool
is_viewed(const struct codec *c)
{
	return c->encode && c->needs && strcmp(c->needs, "stacks") == 0 &&
	    strcmp(c->name, "folded") != 0;
}

/* What is below a node of stacks, and its own cost, are its cost. */
static void
check_tree(const struct call_tree *t, bool callers)
{
	size_t i, k, side;

	for (i = 1; i < t->n; i++)
		for (side = 0; side < t->sides; side++) {
			const struct tree_node *v = &t->v[i];
			num sum = v->self[side];

			if (v->source || callers || !(v->flags & TREE_GROWN))
				continue;
			for (k = v->first; k < v->first + v->n; k++)
				if (num_add(&sum, t->v[k].cost[side]) < 0)
					return;
			if (sum != v->cost[side])
				broken("the parts of a call tree are the whole");
		}
}

static void
tree_as(struct job j, const struct tree_request *how, const struct tree_view *v)
{
	struct tree_request q = *how;
	struct tree_builder *m;
	const struct call_tree *t;
	struct output *out;

	job_begin(&j);
	q.dict = j.dict;
	q.diag = &j.diag;
	m = tree_builder_new(&q);
	out = open_output(&j, AGAIN);
	if (filtered(&j, tree_builder_sink(m)) == 0 && (t = tree_builder_finish(m))) {
		check_tree(t, q.callers);
		tree_print(v, &q, t, tree_builder_heading(m), out);
	}
	(void)out_close(out, true);
	tree_builder_free(m);
	job_end(&j, 0);
}

static int
add_flatten(struct job *j, struct pipeline *p)
{
	static struct loss loss;

	loss_free(&loss);
	pipeline_add(p, filter_flatten(FLATTEN_POINTS, NULL, j->dict, &loss, &j->diag));
	return 0;
}

static void
run_tree(const char *target, struct text input)
{
	static const char *const pattern = "a";
	static const struct tree_view views[] = { { .form = VIEW_TEXT, .rows = 40 },
	    { .form = VIEW_TEXT, .markdown = true, .width = 60, .color = true },
	    { .form = VIEW_TSV }, { .form = VIEW_JSON } };
	static struct match *some;
	struct job j = { .in = INPUT, .from = &codec_prof, .filter = add_flatten };
	size_t i;

	(void)target;
	if (!some)
		some = match_new(&pattern, 1, 0, &(struct diag){ .say = hear });
	set_file(INPUT, input);
	if (encode((struct job){ .in = INPUT, .from = &codec_prof }, &codec_prof, false,
	    STREAM) < 0)
		return;
	for (i = 0; i < 32; i++) {
		const struct tree_request q = { .root = ROOT_OF_FORMAT, .callers = i & 1,
		    .functions = i & 2 ? some : NULL,
		    .min = { i & 4 ? 0 : 1000000, true }, .depth = i & 4 ? 4 : 0 };

		j.in = i & 16 ? NORMAL : STREAM;
		if (i == 16 && normalise((struct job){ .in = STREAM, .from = &codec_prof },
		    true, NORMAL) < 0)
			break;
		tree_as(j, &q, &views[(i + i / 4) % 4]);
	}
	said.n = 0;
	buf_puts(&said, "went through all");
}

static void
annotate_as(struct job j, const struct annotate *how)
{
	struct rank_request q = { .group_by = { BY_FILE, BY_LINE }, .ngroup_by = 2,
	    .all_events = true };
	struct annotate a = *how;
	struct metric_list shown = { 0 };
	struct ranker *ranker;
	const struct rank *rank;
	struct output *out;

	job_begin(&j);
	q.dict = j.dict;
	q.diag = &j.diag;
	ranker = ranker_new(&q);
	out = open_output(&j, AGAIN);
	if (filtered(&j, ranker_sink(ranker)) == 0 && (rank = ranker_finish(ranker)) &&
	    annotate_has_lines(rank)) {
		metric_list_all(&shown, rank);
		a.show = shown.v;
		a.nshow = shown.n;
		(void)annotate_print(&a, &q, rank, ranker_heading(ranker), out);
	}
	(void)out_close(out, true);
	ranker_free(ranker);
	metric_list_free(&shown);
	job_end(&j, 0);
}

/* Of sources that are not there but for those that the input names. */
static void
run_annotate(const char *target, struct text input)
{
	static const struct annotate views[] = {
	    { .form = VIEW_TEXT, .context = 2 },
	    { .form = VIEW_TEXT, .whole = true, .width = 60, .color = true },
	    { .form = VIEW_TSV, .min = { 1000000, true } }, { .form = VIEW_JSON } };
	struct job j = { .in = INPUT, .from = &codec_prof };
	size_t i;

	(void)target;
	set_file(INPUT, input);
	if (encode(j, &codec_prof, false, STREAM) < 0)
		return;
	for (i = 0; i < 8; i++) {
		j.in = i & 4 ? NORMAL : STREAM;
		if (i == 4 && normalise((struct job){ .in = STREAM, .from = &codec_prof },
		    true, NORMAL) < 0)
			break;
		annotate_as(j, &views[i % 4]);
	}
	said.n = 0;
	buf_puts(&said, "went through all");
}

/* ---- compression ---- */

static void
unpack(void)
{
	struct diag d = { .say = hear };
	struct input *in = in_open(path[INPUT], &d);
	const char *head;
	char *p, *end;
	uint64_t bytes = 0;
	int r;

	if (in_peek(in, &head) >= 0) {
		while ((r = in_lines(in, &p, &end)) > 0)
			bytes += (uint64_t)(end - p);
		if (r < 0)
			in_fail(in);
		buf_printf(&said, "%" PRIu64 " bytes%s", bytes,
		    in_packed_cut(in) ? ", cut" : "");
	}
	if (d.error.n)
		buf_printf(&said, "%s%s", said.n ? ": " : "", buf_str(&d.error));
	buf_free(&d.error);
	in_close(in);
}

static void
run_zip(const char *target, struct text input)
{
	struct diag d = { .say = hear };
	struct buf packed = { 0 };
	struct input *in;
	const char *p;
	size_t n;

	set_file(INPUT, input);
	unpack();
	if (strcmp(target, "zstd") != 0 && strcmp(target, "gzip") != 0)
		return;		/* only read */
	pack(strcmp(target, "gzip") == 0 ? ZIP_GZIP : ZIP_ZSTD, input, &packed);
	set_file(INPUT, buf_as_text(&packed));
	in = in_open(path[INPUT], &d);
	if (in_all(in, &p, &n) < 0 || n != input.n || (n && memcmp(p, input.s, n) != 0))
		broken("what is packed is unpacked to the same bytes");
	in_close(in);
	buf_free(&packed);
}

/* ---- what people write, on a profile ---- */

static const char profile[] =
    "prof\t1\n"
    "part\t1\tpositions=addr,line\n"
    "meta\tformat\tcallgrind\n"
    "meta\tcmd\t./a b\n"
    "meta\tpid\t17\n"
    "event\t0\tIr\t-\t-\tInstructions\n"
    "event\t1\tDr\t-\t-\tReads\tcalls=absent\n"
    "event\t-\tsum\t-\tIr + 2 Dr\t-\n"
    "object\t0\t/usr/bin/a\t-\n"
    "file\t0\ta.c\n"
    "func\t0\tmain\t0\t0\t-\n"
    "func\t1\tstd::vector<int>::push_back(int const&)\t0\t0\t-\n"
    "func\t2\tfib'2\t0\t0\t-\n"
    "func\t3\t0x401000\t-\t0\t-\n"
    "cost\t0\t0\t3\t0x401000\t10\t2\n"
    "cost\t1\t0\t7\t0x401010\t20\t-\n"
    "cost\t2\t0\t-\t0x401020\t5\t1\n"
    "cost\t3\t-\t-\t0x401001\t1\t1\n"
    "call\t0\t0\t4\t0x401005\t1\t7\t0x401010\t3\t20\n"
    "call\t1\t0\t8\t0x401012\t2\t-\t0x401020\t2\t5\n"
    "call\t2\t0\t8\t0x401021\t2\t-\t0x401020\t1\t2\n"
    "total\trun\t36\t4\n"
    "end\n";

static int
add_where(struct job *j, struct pipeline *p)
{
	if (!(j->where = conditions_new(&j->text.s, 1, &j->diag)))
		return -1;
	pipeline_add(p, filter_where(j->where, true, &said));
	return 0;
}

static int
add_events(struct job *j, struct pipeline *p)
{
	struct text wrong = filter_events_wrong(j->text.s);

	if (wrong.s)
		return diag_fail_plain(&j->diag, "--events: expected an event or a sum of "
		    "events, found %s", diag_quote(wrong.s, wrong.n));
	pipeline_add(p, filter_events(j->text.s, "--events", &j->diag));
	return 0;
}

static void
run_filter(int (*filter)(struct job *, struct pipeline *), struct text input)
{
	char *copy = mem_copy(input.s, input.n);
	struct job j = { .in = INPUT, .from = &codec_prof, .filter = filter,
	    .text = text_of(copy) };

	set_file(INPUT, TEXT(profile));
	if (encode(j, &codec_prof, false, STREAM) == 0) {
		check_stream(STREAM);
		say_size(STREAM);
	}
	j.filter = NULL;
	if (filter == add_events)
		rank_as(j, j.text, BY_LINE, VIEW_TEXT, false);
	free(copy);
}

/* Patterns with back-references, or with repetitions in repetitions, may take any
 * time and memory: prof-rules(5) says so.  In rules, new names may refer to groups. */
static bool
is_costly(struct text t, bool rules_refer)
{
	unsigned nested = 0;
	bool bound = false;
	size_t i;

	for (i = 1; i < t.n; i++) {
		char c = t.s[i], before = t.s[i - 1];
		bool digit = c >= '0' && c <= '9';

		if (!rules_refer && before == '\\' && digit)
			return true;
		bound |= before == '{' && (digit || c == ',');
		nested += c && strchr("*+?{", c) && before && strchr("*+?})", before);
	}
	return nested > 2 || (nested && bound);
}

static void
run_where(const char *target, struct text input)
{
	(void)target;
	if (!is_costly(input, false))
		run_filter(add_where, input);
}

static void
run_events(const char *target, struct text input)
{
	(void)target;
	run_filter(add_events, input);
}

static void
run_pattern(const char *target, struct text input)
{
	static const unsigned flags[] = { 0, MATCH_FIXED, MATCH_NOCASE | MATCH_WORD,
	    MATCH_WHOLE, MATCH_FIXED | MATCH_WHOLE };
	static const char *const names[] = { "main", "fib'2", "",
	    "std::vector<int, std::allocator<int> >::push_back(int const&)" };
	const char *copy = mem_copy(input.s, input.n);
	struct diag d = { .say = hear };
	size_t i, k;

	(void)target;
	for (i = 0; !is_costly(input, false) && i < sizeof flags / sizeof *flags; i++) {
		struct match *m = match_new(&copy, 1, flags[i], &d);

		for (k = 0; m && k < sizeof names / sizeof *names; k++)
			buf_putc(&said, match_text(m, text_of(names[k])) ? '1' : '0');
		match_free(m);
	}
	buf_text(&said, buf_as_text(&d.error));
	buf_free(&d.error);
	free((void *)(uintptr_t)copy);
}

static struct rules *rules;	/* of the current input */

static int
add_rules(struct job *j, struct pipeline *p)
{
	rules_add(rules, p, j->dict, &j->diag);
	rules_add_min_cost(rules, p, j->dict, j->schema, &j->diag);
	return 0;
}

static void
run_rules(const char *target, struct text input)
{
	struct job j = { .in = PACKED, .from = &codec_prof, .filter = add_rules };
	struct pseudonym_key key = { .is_set = false };
	struct diag d = { .say = hear };

	(void)target;
	set_file(INPUT, input);
	set_file(PACKED, TEXT(profile));
	rules = is_costly(input, true) ? NULL : rules_open(path[INPUT], &d);
	if (rules && rules_share(rules, &key, &d) == 0 &&
	    encode(j, &codec_prof, false, STREAM) == 0) {
		check_stream(STREAM);
		say_size(STREAM);
	}
	rules_free(rules);
	buf_text(&said, buf_as_text(&d.error));
	buf_free(&d.error);
}

/* ---- symbols ---- */

static struct symbols *
open_kernel(struct executables *x, const char *list, struct diag *d)
{
	return symbols_kallsyms(x, list, NULL, d);
}

static const struct opener {
	const char *target;
	struct symbols *(*open)(struct executables *, const char *path, struct diag *);
} openers[] = {
	{ "exe", symbols_open }, { "cfi", symbols_open }, { "nm", symbols_nm },
	{ "perf-map", symbols_made }, { "kallsyms", open_kernel },
};

static const struct opener *
find_opener(const char *name)
{
	size_t i;

	for (i = 0; strcmp(openers[i].target, name) != 0; i++)
		;
	return &openers[i];
}

static void
run_symbols(const char *name, struct text input)
{
	struct job j = { .in = PACKED, .from = codec_find("gmon"),
	    .symbols = find_opener(name)->open };

	set_file(INPUT, input);
	set_file(STREAM, TEXT(profile));
	if (encode((struct job){ .in = STREAM, .from = &codec_prof }, codec_find("gmon"), false,
	    PACKED) < 0)
		broken("the profile has addresses");
	if (encode(j, &codec_prof, false, STREAM) < 0)
		return;
	check_stream(STREAM);
	say_size(STREAM);
	j.in = STREAM;
	j.from = &codec_prof;
	(void)encode(j, codec_find("gmon"), false, AGAIN);
}

/* Opens a file's symbols, and checks them; they are NULL if it has none. */
static void
with_symbols(const char *name, struct text input,
    void (*check)(const char *name, struct text input, const struct symbols *))
{
	struct executables x = { .mangled = true };
	struct diag d = { .say = hear };
	struct symbols *s;

	set_file(INPUT, input);
	if ((s = find_opener(name)->open(&x, path[INPUT], &d)))
		check(name, input, s);
	symbols_free(s);
	buf_text(&said, buf_as_text(&d.error));
	buf_free(&d.error);
}

static void
check_listed(const char *name, struct text input, const struct symbols *s)
{
	if (!listed_check(input, strcmp(name, "perf-map") == 0, s))
		broken("an address has the symbol that was listed last");
}

static void
run_listed(const char *name, struct text input)
{
	with_symbols(name, input, check_listed);
	said.n = 0;
	run_symbols(name, input);
}

/* Code that was generated has a symbol where the file has its bytes. */
static void
run_jit_dump(const char *name, struct text input)
{
	struct executables x = { .mangled = true };
	struct diag d = { .say = hear };
	struct jit_dump *j;
	size_t i;

	(void)name;
	set_file(INPUT, input);
	j = jit_dump_open(&x, path[INPUT], &d);
	for (i = 0; j && i < j->n; i++) {
		const struct symbol *sym = symbols_find(j->symbols, j->code[i].offset);

		if (!j->code[i].size ||
		    (sym && !memmem(input.s, input.n, sym->name, strlen(sym->name) + 1)))
			broken("generated code is a record of the file");
		if (sym && sym->size != j->code[i].size)
			broken("a record of generated code is one symbol");
	}
	buf_printf(&said, "%zu of code", j ? j->n : 0);
	buf_text(&said, buf_as_text(&d.error));
	jit_dump_free(j);
	buf_free(&d.error);
}

static void
check_walk(const char *name, struct text input, const struct symbols *s)
{
	const char *promise = unwinding_walk_file(s, &said);

	(void)name;
	(void)input;
	if (promise)
		broken(promise);
}

static void
run_cfi(const char *name, struct text input)
{
	with_symbols(name, input, check_walk);
}

static void
run_unwind(const char *name, struct text input)
{
	const char *promise = unwinding_walk(input, &said);

	(void)name;
	if (promise)
		broken(promise);
}

/* ---- recordings ---- */

/* A recording that is made of the input has the stacks that its model has. */
static void
run_maps(const char *name, struct text input)
{
	struct job j = { .in = INPUT, .from = codec_find("perfdata"), .by_addr = true };
	struct buf b = { 0 };
	struct maps_model *m = maps_make(input, &b);

	(void)name;
	set_file(INPUT, buf_as_text(&b));
	if (encode(j, &codec_prof, false, STREAM) < 0)
		broken("a recording that was made can be read");
	get_file(STREAM, &b);
	if (!maps_check(m, buf_as_text(&b)))
		broken("an address is in what was mapped there last");
	say_totals(STREAM);
	buf_free(&b);
	free(m);
}

/* ---- targets: these, and each format ---- */

static const struct target {
	const char *name;
	void (*run)(const char *target, struct text input);
} targets[] = {
	{ "any", run_format },
	{ "tools", run_tools }, { "tree", run_tree }, { "annotate", run_annotate },
	{ "zstd", run_zip }, { "gzip", run_zip },
	{ "xz", run_zip }, { "bzip2", run_zip }, { "lz4", run_zip },
	{ "rules", run_rules }, { "events", run_events }, { "where", run_where },
	{ "pattern", run_pattern },
	{ "exe", run_symbols }, { "nm", run_symbols },
	{ "perf-map", run_listed }, { "kallsyms", run_listed },
	{ "cfi", run_cfi }, { "unwind", run_unwind }, { "maps", run_maps },
	{ "jitdump", run_jit_dump },
};

static const struct target *target;

static void
find_target(const char *name)
{
	static struct target format = { .run = run_format };
	const struct codec *c = codec_find(name);
	size_t i;

	if (c) {
		format.name = c->name;
		format.run = is_viewed(c) ? run_viewed : c->decode ? run_format : run_encoder;
		target = &format;
	}
	for (i = 0; i < sizeof targets / sizeof *targets; i++)
		if (strcmp(targets[i].name, name) == 0)
			target = &targets[i];
	if (target)
		return;
	fprintf(stderr, "no target '%s'; there are", name);
	for (i = 0; codec_table[i]; i++)
		fprintf(stderr, " %s", codec_table[i]->name);
	for (i = 0; i < sizeof targets / sizeof *targets; i++)
		fprintf(stderr, " %s", targets[i].name);
	fprintf(stderr, "\n");
	exit(2);
}

/* ---- limits ---- */

#ifdef __SANITIZE_ADDRESS__
#define COUNTED
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define COUNTED
#endif
#endif

static size_t live, most;

#ifdef COUNTED
/* GCC has these functions, but not clang's <sanitizer/allocator_interface.h>. */
size_t __sanitizer_get_allocated_size(const volatile void *p);
int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void *, size_t), void (*free_hook)(const volatile void *));

static void
count_malloc(const volatile void *p, size_t n)
{
	size_t now = __atomic_add_fetch(&live, n, __ATOMIC_RELAXED);

	(void)p;
	if (now > most)
		most = now;
}

static void
count_free(const volatile void *p)
{
	size_t n = p ? __sanitizer_get_allocated_size(p) : 0;

	__atomic_sub_fetch(&live, n, __ATOMIC_RELAXED);
}
#endif

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *slash = strrchr(**argv, '/');

	(void)argc;
	setenv("PROF_KEY", "a key", 1);
	setenv("HOME", "/nonexistent", 1);
	unsetenv("DEBUGINFOD_URLS");
	find_target(slash ? slash + 1 : **argv);
	make_files();
#ifdef COUNTED
	__sanitizer_install_malloc_and_free_hooks(count_malloc, count_free);
#endif
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	size_t before = most = live;
	double began = seconds();

	said.n = 0;
	target->run(target->name, (struct text){ (const char *)data, n });
	if (n > SMALL)
		return 0;
	if (zip_detect((const char *)data, n) != ZIP_NONE)
		before += UNPACKED;
	if (most > before + MOST_MEMORY) {
		fprintf(stderr, "%zu MB\n", (most - before) >> 20);
		broken("a kilobyte takes no 64 megabytes");
	}
	if (seconds() - began > MOST_SECONDS) {
		fprintf(stderr, "%.1f s\n", seconds() - began);
		broken("a kilobyte takes no second");
	}
	return 0;
}

#ifdef REPLAY
/* A line of what came of each file. */
int
main(int argc, char **argv)
{
	struct buf b = { 0 };
	size_t k;
	int i, fd, nargs = 1;

	if (argc < 3) {
		fprintf(stderr, "usage: replay TARGET FILE...\n");
		return 2;
	}
	LLVMFuzzerInitialize(&nargs, &(char **){ argv + 1 });
	for (i = 2; i < argc; i++) {
		const char *slash = strrchr(argv[i], '/'), *says;
		ssize_t n;

		if ((fd = open(argv[i], O_RDONLY)) < 0) {
			perror(argv[i]);
			return 2;
		}
		b.n = 0;
		while ((n = read(fd, buf_room(&b, 65536), 65536)) > 0)
			b.n += (size_t)n;
		close(fd);
		LLVMFuzzerTestOneInput((const uint8_t *)buf_str(&b), b.n);
		for (k = 0; k < said.n; k++)
			if (said.s[k] == '\n')
				said.s[k] = '|';
		says = buf_str(&said);
		if (strncmp(says, path[INPUT], strlen(path[INPUT])) == 0)
			says += strlen(path[INPUT]) + 1;
		printf("%s: %s\n", slash ? slash + 1 : argv[i], says);
	}
	buf_free(&b);
	buf_free(&said);
	return 0;
}
#endif

/* SPDX-License-Identifier: ISC */
/* Reads the output of sample(1): its header, then the call graph. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/num.h"

#define FACT "macos-sample.header"

#define BAD(rd, ...) (diag_fail((rd)->d->diag, __VA_ARGS__), LINE_BAD)

/* ---- the parts of a report ---- */

/* Skips the call graph, which begins at *p: true if it has an end. */
static bool
find_graph_end(struct reader *rd, const char **p, const char *end)
{
	struct sample_line l;
	struct text line;
	const char *at = *p;

	for (; sample_next_line(p, end, &line); at = *p) {
		rd->graph_end = at;
		if (text_begins(line, "Total number in stack") ||
		    text_begins(line, "Sort by top of stack"))
			return true;
		if (sample_is_line(line, &l)) {
			const struct sample_frame f = sample_split(l.what);

			rd->addrs |= f.addrs.s && !memchr(f.addrs.s, ',', f.addrs.n);
			rd->lines |= f.line.s != NULL;
		}
	}
	rd->graph_end = end;
	return false;
}

/* Finds the call graph and the lines after it, up to the next report. */
static int
find_graph(struct reader *rd)
{
	const char *p = rd->report.s, *end = p + rd->report.n;
	struct text line;

	while (!rd->graph && sample_next_line(&p, end, &line)) {
		rd->d->at.line++;
		if (text_begins(line, "Call graph:"))
			rd->graph = p;
	}
	if (!rd->graph)
		return decode_cut(rd->d, "expected a line 'Call graph:', found none");
	rd->ended = find_graph_end(rd, &p, end);
	rd->tail = p;
	rd->report.n = (size_t)(sample_find_images(rd, p, end) - rd->report.s);
	return 0;
}

/* ---- the header ---- */

/* Puts the metadata of "Analysis of sampling calc (pid 77) every 1 millisecond". */
static int
put_analysis(struct reader *rd, struct text line)
{
	static const char pid[] = "(pid ";
	const char *p = NULL, *q = line.s, *end = line.s + line.n, *close;

	while ((q = memmem(q, (size_t)(end - q), pid, sizeof pid - 1)))
		p = q += sizeof pid - 1;
	if (p && (close = memchr(p, ')', (size_t)(end - p))) &&
	    meta_put(rd->d->out, "pid", (struct text){ p, (size_t)(close - p) }) < 0)
		return -1;
	return meta_put(rd->d->out, "desc", words_trim(line));
}

/* Puts the metadata of "Path: /usr/local/bin/calc". */
static int
put_header_line(struct reader *rd, struct text line)
{
	const char *colon = memchr(line.s, ':', line.n);
	struct record r = rec_make(REC_META);
	struct text key, value;

	if (!colon)
		return 0;
	key = words_trim((struct text){ line.s, (size_t)(colon - line.s) });
	value = words_trim((struct text){ colon + 1, (size_t)(line.s + line.n - colon - 1) });
	if (text_is(key, "Path"))
		return meta_put(rd->d->out, "cmd", value);
	if (text_is(key, "Analysis Tool"))
		return meta_put(rd->d->out, "creator", value);
	rd->text.n = 0;
	field_escape(&rd->text, key);
	buf_putc(&rd->text, '\t');
	field_escape(&rd->text, value);
	r.col[0].t = TEXT(FACT);
	r.attrs = buf_as_text(&rd->text);
	return sink_put(rd->d->out, &r);
}

/* Reads the header; lines before that of the analysis are about the output itself. */
static int
put_header(struct reader *rd)
{
	const char *p = rd->report.s;
	struct text line;
	bool begun = false;

	if (decode_part(rd->d, "macos-sample", rd->addrs && rd->lines ?
	    TEXT("positions=addr,line") : rd->addrs ? TEXT("positions=addr") :
	    rd->lines ? TEXT("positions=line") : (struct text){ 0 }) < 0)
		return -1;
	while (sample_next_line(&p, rd->graph, &line) && p != rd->graph) {
		const bool analysis = text_begins(line, SAMPLE_FIRST);

		begun |= analysis;
		if (begun && (analysis ? put_analysis(rd, line) :
		    put_header_line(rd, line)) < 0)
			return -1;
	}
	return DECODE_EVENT(rd->d, 0, .name = TEXT("samples"));
}

/* ---- the call graph ---- */

static int
put_sample(struct reader *rd, const struct node *n)
{
	struct record r = rec_make(REC_SAMPLE);
	char tmp[NUM_TEXT];

	r.col[0].n = n->ctx;
	r.values = num_text_u64(tmp, n->left);
	r.attrs = rd->labels.n ? buf_as_text(&rd->labels) : (struct text){ 0 };
	return sink_put(rd->d->out, &r);
}

static int
close_nodes(struct reader *rd, size_t depth)
{
	for (; rd->nopen > depth; rd->nopen--)
		if (rd->open[rd->nopen - 1].left &&
		    put_sample(rd, &rd->open[rd->nopen - 1]) < 0)
			return -1;
	return 0;
}

/* Splits "Thread_1001: name" or "Thread_1001 DispatchQueue_1: name" into number and
 * name. */
static void
read_thread(struct reader *rd, struct text what)
{
	struct text name = what;

	rd->labels.n = 0;
	if (text_begins(what, "Thread_")) {
		struct text tid = { what.s + strlen("Thread_"), 0 };

		while (tid.s + tid.n < what.s + what.n && tid.s[tid.n] > ' ' &&
		    tid.s[tid.n] != ':')
			tid.n++;
		name = (struct text){ tid.s + tid.n,
		    (size_t)(what.s + what.n - tid.s - tid.n) };
		if (name.n && *name.s == ':')
			name = (struct text){ name.s + 1, name.n - 1 };
		attr_add(&rd->labels, "tid", tid);
	}
	name = words_trim(name);
	if (name.n)
		attr_add(&rd->labels, "comm", name);
}

/* Puts a frame; a file in its line is also the function's. */
static int
put_frame(struct reader *rd, struct text what, uint32_t parent, uint32_t *ctx)
{
	const struct sample_frame f = sample_split(what);
	struct func_def func = NO_FUNC;
	struct ctx_def c = NO_CTX;
	uint64_t addr;

	func.name = dict_str(rd->d->dict, f.name);
	if (sample_object(rd, f.object, &func.object) < 0 ||
	    decode_file(rd->d, f.file, &func.file) < 0 ||
	    ((f.name.s || f.object.s) && decode_func(rd->d, &func, &c.func) < 0))
		return -1;
	c.parent = parent;
	c.file = func.file;
	c.line = dict_str(rd->d->dict, f.line);
	if (num_is_address(f.addrs.s, f.addrs.n, &addr)) {
		c.addr = dict_addr(rd->d->dict, addr);
	} else if (f.addrs.s) {
		rd->text.n = 0;
		attr_add(&rd->text, "addrs", f.addrs);
		c.attrs = dict_str(rd->d->dict, buf_as_text(&rd->text));
	}
	return decode_ctx(rd->d, &c, ctx);
}

static int
read_line(struct reader *rd, struct text line)
{
	struct node made = { 0, NO_ID };
	struct sample_line l;
	struct node *up;
	size_t depth;

	if (!words_trim(line).n)
		return LINE_OK;
	if (!sample_is_line(line, &l))
		return BAD(rd, "expected a line of the call graph, found %s", QUOTE(line));
	if (!rd->base && !rd->nopen)
		rd->base = l.indent;
	depth = l.indent < rd->base ? SIZE_MAX : (l.indent - rd->base) / 2;
	if (depth > rd->nopen || (l.indent - rd->base) % 2)
		return BAD(rd, "the line is too deep for the one above, or not deep enough");
	if (close_nodes(rd, depth) < 0)
		return LINE_FATAL;
	up = depth ? &rd->open[depth - 1] : NULL;
	if (up && up->left < l.samples)
		return BAD(rd, "%" PRIu64 " samples, more than the line that it is below has "
		    "left, %" PRIu64, l.samples, up->left);
	if (!depth)
		read_thread(rd, l.what);
	else if (put_frame(rd, l.what, up->ctx, &made.ctx) < 0)
		return LINE_FATAL;
	if (up)
		up->left -= l.samples;
	made.left = l.samples;
	rd->open = mem_grow(rd->open, &rd->capopen, rd->nopen + 1, sizeof *rd->open);
	rd->open[rd->nopen++] = made;
	return LINE_OK;
}

static int
read_graph(struct reader *rd)
{
	const char *p = rd->graph;
	struct text line;
	int ret;

	while (sample_next_line(&p, rd->graph_end, &line)) {
		rd->d->at.line++;
		rd->d->unended = !rd->ended && line.s + line.n == rd->graph_end;
		if ((ret = read_line(rd, line)) && decode_line_done(rd->d, ret) < 0)
			return -1;
	}
	return close_nodes(rd, 0);
}

/* Reads the lines after the call graph, of which only images have further data. */
static int
read_tail(struct reader *rd)
{
	const char *p = rd->tail, *end = rd->report.s + rd->report.n;
	struct text line;

	rd->d->at.line += rd->ended;
	for (; sample_next_line(&p, end, &line); ) {
		rd->d->at.line++;
		if (!sample_is_tail(line) && !rd->unknown++)
			diag_say(rd->d->diag, DIAG_WARN, "unknown line after the call "
			    "graph: %s (further ones are not shown)", QUOTE(line));
	}
	return rd->ended ? 0 :
	    decode_cut(rd->d, "the file is truncated: the call graph has no end");
}

/* Reads one report, and continues with the next. */
static int
read_report(struct reader *rd, const char *end)
{
	rd->graph = NULL;
	rd->addrs = rd->lines = false;
	rd->nimage = rd->nopen = rd->base = 0;
	rd->report.n = (size_t)(end - rd->report.s);
	if (find_graph(rd) < 0)
		return -1;
	if (rd->graph && (put_header(rd) < 0 || read_graph(rd) < 0 || read_tail(rd) < 0))
		return -1;
	rd->report.s += rd->report.n;
	return 0;
}

int
sample_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	struct text file;
	int ret = in_all(d->in, &file.s, &file.n);

	d->at.line = 0;
	rd.report.s = file.s;
	while (ret == 0 && rd.report.s < file.s + file.n)
		ret = read_report(&rd, file.s + file.n);
	if (ret == 0 && file.s[file.n - 1] != '\n' && !d->cut)
		ret = decode_cut(d, "the file is truncated: its last line has no newline");
	d->at.line = 0;
	free(rd.image);
	free(rd.open);
	buf_free(&rd.labels);
	buf_free(&rd.text);
	return ret;
}

/* SPDX-License-Identifier: ISC */
/*
 * Documents of llvm-cov export:
 *
 *	{"data":[{"files":[{"filename":"/src/t.cc",
 *	   "segments":[[LINE,COLUMN,COUNT,HAS_COUNT,IS_ENTRY,IS_GAP], ...], ...}],
 *	  "functions":[{"name":"main","count":1,"filenames":["/src/t.cc"],
 *	   "regions":[[LINE,COLUMN,LINE,COLUMN,COUNT,FILE,EXPANDED,KIND], ...], ...}],
 *	  "totals":{...}}],
 *	 "type":"llvm.coverage.json.export","version":"2.0.1"}
 *
 * A file has the counts of all functions together, which is what the viewers of LLVM show; the
 * regions of a function serve to find the lines that are in it.
 */
#include "coverage.h"

#include <stdlib.h>

#include "symbol/demangle.h"
#include "symbol/symbols.h"

struct llvm_file {
	uint32_t path;		/* a string */
	size_t from, to;	/* its segments */
};

struct llvm {
	struct coverage *c;
	struct llvm_file *file;
	struct segment *segment;
	struct body *body;
	uint32_t *path;		/* the file names of a function */
	size_t nfile, capfile, nsegment, capsegment, nbody, capbody, npath, cappath;
	struct line_counts lines;
	struct within within;
	struct buf text;
};

/* ---- reading ---- */

/* Reads a list of numbers and truths, of which the first `most` are kept; returns how many
 * there are. */
static size_t
read_numbers(struct json_reader *j, uint64_t *v, size_t most)
{
	enum json_kind kind;
	size_t n = 0;
	bool is;

	for (json_read_array(j); json_read_item(j); n++) {
		kind = json_read_kind(j);
		if (n >= most)
			json_read_skip(j);
		else if (kind == JSON_TRUE || kind == JSON_FALSE)
			v[n] = json_read_bool(j, &is) && is;
		else
			json_read_u64(j, &v[n]);
	}
	return n;
}

static void
read_segments(struct llvm *l)
{
	enum { LINE, COLUMN, COUNT, HAS_COUNT, IS_ENTRY, IS_GAP, MEMBERS };
	struct json_reader *j = &l->c->json;
	uint64_t before = 0;

	for (json_read_array(j); json_read_item(j); ) {
		uint64_t v[MEMBERS] = { 0 };

		if (read_numbers(j, v, MEMBERS) < IS_GAP)	/* which came in LLVM 11 */
			json_read_fail(j, "expected a segment, which has at least five members");
		if (v[LINE] < before)
			json_read_fail(j, "the segments are not in the order of lines");
		before = v[LINE];
		l->segment = mem_grow(l->segment, &l->capsegment, l->nsegment + 1,
		    sizeof *l->segment);
		l->segment[l->nsegment++] = (struct segment){ v[LINE], v[COUNT], v[HAS_COUNT],
		    v[IS_ENTRY], v[IS_GAP] };
	}
}

static void
read_file(struct llvm *l)
{
	struct json_reader *j = &l->c->json;
	struct llvm_file f = { NO_ID, l->nsegment, 0 };
	bool counted = false;
	struct text key;

	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "filename")) {
			f.path = coverage_str(l->c);
		} else if (text_is(key, "segments")) {
			counted = true;
			read_segments(l);
		} else {
			json_read_skip(j);	/* branches, expansions, the summary */
		}
	f.to = l->nsegment;
	if (f.path == NO_ID)
		json_read_fail(j, "a file without a name");
	if (!counted)
		json_read_fail(j, "a file without segments: run llvm-cov export without "
		    "-summary-only");
	l->file = mem_grow(l->file, &l->capfile, l->nfile + 1, sizeof *l->file);
	l->file[l->nfile++] = f;
}

/* Reads the regions of a function.  The first one of code is its body: sets *file to the
 * number of its file among those of the function, NO_ID if there is none. */
static void
read_regions(struct llvm *l, struct body *b, uint64_t *file)
{
	enum { LINE, COLUMN, LAST_LINE, LAST_COLUMN, COUNT, FILE_INDEX, EXPANDED, KIND, MEMBERS };
	struct json_reader *j = &l->c->json;

	*file = NO_ID;
	for (json_read_array(j); json_read_item(j); ) {
		uint64_t v[MEMBERS] = { 0 };

		if (read_numbers(j, v, MEMBERS) < MEMBERS)
			json_read_fail(j, "expected a region, which has eight members");
		if (*file != NO_ID || v[KIND] != 0)
			continue;
		*file = v[FILE_INDEX];
		b->line = v[LINE];
		b->column = v[COLUMN];
		b->last_line = v[LAST_LINE];
		b->last_column = v[LAST_COLUMN];
	}
}

static void
read_function(struct llvm *l)
{
	struct json_reader *j = &l->c->json;
	struct body b = { .file = NO_ID, .name = NO_ID, .order = l->nbody, .func = NO_ID };
	uint64_t file = NO_ID;
	bool counted = false;
	struct text key;

	l->npath = 0;
	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "name"))
			b.name = coverage_str(l->c);
		else if (text_is(key, "count"))
			counted = json_read_int(j, &b.entries);
		else if (text_is(key, "filenames"))
			for (json_read_array(j); json_read_item(j); ) {
				l->path = mem_grow(l->path, &l->cappath, l->npath + 1,
				    sizeof *l->path);
				l->path[l->npath++] = coverage_str(l->c);
			}
		else if (text_is(key, "regions"))
			read_regions(l, &b, &file);
		else
			json_read_skip(j);
	if (b.name == NO_ID || !counted)
		json_read_fail(j, "a function without name or count");
	if (file < l->npath)
		b.file = l->path[file];
	l->body = mem_grow(l->body, &l->capbody, l->nbody + 1, sizeof *l->body);
	l->body[l->nbody++] = b;
}

static void
read_export(struct llvm *l)
{
	struct json_reader *j = &l->c->json;
	struct text key;

	l->nfile = l->nsegment = l->nbody = 0;
	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "files"))
			for (json_read_array(j); json_read_item(j); )
				read_file(l);
		else if (text_is(key, "functions"))
			for (json_read_array(j); json_read_item(j); )
				read_function(l);
		else
			json_read_skip(j);
}

/* ---- names ---- */

/* Takes off what LLVM puts before the name of a local function: "t.cc:" or, since LLVM 17,
 * "t.cc;".  Objective-C has colons in names: "-[Shape moveTo:by:]". */
static struct text
without_file(struct text name)
{
	size_t i = strcspn(name.s, ":;");

	return i + 1 < name.n && memchr(name.s, '.', i) && name.s[0] != '-' &&
	    name.s[0] != '+' ? (struct text){ name.s + i + 1, name.n - i - 1 } : name;
}

/* Defines the function of a body: it is called as the first one that has it. */
static int
define_func(struct llvm *l, struct body *b)
{
	struct decode *d = l->c->d;
	const struct text linker = without_file(dict_text(d->dict, b->name));
	char *plain = d->session->executables && d->session->executables->mangled ? NULL :
	    demangle(linker.s);
	uint32_t file;

	l->text.n = 0;
	if (plain)
		buf_puts(&l->text, plain);
	else
		buf_text(&l->text, linker);
	free(plain);
	if (b->more)
		buf_printf(&l->text, " and %zu more", b->more);
	return decode_file(d, dict_text(d->dict, b->file), &file) < 0 ? -1 :
	    coverage_func(l->c, dict_str(d->dict, buf_as_text(&l->text)), b->more ? NO_ID :
	    dict_str(d->dict, linker), file, b->line, &b->func);
}

/* ---- records ---- */

static int
put_lines(struct llvm *l, uint32_t file, struct body *b, const struct body *end)
{
	const struct line_count *line;
	struct within *w = &l->within;

	w->n = 0;
	w->next = b;
	w->end = end;
	for (line = l->lines.v; line < l->lines.v + l->lines.n; line++) {
		const struct body *in = llvm_within(w, line->line);
		struct counts n = { .executions = line->count, .has_executions = true };
		uint32_t func;

		if (in)
			func = in->func;
		else if (coverage_func(l->c, NO_ID, NO_ID, file, 0, &func) < 0)
			return -1;
		if (in && in->line == line->line) {
			n.entries = in->entries;
			b[in - b].placed = true;
		}
		if (coverage_cost(l->c, func, file, line->line, &n) < 0)
			return -1;
	}
	return 0;
}

/* Returns the first body of a file, or of a later one. */
static struct body *
find_bodies(struct llvm *l, uint32_t path)
{
	size_t lo = 0, hi = l->nbody;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (l->body[mid].file < path)
			lo = mid + 1;
		else
			hi = mid;
	}
	return l->body + lo;
}

static int
put_file(struct llvm *l, const struct llvm_file *f)
{
	struct decode *d = l->c->d;
	struct body *b = find_bodies(l, f->path), *end = b;
	uint32_t file;

	while (end < l->body + l->nbody && end->file == f->path)
		end++;
	if (!llvm_add_lines(&l->lines, l->segment + f->from, l->segment + f->to))
		return diag_fail(d->diag, "lines come to more than %" PRIu64 ", too many "
		    "for a file of this size: a region spans very many", l->lines.limit.most);
	return decode_file(d, dict_text(d->dict, f->path), &file) < 0 ? -1 :
	    put_lines(l, file, b, end);
}

/* Puts the entries of a function that begins in the middle of a line, or in a file that was
 * not exported. */
static int
put_entries(struct llvm *l, const struct body *b)
{
	struct decode *d = l->c->d;
	uint32_t file;

	return decode_file(d, dict_text(d->dict, b->file), &file) < 0 ? -1 :
	    coverage_cost(l->c, b->func, file, b->line, &(struct counts){ .entries = b->entries });
}

static int
put_export(struct llvm *l)
{
	struct body *b;
	size_t i;

	if (llvm_join_bodies(l->body, &l->nbody) < 0)
		return diag_fail(l->c->d->diag, "a sum does not fit 128 bits");
	for (b = l->body; b < l->body + l->nbody; b++)
		if (define_func(l, b) < 0)
			return -1;
	for (i = 0; i < l->nfile; i++)
		if (put_file(l, &l->file[i]) < 0)
			return -1;
	for (b = l->body; b < l->body + l->nbody; b++)
		if (!b->placed && put_entries(l, b) < 0)
			return -1;
	return 0;
}

#define LINES_PER_BYTE 4
#define LEAST_LINES (1 << 20)

int
llvm_data(struct coverage *c)
{
	struct llvm l = { .c = c };
	int ret = 0;

	limit_init(&l.lines.limit, c->file.n, LINES_PER_BYTE, LEAST_LINES);
	for (json_read_array(&c->json); ret == 0 && json_read_item(&c->json); ) {
		read_export(&l);
		if (!c->json.why)
			ret = put_export(&l);
	}
	free(l.file);
	free(l.segment);
	free(l.body);
	free(l.path);
	free(l.lines.v);
	free(l.within.open);
	buf_free(&l.text);
	return ret;
}

/* SPDX-License-Identifier: ISC */
/*
 * Documents of gcov --json-format, of which each has what one object file was compiled from:
 *
 *	{"gcc_version":"12.2.0", "data_file":"t.gcda", "files":[{"file":"t.cc",
 *	 "functions":[{"name":"_Z1fi","demangled_name":"f(int)","start_line":3,
 *	   "execution_count":20, ...}],
 *	 "lines":[{"line_number":4,"function_name":"_Z1fi","count":20, ...}]}]}
 *
 * The keys come in any order, and lines before the functions that they name: a file is read
 * whole, then put.
 */
#include "coverage.h"

#include <stdlib.h>

struct gcov_func {
	uint32_t name, demangled;	/* strings */
	uint64_t start;
	num entries;
	uint32_t func;
	bool placed;		/* its entries were put */
};

struct gcov_line {
	uint32_t name;		/* of its function; NO_ID: none */
	uint64_t line;
	num count;
};

struct gcov_file {
	uint32_t path;
	struct gcov_func *func;
	struct gcov_line *line;
	size_t nfunc, capfunc, nline, capline;
};

/* ---- reading ---- */

static void
read_func(struct coverage *c, struct gcov_file *f)
{
	struct json_reader *j = &c->json;
	struct gcov_func fn = { NO_ID, NO_ID, 0, 0, NO_ID, false };
	bool counted = false;
	struct text key;

	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "name"))
			fn.name = coverage_str(c);
		else if (text_is(key, "demangled_name"))
			fn.demangled = coverage_str(c);
		else if (text_is(key, "start_line"))
			json_read_u64(j, &fn.start);
		else if (text_is(key, "execution_count"))
			counted = json_read_int(j, &fn.entries);
		else
			json_read_skip(j);
	if (fn.name == NO_ID || !counted)
		json_read_fail(j, "a function without name or execution_count");
	if (fn.demangled == NO_ID)
		fn.demangled = fn.name;
	f->func = mem_grow(f->func, &f->capfunc, f->nfunc + 1, sizeof *f->func);
	f->func[f->nfunc++] = fn;
}

static void
read_line(struct coverage *c, struct gcov_file *f)
{
	struct json_reader *j = &c->json;
	struct gcov_line l = { NO_ID, 0, 0 };
	bool counted = false, numbered = false;
	struct text key;

	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "line_number"))
			numbered = json_read_u64(j, &l.line);
		else if (text_is(key, "count"))
			counted = json_read_int(j, &l.count);
		else if (text_is(key, "function_name"))
			l.name = coverage_str(c);
		else
			json_read_skip(j);	/* branches, blocks and calls */
	if (!numbered || !counted)
		json_read_fail(j, "a line without line_number or count");
	f->line = mem_grow(f->line, &f->capline, f->nline + 1, sizeof *f->line);
	f->line[f->nline++] = l;
}

static void
read_file(struct coverage *c, struct gcov_file *f)
{
	struct json_reader *j = &c->json;
	struct text key;

	f->path = NO_ID;
	f->nfunc = f->nline = 0;
	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "file"))
			f->path = coverage_str(c);
		else if (text_is(key, "functions"))
			for (json_read_array(j); json_read_item(j); )
				read_func(c, f);
		else if (text_is(key, "lines"))
			for (json_read_array(j); json_read_item(j); )
				read_line(c, f);
		else
			json_read_skip(j);
	if (f->path == NO_ID)
		json_read_fail(j, "lines without the name of their file");
}

/* ---- records ---- */

static int
by_name(const void *a, const void *b)
{
	const struct gcov_func *x = a, *y = b;

	return x->name != y->name ? (x->name < y->name ? -1 : 1) :
	    x->start < y->start ? -1 : x->start > y->start;
}

/* Returns the function that a line names; of several, the last one that starts at the line or
 * before it.  NULL: it names none that is known. */
static struct gcov_func *
find_func(const struct gcov_file *f, const struct gcov_line *l)
{
	size_t lo = 0, hi = f->nfunc;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		const struct gcov_func *fn = &f->func[mid];

		if (fn->name < l->name || (fn->name == l->name && fn->start <= l->line))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo && f->func[lo - 1].name == l->name)
		return &f->func[lo - 1];
	return lo < f->nfunc && f->func[lo].name == l->name ? &f->func[lo] : NULL;
}

/* Puts a line, with the entries of the function that starts there. */
static int
put_line(struct coverage *c, const struct gcov_file *f, uint32_t file,
    const struct gcov_line *l)
{
	struct counts n = { .executions = l->count, .has_executions = true };
	struct gcov_func *fn = l->name == NO_ID ? NULL : find_func(f, l);
	uint32_t func;

	if (fn) {
		func = fn->func;
		if (fn->start == l->line && !fn->placed) {
			n.entries = fn->entries;
			fn->placed = true;
		}
	} else if (coverage_func(c, l->name, NO_ID, file, 0, &func) < 0) {
		return -1;
	}
	return coverage_cost(c, func, file, l->line, &n);
}

static int
put_file(struct coverage *c, struct gcov_file *f)
{
	struct gcov_func *fn;
	uint32_t file;
	size_t i;

	if (f->nfunc)
		qsort(f->func, f->nfunc, sizeof *f->func, by_name);
	if (decode_file(c->d, dict_text(c->d->dict, f->path), &file) < 0)
		return -1;
	for (fn = f->func; fn < f->func + f->nfunc; fn++)
		if (coverage_func(c, fn->demangled, fn->name, file, fn->start,
		    &fn->func) < 0)
			return -1;
	for (i = 0; i < f->nline; i++)
		if (put_line(c, f, file, &f->line[i]) < 0)
			return -1;
	for (fn = f->func; fn < f->func + f->nfunc; fn++)
		if (!fn->placed && coverage_cost(c, fn->func, file, fn->start,
		    &(struct counts){ .entries = fn->entries }) < 0)
			return -1;
	return 0;
}

int
gcov_files(struct coverage *c)
{
	struct gcov_file f = { 0 };
	int ret = 0;

	for (json_read_array(&c->json); ret == 0 && json_read_item(&c->json); ) {
		read_file(c, &f);
		if (!c->json.why)
			ret = put_file(c, &f);
	}
	free(f.func);
	free(f.line);
	return ret;
}

/* SPDX-License-Identifier: ISC */
/* Writes the tables that threads share: libraries, functions, frames, stacks, strings. */
#include <stdlib.h>

#include "util/json.h"
#include "writer.h"

/* ---- stacks ---- */

static uint32_t
depth_of(const struct writer *w, uint32_t stack)
{
	return stack == NO_ID ? 0 : (uint32_t)sums_key(&w->frames,
	    stack_tree_label(&w->stacks, stack))[FRAME_DEPTH];
}

/* Returns the frame of a context. */
static uint32_t
frame_of(void *arg, uint32_t ctx, uint32_t parent)
{
	struct writer *w = arg;
	const uint32_t func = functions_of(&w->functions, ctx);
	const bool inlined = parent != NO_ID && functions_inlined(&w->functions, ctx);
	const uint64_t key[FRAME_KEYS] = { func,
	    dict_frame(w->e.dict, ctx)[CTX_LINE],
	    inlined ? depth_of(w, parent) + 1 : 0 };

	return (uint32_t)sums_row(&w->frames, key);
}

uint32_t
firefox_stack(struct writer *w, uint32_t ctx)
{
	return stack_tree_node(&w->stacks, ctx, frame_of, w);
}

void
firefox_find_stacks(struct writer *w)
{
	size_t i, k;

	for (i = 0; i < w->tracks.n; i++)
		for (k = 0; k < w->tracks.v[i].n; k++)
			firefox_stack(w, w->tracks.v[i].sample[k].ctx);
	for (i = 0; i < w->functions.n; i++) {
		uint32_t object = functions_object(&w->functions, i);
		uint32_t file = functions_file(&w->functions, i);

		if (object != NO_ID)
			numbered_add(&w->objects, object);
		if (file != NO_ID)
			numbered_add(&w->files, file);
	}
}

/* ---- columns ---- */

static void
add_number(struct writer *w, uint64_t n)
{
	json_decimal(&w->line, (num)n, 0);
}

static void
add_number_or(struct writer *w, bool has, uint64_t n, const char *none)
{
	if (has)
		add_number(w, n);
	else
		buf_puts(&w->line, none);
}

/* Writes the number of a text in the table of strings. */
static void
add_string(struct writer *w, struct text t)
{
	add_number(w, numbered_add(&w->strings, dict_str(w->e.dict, t)));
}

/* A column: writes the cell of a row, or has the same text for all rows. */
struct table_column {
	const char *name;
	void (*cell)(struct writer *w, size_t row);
	const char *all;
};

static void
put_column(struct writer *w, const struct table_column *c, size_t n)
{
	size_t i;

	buf_printf(&w->line, "\"%s\":[", c->name);
	for (i = 0; i < n; i++) {
		json_comma(&w->line, i);
		if (c->cell)
			c->cell(w, i);
		else
			buf_puts(&w->line, c->all);
		firefox_flush(w);
	}
	buf_puts(&w->line, "],\n");
}

/* The columns end with one without a name. */
static void
put_table(struct writer *w, const char *name, const struct table_column *c, size_t n)
{
	buf_printf(&w->line, "\"%s\":{", name);
	for (; c->name; c++)
		put_column(w, c, n);
	buf_printf(&w->line, "\"length\":%zu},\n", n);
}

/* ---- stacks and frames ---- */

static void
stack_frame(struct writer *w, size_t i)
{
	add_number(w, stack_tree_label(&w->stacks, i));
}

static void
stack_prefix(struct writer *w, size_t i)
{
	const uint32_t parent = stack_tree_parent(&w->stacks, i);

	add_number_or(w, parent != NO_ID, parent, "null");
}

static const struct table_column stack_columns[] = {
	{ "frame", stack_frame, NULL }, { "prefix", stack_prefix, NULL }, { 0 },
};

static void
frame_func(struct writer *w, size_t i)
{
	add_number(w, sums_key(&w->frames, i)[FRAME_FUNC]);
}

static void
frame_depth(struct writer *w, size_t i)
{
	add_number(w, sums_key(&w->frames, i)[FRAME_DEPTH]);
}

static void
frame_category(struct writer *w, size_t i)
{
	add_number(w, functions_kernel(&w->functions, sums_key(&w->frames, i)[FRAME_FUNC]));
}

static struct field
line_of(const struct writer *w, size_t i)
{
	struct text t = dict_text(w->e.dict, (uint32_t)sums_key(&w->frames, i)[FRAME_LINE]);
	struct field line = { 0 };

	if (t.s && !field_get_line(t, &line))
		line.has = 0;
	return line;
}

static void
frame_line(struct writer *w, size_t i)
{
	const struct field line = line_of(w, i);

	add_number_or(w, line.has & HAS_N, line.n, "null");
}

static void
frame_column(struct writer *w, size_t i)
{
	const struct field line = line_of(w, i);

	add_number_or(w, line.has & HAS_M, line.m, "null");
}

static const struct table_column frame_columns[] = {
	{ "address", NULL, "-1" }, { "inlineDepth", frame_depth, NULL },
	{ "category", frame_category, NULL }, { "subcategory", NULL, "0" },
	{ "func", frame_func, NULL }, { "nativeSymbol", NULL, "null" },
	{ "innerWindowID", NULL, "null" }, { "line", frame_line, NULL },
	{ "column", frame_column, NULL }, { 0 },
};

/* ---- functions ---- */

static void
func_name(struct writer *w, size_t i)
{
	add_string(w, functions_name(&w->functions, i));
}

static void
func_resource(struct writer *w, size_t i)
{
	const uint32_t object = functions_object(&w->functions, i);

	add_number_or(w, object != NO_ID, object == NO_ID ? 0 :
	    numbered_add(&w->objects, object), "-1");
}

static void
func_source(struct writer *w, size_t i)
{
	const uint32_t file = functions_file(&w->functions, i);

	add_number_or(w, file != NO_ID, file == NO_ID ? 0 :
	    numbered_add(&w->files, file), "null");
}

static void
func_line(struct writer *w, size_t i)
{
	const uint64_t line = functions_line(&w->functions, i);

	add_number_or(w, line > 0, line, "null");
}

static void
func_column(struct writer *w, size_t i)
{
	const uint64_t column = functions_column(&w->functions, i);

	add_number_or(w, column > 0, column, "null");
}

static const struct table_column func_columns[] = {
	{ "name", func_name, NULL }, { "isJS", NULL, "false" },
	{ "relevantForJS", NULL, "false" }, { "resource", func_resource, NULL },
	{ "source", func_source, NULL }, { "lineNumber", func_line, NULL },
	{ "columnNumber", func_column, NULL }, { 0 },
};

/* ---- objects: libraries, of which each is a resource ---- */

static struct text
object_path(const struct writer *w, size_t i)
{
	const struct text path = dict_object_path(w->e.dict, w->objects.id[i]);

	return path.s ? path : TEXT("[unknown]");
}

static struct text
object_name(const struct writer *w, size_t i)
{
	const struct text path = object_path(w, i);
	const char *slash = last_byte(path.s, '/', path.n);

	return slash && slash + 1 < path.s + path.n ?
	    (struct text){ slash + 1, (size_t)(path.s + path.n - slash) - 1 } : path;
}

static void
resource_lib(struct writer *w, size_t i)
{
	add_number(w, i);
}

static void
resource_name(struct writer *w, size_t i)
{
	add_string(w, object_name(w, i));
}

static const struct table_column resource_columns[] = {
	{ "lib", resource_lib, NULL }, { "name", resource_name, NULL },
	{ "host", NULL, "null" }, { "type", NULL, "1" }, { 0 },
};

void
firefox_put_libs(struct writer *w)
{
	const struct text none = TEXT("");
	size_t i, k;

	buf_puts(&w->line, "\"libs\":[");
	for (i = 0; i < w->objects.n; i++) {
		const struct text path = object_path(w, i), name = object_name(w, i);
		const struct { const char *key; struct text value; } member[] = {
			{ "arch", none }, { "name", name }, { "path", path },
			{ "debugName", name }, { "debugPath", path },
			{ "breakpadId", none },
			{ "codeId", dict_text(w->e.dict, dict_def(w->e.dict, REC_OBJECT,
			    w->objects.id[i])[OBJECT_KEY]) },
		};

		for (k = 0; k < sizeof member / sizeof *member; k++) {
			buf_printf(&w->line, "%s\"%s\":", k ? "," : i ? "},\n{" : "\n{",
			    member[k].key);
			json_string(&w->line, member[k].value);
		}
		firefox_flush(w);
	}
	buf_puts(&w->line, i ? "}],\n" : "],\n");
}

/* ---- sources ---- */

static void
source_name(struct writer *w, size_t i)
{
	const struct text path = dict_path(w->e.dict, w->files.id[i]);

	add_string(w, path.s ? path : TEXT("[unknown]"));
}

static const struct table_column source_columns[] = {
	{ "id", NULL, "null" }, { "filename", source_name, NULL },
	{ "startLine", NULL, "1" }, { "startColumn", NULL, "1" },
	{ "sourceMapURL", NULL, "null" }, { 0 },
};

static const struct table_column symbol_columns[] = {
	{ "libIndex", NULL, "0" }, { "address", NULL, "0" }, { "name", NULL, "0" },
	{ "functionSize", NULL, "null" }, { 0 },
};

/* Writes the strings last, as the other tables number them. */
static void
put_strings(struct writer *w)
{
	size_t i;

	buf_puts(&w->line, "\"stringArray\":[");
	for (i = 0; i < w->strings.n; i++) {
		buf_puts(&w->line, i ? ",\n" : "\n");
		json_string(&w->line, dict_text(w->e.dict, w->strings.id[i]));
		firefox_flush(w);
	}
	buf_puts(&w->line, "]},\n");
}

void
firefox_put_shared(struct writer *w)
{
	buf_puts(&w->line, "\"shared\":{\n");
	put_table(w, "stackTable", stack_columns, w->stacks.nodes.n);
	put_table(w, "frameTable", frame_columns, w->frames.n);
	put_table(w, "funcTable", func_columns, w->functions.n);
	put_table(w, "resourceTable", resource_columns, w->objects.n);
	put_table(w, "nativeSymbols", symbol_columns, 0);
	put_table(w, "sources", source_columns, w->files.n);
	put_strings(w);
}

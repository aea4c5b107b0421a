/* SPDX-License-Identifier: ISC */
#include "report/names.h"

#include "util/abbreviate.h"
#include "util/json.h"

#define LONG_NAME 160		/* bytes */

/* Returns the name to be shown; scratch may get it. */
static struct text
shown_name(struct buf *scratch, struct text name)
{
	if (name.n <= LONG_NAME)
		return name;
	abbreviate_most(scratch, name);
	return buf_as_text(scratch);
}

/* ---- Markdown ---- */

void
add_function(struct buf *b, struct text name)
{
	struct buf scratch = { 0 };

	markdown_cell_code(b, name.s ? shown_name(&scratch, name) : TEXT("???"));
	buf_free(&scratch);
}

void
add_place(struct buf *b, struct text path, uint64_t line)
{
	struct buf place = { 0 };
	char tmp[NUM_TEXT];

	buf_text(&place, path);
	if (line != NO_LINE) {
		buf_puts(&place, path.s ? ":" : "line ");
		buf_text(&place, num_text_u64(tmp, line));
	}
	if (place.n)
		markdown_cell_code(b, buf_as_text(&place));
	buf_free(&place);
}

static void
add_path_end(const struct page_data *d, struct markdown_table *m, struct text path, uint64_t line)
{
	add_place(markdown_cell(m), path.s ? paths_end(&d->paths, path) : path, line);
	markdown_cell_end(m);
}

void
add_name_heads(const struct page_data *d, struct markdown_table *m)
{
	markdown_head(m, "function");
	markdown_head(m, d->lines ? "hottest line" : "file");
	markdown_head(m, "object");
}

void
add_names(const struct page_data *d, struct markdown_table *m, size_t row)
{
	const struct function_names f = names_of_function(d, row);

	add_function(markdown_cell(m), f.name);
	markdown_cell_end(m);
	add_path_end(d, m, f.path, f.line);
	add_path_end(d, m, f.object, NO_LINE);
}

/* ---- JSON ---- */

void
json_name(struct buf *b, struct text name)
{
	struct buf scratch = { 0 };

	json_item(b);
	json_string(b, shown_name(&scratch, name));
	buf_free(&scratch);
}

void
json_function(struct buf *b, struct text name)
{
	struct buf scratch = { 0 };

	json_text_member(b, "function", shown_name(&scratch, name));
	buf_free(&scratch);
}

void
json_place(struct buf *b, struct text path, uint64_t line)
{
	json_text_member(b, "file", path);
	json_value_member(b, "line", line == NO_LINE ? (struct value){ .kind = ABSENT } :
	    (struct value){ .kind = WHOLE, .n = (num)line });
}

void
json_names(const struct page_data *d, struct buf *b, size_t row)
{
	const struct function_names f = names_of_function(d, row);

	json_function(b, f.name);
	json_place(b, f.path, f.line);
	json_text_member(b, "object", f.object);
}

/* SPDX-License-Identifier: ISC */
/* Commands for the same profile that go on from the report. */
#include "report/section.h"

#include "util/shell_word.h"

/* ---- the data ---- */

static void
add_next(struct page_data *d, const char *shows, struct command c)
{
	struct next_command *next = &d->next[d->nnext++];

	next->shows = shows;
	add_command(d->r, &next->command, c);
}

/* Adds a command about the function with the most self cost. */
static void
add_of_function(struct page_data *d, const char *shows, struct command c, struct text name)
{
	struct buf pattern = { 0 }, arguments = { 0 };

	buf_printf(&arguments, "%s ", c.arguments);
	shell_pattern_of(&pattern, name);
	shell_word_add(&arguments, buf_as_text(&pattern));
	c.arguments = buf_str(&arguments);
	add_next(d, shows, c);
	buf_free(&pattern);
	buf_free(&arguments);
}

/* Is a line of the function with the most self cost known, with its file? */
static bool
has_source(const struct page_data *d)
{
	const uint32_t func = first_function(d);
	const size_t at = func < d->caphottest ? d->hottest[func] : 0;

	return at && sums_key(&d->places.r->rows, at - 1)[1] != NO_ID;
}

static void
find_next(struct page_data *d)
{
	const struct text name = dict_func_name(d->r->dict, first_function(d));

	if (name.s && d->r->tree)
		add_of_function(d, "who calls the most expensive function",
		    (struct command){ "prof-top", "--callers", false }, name);
	if (name.s && has_source(d))
		add_of_function(d, "its source",
		    (struct command){ "prof-annotate", "--function", true }, name);
	add_next(d, "all functions", (struct command){ "prof-top", "-n 0", false });
	if (d->r->tree)
		add_next(d, "the call tree", (struct command){ "prof-tree", "", false });
}

/* ---- its forms ---- */

static void
add_markdown(const struct page_data *d, size_t rows, struct buf *b)
{
	size_t i;

	(void)rows;
	buf_puts(b, "\n## Next\n\n");
	for (i = 0; i < d->nnext; i++) {
		buf_printf(b, "- %s: ", d->next[i].shows);
		markdown_code(b, buf_as_text(&d->next[i].command));
		buf_putc(b, '\n');
	}
}

static void
add_json(const struct page_data *d, size_t rows, struct buf *b)
{
	size_t i;

	json_rows(b, section_next.key);
	for (i = 0; rows && i < d->nnext; i++) {
		json_row(b);
		json_text_member(b, "command", buf_as_text(&d->next[i].command));
		json_text_member(b, "shows", text_of(d->next[i].shows));
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

const struct section section_next = {
	.name = "next commands", .key = "next", .least = 1, .good = 1, .all = COMMAND_OF_MORE,
	.find = find_next, .rows = one_row, .of = one_row, .markdown = add_markdown,
	.json = add_json,
};

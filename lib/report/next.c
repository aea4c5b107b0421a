/* SPDX-License-Identifier: ISC */
/* Commands for the same profile that go on from the report. */
#include "report/section.h"

#include "util/shell_word.h"

static void
add_one(const struct page_data *d, struct buf *b, const char *purpose, const char *tool,
    const char *arguments)
{
	buf_printf(b, "- %s: ", purpose);
	add_command(d, b, tool, arguments);
	buf_putc(b, '\n');
}

/* Sets a word to the pattern of the function with the most self cost: false if it has no
 * name. */
static bool
find_first(const struct page_data *d, struct buf *word)
{
	const struct table *t = &d->functions;
	struct buf pattern = { 0 };
	struct text name = { 0 };

	if (t->kept)
		name = dict_func_name(d->r->dict,
		    (uint32_t)*sums_key(&t->r->rows, t->order[0].of));
	if (!name.s)
		return false;
	shell_pattern_of(&pattern, name);
	shell_word_add(word, buf_as_text(&pattern));
	buf_free(&pattern);
	return true;
}

/* Is a line of the function with the most self cost known, with its file? */
static bool
has_source(const struct page_data *d)
{
	const struct table *t = &d->functions;
	const uint64_t func = *sums_key(&t->r->rows, t->order[0].of);
	const size_t at = func < d->caphottest ? d->hottest[func] : 0;

	return at && sums_key(&d->places.r->rows, at - 1)[1] != NO_ID;
}

void
section_next(const struct page_data *d, size_t rows, struct buf *b)
{
	struct buf word = { 0 }, arguments = { 0 };
	const bool named = find_first(d, &word);

	(void)rows;
	buf_puts(b, "\n## Next\n\n");
	if (named && d->r->tree) {
		buf_printf(&arguments, "--callers %s", buf_str(&word));
		add_one(d, b, "who calls the most expensive function", "prof-top",
		    buf_str(&arguments));
	}
	if (named && has_source(d)) {
		arguments.n = 0;
		buf_printf(&arguments, "--function %s", buf_str(&word));
		buf_puts(b, "- its source: ");
		add_command_of_lines(d, b, "prof-annotate", buf_str(&arguments));
		buf_putc(b, '\n');
	}
	add_one(d, b, "all functions", "prof-top", "-n 0");
	if (d->r->tree)
		add_one(d, b, "the call tree", "prof-tree", "");
	buf_free(&word);
	buf_free(&arguments);
}

/* SPDX-License-Identifier: ISC */
#include "report/command.h"

#include "report/markdown.h"

void
add_command(const struct report *r, struct buf *b, struct command c)
{
	const char *before = c.of_lines ? r->before_lines : r->before;

	if (before)
		buf_puts(b, before);
	else if (!*r->operands)
		buf_puts(b, "... | ");	/* it read a pipe */
	buf_puts(b, c.tool);
	if (*c.arguments)
		buf_printf(b, " %s", c.arguments);
	if (!before && *r->options)
		buf_printf(b, " %s", r->options);
	if (!before && *r->operands)
		buf_printf(b, " %s", r->operands);
}

void
add_command_code(const struct report *r, struct buf *b, struct command c)
{
	struct buf text = { 0 };

	add_command(r, &text, c);
	markdown_code(b, buf_as_text(&text));
	buf_free(&text);
}

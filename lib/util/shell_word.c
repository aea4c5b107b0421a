/* SPDX-License-Identifier: ISC */
#include "util/shell_word.h"

static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    (c && strchr("_-./,:=+@%", c));
}

void
shell_word_add(struct buf *b, struct text word)
{
	size_t i;

	for (i = 0; i < word.n && is_plain(word.s[i]); i++)
		;
	if (i == word.n && i) {
		buf_text(b, word);
		return;
	}
	buf_putc(b, '\'');
	for (i = 0; i < word.n; i++)
		if (word.s[i] == '\'')
			buf_puts(b, "'\\''");
		else
			buf_putc(b, word.s[i]);
	buf_putc(b, '\'');
}

void
shell_pattern_of(struct buf *b, struct text name)
{
	size_t i;

	buf_putc(b, '^');
	for (i = 0; i < name.n; i++) {
		if (memchr("\\^$.[]|()?*+{}", name.s[i], 14))
			buf_putc(b, '\\');
		buf_putc(b, name.s[i]);
	}
	buf_putc(b, '$');
}

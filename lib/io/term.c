/* SPDX-License-Identifier: ISC */
#include "io/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/num.h"

bool
term_is(void)
{
	return isatty(STDOUT_FILENO);
}

bool
term_is_utf8(void)
{
	static const char *const variable[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *s = NULL;
	size_t i;

	for (i = 0; i < 3 && !(s && *s); i++)
		s = getenv(variable[i]);
	return s && (strcasestr(s, "utf-8") || strcasestr(s, "utf8"));
}

static size_t
size(const char *variable, bool lines, size_t otherwise)
{
	const char *s = getenv(variable), *end;
	struct winsize w;
	uint64_t n;

	if (s && (end = num_get_u64(s, &n)) && end > s && !*end && n && n < 100000)
		return (size_t)n;
	if ((ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 ||
	    ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0) && (lines ? w.ws_row : w.ws_col))
		return lines ? w.ws_row : w.ws_col;
	return otherwise;
}

size_t
term_columns(void)
{
	return size("COLUMNS", false, 80);
}

size_t
term_lines(void)
{
	return size("LINES", true, 24);
}

size_t
term_table_width(uint64_t asked, bool whole)
{
	if (asked != TERM_OWN_WIDTH)
		return asked < SIZE_MAX ? (size_t)asked : 0;
	return term_is() && !whole ? term_columns() : 0;
}

bool
term_wants_color(enum term_when when)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when != TERM_AUTO)
		return when == TERM_ALWAYS;
	return term_is() && !(no && *no) && term && *term && strcmp(term, "dumb") != 0;
}

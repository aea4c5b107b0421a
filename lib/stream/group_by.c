/* SPDX-License-Identifier: ISC */
#include "stream/group_by.h"

#include "util/suggest.h"

const char *const group_by_name[BY_KINDS] = {
	"function", "file", "object", "line", "addr", "part", "thread", "pid",
	"cmd", "source", "comm", "total",
};

/* The names of these in profilers, labels and headings. */
static const struct {
	const char *word;
	enum group_by by;
} synonym[] = {
	{ "func", BY_FUNCTION }, { "symbol", BY_FUNCTION }, { "sym", BY_FUNCTION },
	{ "dso", BY_OBJECT }, { "address", BY_ADDR }, { "tid", BY_THREAD },
	{ "process", BY_PID }, { "command", BY_CMD },
};

/* Returns BY_KINDS for an unknown word. */
static enum group_by
by_word(struct text word)
{
	enum group_by b;
	size_t i;

	for (b = 0; b < BY_KINDS; b++)
		if (text_is(word, group_by_name[b]))
			return b;
	for (i = 0; i < sizeof synonym / sizeof *synonym; i++)
		if (text_is(word, synonym[i].word))
			return synonym[i].by;
	return BY_KINDS;
}

static size_t
find(const enum group_by *by, size_t n, enum group_by b)
{
	size_t i;

	for (i = 0; i < n && by[i] != b; i++)
		;
	return i;
}

bool
group_by_has(const enum group_by *by, size_t n, enum group_by b)
{
	return find(by, n, b) < n;
}

bool
group_by_has_label(const enum group_by *by, size_t n)
{
	return group_by_has(by, n, BY_THREAD) || group_by_has(by, n, BY_COMM) ||
	    group_by_has(by, n, BY_PID);
}

/* Inserts `whole` before `within`, which means nothing without it, unless the list has
 * it. */
static void
complete(enum group_by *by, size_t *n, enum group_by within, enum group_by whole)
{
	const size_t at = find(by, *n, within);

	if (at == *n || group_by_has(by, *n, whole))
		return;
	memmove(by + at + 1, by + at, ((*n)++ - at) * sizeof *by);
	by[at] = whole;
}

int
group_by_parse(const char *list, enum group_by by[BY_KINDS], size_t *n, struct diag *d)
{
	struct text word;
	enum group_by b;

	*n = 0;
	while (list_next(&list, &word)) {
		if ((b = by_word(word)) == BY_KINDS)
			return diag_fail_plain(d, "--by: expected function, file, object, "
			    "line, addr, part, thread, comm, pid, cmd, source or total, "
			    "found %s%s", QUOTE(word),
			    suggest_suffix(suggest_find(word, group_by_name, BY_KINDS)));
		if (group_by_has(by, *n, b))
			return diag_fail_plain(d, "--by: %s appears twice",
			    group_by_name[b]);
		by[(*n)++] = b;
	}
	complete(by, n, BY_LINE, BY_FILE);
	if (!group_by_has(by, *n, BY_FUNCTION))	/* otherwise it is the function's object */
		complete(by, n, BY_ADDR, BY_OBJECT);
	return 0;
}

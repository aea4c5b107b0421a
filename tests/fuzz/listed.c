/* SPDX-License-Identifier: ISC */
#include "listed.h"

#include <stdio.h>

#include "count.h"

enum { MOST = 200 };

struct entry {
	uint64_t addr, end;
	struct text name;
};

static bool
hex(struct text t, uint64_t *v)
{
	const char *const digits = "0123456789abcdef", *d;
	size_t i;

	for (*v = 0, i = 0; i < t.n; i++) {
		if (!t.s[i] || !(d = strchr(digits, t.s[i])))
			return false;
		*v = 16 * *v + (uint64_t)(d - digits);
	}
	return t.n && t.n <= 16;
}

/* "ADDRESS SIZE NAME", or "ADDRESS TYPE NAME" of a kernel itself: false if it is not so. */
static bool
read_entry(struct text line, bool sized, struct entry *e)
{
	uint64_t size = 0;
	struct text word;

	if (!hex(count_word(&line, ' '), &e->addr))
		return false;
	word = count_word(&line, ' ');
	e->name = line;
	if (!line.n || memchr(line.s, '\0', line.n) || memchr(line.s, '\t', line.n))
		return false;
	if (!sized)
		return e->addr && word.n == 1 && strchr("tTwWdDbB", *word.s);
	if (!hex(word, &size) || !size)
		return false;
	e->end = size > UINT64_MAX - e->addr ? UINT64_MAX : e->addr + size;
	return true;
}

/* One without a size reaches to the next address. */
static void
set_ends(struct entry *v, size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i++) {
		v[i].end = UINT64_MAX;
		for (k = 0; k < n; k++)
			if (v[k].addr > v[i].addr && v[k].addr < v[i].end)
				v[i].end = v[k].addr;
	}
}

static bool
check(const struct entry *v, size_t n, const struct symbols *s, uint64_t addr)
{
	const struct symbol *got = symbols_find(s, addr);

	while (n && (addr < v[n - 1].addr || addr >= v[n - 1].end))
		n--;
	if (n ? got && text_is(v[n - 1].name, got->name) : !got)
		return true;
	fprintf(stderr, "%#llx: not %.*s, but %s\n", (unsigned long long)addr,
	    n ? (int)v[n - 1].name.n : 4, n ? v[n - 1].name.s : "none",
	    got ? got->name : "none");
	return false;
}

bool
listed_check(struct text list, bool sized, const struct symbols *s)
{
	static struct entry v[MOST];
	size_t n = 0, i;

	while (list.n)
		if (n == MOST || !read_entry(count_word(&list, '\n'), sized, &v[n++]))
			return true;
	if (!sized)
		set_ends(v, n);
	for (i = 0; i < n; i++)
		if (!check(v, n, s, v[i].addr) || !check(v, n, s, v[i].addr - 1) ||
		    !check(v, n, s, v[i].end) || !check(v, n, s, v[i].end - 1))
			return false;
	return true;
}

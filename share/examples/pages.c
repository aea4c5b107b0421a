/* SPDX-License-Identifier: ISC */
/* Renders pages and keeps the last ones, for profiles of the heap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 16			/* pages at a time */
#define PAGES 400
#define WORD "lorem "

struct page {
	char *title;
	char *text;
};

static struct page cache[KEPT];

static char *
render_text(int n)
{
	const size_t words = 200 + (size_t)n % 7 * 50;
	char *text = malloc(words * strlen(WORD) + 1), *p = text;
	size_t i;

	for (i = 0; i < words; i++)
		p = stpcpy(p, WORD);
	return text;
}

static struct page
render(int n)
{
	char title[32];

	snprintf(title, sizeof title, "page %d", n);
	return (struct page){ strdup(title), render_text(n) };
}

static void
forget(struct page *p)
{
	free(p->title);
	free(p->text);
}

/* In the place of a page that was kept. */
static void
load(int n)
{
	struct page *p = &cache[n % KEPT];

	forget(p);
	*p = render(n);
}

/* Texts of all pages that are kept, one behind the other. */
static size_t
print_all(void)
{
	char *all = NULL;
	size_t n = 0, more;
	int i;

	for (i = 0; i < KEPT; i++, n += more) {
		more = strlen(cache[i].text);
		all = realloc(all, n + more + 1);
		memcpy(all + n, cache[i].text, more + 1);
	}
	free(all);
	return n;
}

int
main(void)
{
	int n;

	for (n = 0; n < PAGES; n++)
		load(n);
	printf("%zu bytes\n", print_all());
	for (n = 0; n < KEPT; n++)
		forget(&cache[n]);
	return 0;
}

/* SPDX-License-Identifier: ISC */
#include "util/suggest.h"

#include <stdint.h>
#include <strings.h>

#include "util/printable.h"

#define LONGEST 40		/* longer words are not typing errors */

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Computes the distances row by row, and keeps the last three rows, for swaps. */
static size_t
distance(struct text a, const char *b, size_t nb)
{
	size_t row[3][LONGEST + 1], i, j;

	for (j = 0; j <= nb; j++)
		row[0][j] = j;
	for (i = 1; i <= a.n; i++) {
		size_t *now = row[i % 3];
		const size_t *up = row[(i + 2) % 3], *above = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= nb; j++) {
			now[j] = least(up[j - 1] + (a.s[i - 1] != b[j - 1]),
			    1 + least(up[j], now[j - 1]));
			if (i > 1 && j > 1 && a.s[i - 1] == b[j - 2] &&
			    a.s[i - 2] == b[j - 1])
				now[j] = least(now[j], above[j - 2] + 1);
		}
	}
	return row[a.n % 3][nb];
}

/* Is the word near enough to be what was meant?  Sets *away to the distance. */
static bool
is_near(struct text t, const char *word, size_t len, size_t *away)
{
	size_t k;

	if (t.n > LONGEST || len > LONGEST)
		return false;
	k = *away = t.n == len && strncasecmp(t.s, word, len) == 0 ? 0 :
	    distance(t, word, len);
	/* More than half of the word must be right: Ir does not suggest Dr. */
	return k <= 1 + least(t.n, len) / 3 && 2 * k < (t.n > len ? t.n : len) && k < len;
}

const char *
suggest_find(struct text t, const char *const *list, size_t n)
{
	const char *best = NULL;
	size_t i, least_so_far = 0, k;

	for (i = 0; i < n; i++)
		if (is_near(t, list[i], strlen(list[i]), &k) &&
		    (!best || k < least_so_far)) {
			best = list[i];
			least_so_far = k;
		}
	return best;
}

const char *
suggest_in(struct text t, const char *known, const char *between)
{
	static char best[LONGEST + 1];	/* for the current message, as below */
	size_t n, least_so_far = SIZE_MAX, k;
	const char *end;

	for (; known; known = end ? end + strlen(between) : NULL) {
		end = strstr(known, between);
		n = end ? (size_t)(end - known) : strlen(known);
		if (is_near(t, known, n, &k) && k < least_so_far) {
			memcpy(best, known, n);
			best[n] = '\0';
			least_so_far = k;
		}
	}
	return least_so_far < SIZE_MAX ? best : NULL;
}

const char *
suggest_suffix(const char *word)
{
	static struct buf b;

	if (!word)
		return "";
	b.n = 0;
	buf_puts(&b, ": did you mean ");
	printable_add(&b, text_of(word));	/* it may come from a file */
	buf_putc(&b, '?');
	return buf_str(&b);
}

void
suggest_add(struct buf *message, struct text t, const char *const *list, size_t n)
{
	size_t i;

	buf_puts(message, suggest_suffix(suggest_find(t, list, n)));
	for (i = 0; i < n; i++)
		buf_printf(message, "%s%s", i ? ", " : "; known: ", list[i]);
}

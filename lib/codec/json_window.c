/* SPDX-License-Identifier: ISC */
#include "codec/json_window.h"

int
window_open(struct window *w, struct decode *d)
{
	const char *p = "";
	const long n = in_peek(d->in, &p);

	*w = (struct window){ .doc.d = d };
	json_read_begin(&w->doc.j, p, n < 0 ? 0 : (size_t)n);
	return n < 0 ? -1 : 0;
}

/* Drops what comes before `from`, and makes the window twice as large as the rest, so that a
 * large piece is not read again for each few bytes.  0 or -1. */
static int
widen(struct window *w, const char *from)
{
	struct json_reader *j = &w->doc.j;
	size_t used = (size_t)(from - j->begin), n;
	const size_t want = 2 * (size_t)(j->end - from);
	const char *p;
	int ret;

	w->doc.base += used;
	do {
		if ((ret = in_more(w->doc.d->in, used, &p, &n)) < 0)
			return -1;
		used = 0;
	} while (ret > 0 && n < want);
	w->eof = ret == 0;
	j->begin = j->at = p;
	j->end = p + n;
	return 0;
}

/* A number that ends with the window may go on behind it. */
static bool
is_short(const struct window *w)
{
	const struct json_reader *j = &w->doc.j;

	return !w->eof && (j->why ? j->cut : j->at == j->end);
}

int
window_read(struct window *w, int (*read)(void *), void *arg)
{
	struct json_reader *j = &w->doc.j;
	const size_t depth = j->depth;
	const bool first = j->first;
	const char *from = j->at;
	int ret;

	while (ret = read(arg), is_short(w)) {
		j->why = NULL;
		j->cut = false;
		j->depth = depth;
		j->first = first;
		if (widen(w, from) < 0)
			return -1;
		from = j->at;
	}
	return ret;
}

/* Reads blanks, up to the next byte that is none. */
static int
read_blanks(void *arg)
{
	struct window *w = arg;

	json_read_kind(&w->doc.j);
	return 0;
}

int
window_close(struct window *w, int r)
{
	if (r == 0 && !w->doc.j.why)
		r = window_read(w, read_blanks, w);
	return document_close(&w->doc, r);
}

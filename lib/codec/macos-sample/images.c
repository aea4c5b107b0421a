/* SPDX-License-Identifier: ISC */
/* The last lines of a report: the images, with their paths. */
#include "reader.h"

#include <stdlib.h>

#include "stream/dict.h"
#include "util/mem.h"
#include "util/num.h"

/* Takes "0x103746000" off *p, and the blanks around it. */
static bool
take_hex(const char **p, const char *end, uint64_t *n)
{
	const char *q = *p;

	while (q < end && *q == ' ')
		q++;
	if (end - q < 3 || q[0] != '0' || q[1] != 'x')
		return false;
	*p = num_get_hex(q + 2, n);
	return *p && *p > q + 2;
}

/* Reads "0x1000 - 0x1fff +name (1.0 - 7) <UUID> /path". */
static bool
read_image(struct text line, struct image *m)
{
	const char *p = line.s, *end = p + line.n, *from, *to;

	if (!take_hex(&p, end, &m->start))
		return false;
	while (p < end && (*p == ' ' || *p == '-'))
		p++;
	if (!take_hex(&p, end, &m->end) || !(from = memchr(p, '<', (size_t)(end - p))) ||
	    !(to = memchr(from, '>', (size_t)(end - from))))
		return false;
	m->uuid = (struct text){ from + 1, (size_t)(to - from - 1) };
	m->path = words_trim((struct text){ to + 1, (size_t)(end - to - 1) });
	p = last_byte(m->path.s, '/', m->path.n);
	p = p ? p + 1 : m->path.s;
	m->name = (struct text){ p, (size_t)(m->path.s + m->path.n - p) };
	return m->name.n;
}

static int
by_name(const void *a, const void *b)
{
	const struct image *x = a, *y = b;
	const size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;
	const int order = memcmp(x->name.s, y->name.s, n);

	return order ? order : (x->name.n > y->name.n) - (x->name.n < y->name.n);
}

const char *
sample_find_images(struct reader *rd, const char *p, const char *end)
{
	const char *at = p;
	struct text line;
	bool in = false;

	for (; sample_next_line(&p, end, &line); at = p) {
		if (text_begins(line, SAMPLE_FIRST))
			break;
		in |= text_begins(line, "Binary Images:");
		rd->image = mem_grow(rd->image, &rd->capimage, rd->nimage + 1,
		    sizeof *rd->image);
		if (in && read_image(line, &rd->image[rd->nimage]))
			rd->nimage++;
	}
	if (rd->nimage)
		qsort(rd->image, rd->nimage, sizeof *rd->image, by_name);
	return at;
}

/* Accepts headings, indented lines below them, and lines of the command about itself. */
bool
sample_is_tail(struct text line)
{
	static const char *const known[] = { " ", "\t", "0x", "Total number in stack",
	    "Sort by top of stack", "Binary Images:", "Sample analysis of process ",
	    "Sampling " };
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (text_begins(line, known[i]))
			return true;
	return !words_trim(line).n;
}

static void
add_hex(struct buf *b, const char *key, uint64_t n)
{
	char tmp[FIELD_TEXT];

	attr_add(b, key, num_text_hex(tmp, n));
}

/* Returns the image of this name, if there is exactly one. */
static const struct image *
find_image(const struct reader *rd, struct text name)
{
	const struct image key = { .name = name }, *m;

	m = rd->nimage ? bsearch(&key, rd->image, rd->nimage, sizeof key, by_name) : NULL;
	if (!m || (m > rd->image && by_name(m - 1, m) == 0) ||
	    (m + 1 < rd->image + rd->nimage && by_name(m, m + 1) == 0))
		return NULL;
	return m;
}

int
sample_object(struct reader *rd, struct text name, uint32_t *object)
{
	struct object_def o = NO_OBJECT;
	const struct image *m;

	*object = NO_ID;
	if (!name.s)
		return 0;
	o.path = dict_str(rd->d->dict, name);
	if ((m = find_image(rd, name))) {
		rd->text.n = 0;
		add_hex(&rd->text, "start", m->start);
		add_hex(&rd->text, "limit", m->end);
		o.path = dict_str(rd->d->dict, m->path);
		o.key = dict_str(rd->d->dict, m->uuid);
		o.attrs = dict_str(rd->d->dict, buf_as_text(&rd->text));
	}
	return decode_object_def(rd->d, &o, object);
}

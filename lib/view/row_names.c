/* SPDX-License-Identifier: ISC */
#include "view/row_names.h"

#include "util/abbreviate.h"
#include "util/printable.h"

bool
names_is_path(enum group_by key)
{
	return key == BY_FILE || key == BY_OBJECT;
}

bool
names_accompanies(const struct rank_request *q, enum group_by key)
{
	return names_is_path(key) && !table_by(q, key);
}

#define NAME_ROOM 28		/* columns of a name before its file or object is dropped */

/* May its middle be left out? */
static bool
is_cut(const struct rank_request *q, enum group_by key)
{
	return key != BY_LINE && key != BY_ADDR && table_by(q, key);
}

/* Returns the width of the names, if those that may be shortened have at most `room`
 * columns. */
static size_t
names_columns(const struct rank_request *q, const struct text *part, const enum group_by *keys,
    size_t n, size_t room)
{
	size_t i, one, all = 0;

	for (i = 0; i < n; i++) {
		one = printable_columns(part[i]);
		if (one > room && is_cut(q, keys[i]))
			one = room;
		all += one + 2 * (i > 0) + 2 * (keys[i] == BY_OBJECT);
	}
	return all;
}

/*
 * Makes names fit: the longest are shortened to *room; if that does not suffice, a
 * function's file and object are dropped first.
 */
static size_t
fit_names(const struct rank_request *q, const struct text *part, const enum group_by *keys,
    size_t n, size_t width, size_t *room)
{
	size_t low, high, mid;

	*room = SIZE_MAX;
	for (; width != SIZE_MAX && n && names_columns(q, part, keys, n, SIZE_MAX) > width; n--) {
		const bool extra = n > 1 && names_accompanies(q, keys[n - 1]);

		low = extra ? NAME_ROOM : 1;
		if (extra && names_columns(q, part, keys, n, low) > width)
			continue;
		for (high = width > low ? width : low; low < high; ) {
			mid = high - (high - low) / 2;
			if (names_columns(q, part, keys, n, mid) <= width)
				low = mid;
			else
				high = mid - 1;
		}
		*room = low;
		break;
	}
	return n;
}

/* Adds "std::vec…, int>::insert": the beginning, and the part from which on it differs. */
static void
add_apart(struct buf *b, struct text name, size_t from, size_t room)
{
	const size_t before = 2;	/* equal bytes before that part */
	struct text rest = name;

	while (from > before && (name.s[from - before] & 0xc0) == 0x80)
		from--;
	from = from > before ? from - before : 0;
	rest.s += from;
	rest.n -= from;
	if (printable_columns(name) <= room || from < room / 2 || room < 8) {
		printable_cut(b, name, room);
		return;
	}
	printable_cut(b, name, room / 2);
	printable_cut(b, rest, room - room / 2);
}

static void
add_name(struct page *p, struct names as, struct text name, bool function, size_t room)
{
	if (room == SIZE_MAX || room >= printable_columns(name))
		printable_add(&p->line, name);
	else if (!function || as.how == NAMES_BOTH_ENDS)
		printable_shortened(&p->line, name, room);
	else if (as.how == NAMES_APART)
		add_apart(&p->line, name, as.from, room);
	else
		abbreviate(&p->line, name, room);
}

/* Adds the names of a row: the first one bright, the others dim. */
size_t
names_put(struct page *p, const struct rank_request *q, struct names as,
    const struct text *t, const enum group_by *keys, size_t n, size_t width)
{
	struct text part[TABLE_KEYS];
	size_t i, room;

	for (i = 0; i < n; i++)
		part[i] = t[i].s ? t[i] : TEXT("???");
	n = fit_names(q, part, keys, n, width, &room);
	for (i = 0; i < n; i++) {
		bool object = keys[i] == BY_OBJECT;

		buf_puts(&p->line, i ? "  " : "");
		if (i)
			page_paint(p, PAINT_DIM);
		buf_puts(&p->line, object ? "[" : "");
		add_name(p, as, part[i], keys[i] == BY_FUNCTION,
		    is_cut(q, keys[i]) ? room : SIZE_MAX);
		buf_puts(&p->line, object ? "]" : "");
		if (i)
			page_paint(p, PAINT_PLAIN);
	}
	return n;
}

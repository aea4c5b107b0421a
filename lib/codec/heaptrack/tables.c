/* SPDX-License-Identifier: ISC */
/* The lines that others refer to.  One that is malformed has its number, too, so that with
 * --lenient those after it keep theirs. */
#include "reader.h"

#include <inttypes.h>

#include "util/mem.h"

#define MOST_ROWS (UINT32_MAX - 1)

/* Makes room for a row more: the table, or NULL with the diag set. */
#define ADD_ROW(h, table, n, cap) (h->n == MOST_ROWS ? NULL : \
	(h->table = mem_grow(h->table, &h->cap, h->n + 1, sizeof *h->table), \
	&h->table[h->n++]))

static int
too_many(struct heaptrack *h)
{
	diag_fail(h->d->diag, "more than %" PRIu32 " lines that begin with this letter",
	    MOST_ROWS);
	return LINE_FATAL;
}

int
heaptrack_string(struct heaptrack *h, struct fields f)
{
	uint32_t *s = ADD_ROW(h, string, nstring, capstring);
	struct text t;
	uint64_t n;

	if (!s)
		return too_many(h);
	*s = NO_ID;
	if (h->format >= 3 && (!heaptrack_number(&f, &n) || n != (uint64_t)(f.end - f.p)))
		return BAD(h, "expected a string and before it its length in hex, as in "
		    "'s 4 main', found %s", QUOTE_TO(f.line, f.end));
	t = (struct text){ f.p, (size_t)(f.end - f.p) };
	*s = dict_str(h->d->dict, t);
	return LINE_OK;
}

/* Reads a function: its name alone, or with its file and line. */
static bool
take_place(struct heaptrack *h, struct fields *f, bool innermost)
{
	struct place p = { 0 };

	if (!heaptrack_index(f, h->nstring, &p.func))
		return false;
	if (!(innermost && heaptrack_ended(f)) &&
	    (!heaptrack_index(f, h->nstring, &p.file) || !heaptrack_number(f, &p.line)))
		return false;
	h->place = mem_grow(h->place, &h->capplace, h->nplace + 1, sizeof *h->place);
	h->place[h->nplace++] = p;
	return true;
}

int
heaptrack_address(struct heaptrack *h, struct fields f)
{
	struct address *a = ADD_ROW(h, address, naddress, capaddress);
	bool good;

	if (!a)
		return too_many(h);
	*a = (struct address){ .place = h->nplace, .frame = NO_FRAMES };
	good = heaptrack_number(&f, &a->addr) && heaptrack_index(&f, h->nstring, &a->module);
	while (good && !heaptrack_ended(&f))
		good = take_place(h, &f, h->nplace == a->place);
	a->nplace = h->nplace - a->place;
	return good ? LINE_OK : BAD(h, "expected an address, its object, and functions with "
	    "file and line, as in 'i 4011a3 1 2 3 1f', where strings have the numbers 1 to "
	    "%zx, found %s", h->nstring, QUOTE_TO(f.line, f.end));
}

int
heaptrack_stack(struct heaptrack *h, struct fields f)
{
	const size_t most = h->nstack;	/* callers come before */
	struct stack_node *s = ADD_ROW(h, stack, nstack, capstack);

	if (!s)
		return too_many(h);
	*s = (struct stack_node){ .ctx = NO_ID };
	if (heaptrack_index(&f, h->naddress, &s->address) &&
	    heaptrack_index(&f, most, &s->caller) && heaptrack_ended(&f))
		return LINE_OK;
	return BAD(h, "expected an address, 0 to %zx, and a stack, 0 to %zx, found %s",
	    h->naddress, most, QUOTE_TO(f.line, f.end));
}

/* Returns the site of a stack, which may be none: the first site is of that. */
static uint32_t
site_of(struct heaptrack *h, uint32_t stack)
{
	if (!stack)
		return 1;
	if (!h->stack[stack - 1].site) {
		h->site = mem_grow(h->site, &h->capsite, h->nsite + 1, sizeof *h->site);
		h->site[h->nsite++] = (struct site){ .stack = stack };
		h->stack[stack - 1].site = (uint32_t)h->nsite;
	}
	return h->stack[stack - 1].site;
}

int
heaptrack_kind(struct heaptrack *h, struct fields f)
{
	struct kind *k = ADD_ROW(h, kind, nkind, capkind);
	uint32_t stack;

	if (!k)
		return too_many(h);
	*k = (struct kind){ 0 };
	if (!heaptrack_number(&f, &k->size) || !heaptrack_index(&f, h->nstack, &stack) ||
	    !heaptrack_ended(&f))
		return BAD(h, "expected a size and a stack, 0 to %zx, found %s", h->nstack,
		    QUOTE_TO(f.line, f.end));
	k->site = site_of(h, stack);
	return LINE_OK;
}

/* SPDX-License-Identifier: ISC */
#include "symbol/symbol_ranges.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/search.h"

/* ---- order ---- */

static int
underscores(const char *name)
{
	return name[0] != '_' ? 0 : name[1] != '_' ? 1 : 2;
}

/* Orders two symbols at one address by gprof's preference (symtab.c, symtab_finalize): the
 * global one, the function, and the one with fewer leading underscores.  PowerPC's old
 * names of entries (".f" next to "f") lose. */
static int
preference(const struct symbol *a, const struct symbol *b)
{
	if (a->global != b->global)
		return a->global - b->global;
	if (a->func != b->func)
		return a->func - b->func;
	if ((a->name[0] == '.') != (b->name[0] == '.'))
		return (b->name[0] == '.') - (a->name[0] == '.');
	return underscores(b->name) - underscores(a->name);
}

static int
compare(const void *pa, const void *pb)
{
	const struct symbol *a = pa, *b = pb;
	int by;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if ((by = preference(a, b)))
		return by;
	return (a->end < b->end) - (a->end > b->end);
}

/* An address to sort by, and the number of its symbol. */
struct place {
	uint64_t addr;
	size_t i;
};

#define DIGIT 11		/* bits */

/* Sorts by a digit; places with the same one stay in order. */
static void
sort_by_digit(struct place *to, const struct place *from, size_t n, uint64_t first,
    unsigned shift)
{
	const size_t mask = (1 << DIGIT) - 1;
	size_t begin[(1 << DIGIT) + 1] = { 0 }, i;

	for (i = 0; i < n; i++)
		begin[((from[i].addr - first) >> shift & mask) + 1]++;
	for (i = 1; i <= mask; i++)
		begin[i] += begin[i - 1];
	for (i = 0; i < n; i++)
		to[begin[(from[i].addr - first) >> shift & mask]++] = from[i];
}

/* Returns the places of symbols in the order of their addresses. */
static struct place *
sort_places(const struct symbol *v, size_t n)
{
	struct place *p = mem_alloc(n + 1, sizeof *p), *q = mem_alloc(n + 1, sizeof *q), *was;
	uint64_t first = UINT64_MAX, last = 0;
	unsigned shift;
	size_t i;

	for (i = 0; i < n; i++) {
		p[i] = (struct place){ v[i].addr, i };
		first = v[i].addr < first ? v[i].addr : first;
		last = v[i].addr > last ? v[i].addr : last;
	}
	for (shift = 0; shift < 64 && n && (last - first) >> shift; shift += DIGIT) {
		sort_by_digit(q, p, n, first, shift);
		was = p;
		p = q;
		q = was;
	}
	free(q);
	return p;
}

/* Otherwise the first one that came is better: `end` has their order until then. */
void
symbol_ranges_sort(struct symbol *v, size_t n)
{
	struct place *p = sort_places(v, n);
	struct symbol *was = mem_resize(NULL, n + 1, sizeof *was);
	size_t i, same;

	memcpy(was, v, n * sizeof *v);
	for (i = 0; i < n; i++) {
		v[i] = was[p[i].i];
		v[i].end = p[i].i;
	}
	for (i = 0; i < n; i = same) {
		for (same = i + 1; same < n && v[same].addr == v[i].addr; same++)
			;
		if (same - i > 1)
			qsort(&v[i], same - i, sizeof *v, compare);
	}
	free(was);
	free(p);
}

/* ---- stretches ---- */

static void
add(struct symbol_ranges *c, uint64_t from, uint64_t to, size_t symbol)
{
	if (from >= to)
		return;
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
	c->v[c->n++] = (struct stretch){ from, to, (uint32_t)symbol };
}

void
symbol_ranges_free(struct symbol_ranges *c)
{
	free(c->v);
	free(c->page);
	*c = (struct symbol_ranges){ 0 };
}

/*
 * Pages make searches short: page[k] is the number of stretches that begin before the k-th
 * of equally spaced addresses.  Without them a search among 30,000 takes 15 steps, each of
 * which misses the cache.
 */
#define PAGED 64		/* number of stretches from which on they pay */

static void
make_pages(struct symbol_ranges *c)
{
	uint64_t span;
	size_t i = 0, k;

	if (c->n < PAGED)
		return;
	span = c->v[c->n - 1].from - c->v[0].from;
	while (span >> c->shift > 2 * c->n)
		c->shift++;
	c->npage = (size_t)(span >> c->shift) + 2;
	c->page = mem_resize(NULL, c->npage, sizeof *c->page);
	for (k = 0; k < c->npage; k++) {
		while (i < c->n && (c->v[i].from - c->v[0].from) >> c->shift < k)
			i++;
		c->page[k] = (uint32_t)i;
	}
}

/* Returns the number of stretches that begin at an address or before it. */
static size_t
upto(const struct symbol_ranges *c, uint64_t addr)
{
	size_t low = 0, high = c->n;

	if (c->page) {
		const uint64_t k = addr < c->v[0].from ? UINT64_MAX :
		    (addr - c->v[0].from) >> c->shift;

		if (k == UINT64_MAX)
			return 0;
		if (k + 1 >= c->npage)
			return c->n;
		low = c->page[k];
		high = c->page[k + 1];
	}
	return PARTITION_POINT(i, low, high, c->v[i].from <= addr);
}

const struct stretch *
symbol_ranges_find(const struct symbol_ranges *c, uint64_t addr)
{
	size_t n = upto(c, addr);

	return n && addr < c->v[n - 1].to ? &c->v[n - 1] : NULL;
}

uint64_t
symbol_ranges_next(const struct symbol_ranges *c, uint64_t addr)
{
	size_t n = upto(c, addr);

	return n < c->n ? c->v[n].from : UINT64_MAX;
}

/* ---- by size ---- */

/* The symbols that an address is in, with the one that begins last on top. */
struct open {
	size_t *v, n;
	uint64_t at;		/* everything before is covered */
};

/* Covers everything before an address, and closes the symbols that end there. */
static void
cover_to(struct symbol_ranges *c, struct open *open, const struct symbol *v, uint64_t to)
{
	while (open->n && open->at < to) {
		const size_t i = open->v[open->n - 1];
		const uint64_t end = v[i].end < to ? v[i].end : to;

		add(c, open->at, end, i);
		if (open->at < end)
			open->at = end;
		if (v[i].end <= open->at)
			open->n--;
	}
	open->at = to;
}

/* Covers symbols of known size; one may be within another. */
static void
cover_sized(struct symbol_ranges *c, const struct symbol *v, size_t n)
{
	struct open open = { .v = mem_resize(NULL, n + 1, sizeof *open.v) };
	size_t i;

	for (i = 0; i < n; i++)
		if (v[i].size) {
			cover_to(c, &open, v, v[i].addr);
			open.v[open.n++] = i;
		}
	cover_to(c, &open, v, UINT64_MAX);
	free(open.v);
}

/* Is it the best symbol at its address? */
static bool
is_best(const struct symbol *v, size_t n, size_t i)
{
	return i + 1 == n || v[i + 1].addr != v[i].addr;
}

static void
set_ends(struct symbol *v, size_t n)
{
	uint64_t next = UINT64_MAX;
	size_t i;

	for (i = n; i--; ) {
		struct symbol *s = &v[i];
		const uint64_t left = s->limit - s->addr;

		if (is_best(v, n, i) && i + 1 < n)
			next = v[i + 1].addr;
		if (s->size)
			s->end = s->addr + (s->size < left ? s->size : left);
		else
			s->end = next < s->limit ? next : s->limit;
	}
}

/* Adds other stretches, from the last one to the first.  Both are in the order of their
 * addresses. */
static void
merge(struct symbol_ranges *c, const struct symbol_ranges *more)
{
	size_t a = c->n, b = more->n;

	c->n += b;
	c->v = mem_grow(c->v, &c->cap, c->n, sizeof *c->v);
	while (b) {
		const bool later = a && c->v[a - 1].from > more->v[b - 1].from;

		c->v[a + b - 1] = later ? c->v[a - 1] : more->v[b - 1];
		a -= later;
		b -= !later;
	}
}

void
symbol_ranges_by_size(struct symbol_ranges *c, struct symbol *v, size_t n)
{
	struct symbol_ranges labels = { 0 };
	size_t i;

	set_ends(v, n);
	cover_sized(c, v, n);
	for (i = 0; i < n; i++)
		if (!v[i].size && is_best(v, n, i) && !symbol_ranges_find(c, v[i].addr))
			add(&labels, v[i].addr, v[i].end, i);
	merge(c, &labels);
	symbol_ranges_free(&labels);
	make_pages(c);
}

/* ---- by order ---- */

static int
by_coming(const void *pa, const void *pb)
{
	const struct symbol *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);	/* `size` is the number
								 * here */
}

/* A heap of symbols by their order: the last one is on top. */
struct heap {
	const struct symbol *v;
	const size_t *order;
	size_t *at, n;
};

static bool
is_later(const struct heap *h, size_t a, size_t b)
{
	return h->order[h->at[a]] > h->order[h->at[b]];
}

static void
swap(struct heap *h, size_t a, size_t b)
{
	const size_t was = h->at[a];

	h->at[a] = h->at[b];
	h->at[b] = was;
}

static void
heap_add(struct heap *h, size_t symbol)
{
	size_t i = h->n++;

	h->at[i] = symbol;
	for (; i && is_later(h, i, (i - 1) / 2); i = (i - 1) / 2)
		swap(h, i, (i - 1) / 2);
}

static void
heap_drop(struct heap *h)
{
	size_t i = 0, child;

	h->at[0] = h->at[--h->n];
	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && is_later(h, child + 1, child))
			child++;
		if (!is_later(h, child, i))
			break;
		swap(h, child, i);
		i = child;
	}
}

/* Covers [from, to) with the symbols in the heap. */
static void
cover_span(struct symbol_ranges *c, struct heap *h, uint64_t from, uint64_t to)
{
	while (h->n) {
		const size_t i = h->at[0];
		const uint64_t end = h->v[i].end < to ? h->v[i].end : to;

		if (h->v[i].end <= from) {
			heap_drop(h);
			continue;
		}
		if (from >= to)
			break;
		add(c, from, end, i);
		from = end;
	}
}

static bool
is_sorted(const struct symbol *v, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (v[i].addr < v[i - 1].addr)
			return false;
	return true;
}

/* Sorts by address, and returns order[i], the original number of the i-th. */
static size_t *
sort_by_coming(struct symbol *v, size_t n)
{
	size_t *order = mem_alloc(n + 1, sizeof *order), i;

	for (i = 0; i < n; i++) {
		v[i].end = v[i].size;	/* swapped with its number */
		v[i].size = i;
	}
	if (!is_sorted(v, n))
		qsort(v, n, sizeof *v, by_coming);
	for (i = 0; i < n; i++) {
		order[i] = v[i].size;
		v[i].size = v[i].end;
	}
	return order;
}

#define PAGE ((uint64_t)4096)

/* Nothing says where the last symbol ends: perf gives it what is left of its page, and one
 * more. */
static uint64_t
page_after(uint64_t addr)
{
	return addr > UINT64_MAX - 2 * PAGE ? UINT64_MAX : (addr + 2 * PAGE - 1) & ~(PAGE - 1);
}

static void
cover_listed(struct symbol_ranges *c, struct symbol *v, size_t n)
{
	size_t *order = sort_by_coming(v, n), i;
	struct heap h = { .v = v, .order = order, .at = mem_alloc(n + 1, sizeof *h.at) };
	uint64_t next = n ? page_after(v[n - 1].addr) : 0;

	for (i = n; i--; ) {
		if (i + 1 < n && v[i + 1].addr != v[i].addr)
			next = v[i + 1].addr;
		v[i].end = !v[i].size ? next : v[i].size > UINT64_MAX - v[i].addr ?
		    UINT64_MAX : v[i].addr + v[i].size;
	}
	for (i = 0; i < n; i++) {
		heap_add(&h, i);
		cover_span(c, &h, v[i].addr, i + 1 < n ? v[i + 1].addr : UINT64_MAX);
	}
	free(order);
	free(h.at);
}

/* The same for symbols that are sorted, and have no sizes: the last one at an address
 * reaches to the next address. */
static bool
cover_labels(struct symbol_ranges *c, struct symbol *v, size_t n)
{
	size_t i;

	for (i = 0; i < n && !v[i].size && (!i || v[i].addr >= v[i - 1].addr); i++)
		;
	if (i < n)
		return false;
	c->v = mem_grow(c->v, &c->cap, n, sizeof *c->v);
	for (i = 0; i < n; i++) {
		v[i].end = i + 1 < n ? v[i + 1].addr : page_after(v[i].addr);
		add(c, v[i].addr, v[i].end, i);
	}
	return true;
}

void
symbol_ranges_by_order(struct symbol_ranges *c, struct symbol *v, size_t n)
{
	if (!cover_labels(c, v, n))
		cover_listed(c, v, n);
	make_pages(c);
}

/* ---- by gprof's rule ---- */

/*
 * Is it a local name that gprof ignores: one with "$", or with "." except in names of
 * functions that the compiler has cloned: ".N", ".clone.N", ".constprop.N"?
 */
static bool
is_label(const char *name)
{
	static const char *const copies[] = { ".clone.", ".constprop." };
	size_t i, n;

	for (; *name; name++) {
		if (*name == '$')
			return true;
		if (*name != '.')
			continue;
		for (i = 0; i < sizeof copies / sizeof *copies; i++) {
			n = strlen(copies[i]);
			if (strncmp(name, copies[i], n) == 0 && name[n]) {
				name += n - 1;
				break;
			}
		}
		if (name[1] < '0' || name[1] > '9')
			return true;
		while (name[1] >= '0' && name[1] <= '9')
			name++;
		if (name[1] && name[1] != '.')
			return true;
	}
	return false;
}

static bool
is_passed_over(const struct symbol *s)
{
	return !s->text || (!s->global && (is_label(s->name) ||
	    strncmp(s->name, "__gnu_compiled", 14) == 0 ||
	    strncmp(s->name, "___gnu_compiled", 15) == 0));
}

/* The last one was added first. */
static void
reverse(struct symbol_ranges *c)
{
	size_t i;

	for (i = 0; i < c->n / 2; i++) {
		const struct stretch was = c->v[i];

		c->v[i] = c->v[c->n - 1 - i];
		c->v[c->n - 1 - i] = was;
	}
}

void
symbol_ranges_as_gprof(struct symbol_ranges *c, const struct symbol *v, size_t n, bool sized)
{
	uint64_t next = UINT64_MAX;
	size_t i;

	/* If several are at one address, the last one is the best. */
	for (i = n; i--; ) {
		/* gprof looks only up to the next symbol, even beyond the end of a
		 * section. */
		uint64_t end = next == UINT64_MAX ? v[i].limit : next;

		if (v[i].addr == next || is_passed_over(&v[i]))
			continue;
		if (sized && v[i].size && v[i].end < end)
			end = v[i].end;
		add(c, v[i].addr, end, i);
		next = v[i].addr;
	}
	reverse(c);
	make_pages(c);
}

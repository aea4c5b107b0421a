/* SPDX-License-Identifier: ISC */
#include "symbol/locate.h"

#include <stdlib.h>

#include "symbol/demangle.h"
#include "symbol/load_bias.h"
#include "util/mem.h"

/* ---- names ---- */

/* Is the short form of a C++ or Rust name, "N::f", contained in the long one, "void
 * N::f(int)"? */
static bool
has_name(struct text full, struct text name)
{
	const char *p = full.s, *end = full.s + full.n, *q;

	for (; (p = memmem(p, (size_t)(end - p), name.s, name.n)); p++) {
		q = p + name.n;
		if ((p == full.s || p[-1] == ' ') && (q == end || *q == '(' || *q == ' ' ||
		    *q == '[' || strncmp(q, "::h", 3) == 0))
			return true;
	}
	return false;
}

static bool
is_called(const struct symbol *sym, struct text name)
{
	char *full;
	bool is;

	if (text_eq(text_of(sym->name), name))
		return true;
	if (!(full = demangle(sym->name)))
		return false;
	is = has_name(text_of(full), name);
	free(full);
	return is;
}

/* Returns the name without a compiler's mark of a clone: "f [clone .cold]". */
static struct text
plain_name(struct text name)
{
	const char *clone = name.n ? memmem(name.s, name.n, " [clone ", 8) : NULL;

	if (clone)
		name.n = (size_t)(clone - name.s);
	return name;
}

/* Is an address in a function of this name, which is that of a symbol, or of a label before
 * the address?  Or in a call at the end of the function before: perf names a caller by the
 * address where it continues. */
static bool
is_in(const struct symbols *s, uint64_t addr, struct text name)
{
	const struct symbol *sym = symbols_find(s, addr);
	const size_t n = symbols_count(s);
	size_t i;

	if (!sym)
		return false;
	i = (size_t)(sym - symbols_at(s, 0));
	while (i && symbols_at(s, i - 1)->addr == sym->addr)
		i--;
	for (; i < n && symbols_at(s, i)->addr <= addr + 1; i++)
		if (is_called(symbols_at(s, i), name))
			return true;
	return false;
}

/* ---- addresses of the file ---- */

/* Sets v to what an address may be, one of the file or an offset in it, and returns how
 * many of the two are in code. */
static size_t
candidates(const struct symbols *s, uint64_t addr, uint64_t v[2])
{
	size_t n = 0;

	if (symbols_addr(s, addr, &v[n]) && symbols_in_code(s, v[n]))
		n++;
	if (symbols_in_code(s, addr) && (!n || v[0] != addr))
		v[n++] = addr;
	return n;
}

/* ---- addresses of a process ---- */

/* The processes that are remembered, the last ones. */
#define LATEST 64

static bool
by_distance(const struct locator *l, const struct symbols *s, struct text name, uint64_t addr,
    uint64_t *in_file)
{
	size_t i;

	for (i = l->n; i > 0 && l->n - i < LATEST; i--) {
		*in_file = addr - l->distance[i - 1];
		if (is_in(s, *in_file, name))
			return true;
	}
	return false;
}

/* Locates by a function that has only one place, and is not longer than a page. */
static bool
by_function(struct locator *l, struct symbolizer *r, uint32_t func, uint64_t addr,
    uint64_t *in_file)
{
	const struct symbols *s = symbolize_symbols(r);
	uint64_t from;

	if (!symbolize_addr(r, func, &from))
		return false;
	*in_file = from + (addr - from) % LOAD_PAGE;
	if (symbols_end(s, from) - from > LOAD_PAGE || *in_file >= symbols_end(s, from))
		return false;
	l->distance = mem_grow(l->distance, &l->cap, l->n + 1, sizeof *l->distance);
	l->distance[l->n++] = addr - *in_file;
	return true;
}

bool
locate_addr(struct locator *l, struct symbolizer *r, uint32_t func, struct text name,
    uint64_t addr, uint64_t *in_file)
{
	const struct symbols *s = symbolize_symbols(r);
	uint64_t v[2];
	const size_t n = candidates(s, addr, v);
	size_t i, fit = 0;

	name = plain_name(name);
	for (i = 0; i < n; i++)
		if (!name.n || is_in(s, v[i], name)) {
			*in_file = v[i];
			fit++;
		}
	return fit == 1 || (!n && name.n && (by_distance(l, s, name, addr, in_file) ||
	    by_function(l, r, func, addr, in_file)));
}

void
locate_free(struct locator *l)
{
	free(l->distance);
}

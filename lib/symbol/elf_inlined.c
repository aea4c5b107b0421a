/* SPDX-License-Identifier: ISC */
#include "symbol/elf_inlined.h"

#if defined HAVE_ELFUTILS

#include <stdlib.h>

#include "stream/sums.h"
#include "symbol/elf_lines.h"
#include "symbol/elfutils.h"
#include "util/buf.h"
#include "util/mem.h"
#include "util/search.h"

#define DEEPEST 64		/* nesting of namespaces, classes and functions */

/* The functions of a unit that have code, by address. */
struct unit {
	struct range { uint64_t from, to; Dwarf_Die die; } *v;
	size_t n, cap;
};

struct elf_inlined {
	Dwarf *dwarf;
	uint64_t bias;
	struct elf_lines *lines;
	struct sums known;	/* units by offset, and by number: */
	struct unit *unit;
	size_t capunit;
	uint64_t at;		/* offset of the current unit */
	struct buf file, call_file;
};

struct elf_inlined *
elf_inlined_new(Dwarf *dwarf, uint64_t bias, struct elf_lines *lines)
{
	struct elf_inlined *e = mem_alloc(1, sizeof *e);

	e->dwarf = dwarf;
	e->bias = bias;
	e->lines = lines;
	sums_init(&e->known, 1, 0);
	return e;
}

void
elf_inlined_free(struct elf_inlined *e)
{
	size_t i;

	if (!e)
		return;
	for (i = 0; i < e->known.n; i++)
		free(e->unit[i].v);
	free(e->unit);
	sums_free(&e->known);
	buf_free(&e->file);
	buf_free(&e->call_file);
	free(e);
}

/* ---- the functions of a unit ---- */

static void
add_function(struct unit *u, Dwarf_Die *die)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	while ((at = libdw.dwarf_ranges(die, at, &base, &from, &to)) > 0) {
		if (from >= to)
			continue;
		u->v = mem_grow(u->v, &u->cap, u->n + 1, sizeof *u->v);
		u->v[u->n++] = (struct range){ from, to, *die };
	}
}

/* Functions are in functions, too: lambdas, methods of local classes, nested functions. */
static bool
has_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	    tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	    tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

static void
add_functions(struct unit *u, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die child;

	if (depth > DEEPEST || libdw.dwarf_child(die, &child) != 0)
		return;
	do {
		const int tag = libdw.dwarf_tag(&child);

		if (tag == DW_TAG_subprogram)
			add_function(u, &child);
		if (has_functions(tag))
			add_functions(u, &child, depth + 1);
	} while (libdw.dwarf_siblingof(&child, &child) == 0);
}

static int
by_address(const void *pa, const void *pb)
{
	const struct range *a = pa, *b = pb;

	return (a->from > b->from) - (a->from < b->from);
}

/* Finds a unit's tree, which may be in a separate file (split DWARF). */
static bool
go_to_unit(struct elf_inlined *e, uint64_t offset, Dwarf_Die *die)
{
	Dwarf_Die split;

	if (!libdw.dwarf_offdie(e->dwarf, offset, die))
		return false;
	if (libdw.dwarf_cu_info(die->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) == 0 &&
	    split.cu)
		*die = split;
	return true;
}

static const struct unit *
unit_at(struct elf_inlined *e, uint64_t offset)
{
	const size_t was = e->known.n, i = sums_row(&e->known, &offset);
	Dwarf_Die die;

	e->unit = mem_reach(e->unit, &e->capunit, i, sizeof *e->unit, 0);
	if (i == was && go_to_unit(e, offset, &die)) {
		add_functions(&e->unit[i], &die, 0);
		if (e->unit[i].n)
			qsort(e->unit[i].v, e->unit[i].n, sizeof *e->unit[i].v, by_address);
	}
	return &e->unit[i];
}

/* Finds the function at an address: false if there is none. */
static bool
find_function(const struct unit *u, uint64_t addr, Dwarf_Die *die)
{
	const size_t n = PARTITION_POINT(i, 0, u->n, u->v[i].from <= addr);

	if (!n || addr >= u->v[n - 1].to)
		return false;
	*die = u->v[n - 1].die;
	return true;
}

/* ---- inlined functions ---- */

static bool
get_number(Dwarf_Die *die, unsigned attribute, uint64_t *out)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	if (libdw.dwarf_formudata(libdw.dwarf_attr_integrate(die, attribute, &a), &v) != 0)
		return false;
	*out = v;
	return true;
}

static const char *
text_of_die(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;

	return libdw.dwarf_formstring(libdw.dwarf_attr_integrate(die, attribute, &a));
}

/* Returns the file with the number in an attribute.  Its unit is the function's or, as a
 * split one leaves its lines in the executable, the current one.  NULL: unknown. */
static const char *
file_of(struct elf_inlined *e, Dwarf_Die *die, unsigned attribute, struct buf *keep)
{
	const char *path;
	uint64_t number;
	Dwarf_Die unit;

	if (!get_number(die, attribute, &number) || !libdw.dwarf_diecu(die, &unit, NULL, NULL) ||
	    !(path = elf_lines_file(e->lines, libdw.dwarf_cu_getdwarf(unit.cu) == e->dwarf ?
	    libdw.dwarf_dieoffset(&unit) : e->at, number)))
		return NULL;
	keep->n = 0;
	buf_puts(keep, path);
	return buf_str(keep);
}

static void
put_function(struct elf_inlined *e, Dwarf_Die *die, bool files, inlined_put *put, void *arg)
{
	Dwarf_Attribute a;
	Dwarf_Die origin = *die;
	struct inlined_function f = { 0 };

	libdw.dwarf_formref_die(libdw.dwarf_attr(die, DW_AT_abstract_origin, &a), &origin);
	f.id = (uint64_t)(uintptr_t)origin.addr;	/* unique, as files are loaded as a
							 * whole */
	f.name = text_of_die(die, DW_AT_linkage_name);
	if (!f.name)
		f.name = text_of_die(die, DW_AT_name);
	if (files) {
		f.file = file_of(e, &origin, DW_AT_decl_file, &e->file);
		f.call_file = file_of(e, die, DW_AT_call_file, &e->call_file);
		get_number(die, DW_AT_call_line, &f.call_line);
	}
	put(arg, &f);
}

/* Goes to the block or inlined function in `die` that an address is in: false if there is
 * none. */
static bool
go_down(Dwarf_Die *die, uint64_t addr)
{
	Dwarf_Die child;

	if (libdw.dwarf_child(die, &child) != 0)
		return false;
	do {
		const int tag = libdw.dwarf_tag(&child);

		if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
		    libdw.dwarf_haspc(&child, addr) > 0) {
			*die = child;
			return true;
		}
	} while (libdw.dwarf_siblingof(&child, &child) == 0);
	return false;
}

void
elf_inlined_find(struct elf_inlined *e, uint64_t addr, bool files, inlined_put *put,
    void *arg)
{
	Dwarf_Die die;
	unsigned n;

	if (!elf_lines_unit(e->lines, addr, &e->at) ||
	    !find_function(unit_at(e, e->at), addr - e->bias, &die))
		return;
	for (n = 0; n < ELF_INLINED_MOST && go_down(&die, addr - e->bias); n++)
		if (libdw.dwarf_tag(&die) == DW_TAG_inlined_subroutine)
			put_function(e, &die, files, put, arg);
}

#endif

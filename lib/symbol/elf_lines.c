/* SPDX-License-Identifier: ISC */
#include "symbol/elf_lines.h"

#if defined HAVE_ELFUTILS

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/line_program.h"
#include "symbol/unit_ranges.h"
#include "symbol/elfutils.h"
#include "util/mem.h"

/* Lines of a line program, which several units may share. */
struct unit_lines {
	uint64_t offset;	/* of the program in .debug_line */
	struct line_table lines;
};

struct elf_lines {
	Dwarf *dwarf;
	uint64_t bias;		/* added to its addresses gives the executable's */
	elf_is_code *is_code;	/* with this argument */
	const void *arg;
	struct unit_ranges units;
	struct line_sections sections;
	void *all_lines;	/* the tree of tsearch(3), with struct unit_lines */
	/* The last unit, which usually has the next address as well: */
	Dwarf_Off at;		/* 0: none */
	const char *dir;
	struct line_table *lines;	/* NULL: the unit has none */
	struct buf path;	/* path of the last file, from that directory */
	const struct line_file *path_of;
	const char *path_dir;
};

/* ---- memory ---- */

static void __attribute__((noreturn))	/* clang distinguishes this from _Noreturn */
no_memory(void)
{
	mem_fail(0);
}

/* Ends the program if libdw failed for lack of memory, which must not pass for unknown
 * lines.  A successful call may also leave an errno, so `errno` is set to 0 before each
 * call whose failure leads here. */
static void
check_memory(void)
{
	if (errno == ENOMEM)
		no_memory();
}

/* ---- units ---- */

/* Is there code at an address of the debug information? */
static bool
has_code(const void *lines, uint64_t addr)
{
	const struct elf_lines *l = lines;

	return l->is_code(l->arg, addr + l->bias);
}

/* Adds the ranges of a unit's code, except code that the linker has dropped, which is at 0
 * or -1.  False: there are more ranges than the file can contain. */
static bool
add_ranges(struct elf_lines *l, Dwarf_Die *unit, size_t *left)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	errno = 0;
	while ((at = libdw.dwarf_ranges(unit, at, &base, &from, &to)) > 0) {
		if (!(*left)--)
			return false;
		if (from >= to || !has_code(l, from))
			continue;
		unit_ranges_add(&l->units, (struct unit_range){ from + l->bias, to + l->bias,
		    libdw.dwarf_dieoffset(unit) });
		errno = 0;
	}
	if (at < 0)
		check_memory();
	return true;
}

/* Returns a section of debug information, decompressed by libdw; NULL. */
static struct text
debug_section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr h;
	size_t names;

	if (libelf.elf_getshdrstrndx(elf, &names) < 0)
		return (struct text){ 0 };
	while ((scn = libelf.elf_nextscn(elf, scn))) {
		const char *its = libelf.gelf_getshdr(scn, &h) ?
		    libelf.elf_strptr(elf, names, h.sh_name) : NULL;

		if (!its || strcmp(its, name) != 0)
			continue;
		if (h.sh_type == SHT_NOBITS || (h.sh_flags & SHF_COMPRESSED))
			break;
		errno = 0;
		if ((data = libelf.elf_getdata(scn, NULL)))
			return (struct text){ data->d_buf, data->d_size };
		check_memory();
		break;
	}
	return (struct text){ 0 };
}

static void
find_sections(struct elf_lines *l)
{
	Elf *elf = libdw.dwarf_getelf(l->dwarf);
	const char *ident = libelf.elf_getident(elf, NULL);

	l->sections = (struct line_sections){
		.line = debug_section(elf, ".debug_line"),
		.line_str = debug_section(elf, ".debug_line_str"),
		.str = debug_section(elf, ".debug_str"),
		.big = ident && ident[EI_DATA] == ELFDATA2MSB,
	};
}

/*
 * Finds the code of each unit, as units state it themselves: not every compiler writes the
 * index .debug_aranges.  Units of split DWARF leave this, and the lines, in the executable.
 */
static void
find_units(struct elf_lines *l)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	size_t left = 0;
	int r;

	libelf.elf_rawfile(libdw.dwarf_getelf(l->dwarf), &left);
	do {
		errno = 0;
		if ((r = libdw.dwarf_get_units(l->dwarf, cu, &cu, NULL, NULL, &unit,
		    NULL)) < 0)
			check_memory();
	} while (r == 0 && add_ranges(l, &unit, &left));
	unit_ranges_sort(&l->units);
}

struct elf_lines *
elf_lines_new(struct Dwarf *dwarf, uint64_t bias, elf_is_code *is_code, const void *arg)
{
	struct elf_lines *l = mem_alloc(1, sizeof *l);

	l->dwarf = dwarf;
	l->bias = bias;
	l->is_code = is_code;
	l->arg = arg;
	/* Without memory, libdw would exit by itself. */
	libdw.dwarf_new_oom_handler(dwarf, no_memory);
	find_sections(l);
	find_units(l);
	return l;
}

static void
free_lines(void *p)
{
	struct unit_lines *u = p;

	line_table_free(&u->lines);
	free(u);
}

void
elf_lines_free(struct elf_lines *l)
{
	if (!l)
		return;
	tdestroy(l->all_lines, free_lines);
	unit_ranges_free(&l->units);
	buf_free(&l->path);
	free(l);
}

/* ---- the lines of a unit ---- */

/* Reads lines by libdw, for programs that line_program_read() rejects; no lines, if libdw
 * also fails. */
static void
lines_of_libdw(Dwarf_Die *unit, struct line_table *lines)
{
	Dwarf_Files *files;
	Dwarf_Lines *rows;
	size_t n, i, file;

	errno = 0;
	if (libdw.dwarf_getsrclines(unit, &rows, &n) < 0) {
		check_memory();
		return;
	}
	for (i = 0; i < n; i++) {
		Dwarf_Line *row = libdw.dwarf_onesrcline(rows, i);
		Dwarf_Addr addr;
		bool end;
		int line;

		if (libdw.dwarf_lineaddr(row, &addr) < 0 ||
		    libdw.dwarf_lineno(row, &line) < 0 ||
		    libdw.dwarf_lineendsequence(row, &end) < 0)
			continue;
		if (libdw.dwarf_line_file(row, &files, &file) < 0 ||
		    file > LINE_MOST_FILES)
			file = LINE_MOST_FILES;	/* a number that does not exist */
		line_table_add(lines, (struct line_row){ addr, file & LINE_MOST_FILES, end,
		    line });
	}
	errno = 0;
	if (libdw.dwarf_getsrcfiles(unit, &files, &n) != 0) {
		check_memory();
		return;
	}
	for (i = 0; i < n && i < LINE_MOST_FILES; i++)
		line_table_add_file(lines, (struct line_file){
		    .name = libdw.dwarf_filesrc(files, i, NULL, NULL) });
}

static int
by_offset(const void *pa, const void *pb)
{
	const struct unit_lines *a = pa, *b = pb;

	return (a->offset > b->offset) - (a->offset < b->offset);
}

/* Returns the lines of the current unit; NULL: it has none. */
static struct line_table *
unit_lines(struct elf_lines *l, Dwarf_Die *unit)
{
	struct line_unit of = { .comp_dir = l->dir, .is_code = has_code, .arg = l };
	struct unit_lines key, **found, *u;
	Dwarf_Attribute a;
	uint8_t size;

	if (libdw.dwarf_formudata(libdw.dwarf_attr(unit, DW_AT_stmt_list, &a),
	    &of.offset) < 0 || !libdw.dwarf_diecu(unit, &(Dwarf_Die){ 0 }, &size, NULL))
		return NULL;
	key.offset = of.offset;
	of.address_size = size;
	if ((found = tfind(&key, &l->all_lines, by_offset)))
		return &(*found)->lines;
	u = mem_alloc(1, sizeof *u);
	u->offset = of.offset;
	if (!line_program_read(&l->sections, &of, &u->lines))
		lines_of_libdw(unit, &u->lines);
	if (!tsearch(u, &l->all_lines, by_offset))
		no_memory();
	return &u->lines;
}

static bool
go_to_unit(struct elf_lines *l, Dwarf_Off at)
{
	Dwarf_Attribute a;
	Dwarf_Die unit;

	if (l->at == at)
		return true;
	errno = 0;
	if (!libdw.dwarf_offdie(l->dwarf, at, &unit)) {
		check_memory();
		return false;
	}
	l->at = at;
	l->dir = libdw.dwarf_formstring(libdw.dwarf_attr(&unit, DW_AT_comp_dir, &a));
	l->lines = unit_lines(l, &unit);
	return true;
}

/* ---- an address ---- */

/* Returns the row of an address.  Inlined code has several rows at one address: the first
 * is that of the function that it is inlined into. */
static const struct line_row *
find_row(struct elf_lines *l, uint64_t addr, enum elf_lines_of of)
{
	const struct unit_range *r = unit_ranges_find(&l->units, addr);
	const struct line_row *row;

	if (!r || !go_to_unit(l, r->unit) || !l->lines)
		return NULL;
	row = line_table_find(l->lines, addr - l->bias);
	return row && of == ELF_FUNCTION ? line_table_first(l->lines, row) : row;
}

/* Returns the path relative to where the compiler ran, as in other programs. */
static const char *
path_of(struct elf_lines *l, const struct line_file *file)
{
	if (l->path_of != file || l->path_dir != l->dir) {
		l->path.n = 0;
		line_file_path(file, l->dir, &l->path);
		l->path_of = file;
		l->path_dir = l->dir;
	}
	return buf_str(&l->path);
}

const struct line_row *
elf_lines_find(struct elf_lines *l, uint64_t addr, enum elf_lines_of of, const char **file)
{
	const struct line_row *row = find_row(l, addr, of);

	if (!row || row->file >= l->lines->nfile)
		return NULL;
	*file = path_of(l, &l->lines->file[row->file]);
	return row;
}

bool
elf_lines_unit(const struct elf_lines *l, uint64_t addr, uint64_t *unit)
{
	const struct unit_range *r = unit_ranges_find(&l->units, addr);

	if (r)
		*unit = r->unit;
	return r;
}

const char *
elf_lines_file(struct elf_lines *l, uint64_t unit, uint64_t number)
{
	return go_to_unit(l, unit) && l->lines && number < l->lines->nfile ?
	    path_of(l, &l->lines->file[number]) : NULL;
}

void
elf_lines_sources(struct elf_lines *l, void (*put)(void *, const char *), void *arg)
{
	size_t i, k;

	for (i = 0; i < l->units.n; i++) {
		/* A unit's ranges are usually adjacent. */
		if (i && l->units.v[i].unit == l->units.v[i - 1].unit)
			continue;
		if (!go_to_unit(l, l->units.v[i].unit) || !l->lines)
			continue;
		for (k = 0; k < l->lines->nfile; k++)
			put(arg, path_of(l, &l->lines->file[k]));
	}
}

#endif

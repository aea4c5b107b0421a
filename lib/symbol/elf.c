/* SPDX-License-Identifier: ISC */
#include "symbol/elf.h"

#include <stdlib.h>

#include "symbol/line_program.h"
#include "symbol/unit_ranges.h"
#include "util/buf.h"
#include "util/mem.h"

#if defined HAVE_ELFUTILS

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <elfutils/version.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <search.h>
#include <unistd.h>

struct section {
	uint64_t from, to;
};

/* What the units have that share a line program. */
struct unit_lines {
	uint64_t offset;	/* of the program in .debug_line */
	struct line_table lines;
};

struct elf_file {
	Dwfl *dwfl;
	Dwfl_Module *mod;
	struct section *code;
	size_t ncode, capcode;
	unsigned machine;
	/* Source lines, from the first time that one is asked for: */
	bool has_units;
	Dwarf *dwarf;		/* NULL: there are none */
	Dwarf_Addr bias;	/* of its addresses to the executable's */
	struct unit_ranges units;
	/* Of the last one, as the next is mostly of the same unit: */
	Dwarf_Off at;		/* 0: there was none */
	const char *dir;
	struct line_table *lines;	/* NULL: it has none */
	struct line_sections sections;
	void *all_lines;	/* tsearch(3)'s, of struct unit_lines */
	struct buf path;	/* of that file, from that directory */
	const struct line_file *path_of;
	const char *path_dir;
};

static void __attribute__((noreturn))	/* clang tells this from _Noreturn */
no_memory(void)
{
	mem_fail(0);
}

/* elfutils' own search asks a server, too, if this says where one is. */
static int
find_debuginfo(Dwfl_Module *mod, void **user, const char *name, Dwarf_Addr base,
    const char *file, const char *link, GElf_Word crc, char **found)
{
	unsetenv("DEBUGINFOD_URLS");
	return dwfl_standard_find_debuginfo(mod, user, name, base, file, link, crc,
	    found);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static void
find_code(struct elf_file *e, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &h) || !(h.sh_flags & SHF_EXECINSTR) ||
		    !(h.sh_flags & SHF_ALLOC))
			continue;
		e->code = mem_grow(e->code, &e->capcode, e->ncode + 1,
		    sizeof *e->code);
		e->code[e->ncode++] = (struct section){ h.sh_addr,
		    h.sh_addr + h.sh_size };
	}
}

struct elf_file *
elf_file_open(const char *path, struct diag *d)
{
	struct elf_file *e = mem_alloc(1, sizeof *e);
	GElf_Addr bias;
	GElf_Ehdr head;
	Elf *elf = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		diag_fail_plain(d, "%s: %s", path, strerror(errno));
		free(e);
		return NULL;
	}
	e->dwfl = dwfl_begin(&callbacks);
	/* At the addresses that the file itself has. */
	e->mod = e->dwfl ? dwfl_report_elf(e->dwfl, path, path, fd, 0, true) : NULL;
	if (e->mod)
		dwfl_report_end(e->dwfl, NULL, NULL);
	if (!e->mod || !(elf = dwfl_module_getelf(e->mod, &bias)) ||
	    !gelf_getehdr(elf, &head)) {
		diag_fail_plain(d, "%s: %s", path, dwfl_errmsg(-1));
		if (!e->mod)
			close(fd);
		elf_file_close(e);
		return NULL;
	}
	if (head.e_type != ET_EXEC && head.e_type != ET_DYN) {
		diag_fail_plain(d, "%s: an ELF file, but not an executable or library",
		    path);
		elf_file_close(e);
		return NULL;
	}
	e->machine = head.e_machine;
	find_code(e, elf);
	return e;
}

static void
free_lines(void *p)
{
	struct unit_lines *u = p;

	line_table_free(&u->lines);
	free(u);
}

void
elf_file_close(struct elf_file *e)
{
	if (!e)
		return;
	tdestroy(e->all_lines, free_lines);
	dwfl_end(e->dwfl);
	free(e->code);
	unit_ranges_free(&e->units);
	buf_free(&e->path);
	free(e);
}

uint64_t
elf_file_code_end(const struct elf_file *e, uint64_t addr)
{
	size_t i;

	for (i = 0; i < e->ncode; i++)
		if (addr >= e->code[i].from && addr < e->code[i].to)
			return e->code[i].to;
	return 0;
}

/* ---- symbols ---- */

static bool
has_symtab(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

/* Do the symbols come from a table of all, not from the dynamic linker's alone?
 * That one lacks static functions. */
static bool
has_all(struct elf_file *e, int n)
{
	Elf *elf = NULL, *last = NULL;
	GElf_Addr addr;
	GElf_Sym sym;
	int i;

	for (i = 1; i < n; i++) {
		if (!dwfl_module_getsym_info(e->mod, i, &sym, &addr, NULL, &elf, NULL) ||
		    elf == last)
			continue;
		if (has_symtab(elf))
			return true;
		last = elf;
	}
	return false;
}

/* Does nm(1) call it T, W or t if it is in code?  Data there is, too; an indirect
 * function is an "i", a weak object a "V". */
static bool
is_text(const GElf_Sym *sym)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_SECTION:
	case STT_FILE:
	case STT_TLS:
	case STT_GNU_IFUNC:
		return false;
	case STT_OBJECT:
		if (GELF_ST_BIND(sym->st_info) == STB_WEAK)
			return false;
	}
	return sym->st_shndx != SHN_UNDEF && sym->st_shndx != SHN_ABS;
}

/*
 * Where code begins that elfutils has at an address.  It has looked function
 * descriptors up (ppc64's .opd), but leaves the bit that says in which set of
 * instructions a function is: Thumb, MIPS16, microMIPS.
 */
static uint64_t
first_byte(const struct elf_file *e, const struct symbol *s, GElf_Addr addr)
{
	bool marked = e->machine == EM_ARM || e->machine == EM_MIPS;

	return marked && s->func ? addr & ~(uint64_t)1 : addr;
}

int
elf_file_symbols(struct elf_file *e, void (*put)(void *, const struct symbol *),
    void *arg, struct diag *d)
{
	int n = dwfl_module_getsymtab(e->mod), i;
	GElf_Addr addr;
	GElf_Sym sym;
	bool all;

	if (n < 0)
		return diag_fail_plain(d, "%s: %s", dwfl_module_info(e->mod, NULL, NULL,
		    NULL, NULL, NULL, NULL, NULL), dwfl_errmsg(-1));
	all = has_all(e, n);
	for (i = 1; i < n; i++) {
		struct symbol s = { .name = dwfl_module_getsym_info(e->mod, i, &sym,
		    &addr, NULL, NULL, NULL) };

		if (!s.name || !is_text(&sym))
			continue;
		/* Processors' own types are functions, too: ARM's of old ABIs. */
		s.func = GELF_ST_TYPE(sym.st_info) == STT_FUNC ||
		    GELF_ST_TYPE(sym.st_info) >= STT_LOPROC;
		s.global = GELF_ST_BIND(sym.st_info) != STB_LOCAL;
		s.addr = first_byte(e, &s, addr);
		s.size = all ? 0 : sym.st_size;
		if (elf_file_code_end(e, s.addr))
			put(arg, &s);
	}
	return 0;
}

/* ---- source lines ---- */

/* A unit's code, but for what the linker has dropped, which is at 0 or -1.
 * false: there are more ranges than the file can hold. */
static bool
add_ranges(struct elf_file *e, Dwarf_Die *unit, size_t *left)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &from, &to)) > 0) {
		if (!(*left)--)
			return false;
		from += e->bias;
		to += e->bias;
		if (from >= to || !elf_file_code_end(e, from))
			continue;
		unit_ranges_add(&e->units, (struct unit_range){ from, to,
		    dwarf_dieoffset(unit) });
	}
	return true;
}

/* A section of debug information, which libdw has unpacked; NULL. */
static struct text
debug_section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr h;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return (struct text){ 0 };
	while ((scn = elf_nextscn(elf, scn))) {
		const char *its = gelf_getshdr(scn, &h) ?
		    elf_strptr(elf, names, h.sh_name) : NULL;

		if (!its || strcmp(its, name) != 0)
			continue;
		data = h.sh_type == SHT_NOBITS || (h.sh_flags & SHF_COMPRESSED) ? NULL :
		    elf_getdata(scn, NULL);
		return data ? (struct text){ data->d_buf, data->d_size } :
		    (struct text){ 0 };
	}
	return (struct text){ 0 };
}

static void
find_sections(struct elf_file *e)
{
	Elf *elf = dwarf_getelf(e->dwarf);
	const char *ident = elf_getident(elf, NULL);

	e->sections = (struct line_sections){
		.line = debug_section(elf, ".debug_line"),
		.line_str = debug_section(elf, ".debug_line_str"),
		.str = debug_section(elf, ".debug_str"),
		.big = ident && ident[EI_DATA] == ELFDATA2MSB,
	};
}

/*
 * Which code is of which unit, the units themselves tell: the index
 * .debug_aranges is not written by every compiler.  Units of split DWARF leave
 * this, and the lines, in the executable.
 */
static void
find_units(struct elf_file *e)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	size_t left = 0;

	e->has_units = true;
	e->dwarf = dwfl_module_getdwarf(e->mod, &e->bias);
	if (!e->dwarf)
		return;
	errno = 0;	/* a file that could not be mapped was read */
	/* libdw, short of memory, would exit by itself. */
	dwarf_new_oom_handler(e->dwarf, no_memory);
	find_sections(e);
	elf_rawfile(dwarf_getelf(e->dwarf), &left);
	while (dwarf_get_units(e->dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0 &&
	    add_ranges(e, &unit, &left))
		;
	unit_ranges_sort(&e->units);
}

/* What line_program_read() leaves to libdw: nothing, if that cannot read it either. */
static void
lines_of_libdw(Dwarf_Die *unit, struct line_table *lines)
{
	Dwarf_Files *files;
	Dwarf_Lines *rows;
	size_t n, i, file;

	if (dwarf_getsrclines(unit, &rows, &n) < 0)
		return;
	for (i = 0; i < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(rows, i);
		Dwarf_Addr addr;
		bool end;
		int line;

		if (dwarf_lineaddr(row, &addr) < 0 || dwarf_lineno(row, &line) < 0 ||
		    dwarf_lineendsequence(row, &end) < 0)
			continue;
		if (dwarf_line_file(row, &files, &file) < 0 || file > LINE_MOST_FILES)
			file = LINE_MOST_FILES;	/* which there is not */
		line_table_add(lines, (struct line_row){ addr, file & LINE_MOST_FILES, end,
		    line });
	}
	if (dwarf_getsrcfiles(unit, &files, &n) == 0)
		for (i = 0; i < n && i < LINE_MOST_FILES; i++)
			line_table_add_file(lines, NULL, dwarf_filesrc(files, i, NULL, NULL));
}

static int
by_offset(const void *pa, const void *pb)
{
	const struct unit_lines *a = pa, *b = pb;

	return (a->offset > b->offset) - (a->offset < b->offset);
}

/* The lines of the unit that was gone to; NULL. */
static struct line_table *
unit_lines(struct elf_file *e, Dwarf_Die *unit)
{
	struct line_unit of = { .comp_dir = e->dir };
	struct unit_lines key, **found, *u;
	Dwarf_Attribute a;
	uint8_t size;

	if (dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &a), &of.offset) < 0 ||
	    !dwarf_diecu(unit, &(Dwarf_Die){ 0 }, &size, NULL))
		return NULL;
	key.offset = of.offset;
	of.address_size = size;
	if ((found = tfind(&key, &e->all_lines, by_offset)))
		return &(*found)->lines;
	u = mem_alloc(1, sizeof *u);
	u->offset = of.offset;
	if (!line_program_read(&e->sections, &of, &u->lines))
		lines_of_libdw(unit, &u->lines);
	if (!tsearch(u, &e->all_lines, by_offset))
		no_memory();
	return &u->lines;
}

static bool
go_to_unit(struct elf_file *e, Dwarf_Off at)
{
	Dwarf_Attribute a;
	Dwarf_Die unit;

	if (e->at == at)
		return true;
	if (!dwarf_offdie(e->dwarf, at, &unit))
		return false;
	e->at = at;
	e->dir = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &a));
	e->lines = unit_lines(e, &unit);
	return true;
}

/* The row of an address: what is inlined there has several at one, the function
 * that it is inlined into the first. */
static const struct line_row *
find_row(struct elf_file *e, uint64_t addr, bool first)
{
	const struct unit_range *r = unit_ranges_find(&e->units, addr);
	const struct line_row *row;

	if (!r || !go_to_unit(e, r->unit) || !e->lines)
		return NULL;
	row = line_table_find(e->lines, addr - e->bias);
	return row && first ? line_table_first(e->lines, row) : row;
}

/* From where the compiler ran, as other programs have it, too. */
static const char *
path_of(struct elf_file *e, const struct line_file *file)
{
	if (e->path_of != file || e->path_dir != e->dir) {
		e->path.n = 0;
		line_file_path(file, e->dir, &e->path);
		e->path_of = file;
		e->path_dir = e->dir;
	}
	return buf_str(&e->path);
}

/* Of the instruction at an address, or, without a line, of the function that
 * begins there. */
static const struct line_row *
find_source(struct elf_file *e, uint64_t addr, const char **file, bool first)
{
	const struct line_row *row;

	errno = 0;
	if (!e->has_units)
		find_units(e);
	row = find_row(e, addr, first);
	if (errno == ENOMEM)	/* what is missing is not unknown, then */
		no_memory();
	if (!row || row->file >= e->lines->nfile)
		return NULL;
	*file = path_of(e, &e->lines->file[row->file]);
	return row;
}

bool
elf_file_line(struct elf_file *e, uint64_t addr, const char **file, uint64_t *line)
{
	const struct line_row *row = find_source(e, addr, file, false);

	if (!row || row->line <= 0)
		return false;
	*line = (uint64_t)row->line;
	return true;
}

const char *
elf_source_file(struct elf_file *e, uint64_t addr)
{
	const char *file;

	return find_source(e, addr, &file, true) ? file : NULL;
}

#define TEXT_OF(x) #x
#define VALUE_OF(x) TEXT_OF(x)

const char *
elf_file_version(void)
{
	return "elfutils 0." VALUE_OF(_ELFUTILS_VERSION);
}

bool
elf_file_addr(struct elf_file *e, uint64_t offset, uint64_t *addr)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(e->mod, &bias);
	GElf_Phdr p;
	size_t i, n;

	if (!elf || elf_getphdrnum(elf, &n) < 0)
		return false;
	for (i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD &&
		    offset >= p.p_offset && offset - p.p_offset < p.p_memsz) {
			*addr = p.p_vaddr + (offset - p.p_offset);
			return true;
		}
	return false;
}

bool
elf_file_build_id(struct elf_file *e, struct buf *b)
{
	const unsigned char *id;
	GElf_Addr at;
	int i, n = dwfl_module_build_id(e->mod, &id, &at);

	for (i = 0; i < n; i++)
		buf_printf(b, "%02x", id[i]);
	return n > 0;
}

#else

struct elf_file *
elf_file_open(const char *path, struct diag *d)
{
	diag_fail_plain(d, "%s: built without elfutils, cannot read executables: give "
	    "the output of nm with --syms", path);
	return NULL;
}

void
elf_file_close(struct elf_file *e)
{
	(void)e;
}

uint64_t
elf_file_code_end(const struct elf_file *e, uint64_t addr)
{
	(void)e;
	(void)addr;
	return 0;
}

int
elf_file_symbols(struct elf_file *e, void (*put)(void *, const struct symbol *),
    void *arg, struct diag *d)
{
	(void)e;
	(void)put;
	(void)arg;
	(void)d;
	return -1;
}

bool
elf_file_line(struct elf_file *e, uint64_t addr, const char **file, uint64_t *line)
{
	(void)e;
	(void)addr;
	(void)file;
	(void)line;
	return false;
}

bool
elf_file_addr(struct elf_file *e, uint64_t offset, uint64_t *addr)
{
	(void)e;
	(void)offset;
	(void)addr;
	return false;
}

bool
elf_file_build_id(struct elf_file *e, struct buf *b)
{
	(void)e;
	(void)b;
	return false;
}

const char *
elf_source_file(struct elf_file *e, uint64_t addr)
{
	(void)e;
	(void)addr;
	return NULL;
}

const char *
elf_file_version(void)
{
	return "no elfutils";
}

#endif

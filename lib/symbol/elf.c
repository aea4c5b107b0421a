/* SPDX-License-Identifier: ISC */
#include "symbol/elf.h"

#include <stdlib.h>

#include "symbol/build_files.h"
#include "symbol/elf_lines.h"
#include "symbol/elf_plt.h"
#include "symbol/elf_unwind.h"
#include "util/buf.h"
#include "util/mem.h"

#if defined HAVE_ELFUTILS

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "symbol/elfutils.h"

struct section {
	uint64_t from, to;
};

struct elf_file {
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
	Dwfl_Module *mod;
	const char *sysroot;	/* NULL: none */
	struct section *code;
	size_t ncode, capcode;
	unsigned machine;
	bool has_content;	/* it contains code: a separate file of debug information
				 * does not */
	bool has_all;		/* it has all symbols, not only those for the dynamic
				 * linker */
	struct elf_plt plt;
	struct elf_unwind *unwind;	/* NULL: not needed yet */
	struct segment { uint64_t offset, size, addr; } *segment;	/* loaded ones */
	size_t nsegment, capsegment;
	bool has_lines;		/* they were looked for */
	struct elf_lines *lines;	/* NULL: none */
	struct elf_inlined *inlined;	/* NULL: none */
};

/* ---- separate files of debug information ---- */

static void
add_hex(struct buf *b, const unsigned char *id, ssize_t n)
{
	ssize_t i;

	for (i = 0; i < n; i++)
		buf_printf(b, "%02x", id[i]);
}

/* Has the file this build ID? */
static bool
is_build(int fd, struct text id)
{
	struct buf own = { 0 };
	const void *bits;
	ssize_t n = -1;
	bool is;
	Elf *elf;

	libelf.elf_version(EV_CURRENT);
	if ((elf = libelf.elf_begin(fd, ELF_C_READ, NULL)))
		n = libdw.dwelf_elf_gnu_build_id(elf, &bits);
	add_hex(&own, bits, n);
	libelf.elf_end(elf);
	is = text_eq(buf_as_text(&own), id);
	buf_free(&own);
	return is;
}

/* Opens the debug information that is kept for the module's build ID, and sets its path:
 * the descriptor; -1. */
static int
find_kept(const struct elf_file *e, char **found)
{
	struct buf path = { 0 }, id = { 0 };
	unsigned at = 0;
	int fd = -1;

	if (elf_file_build_id(e, &id))
		while (fd < 0 && build_files_next(&path, e->sysroot, buf_as_text(&id),
		    BUILD_DEBUG, &at)) {
			fd = open(buf_str(&path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
			if (fd >= 0 && !is_build(fd, buf_as_text(&id))) {
				close(fd);
				fd = -1;
			}
		}
	if (fd >= 0)
		*found = strdup(buf_str(&path));
	buf_free(&path);
	buf_free(&id);
	return fd;
}

/* Finds debug information. elfutils' own search would also ask a server, if this variable
 * names one. */
static int
find_debuginfo(Dwfl_Module *mod, void **user, const char *name, Dwarf_Addr base,
    const char *file, const char *link, GElf_Word crc, char **found)
{
	int fd;

	unsetenv("DEBUGINFOD_URLS");
	fd = libdw.dwfl_standard_find_debuginfo(mod, user, name, base, file, link, crc,
	    found);
	return fd < 0 && *user ? find_kept(*user, found) : fd;
}

static void
find_code(struct elf_file *e, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while ((scn = libelf.elf_nextscn(elf, scn))) {
		if (!libelf.gelf_getshdr(scn, &h) || !(h.sh_flags & SHF_EXECINSTR) ||
		    !(h.sh_flags & SHF_ALLOC))
			continue;
		e->code = mem_grow(e->code, &e->capcode, e->ncode + 1,
		    sizeof *e->code);
		e->code[e->ncode++] = (struct section){ h.sh_addr,
		    h.sh_addr + h.sh_size };
		e->has_content |= h.sh_type != SHT_NOBITS;
	}
}

static void
find_segments(struct elf_file *e, Elf *elf)
{
	GElf_Phdr p;
	size_t i, n;

	if (libelf.elf_getphdrnum(elf, &n) < 0)
		return;
	for (i = 0; i < n; i++) {
		if (!libelf.gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD)
			continue;
		e->segment = mem_grow(e->segment, &e->capsegment, e->nsegment + 1,
		    sizeof *e->segment);
		e->segment[e->nsegment++] = (struct segment){ p.p_offset, p.p_filesz, p.p_vaddr };
	}
}

/* libdw unpacks compressed files, such as a kernel's modules, which no kernel has in bzip2; and
 * it does not return from a bzip2 file that is truncated. */
static bool
is_bzip2(int fd)
{
	char magic[3];

	return pread(fd, magic, sizeof magic, 0) == sizeof magic &&
	    memcmp(magic, "BZh", sizeof magic) == 0;
}

struct elf_file *
elf_file_open(const char *path, const char *sysroot, struct diag *d)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *why = fd < 0 ? strerror(errno) : is_bzip2(fd) ? "it is compressed by bzip2: "
	    "decompress it first" : elfutils_load();
	struct elf_file *e;
	void **user;
	GElf_Addr bias;
	GElf_Ehdr head;
	Elf *elf = NULL;

	if (why) {
		diag_fail_plain(d, "%s: %s", path, why);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	e = mem_alloc(1, sizeof *e);
	e->sysroot = sysroot;
	e->callbacks = (Dwfl_Callbacks){
		.find_elf = libdw.dwfl_build_id_find_elf,
		.find_debuginfo = find_debuginfo,
		.section_address = libdw.dwfl_offline_section_address,
	};
	e->dwfl = libdw.dwfl_begin(&e->callbacks);
	/* At the addresses in the file itself. */
	e->mod = e->dwfl ? libdw.dwfl_report_elf(e->dwfl, path, path, fd, 0, true) : NULL;
	if (e->mod) {
		libdw.dwfl_report_end(e->dwfl, NULL, NULL);
		libdw.dwfl_module_info(e->mod, &user, NULL, NULL, NULL, NULL, NULL, NULL);
		*user = e;
	}
	if (!e->mod || !(elf = libdw.dwfl_module_getelf(e->mod, &bias)) ||
	    !libelf.gelf_getehdr(elf, &head)) {
		diag_fail_plain(d, "%s: %s", path, libdw.dwfl_errmsg(-1));
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
	find_segments(e, elf);
	return e;
}

void
elf_file_close(struct elf_file *e)
{
	if (!e)
		return;
	elf_inlined_free(e->inlined);
	elf_lines_free(e->lines);
	elf_plt_free(&e->plt);
	elf_unwind_free(e->unwind);
	free(e->segment);
	libdw.dwfl_end(e->dwfl);
	free(e->code);
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
has_table(Elf *elf, GElf_Word type)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while ((scn = libelf.elf_nextscn(elf, scn)))
		if (libelf.gelf_getshdr(scn, &h) && h.sh_type == type)
			return true;
	return false;
}

/* Is the file one without tables of symbols, such as a static program that is stripped? */
static bool
has_no_symbols(struct elf_file *e)
{
	GElf_Addr bias;
	Elf *elf = libdw.dwfl_module_getelf(e->mod, &bias);

	return elf && !has_table(elf, SHT_SYMTAB) && !has_table(elf, SHT_DYNSYM);
}

/* May it be the symbol of code? */
static bool
is_code_symbol(const GElf_Sym *sym)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_SECTION:
	case STT_FILE:
	case STT_TLS:
		return false;
	}
	return sym->st_shndx != SHN_UNDEF && sym->st_shndx != SHN_ABS;
}

/* Does nm(1) print T, W or t for it, if it is in code?  Code may contain data; an indirect
 * function is an "i", a weak object a "V". */
static bool
is_text(const GElf_Sym *sym)
{
	const bool weak = GELF_ST_BIND(sym->st_info) == STB_WEAK;

	return GELF_ST_TYPE(sym->st_info) != STT_GNU_IFUNC &&
	    !(GELF_ST_TYPE(sym->st_info) == STT_OBJECT && weak);
}

/* Is it a function?  So are processors' own types: ARM's in old ABIs. */
static bool
is_func(const GElf_Sym *sym)
{
	const unsigned type = GELF_ST_TYPE(sym->st_info);

	return type == STT_FUNC || type == STT_GNU_IFUNC || type >= STT_LOPROC;
}

/*
 * Returns where code begins. elfutils has looked function descriptors up (ppc64's .opd),
 * but leaves the bit that marks a function's instruction set: Thumb, MIPS16, microMIPS.
 */
static uint64_t
first_byte(const struct elf_file *e, const struct symbol *s, GElf_Addr addr)
{
	bool marked = e->machine == EM_ARM || e->machine == EM_MIPS;

	return marked && s->func ? addr & ~(uint64_t)1 : addr;
}

static bool
put_symbol(const struct elf_file *e, struct symbol *s,
    void (*put)(void *, const struct symbol *), void *arg)
{
	if ((s->limit = elf_file_code_end(e, s->addr)))
		put(arg, s);
	return s->limit;
}

static void
put_plt(struct elf_file *e, void (*put)(void *, const struct symbol *), void *arg)
{
	GElf_Addr bias;
	size_t i;

	elf_plt_read(&e->plt, libdw.dwfl_module_getelf(e->mod, &bias));
	for (i = 0; i < e->plt.n; i++) {
		const struct elf_stub *stub = &e->plt.v[i];
		struct symbol s = { .addr = stub->addr, .size = stub->size,
		    .name = e->plt.names.s + stub->name, .func = true };

		put_symbol(e, &s, put, arg);
	}
}

int
elf_file_symbols(struct elf_file *e, void (*put)(void *, const struct symbol *),
    void *arg, struct diag *d)
{
	int n = libdw.dwfl_module_getsymtab(e->mod), i;
	Elf *elf = NULL, *last = NULL;
	GElf_Addr addr;
	GElf_Sym sym;
	bool some = false;

	if (n < 0 && has_no_symbols(e))
		return 0;
	if (n < 0)
		return diag_fail_plain(d, "%s: %s", libdw.dwfl_module_info(e->mod, NULL,
		    NULL, NULL, NULL, NULL, NULL, NULL), libdw.dwfl_errmsg(-1));
	for (i = 1; i < n; i++) {
		struct symbol s = { .name = libdw.dwfl_module_getsym_info(e->mod, i,
		    &sym, &addr, NULL, &elf, NULL) };

		/* Otherwise it is the dynamic linker's table, which lacks static functions. */
		if (s.name && elf != last)
			e->has_all |= has_table(last = elf, SHT_SYMTAB);
		if (!s.name || !is_code_symbol(&sym))
			continue;
		s.func = is_func(&sym);
		s.text = is_text(&sym);
		s.global = GELF_ST_BIND(sym.st_info) != STB_LOCAL;
		s.addr = first_byte(e, &s, addr);
		s.size = sym.st_size;
		some |= put_symbol(e, &s, put, arg);
	}
	if (some)		/* a program that has only stubs is stripped */
		put_plt(e, put, arg);
	return 0;
}

bool
elf_file_has_all(const struct elf_file *e)
{
	return e->has_all;
}

/* ---- source lines ---- */

static bool
is_code(const void *e, uint64_t addr)
{
	return elf_file_code_end(e, addr) != 0;
}

/* Returns the source lines, which are read when they are first needed. */
static struct elf_lines *
lines_of(struct elf_file *e)
{
	Dwarf_Addr bias;
	Dwarf *dwarf;

	if (e->has_lines)
		return e->lines;
	e->has_lines = true;
	errno = 0;
	dwarf = libdw.dwfl_module_getdwarf(e->mod, &bias);
	if (dwarf) {
		e->lines = elf_lines_new(dwarf, bias, is_code, e);
		e->inlined = elf_inlined_new(dwarf, bias, e->lines);
	} else if (errno == ENOMEM)	/* not that there are none */
		mem_fail(0);
	return e->lines;
}

bool
elf_file_has_lines(struct elf_file *e)
{
	return lines_of(e) != NULL;
}

bool
elf_file_line(struct elf_file *e, uint64_t addr, const char **file, uint64_t *line)
{
	struct elf_lines *lines = lines_of(e);
	const struct line_row *row = lines ?
	    elf_lines_find(lines, addr, ELF_INSTRUCTION, file) : NULL;

	if (!row || row->line <= 0)
		return false;
	*line = (uint64_t)row->line;
	return true;
}

const char *
elf_source_file(struct elf_file *e, uint64_t addr)
{
	struct elf_lines *lines = lines_of(e);
	const char *file;

	return lines && elf_lines_find(lines, addr, ELF_FUNCTION, &file) ? file : NULL;
}

void
elf_file_inlined(struct elf_file *e, uint64_t addr, bool files, inlined_put *put, void *arg)
{
	if (lines_of(e))
		elf_inlined_find(e->inlined, addr, files, put, arg);
}

void
elf_file_sources(struct elf_file *e, void (*put)(void *, const char *), void *arg)
{
	struct elf_lines *lines = lines_of(e);

	if (lines)
		elf_lines_sources(lines, put, arg);
}

#define TEXT_OF(x) #x
#define VALUE_OF(x) TEXT_OF(x)

void
elf_file_version(struct buf *b)
{
	const char *why = elfutils_load();

	if (why)
		buf_printf(b, "no elfutils: %s", why);
	else
		buf_puts(b, "elfutils 0." VALUE_OF(_ELFUTILS_VERSION));
}

bool
elf_file_has_offsets(struct elf_file *e)
{
	return e->has_content;
}

bool
elf_file_addr(struct elf_file *e, uint64_t offset, uint64_t *addr)
{
	size_t i;

	for (i = 0; i < e->nsegment && e->has_content; i++)
		if (offset - e->segment[i].offset < e->segment[i].size) {
			*addr = offset - e->segment[i].offset + e->segment[i].addr;
			return true;
		}
	return false;
}

const struct unwind_row *
elf_file_row(struct elf_file *e, enum unwind_machine machine, uint64_t addr)
{
	if (!e->unwind)
		e->unwind = elf_unwind_new(e->mod, e->machine);
	return elf_unwind_row(e->unwind, machine, addr);
}

bool
elf_file_build_id(const struct elf_file *e, struct buf *b)
{
	const unsigned char *id;
	GElf_Addr at;
	const int n = libdw.dwfl_module_build_id(e->mod, &id, &at);

	add_hex(b, id, n);
	return n > 0;
}

#else

const struct unwind_row *
elf_file_row(struct elf_file *e, enum unwind_machine machine, uint64_t addr)
{
	(void)e;
	(void)machine;
	(void)addr;
	return NULL;
}

struct elf_file *
elf_file_open(const char *path, const char *sysroot, struct diag *d)
{
	(void)sysroot;
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
elf_file_has_all(const struct elf_file *e)
{
	(void)e;
	return false;
}

bool
elf_file_has_lines(struct elf_file *e)
{
	(void)e;
	return false;
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
elf_file_has_offsets(struct elf_file *e)
{
	(void)e;
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
elf_file_build_id(const struct elf_file *e, struct buf *b)
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

void
elf_file_inlined(struct elf_file *e, uint64_t addr, bool files, inlined_put *put, void *arg)
{
	(void)e;
	(void)addr;
	(void)files;
	(void)put;
	(void)arg;
}

void
elf_file_sources(struct elf_file *e, void (*put)(void *, const char *), void *arg)
{
	(void)e;
	(void)put;
	(void)arg;
}

void
elf_file_version(struct buf *b)
{
	buf_puts(b, "no elfutils");
}

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Compares our reader of line programs with libdw's: for all units of executables, and for
 * all ways to damage one bit of their programs.
 *
 *	lines same FILE...	the units of each; how many programs were left to libdw
 *	lines flip FILE		the bits of .debug_line; with how many of them flipped all
 *				programs were still read
 *
 * It fails if the two readers differ on a program.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbol/line_program.h"

static struct {
	unsigned units, left;
} count;

#define NO_FILE INT32_MAX	/* for all files that are not in the table */

/* ---- one unit ---- */

static bool
same_row(const struct line_row *a, const struct line_row *b)
{
	return a->addr == b->addr && a->line == b->line && a->file == b->file &&
	    a->end == b->end;
}

/* Returns the first of n rows that differs from the one before it. */
static size_t
other_row(const struct line_row *row, size_t i, size_t n)
{
	while (++i < n && same_row(&row[i], &row[i - 1]))
		;
	return i;
}

static struct line_row
row_of_libdw(Dwarf_Lines *rows, size_t i)
{
	Dwarf_Line *row = dwarf_onesrcline(rows, i);
	Dwarf_Files *files;
	Dwarf_Addr addr;
	size_t file;
	bool end;
	int line;

	if (dwarf_lineaddr(row, &addr) < 0 || dwarf_lineno(row, &line) < 0 ||
	    dwarf_lineendsequence(row, &end) < 0)
		errx(1, "%s", dwarf_errmsg(-1));
	if (dwarf_line_file(row, &files, &file) < 0)
		file = NO_FILE;
	return (struct line_row){ addr, file & INT32_MAX, end, line };
}

/* The last row is always an end, so it may repeat the row before it. */
static bool
same_rows(struct line_table *t, Dwarf_Lines *rows, size_t n)
{
	struct line_row *theirs = mem_alloc(n + 1, sizeof *theirs);
	size_t i, k;

	for (i = 0; i < n; i++)
		theirs[i] = row_of_libdw(rows, i);
	for (i = 0; i < t->n; i++)
		if (t->row[i].file >= t->nfile)
			t->row[i].file = NO_FILE;
	if (n && t->n)
		theirs[n - 1].end = t->row[t->n - 1].end = false;
	for (i = k = 0; i < t->n && k < n && same_row(&t->row[i], &theirs[k]); ) {
		i = other_row(t->row, i, t->n);
		k = other_row(theirs, k, n);
	}
	free(theirs);
	return i >= t->n && k >= n;
}

/* Returns libdw's name of a file.  It has a slash also after an empty directory. */
static const char *
name_of_libdw(Dwarf_Files *files, size_t i, const struct line_file *ours)
{
	const char *name = dwarf_filesrc(files, i, NULL, NULL);

	return ours->dir && !*ours->dir && *ours->name != '/' ? name + 1 : name;
}

static bool
same_files(const struct line_table *t, Dwarf_Files *files, size_t n)
{
	struct buf path = { 0 };
	bool same = t->nfile == n;
	size_t i;

	for (i = 0; same && i < n; i++) {
		path.n = 0;
		line_file_path(&t->file[i], NULL, &path);
		same = strcmp(buf_str(&path), name_of_libdw(files, i, &t->file[i])) == 0;
	}
	buf_free(&path);
	return same;
}

static void
compare_unit(const struct line_sections *sections, Dwarf_Die *unit, const char *name)
{
	struct line_table t = { 0 };
	struct line_unit u = { 0 };
	Dwarf_Attribute a;
	Dwarf_Lines *rows;
	Dwarf_Files *files;
	size_t nrows, nfiles;
	uint8_t size;

	if (dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &a), &u.offset) < 0 ||
	    !dwarf_diecu(unit, &(Dwarf_Die){ 0 }, &size, NULL))
		return;
	u.address_size = size;
	u.comp_dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
	count.units++;
	if (!line_program_read(sections, &u, &t)) {
		count.left++;
		return;
	}
	if (dwarf_getsrclines(unit, &rows, &nrows) < 0 ||
	    dwarf_getsrcfiles(unit, &files, &nfiles) < 0)
		errx(1, "%s: unit 0x%jx: libdw says: %s", name,
		    (uintmax_t)dwarf_dieoffset(unit), dwarf_errmsg(-1));
	if (!same_files(&t, files, nfiles))
		errx(1, "%s: unit 0x%jx: other files", name,
		    (uintmax_t)dwarf_dieoffset(unit));
	if (!same_rows(&t, rows, nrows))
		errx(1, "%s: unit 0x%jx: other rows", name,
		    (uintmax_t)dwarf_dieoffset(unit));
	line_table_free(&t);
}

/* ---- one file ---- */

static Elf_Scn *
find_section(Elf *elf, const char *name, GElf_Shdr *h)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return NULL;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, h) && strcmp(elf_strptr(elf, names, h->sh_name), name) == 0)
			return scn;
	return NULL;
}

static struct text
section(Elf *elf, const char *name)
{
	GElf_Shdr h;
	Elf_Scn *scn = find_section(elf, name, &h);
	Elf_Data *d = scn ? elf_getdata(scn, NULL) : NULL;

	return d ? (struct text){ d->d_buf, d->d_size } : (struct text){ 0 };
}

static void
compare_file(int fd, const char *name)
{
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	struct line_sections s = { 0 };
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	Elf *elf;

	count.units = count.left = 0;
	if (!dwarf)
		return;
	elf = dwarf_getelf(dwarf);
	s.line = section(elf, ".debug_line");
	s.line_str = section(elf, ".debug_line_str");
	s.str = section(elf, ".debug_str");
	s.big = elf_getident(elf, NULL)[EI_DATA] == ELFDATA2MSB;
	while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0)
		compare_unit(&s, &unit, name);
	dwarf_end(dwarf);
}

static int
open_file(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err(1, "%s", name);
	return fd;
}

static void
same(char *const *name)
{
	for (; *name; name++) {
		int fd = open_file(*name);

		compare_file(fd, *name);
		printf("%s\t%u\t%u\n", *name, count.units, count.left);
		close(fd);
	}
}

/* ---- damage ---- */

static int
copy_file(const char *name)
{
	int from = open_file(name), to = memfd_create("copy", MFD_CLOEXEC);
	struct stat st;
	char *s;

	if (to < 0 || fstat(from, &st) < 0)
		err(1, "%s", name);
	s = mem_alloc((size_t)st.st_size, 1);
	if (read(from, s, (size_t)st.st_size) != st.st_size ||
	    write(to, s, (size_t)st.st_size) != st.st_size)
		err(1, "%s", name);
	free(s);
	close(from);
	return to;
}

static void
flip(const char *name)
{
	int fd = copy_file(name), bit;
	unsigned tried = 0, whole = 0;
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	unsigned char was, now;
	GElf_Shdr h;
	off_t at;

	if (!elf || !find_section(elf, ".debug_line", &h))
		errx(1, "%s: no .debug_line", name);
	elf_end(elf);
	for (at = (off_t)h.sh_offset; at < (off_t)(h.sh_offset + h.sh_size); at++) {
		if (pread(fd, &was, 1, at) != 1)
			err(1, "%s", name);
		for (bit = 0; bit < 8; bit++) {
			now = (unsigned char)(was ^ 1 << bit);
			pwrite(fd, &now, 1, at);
			compare_file(fd, name);
			tried++;
			whole += count.left == 0;
		}
		pwrite(fd, &was, 1, at);
	}
	printf("%s\t%u\t%u\n", name, tried, whole);
}

int
main(int argc, char **argv)
{
	elf_version(EV_CURRENT);
	if (argc > 2 && strcmp(argv[1], "same") == 0)
		same(argv + 2);
	else if (argc == 3 && strcmp(argv[1], "flip") == 0)
		flip(argv[2]);
	else
		errx(2, "usage: lines same FILE... | lines flip FILE");
	return 0;
}

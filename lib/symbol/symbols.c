/* SPDX-License-Identifier: ISC */
#include "symbol/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/elf.h"
#include "util/mem.h"
#include "util/num.h"

struct symbols {
	char *path;
	struct elf_file *exe;	/* NULL: from nm's output */
	struct symbol *v;
	size_t n, cap;
	struct buf names;	/* of nm's output */
	bool all;		/* none is passed over */
};

bool
symbols_is_elf(const char *p, size_t n)
{
	return n >= 4 && memcmp(p, "\177ELF", 4) == 0;
}

const char *
symbols_path(const struct symbols *s)
{
	return s->path;
}

size_t
symbols_count(const struct symbols *s)
{
	return s->n;
}

const struct symbol *
symbols_at(const struct symbols *s, size_t i)
{
	return &s->v[i];
}

/* ---- the table ---- */

/*
 * A local name that gprof passes over: one with "$", or with "." but for what
 * the compiler makes of functions that it copies: ".N", ".clone.N",
 * ".constprop.N".
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

/* One that gprof passes over; if that does not count, only what is there for linkers and
 * disassemblers, such as ARM's "$x". */
static bool
is_passed_over(const struct symbols *s, const struct symbol *sym)
{
	if (s->all)
		return *sym->name == '$' || strncmp(sym->name, ".L", 2) == 0;
	return is_label(sym->name) || strncmp(sym->name, "__gnu_compiled", 14) == 0 ||
	    strncmp(sym->name, "___gnu_compiled", 15) == 0;
}

static void
add(void *arg, const struct symbol *sym)
{
	struct symbols *s = arg;

	if (!*sym->name || (!sym->global && is_passed_over(s, sym)))
		return;
	s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = *sym;
}

/* By address; at one of them functions first, then global ones; else as they
 * came: `end` holds their order until then. */
static int
compare(const void *pa, const void *pb)
{
	const struct symbol *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (a->func != b->func)
		return b->func - a->func;
	if (a->global != b->global)
		return b->global - a->global;
	return (a->end > b->end) - (a->end < b->end);
}

/* Which of two at one address gprof keeps (symtab.c, symtab_finalize): the
 * global one, the function, and the one with less leading underscores.  PowerPC's
 * old names of entries (".f" beside "f") are not for people. */
static bool
is_better(const struct symbol *a, const struct symbol *than)
{
	if (a->global != than->global)
		return a->global;
	if (a->func != than->func)
		return a->func;
	if ((a->name[0] == '.') != (than->name[0] == '.'))
		return than->name[0] == '.';
	return than->name[0] == '_' && (a->name[0] != '_' ||
	    (a->name[1] != '_' && than->name[1] == '_'));
}

/* Where the one before `next` ends. */
static uint64_t
end_of(const struct symbols *s, const struct symbol *sym, const struct symbol *next)
{
	const uint64_t code = s->exe && (!next || s->all) ?
	    elf_file_code_end(s->exe, sym->addr) : UINT64_MAX;
	uint64_t end = next ? next->addr : code;

	if (s->all && code < end)	/* gprof looks no further than the next one */
		end = code;
	return sym->size && sym->size < end - sym->addr ? sym->addr + sym->size : end;
}

static int
finish(struct symbols *s, struct diag *d)
{
	size_t i, n = 0;

	if (!s->n)
		return diag_fail_plain(d, "%s: no symbols of functions (stripped?)",
		    s->path);
	for (i = 0; i < s->n; i++)
		s->v[i].end = i;
	qsort(s->v, s->n, sizeof *s->v, compare);
	for (i = 0; i < s->n; i++) {
		if (n && s->v[n - 1].addr == s->v[i].addr) {
			if (is_better(&s->v[i], &s->v[n - 1]))
				s->v[n - 1] = s->v[i];
			continue;
		}
		s->v[n++] = s->v[i];
	}
	s->n = n;
	for (i = 0; i < n; i++)
		s->v[i].end = end_of(s, &s->v[i], i + 1 < n ? &s->v[i + 1] : NULL);
	return 0;
}

/* The number of those that begin at an address or before it. */
static size_t
upto(const struct symbols *s, uint64_t addr)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->v[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct symbol *
symbols_find(const struct symbols *s, uint64_t addr)
{
	size_t n = upto(s, addr);

	return n && addr < s->v[n - 1].end ? &s->v[n - 1] : NULL;
}

uint64_t
symbols_next(const struct symbols *s, uint64_t addr)
{
	size_t n = upto(s, addr);

	return n < s->n ? s->v[n].addr : UINT64_MAX;
}

bool
symbols_line(struct symbols *s, uint64_t addr, const char **file, uint64_t *line)
{
	return s->exe && elf_file_line(s->exe, addr, file, line);
}

const char *
symbols_file(struct symbols *s, uint64_t addr)
{
	return s->exe ? elf_source_file(s->exe, addr) : NULL;
}

bool
symbols_has_code(const struct symbols *s)
{
	return s->exe != NULL;
}

bool
symbols_in_code(const struct symbols *s, uint64_t addr)
{
	return !s->exe || elf_file_code_end(s->exe, addr) > addr;
}

/* ---- where they come from ---- */

static struct symbols *
new_symbols(const char *path)
{
	struct symbols *s = mem_alloc(1, sizeof *s);

	s->path = mem_copy(path, strlen(path));
	return s;
}

void
symbols_free(struct symbols *s)
{
	if (!s)
		return;
	elf_file_close(s->exe);
	free(s->path);
	free(s->v);
	buf_free(&s->names);
	free(s);
}

static struct symbols *
open_exe(const char *path, bool all, struct diag *d)
{
	struct symbols *s = new_symbols(path);

	s->all = all;
	if ((s->exe = elf_file_open(path, d)) && elf_file_symbols(s->exe, add, s, d) == 0 &&
	    finish(s, d) == 0)
		return s;
	symbols_free(s);
	return NULL;
}

struct symbols *
symbols_open(const char *path, struct diag *d)
{
	return open_exe(path, false, d);
}

struct symbols *
symbols_open_all(const char *path, struct diag *d)
{
	return open_exe(path, true, d);
}

/* "ADDRESS TYPE NAME"; other lines, of undefined symbols, are not of interest. */
static bool
nm_line(char *line, struct symbol *sym)
{
	const char *p;
	char *lf;

	*sym = (struct symbol){ .func = true };
	p = num_get_hex(line, &sym->addr);
	if (!p || p == line || *p++ != ' ' || !*p || p[1] != ' ' || !p[2])
		return false;
	sym->global = *p == 'T' || *p == 'W';
	sym->name = p + 2;
	if ((lf = strchr(line, '\n')))
		*lf = '\0';
	return sym->global || *p == 't';
}

struct symbols *
symbols_nm(const char *path, struct diag *d)
{
	struct symbols *s = new_symbols(path);
	FILE *f = fopen(path, "r");
	struct symbol sym;
	char *line = NULL;
	size_t cap = 0, i;
	bool good;

	/* Names move while the buffer grows: their places are kept at first. */
	while (f && getline(&line, &cap, f) > 0)
		if (nm_line(line, &sym)) {
			size_t was = s->n, at = s->names.n;

			add(s, &sym);
			if (s->n == was)
				continue;
			buf_add(&s->names, sym.name, strlen(sym.name) + 1);
			s->v[was].name = (const char *)at;
		}
	good = f && feof(f);	/* else it was read amiss, or memory is short */
	if (!good)
		diag_fail_plain(d, "%s: %s", path, strerror(errno));
	for (i = 0; i < s->n; i++)
		s->v[i].name = s->names.s + (size_t)s->v[i].name;
	free(line);
	if (f)
		fclose(f);
	if (good && finish(s, d) == 0)
		return s;
	symbols_free(s);
	return NULL;
}

const char *
symbols_version(void)
{
	return elf_file_version();
}

bool
symbols_addr(const struct symbols *s, uint64_t offset, uint64_t *addr)
{
	return s->exe && elf_file_addr(s->exe, offset, addr);
}

bool
symbols_build_id(const struct symbols *s, struct buf *b)
{
	return s->exe && elf_file_build_id(s->exe, b);
}

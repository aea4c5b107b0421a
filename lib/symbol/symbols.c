/* SPDX-License-Identifier: ISC */
#include "symbol/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/demangle.h"
#include "symbol/elf.h"
#include "symbol/symbol_ranges.h"
#include "util/hash.h"
#include "util/index.h"
#include "util/mem.h"
#include "util/num.h"

struct symbols {
	struct executables *of;
	char *path;
	struct elf_file *exe;	/* NULL: from a list such as nm's output */
	struct symbol *v;
	size_t n, cap;
	struct buf names;	/* those that are in no file */
	struct symbol_ranges cover[SYMBOLS_RULES];	/* gprof's: made when it is needed */
	enum symbols_rule rule;
	bool joined;		/* symbols of one name are one function */
	bool *twin;		/* does another symbol have the same name?  NULL: not
				 * computed yet */
	/* For symbols_share(): */
	dev_t dev;
	ino_t ino;
	unsigned users;		/* 0: it is not shared */
	struct symbols *next;
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

/* Is it only for linkers and disassemblers, such as ARM's "$x" and labels for RISC-V's
 * linker? */
static bool
is_mark(const struct symbol *sym)
{
	return !sym->global && !sym->func && (*sym->name == '$' ||
	    strncmp(sym->name, ".L", 2) == 0);
}

static void
add(void *arg, const struct symbol *sym)
{
	struct symbols *s = arg;

	if (!*sym->name || is_mark(sym))
		return;
	s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = *sym;
}

static int
finish(struct symbols *s, enum symbols_listed how, struct diag *d)
{
	if (!s->n)
		return diag_fail_plain(d, "%s: no symbols of functions (stripped?)",
		    s->path);
	if (how == SYMBOLS_LISTED_IN_ORDER) {
		symbol_ranges_by_order(&s->cover[SYMBOLS_BY_SIZE], s->v, s->n);
		return 0;
	}
	symbol_ranges_sort(s->v, s->n);
	symbol_ranges_by_size(&s->cover[SYMBOLS_BY_SIZE], s->v, s->n);
	return 0;
}

void
symbols_set_rule(struct symbols *s, enum symbols_rule rule)
{
	struct symbol_ranges *gprof = &s->cover[SYMBOLS_AS_GPROF];

	s->rule = rule;
	if (rule == SYMBOLS_AS_GPROF && !gprof->n)
		symbol_ranges_as_gprof(gprof, s->v, s->n, s->exe && !elf_file_has_all(s->exe));
}

const struct symbol *
symbols_find(const struct symbols *s, uint64_t addr)
{
	const struct stretch *at = symbol_ranges_find(&s->cover[s->rule], addr);

	return at ? &s->v[at->symbol] : NULL;
}

uint64_t
symbols_end(const struct symbols *s, uint64_t addr)
{
	const struct stretch *at = symbol_ranges_find(&s->cover[s->rule], addr);

	return at ? at->to : symbol_ranges_next(&s->cover[s->rule], addr);
}

bool
symbols_has_lines(const struct symbols *s)
{
	return s->exe && elf_file_has_lines(s->exe);
}

bool
symbols_line(struct symbols *s, uint64_t addr, const char **file, uint64_t *line)
{
	return s->exe && elf_file_line(s->exe, addr, file, line);
}

void
symbols_inlined(struct symbols *s, uint64_t addr, bool files, inlined_put *put, void *arg)
{
	if (s->exe)
		elf_file_inlined(s->exe, addr, files, put, arg);
}

const char *
symbols_file(struct symbols *s, uint64_t addr)
{
	return s->exe ? elf_source_file(s->exe, addr) : NULL;
}

bool
symbols_has_all(const struct symbols *s)
{
	return !s->exe || elf_file_has_all(s->exe);
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

/* ---- names ---- */

/* The names of symbols, each once. */
struct names {
	struct hash_index index;
	struct name {
		uint32_t hash, first;	/* first: the first symbol of it */
	} *v;
	size_t n;
};

/* Returns the first symbol with the name of the i-th. */
static size_t
first_of_name(struct names *names, const struct symbol *v, size_t i)
{
	const uint32_t hash = hash_upper(hash_bytes(v[i].name, strlen(v[i].name)));
	uint32_t at1, k;
	size_t at = hash;

	while ((at1 = index_next(&names->index, hash, &at)))
		if (strcmp(v[names->v[at1 - 1].first].name, v[i].name) == 0)
			return names->v[at1 - 1].first;
	if (index_grows(&names->index))
		for (k = 0; k < names->n; k++)
			index_put(&names->index, names->v[k].hash, k);
	index_put(&names->index, hash, (uint32_t)names->n);
	names->v[names->n++] = (struct name){ hash, (uint32_t)i };
	return i;
}

/* Marks the symbols whose name also occurs elsewhere: static functions of two files. */
static void
find_twins(struct symbols *s)
{
	struct names names = { .v = mem_resize(NULL, s->n + 1, sizeof *names.v) };
	size_t *first = mem_resize(NULL, s->n + 1, sizeof *first), i;

	s->twin = mem_alloc(s->n + 1, sizeof *s->twin);
	for (i = 0; i < s->n; i++) {
		first[i] = first_of_name(&names, s->v, i);
		if (s->v[first[i]].addr != s->v[i].addr)
			s->twin[first[i]] = true;
	}
	for (i = 0; i < s->n; i++)
		s->twin[i] = s->twin[first[i]];
	index_free(&names.index);
	free(names.v);
	free(first);
}

void
symbols_join_names(struct symbols *s)
{
	s->joined = true;
}

bool
symbols_has_twin(struct symbols *s, size_t i)
{
	if (s->joined)
		return false;
	if (!s->twin)
		find_twins(s);
	return s->twin[i];
}

bool
symbols_are_mangled(const struct symbols *s)
{
	return s->of->mangled;
}

char *
symbols_demangle(const struct symbols *s, const struct symbol *sym)
{
	return s->of->mangled ? NULL : demangle(sym->name);
}

/* ---- sources ---- */

struct symbols *
symbols_begin(struct executables *x, const char *path)
{
	struct symbols *s = mem_alloc(1, sizeof *s);

	s->of = x;
	s->path = mem_copy(path, strlen(path));
	return s;
}

void
symbols_free(struct symbols *s)
{
	struct symbols **at;
	size_t i;

	if (!s || (s->users && --s->users))
		return;
	for (at = &s->of->shared; *at && *at != s; at = &(*at)->next)
		;
	if (*at)
		*at = s->next;
	elf_file_close(s->exe);
	for (i = 0; i < SYMBOLS_RULES; i++)
		symbol_ranges_free(&s->cover[i]);
	free(s->path);
	free(s->v);
	free(s->twin);
	buf_free(&s->names);
	free(s);
}

static struct symbols *
open_file(struct executables *x, const char *path, bool may_have_none, struct diag *d)
{
	struct symbols *s = symbols_begin(x, path);

	if ((s->exe = elf_file_open(path, x->sysroot, d)) &&
	    elf_file_symbols(s->exe, add, s, d) == 0 &&
	    ((!s->n && may_have_none) || finish(s, SYMBOLS_LISTED, d) == 0))
		return s;
	symbols_free(s);
	return NULL;
}

struct symbols *
symbols_open(struct executables *x, const char *path, struct diag *d)
{
	return open_file(x, path, false, d);
}

struct symbols *
symbols_share(struct executables *x, const char *path, const struct stat *st, struct diag *d)
{
	struct symbols *s;

	for (s = x->shared; s; s = s->next)
		if (s->dev == st->st_dev && s->ino == st->st_ino) {
			s->users++;
			return s;
		}
	if (!(s = open_file(x, path, true, d)))
		return NULL;
	s->dev = st->st_dev;
	s->ino = st->st_ino;
	s->users = 1;
	s->next = x->shared;
	return x->shared = s;
}

static int
read_list(struct symbols *s, struct diag *d)
{
	const int fd = open(s->path, O_RDONLY | O_CLOEXEC);
	const int ret = fd >= 0 && buf_read(&s->names, fd, SIZE_MAX) ? 0 :
	    diag_fail_plain(d, "%s: %s", s->path, strerror(errno));

	if (fd >= 0)
		close(fd);
	return ret;
}

/* Of symbols whose names are offsets in `names`, as that may move. */
static void
set_names(struct symbols *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		s->v[i].name = s->names.s + (size_t)s->v[i].name;
}

/* Adds the symbols of all lines.  Of the text only their names are kept, one after the
 * other. */
static void
split_list(struct symbols *s, bool (*line)(void *, char *, struct symbol *), void *arg)
{
	char *end = buf_room(&s->names, 1), *p = s->names.s, *to = p, *next;
	struct symbol sym;
	size_t n;

	for (; p < end; p = next + 1) {
		const size_t was = s->n;

		if (!(next = memchr(p, '\n', (size_t)(end - p))))
			next = end;
		*next = '\0';
		if (!line(arg, p, &sym))
			continue;
		add(s, &sym);
		if (s->n == was)
			continue;
		n = strlen(sym.name) + 1;
		memmove(to, sym.name, n);
		s->v[was].name = (const char *)(to - s->names.s);
		to += n;
	}
	s->names.n = (size_t)(to - s->names.s);
	s->names.cap = s->names.n + 1;
	s->names.s = mem_resize(s->names.s, s->names.cap, 1);
	set_names(s);
}

void
symbols_add(struct symbols *s, const struct symbol *sym)
{
	const size_t was = s->n;

	add(s, sym);
	if (s->n == was)
		return;
	s->v[was].name = (const char *)s->names.n;
	buf_add(&s->names, sym->name, strlen(sym->name) + 1);
}

struct symbols *
symbols_complete(struct symbols *s, struct diag *d)
{
	set_names(s);
	if (finish(s, SYMBOLS_LISTED, d) == 0)
		return s;
	symbols_free(s);
	return NULL;
}

struct symbols *
symbols_listed(struct executables *x, const char *path, enum symbols_listed how,
    bool (*line)(void *arg, char *line, struct symbol *), void *arg, struct diag *d)
{
	struct symbols *s = symbols_begin(x, path);

	if (read_list(s, d) == 0) {
		split_list(s, line, arg);
		if (finish(s, how, d) == 0)
			return s;
	}
	symbols_free(s);
	return NULL;
}

void
symbols_version(struct buf *b)
{
	elf_file_version(b);
}

bool
symbols_addr(const struct symbols *s, uint64_t offset, uint64_t *addr)
{
	return s->exe && elf_file_addr(s->exe, offset, addr);
}

const struct unwind_row *
symbols_row(const struct symbols *s, enum unwind_machine machine, uint64_t addr)
{
	return s->exe ? elf_file_row(s->exe, machine, addr) : NULL;
}

bool
symbols_has_offsets(const struct symbols *s)
{
	return s->exe && elf_file_has_offsets(s->exe);
}

bool
symbols_build_id(const struct symbols *s, struct buf *b)
{
	return s->exe && elf_file_build_id(s->exe, b);
}

/* SPDX-License-Identifier: ISC */
#include "symbol/elf_plt.h"

#if defined HAVE_ELFUTILS

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/elfutils.h"
#include "util/mem.h"

/* The contents of a slot after dynamic linking. */
struct slot {
	uint64_t addr;
	const char *name;	/* NULL: a function without a name, */
	uint64_t target;	/* but at this address */
};

struct slots {
	struct slot *v;
	size_t n, cap;
};

/* ---- slots ---- */

static const char *
symbol_name(Elf *elf, Elf_Data *symbols, size_t strings, size_t i)
{
	GElf_Sym sym;

	return libelf.gelf_getsym(symbols, (int)i, &sym) && sym.st_name ?
	    libelf.elf_strptr(elf, strings, sym.st_name) : NULL;
}

/* Adds the slots in a section of relocations. */
static void
add_slots(struct slots *s, Elf *elf, Elf_Scn *scn, const GElf_Shdr *h)
{
	Elf_Scn *table = libelf.elf_getscn(elf, h->sh_link);
	Elf_Data *data = libelf.elf_getdata(scn, NULL), *symbols;
	GElf_Shdr th;
	GElf_Rela r;
	int i;

	if (!data || !table || !libelf.gelf_getshdr(table, &th))
		return;
	symbols = libelf.elf_getdata(table, NULL);
	for (i = 0; libelf.gelf_getrela(data, i, &r); i++) {
		const size_t symbol = GELF_R_SYM(r.r_info);
		const char *name = symbol && symbols ?
		    symbol_name(elf, symbols, th.sh_link, symbol) : NULL;

		if (!name && GELF_R_TYPE(r.r_info) != R_X86_64_IRELATIVE)
			continue;
		s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
		s->v[s->n++] = (struct slot){ r.r_offset, name, (uint64_t)r.r_addend };
	}
}

static int
by_address(const void *pa, const void *pb)
{
	const struct slot *a = pa, *b = pb;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

static void
find_slots(struct slots *s, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while ((scn = libelf.elf_nextscn(elf, scn)))
		if (libelf.gelf_getshdr(scn, &h) && h.sh_type == SHT_RELA &&
		    (h.sh_flags & SHF_ALLOC))
			add_slots(s, elf, scn, &h);
	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, by_address);
}

/* ---- stubs ---- */

#define LONGEST 16
#define JUMP 6			/* "jmp *0x2fe2(%rip)" */

static void
add_stub(struct elf_plt *t, const struct slot *s, uint64_t addr, uint64_t size)
{
	t->v = mem_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = (struct elf_stub){ addr, size, t->names.n };
	if (s->name)
		buf_puts(&t->names, s->name);
	else
		buf_printf(&t->names, "*ABS*+0x%" PRIx64, s->target);
	buf_add(&t->names, "@plt", sizeof "@plt");
}

/* Returns the slot of a jump; NULL: it is not one. */
static const struct slot *
slot_of(const struct slots *s, const unsigned char *p, uint64_t addr)
{
	struct slot key;

	if (!s->n || p[0] != 0xff || p[1] != 0x25)
		return NULL;
	key.addr = addr + JUMP + (uint64_t)(int32_t)((uint32_t)p[2] |
	    (uint32_t)p[3] << 8 | (uint32_t)p[4] << 16 | (uint32_t)p[5] << 24);
	return bsearch(&key, s->v, s->n, sizeof *s->v, by_address);
}

/* Returns where the stub of the jump at p[i] begins: "bnd" and "endbr64" may come before
 * it. */
static uint64_t
begin_of(const unsigned char *p, uint64_t i)
{
	i -= i >= 1 && p[i - 1] == 0xf2;
	return i >= 4 && memcmp(p + i - 4, "\xf3\x0f\x1e\xfa", 4) == 0 ? i - 4 : i;
}

/* Adds the stubs of a section.  The code after a jump, which finds its function the first
 * time, belongs to the stub, up to the next one. */
static void
add_stubs(struct elf_plt *t, const struct slots *s, Elf_Scn *scn, uint64_t addr)
{
	Elf_Data *data = libelf.elf_getdata(scn, NULL);
	const unsigned char *p = data ? data->d_buf : NULL;
	const size_t first = t->n, n = p ? data->d_size : 0;
	const struct slot *slot;
	uint64_t i;

	for (i = 0; i + JUMP <= n; i++) {
		if (!(slot = slot_of(s, p + i, addr + i)))
			continue;
		const uint64_t at = begin_of(p, i), left = n - at;

		add_stub(t, slot, addr + at, left < LONGEST ? left : LONGEST);
		if (t->n - first > 1 && addr + at - t->v[t->n - 2].addr < LONGEST)
			t->v[t->n - 2].size = addr + at - t->v[t->n - 2].addr;
		i += JUMP - 1;
	}
}

/* Is it .plt, .plt.sec, .plt.got or .iplt, as linkers name them? */
static bool
is_plt(Elf *elf, size_t names, const GElf_Shdr *h)
{
	const char *name = libelf.elf_strptr(elf, names, h->sh_name);

	return name && h->sh_type == SHT_PROGBITS && (h->sh_flags & SHF_EXECINSTR) &&
	    (strncmp(name, ".plt", 4) == 0 || strcmp(name, ".iplt") == 0);
}

void
elf_plt_read(struct elf_plt *t, Elf *elf)
{
	struct slots s = { 0 };
	Elf_Scn *scn = NULL;
	GElf_Ehdr head;
	GElf_Shdr h;
	size_t names;

	if (!libelf.gelf_getehdr(elf, &head) || head.e_machine != EM_X86_64 ||
	    libelf.elf_getshdrstrndx(elf, &names) < 0)
		return;
	find_slots(&s, elf);
	while ((scn = libelf.elf_nextscn(elf, scn)))
		if (libelf.gelf_getshdr(scn, &h) && is_plt(elf, names, &h))
			add_stubs(t, &s, scn, h.sh_addr);
	free(s.v);
}

void
elf_plt_free(struct elf_plt *t)
{
	free(t->v);
	buf_free(&t->names);
}

#endif

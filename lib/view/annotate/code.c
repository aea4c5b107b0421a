/* SPDX-License-Identifier: ISC */
/* Functions as files whose lines are instructions. */
#include "code.h"

#include <inttypes.h>
#include <stdlib.h>

#include "stream/sums.h"
#include "symbol/disasm.h"
#include "util/mem.h"

/* The key of a function: its object, and where it begins in the executable; without a
 * symbol, where the next symbol begins. */
enum { CODE_OBJECT, CODE_KIND, CODE_ADDR, CODE_KEYS };
enum { WITH_SYMBOL, BEFORE_SYMBOL, NOT_USED };

struct source_file {
	uint32_t file;
	struct source s;
};

struct code_pages {
	struct dict *dict;
	struct code *code;
	const struct source_search *search;
	struct sums functions;	/* CODE_KEYS; a row's number is the file's */
	char **name;		/* of functions; NULL: not needed yet */
	size_t nname, capname;
	struct source_file *file;	/* sources that were looked up */
	size_t nfile, capfile;
	size_t last;		/* the one that was looked up last */
};

struct code_pages *
code_pages_new(struct dict *dict, struct code *code, const struct source_search *search)
{
	struct code_pages *c = mem_alloc(1, sizeof *c);

	*c = (struct code_pages){ .dict = dict, .code = code, .search = search };
	sums_init(&c->functions, CODE_KEYS, 0);
	return c;
}

void
code_pages_free(struct code_pages *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->nname; i++)
		free(c->name[i]);
	for (i = 0; i < c->nfile; i++)
		source_free(&c->file[i].s);
	free(c->name);
	free(c->file);
	sums_free(&c->functions);
	free(c);
}

/* ---- functions ---- */

static const struct symbols *
symbols_of(const struct code_pages *c, uint32_t object)
{
	return symbolize_symbols(code_object(c->code, object)->symbolizer);
}

/* Returns the function's name, demangled: "main". */
static char *
name_of(const struct code_pages *c, const uint64_t *key)
{
	const struct symbols *s;
	const struct symbol *sym;
	char *name;

	if (key[CODE_KIND] != WITH_SYMBOL)
		return mem_copy("???", 3);
	s = symbols_of(c, (uint32_t)key[CODE_OBJECT]);
	sym = symbols_find(s, key[CODE_ADDR]);
	name = symbols_demangle(s, sym);
	return name ? name : mem_copy(sym->name, strlen(sym->name));
}

void
code_pages_place(struct code_pages *c, uint32_t object, uint32_t addr, uint32_t *file,
    uint64_t *line)
{
	uint64_t key[CODE_KEYS] = { object, NOT_USED, 0 };
	const struct symbol *sym;
	struct field f = { 0 };

	field_get_addr(dict_text(c->dict, addr), &f);
	*line = f.n;
	if (code_addr(c->code, object, f.n, line) &&
	    symbols_in_code(symbols_of(c, object), *line)) {
		sym = symbols_find(symbols_of(c, object), *line);
		key[CODE_KIND] = sym ? WITH_SYMBOL : BEFORE_SYMBOL;
		key[CODE_ADDR] = sym ? sym->addr :
		    symbols_end(symbols_of(c, object), *line);
	}
	*file = (uint32_t)sums_row(&c->functions, key);
	if (*file < c->nname)
		return;
	c->name = mem_grow(c->name, &c->capname, c->nname + 1, sizeof *c->name);
	c->name[c->nname++] = name_of(c, key);
}

struct text
code_pages_name(const struct code_pages *c, uint32_t file)
{
	return text_of(c->name[file]);
}

bool
code_pages_has_name(const struct code_pages *c, uint32_t file)
{
	return sums_key(&c->functions, file)[CODE_KIND] == WITH_SYMBOL;
}

uint32_t
code_pages_object(const struct code_pages *c, uint32_t file)
{
	return (uint32_t)sums_key(&c->functions, file)[CODE_OBJECT];
}

bool
code_pages_can(const struct code_pages *c, uint32_t file)
{
	return sums_key(&c->functions, file)[CODE_KIND] != NOT_USED;
}

const struct code_object *
code_pages_of(const struct code_pages *c, uint32_t file)
{
	return code_object(c->code, code_pages_object(c, file));
}

bool
code_pages_is_odd(const struct code_pages *c, uint32_t file)
{
	const uint64_t *key = sums_key(&c->functions, file);

	return key[CODE_KIND] == WITH_SYMBOL && code_is_odd(code_pages_of(c, file),
	    key[CODE_ADDR]);
}

/* ---- lines of sources ---- */

static const struct source *
source_of(struct code_pages *c, uint32_t file)
{
	size_t i;

	if (c->last < c->nfile && c->file[c->last].file == file)
		return &c->file[c->last].s;
	for (i = 0; i < c->nfile && c->file[i].file != file; i++)
		;
	c->last = i;
	if (i == c->nfile) {
		c->file = mem_grow(c->file, &c->capfile, i + 1, sizeof *c->file);
		c->file[c->nfile++] = (struct source_file){ .file = file };
		source_find(&c->file[i].s, dict_path(c->dict, file), c->search);
	}
	return &c->file[i].s;
}

static void
set_line(struct code_pages *c, struct symbolizer *r, struct source_insn *to)
{
	struct field file = { .n = NO_ID }, line = { 0 };

	symbolize_source(r, to->addr, &file, &line);
	to->file = line.has & HAS_N && line.n ? (uint32_t)file.n : NO_ID;
	to->line = line.n;
	if (to->file != NO_ID)
		to->text = source_line(source_of(c, to->file), to->line);
}

/* ---- instructions ---- */

/* In gmon.out, a cost covers a few bytes; in pprof, callers are at the last byte of the
 * call.  So neither need be at the beginning of an instruction. */
#define INSIDE "(in the instruction above)"
#define NOWHERE "(no instruction)"

/* The function that is being disassembled. */
struct listing_code {
	const struct symbols *symbols;
	uint64_t from, to;
	struct source *s;
	size_t n;		/* number of lines so far */
};

/* Finds the target in "call 1070 <strcmp@plt>", which follows the address; false if there
 * is none. */
static bool
find_target(struct text text, size_t *at, uint64_t *addr)
{
	const char *lt = text.s, *end = text.s + text.n, *digits;

	while ((lt = memchr(lt, ' ', (size_t)(end - lt))) && (end - lt < 3 || lt[1] != '<'))
		lt++;
	if (!lt || end[-1] != '>')
		return false;
	for (digits = lt; digits > text.s && strchr("0123456789abcdef", digits[-1]); digits--)
		;
	*at = (size_t)(lt - text.s);
	return digits < lt && num_get_hex(digits, addr) == lt;
}

/* Adds an instruction. objdump has no symbols of a separate file, and names a target by the
 * symbol before it; a target inside the function itself is shown as an address alone. */
static void
add_insn(const struct listing_code *l, struct text text)
{
	const struct symbol *sym;
	struct buf *out = &l->s->bytes;
	uint64_t addr;
	size_t at;
	char *name;

	if (!find_target(text, &at, &addr) || (!(sym = symbols_find(l->symbols, addr)) &&
	    (addr < l->from || addr >= l->to))) {
		buf_text(out, text);
		return;
	}
	buf_add(out, text.s, at);
	if (addr >= l->from && addr < l->to)
		return;
	name = symbols_demangle(l->symbols, sym);
	buf_printf(out, " <%s", name ? name : sym->name);
	if (addr > sym->addr)
		buf_printf(out, "+0x%" PRIx64, addr - sym->addr);
	buf_puts(out, ">");
	free(name);
}

static void
add_line(struct listing_code *l, uint64_t addr, struct text text)
{
	l->s->insn[l->n++] = (struct source_insn){ .addr = addr, .file = NO_ID };
	add_insn(l, text);
	buf_putc(&l->s->bytes, '\n');
}

/* Adds the instructions, and between them the addresses where none begins. */
static void
add_lines(struct listing_code *l, const struct disasm *x, const uint64_t *at, size_t n)
{
	size_t i, k = 0;

	l->s->insn = mem_alloc(x->n + n + 1, sizeof *l->s->insn);
	for (i = 0; i < x->n; i++) {
		for (; k < n && at[k] < x->v[i].addr; k++)
			add_line(l, at[k], i ? TEXT(INSIDE) : TEXT(NOWHERE));
		add_line(l, x->v[i].addr, x->v[i].text);
		k += k < n && at[k] == x->v[i].addr;
	}
	for (; x->n && k < n; k++)
		add_line(l, at[k], TEXT(INSIDE));
	source_lines(l->s);
}

/* Sets where a function begins and ends; without a symbol, by the profile's addresses. */
static void
bounds(const struct code_pages *c, const uint64_t *key, const uint64_t *at, size_t n,
    uint64_t *from, uint64_t *to)
{
	const struct symbol *sym;

	*from = n ? at[0] : 0;
	*to = n ? at[n - 1] + 1 : 0;
	if (key[CODE_KIND] != WITH_SYMBOL)
		return;
	sym = symbols_find(symbols_of(c, (uint32_t)key[CODE_OBJECT]), key[CODE_ADDR]);
	*from = sym->addr;
	*to = sym->end;
}

int
code_pages_find(struct code_pages *c, uint32_t file, const uint64_t *at, size_t n,
    struct source *s, struct diag *d)
{
	const uint64_t *key = sums_key(&c->functions, file);
	const struct code_object *o = code_pages_of(c, file);
	struct listing_code l = { .s = s };
	struct disasm x = { 0 };
	size_t i;
	int r;

	if (key[CODE_KIND] == NOT_USED) {
		s->why = o->why.n ? o->why.s : "has no such addresses";
		return 0;
	}
	buf_puts(&s->path, symbols_path(symbolize_symbols(o->symbolizer)));
	s->changed = o->changed;
	l.symbols = symbolize_symbols(o->symbolizer);
	bounds(c, key, at, n, &l.from, &l.to);
	r = disasm_read(&x, l.symbols, l.from, l.to, d);
	if (r == 0)
		add_lines(&l, &x, at, n);
	for (i = 0; i < s->nline; i++)
		set_line(c, o->symbolizer, &s->insn[i]);
	disasm_free(&x);
	return r;
}

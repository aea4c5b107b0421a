/* SPDX-License-Identifier: ISC */
#include "symbol/object_code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "stream/defs.h"
#include "symbol/load_bias.h"
#include "symbol/mapping.h"
#include "symbol/object_file.h"
#include "util/mem.h"

struct object {
	struct code_object o;
	struct mapping mapping;
	struct symbolizer *symbolizer;
};

struct code {
	struct dict *dict;
	struct executables *executables;
	struct known_builds known;
	struct symbolizer *exe;
	const struct function_ranges *spans;
	struct object **v;	/* by number in the dictionary: n */
	size_t cap, n;
};

struct code *
code_new(struct dict *dict, struct executables *x, struct symbolizer *exe,
    const struct function_ranges *spans)
{
	struct code *c = mem_alloc(1, sizeof *c);

	*c = (struct code){ .dict = dict, .executables = x, .exe = exe, .spans = spans };
	known_builds_init(&c->known);
	return c;
}

void
code_free(struct code *c)
{
	size_t i;

	for (i = 0; c && i < c->n; i++) {
		if (!c->v[i])
			continue;
		symbolize_free(c->v[i]->symbolizer);
		buf_free(&c->v[i]->o.why);
		free(c->v[i]->o.odd);
		free(c->v[i]);
	}
	if (!c)
		return;
	known_builds_free(&c->known);
	free(c->v);
	free(c);
}

/* ---- the file ---- */

/* Opens the executable of --exe. */
static struct object_file
open_exe(struct code *c)
{
	const struct symbols *exe = symbolize_symbols(c->exe);
	struct object_file f = { .lack = LACKS_FILE };
	struct diag quiet = { 0 };
	struct stat st;

	if (stat(symbols_path(exe), &st) == 0) {
		f.symbols = symbols_share(c->executables, symbols_path(exe), &st, &quiet);
		f.lack = !f.symbols ? LACKS_READER : symbols_count(f.symbols) ?
		    LACKS_NOTHING : LACKS_SYMBOLS;
	}
	buf_free(&quiet.error);
	return f;
}

static bool
is_exe(const struct code *c, uint32_t object)
{
	return c->exe && (object == NO_ID || symbolize_is_object(c->exe, object));
}

static void
set_symbols(struct code *c, struct object *to, struct object_file *f)
{
	static const char *const why[OBJECT_LACKS] = {
		[LACKS_FILE] = "is not found",
		[LACKS_REGULAR] = "is not a file",
		[LACKS_OWNER] = "is not yours: give it with --exe",
		[LACKS_READER] = "has no symbols of functions that can be read",
		[LACKS_SYMBOLS] = "has no symbols of functions (stripped?)",
		[LACKS_PUBLIC] = "is private: give it with --exe",
		[LACKS_BUILD] = "is another build, with another build ID",
	};
	struct stat st;

	if (f->lack == LACKS_NOTHING) {
		if (stat(symbols_path(f->symbols), &st) == 0)
			to->o.changed = st.st_mtime;
		to->symbolizer = symbolize_new(f->symbols, c->dict);
	} else {
		buf_puts(&to->o.why, why[f->lack]);
		symbols_free(f->symbols);
	}
}

static bool
find_file(struct code *c, struct object *to, uint32_t object)
{
	/* A copy, since opening the object adds to the dictionary. */
	const struct object_def def = dict_object_def(c->dict, object);
	const bool exe = is_exe(c, object);
	struct object_file f;

	to->mapping = mapping_of(dict_text(c->dict, def.attrs));
	if (exe && !symbols_has_code(symbolize_symbols(c->exe))) {
		buf_puts(&to->o.why, "is only a list of symbols");
		return false;
	}
	f = exe ? open_exe(c) : object_file_open(c->executables, &c->known,
	    dict_object_path(c->dict, object), dict_text(c->dict, def.key), true);
	set_symbols(c, to, &f);
	object_file_end(&f);
	return to->symbolizer;
}

/* ---- the loaded address ---- */

/* Converts to an offset of the file, and from there to its address, if it is known where
 * the file was loaded; otherwise leaves the address alone. */
static bool
map_addr(const struct object *o, uint64_t addr, uint64_t *to)
{
	return mapping_addr(&o->mapping, symbolize_symbols(o->symbolizer), addr, to);
}

/* Returns the end of a function's own addresses.  If it jumps into another one, before or
 * after it, the first or the last address counts, whichever can be in the function by whole
 * pages. */
static uint64_t
own_end(const struct load_span *s)
{
	return (s->least - s->addr) % LOAD_PAGE < s->end - s->addr ? s->least : s->most;
}

/* Finds a function of the object whose addresses both the profile and the executable
 * have. */
static bool
find_span(struct code *c, const struct object *o, uint32_t func, struct load_span *to)
{
	const struct span *span = &c->spans->v[func];
	const struct symbol *sym;

	if (!span->some || !map_addr(o, span->least, &to->least) ||
	    !map_addr(o, span->most, &to->most) ||
	    !symbolize_addr(o->symbolizer, func, &to->addr) ||
	    !(sym = symbols_find(symbolize_symbols(o->symbolizer), to->addr)))
		return false;
	to->end = sym->end;
	if (to->most - to->least > to->end - to->addr)	/* it continues in another one */
		to->least = to->most = own_end(to);
	return true;
}

static struct load_span *
find_spans(struct code *c, const struct object *o, uint32_t object, size_t *n)
{
	struct load_span *v = mem_alloc(c->spans->n + 1, sizeof *v);
	uint32_t func;

	*n = 0;
	for (func = 0; func < c->spans->n; func++)
		if (dict_def(c->dict, REC_FUNC, func)[FUNC_OBJECT] == object &&
		    find_span(c, o, func, &v[*n]))
			++*n;
	return v;
}

/* Sets the reason why it cannot be used; none if it can. */
static void
judge(struct object *o, const struct load_bias *fit)
{
	struct buf *why = &o->o.why;

	if (!o->o.functions && !o->mapping.loaded)
		buf_puts(why, "has no function that the profile names: where it was "
		    "loaded is not known");
	else if (!o->o.functions)
		return;
	else if (o->o.fit < o->o.functions - o->o.functions / 10)
		buf_printf(why, "is another build: only %zu of %zu functions fit",
		    o->o.fit, o->o.functions);
	else if (!fit->one)
		buf_puts(why, "fits at several addresses: where it was loaded is not known");
}

static void
find_odd(struct object *o, const struct load_span *v)
{
	const struct symbol *sym;
	size_t i;

	o->o.odd = mem_alloc(o->o.functions + 1, sizeof *o->o.odd);
	for (i = 0; i < o->o.functions; i++)
		if (!load_bias_count(&v[i], 1, o->o.bias) && (sym = symbols_find(
		    symbolize_symbols(o->symbolizer), v[i].least - o->o.bias)))
			o->o.odd[o->o.nodd++] = sym->addr;
}

bool
code_is_odd(const struct code_object *o, uint64_t addr)
{
	size_t i;

	for (i = 0; i < o->nodd && o->odd[i] != addr; i++)
		;
	return i < o->nodd;
}

static void
place(struct code *c, struct object *o, uint32_t object)
{
	struct load_span *v = find_spans(c, o, object, &o->o.functions);
	struct load_bias fit = load_bias_find(v, o->o.functions);

	if (o->mapping.loaded)
		fit = (struct load_bias){ 0, load_bias_count(v, o->o.functions, 0), true };
	o->o.bias = fit.bias;
	o->o.fit = fit.n;
	judge(o, &fit);
	find_odd(o, v);
	free(v);
}

static struct object *
find(struct code *c, uint32_t object)
{
	const size_t at = object == NO_ID ? 0 : (size_t)object + 1;

	c->v = mem_reach(c->v, &c->cap, at, sizeof *c->v, 0);
	if (at >= c->n)
		c->n = at + 1;
	if (!c->v[at]) {
		c->v[at] = mem_alloc(1, sizeof *c->v[at]);
		if (find_file(c, c->v[at], object))
			place(c, c->v[at], object);
		buf_str(&c->v[at]->o.why);
		if (!c->v[at]->o.why.n)
			c->v[at]->o.symbolizer = c->v[at]->symbolizer;
	}
	return c->v[at];
}

const struct code_object *
code_object(struct code *c, uint32_t object)
{
	return &find(c, object)->o;
}

bool
code_addr(struct code *c, uint32_t object, uint64_t addr, uint64_t *in_file)
{
	const struct object *o = find(c, object);

	if (!o->o.symbolizer || !map_addr(o, addr, in_file))
		return false;
	*in_file -= o->o.bias;
	return true;
}

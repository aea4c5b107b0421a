/* SPDX-License-Identifier: ISC */
#include "symbol/symbolize.h"

#include <stdlib.h>

#include "stream/defs.h"
#include "stream/recursion_suffix.h"
#include "stream/sums.h"
#include "symbol/object_file.h"
#include "util/mem.h"
#include "util/num.h"
#include "util/printable.h"

struct symbolizer {
	struct symbols *syms;
	struct dict *dict;
	uint32_t object;
	struct defined { uint32_t object, func; } *defined;	/* by number of a symbol: the
							 * last, NO_ID: none yet */
	bool no_files;		/* no files of functions are looked up */
	uint32_t attrs;		/* those of functions */
	uint32_t path, file;	/* the last file: its string and its definition */
	struct sums inlined;	/* inlined functions, by object and id, and by number: */
	uint32_t *inlined_func;
	size_t capinlined;
	/* From strings of the dictionary to symbols: */
	uint32_t *named;	/* number + 1; 0: no symbol has this name, SEVERAL: several
				 * do */
	size_t capnamed;
	bool indexed;
};

#define SEVERAL UINT32_MAX

enum { KEY_OBJECT, KEY_ID, KEYS };

struct symbolizer *
symbolize_new(struct symbols *s, struct dict *d)
{
	struct symbolizer *r = mem_alloc(1, sizeof *r);
	size_t n = symbols_count(s);

	*r = (struct symbolizer){ .syms = s, .dict = d, .path = NO_ID, .attrs = NO_ID };
	sums_init(&r->inlined, KEYS, 0);
	r->object = dict_define_path(d, REC_OBJECT, dict_str(d, text_of(symbols_path(s))));
	r->defined = mem_resize(NULL, n + 1, sizeof *r->defined);
	memset(r->defined, 0xff, n * sizeof *r->defined);	/* NO_ID */
	return r;
}

void
symbolize_free(struct symbolizer *r)
{
	if (!r)
		return;
	symbols_free(r->syms);
	free(r->defined);
	free(r->named);
	sums_free(&r->inlined);
	free(r->inlined_func);
	free(r);
}

const struct symbols *
symbolize_symbols(const struct symbolizer *r)
{
	return r->syms;
}

void
symbolize_set_rule(struct symbolizer *r, enum symbols_rule rule)
{
	symbols_set_rule(r->syms, rule);
}

uint32_t
symbolize_object(const struct symbolizer *r)
{
	return r->object;
}

static void
add_name(struct symbolizer *r, const char *name, size_t i)
{
	uint32_t str = dict_str(r->dict, text_of(name)), *to;

	r->named = mem_reach(r->named, &r->capnamed, str, sizeof *r->named, 0);
	to = &r->named[str];
	if (!*to)
		*to = (uint32_t)i + 1;
	else if (*to != SEVERAL &&
	    symbols_at(r->syms, *to - 1)->addr != symbols_at(r->syms, i)->addr)
		*to = SEVERAL;
}

/* Indexes all symbols, by the linker's name and by the demangled one. */
static void
index_names(struct symbolizer *r)
{
	size_t i, n = symbols_count(r->syms);

	r->indexed = true;
	for (i = 0; i < n; i++) {
		const struct symbol *sym = symbols_at(r->syms, i);
		char *name = symbols_demangle(r->syms, sym);

		add_name(r, sym->name, i);
		if (name)
			add_name(r, name, i);
		free(name);
	}
}

static bool
find_name(const struct symbolizer *r, uint32_t str, uint64_t *addr)
{
	uint32_t i = str != NO_ID && str < r->capnamed ? r->named[str] : 0;

	if (i == 0 || i == SEVERAL)
		return false;
	*addr = symbols_at(r->syms, i - 1)->addr;
	return true;
}

/* Finds one of several functions of a name, whose key is its address (key_of()). */
static bool
find_twin(const struct symbolizer *r, struct text key, struct text name, uint64_t *addr)
{
	const struct symbol *sym;
	char *full;
	bool is;

	if (!num_is_address(key.s, key.n, addr) || !(sym = symbols_find(r->syms, *addr)) ||
	    sym->addr != *addr)
		return false;
	full = symbols_demangle(r->syms, sym);
	is = text_eq(text_of(full ? full : sym->name), name);
	free(full);
	return is;
}

bool
symbolize_addr(struct symbolizer *r, uint64_t func, uint64_t *addr)
{
	const uint32_t *f;
	struct text name;

	if (!r->indexed)
		index_names(r);
	f = dict_def(r->dict, REC_FUNC, (uint32_t)func);
	if (find_name(r, f[FUNC_KEY], addr) || find_name(r, f[FUNC_NAME], addr))
		return true;
	name = dict_text(r->dict, f[FUNC_NAME]);
	name.n = recursion_base(name);
	return find_twin(r, dict_text(r->dict, f[FUNC_KEY]), name, addr) ||
	    find_name(r, dict_str(r->dict, name), addr);
}

static struct text
key_of_object(const struct symbolizer *r, uint32_t object)
{
	return dict_text(r->dict, dict_def(r->dict, REC_OBJECT, object)[OBJECT_KEY]);
}

static bool
has_name_of(const struct symbolizer *r, uint32_t object)
{
	return text_eq(text_base_name(dict_object_path(r->dict, object)),
	    text_base_name(text_of(symbols_path(r->syms))));
}

bool
symbolize_is_object(const struct symbolizer *r, uint32_t object)
{
	return object == r->object || object_file_is_build(r->syms, key_of_object(r, object)) ||
	    (has_name_of(r, object) && !symbolize_is_other_build(r, object));
}

bool
symbolize_is_other_build(const struct symbolizer *r, uint32_t object)
{
	return has_name_of(r, object) && object_file_is_other_build(r->syms,
	    key_of_object(r, object));
}

void
symbolize_report_other_build(const struct symbolizer *r, uint32_t object, struct diag *d)
{
	const struct text key = key_of_object(r, object);
	struct buf id = { 0 }, of = { 0 };

	symbols_build_id(r->syms, &id);
	printable_add(&of, dict_object_path(r->dict, object));
	diag_say(d, DIAG_WARN, "%s is not used for %s: its build ID is %s, but the profile's "
	    "is %.*s: give that build, or a copy without a build ID (objcopy -R "
	    ".note.gnu.build-id), which is used for any", symbols_path(r->syms), buf_str(&of),
	    buf_str(&id), (int)key.n, key.s);
	buf_free(&id);
	buf_free(&of);
}

void
symbolize_set_object(struct symbolizer *r, uint32_t object)
{
	r->object = object;
}

void
symbolize_without_files(struct symbolizer *r)
{
	r->no_files = true;
}

void
symbolize_set_attrs(struct symbolizer *r, struct text attrs)
{
	r->attrs = dict_str(r->dict, attrs);
}

static uint32_t
file_id(struct symbolizer *r, const char *path)
{
	uint32_t str;

	if (!path)
		return NO_ID;
	str = dict_str(r->dict, text_of(path));
	if (str != r->path) {
		r->path = str;
		r->file = dict_define_path(r->dict, REC_FILE, str);
	}
	return r->file;
}

void
symbolize_source(struct symbolizer *r, uint64_t addr, struct field *file,
    struct field *line)
{
	const char *path = NULL;

	line->n = 0;
	line->has = symbols_line(r->syms, addr, &path, &line->n) ? HAS_N : 0;
	file->n = file_id(r, line->has ? path : NULL);
}

static uint32_t
key_of(struct symbolizer *r, size_t i, bool demangled)
{
	const struct symbol *sym = symbols_at(r->syms, i);

	if (symbols_has_twin(r->syms, i))
		return dict_addr(r->dict, sym->addr);
	return demangled ? dict_str(r->dict, text_of(sym->name)) : NO_ID;
}

static int
define(struct symbolizer *r, struct sink *out, size_t i)
{
	const struct symbol *sym = symbols_at(r->syms, i);
	struct func_def f = NO_FUNC;
	char *name = symbols_demangle(r->syms, sym);

	f.name = dict_str(r->dict, text_of(name ? name : sym->name));
	if (!r->no_files)
		f.file = file_id(r, symbols_file(r->syms, sym->addr));
	f.object = r->object;
	f.attrs = r->attrs;
	f.key = key_of(r, i, name != NULL);
	free(name);
	if (dict_put_func(r->dict, out, &f, &r->defined[i].func) < 0)
		return -1;
	r->defined[i].object = r->object;
	return 0;
}

int
symbolize_func(struct symbolizer *r, struct sink *out, uint64_t addr, uint64_t *func)
{
	const struct symbol *sym = symbols_find(r->syms, addr);
	size_t i;

	if (!sym)
		return 0;
	i = (size_t)(sym - symbols_at(r->syms, 0));
	if (r->defined[i].object != r->object && define(r, out, i) < 0)
		return -1;
	*func = r->defined[i].func;
	return 1;
}

/* ---- inlined functions ---- */

struct gatherer {
	struct symbolizer *r;
	struct sink *out;
	struct symbolize_inlined *v;
	size_t n, most;
	int ret;
};

static int
define_inlined(struct symbolizer *r, struct sink *out, const struct inlined_function *in,
    uint32_t *func)
{
	struct func_def f = NO_FUNC;
	char *name = in->name ? symbols_demangle(r->syms, &(struct symbol){ .name = in->name }) :
	    NULL;

	if (in->name)
		f.name = dict_str(r->dict, text_of(name ? name : in->name));
	if (name)
		f.key = dict_str(r->dict, text_of(in->name));
	f.file = file_id(r, in->file);
	f.object = r->object;
	f.attrs = r->attrs;
	free(name);
	return dict_put_func(r->dict, out, &f, func);
}

static void
gather(void *arg, const struct inlined_function *in)
{
	struct gatherer *g = arg;
	struct symbolizer *r = g->r;
	const uint64_t key[KEYS] = { r->object, in->id };
	const size_t was = r->inlined.n, i = sums_row(&r->inlined, key);
	struct symbolize_inlined *to = &g->v[g->n];

	r->inlined_func = mem_reach(r->inlined_func, &r->capinlined, i,
	    sizeof *r->inlined_func, 0);
	if (i == was)
		r->inlined_func[i] = NO_ID;
	if (g->ret < 0 || g->n == g->most || (r->inlined_func[i] == NO_ID &&
	    (g->ret = define_inlined(r, g->out, in, &r->inlined_func[i])) < 0))
		return;
	to->func = r->inlined_func[i];
	to->call_line = in->call_line;
	to->call_file = file_id(r, in->call_line ? in->call_file : NULL);
	g->n++;
}

int
symbolize_inlined(struct symbolizer *r, struct sink *out, uint64_t addr,
    bool files, struct symbolize_inlined *v, size_t most)
{
	struct gatherer g = { .r = r, .out = out, .v = v, .most = most };

	symbols_inlined(r->syms, addr, files, gather, &g);
	return g.ret < 0 ? -1 : (int)g.n;
}

/* SPDX-License-Identifier: ISC */
#include "symbol/objects.h"

#include <inttypes.h>
#include <stdlib.h>

#include "stream/decode.h"
#include "symbol/locate.h"
#include "symbol/mapping.h"
#include "symbol/object_file.h"
#include "symbol/symbol_lists.h"
#include "symbol/trust.h"
#include "util/mem.h"
#include "util/printable.h"

struct object {
	bool asked;
	struct symbolizer *symbolizer;	/* NULL: none */
	bool exe;		/* it is the caller's */
	struct mapping mapping;
	struct locator locator;
	enum object_lack lack;
	bool reported;		/* the lack has been reported */
	uint64_t lost;		/* number of addresses that are not known to be anywhere in
				 * it */
};

struct objects {
	struct dict *dict;
	struct executables *executables;
	struct known_builds known;
	struct symbolizer *exe;
	struct diag *diag;
	bool lines;		/* they are needed */
	bool rejected;		/* `exe` is another build, which was reported */
	struct object *v;	/* by number in the dictionary */
	size_t cap, n;
};

/* Paths for a note, which names the first ones. */
struct paths {
	struct buf list;
	size_t n;
};

struct objects *
objects_of(struct input_set *s)
{
	struct objects *o = s->objects;

	if (!o) {
		o = s->objects = mem_alloc(1, sizeof *o);
		o->dict = s->dict;
		o->executables = s->executables;
		known_builds_init(&o->known);
		o->exe = s->names;
		o->lines = s->lines;
		o->diag = s->diag;
	}
	return o;
}

void
objects_free(struct objects *o)
{
	size_t i;

	if (!o)
		return;
	for (i = 0; i < o->n; i++) {
		if (!o->v[i].exe)
			symbolize_free(o->v[i].symbolizer);
		locate_free(&o->v[i].locator);
	}
	known_builds_free(&o->known);
	free(o->v);
	free(o);
}

/* ---- finding one ---- */

static struct symbols *
open_object(struct objects *o, struct text path, struct text key, struct object *out)
{
	const struct text absolute = path.n && *path.s == '/' ? path : (struct text){ 0 };
	struct object_file f = object_file_open(o->executables, &o->known, absolute,
	    key, out->mapping.loaded);

	if (f.lack == LACKS_BUILD)
		diag_say(o->diag, DIAG_WARN, "%s: its build ID is %s, but the profile's is "
		    "%.*s: its symbols are not used", buf_str(&f.path), buf_str(&f.build),
		    (int)key.n, key.s);
	out->lack = f.lack;
	object_file_end(&f);
	return f.symbols;
}

/* Is the object the caller's executable?  If it only seems to be, that is reported. */
static bool
is_exe(struct objects *o, uint32_t object)
{
	if (!o->exe)
		return false;
	if (symbolize_is_other_build(o->exe, object)) {
		symbolize_report_other_build(o->exe, object, o->diag);
		o->rejected = true;
	}
	return symbolize_is_object(o->exe, object);
}

static void
find(struct objects *o, uint32_t object, struct object *out)
{
	const uint32_t *cols = dict_def(o->dict, REC_OBJECT, object);
	struct text path = dict_text(o->dict, cols[OBJECT_PATH]);
	struct text key = dict_text(o->dict, cols[OBJECT_KEY]);
	struct text attrs = dict_text(o->dict, cols[OBJECT_ATTRS]);
	struct symbols *s;

	out->mapping = mapping_of(attrs);
	if (is_exe(o, object)) {
		out->symbolizer = o->exe;
		out->exe = true;
		return;
	}
	s = text_is(path, "[vdso]") ? kernel_vdso(o->executables, key) :
	    open_object(o, path, key, out);
	if (s) {
		out->symbolizer = symbolize_new(s, o->dict);
		symbolize_set_object(out->symbolizer, object);
	} else if (out->lack == LACKS_NOTHING) {
		out->lack = LACKS_FILE;		/* [vdso] of another kernel */
	}
}

/* Returns the entry of an object. */
static struct object *
reach(struct objects *o, uint32_t object)
{
	o->v = mem_reach(o->v, &o->cap, object, sizeof *o->v, 0);
	if (object >= o->n)
		o->n = object + 1;
	return &o->v[object];
}

static struct object *
kept_object(struct objects *o, uint32_t object)
{
	struct object found = { .asked = true };

	if (!reach(o, object)->asked) {
		find(o, object, &found);
		o->v[object] = found;
	}
	return &o->v[object];
}

struct symbolizer *
objects_find(struct objects *o, uint32_t object)
{
	struct object *found;

	if (object == NO_ID)
		return NULL;
	found = kept_object(o, object);
	if (found->exe)		/* it may stand for several objects, alternating */
		symbolize_set_object(found->symbolizer, object);
	return found->symbolizer;
}

/* ---- objects that are not files ---- */

/* Makes the symbols that were found (NULL: none) those of the object. */
static struct symbolizer *
keep(struct objects *o, uint32_t object, struct symbols *s, const char *attrs)
{
	struct object *at = reach(o, object);

	at->asked = true;
	if (!s)
		return NULL;
	at->symbolizer = symbolize_new(s, o->dict);
	symbolize_set_object(at->symbolizer, object);
	if (attrs)
		symbolize_set_attrs(at->symbolizer, text_of(attrs));
	return at->symbolizer;
}

/* Opens the ELF file of a kernel (vmlinux), which is kept by its build ID. */
static struct symbols *
open_kernel_file(struct objects *o, struct text build_id)
{
	struct object_file f = object_file_open(o->executables, &o->known, (struct text){ 0 },
	    build_id, false);

	object_file_end(&f);
	return f.symbols;
}

struct symbolizer *
objects_find_kernel(struct objects *o, uint32_t object, struct kernel_facts *k)
{
	const uint32_t *cols = dict_def(o->dict, REC_OBJECT, object);
	const struct text path = dict_text(o->dict, cols[OBJECT_PATH]);
	const bool module = kernel_is_module(path);
	struct buf list = { 0 };
	struct symbols *s = NULL;
	struct diag quiet = { 0 };

	if (reach(o, object)->asked)
		return o->v[object].symbolizer;
	k->build_id = dict_text(o->dict, cols[OBJECT_KEY]);
	if (kernel_find_list(&list, o->executables, k, module))
		s = kernel_symbols(o->executables, buf_str(&list), path, &quiet);
	if (!s && !module)
		s = open_kernel_file(o, k->build_id);
	buf_free(&list);
	buf_free(&quiet.error);
	return keep(o, object, s, "kernel=1");
}

struct symbolizer *
objects_find_made(struct objects *o, uint32_t object, bool here)
{
	struct buf path = { 0 };
	struct diag quiet = { 0 };
	struct symbols *s = NULL;

	if (reach(o, object)->asked)
		return o->v[object].symbolizer;
	buf_text(&path, dict_object_path(o->dict, object));
	if (here && trust_is_own(buf_str(&path)))
		s = symbols_made(o->executables, buf_str(&path), &quiet);
	buf_free(&path);
	buf_free(&quiet.error);
	return keep(o, object, s, NULL);
}

struct symbolizer *
objects_set(struct objects *o, uint32_t object, struct symbols *s)
{
	if (!reach(o, object)->asked)
		return keep(o, object, s, NULL);
	symbols_free(s);
	return o->v[object].symbolizer;
}

bool
objects_addr(struct objects *o, uint32_t object, uint64_t addr, uint64_t *in_file)
{
	const struct object *at = kept_object(o, object);

	return mapping_addr(&at->mapping, at->symbolizer ? symbolize_symbols(at->symbolizer) :
	    NULL, addr, in_file);
}

bool
objects_locate(struct objects *o, uint32_t func, uint64_t addr, uint64_t *in_file)
{
	const uint32_t *cols = dict_def(o->dict, REC_FUNC, func);
	struct object *at = kept_object(o, cols[FUNC_OBJECT]);
	const struct text name = dict_text(o->dict, cols[FUNC_NAME]);
	const bool found = at->mapping.loaded ?
	    objects_addr(o, cols[FUNC_OBJECT], addr, in_file) :
	    locate_addr(&at->locator, at->symbolizer, func, name, addr, in_file);

	at->lost += !found && name.n;
	return found;
}

/* Adds a path to those that a note will name. */
static void
note(struct paths *p, struct text path)
{
	if (p->n++ < 3) {
		buf_puts(&p->list, p->n > 1 ? ", " : "");
		printable_add(&p->list, path);
	}
}

/* Reports addresses that are nowhere in their objects. */
static void
report_lost(struct objects *o)
{
	struct paths in = { 0 };
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < o->n; i++) {
		if (o->v[i].lost)
			note(&in, dict_object_path(o->dict, (uint32_t)i));
		lost += o->v[i].lost;
	}
	if (lost)
		diag_say(o->diag, DIAG_NOTE, "%s%s: %" PRIu64 " address%s of the profile %s in "
		    "other functions there, as in another build: no lines for %s",
		    buf_str(&in.list), in.n > 3 ? ", and others" : "", lost,
		    lost == 1 ? "" : "es", lost == 1 ? "is" : "are", lost == 1 ? "it" : "them");
	buf_free(&in.list);
}

enum object_lack
objects_lack(struct objects *o, uint32_t object)
{
	struct object *at = reach(o, object);

	at->reported = true;
	return at->lack;
}

/* Reports objects without symbols, though these were needed. */
static void
report_lacks(struct objects *o)
{
	struct paths missing = { 0 }, private = { 0 };
	size_t i;

	for (i = 0; i < o->n; i++) {
		const struct object *at = &o->v[i];
		const struct text path = dict_object_path(o->dict, (uint32_t)i);

		/* Not [vdso], [kernel.kallsyms]. */
		if (at->lack != LACKS_NOTHING && !at->reported && path.n && *path.s == '/')
			note(at->lack == LACKS_PUBLIC ? &private : &missing, path);
	}
	if (missing.n)
		diag_say(o->diag, DIAG_NOTE, "no symbols for %s%s: functions there have no %s",
		    buf_str(&missing.list), missing.n > 3 ? ", and others" : "",
		    o->lines ? "lines" : "names");
	if (private.n)
		diag_say(o->diag, DIAG_NOTE, "%s%s: not all users may read this, and the profile "
		    "has no build ID of it: give it with --exe", buf_str(&private.list),
		    private.n > 3 ? ", and others" : "");
	buf_free(&missing.list);
	buf_free(&private.list);
}

/* Reports that the caller's executable was not any of the objects. */
static void
report_exe(struct objects *o)
{
	size_t i, asked = 0;

	for (i = 0; o->exe && i < o->n; i++) {
		if (o->v[i].exe)
			return;
		asked += o->v[i].asked;
	}
	if (asked && !o->rejected)
		diag_say(o->diag, DIAG_NOTE, "no object of the profile has the name or the build "
		    "ID of '%s': its symbols are not used",
		    symbols_path(symbolize_symbols(o->exe)));
}

void
objects_report(struct objects *o)
{
	report_exe(o);
	report_lost(o);
	report_lacks(o);
}

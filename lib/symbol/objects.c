/* SPDX-License-Identifier: ISC */
#include "symbol/objects.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "stream/decode.h"
#include "symbol/kernel.h"
#include "symbol/locate.h"
#include "symbol/mapping.h"
#include "symbol/symbol_lists.h"
#include "symbol/trust.h"
#include "util/mem.h"
#include "util/printable.h"

#define DEBUG_DIR "/usr/lib/debug/.build-id/"

struct object {
	bool asked;
	struct symbolizer *symbolizer;	/* NULL: none */
	bool exe;		/* it is the caller's */
	struct mapping mapping;
	struct locator locator;
	uint64_t lost;		/* number of addresses that are not known to be anywhere in
				 * it */
};

struct objects {
	struct dict *dict;
	struct executables *executables;
	struct symbolizer *exe;
	struct diag *diag;
	const char *kallsyms;	/* NULL: found by build ID */
	bool lines;		/* they are needed */
	struct object *v;	/* by number in the dictionary */
	size_t cap, n;
	struct paths { struct buf list; size_t n; } missing, private;
};

struct objects *
objects_new(struct dict *dict, struct executables *x, struct symbolizer *exe, bool lines,
    struct diag *d)
{
	struct objects *o = mem_alloc(1, sizeof *o);

	o->dict = dict;
	o->executables = x;
	o->exe = exe;
	o->lines = lines;
	o->diag = d;
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
	free(o->v);
	buf_free(&o->missing.list);
	buf_free(&o->private.list);
	free(o);
}

struct objects *
objects_of(struct input_set *s)
{
	if (!s->objects)
		s->objects = objects_new(s->dict, s->executables, s->names, s->lines, s->diag);
	return s->objects;
}

/* ---- finding one ---- */

bool
objects_is_build_id(struct text key)
{
	size_t i;

	for (i = 0; i < key.n; i++)
		if (!strchr("0123456789abcdef", key.s[i]))
			return false;
	return key.n >= 8;
}

/* Opens the symbols of a file, if it may be read and has some. */
static struct symbols *
open_file(struct objects *o, const char *path)
{
	struct diag quiet = { 0 };	/* the reason is reported for all objects
					 * together */
	struct symbols *s;
	struct stat st;

	if (trust_of(path) == TRUST_NONE || stat(path, &st) < 0)
		return NULL;
	s = symbols_share(o->executables, path, &st, &quiet);
	buf_free(&quiet.error);
	return s;
}

static struct symbols *
open_by_id(struct objects *o, struct text key)
{
	struct buf path = { 0 };
	struct symbols *s;

	buf_printf(&path, DEBUG_DIR "%.2s/%.*s.debug", key.s, (int)key.n - 2, key.s + 2);
	s = open_file(o, buf_str(&path));
	buf_free(&path);
	return s;
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

static struct symbols *
open_by_path(struct objects *o, struct text path, struct text key)
{
	struct buf name = { 0 };
	struct symbols *s;

	buf_text(&name, path);
	s = path.n && *path.s == '/' ? open_file(o, buf_str(&name)) : NULL;
	if (s && trust_of(buf_str(&name)) != TRUST_ALL && !objects_is_same_build(s, key)) {
		note(&o->private, path);
		symbols_free(s);
		s = NULL;
	}
	buf_free(&name);
	return s;
}

static void
warn_of_other(struct objects *o, const struct symbols *s, struct text key)
{
	struct buf id = { 0 };

	symbols_build_id(s, &id);
	diag_say(o->diag, DIAG_WARN, "%s: its build ID is %s, but the profile's is %.*s: "
	    "its symbols are not used", symbols_path(s), buf_str(&id), (int)key.n, key.s);
	buf_free(&id);
}

bool
objects_is_same_build(const struct symbols *s, struct text key)
{
	struct buf id = { 0 };
	const bool same = objects_is_build_id(key) && symbols_build_id(s, &id) &&
	    text_eq(buf_as_text(&id), key);

	buf_free(&id);
	return same;
}

bool
objects_is_other_build(const struct symbols *s, struct text key)
{
	struct buf id = { 0 };
	const bool other = objects_is_build_id(key) && symbols_build_id(s, &id) &&
	    !text_eq(buf_as_text(&id), key);

	buf_free(&id);
	return other;
}

/*
 * Opens the file at the path, with the debug information that elfutils finds for it.  If it
 * is missing or another build, opens this information alone, which has names for addresses
 * of the file, but does not show what was loaded where.
 */
static struct symbols *
open_object(struct objects *o, struct text path, struct text key, bool loaded)
{
	struct symbols *s = open_by_path(o, path, key), *debug;

	if (s && !objects_is_other_build(s, key))
		return s;
	debug = objects_is_build_id(key) ? open_by_id(o, key) : NULL;
	if (debug && loaded && !symbols_has_offsets(debug)) {
		symbols_free(debug);
		debug = NULL;
	}
	if (s && !debug)
		warn_of_other(o, s, key);
	symbols_free(s);
	return debug;
}

static void
note_missing(struct objects *o, struct text path)
{
	if (path.n && *path.s == '/')	/* that is, not [vdso], [kernel.kallsyms] */
		note(&o->missing, path);
}

static void
find(struct objects *o, uint32_t object, struct object *out)
{
	const uint32_t *cols = dict_def(o->dict, REC_OBJECT, object);
	struct text path = dict_text(o->dict, cols[OBJECT_PATH]);
	struct text key = dict_text(o->dict, cols[OBJECT_KEY]);
	struct text attrs = dict_text(o->dict, cols[OBJECT_ATTRS]);
	const size_t private = o->private.n;
	struct symbols *s;

	out->mapping = mapping_of(attrs);
	if (o->exe && symbolize_is_object(o->exe, object)) {
		out->symbolizer = o->exe;
		out->exe = true;
		return;
	}
	s = text_is(path, "[vdso]") ? kernel_vdso(o->executables, key) :
	    open_object(o, path, key, out->mapping.loaded);
	if (s) {
		out->symbolizer = symbolize_new(s, o->dict);
		symbolize_set_object(out->symbolizer, object);
	}
	if ((!s || !symbols_count(s)) && o->private.n == private)
		note_missing(o, path);
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

void
objects_set_kallsyms(struct objects *o, const char *path)
{
	o->kallsyms = path;
}

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

struct symbolizer *
objects_find_kernel(struct objects *o, uint32_t object, bool here)
{
	const uint32_t *cols = dict_def(o->dict, REC_OBJECT, object);
	const struct text path = dict_text(o->dict, cols[OBJECT_PATH]);
	struct buf list = { 0 };
	struct symbols *s = NULL;
	struct diag quiet = { 0 };

	if (reach(o, object)->asked)
		return o->v[object].symbolizer;
	if (o->kallsyms)
		buf_puts(&list, o->kallsyms);
	if (o->kallsyms || kernel_find_list(&list, dict_text(o->dict, cols[OBJECT_KEY]), here))
		s = kernel_symbols(o->executables, buf_str(&list), path, &quiet);
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

void
objects_report(struct objects *o)
{
	report_lost(o);
	if (o->missing.n)
		diag_say(o->diag, DIAG_NOTE, "no symbols for %s%s: functions there have no %s",
		    buf_str(&o->missing.list), o->missing.n > 3 ? ", and others" : "",
		    o->lines ? "lines" : "names");
	if (o->private.n)
		diag_say(o->diag, DIAG_NOTE, "%s%s: not all users may read this, and the profile "
		    "has no build ID of it: give it with --exe", buf_str(&o->private.list),
		    o->private.n > 3 ? ", and others" : "");
}

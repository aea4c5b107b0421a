/* SPDX-License-Identifier: ISC */
#include "symbol/objects.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "symbol/mapping.h"
#include "symbol/trust.h"
#include "util/mem.h"
#include "util/vis.h"

#define DEBUG_DIR "/usr/lib/debug/.build-id/"

struct object {
	bool asked;
	struct symbolizer *symbolizer;	/* NULL: none */
	bool exe;		/* it is the caller's */
	struct mapping mapping;
};

struct objects {
	struct dict *dict;
	struct executables *executables;
	struct symbolizer *exe;
	struct diag *diag;
	struct object *v;	/* by number in the dictionary */
	size_t cap, n;
	struct paths { struct buf list; size_t n; } missing, private;
};

struct objects *
objects_new(struct dict *dict, struct executables *x, struct symbolizer *exe,
    struct diag *d)
{
	struct objects *o = mem_alloc(1, sizeof *o);

	o->dict = dict;
	o->executables = x;
	o->exe = exe;
	o->diag = d;
	return o;
}

void
objects_free(struct objects *o)
{
	size_t i;

	if (!o)
		return;
	for (i = 0; i < o->n; i++)
		if (!o->v[i].exe)
			symbolize_free(o->v[i].symbolizer);
	free(o->v);
	buf_free(&o->missing.list);
	buf_free(&o->private.list);
	free(o);
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

/* The symbols of a file, if it may be read and has some. */
static struct symbols *
open_file(struct objects *o, const char *path)
{
	struct diag quiet = { 0 };	/* that it has none is reported for all */
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

/* Adds a path to those that a note names. */
static void
note(struct paths *p, struct text path)
{
	if (p->n++ < 3) {
		buf_puts(&p->list, p->n > 1 ? ", " : "");
		vis_add(&p->list, path);
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
 * The file at the path, with the debug information that elfutils finds for it; if it is
 * not there or another build, this information alone.  That has names for addresses of the
 * file, but does not say what was loaded where.
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
	if (path.n && *path.s == '/')	/* not [vdso], [kernel.kallsyms] */
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
	s = open_object(o, path, key, out->mapping.loaded);
	if (s) {
		out->symbolizer = symbolize_new(s, o->dict);
		symbolize_set_object(out->symbolizer, object);
	} else if (o->exe && symbolize_is_object(o->exe, object)) {
		out->symbolizer = o->exe;
		out->exe = true;
	} else if (o->private.n == private) {
		note_missing(o, path);
	}
}

static struct object *
object_of(struct objects *o, uint32_t object)
{
	struct object found = { .asked = true };

	o->v = mem_reach(o->v, &o->cap, object, sizeof *o->v, 0);
	if (object >= o->n)
		o->n = object + 1;
	if (!o->v[object].asked) {
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
	found = object_of(o, object);
	if (found->exe)		/* it may be several objects by turns */
		symbolize_set_object(found->symbolizer, object);
	return found->symbolizer;
}

bool
objects_addr(struct objects *o, uint32_t object, uint64_t addr, uint64_t *in_file)
{
	const struct object *at = object_of(o, object);

	return mapping_addr(&at->mapping, at->symbolizer ? symbolize_symbols(at->symbolizer) :
	    NULL, addr, in_file);
}

void
objects_report(struct objects *o)
{
	if (o->missing.n)
		diag_say(o->diag, DIAG_NOTE, "no symbols for %s%s: functions there have no "
		    "names", buf_str(&o->missing.list), o->missing.n > 3 ? ", and others" : "");
	if (o->private.n)
		diag_say(o->diag, DIAG_NOTE, "%s%s: not all users may read this, and the profile "
		    "has no build ID of it: give it with --exe", buf_str(&o->private.list),
		    o->private.n > 3 ? ", and others" : "");
}

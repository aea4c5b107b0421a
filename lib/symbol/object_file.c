/* SPDX-License-Identifier: ISC */
#include "symbol/object_file.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "symbol/build_files.h"
#include "symbol/trust.h"

static bool
is_same(struct text id, struct text key)
{
	return build_files_is_id(key) && text_eq(id, key);
}

static bool
is_other(struct text id, struct text key)
{
	return build_files_is_id(key) && id.n && !text_eq(id, key);
}

bool
object_file_is_build(const struct symbols *s, struct text key)
{
	struct buf id = { 0 };
	const bool same = symbols_build_id(s, &id) && is_same(buf_as_text(&id), key);

	buf_free(&id);
	return same;
}

bool
object_file_is_other_build(const struct symbols *s, struct text key)
{
	struct buf id = { 0 };
	const bool other = symbols_build_id(s, &id) && is_other(buf_as_text(&id), key);

	buf_free(&id);
	return other;
}

/* ---- one place ---- */

/* A search for the file of an object. */
struct seeker {
	struct executables *executables;
	struct known_builds *known;
	struct text path, key;
	struct object_file found;
};

/* What a file must be: the profile's by its build ID, as it is kept by that, or private; or
 * not another build's. */
enum place { PLACE_KEPT, PLACE_PRIVATE, PLACE_PUBLIC };

/* Returns what forbids to open a file that a profile names. */
static enum object_lack
look(const char *path, struct stat *st)
{
	return stat(path, st) < 0 ? LACKS_FILE : !S_ISREG(st->st_mode) ? LACKS_REGULAR :
	    trust_of(path) == TRUST_NONE ? LACKS_OWNER : LACKS_NOTHING;
}

static enum object_lack
open_path(struct executables *x, const char *path, const struct stat *st, struct symbols **s)
{
	struct diag quiet = { 0 };	/* that it has none is reported for all */

	*s = symbols_share(x, path, st, &quiet);
	buf_free(&quiet.error);
	return !*s ? LACKS_READER : symbols_count(*s) ? LACKS_NOTHING : LACKS_SYMBOLS;
}

/* id: the file's build ID; empty, it has none. */
static enum object_lack
judge(struct text id, struct text key, enum place place)
{
	return is_same(id, key) ? LACKS_NOTHING :
	    place == PLACE_KEPT ? LACKS_FILE :
	    is_other(id, key) ? LACKS_BUILD :
	    place == PLACE_PRIVATE ? LACKS_PUBLIC : LACKS_NOTHING;
}

static void
drop(struct symbols **s)
{
	symbols_free(*s);
	*s = NULL;
}

/* Opens what is at a place, and sets its build ID; it is not opened again if that is known to
 * be wrong. */
static enum object_lack
open_place(struct seeker *k, const char *path, enum place place, struct symbols **s,
    const struct buf **id)
{
	struct stat st;
	enum object_lack lack = look(path, &st), wrong;

	if (lack != LACKS_NOTHING)
		return lack;
	if ((*id = known_builds_find(k->known, &st)) &&
	    (wrong = judge(buf_as_text(*id), k->key, place)) != LACKS_NOTHING)
		return wrong;
	if ((lack = open_path(k->executables, path, &st, s)) == LACKS_READER)
		return lack;
	known_builds_add(k->known, &st, *s);
	*id = known_builds_find(k->known, &st);
	if ((wrong = judge(buf_as_text(*id), k->key, place)) == LACKS_NOTHING)
		return lack;
	drop(s);
	return wrong;
}

/* Tries a place: what was found at an earlier one stays, unless this has symbols.  The first
 * that is no file by build ID says what is lacking. */
static void
try(struct seeker *k, const char *path, enum place place)
{
	struct object_file *f = &k->found;
	struct symbols *s = NULL;
	const struct buf *id;
	const enum object_lack lack = open_place(k, path, place, &s, &id);

	if (lack == LACKS_BUILD && !f->build.n) {
		buf_text(&f->build, buf_as_text(id));
		buf_puts(&f->path, path);
	}
	if (s && (!f->symbols || lack == LACKS_NOTHING)) {
		drop(&f->symbols);
		f->symbols = s;
		f->lack = lack;
		return;
	}
	drop(&s);
	if (!f->symbols && f->lack == LACKS_FILE && place != PLACE_KEPT)
		f->lack = lack;
}

/* ---- all places ---- */

static bool
is_found(const struct seeker *k)
{
	return k->found.symbols && k->found.lack == LACKS_NOTHING;
}

/* Sets the path below the directory of --sysroot: false if it is not there, or a link leaves
 * that. */
static bool
find_below(const char *sysroot, struct text path, char real[PATH_MAX])
{
	char root[PATH_MAX];
	struct buf below = { 0 };
	bool is;

	buf_puts(&below, sysroot);
	buf_text(&below, path);
	is = realpath(sysroot, root) && realpath(buf_str(&below), real) &&
	    trust_is_below(real, root);
	buf_free(&below);
	return is;
}

static void
try_path(struct seeker *k)
{
	struct buf name = { 0 };

	buf_text(&name, k->path);
	try(k, buf_str(&name), k->executables->sysroot ? PLACE_KEPT :
	    trust_of(buf_str(&name)) == TRUST_ALL ? PLACE_PUBLIC : PLACE_PRIVATE);
	buf_free(&name);
}

static void
try_builds(struct seeker *k, enum build_file what)
{
	struct buf path = { 0 };
	unsigned at = 0;

	while (!is_found(k) && build_files_next(&path, k->executables->sysroot, k->key, what, &at))
		try(k, buf_str(&path), PLACE_KEPT);
	buf_free(&path);
}

struct object_file
object_file_open(struct executables *x, struct known_builds *known, struct text path,
    struct text key, bool offsets)
{
	struct seeker k = { x, known, path, key, { .lack = LACKS_FILE } };
	struct object_file *f = &k.found;
	char real[PATH_MAX];

	if (x->sysroot && path.n && *path.s == '/' && find_below(x->sysroot, path, real))
		try(&k, real, PLACE_PUBLIC);
	if (!is_found(&k) && path.n)
		try_path(&k);
	try_builds(&k, BUILD_CODE);
	if (!f->symbols)
		try_builds(&k, BUILD_DEBUG);
	if (f->symbols && offsets && !symbols_has_offsets(f->symbols)) {
		drop(&f->symbols);
		f->lack = LACKS_FILE;
	}
	return *f;
}

void
object_file_end(struct object_file *f)
{
	buf_free(&f->path);
	buf_free(&f->build);
}

bool
object_file_find_dump(struct buf *file, const struct executables *x, struct text path, bool here)
{
	const bool absolute = path.n && *path.s == '/';
	char real[PATH_MAX];
	struct stat st;

	file->n = 0;
	if (absolute && x->sysroot && find_below(x->sysroot, path, real)) {
		buf_puts(file, real);
		return stat(real, &st) == 0 && S_ISREG(st.st_mode);
	}
	buf_text(file, path);
	return absolute && here && trust_is_dump(buf_str(file));
}

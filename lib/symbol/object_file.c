/* SPDX-License-Identifier: ISC */
#include "symbol/object_file.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "symbol/build_files.h"
#include "symbol/trust.h"

bool
object_file_is_build(const struct symbols *s, struct text key)
{
	struct buf id = { 0 };
	const bool same = build_files_is_id(key) && symbols_build_id(s, &id) &&
	    text_eq(buf_as_text(&id), key);

	buf_free(&id);
	return same;
}

bool
object_file_is_other_build(const struct symbols *s, struct text key)
{
	struct buf id = { 0 };
	const bool other = build_files_is_id(key) && symbols_build_id(s, &id) &&
	    !text_eq(buf_as_text(&id), key);

	buf_free(&id);
	return other;
}

/* ---- one place ---- */

/* What a file must be: the profile's by its build ID, as it is kept by that, or private; or
 * not another build's. */
enum place { PLACE_KEPT, PLACE_PRIVATE, PLACE_PUBLIC };

/* Opens what is at a path, if a profile may name it. */
static enum object_lack
open_path(struct executables *x, const char *path, struct symbols **s)
{
	struct diag quiet = { 0 };	/* that it has none is reported for all */
	struct stat st;

	if (stat(path, &st) < 0)
		return LACKS_FILE;
	if (!S_ISREG(st.st_mode))
		return LACKS_REGULAR;
	if (trust_of(path) == TRUST_NONE)
		return LACKS_OWNER;
	*s = symbols_share(x, path, &st, &quiet);
	buf_free(&quiet.error);
	return !*s ? LACKS_READER : symbols_count(*s) ? LACKS_NOTHING : LACKS_SYMBOLS;
}

static enum object_lack
judge(const struct symbols *s, struct text key, enum place place)
{
	return object_file_is_build(s, key) ? LACKS_NOTHING :
	    place == PLACE_KEPT ? LACKS_FILE :
	    object_file_is_other_build(s, key) ? LACKS_BUILD :
	    place == PLACE_PRIVATE ? LACKS_PUBLIC : LACKS_NOTHING;
}

static void
drop(struct symbols **s)
{
	symbols_free(*s);
	*s = NULL;
}

/* Tries a place: what was found at an earlier one stays, unless this has symbols.  The first
 * that is no file by build ID says what is lacking. */
static void
try(struct object_file *f, struct executables *x, const char *path, struct text key,
    enum place place)
{
	struct symbols *s = NULL;
	enum object_lack lack = open_path(x, path, &s), wrong;

	if (s && (wrong = judge(s, key, place)) != LACKS_NOTHING) {
		if ((lack = wrong) == LACKS_BUILD && !f->build.n) {
			symbols_build_id(s, &f->build);
			buf_puts(&f->path, path);
		}
		drop(&s);
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
is_found(const struct object_file *f)
{
	return f->symbols && f->lack == LACKS_NOTHING;
}

/* The object's path below the directory of --sysroot, which no link leaves. */
static void
try_sysroot(struct object_file *f, struct executables *x, struct text path, struct text key)
{
	char root[PATH_MAX], real[PATH_MAX];
	struct buf below = { 0 };

	buf_puts(&below, x->sysroot);
	buf_text(&below, path);
	if (realpath(x->sysroot, root) && realpath(buf_str(&below), real) &&
	    trust_is_below(real, root))
		try(f, x, real, key, PLACE_PUBLIC);
	buf_free(&below);
}

static void
try_path(struct object_file *f, struct executables *x, struct text path, struct text key)
{
	struct buf name = { 0 };

	buf_text(&name, path);
	try(f, x, buf_str(&name), key, x->sysroot ? PLACE_KEPT :
	    trust_of(buf_str(&name)) == TRUST_ALL ? PLACE_PUBLIC : PLACE_PRIVATE);
	buf_free(&name);
}

static void
try_builds(struct object_file *f, struct executables *x, struct text key, enum build_file what)
{
	struct buf path = { 0 };
	unsigned at = 0;

	while (!is_found(f) && build_files_next(&path, x->sysroot, key, what, &at))
		try(f, x, buf_str(&path), key, PLACE_KEPT);
	buf_free(&path);
}

struct object_file
object_file_open(struct executables *x, struct text path, struct text key, bool offsets)
{
	struct object_file f = { .lack = LACKS_FILE };

	if (x->sysroot && path.n && *path.s == '/')
		try_sysroot(&f, x, path, key);
	if (!is_found(&f) && path.n)
		try_path(&f, x, path, key);
	try_builds(&f, x, key, BUILD_CODE);
	if (!f.symbols)
		try_builds(&f, x, key, BUILD_DEBUG);
	if (f.symbols && offsets && !symbols_has_offsets(f.symbols)) {
		drop(&f.symbols);
		f.lack = LACKS_FILE;
	}
	return f;
}

void
object_file_end(struct object_file *f)
{
	buf_free(&f->path);
	buf_free(&f->build);
}

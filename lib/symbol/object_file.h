/* SPDX-License-Identifier: ISC */
/*
 * The file of an object that a profile names: never of another build, if the profile has a
 * build ID of it, and never one that a profile may not name (trust.h).  It is looked for
 * below the directory of --sysroot, at its path, and by its build ID (build_files.h).  With
 * --sysroot, what is at its path on this machine is another machine's, unless it has the
 * build ID.
 */
#ifndef PROF_SYMBOL_OBJECT_FILE_H
#define PROF_SYMBOL_OBJECT_FILE_H

#include "symbol/known_builds.h"
#include "util/buf.h"

/* Why there are no symbols of it. */
enum object_lack {
	LACKS_NOTHING,
	LACKS_FILE,		/* there is none */
	LACKS_REGULAR,		/* what is there is no regular file */
	LACKS_OWNER,		/* it is another user's, or the kernel's */
	LACKS_READER,		/* it cannot be read, as it is no ELF file */
	LACKS_SYMBOLS,		/* it has none; then it still is the object */
	LACKS_PUBLIC,		/* it is private, and not shown to be the profile's */
	LACKS_BUILD,		/* it is another build */
	OBJECT_LACKS
};

struct object_file {
	struct symbols *symbols;	/* NULL: it cannot be used */
	enum object_lack lack;
	struct buf path, build;	/* LACKS_BUILD: what is there instead, and its build ID */
};

/* key: of the object, which may be a build ID.  offsets: they must be those of what is
 * loaded, which a separate file of debug information does not have.  known: of the files that
 * were opened before; this one's are added.  To be freed by object_file_end(), but for the
 * symbols. */
struct object_file object_file_open(struct executables *x, struct known_builds *known,
    struct text path, struct text key, bool offsets);
void object_file_end(struct object_file *f);

/* Sets the path of the file of code that a program has generated (jit_dump.h): false if it may
 * not be read.  here: the profile was made on this machine. */
bool object_file_find_dump(struct buf *file, const struct executables *x, struct text path,
    bool here);

/* Have the symbols this build ID, or another one?  False if either is none. */
bool object_file_is_build(const struct symbols *s, struct text key);
bool object_file_is_other_build(const struct symbols *s, struct text key);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Definitions by the names of their columns.  Begin with NO_OBJECT, NO_FUNC or NO_CTX, in
 * which everything is absent, and set what is known.  A column is the number of another
 * definition or of a string of the dictionary: dict_str(), for lines dict_line(), for addresses
 * dict_addr(), for attributes a string of attr_add().  The line of a context is in its file,
 * not in that of its function.  A file is its path.  Decoders put definitions with
 * decode_func() and its relatives in decode.h.
 */
#ifndef PROF_STREAM_DEFS_H
#define PROF_STREAM_DEFS_H

#include <string.h>

#include "stream/dict.h"

struct object_def {
	uint32_t path, key, attrs;
};

struct func_def {
	uint32_t name, file, object, key, attrs;
};

struct ctx_def {
	uint32_t parent, func, file, line, addr, attrs;
};

#define NO_OBJECT ((struct object_def){ NO_ID, NO_ID, NO_ID })
#define NO_FUNC ((struct func_def){ NO_ID, NO_ID, NO_ID, NO_ID, NO_ID })
#define NO_CTX ((struct ctx_def){ NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID })

/* These are the dictionary's tuples. */
_Static_assert(sizeof(struct object_def) == (OBJECT_ATTRS + 1) * sizeof(uint32_t) &&
    sizeof(struct func_def) == (FUNC_ATTRS + 1) * sizeof(uint32_t) &&
    sizeof(struct ctx_def) == (CTX_ATTRS + 1) * sizeof(uint32_t), "a column is missing");

/* Returns a copy of a definition, which may be changed: all absent for NO_ID. */
static inline struct object_def
dict_object_def(const struct dict *d, uint32_t id)
{
	struct object_def o;

	memcpy(&o, dict_def(d, REC_OBJECT, id), sizeof o);
	return o;
}

static inline struct func_def
dict_func_def(const struct dict *d, uint32_t id)
{
	struct func_def f;

	memcpy(&f, dict_def(d, REC_FUNC, id), sizeof f);
	return f;
}

static inline struct ctx_def
dict_ctx_def(const struct dict *d, uint32_t id)
{
	struct ctx_def c;

	dict_cols(d, REC_CTX, id, (uint32_t *)&c);
	return c;
}

/* Returns its number, usually that of `like`, which may be NO_ID.  Puts nothing. */
static inline uint32_t
dict_define_object(struct dict *d, uint64_t like, const struct object_def *o)
{
	return dict_redefine(d, REC_OBJECT, like, (const uint32_t *)o);
}

static inline uint32_t
dict_define_func(struct dict *d, uint64_t like, const struct func_def *f)
{
	return dict_redefine(d, REC_FUNC, like, (const uint32_t *)f);
}

static inline uint32_t
dict_define_ctx(struct dict *d, uint64_t like, const struct ctx_def *c)
{
	return dict_redefine(d, REC_CTX, like, (const uint32_t *)c);
}

/* The same for a file or an object of which only the path is known, a string: NO_ID for
 * NO_ID. */
static inline uint32_t
dict_define_path(struct dict *d, enum rec_kind kind, uint32_t path)
{
	const struct object_def o = { path, NO_ID, NO_ID };	/* or a file */

	return path == NO_ID ? NO_ID : dict_redefine(d, kind, NO_ID, (const uint32_t *)&o);
}

/* Put a definition, like dict_put(). */
static inline int
dict_put_object(struct dict *d, struct sink *s, const struct object_def *o, uint32_t *id)
{
	return dict_put(d, s, REC_OBJECT, (const uint32_t *)o, id);
}

static inline int
dict_put_func(struct dict *d, struct sink *s, const struct func_def *f, uint32_t *id)
{
	return dict_put(d, s, REC_FUNC, (const uint32_t *)f, id);
}

static inline int
dict_put_ctx(struct dict *d, struct sink *s, const struct ctx_def *c, uint32_t *id)
{
	return dict_put(d, s, REC_CTX, (const uint32_t *)c, id);
}

static inline int
dict_put_path(struct dict *d, struct sink *s, enum rec_kind kind, uint32_t path,
    uint32_t *id)
{
	const struct object_def o = { path, NO_ID, NO_ID };	/* or a file */

	*id = NO_ID;
	return path == NO_ID ? 0 : dict_put(d, s, kind, (const uint32_t *)&o, id);
}

#endif

/* SPDX-License-Identifier: ISC */
/*
 * The dictionary: every name once, and objects, files, functions and contexts
 * as tuples of names with dense numbers.  One dictionary serves all inputs of
 * a program, so equal definitions in two inputs get one number, and sinks may
 * keep arrays indexed by it.
 */
#ifndef PROF_STREAM_DICT_H
#define PROF_STREAM_DICT_H

#include "stream/record.h"

struct contexts;
struct dict;

struct dict *dict_new(void);
void dict_free(struct dict *d);

/* A string's number; the text is copied.  Absent (s == NULL) is NO_ID. */
uint32_t dict_str(struct dict *d, struct text t);

/* Returns the string of a line, "12" or "12:3", where 0 is no column; NO_ID if both are 0. */
uint32_t dict_line(struct dict *d, uint64_t line, uint64_t column);
/* Returns the string of an address, "0x12". */
uint32_t dict_addr(struct dict *d, uint64_t addr);

/* Begins to load what the search for a string reads first.  Decoders of long lists of names
 * look for the next ones early. */
void dict_prefetch(const struct dict *d, struct text t);

/* Returns the number of a string that is there already, otherwise NO_ID. */
uint32_t dict_find_str(const struct dict *d, struct text t);
/* Returns a string's text, with a NUL after it; absent for NO_ID.  It lives as long as the
 * dictionary. */
struct text dict_text(const struct dict *d, uint32_t str);

/* The tuples' columns: numbers of strings or of other definitions, NO_ID if
 * absent.  Lines, addresses and attributes are strings, as in the stream. */
enum { OBJECT_PATH, OBJECT_KEY, OBJECT_ATTRS };
enum { FILE_PATH, FILE_ATTRS };
enum { FUNC_NAME, FUNC_FILE, FUNC_OBJECT, FUNC_KEY, FUNC_ATTRS };
enum { CTX_PARENT, CTX_FUNC, CTX_FILE, CTX_LINE, CTX_ADDR, CTX_ATTRS };
#define DEF_COLS 6
#define DEFS (REC_CTX - REC_OBJECT + 1)	/* kinds of definitions */

/* kind: REC_OBJECT, REC_FILE, REC_FUNC or REC_CTX. */
uint32_t dict_count(const struct dict *d, enum rec_kind kind);
/* The columns of an object, a file or a function, all absent for NO_ID.  Valid until the next
 * definition, but at most to the end of the block that has the call: a function's are put
 * together there, as the dictionary keeps only those that are used. */
#define dict_def(d, kind, id) dict_def_into(d, kind, id, (uint32_t[DEF_COLS]){ 0 })
const uint32_t *dict_def_into(const struct dict *d, enum rec_kind kind, uint32_t id,
    uint32_t cols[DEF_COLS]);

/* A context is a frame and the context that called it, NO_ID for a root.  The columns of
 * its frame are those of a context, with CTX_PARENT absent, and equal frames have the same
 * dense number.  All absent for NO_ID. */
uint32_t dict_caller(const struct dict *d, uint32_t ctx);
const uint32_t *dict_frame(const struct dict *d, uint32_t ctx);
uint32_t dict_frame_id(const struct dict *d, uint32_t ctx);

/* Returns the number of the frame with these columns; adds it if it is new.  CTX_PARENT is
 * ignored. */
uint32_t dict_define_frame(struct dict *d, const uint32_t *cols);

/* The tree of the contexts, for stack.h. */
struct contexts *dict_contexts(struct dict *d);

/* Removes all contexts, so that their numbers are given again: for FORGETS_CONTEXTS
 * (record.h).  Frames stay. */
void dict_forget_contexts(struct dict *d);

/* Copies the columns of a definition of any kind, as many as it has. */
void dict_cols(const struct dict *d, enum rec_kind kind, uint32_t id,
    uint32_t cols[DEF_COLS]);

/* Returns the number of the tuple with these columns, as many as its kind has; adds it if
 * it is new.  The columns are usually those of `id`, which may be NO_ID.  Code for one kind
 * uses the functions in defs.h instead. */
uint32_t dict_redefine(struct dict *d, enum rec_kind kind, uint64_t id,
    const uint32_t *cols);

/* Defines a tuple, puts a new one into the sink and sets *id.  0 or -1. */
int dict_put(struct dict *d, struct sink *s, enum rec_kind kind, const uint32_t *cols,
    uint32_t *id);

/* Sets cols to the tuple of a definition record whose columns have the dictionary's ids
 * already. */
void dict_tuple(struct dict *d, const struct record *r, uint32_t cols[DEF_COLS]);
/* Makes *r a definition record; its text lives as long as the dictionary. */
void dict_record(const struct dict *d, enum rec_kind kind, uint32_t id,
    struct record *r);

/* Returns the kind of definition that a reference column refers to. */
static inline enum rec_kind
col_def(enum col_type t)
{
	return REC_OBJECT + (t - COL_OBJECT);
}

/* Returns the number of a function without its attributes, which do not distinguish
 * functions; *fresh: whether that is new.  NO_ID for NO_ID. */
uint32_t dict_func_bare(struct dict *d, uint64_t func, bool *fresh);

/* Begin to load a function's name and the path of its file, for those that come in an order of
 * their own: call it for each step in turn, some functions apart, as a step needs what the one
 * before has loaded. */
#define DICT_LOADS 4
void dict_prefetch_func(const struct dict *d, uint32_t func, unsigned step);

/* Shorthands; absent text for NO_ID. */
struct text dict_path(const struct dict *d, uint32_t file);
struct text dict_object_path(const struct dict *d, uint32_t object);
struct text dict_func_name(const struct dict *d, uint32_t func);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * Reads YAML of a fixed depth, event by event: errors are found at their place, even if the
 * rest is nested deeply.  Aliases and tags are rejected.
 *
 * Functions that return an int return 0, or -1 with the diag set; those that take a value
 * advance past it.
 */
#ifndef PROF_RULES_YAML_READ_H
#define PROF_RULES_YAML_READ_H

#include "util/buf.h"
#include "util/diag.h"

struct yaml_place {
	size_t line, column;	/* counted from 0 */
};

struct yaml_reader {
	const char *path;
	struct diag *diag;
	struct yaml_place key;	/* of the key before the current value */
	char **text;		/* all texts that were taken; the caller frees them */
	size_t ntext, captext;
	size_t npatterns;	/* that were taken */
	struct yaml_state *yaml;
};

/* Opens a file, of at most a megabyte, which yaml_close() closes.  After an error it is
 * closed. */
int yaml_open(struct yaml_reader *y, const char *path, struct diag *d);
void yaml_close(struct yaml_reader *y);

/* ---- events ---- */

/* Goes to the next event: first to the beginning of the file, then of its document. */
int yaml_next(struct yaml_reader *y);

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_LIST_END, YAML_END };

/* Is the current event one of these? */
bool yaml_at(const struct yaml_reader *y, enum yaml_kind kind);

/* Returns its place. */
struct yaml_place yaml_place(const struct yaml_reader *y);

/* Reports an error at a place: -1. */
int yaml_wrong(struct yaml_reader *y, struct yaml_place at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives the error in the diag, a text without a place, this place: -1. */
int yaml_wrong_within(struct yaml_reader *y, struct yaml_place at);

/* Reports what was expected, and what the current event is instead: -1. */
int yaml_expected(struct yaml_reader *y, const char *what);

/* ---- values; `what` names them in messages ---- */

/* Texts, and the place of each. */
struct yaml_texts {
	const char **v;
	struct yaml_place *at;
	size_t n;
};

/* Takes a text, which lives as long as the reader's texts; NULL with the diag set. */
const char *yaml_take_text(struct yaml_reader *y, const char *what);

/* Takes a text, or a list of texts, into `t`, which is empty.  The caller frees it, even
 * after an error. */
int yaml_take_texts(struct yaml_reader *y, const char *what, struct yaml_texts *t);
void yaml_free_texts(struct yaml_texts *t);

/* Takes a regular expression, or a list of some, which are checked. */
int yaml_take_patterns(struct yaml_reader *y, struct yaml_texts *t);

int yaml_take_bool(struct yaml_reader *y, bool *out);

/* Returns a copy of a text that lives as long as those that were taken. */
const char *yaml_keep(struct yaml_reader *y, struct text t);

/* ---- mappings ---- */

struct yaml_key {
	const char *name;
	/* Reads its value into the mapping's structure: 0 or -1. */
	int (*read)(struct yaml_reader *y, void *to, const struct yaml_key *key);
	size_t at;		/* offset of the member that it sets */
	const char *what;	/* the name of a text in messages */
	int which;		/* for `read` */
};

#define YAML_KEYS 16		/* the most keys of a mapping, including the last, which has
				 * no name */

/* Takes a mapping with these keys, each at most once, into a structure. */
int yaml_take_mapping(struct yaml_reader *y, const struct yaml_key *key, const char *what,
    void *to);

/* Takes a whole file, one document with such a mapping; call it first. */
int yaml_take_document(struct yaml_reader *y, const struct yaml_key *key, const char *what,
    void *to);

/* Returns the member that a key sets. */
static inline void *
yaml_member(void *to, const struct yaml_key *key)
{
	return (char *)to + key->at;
}

/* Functions for `read`: a text, a bool. */
int yaml_read_text(struct yaml_reader *y, void *to, const struct yaml_key *key);
int yaml_read_bool(struct yaml_reader *y, void *to, const struct yaml_key *key);

#endif

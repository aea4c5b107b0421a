/* SPDX-License-Identifier: ISC */
/*
 * YAML of a fixed depth, read event by event: errors are found at their place, however
 * deep the rest is nested.  Aliases and tags are refused.
 *
 * Functions that return an int return 0, or -1 with the diag set; those that take a value
 * advance to what comes after it.
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
	struct yaml_place key;	/* of the key whose value comes */
	char **text;		/* all that were taken: the caller's to free */
	size_t ntext, captext;
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

/* Where it is. */
struct yaml_place yaml_place(const struct yaml_reader *y);

/* Says that something is wrong at a place: -1. */
int yaml_wrong(struct yaml_reader *y, struct yaml_place at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Says what was expected, and what the current event is instead: -1. */
int yaml_expected(struct yaml_reader *y, const char *what);

/* ---- values; `what` they are is for messages ---- */

/* Some texts, and the place of each. */
struct yaml_texts {
	const char **v;
	struct yaml_place *at;
	size_t n;
};

/* Takes a text, which lasts; NULL with the diag set. */
const char *yaml_take_text(struct yaml_reader *y, const char *what);

/* Takes a text, or a list of some, into `t`, which is empty; to be freed after errors,
 * too. */
int yaml_take_texts(struct yaml_reader *y, const char *what, struct yaml_texts *t);
void yaml_free_texts(struct yaml_texts *t);

int yaml_take_bool(struct yaml_reader *y, bool *out);

/* A copy of a text that lasts as long as those that were taken. */
const char *yaml_keep(struct yaml_reader *y, struct text t);

/* ---- mappings ---- */

struct yaml_key {
	const char *name;
	/* Reads its value into the mapping's structure: 0 or -1. */
	int (*read)(struct yaml_reader *y, void *to, const struct yaml_key *key);
	size_t at;		/* offset of the member that it sets */
	const char *what;	/* for a text: what it is, for messages */
	int which;		/* for `read` */
};

#define YAML_KEYS 16		/* the most of a mapping, with the last, which has no name */

/* Takes a mapping of these keys, each once, into a structure. */
int yaml_take_mapping(struct yaml_reader *y, const struct yaml_key *key, const char *what,
    void *to);

/* The member that a key sets. */
static inline void *
yaml_member(void *to, const struct yaml_key *key)
{
	return (char *)to + key->at;
}

/* For `read`: a text, a bool. */
int yaml_read_text(struct yaml_reader *y, void *to, const struct yaml_key *key);
int yaml_read_bool(struct yaml_reader *y, void *to, const struct yaml_key *key);

#endif

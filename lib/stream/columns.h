/* SPDX-License-Identifier: ISC */
/*
 * Records as rows of a table, with references written out as names: for SQL, awk and jq,
 * and for reading.  A row's columns follow from the table of records:
 *
 *	a function	function, function.file, object, function.key; for a
 *			column other than `func`: NAME, NAME.file, NAME.object,
 *			NAME.key
 *	a file, an object	its path
 *	a context	stack: the names of its frames, root first
 *	any other	unchanged
 *
 * Then come the measured events, each under its name.
 */
#ifndef PROF_STREAM_COLUMNS_H
#define PROF_STREAM_COLUMNS_H

#include "stream/dict.h"
#include "stream/part.h"

enum columns_part {
	COLUMN_PLAIN,		/* not a reference */
	COLUMN_NAME, COLUMN_FILE, COLUMN_OBJECT,	/* of a function */
	COLUMN_KEY,		/* of a function, if it has one */
	COLUMN_PATH,		/* of a file or object */
	COLUMN_STACK,		/* of a context */
};

struct spelt_column {
	char *name;
	enum columns_part part;
	unsigned col;		/* the number of the record's column */
	enum col_type type;
	uint64_t id;		/* what `text` stands for, kept as many rows repeat a
				 * cell */
	struct buf text;
	bool known;
};

#define COLUMNS_MOST (4 * REC_COLS)

struct columns {
	const struct rec_def *def;
	struct spelt_column col[COLUMNS_MOST];
	unsigned n;
};

/* The columns of a kind of record, without the id of a definition. */
void columns_init(struct columns *cols, const struct rec_def *def);
void columns_free(struct columns *cols);

/* Returns a cell's text, not escaped; absent if the cell is.  It may be added to scratch,
 * and is valid as long as the record, the dictionary and scratch. */
struct text columns_text(const struct dict *d, const struct record *r,
    const struct spelt_column *c, struct buf *scratch);

/* The same for a reference, written by `spell`; valid until the next call for this
 * column. */
struct text columns_spelt(const struct dict *d, const struct record *r,
    struct spelt_column *c, void (*spell)(struct buf *, struct text));

/* Returns a column's number; -1: there is none. */
int columns_find(const struct columns *cols, struct text name);

/* Writes the contexts of a stack's frames, root first, into *ids, which grows, and returns
 * their number. */
size_t columns_frames(const struct dict *d, uint64_t ctx, uint32_t **ids, size_t *cap);

/*
 * Takes the next frame's name off a stack's text, into scratch.  In a name, ';' and
 * backslash are preceded by a backslash; "???" is an unknown name, which is absent,
 * and "\\???" a function of that name.  1, 0 at the end, -1 for a backslash before
 * anything else.
 */
int columns_next_frame(struct text *rest, struct buf *scratch, struct text *name);

/*
 * The functions that records name, directly or in a frame of their stack.
 */
struct columns_used {
	char *func, *ctx;	/* by number */
	size_t capfunc, capctx;
	uint64_t n;		/* functions */
};

void columns_use(struct columns_used *u, const struct dict *d, const struct record *r);
bool columns_is_used(const struct columns_used *u, uint64_t func);
void columns_used_free(struct columns_used *u);

/* The metadata that distinguish parts, which all rows of a part share. */
enum { FACT_SOURCE, FACT_PART, FACT_THREAD, FACTS };
extern const char *const fact_name[FACTS];

/* Returns one of these, the last if there are several; absent if the part has none.  Valid
 * as from meta_value(). */
struct text columns_fact(const struct part *p, int fact, struct buf *scratch);

#endif

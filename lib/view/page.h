/* SPDX-License-Identifier: ISC */
/*
 * A ranking being printed: what text.c (for people, of cells.c), rows.c (for programs),
 * calls.c (callers and callees), growth.c and values.c (values at sites) share.
 */
#ifndef PROF_VIEW_PAGE_H
#define PROF_VIEW_PAGE_H

#include "sum/growth.h"
#include "view/view.h"

/* A formula: sums by their slots, times whole coefficients. */
struct terms {
	size_t n;
	struct term {
		size_t slot;
		num coef;
	} v[];
};

/* An event or formula to show: over / under. */
struct metric {
	struct text name;
	struct terms *over, *under;	/* under: NULL but for ratios */
	num total;
	uint64_t per;		/* values are so many of its unit; 1 */
	struct text unit;	/* absent, but where per is not 1 */
	bool little;		/* of its unit there is little: small parts are shown */
	bool bounded;		/* is no inclusive cost over `most`? */
	num most;
	const struct rank_delta *delta;	/* it is the change of an event; NULL */
};

struct value {
	union { num n; double ratio; struct text name; };
	enum { ABSENT, WHOLE, RATIO, NAME } kind;	/* as they sort */
	uint32_t of;		/* the row or edge, where some are sorted */
};

struct sort {
	enum { SORT_KEY, SORT_CALLS, SORT_SIZE, SORT_GROWTH, SORT_CHANGE, SORT_SELF, SORT_INCL } what;
	size_t i;		/* of the key's column or the metric */
	bool down;		/* from the largest down */
};

struct page {
	const struct view *v;
	const struct rank_request *q;
	const struct rank *r;
	const struct rank_heading *h;
	struct output *out;
	struct metric *metric;
	size_t nmetric;		/* of which v->nshow are shown */
	struct sort *sort;	/* at last the columns of the key */
	size_t nsort;
	struct value *order;	/* of rows */
	struct growth *growth;	/* by row; NULL: not asked for */
	struct buf line;
};

#define CELL 64

struct cells {			/* a line's numbers, as text */
	char (*s)[CELL];
	size_t n;
};

#define PAGE_KEYS (BY_KINDS + 2)	/* the most columns a row's key has as text */

/* page.c: values of a row by number of the metric */
struct value page_value(const struct metric *m,
    const num *sums);
struct value page_self(const struct page *p, size_t row, size_t metric);
struct value page_incl(const struct page *p, size_t row, size_t metric);
/* What people are shown before an inclusive cost that is not what it says; "". */
#define MARK_BOUND "~"
#define MARK_PARTIAL "?"
#define MARK_OVER "!"
/* Is this more than all there is? */
bool page_is_over(const struct metric *m, struct value v);
const char *page_mark(const struct page *p, size_t row, size_t metric);
struct value page_calls(const struct page *p, size_t row);
/* Of a profile with points: how many sizes of inputs, the smallest, the largest. */
enum { SIZE_COUNT, SIZE_LEAST, SIZE_MOST, SIZES };
extern const char *const page_size_name[SIZES];
struct value page_size(const struct page *p, size_t row, size_t which);
enum page_digits { DIGITS_PLAIN, DIGITS_GROUPED };
void page_add_value(struct buf *b, struct value v, enum page_digits digits);
/* The same for people: in the unit of the metric, rounded. */
void page_add_shown(struct buf *b, const struct metric *m, struct value v);
/* The name of a metric for people, with its unit. */
void page_add_name(struct buf *b, const struct metric *m);

/* The text columns of a key, and what each is: a function is three, less those
 * that the list names itself.  tmp (NUM_TEXT) holds a line's number. */
size_t page_keys(const struct rank_request *q, enum group_by keys[PAGE_KEYS]);
void page_key_texts(const struct rank_request *q, const uint64_t *key, struct text *t,
    char *tmp);

/* Is this one of the keys that rows are by? */
bool page_by(const struct rank_request *q, enum group_by by);

/* One of the text columns, to sort by. */
struct value page_key(const struct page *p, size_t row, size_t column);

/* How many rows are shown.  Writes p->line and a newline. */
size_t page_limit(const struct page *p);
void page_flush(struct page *p);

/*
 * order.c: sorts v, n of them, by what they are of, of which value() says what
 * there is to be sorted by.  Only the first `most` need be in order.
 */
struct order {
	const struct sort *sort;	/* the first before the next */
	size_t nsort;
	struct value (*value)(const void *arg, uint32_t of, const struct sort *s);
	const void *arg;
};

void order_sort(const struct order *o, struct value *v, size_t n, size_t most);

/* text.c */
void page_heading(struct page *p);
void page_text(struct page *p);

/* cells.c */
void page_add_percent(struct buf *b, struct value v, num total);
void page_set_cell(struct cells *c, const struct buf *b);
void page_widen(size_t *width, const struct cells *c);
void page_add_cells(struct page *p, const struct cells *c, const size_t *width);
void page_paint(struct page *p, const char *code);
/* Is this column a function's own file or object, which only says more of it? */
bool page_accompanies(const struct page *p, enum group_by key);
/* In so many columns; 0: there is no end. */
void page_names(struct page *p, const struct text *t, const enum group_by *keys,
    size_t n, size_t width);

/* The lines of a table: cells, each as wide as the widest of its column, and names. */
struct lines {
	struct page *p;
	void (*heads)(struct page *p, struct cells *c);
	void (*fill)(struct page *p, struct cells *c, size_t row);
	enum group_by key[PAGE_KEYS];
	size_t column[PAGE_KEYS], nkey;	/* of those of a key */

	struct cells c;
	size_t *width, left;	/* of each column; for names */
};

/* As wide as the heads, which have so many cells at most; and as what is shown of
 * each row. */
void lines_begin(struct lines *l, size_t ncell);
void lines_widen(struct lines *l, size_t row);
/* To p->line; heads first, when all rows are known. */
void lines_add_heads(struct lines *l);
void lines_add_cells(struct lines *l, size_t row);
void lines_add_row(struct lines *l, size_t row);
void lines_free(struct lines *l);

/* rows.c */
void page_tsv_event(struct page *p, size_t metric, const char *suffix);
/* What the numbers of a metric are, "1/100000000 s", where they are parts of a
 * unit: the column's heading, the field, the member; else nothing. */
void page_tsv_unit_head(struct page *p, size_t metric);
void page_tsv_unit(struct page *p, size_t metric);
void page_json_unit(struct page *p, size_t metric);
void page_tsv_head(struct page *p, const enum group_by *keys, size_t nkeys);
void page_tsv_row(struct page *p, size_t row);
void page_json_row(struct page *p, size_t row);
void page_json_member(struct buf *b, struct text name, const char *suffix);
void page_json_value(struct buf *b, struct value v);

/* growth.c: columns behind the others, where page.growth is set */
struct growth *growth_of_rows(const struct rank *r);
struct value page_growth(const struct page *p, size_t row);
#define GROWTH_CELLS 3
void page_growth_heads(struct cells *c);
void page_growth_cells(const struct page *p, struct cells *c, size_t row);
void page_growth_line(struct page *p, size_t limit);
void page_growth_tsv_head(struct page *p);
void page_growth_tsv(struct page *p, size_t row);
void page_growth_json(struct page *p, size_t row);

/* diff.c: the first metric is a change */
bool page_is_diff(const struct page *p);
void page_diff(struct page *p);
/* How large a change is, and that of a row, in either direction. */
num page_magnitude(num change);
struct value page_change(const struct page *p, size_t row);
/* Old, new, change and percent of a metric, and their headings; false where it is
 * no change, and has no cells. */
#define CHANGE_CELLS 4
bool page_change_cells(struct cells *c, const struct metric *m, const num *sums);
bool page_change_heads(struct cells *c, const struct metric *m);

/* calls.c */
/* Does no function match (NULL: nothing was asked)?  Then the diag is set. */
bool page_no_match(struct page *p, const struct match *match, const char *option);
enum page_side { PAGE_CALLERS, PAGE_CALLEES };
void page_blocks(struct page *p, const struct match *match, enum page_side side);

/* values.c */
/* Are there none?  Then the diag is set. */
bool page_no_values(struct page *p);
void page_values(struct page *p);

#endif

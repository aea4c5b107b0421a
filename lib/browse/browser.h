/* SPDX-License-Identifier: ISC */
/*
 * Browsing a profile on a terminal: screens that show what the tools print, and keys that
 * lead from one to the next.
 */
#ifndef PROF_BROWSE_BROWSER_H
#define PROF_BROWSE_BROWSER_H

#include "browse/printed.h"
#include "browse/profile.h"

struct screen;

/* A screen that was visited. */
struct place {
	const struct screen *screen;
	char *function;		/* the name of the functions that it is about; NULL: all */
	char *pattern;		/* which matches only that name */
	size_t top, cursor;	/* lines of the page */
	size_t from;		/* of a table: the first row of the page, which has some */
	bool whole;		/* it has all rows */
	uint32_t item;		/* the cursor goes to the line of this item once the page is
				 * printed; NO_ITEM: it stays where it is */
	uint32_t node;		/* the selected node of a tree, or the hottest row */
	uint32_t zoomed;	/* the node of a tree that is as wide as the screen */
	struct printed page;
	bool fresh;		/* the page is as it would be printed now */
	/* The profile has changed: what was selected is selected again, wherever it is, and
	 * so is the node that is zoomed. */
	bool keeps;
	uint64_t same, zoomed_same;	/* as screen->identity() returns them */
};

/* A total that was shown of a profile that goes on, for its costs per second. */
struct shown_total {
	uint64_t at;
	num total;
};
#define SHOWN_TOTALS 8

struct browser {
	struct profile *profile;
	struct place *place;	/* the last one is shown */
	size_t nplace, capplace;
	size_t sort;		/* of the table: an index in the list of sort columns */
	bool reverse;
	struct threshold least;	/* of a line of the tree */
	struct match *search;
	struct buf message;
	bool noted;		/* it is a note of the page that is printed, perhaps several */
	struct buf last;	/* the command and the page to print at the end */
	struct text rate_of;	/* the event of these totals, the last ones: */
	struct shown_total shown[SHOWN_TOTALS];
	size_t nshown;
	bool done;
};

/* Lets the user browse until the end: 0, or -1 with the diag set: there is no terminal.
 * `last` gets the text to print then. */
int browse(struct profile *p, struct buf *last);

/* ---- for screens ---- */

enum { KEY_HANDLED = 1 };

struct screen {
	const char *name, *help;
	bool cells;		/* a node is selected, not a line */
	/* Prints the page of a place: 0, or -1 with the diag set. */
	int (*print)(struct browser *b, struct place *at, struct output *out,
	    struct page_items *items);
	/* Enters an item of the page. */
	void (*enter)(struct browser *b, uint32_t item);
	/* Handles a key of its own: false if it is none; NULL: it has none. */
	bool (*key)(struct browser *b, struct place *at, unsigned key);
	/* Adds the command that prints the page; NULL: there is none. */
	void (*command)(struct browser *b, const struct place *at, struct buf *out);
	/* Returns a number that an item has in all profiles of the same program.  NULL: its
	 * own. */
	uint64_t (*identity)(struct browser *b, const struct place *at, uint32_t item);
	/* Returns the name of an item's function; absent: none.  NULL: no item has one. */
	struct text (*function)(struct browser *b, uint32_t item);
};

extern const struct screen screen_functions, screen_around, screen_callees, screen_callers,
    screen_source, screen_stacks, screen_events, screen_rows, screen_rules, screen_help;

/* ---- live.c: a profile that goes on ---- */

/* Waits for a key at most this long; takes what has come, unless a key comes first. */
unsigned browser_wait(struct browser *b);
/* Adds the time, the costs per second, and what is shown; nothing if the profile does not
 * go on. */
void browser_add_live(struct browser *b, struct buf *out);
/* Handles the keys of it: false if this is none. */
bool browser_live_key(struct browser *b, unsigned key);

/* ---- places.c ---- */

/* Returns the place that is shown. */
struct place *browser_here(struct browser *b);
void browser_free_places(struct browser *b);

/* Goes to another screen; function: the name of those that it is about, or absent. */
void browser_go(struct browser *b, const struct screen *screen, struct text function);
/* Returns to the screen before. */
void browser_back(struct browser *b);
/* Prints all screens anew when they are shown next; browser_changed(): from their first rows
 * on, as they have others. */
void browser_changed(struct browser *b);
void browser_stale(struct browser *b);
/* The profile will change: all results are forgotten, and screens keep what is selected. */
void browser_renew(struct browser *b);
/* Selects again what the place keeps, in its new page. */
void browser_find_again(struct browser *b, struct place *at);
/* Shows a message until the next key. */
void browser_tell(struct browser *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the width of pages. */
size_t browser_width(void);
/* Returns the lines for pages. */
size_t browser_lines(void);
/* Returns the rows of a page that has some of a table's. */
size_t browser_rows(void);

#endif

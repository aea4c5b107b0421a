/* SPDX-License-Identifier: ISC */
/*
 * The terminal as a screen of lines, and its keys, by ncurses.  It is restored when the
 * process exits and after signals, and while the process is stopped.
 */
#ifndef PROF_BROWSE_TERMINAL_H
#define PROF_BROWSE_TERMINAL_H

#include "util/buf.h"
#include "util/diag.h"

/* Adds "ncurses 6.4", or that there is none and why. */
void terminal_version(struct buf *b);

/* Opens the controlling terminal, so that standard input may be a profile.  0, or -1 with
 * the diag set.  There is one, the process's. */
int terminal_open(struct diag *d);
void terminal_close(void);

/* Does SIGINT end the process?  It may be meant for the program that is measured. */
void terminal_ignore_interrupts(bool ignore);

size_t terminal_lines(void);
size_t terminal_columns(void);
/* The colours of text are shown unless NO_COLOR is set or it has none. */
bool terminal_has_color(void);

/* The looks of a line: as its text has it; a bar; the selected line. */
enum terminal_look { LOOK_TEXT, LOOK_BAR, LOOK_SELECTED };

/* Shows the text, which is visible but for changes of colour (view/page.h), in a line from
 * 0 on, the rest of which becomes empty.  Nothing is seen before terminal_show(). */
void terminal_put(size_t line, struct text text, enum terminal_look look);
void terminal_show(void);

/* Keys that are no characters. */
enum {
	KEYS_BEYOND = 0x110000,	/* Unicode ends before it */
	KEYS_UP, KEYS_DOWN, KEYS_LEFT, KEYS_RIGHT, KEYS_PAGE_UP, KEYS_PAGE_DOWN, KEYS_HOME,
	KEYS_END, KEYS_BACK, KEYS_ENTER, KEYS_ESCAPE, KEYS_RESIZED, KEYS_NONE, KEYS_GONE
};

/* Waits for a key, at most so many milliseconds (-1: forever), and returns its character or
 * one of these; KEYS_GONE: there is no terminal any more. */
unsigned terminal_key(int milliseconds);

/* Reads a line of text below the prompt: false if it was given up.  The text begins as
 * it is. */
bool terminal_ask(size_t line, const char *prompt, struct buf *text);

#endif

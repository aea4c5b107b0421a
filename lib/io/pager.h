/* SPDX-License-Identifier: ISC */
/*
 * A pager on the terminal, as git runs one: $PAGER, else less, for which LESS is FRX
 * unless it is set: it ends by itself where all fits on the screen, and shows colours.
 */
#ifndef PROF_IO_PAGER_H
#define PROF_IO_PAGER_H

#include <stdbool.h>

/* Starts it on standard output, and sends standard error through it too where that is
 * the terminal.  Returns the descriptor to write to, which the caller closes, and then
 * calls pager_wait(); -1 if there is none to run: standard output is no terminal or a
 * dumb one, $PAGER is empty or "cat", there is no less. */
int pager_start(void);

/* Waits for its end, so that it does not share the terminal with the shell, and gives
 * standard error back.  False if it could not be run, and nothing was shown; true also
 * if none was started. */
bool pager_wait(void);

/* For signal handlers: the same, but closes the descriptor itself. */
void pager_abandon(void);

#endif

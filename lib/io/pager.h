/* SPDX-License-Identifier: ISC */
/*
 * A pager on the terminal, like git's: $PAGER, otherwise less.  LESS is FRX unless it is
 * set, so that less exits if everything fits on the screen, and shows colours.
 */
#ifndef PROF_IO_PAGER_H
#define PROF_IO_PAGER_H

#include <stdbool.h>

/* Starts the pager on standard output, and sends standard error through it if that is the
 * same terminal.  Returns the descriptor to write to, which the caller closes before it
 * calls pager_wait().  -1 if there is no pager to run: standard output is no terminal or a
 * dumb one, $PAGER is empty or "cat", or less is not installed. */
int pager_start(void);

/* Waits for it to exit, so that it does not share the terminal with the shell, and
 * restores standard error.  False if it could not be run, so that nothing was shown;
 * true also if none was started. */
bool pager_wait(void);

/* The same for signal handlers; it closes the descriptor itself. */
void pager_abandon(void);

#endif

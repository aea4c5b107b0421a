/* SPDX-License-Identifier: ISC */
/*
 * Ctrl-C while an input does not end, such as a profiler that still runs: the input then
 * ends, and the part that was read is shown.
 */
#ifndef PROF_IO_INTERRUPT_H
#define PROF_IO_INTERRUPT_H

#include <stdbool.h>

/* From here on SIGINT ends the input from pipes and terminals, unless SIGINT is ignored; a
 * second one ends the program. */
void interrupt_begin(void);
/* Restores the earlier action of SIGINT. */
void interrupt_end(void);
/* Was there a SIGINT between them? */
bool interrupt_came(void);

#endif

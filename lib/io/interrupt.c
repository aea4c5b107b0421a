/* SPDX-License-Identifier: ISC */
#include "io/interrupt.h"

#include <signal.h>
#include <stddef.h>

/* A process has one handler of a signal. */
static volatile sig_atomic_t came;
static struct sigaction before;

static void
take(int sig)
{
	(void)sig;
	came = 1;
}

void
interrupt_begin(void)
{
	/* Without SA_RESTART: read(2) returns. */
	const struct sigaction once = { .sa_handler = take, .sa_flags = SA_RESETHAND };

	sigaction(SIGINT, NULL, &before);
	if (before.sa_handler != SIG_IGN)
		sigaction(SIGINT, &once, NULL);
}

void
interrupt_end(void)
{
	sigaction(SIGINT, &before, NULL);
}

bool
interrupt_came(void)
{
	return came;
}

/* SPDX-License-Identifier: ISC */
#include "io/snapshot.h"

#include <poll.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/interrupt.h"

#define BUSY 10			/* milliseconds until a copy is looked for again */
#define GROWS 100		/* and until a file is */

/* They are the process's, as its copies are. */
static const struct snapshots *on;
static pid_t copy;		/* the last one; 0: it has ended */
static bool is_copy;

void
snapshots_begin(const struct snapshots *s)
{
	on = s;
}

void
snapshots_end(void)
{
	const struct snapshots *s = on;

	if (!s || is_copy)
		return;
	if (copy > 0)
		waitpid(copy, NULL, 0);
	copy = 0;
	on = NULL;
	if (s->ended)
		s->ended(s->arg);
}

bool
snapshots_on(void)
{
	return on != NULL;
}

bool
snapshots_follow(void)
{
	return on && on->follow;
}

bool
snapshot_is(void)
{
	return is_copy;
}

/* Returns the milliseconds until the next snapshot; 0: now. */
static int
next(void)
{
	if (copy > 0 && waitpid(copy, NULL, WNOHANG) == 0)
		return BUSY;
	copy = 0;
	return on->due(on->arg);
}

/* True in the copy. */
static bool
make(void)
{
	const pid_t pid = fork();

	if (pid == 0) {
		is_copy = true;
		copy = 0;
		on->begin_copy(on->arg);
		return true;
	}
	copy = pid;
	on->made(on->arg);
	return false;
}

bool
snapshot_wait(int fd, bool ended)
{
	struct pollfd p[] = { { .fd = ended ? -1 : fd, .events = POLLIN },
	    { .fd = on->wake, .events = POLLIN } };
	int wait;

	while (!is_copy && !interrupt_came()) {
		if ((wait = next()) == 0 && make())
			return false;
		if (wait == 0)
			continue;
		if (ended && (wait < 0 || wait > GROWS))
			wait = GROWS;
		if (fd < 0 || poll(p, 2, wait) < 0 || p[0].revents || ended)
			return !interrupt_came();
	}
	return false;
}

/* SPDX-License-Identifier: ISC */
/* Waiting on descriptors that the other end of a terminal or pipe has made non-blocking. */
#ifndef PROF_IO_POLL_H
#define PROF_IO_POLL_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>

/* Waits for POLLIN or POLLOUT, after EAGAIN.  false with errno on failure. */
static inline bool
poll_for(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

#endif

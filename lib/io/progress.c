/* SPDX-License-Identifier: ISC */
#include "io/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "io/term.h"
#include "util/printable.h"

#define FIRST 1.0		/* seconds before anything is shown */
#define EVERY 0.1

/* State of the terminal, of which a process has one. */
static struct {
	const char *tool;
	size_t files;
	struct shared {		/* by all processes */
		size_t begun;	/* files */
		bool shown;
	} *shared;
	double next;
	bool hidden, ended;
} state;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Shows the line with a name at its end, in so many columns as are left. */
static void
show(struct buf *b, const char *name)
{
	const size_t width = term_columns();

	if (b->n + 5 < width)
		printable_shortened(b, text_of(name), width - b->n - 1);
	fprintf(stderr, "\r%s\033[K", buf_str(b));
	fflush(stderr);
	state.shared->shown = true;
}

/* Is it time?  A background process must not write into what the foreground shows. */
static bool
is_due(void)
{
	double t;

	if (!state.shared || state.hidden || (t = now()) < state.next)
		return false;
	state.next = t + EVERY;
	return tcgetpgrp(STDERR_FILENO) == getpgrp();
}

void
progress_read(const char *file, uint64_t done, uint64_t size)
{
	struct buf b = { 0 };

	if (!is_due())
		return;
	buf_printf(&b, "%s: ", state.tool);
	if (state.files > 1)
		buf_printf(&b, "file %zu of %zu, ", __atomic_load_n(&state.shared->begun,
		    __ATOMIC_RELAXED), state.files);
	if (size)
		buf_printf(&b, "%d %% of ", (int)(100 * (double)done / (double)size));
	else
		buf_printf(&b, "%llu MB of ", (unsigned long long)(done / 1000000));
	show(&b, file);
	buf_free(&b);
}

void
progress_work(const char *what, uint64_t done, uint64_t of)
{
	struct buf b = { 0 };

	if (!is_due())
		return;
	buf_printf(&b, "%s: %d %% of ", state.tool, (int)(100 * (double)done / (double)of));
	show(&b, what);
	buf_free(&b);
}

void
progress_begin(const char *tool, size_t files)
{
	const char *term = getenv("TERM");
	struct shared *shared;

	if (state.shared || !isatty(STDERR_FILENO) || !term || !*term ||
	    strcmp(term, "dumb") == 0)
		return;
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return;
	state.tool = tool;
	state.files = files;
	state.shared = shared;
	state.next = now() + FIRST;
}

bool
progress_begun(void)
{
	return state.shared && !state.ended;
}

void
progress_file(void)
{
	if (progress_begun())
		__atomic_add_fetch(&state.shared->begun, 1, __ATOMIC_RELAXED);
}

void
progress_hide(void)
{
	state.hidden = true;
}

void
progress_end(void)
{
	state.ended = true;
}

void
progress_clear(void)
{
	if (!state.shared || !state.shared->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	state.shared->shown = false;
}

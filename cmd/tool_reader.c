/* SPDX-License-Identifier: ISC */
#include "tool_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec/unsupported.h"
#include "io/progress.h"
#include "io/snapshot.h"
#include "io/temporary.h"
#include "sum/merge.h"
#include "tool_parts.h"
#include "util/clock.h"
#include "util/system.h"

#define LEAST 200		/* milliseconds between two snapshots */

/* ---- the process ---- */

/* The state of the reading process: there is one. */
static struct {
	struct tool *tool;
	struct reader *r;
	struct merge *merge;
	struct buf notes;
	uint32_t wanted;	/* the slot that was asked for; NO_SLOT: none was */
	uint64_t began, last;	/* microseconds: the start, the last snapshot */
} reading;

/* Takes a request: false if there is none; ends the process if nobody can ask any more. */
static bool
take_request(int milliseconds)
{
	struct pollfd p = { .fd = reading.r->ask, .events = POLLIN };

	if (reading.wanted == NO_SLOT && poll(&p, 1, milliseconds) > 0 &&
	    read(reading.r->ask, &reading.wanted, sizeof reading.wanted) <= 0)
		_exit(EXIT_TROUBLE);
	return reading.wanted != NO_SLOT;
}

static int
due(void *arg)
{
	const uint64_t next = reading.last + LEAST * 1000, at = clock_now();

	(void)arg;
	return !take_request(0) ? -1 : at >= next ? 0 : (int)((next - at) / 1000 + 1);
}

static void
begin_copy(void *arg)
{
	(void)arg;
	reading.tool->say = reading.tool->diag.say = NULL;
	reading.last = clock_now();
}

static void
made(void *arg)
{
	(void)arg;
	reading.last = clock_now();
	reading.wanted = NO_SLOT;
}

static void
note(void *arg, enum diag_level level, const char *text)
{
	(void)arg;
	if (level == DIAG_NOTE && tool_given.quiet)
		return;
	buf_printf(&reading.notes, "%s%s%s", reading.notes.n ? "\n" : "",
	    level == DIAG_WARN ? READER_WARNING : "", text);
}

/* Writes the sum to the slot that was asked for. */
static int
write_sum(void)
{
	const int fd = reading.r->slot[reading.wanted];
	struct tool *t = reading.tool;
	struct encode e = { .dict = t->dict, .diag = &t->diag, .names = &t->names,
	    .given = &t->options };
	struct pipeline p = { 0 };
	int r;

	if (lseek(fd, 0, SEEK_SET) < 0 || ftruncate(fd, 0) < 0)
		return diag_fail_plain(&t->diag, "temporary file: %s", strerror(errno));
	e.out = out_fd(fcntl(fd, F_DUPFD_CLOEXEC, 3), "temporary file", &t->diag);
	codec_encode(&codec_prof, &e, &p);
	r = merge_write(reading.merge, p.first);
	pipeline_free(&p);
	return out_close(e.out, r == 0) < 0 ? -1 : r;
}

/* Sends bytes; nobody may be there any more. */
static void
give(const void *from, size_t n)
{
	const char *p = from;
	ssize_t given;

	while (n && ((given = write(reading.r->answer, p, n)) > 0 ||
	    (given < 0 && errno == EINTR))) {
		if (given < 0)
			continue;
		p += given;
		n -= (size_t)given;
	}
}

/* Writes what came, if it could be read, and reports it. */
static void
answer(int r, bool ended)
{
	struct reader_news news = { .slot = reading.wanted, .ended = ended,
	    .at = reading.last - reading.began };
	const struct buf *notes = &reading.notes, *error = &reading.tool->diag.error;

	if (r == 0)
		r = write_sum();
	if (r < 0) {
		news.slot = NO_SLOT;
		news.failed = true;
		news.error = error->n;
	}
	news.notes = notes->n;
	give(&news, sizeof news);
	give(notes->s, news.notes);
	give(error->s, news.error);
}

/* A part for each value of its facts, as the tables can show them. */
static struct merge *
new_merge(struct tool *t)
{
	static const struct merge_how how = { .ngroup_by = 5,
	    .group_by = { BY_PART, BY_THREAD, BY_PID, BY_CMD, BY_SOURCE } };
	struct merge_how of_tool = how;

	of_tool.dict = t->dict;
	of_tool.diag = &t->diag;
	return merge_new(&of_tool);
}

static _Noreturn void
read_input(struct tool *t, struct reader *r, bool follow)
{
	const struct snapshots snapshots = { .due = due, .wake = r->ask, .follow = follow,
	    .begin_copy = begin_copy, .made = made };
	struct pipeline p = { 0 };
	int ret;

	signal(SIGINT, SIG_IGN);
	reading.tool = t;
	reading.r = r;
	reading.wanted = NO_SLOT;
	reading.began = reading.last = clock_now();
	reading.merge = new_merge(t);
	t->say = t->diag.say = note;
	t->lines = true;	/* for the source */
	t->jobs = 1;		/* a copy has no other thread */
	pipeline_add(&p, merge_sink(reading.merge));
	snapshots_begin(&snapshots);
	ret = tool_run(t, &p);
	reading.last = clock_now();
	while (!snapshot_is() && !take_request(-1))
		;
	answer(ret, !snapshot_is());
	_exit(EXIT_DONE);
}

/* ---- the process that asks ---- */

static int
make_slots(struct reader *r, struct tool *t)
{
	struct buf name = { 0 };
	size_t i;
	int ret = 0;

	for (i = 0; i < READER_SLOTS && ret == 0; i++)
		if ((r->slot[i] = temporary_file(&name)) < 0)
			ret = diag_fail_plain(&t->diag, "%s: %s", buf_str(&name),
			    strerror(errno));
	buf_free(&name);
	return ret;
}

int
reader_start(struct reader *r, struct tool *t, bool follow)
{
	int ask[2], news[2];

	if (make_slots(r, t) < 0)
		return -1;
	if (system_pipe(ask) < 0 || system_pipe(news) < 0 || (r->pid = fork()) < 0)
		return diag_fail_plain(&t->diag, "cannot start a process that reads the "
		    "input: %s",
		    strerror(errno));
	progress_hide();
	r->ask = ask[r->pid ? 1 : 0];
	r->answer = news[r->pid ? 0 : 1];
	close(ask[r->pid ? 0 : 1]);
	close(news[r->pid ? 1 : 0]);
	if (r->pid == 0)
		read_input(t, r, follow);
	return 0;
}

void
reader_ask(struct reader *r, uint32_t slot)
{
	(void)!write(r->ask, &slot, sizeof slot);
}

static bool
receive(struct reader *r, void *to, size_t n)
{
	char *p = to;
	ssize_t got;

	/* A signal, as that of a terminal's new size, may come between. */
	while (n && ((got = read(r->answer, p, n)) > 0 || (got < 0 && errno == EINTR))) {
		if (got < 0)
			continue;
		p += got;
		n -= (size_t)got;
	}
	return !n;
}

static bool
receive_text(struct reader *r, struct buf *to, size_t n)
{
	to->n = 0;
	if (!receive(r, buf_room(to, n), n))
		return false;
	to->n = n;
	return true;
}

bool
reader_answer(struct reader *r, int milliseconds, struct reader_news *news, struct buf *notes,
    struct buf *error)
{
	struct pollfd p = { .fd = r->answer, .events = POLLIN };

	if (poll(&p, 1, milliseconds) <= 0)
		return false;
	if (receive(r, news, sizeof *news) && receive_text(r, notes, news->notes) &&
	    receive_text(r, error, news->error))
		return true;
	*news = (struct reader_news){ .slot = NO_SLOT, .ended = true, .failed = true };
	notes->n = error->n = 0;
	buf_puts(error, "the process that reads the input has died");
	return true;
}

void
reader_read(struct reader *r, struct tool *t, uint32_t slot)
{
	static char path[32], *files[] = { path };

	snprintf(path, sizeof path, "/dev/fd/%d", r->slot[slot]);
	tool_read_copies(t, files, 1);
}

void
reader_stop(struct reader *r)
{
	size_t i;

	if (r->pid <= 0)
		return;
	kill(r->pid, SIGKILL);
	waitpid(r->pid, NULL, 0);
	close(r->ask);
	close(r->answer);
	for (i = 0; i < READER_SLOTS; i++)
		close(r->slot[i]);
	r->pid = 0;
}

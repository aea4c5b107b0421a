/* SPDX-License-Identifier: ISC */
#include "tool_live.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/progress.h"
#include "io/snapshot.h"
#include "io/term.h"
#include "tool_parts.h"
#include "util/clock.h"
#include "util/printable.h"
#include "view/rate.h"

struct live_opts live_opts;

static struct {
	struct tool *tool;
	uint64_t began, last;	/* microseconds: the first and the last table */
	/* A copy leaves these to the next one. */
	struct shown {
		uint64_t at;
		num total;
		uint64_t tables;
	} *shown;
} live;

#define CLEAR "\033[H\033[J"

static int
due(void *arg)
{
	const uint64_t at = clock_now();

	(void)arg;
	if (!live_opts.every)
		return -1;
	return at >= live.last + live_opts.every ? 0 :
	    (int)((live.last + live_opts.every - at + 999) / 1000);
}

/* The copy reports nothing: what ends too early is not ended yet. */
static void
begin_copy(void *arg)
{
	(void)arg;
	signal(SIGINT, SIG_IGN);
	live.tool->say = live.tool->diag.say = NULL;
	live.last = clock_now();
}

static void
made(void *arg)
{
	(void)arg;
	live.last = clock_now();
}

static void
ended(void *arg)
{
	const char *const between = term_is() ? CLEAR : "\n";

	(void)arg;
	if (live.shown->tables)
		(void)!write(STDOUT_FILENO, between, strlen(between));
}

void
live_begin(struct tool *t)
{
	static const struct snapshots snapshots = { .due = due, .wake = -1,
	    .begin_copy = begin_copy, .made = made, .ended = ended };
	static struct snapshots growing;

	if (!live_opts.every && !live_opts.follow)
		return;
	if (tool_holds())
		tool_misuse(t, "--live and --follow cannot be combined with rules that need the "
		    "whole profile: min-cost, min-share");
	live.tool = t;
	live.began = live.last = clock_now();
	live.shown = mmap(NULL, sizeof *live.shown, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (live.shown == MAP_FAILED)
		tool_misuse(t, "--live: out of memory");
	progress_hide();
	t->jobs = 1;		/* a copy has no other thread */
	growing = snapshots;
	growing.follow = live_opts.follow;
	snapshots_begin(&growing);
}

bool
live_is_copy(void)
{
	return snapshot_is();
}

void
live_print_head(const struct rank *r, struct text event, size_t width, struct output *out)
{
	const struct shown before = *live.shown;
	struct buf b = { 0 }, cut = { 0 };
	const num total = rate_total(r, event);

	if (term_is()) {
		out_set_content(out, OUT_TERMINAL);
		out_puts(out, CLEAR);
	} else if (before.tables) {
		out_puts(out, "\n");
	}
	*live.shown = (struct shown){ live.last, total, before.tables + 1 };
	rate_add_time(&b, live.last - live.began);
	buf_puts(&b, ", ");
	rate_add(&b, r, event, total - before.total,
	    live.last - (before.tables ? before.at : live.began));
	printable_cut(&cut, buf_as_text(&b), width ? width : SIZE_MAX);
	buf_putc(&cut, '\n');
	out_text(out, buf_as_text(&cut));
	buf_free(&b);
	buf_free(&cut);
}

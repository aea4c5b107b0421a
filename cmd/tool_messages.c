/* SPDX-License-Identifier: ISC */
/* Messages, and cleanup before the program ends early. */
#include "tool_parts.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/output.h"
#include "io/pager.h"
#include "io/progress.h"
#include "util/mem.h"
#include "util/printable.h"

static const char *name;	/* of the tool */
static const bool *quiet;	/* print no notes */

void
tool_abandon(void)
{
	out_abandon();
	pager_abandon();
}

static void
out_of_memory(size_t size)
{
	progress_clear();
	tool_abandon();
	if (size)
		fprintf(stderr, "%s: out of memory (%zu bytes wanted)\n", name, size);
	else
		fprintf(stderr, "%s: out of memory\n", name);
	_exit(EXIT_TROUBLE);
}

/* After an interrupt, -o FILE keeps the old file, and leaves no temporary one. */
static void
interrupted(int sig)
{
	tool_abandon();
	signal(sig, SIG_DFL);
	raise(sig);
}

void
tool_catch_signals(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE,
	    SIGXCPU, SIGXFSZ };
	size_t i;

	for (i = 0; i < sizeof sigs / sizeof *sigs; i++)
		if (signal(sigs[i], interrupted) == SIG_IGN)
			signal(sigs[i], SIG_IGN);
}

void
tool_print(const char *what, const char *text)
{
	struct buf b = { 0 };

	progress_clear();
	printable_add(&b, text_of(text));
	fprintf(stderr, "%s: %s%s\n", name, what, buf_str(&b));
	buf_free(&b);
}

static void
say(void *arg, enum diag_level level, const char *text)
{
	(void)arg;
	if (level == DIAG_NOTE && *quiet)
		return;
	tool_print(level == DIAG_WARN ? "warning: " : "", text);
}

void
tool_begin_messages(struct tool *t, const bool *no_notes)
{
	name = t->name;
	quiet = no_notes;
	mem_failed = out_of_memory;
	t->say = t->diag.say = say;
	t->diag.work = progress_work;
}

void
tool_say_error(struct tool *t)
{
	progress_clear();
	if (t->diag.error.n) {
		if (t->diag.hint)
			buf_printf(&t->diag.error, " (%s)", t->diag.hint);
		tool_print("", buf_str(&t->diag.error));
	}
	t->diag.hint = NULL;
	t->diag.error.n = 0;
}

void
tool_fail(struct tool *t)
{
	tool_say_error(t);
	exit(EXIT_TROUBLE);
}

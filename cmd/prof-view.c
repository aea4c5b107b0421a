/* SPDX-License-Identifier: ISC */
/* prof-view: browse a profile on a terminal. */
#include "tool.h"
#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "browse/browser.h"
#include "browse/last_second.h"
#include "io/temporary.h"
#include "rules/rules.h"
#include "tool_reader.h"
#include "tool_sides.h"
#include "tool_words.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/shell_word.h"

static struct opt_list dirs;
static bool any_source, follow;

static const struct opt opts[] = {
	{ "include", 'I', OPT_LIST, "DIR", &dirs,
	    "also look for sources in this directory", NULL },
	{ "any-source", 0, OPT_FLAG, NULL, &any_source,
	    "read any file that the profile names", NULL },
	{ "follow", 0, OPT_FLAG, NULL, &follow,
	    "read a file that grows, and show new records", NULL },
	OPT_END
};

static void take_sides(struct tool *t);

static struct tool tool = {
	.name = "prof-view",
	.usage = "[options] [FILE...] [-- NEW...]",
	.summary = "Browse a profile on a terminal: functions, callers, tree, source, stacks.",
	.example = "prof-view callgrind.out.123",
	.heading = "browsing",
	.opts = opts,
	.take = take_sides,
	.writes_at_end = true,
};

static struct profile profile;
static struct buf options, operands, source_options, before;
static int spool = -1;		/* a file that holds a difference */

/* A profile that goes on is read by another process. */
static struct {
	struct reader reader;
	bool is;
	bool asked;
	uint32_t shown;		/* the slot that is shown; NO_SLOT: none is */
	uint64_t at[READER_SLOTS];	/* microseconds: when the profiles of slots were made;
					 * 0: there is none */
	uint64_t taken, next;	/* microseconds: when the last one was taken, and when the next
				 * may be */
	struct buf notes, error;	/* of the process */
} live = { .shown = NO_SLOT };

/* ---- differences ---- */

static int
make_spool(struct tool *t)
{
	struct buf name = { 0 };

	if ((spool = temporary_file(&name)) < 0)
		diag_fail_plain(&t->diag, "%s: %s", buf_str(&name), strerror(errno));
	buf_free(&name);
	return spool;
}

/* Reads the spool from now on. */
static void
read_spool(struct tool *t)
{
	static char path[32], *files[] = { path };

	snprintf(path, sizeof path, "/dev/fd/%d", spool);
	t->files = files;
	t->nfiles = 1;
}

/* Runs prof-diff with the files and the options for the input, and its output in the spool. */
static int
run_diff(struct tool *t)
{
	int status = 0, n;
	char **words = tool_words(t, "prof-diff", &n);
	const pid_t pid = fork();

	if (pid == 0) {
		if (dup2(spool, STDOUT_FILENO) >= 0)
			_exit(prof_diff(n, words));
		_exit(EXIT_TROUBLE);
	}
	tool_words_free(words);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return diag_fail_plain(&t->diag, "cannot compare: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status) == EXIT_TROUBLE)
		exit(EXIT_TROUBLE);	/* it has reported the reason */
	return 0;
}

/* With OLD... -- NEW... the profile is their difference. */
static void
take_sides(struct tool *t)
{
	const bool sides = sides_are_given(t);

	tool_input_words(t, sides, &options);	/* or --rules, as they are in force */
	tool_operand_words(t, &operands);
	if (!sides)
		return;
	if (make_spool(t) < 0 || run_diff(t) < 0)
		exit(tool_end(t, NULL, -1, EXIT_TROUBLE));
	buf_printf(&before, "prof-diff%s%s %s | ", options.n ? " " : "", buf_str(&options),
	    buf_str(&operands));
	options.n = operands.n = 0;
	while (tool_rules(0))	/* prof-diff has applied them */
		tool_turn_rules(t, tool_rules(0), false);
	read_spool(t);
}

/* ---- a profile that goes on ---- */

#define SECOND 1000000

static bool
is_file(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && (stat(path, &st) < 0 || !S_ISFIFO(st.st_mode));
}

static bool
goes_on(const struct tool *t)
{
	int i;

	for (i = 0; i < t->nfiles && is_file(t->files[i]); i++)
		;
	return follow || i < t->nfiles;
}

/* Returns the slot with the last profile that is a second older than the one shown; NO_SLOT:
 * there is none. */
static uint32_t
find_before(void)
{
	uint32_t i, best = NO_SLOT;

	for (i = 0; i < READER_SLOTS; i++)
		if (live.at[i] && live.at[i] + SECOND <= live.at[live.shown] + SECOND / 20 &&
		    (best == NO_SLOT || live.at[i] > live.at[best]))
			best = i;
	return best;
}

/* Asks for the next profile, in the slot with the oldest one that is not needed. */
static void
ask(void)
{
	const uint32_t earlier = live.shown == NO_SLOT ? NO_SLOT : find_before();
	uint32_t i, best = NO_SLOT;

	for (i = 0; i < READER_SLOTS; i++)
		if (i != live.shown && i != earlier &&
		    (best == NO_SLOT || live.at[i] < live.at[best]))
			best = i;
	live.at[best] = 0;
	live.asked = true;
	reader_ask(&live.reader, best);
}

/* Takes an answer; at the end of the input, also the notes and the error. */
static void
take_news(const struct reader_news *news, struct text notes, struct text error)
{
	live.asked = false;
	if (news->ended) {
		profile.live.on = false;
		buf_text(&live.notes, notes);
		buf_text(&live.error, error);
	}
	if (news->slot == NO_SLOT)
		return;
	live.shown = news->slot;
	live.at[live.shown] = profile.live.at = news->at + 1;
	reader_read(&live.reader, &tool, live.shown);
}

#define REST 4			/* times as long as a profile took to be shown */

/* Is it time for the next one?  The first call after one was taken is when it is shown. */
static bool
is_time(void)
{
	const uint64_t at = clock_now();

	if (live.taken)
		live.next = at + REST * (at - live.taken);
	live.taken = 0;
	return at >= live.next;
}

static bool
more(int milliseconds)
{
	struct reader_news news;
	struct buf notes = { 0 }, error = { 0 };

	if (!is_time() || profile.live.paused)
		return false;
	if (!live.asked)
		ask();
	if (!reader_answer(&live.reader, milliseconds, &news, &notes, &error))
		return false;
	take_news(&news, buf_as_text(&notes), buf_as_text(&error));
	if (news.ended && (notes.n || error.n))
		diag_say(&tool.diag, DIAG_WARN, "%s%s%s", buf_str(&notes),
		    notes.n && error.n ? "\n" : "", buf_str(&error));
	buf_free(&notes);
	buf_free(&error);
	live.taken = clock_now();
	return news.ended || !news.failed;
}

#define PATIENCE 1000		/* milliseconds */

/* Starts to read, and waits for the first profile. */
static int
read_live(struct tool *t)
{
	int i;

	for (i = 0; i < t->nfiles; i++)
		tool_refuse_terminal(t, t->files[i]);
	if (reader_start(&live.reader, t, follow) < 0)
		return -1;
	live.is = profile.live.on = true;
	profile.more = more;
	t->diag.say = NULL;
	while (profile.live.on && live.shown == NO_SLOT)
		more(PATIENCE);
	tool_read_quietly(t);
	t->diag.say = t->say;
	if (!before.n)
		buf_puts(&before, "... | ");
	return live.shown == NO_SLOT ? -1 : 0;
}

/* Prints lines of notes and warnings. */
static void
say_notes(struct tool *t, const char *line)
{
	const size_t mark = strlen(READER_WARNING);

	for (;;) {
		const size_t n = strcspn(line, "\n");
		const bool warning = strncmp(line, READER_WARNING, mark) == 0;

		diag_say(&t->diag, warning ? DIAG_WARN : DIAG_NOTE, "%.*s",
		    (int)(warning ? n - mark : n), warning ? line + mark : line);
		if (!line[n])
			return;
		line += n + 1;
	}
}

/* Prints what the process has reported, and takes its error. */
static int
end_live(struct tool *t, int r)
{
	reader_stop(&live.reader);
	t->diag.say = t->say;
	if (live.notes.n)
		say_notes(t, buf_str(&live.notes));
	if (live.error.n) {
		t->diag.error.n = 0;
		r = diag_fail_plain(&t->diag, "%s", buf_str(&live.error));
	}
	buf_free(&live.notes);
	buf_free(&live.error);
	return r;
}

/* ---- the profile ---- */

static struct pipeline
begin(void)
{
	return tool_filters(&tool);
}

/* Reads what has come in the last second, if only that is shown. */
static int
run_last_second(struct pipeline *p, uint32_t earlier)
{
	struct pipeline both = *p;
	struct last_second w;
	int r;

	last_second_init(&w, p->first, &tool.diag);
	both.first = &w.sink;
	r = tool_run(&tool, &both);
	w.before = true;
	reader_read(&live.reader, &tool, earlier);
	if (r == 0)
		r = tool_run(&tool, &both);
	reader_read(&live.reader, &tool, live.shown);
	last_second_free(&w);
	return r;
}

static int
run(struct pipeline *p, bool lines)
{
	const uint32_t earlier = live.is && profile.live.recent ? find_before() : NO_SLOT;
	void (*const say)(void *, enum diag_level, const char *) = tool.diag.say;
	int r;

	if (live.is)
		profile.live.span = live.at[live.shown] -
		    (earlier == NO_SLOT ? 0 : live.at[earlier]);
	tool.lines = lines;
	r = earlier == NO_SLOT ? tool_run(&tool, p) : run_last_second(p, earlier);
	if (r == 0 && tool.none.n)
		r = diag_fail_plain(&tool.diag, "--where keeps nothing: %s",
		    buf_str(&tool.none));
	tool.none.n = 0;
	tool_read_quietly(&tool);
	tool.diag.say = say;
	return r;
}

/* ---- rules ---- */

/* Notes which rules are on. */
static void
note_rules(void)
{
	const char *what;
	size_t i;

	profile.in_force.n = profile.rule_options.n = 0;
	for (i = 0; (what = tool_rules(i)); i++) {
		buf_printf(&profile.in_force, "%s%s", i ? ", " : "", what);
		buf_puts(&profile.rule_options, " --rules ");
		shell_word_add(&profile.rule_options, text_of(what));
	}
}

static int
turn(struct profile_rules *r)
{
	const int ret = tool_turn_rules(&tool, r->what, r->on);

	note_rules();
	return ret;
}

static void
add_rules(struct text what, struct text about, bool on)
{
	size_t i;

	for (i = 0; i < profile.nrules; i++)
		if (text_is(what, profile.rules[i].what))
			break;
	if (i < profile.nrules) {
		free(profile.rules[i].about);
		profile.rules[i].about = mem_copy(about.s, about.n);
		return;
	}
	profile.rules = mem_resize(profile.rules, profile.nrules + 1, sizeof *profile.rules);
	profile.rules[profile.nrules++] = (struct profile_rules){ .on = on,
	    .what = mem_copy(what.s, what.n), .about = mem_copy(about.s, about.n) };
}

/* Lists the rules of the command line, then those that have a name. */
static void
list_rules(void)
{
	struct buf list = { 0 };
	struct text line, name, dir;
	const char *what, *s;
	size_t i;

	for (i = 0; (what = tool_rules(i)); i++)
		add_rules(text_of(what), TEXT("of the command line"), true);
	if (rules_list(&list, &tool.diag) < 0)
		tool.diag.error.n = 0;
	for (s = buf_str(&list); *s; s = line.s + line.n + 1) {
		line = (struct text){ s, strcspn(s, "\n") };
		fields_next(&line, &name);
		fields_next(&line, &dir);
		add_rules(name, line, false);
	}
	buf_free(&list);
	profile.turn = turn;
	note_rules();
}

static void
set_profile(void)
{
	size_t i;

	list_rules();
	profile.dict = tool.dict;
	profile.diag = &tool.diag;
	profile.schema = tool.schema;
	profile.begin = begin;
	profile.run = run;
	profile.before = before.n ? buf_str(&before) : NULL;
	profile.options = buf_str(&options);
	profile.operands = buf_str(&operands);
	for (i = 0; i < dirs.n; i++) {
		buf_puts(&source_options, "--include ");
		shell_word_add(&source_options, text_of(dirs.item[i]));
		buf_putc(&source_options, ' ');
	}
	buf_puts(&source_options, any_source ? "--any-source " : "");
	profile.source_options = buf_str(&source_options);
	profile.search = (struct source_search){ .dir = dirs.item, .ndir = dirs.n,
	    .any = any_source, .vouched = tool_is_source, .arg = &tool };
}

/* Prints the commands and pages that were asked for. */
static int
print_last(struct tool *t, const struct buf *b)
{
	if (fwrite(b->s, 1, b->n, stdout) == b->n && fflush(stdout) == 0)
		return 0;
	return errno == EPIPE ? diag_stop(&t->diag) :
	    diag_fail_plain(&t->diag, "standard output: %s", strerror(errno));
}

int
prof_view(int argc, char **argv)
{
	struct buf last = { 0 };
	int r;

	tool_begin(&tool, argc, argv);
	profile_init(&profile);
	r = goes_on(&tool) ? read_live(&tool) : 0;
	set_profile();
	if (r == 0)
		r = browse(&profile, &last);
	if (live.is)
		r = end_live(&tool, r);
	profile_free(&profile);
	tool_forget_sources();
	if (last.n && print_last(&tool, &last) < 0)
		r = -1;
	buf_free(&last);
	buf_free(&options);
	buf_free(&operands);
	buf_free(&source_options);
	buf_free(&before);
	free(dirs.item);
	return tool_end(&tool, NULL, r, EXIT_DONE);
}

/* SPDX-License-Identifier: ISC */
/*
 * The stacks of threads, as gdb's `thread apply all bt`, pstack and eu-stack print them.  Each
 * is a sample:
 *
 *	Thread 2 (Thread 0x7fe40cd3d6c0 (LWP 21629) "sort"):
 *	#0  0x00005558c1844636 in less (a=3, b=4) at sort.c:7
 *	#1  std::__invoke<main()::<lambda()> > (__fn=...) at /usr/include/c++/12/bits/invoke.h:96
 *	#2  0x00007fe40d0d44a3 in ?? () from /lib/libstdc++.so.6
 *
 *	TID 21629:
 *	#0  0x00005558c1844636 less
 *
 * On a terminal gdb wraps the line of a frame, which goes on after blanks, and asks questions
 * within a stack.
 */
#include "words.h"

#include "stacks.h"

#include <inttypes.h>

/* Takes "#12  " off a line: is it a frame? */
static bool
take_level(struct text *t, uint64_t *level)
{
	if (!take(t, "#") || !take_digits(t, 10, level) || !t->n || *t->s != ' ')
		return false;
	*t = words_trim(*t);
	return t->n;
}

/* Returns the number in "TID 21629:"; absent: it is another line. */
static struct text
tid_of(struct text line)
{
	if (!take(&line, "TID ") || !text_ends(line, ":"))
		return (struct text){ 0 };
	line.n--;
	return is_number(line) ? line : (struct text){ 0 };
}

/* Is it the line of a thread?  Its number has that of the program before it, "1.2", if gdb
 * has several. */
static bool
is_thread(struct text line)
{
	struct text number;
	size_t i;

	if (!take(&line, "Thread "))
		return false;
	number = words_first(&line);
	for (i = 0; i < number.n && (is_digit(number.s[i]) || number.s[i] == '.'); i++)
		;
	return i && i == number.n && line.n && *line.s == '(' && text_ends(line, "):");
}

/* Takes gdb's prompts off a line, whose commands come from its input. */
static bool
take_prompts(struct text *line)
{
	bool any = text_is(*line, "(gdb)");

	while (take(line, "(gdb) "))
		any = true;
	return any;
}

/* Does the pager ask whether to go on? */
static bool
is_pager(struct text line)
{
	return text_begins(line, "---Type <return> to continue") ||
	    text_begins(line, "--Type <RET> for more");
}

/* Is it the rest of a frame's line?  Variables have more blanks. */
static bool
is_rest(struct text line)
{
	const size_t n = count_blanks(line);

	return n && n < 8 && n < line.n && *line.s == ' ';
}

/* Is it of the variables that `bt full` prints below a frame? */
static bool
is_variable(struct text line)
{
	return (line.n && is_blank(*line.s)) || text_is(line, "No locals.") ||
	    text_is(line, "No symbol table info available.");
}

/* Is it what gdb prints about itself and the program, or eu-stack's process? */
static bool
is_remark(struct text line)
{
	static const char *const known[] = { "[", "PID ", "warning: ", "Using host libthread_db ",
	    "Reading ", "Backtrace stopped: ", "0x", "(More stack frames follow" };
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (text_begins(line, known[i]))
			return true;
	return is_digit(*line.s);	/* a line of the source */
}

static enum sight
see(struct text line)
{
	struct text t = line;
	uint64_t level;

	if (is_thread(line) || tid_of(line).s || text_begins(line, "(gdb) ") ||
	    text_begins(line, "GNU gdb "))
		return LINE_OWN;
	if (take_level(&t, &level))
		return is_address(words_first(&t)) && (take(&t, "in ")) ? LINE_OWN : LINE_LIKELY;
	return is_remark(line) ? LINE_LIKELY : LINE_FOREIGN;
}

/* ---- frames ---- */

/* Returns the end of the name: the " (" before the arguments, which is not within "<>". */
static const char *
name_end(struct text t)
{
	const char *p, *end = t.s + t.n;
	int depth = 0;

	for (p = t.s; p < end; p++) {
		if (end - p > 8 && memcmp(p, "operator", 8) == 0)
			for (p += 8; p < end && strchr("<>=-()", *p) && *p; p++)
				;
		if (end - p > 1 && p > t.s && !depth && p[0] == ' ' && p[1] == '(')
			return p;
		if (p < end)
			depth += (*p == '<') - (*p == '>' && depth);
	}
	return NULL;
}

/* Takes what comes after the arguments: " at FILE:LINE" or " from OBJECT". */
static void
take_place(struct text t, struct frame *f)
{
	const char *at = find_last(t, ") at "), *from = find_last(t, ") from ");

	if (from && (!at || at < from))
		f->object = text_between(from + 7, t.s + t.n);
	else if (at)
		split_line(text_between(at + 5, t.s + t.n), &f->file, &f->line);
}

static void
split(struct text line, struct frame *f)
{
	struct text t = line, rest = line, addr = words_first(&rest);
	const char *end;

	if (is_address(addr)) {
		t = rest;
		take(&t, "in ");
	}
	if ((end = name_end(t))) {
		take_place(text_between(end, t.s + t.n), f);
		t = text_between(t.s, end);
	}
	f->name = (!t.n || text_is(t, "??")) && is_address(addr) ? addr : if_any(t);
}

/* ---- threads ---- */

static int
end_thread(struct reader *rd)
{
	rd->levels = 0;
	return stacks_end_thread(rd);
}

/* Reads "Thread 2 (Thread 0x7fe40cd3d6c0 (LWP 21629) "sort"):" or "Thread 1 (process 77):". */
static void
read_thread(struct reader *rd, struct text line)
{
	static const struct { const char *before, *label; } numbers[] = {
		{ "process ", "pid" }, { "LWP ", "tid" },
	};
	const char *p, *end = line.s + line.n, *quote, *last;
	size_t i;

	for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const size_t n = strlen(numbers[i].before);
		struct text t;

		if (!(p = memmem(line.s, line.n, numbers[i].before, n)))
			continue;
		for (t = (struct text){ p + n, 0 }; t.s + t.n < end && is_digit(t.s[t.n]); t.n++)
			;
		if (t.n)
			attr_add(&rd->labels, numbers[i].label, t);
	}
	quote = memchr(line.s, '"', line.n);
	last = find_last(line, "\"");
	if (quote && quote < last)
		attr_add(&rd->labels, "comm", text_between(quote + 1, last));
}

static int
read_frame(struct reader *rd, struct text t, uint64_t level)
{
	int ret = !level && rd->levels ? end_thread(rd) : LINE_OK;

	if (ret)
		return ret;
	if (level != rd->levels) {
		const uint64_t n = rd->levels;

		rd->levels = level + 1;
		return BAD("expected frame %" PRIu64 ", found %" PRIu64, n, level);
	}
	rd->levels++;
	rd->wraps = !rd->pid.n;	/* eu-stack has the source there */
	return stacks_add_line(rd, t);
}

/* Reads a line that is not of a frame.  What gdb prints about itself does not end a stack. */
static int
read_other(struct reader *rd, struct text line)
{
	const struct text tid = tid_of(line);
	struct text t = line;
	int ret;

	if (text_begins(line, "(More stack frames follow...)") && rd->lines.n)
		return stacks_add_line(rd, TEXT("[truncated]"));
	if (rd->lines.n && is_variable(line))
		return LINE_OK;
	if (((rd->lines.n && !line.n) || is_thread(line) || tid.s) && (ret = end_thread(rd)))
		return ret;
	if (is_thread(line)) {
		rd->open = true;
		read_thread(rd, line);
	} else if (take(&t, "PID ")) {
		rd->pid = words_first(&t);
	} else if (tid.s) {
		rd->open = true;
		if (is_number(rd->pid))
			attr_add(&rd->labels, "pid", rd->pid);
		attr_add(&rd->labels, "tid", tid);
	} else if (line.n && !is_remark(line)) {
		stacks_drop_line(rd, line);
	}
	return LINE_OK;
}

static int
read(struct reader *rd, struct text line)
{
	const bool prompt = take_prompts(&line);
	struct text t = line;
	uint64_t level;
	int ret;

	if (is_pager(line))
		return LINE_OK;
	if (prompt && (ret = end_thread(rd)))
		return ret;
	if (rd->wraps && is_rest(line))
		return stacks_add_rest(rd, words_trim(line));
	rd->wraps = false;
	if (take_level(&t, &level))
		return read_frame(rd, t, level);
	return prompt && !is_thread(line) ? LINE_OK : read_other(rd, line);
}

static int
end(struct reader *rd)
{
	return end_thread(rd);
}

const struct dialect stacks_gdb = {
	.name = "gdb", .see = see, .read = read, .split = split, .end = end, .lines = true,
};

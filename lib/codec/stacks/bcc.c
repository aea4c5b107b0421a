/* SPDX-License-Identifier: ISC */
/*
 * The tools of bcc that print stacks: profile and offcputime
 *
 *	    spin
 *	    main
 *	    -                hot (1234)
 *	        77
 *
 * and stackcount, with two blanks before a frame, and "    hot [1234]" if it counts
 * processes (tools/profile.py, tools/offcputime.py, tools/stackcount.py).
 */
#include "words.h"

#include "stacks.h"

static bool
is_header(struct text line)
{
	return text_begins(line, "Sampling at ") || text_begins(line, "Tracing ");
}

/* Returns the process in "    -                NAME (PID)"; absent: it is another line. */
static struct text
process(struct text line)
{
	struct text t = line;

	return take(&t, "    -                ") ? t : (struct text){ 0 };
}

static enum sight
see(struct text line)
{
	if (process(line).s || (text_begins(line, "Sampling at ") && text_ends(line, ".") &&
	    memmem(line.s, line.n, " stack", 6)) ||
	    text_begins(line, "Tracing off-CPU time (us) of ") ||
	    (text_begins(line, "Tracing ") && memmem(line.s, line.n, " functions for \"", 16)))
		return LINE_OWN;
	return *line.s == ' ' || text_begins(line, "^C") ? LINE_LIKELY : LINE_FOREIGN;
}

/* Splits "name", "name+0x1f [object]" or "0x1234 name"; without 0x, as stackcount prints
 * addresses, they have 8 digits or more. */
static void
split(struct text line, struct frame *f)
{
	struct text t = words_trim(line), rest = t, addr = words_first(&rest);
	const char *open;
	size_t i;

	for (i = 0; i < addr.n && is_hex(addr.s[i]); i++)
		;
	if (rest.n && (is_address(addr) || (i == addr.n && i >= 8)))
		t = rest;
	open = find_last(t, " [");
	if (open && text_ends(t, "]")) {
		f->object = text_between(open + 2, t.s + t.n - 1);
		t = text_between(t.s, open);
	}
	t = without_offset(t, "+0x", is_hex);
	f->name = text_is(t, "[unknown]") ? (struct text){ 0 } : if_any(t);
}

/* Takes a process and its number, which ends the text, between two such characters. */
static bool
take_process(struct reader *rd, struct text t, char open, char close)
{
	struct text name = t, pid = words_last(&name);

	if (pid.n < 3 || *pid.s != open || pid.s[pid.n - 1] != close)
		return false;
	pid = text_between(pid.s + 1, pid.s + pid.n - 1);
	if (!is_number(pid))
		return false;
	/* Python's print() of bytes. */
	if (rd->counts && name.n > 2 && text_begins(name, "b'") && text_ends(name, "'"))
		name = text_between(name.s + 2, name.s + name.n - 1);
	attr_add(&rd->labels, "comm", name);
	attr_add(&rd->labels, "pid", pid);
	rd->open = true;
	return true;
}

static void
read_header(struct reader *rd, struct text line)
{
	if (text_begins(line, "Tracing off-CPU time (us) of "))
		stacks_set_section(rd, TEXT("off-cpu"), "us");
	rd->counts = memmem(line.s, line.n, " functions for \"", 16) != NULL;
}

/* Checks that no stack is open where one begins, as after a file that is cut. */
static int
check_value(struct reader *rd)
{
	if (!rd->open && !rd->lines.n)
		return LINE_OK;
	stacks_forget(rd);
	return BAD("the stack before this line has no number");
}

static int
read(struct reader *rd, struct text line)
{
	const size_t blanks = count_blanks(line);
	const struct text t = words_trim(line), of = process(line);

	if (!t.n)
		return check_value(rd);
	if (is_header(line)) {
		read_header(rd, line);
		return check_value(rd);
	}
	if (of.s && rd->open) {
		stacks_forget(rd);
		return BAD("expected the number of the stack, found %s", QUOTE(t));
	}
	if (of.s)
		return take_process(rd, of, '(', ')') ? LINE_OK :
		    BAD("expected a process, NAME (PID), found %s", QUOTE(of));
	if (blanks && is_number(t))
		return stacks_end(rd, t);
	if (blanks < 2) {
		if (!text_is(t, "^C") && !text_begins(t, "Detaching"))
			stacks_drop_line(rd, line);
		return LINE_OK;
	}
	if (text_is(t, "--") || (rd->counts && blanks == 4 && take_process(rd, t, '[', ']')))
		return LINE_OK;
	return stacks_add_line(rd, t);
}

const struct dialect stacks_bcc = {
	.name = "bcc", .see = see, .read = read, .split = split,
};

/* SPDX-License-Identifier: ISC */
/*
 * The stacks of SystemTap's print_stack() and its relatives, and a line with a number, which
 * the script prints below them (runtime/sym.c, _stp_snprint_addr()):
 *
 *	 0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]
 *	 0x7f28a30f2000 [libc.so.6+0x2000/0x1b0000]
 *		2404
 *
 * print_backtrace() in a probe on a return has words before the first two frames, which are the
 * function and its caller (runtime/stack.c, _stp_stack_kernel_print()):
 *
 *	Returning from:  0xffffffff811931d0 : expand_files+0x0/0x220 [kernel]
 *	Returning to  :  0xffffffff81193443 : alloc_fd+0x53/0x160 [kernel]
 */
#include "words.h"

#include "stacks.h"

/* Takes "+0x1f/0x20" off the end; was it there? */
static bool
take_place(struct text *t)
{
	const struct text start = without_offset(*t, "/0x", is_hex);
	const struct text name = start.n < t->n ? without_offset(start, "+0x", is_hex) : start;
	const bool found = start.n < t->n && name.n < start.n;

	if (found)
		*t = name;
	return found;
}

/* Returns a line without blanks around it and the words of a return. */
static struct text
frame_of(struct text line)
{
	struct text t = words_trim(line);

	if (!take(&t, "Returning from: "))
		take(&t, "Returning to  : ");
	return words_trim(t);
}

/* Returns the text after the address; absent: the line is not a frame. */
static struct text
after_address(struct text line)
{
	struct text t = frame_of(line);

	return is_address(words_first(&t)) ? t : (struct text){ 0 };
}

/* Takes " [object]" off the end. */
static struct text
take_object(struct text *t)
{
	const char *open = find_last(*t, "[");
	struct text object;

	if (!open || !text_ends(*t, "]") || (open > t->s && open[-1] != ' '))
		return (struct text){ 0 };
	object = text_between(open + 1, t->s + t->n - 1);
	*t = words_trim(text_between(t->s, open));
	take_place(&object);
	return if_any(object);
}

static void
split(struct text line, struct frame *f)
{
	struct text t = after_address(line), all = frame_of(line);
	const char *at;

	f->name = words_first(&all);
	if (text_ends(t, " (inexact)"))
		t.n -= strlen(" (inexact)");
	f->object = take_object(&t);
	if (!take(&t, ": "))
		return;
	if ((at = find_last(t, " at "))) {
		split_line(text_between(at + 4, t.s + t.n), &f->file, &f->line);
		t = text_between(t.s, at);
	}
	take_place(&t);
	if (t.n)
		f->name = t;
}

static enum sight
see(struct text line)
{
	struct text t = after_address(line);

	if (!t.s)
		return count_blanks(line) ? LINE_LIKELY : LINE_FOREIGN;
	take_object(&t);
	return take(&t, ": ") && take_place(&t) ? LINE_OWN : LINE_LIKELY;
}

static int
read(struct reader *rd, struct text line)
{
	const struct text t = words_trim(line);

	if (!t.n)
		return LINE_OK;
	if (after_address(line).s)
		return stacks_add_line(rd, t);
	if (is_number(t) && rd->lines.n)
		return stacks_end(rd, t);
	if (is_number(t))
		rd->drop[DROP_STACKLESS]++;
	else
		stacks_drop_line(rd, line);
	return LINE_OK;
}

const struct dialect stacks_systemtap = {
	.name = "systemtap", .see = see, .read = read, .split = split,
};

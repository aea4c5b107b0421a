/* SPDX-License-Identifier: ISC */
/*
 * The stacks of a Java program's threads, as jstack, jcmd Thread.print and SIGQUIT print them.
 * Each is a sample:
 *
 *	Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):
 *
 *	"main" #1 prio=5 os_prio=0 cpu=25.44ms elapsed=3.76s tid=0x7f9e9c017ea0 nid=0x46dc runnable
 *	   java.lang.Thread.State: RUNNABLE
 *		at Sort.main(Sort.java:68)
 *		- locked <0x000000069ec2a410> (a java.lang.Object)
 *
 *	JNI global refs: 4, weak refs: 0
 */
#include "words.h"

#include "stacks.h"

#include "util/num.h"

static enum sight
see(struct text line)
{
	return text_begins(line, "Full thread dump ") ? LINE_OWN : LINE_FOREIGN;
}

/* Splits "at Class.method(File.java:12)" and "at Class.method(java.base@17/File.java:12)". */
static void
split(struct text line, struct frame *f)
{
	const char *open = find_last(line, "("), *slash;
	struct text place;

	f->name = if_any(line);
	if (!open || !text_ends(line, ")"))
		return;
	f->name = if_any(text_between(line.s, open));
	place = text_between(open + 1, line.s + line.n - 1);
	if ((slash = memchr(place.s, '/', place.n))) {
		f->object = if_any(text_between(place.s, slash));
		place = text_between(slash + 1, place.s + place.n);
	}
	if (!text_is(place, "Native Method") && !text_is(place, "Unknown Source"))
		split_line(place, &f->file, &f->line);
}

/* Adds the label of the thread's number, "nid=0x46dc" or, since JDK 21, "nid=18140". */
static void
add_number(struct reader *rd, struct text line)
{
	const char *at = find_last(line, " nid=");
	struct text t, word;
	char tmp[NUM_TEXT];
	uint64_t tid;

	if (!at)
		return;
	t = text_between(at + 5, line.s + line.n);
	word = words_first(&t);
	if (is_number(word))
		attr_add(&rd->labels, "tid", word);
	else if (is_address(word) && take(&word, "0x") && take_digits(&word, 16, &tid))
		attr_add(&rd->labels, "tid", num_text_u64(tmp, tid));
}

/* Reads the line of a thread, whose name may have quotes in it. */
static int
begin_thread(struct reader *rd, struct text line)
{
	const char *quote = find_last(line, "\" ");
	int ret = stacks_end_thread(rd);

	if (ret)
		return ret;
	if (!quote || quote == line.s)
		return BAD("expected a thread, \"NAME\" ..., found %s", QUOTE(line));
	rd->open = true;
	attr_add(&rd->labels, "comm", text_between(line.s + 1, quote));
	add_number(rd, line);
	return LINE_OK;
}

/* Is it a line of a deadlock, below the dump, which has the stacks of its threads again? */
static bool
is_deadlock(const struct reader *rd, struct text line)
{
	return rd->ended && (*line.s == '\t' || (*line.s == '"' && text_ends(line, "\":")));
}

/* Is it a line outside of threads: a time, locks, the list of threads, the heap after
 * SIGQUIT? */
static bool
is_known(struct text line)
{
	static const char *const known[] = { " ", "\t- ", "Threads class SMR",
	    "_java_thread_list=", "0x", "}", "Heap", "Found ", "===", "Java stack information " };
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (text_begins(line, known[i]))
			return true;
	return is_digit(*line.s);
}

/* Checks that the dump before is complete. */
static int
begin_dump(struct reader *rd)
{
	const bool complete = rd->ended || !rd->begun;

	rd->begun = true;
	rd->ended = false;
	return complete ? LINE_OK : BAD("the dump before this line has no line 'JNI global refs'");
}

/* Is it the last line of a dump? */
static bool
ends(struct text line)
{
	return text_begins(line, "JNI global ref");
}

static int
read(struct reader *rd, struct text line)
{
	struct text t = words_trim(line);

	if (!t.n)
		return stacks_end_thread(rd);
	if (is_deadlock(rd, line))
		return LINE_OK;
	if (*line.s == '"')
		return begin_thread(rd, line);
	if (text_begins(line, "Full thread dump "))
		return begin_dump(rd);
	if (ends(line))
		rd->ended = true;
	else if (rd->open && take(&t, "at "))
		return stacks_add_line(rd, t);
	else if (rd->open && take(&t, "java.lang.Thread.State: "))
		attr_add(&rd->labels, "state", words_first(&t));
	else if (!rd->open && !is_known(line))
		stacks_drop_line(rd, line);
	return LINE_OK;
}

static int
end(struct reader *rd)
{
	if (stacks_end_thread(rd) < 0)
		return -1;
	return rd->ended || rd->scan ? 0 :
	    decode_cut(rd->d, "the file is truncated: no line 'JNI global refs' comes "
	    "after the threads");
}

const struct dialect stacks_jstack = {
	.name = "jstack", .see = see, .read = read, .split = split, .end = end, .ends = ends,
	.lines = true,
};

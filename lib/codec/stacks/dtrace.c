/* SPDX-License-Identifier: ISC */
/*
 * The aggregations of DTrace (lib/libdtrace/common/dt_consume.c):
 *
 *	CPU     ID                    FUNCTION:NAME
 *	  0  64091                        :tick-60s
 *
 *	              unix`trap+0x2c7
 *	              unix`0xfffffffffb8001d6
 *	  sshd                                                             77
 *
 * Keys are printed in their order, a stack between two newlines; by printa("%k %@u\n") no
 * line is indented.
 */
#include "words.h"

#include "stacks.h"

#define INDENT 10		/* blanks before a frame, at least; DTrace's default is 14 */

/* Is it "  0  64091                        :tick-60s"?  The processor has three columns, the
 * numbers of keys have more. */
static bool
is_probe(struct text line)
{
	const size_t blanks = count_blanks(line);
	const struct text cpu = words_first(&line), id = words_first(&line),
	    name = words_first(&line);

	return is_number(cpu) && is_number(id) && memchr(name.s, ':', name.n) &&
	    (!blanks || blanks + cpu.n == 3);
}

/* Is it a frame "module`name", at the end of a line or before an offset? */
static bool
has_module(struct text t)
{
	const char *tick = memchr(t.s, '`', t.n);

	return tick && tick > t.s && tick + 1 < t.s + t.n &&
	    !memchr(t.s, ' ', (size_t)(tick - t.s));
}

/* Is it "module`name+0x1f" or "module`0x1f", as most frames are? */
static bool
is_plain(struct text t)
{
	const char *tick = memchr(t.s, '`', t.n);
	struct text name;
	size_t i;

	if (!tick || tick == t.s)
		return false;
	for (i = 0; t.s + i < tick; i++)
		if (!is_digit(t.s[i]) && !((t.s[i] | 0x20) >= 'a' && (t.s[i] | 0x20) <= 'z') &&
		    !memchr("_.-+", t.s[i], 4))
			return false;
	name = text_between(tick + 1, t.s + t.n);
	return is_address(name) || without_offset(name, "+0x", is_hex).n < name.n;
}

static enum sight
see(struct text line)
{
	const struct text t = words_trim(line);
	const size_t blanks = count_blanks(line);

	if ((!blanks || blanks >= INDENT) && is_plain(t))
		return LINE_OWN;
	return text_begins(line, "CPU     ID") || text_begins(line, "dtrace: ") ||
	    !t.n || blanks ? LINE_LIKELY : LINE_FOREIGN;
}

/* Splits "module`name+0x1f", "module`0x1234", or what a helper printed. */
static void
split(struct text line, struct frame *f)
{
	const char *tick = has_module(line) ? memchr(line.s, '`', line.n) : NULL;
	struct text name = line;

	if (tick) {
		f->object = text_between(line.s, tick);
		name = text_between(tick + 1, line.s + line.n);
	}
	f->name = without_offset(name, "+0x", is_hex);
}

/* Reads keys, each between two blanks or more. */
static void
read_keys(struct reader *rd, struct text t)
{
	const char *p, *gap;

	for (t = words_trim(t); t.n; t = words_trim(text_between(gap, t.s + t.n))) {
		for (p = t.s; (gap = memchr(p, ' ', (size_t)(t.s + t.n - p))); p = gap + 1)
			if (gap + 1 < t.s + t.n && gap[1] == ' ')
				break;
		if (!gap)
			gap = t.s + t.n;
		stacks_add_key(rd, text_between(t.s, gap));
	}
}

/* Reads keys that come before a stack, or a value that has none. */
static int
read_without_stack(struct reader *rd, struct text t)
{
	const struct text next = rd->rest;
	const bool last = !next.n || *next.s == '\n' || *next.s == '\r';
	struct text keys = t;

	/* An empty stack is an empty line, and so begins the next one. */
	if (last && is_number(t))
		return stacks_end(rd, t);
	rd->drop[DROP_STACKLESS] += rd->labels.n != 0;
	stacks_forget(rd);
	if (last && is_number(words_last(&keys))) {
		rd->drop[DROP_STACKLESS]++;
		return LINE_OK;
	}
	read_keys(rd, t);
	rd->open = rd->labels.n;
	return LINE_OK;
}

static bool
is_distribution(struct text t)
{
	return memmem(t.s, t.n, "------------- Distribution -------------", 40);
}

/* Is it a row of a distribution, "  >= 100 |@@@@     7"? */
static bool
is_row(struct text t)
{
	const char *bar = memchr(t.s, '|', t.n);
	struct text from;

	if (!bar || !memchr("@ 0123456789", t.s[t.n - 1], 12))
		return false;
	from = words_trim(text_between(t.s, bar));
	if (take(&from, "<") || take(&from, ">="))
		from = words_trim(from);
	return is_number(from);
}

/* Is it neither of a stack nor its value?  Only these two may have no indentation. */
static bool
is_remark(const struct reader *rd, struct text line)
{
	return text_begins(line, "dtrace: ") || (!count_blanks(line) && !has_module(line) &&
	    !is_address(line) && !(rd->lines.n && is_number(line)));
}

static int
read(struct reader *rd, struct text line)
{
	const struct text t = words_trim(line);
	struct text keys = t, value;

	if (!t.n || text_begins(line, "CPU     ID") || is_probe(line))
		return LINE_OK;
	if (is_distribution(t)) {
		rd->drop[DROP_TABLES]++;
		stacks_forget(rd);
		return LINE_OK;
	}
	if (is_remark(rd, line)) {
		stacks_drop_line(rd, line);
		return LINE_OK;
	}
	if (!rd->lines.n && is_row(t))
		return LINE_OK;
	value = words_last(&keys);
	if (rd->lines.n && is_number(value) && !has_module(t)) {
		read_keys(rd, keys);
		return stacks_end(rd, value);
	}
	if (has_module(t) || is_address(t) || (count_blanks(line) >= INDENT && !is_number(value))) {
		/* "[ text ]" is a helper's remark on the frame above. */
		return text_begins(t, "[ ") && text_ends(t, " ]") ? LINE_OK :
		    stacks_add_line(rd, t);
	}
	return read_without_stack(rd, t);
}

const struct dialect stacks_dtrace = {
	.name = "dtrace", .see = see, .read = read, .split = split,
};

/* SPDX-License-Identifier: ISC */
/*
 * jemalloc's heap profiles (prof_dump() of src/prof_data.c), each stack in several lines, its
 * numbers in all and by thread:
 *
 *	heap_v2/524288
 *	  t*: 3: 48 [4: 64]
 *	  t0: 3: 48 [4: 64]
 *	@ 0x401010 0x402020
 *	  t*: 3: 48 [4: 64]
 *	  t0: 3: 48 [4: 64]
 *
 *	MAPPED_LIBRARIES:
 *
 * Without prof_accum:true nothing counts what was allocated: it is 0.
 */
#include "text.h"

#include <inttypes.h>

/* Takes "t*:" or "t12:". */
static bool
take_thread(const char **p, bool *all)
{
	int64_t thread;

	if (!legacy_take_char(p, 't'))
		return false;
	*all = **p == '*';
	if (*all)
		++*p;
	else if (**p < '0' || **p > '9' || !legacy_take_int(p, &thread))
		return false;
	return legacy_take_char(p, ':');
}

#define TOTALS "'t*: 1: 16 [2: 32]'"

/* Reads the first line, and that of the totals after it. */
static int
jemalloc_header(struct body *b)
{
	const char *p = b->first.s + strlen("heap_v2/");
	struct text line = { 0 };
	bool all;

	if (!legacy_take_int(&p, &b->rate) || p != b->first.s + b->first.n)
		return BAD("expected the average number of bytes from sample to sample, as in "
		    "'heap_v2/524288', found %s", QUOTE(b->first));
	if (!legacy_next_line(b, &line) || (p = line.s, !take_thread(&p, &all)) || !all ||
	    !legacy_take_heap(&p, b->stated) || p != line.s + line.n)
		return BAD("expected totals, as in " TOTALS ", found %s", QUOTE(line));
	b->header.period = b->rate;
	legacy_heap_events(b);
	return 0;
}

/* Reads the numbers of a stack, or the totals of a thread, after which its name may come. */
static int
read_numbers(struct body *b, struct text line)
{
	const char *p = line.s;
	int64_t v[4];
	bool all;

	if (!take_thread(&p, &all) || !legacy_take_heap(&p, v) ||
	    (p < line.s + line.n && (all || b->in_stacks)))
		return BAD("expected a stack, as in '@ 0x401000', or its numbers, as in " TOTALS
		    ", found %s", QUOTE(line));
	if (!all) {		/* the sum of them all came before */
		b->in_threads += !b->in_stacks;
		return LINE_OK;
	}
	if (!b->has_stack)
		return BAD("numbers without a stack: %s", QUOTE(line));
	b->has_stack = false;
	return legacy_put_heap(b, v);
}

static int
jemalloc_line(struct body *b, struct text line)
{
	const bool had_stack = b->has_stack;
	int ret;

	if (*line.s != '@')
		return read_numbers(b, line);
	b->in_stacks = true;
	b->has_stack = false;
	if ((ret = legacy_take_addrs(b, line.s + 1, line)))
		return ret;
	b->has_stack = true;
	return had_stack ? BAD("before this line, a stack without numbers, as in " TOTALS) :
	    LINE_OK;
}

static int
jemalloc_end(struct body *b)
{
	if (b->has_stack && decode_cut(b->rd->d, "the file is truncated: it ends with a "
	    "stack without numbers, as in " TOTALS) < 0)
		return -1;
	if (b->in_threads > 1)
		diag_say(b->rd->d->diag, DIAG_NOTE, "the numbers of %zu threads are "
		    "summed", b->in_threads);
	return 0;
}

const struct legacy_text_kind legacy_jemalloc = {
	.header = jemalloc_header,
	.line = jemalloc_line,
	.end = jemalloc_end,
	.numlabel = "bytes\t-",
};

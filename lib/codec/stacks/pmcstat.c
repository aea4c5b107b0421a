/* SPDX-License-Identifier: ISC */
/*
 * The call graphs of FreeBSD's pmcstat -G (usr.sbin/pmcstat/pmcpl_callgraph.c), a tree of
 * callers for each function that had samples:
 *
 *	@ inst_retired.any [35705 samples]
 *
 *	20.86%  [7447]     zfs_lz4_compress @ /boot/kernel/zfs.ko
 *	 100.0%  [7447]      zio_compress_data
 *
 * Samples are inclusive; those of a function that its callers do not have are of stacks that
 * end there.  An object is not printed again until it changes.
 */
#include "words.h"

#include "stacks.h"

#include <inttypes.h>

#include "util/num.h"

struct line {
	size_t depth;
	uint64_t samples;
	struct text name, object;
};

/* Takes "[123", up to its end. */
static bool
take_samples(struct text *t, const char *end, uint64_t *n)
{
	return take(t, "[") && take_digits(t, 10, n) && take(t, end);
}

/* Reads "@ inst_retired.any [35705 samples]". */
static bool
is_event(struct text line, struct text *name, uint64_t *samples)
{
	const char *open = find_last(line, " [");
	struct text t;

	if (!text_begins(line, "@ ") || !open || open < line.s + 3)
		return false;
	*name = text_between(line.s + 2, open);
	t = text_between(open + 1, line.s + line.n);
	return take_samples(&t, " samples]", samples) && !t.n;
}

static bool
is_node(struct text line, struct line *l)
{
	struct text t = line, percent;
	const char *at;

	l->depth = count_blanks(t);
	percent = words_first(&t);
	if (!text_ends(percent, "%") || !take_samples(&t, "]", &l->samples))
		return false;
	t = words_trim(t);
	at = find_last(t, " @ ");
	l->name = at ? text_between(t.s, at) : t;
	l->object = at ? text_between(at + 3, t.s + t.n) : (struct text){ 0 };
	return l->name.n;
}

static enum sight
see(struct text line)
{
	struct text name;
	uint64_t samples;

	return is_event(line, &name, &samples) ? LINE_OWN : LINE_FOREIGN;
}

static int
put_node(struct reader *rd, uint64_t left)
{
	char tmp[NUM_TEXT];
	size_t i;

	rd->nframe = 0;
	rd->frame = mem_grow(rd->frame, &rd->capframe, rd->nnode, sizeof *rd->frame);
	for (i = 0; i < rd->nnode; i++)
		rd->frame[rd->nframe++] = rd->node[i].frame;
	return stacks_end(rd, num_text_u64(tmp, left));
}

static int
close_nodes(struct reader *rd, size_t depth)
{
	for (; rd->nnode > depth; rd->nnode--)
		if (rd->node[rd->nnode - 1].left &&
		    put_node(rd, rd->node[rd->nnode - 1].left) < 0)
			return -1;
	return 0;
}

/* Checks that all samples of the event came; 0 or -1. */
static int
check_samples(struct reader *rd)
{
	const uint64_t left = rd->left;

	rd->left = 0;
	return left && !rd->scan ? decode_cut(rd->d, "the file is truncated: "
	    "%" PRIu64 " samples of %s are missing", left, QUOTE(buf_as_text(&rd->section))) : 0;
}

static int
read_node(struct reader *rd, const struct line *l)
{
	struct frame f = { .name = l->name };
	uint64_t *left = &rd->left;
	struct node n = { l->samples, NO_ID };

	if (l->depth > rd->nnode)
		return BAD("the line is too deep for the one above");
	if (close_nodes(rd, l->depth) < 0)
		return LINE_FATAL;
	if (l->depth)
		left = &rd->node[l->depth - 1].left;
	if (l->samples > *left)
		return BAD("%" PRIu64 " samples, more than the line that it is below has left, "
		    "%" PRIu64, l->samples, *left);
	*left -= l->samples;
	if (l->object.s || !l->depth)
		rd->object = l->object;
	f.object = rd->object;
	if (!rd->scan && stacks_frame(rd, TEXT(""), &f, &n.frame) < 0)
		return LINE_FATAL;
	rd->node = mem_grow(rd->node, &rd->capnode, rd->nnode + 1, sizeof *rd->node);
	rd->node[rd->nnode++] = n;
	rd->ended = false;
	return LINE_OK;
}

static int
read(struct reader *rd, struct text line)
{
	struct text name;
	uint64_t samples;
	struct line l;

	if (!words_trim(line).n) {
		rd->ended = true;
		return close_nodes(rd, 0);
	}
	if (is_event(line, &name, &samples)) {
		if (close_nodes(rd, 0) < 0 || check_samples(rd) < 0)
			return LINE_FATAL;
		stacks_set_section(rd, name, NULL);
		rd->left = samples;
		return LINE_OK;
	}
	return is_node(line, &l) ? read_node(rd, &l) :
	    BAD("expected a function, PERCENT%% [SAMPLES] NAME, found %s", QUOTE(line));
}

static int
end(struct reader *rd)
{
	if (close_nodes(rd, 0) < 0 || check_samples(rd) < 0)
		return -1;
	return rd->ended || rd->scan || rd->d->cut ? 0 :
	    decode_cut(rd->d, "the file is truncated: no empty line comes after the last "
	    "caller");
}

const struct dialect stacks_pmcstat = {
	.name = "pmcstat", .see = see, .read = read, .end = end,
};

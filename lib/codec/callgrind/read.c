/* SPDX-License-Identifier: ISC */
/*
 * Reading Callgrind's profile format, version 1: Valgrind's manual, "Callgrind
 * Format Specification", and what callgrind/dump.c really writes.
 *
 * Relative positions.  The specification counts from the last cost line.
 * dump.c counts from the last line of *self* cost: neither a call's cost line
 * nor a jump's source line moves its base (fprint_fcost is the only caller of
 * copy_apos).  The same holds for the file that a missing cfi= or jfi= implies,
 * and for the file of a cost line after a call that was alone in another file.
 * The two agree wherever a call site has its own cost, and differ with
 * --toggle-collect and in dumps during a call.  Files whose creator is callgrind
 * are read as dump.c writes them, all others as the specification says.
 */
#include "dialect.h"
#include "positions.h"

#include <stdlib.h>

#include "util/wide.h"

/* Can a last line without a newline be truncated? callgrind ends all of its lines;
 * `totals:` equal to `summary:` are complete. */
static enum end_proof
end_proof(const struct reader *rd)
{
	if (rd->have_summary && rd->have_totals &&
	    rd->total_line == rd->d->at.line && rd->total_run.n &&
	    text_eq(buf_as_text(&rd->total_run), buf_as_text(&rd->total_sum)))
		return END_WHOLE;
	return rd->self_base || rd->stack.are ||
	    dialect_sums_up(buf_as_text(&rd->creator)) ? END_CUT :
	    dialect_ends_open(buf_as_text(&rd->creator)) ? END_BY_HABIT : END_UNPROVED;
}

struct blocks {
	struct reader *rd;
	struct cg_blocks *blocks;
};

static int
block(void *arg, const char *p, const char *end)
{
	struct blocks *b = arg;

	return cg_block(b->rd, b->blocks, p, end);
}

static int
finish(void *arg)
{
	struct blocks *b = arg;

	return cg_finish_blocks(b->rd, b->blocks);
}

static int
read_blocks(struct reader *rd)
{
	struct blocks b = { rd, cg_blocks_new(rd->d) };
	int r = decode_lines_late(rd->d, "profile", LAST_MAY_END, block, finish, &b);

	cg_blocks_free(b.blocks);
	return r;
}

static int
read_all(struct reader *rd)
{
	struct decode *d = rd->d;
	int ret;

	if (read_blocks(rd) < 0)
		return -1;
	if (!rd->in_part && !rd->any_part)
		return decode_line_done(d, BAD("no 'events:' line"));
	if (rd->pending == PENDING_CALL) {
		cg_forget_target(rd);
		if (decode_cut(d, "the profile is truncated: it ends between 'calls=' "
		    "and the cost line") < 0)
			return -1;
	}
	ret = cg_end_part(rd);
	return ret ? decode_line_done(d, ret) :
	    decode_unended(d, "profile", end_proof(rd));
}

int
callgrind_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	struct buf *bufs[] = { &rd.creator, &rd.pid, &rd.cmd, &rd.run_pid, &rd.event,
	    &rd.events, &rd.summary, &rd.total_run, &rd.total_sum, &rd.count[0],
	    &rd.count[1], &rd.kept, &rd.scratch, &rd.stack.values };
	size_t i;
	int r;

	names_init(&rd.fn, d->dict, d->diag);
	names_init(&rd.fl, d->dict, d->diag);
	names_init(&rd.ob, d->dict, d->diag);
	cg_begin_file(&rd);
	cg_index_keys(&rd);
	rd.wide = wide_has();
	rd.call = rec_make(REC_CALL);
	rd.jump = rec_make(REC_JUMP);
	rd.cost = rec_make(REC_COST);
	r = read_all(&rd);
	cg_forget_meta(&rd);
	free(rd.meta);
	comment_events_free(&rd.own_events);
	name_index_free(&rd.event_line);
	names_free(&rd.fn);
	names_free(&rd.fl);
	names_free(&rd.ob);
	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	return r;
}

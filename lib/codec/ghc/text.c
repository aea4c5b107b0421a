/* SPDX-License-Identifier: ISC */
/*
 * Text of +RTS -p and -P (rts/ProfilerReport.c):
 *
 *		Sat Nov 28 08:50 2026 Time and Allocation Profiling Report  (Final)
 *
 *		   t +RTS -P -RTS
 *
 *		total time  =        1.32 secs   (1317 ticks @ 1000 us, 1 processor)
 *		total alloc = 2,818,414,456 bytes  (excludes profiling overheads)
 *
 * then a ranking, which is left out, and the tree.  A line of it is indented by its depth:
 *
 *	COST CENTRE MODULE SRC no. entries %time %alloc %time %alloc ticks bytes
 *	MAIN        MAIN   <built-in>   148   0    0.1    0.0   100.0  100.0      1       832
 *	 main       Main   T.hs:22:1-83 296   1    1.1    0.2    99.9  100.0     14   5280552
 *
 * -p lacks the last two columns.  The source may have blanks; the other columns have none.
 */
#include "ghc.h"

#include "util/words.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

#define BAD(...) (diag_fail(rd->g->d->diag, __VA_ARGS__), LINE_BAD)

struct reader {
	struct ghc *g;
	enum { TITLE, COMMAND, TOTALS, RANKING, TREE } state;
	uint32_t *open;		/* the nodes around the next line, by depth */
	size_t nopen, capopen;
};

/* ---- numbers ---- */

/* Reads "2,818,414,456", and "46.5" as tenths. */
static bool
read_number(struct text t, bool tenths, num *n)
{
	uint64_t v = 0;
	size_t i;

	if (tenths && (t.n < 3 || t.s[t.n - 2] != '.'))
		return false;
	for (i = 0; i < t.n; i++) {
		if (t.s[i] == ',' && i && !tenths)
			continue;
		if (tenths && i == t.n - 2)
			continue;
		if (t.s[i] < '0' || t.s[i] > '9' || __builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(t.s[i] - '0'), &v))
			return false;
	}
	*n = v;
	return t.n != 0;
}

/* Takes the number before these words off *t, which then begins after them. */
static bool
number_before(struct text *t, const char *words, num *n)
{
	const char *at = memmem(t->s, t->n, words, strlen(words));
	struct text before;

	if (!at)
		return false;
	before = words_trim((struct text){ t->s, (size_t)(at - t->s) });
	t->n -= (size_t)(at - t->s) + strlen(words);
	t->s = at + strlen(words);
	return read_number(words_last(&before), false, n);
}

/* ---- the header ---- */

static int
read_title(struct reader *rd, struct text t)
{
	static const char title[] = "Time and Allocation Profiling Report";
	const char *at = memmem(t.s, t.n, title, sizeof title - 1);

	if (!at)
		return BAD("expected '%s', found %s", title, QUOTE(t));
	t.n = (size_t)(at - t.s);
	rd->g->date = dict_str(rd->g->d->dict, words_trim(t));
	rd->state = COMMAND;
	return LINE_OK;
}

/* Reads "total time  =        1.32 secs   (1317 ticks @ 1000 us, 1 processor)"; before GHC 7.2
 * it ended with "(66 ticks @ 20 ms)". */
static int
read_total_time(struct reader *rd, struct text t)
{
	struct text rest = t;
	const char *at = memchr(t.s, '(', t.n);
	num us = 0, ms = 0;

	if (at)
		rest = (struct text){ at + 1, t.n - (size_t)(at + 1 - t.s) };
	if (!at || !number_before(&rest, " ticks @", &rd->g->total[GHC_TIME]) ||
	    !(number_before(&rest, " us,", &us) || number_before(&rest, " ms)", &ms)) ||
	    !(us || ms))
		return BAD("expected 'total time = ... (N ticks @ N us', found %s", QUOTE(t));
	if (ms > UINT32_MAX)
		return BAD("a tick of more than %" PRIu32 " ms: %s", UINT32_MAX, QUOTE(t));
	rd->g->interval = (uint64_t)(us + ms * 1000);
	return LINE_OK;
}

static int
read_total(struct reader *rd, struct text t)
{
	struct text rest = t;

	if (text_begins(t, "total time"))
		return read_total_time(rd, t);
	if (!text_begins(t, "total alloc"))
		return BAD("expected 'total time' or 'total alloc', found %s", QUOTE(t));
	if (!number_before(&rest, " bytes", &rd->g->total[GHC_ALLOC]))
		return BAD("expected 'total alloc = N bytes', found %s", QUOTE(t));
	return LINE_OK;
}

/* The heading of the tree has numbers of nodes, which that of the ranking lacks. */
static int
read_heading(struct reader *rd, struct text t)
{
	if (rd->state == TOTALS && !rd->g->interval)
		return BAD("expected 'total time' before the costs");
	rd->state = RANKING;
	if (!memmem(t.s, t.n, " no. ", strlen(" no. ")))
		return LINE_OK;
	rd->state = TREE;
	rd->g->percent = !text_is(words_last(&t), "bytes");
	if (rd->g->percent)
		rd->g->total[GHC_TIME] = rd->g->total[GHC_ALLOC] = 1000;
	return LINE_OK;
}

/* ---- the tree ---- */

static int
read_node(struct reader *rd, size_t depth, struct text t)
{
	enum { NUMBER, ENTRIES, TIME, ALLOC, ALL_TIME, ALL_ALLOC, TICKS, BYTES, COLUMNS };
	const size_t ncol = rd->g->percent ? TICKS : COLUMNS;
	struct text rest = t, label, module;
	num n[COLUMNS] = { 0 };
	struct ghc_node *node;
	size_t i;

	for (i = ncol; i--; ) {
		const struct text word = words_last(&rest);

		if (!read_number(word, i >= TIME && i <= ALL_ALLOC, &n[i]))
			return BAD("expected a line of the tree, which ends with %zu numbers, "
			    "found %s", ncol, QUOTE(t));
	}
	label = words_first(&rest);
	module = words_first(&rest);
	if (!module.n)
		return BAD("expected a cost centre and its module, found %s", QUOTE(t));
	if (depth == 2 && rd->nopen == 1) {
		/* GHC leaves out DONT_CARE and others below MAIN, but not their callees. */
		rd->open = mem_grow(rd->open, &rd->capopen, depth, sizeof *rd->open);
		rd->open[rd->nopen++] = *rd->open;
	}
	if (depth > rd->nopen)
		return BAD("the line is more than one level deeper than the one above");
	if (rd->g->nnode >= UINT32_MAX - 1)
		return BAD("too many nodes");
	node = ghc_add(rd->g, depth ? rd->open[depth - 1] : NO_ID,
	    ghc_function(rd->g, module, label, rest));
	node->value[GHC_TIME] = n[rd->g->percent ? TIME : TICKS];
	node->value[GHC_ALLOC] = n[rd->g->percent ? ALLOC : BYTES];
	node->value[GHC_ENTRIES] = n[ENTRIES];
	rd->open = mem_grow(rd->open, &rd->capopen, depth + 1, sizeof *rd->open);
	rd->open[depth] = (uint32_t)rd->g->nnode - 1;
	rd->nopen = depth + 1;
	return LINE_OK;
}

/* ---- lines ---- */

static int
read_line(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	const struct text t = words_trim((struct text){ p, (size_t)(end - p) });

	if (!t.n)
		return LINE_OK;
	if (rd->state > COMMAND && rd->state < TREE && text_begins(t, "COST CENTRE"))
		return read_heading(rd, t);
	switch (rd->state) {
	case TITLE:
		return read_title(rd, t);
	case COMMAND:
		rd->g->cmd = dict_str(rd->g->d->dict, t);
		rd->state = TOTALS;
		return LINE_OK;
	case TOTALS:
		return read_total(rd, t);
	case RANKING:
		return LINE_OK;
	default:
		return read_node(rd, (size_t)(t.s - p), t);
	}
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;

	return decode_each_line(rd->g->d, p, end, read_line, rd);
}

int
ghc_read_text(struct ghc *g)
{
	struct reader reader = { .g = g }, *rd = &reader;
	int ret = decode_lines(g->d, "profile", LAST_ENDS, block, rd);

	if (ret == 0 && !g->nnode && !g->d->cut)
		ret = decode_cut(g->d, "the profile is truncated: it has no tree of cost "
		    "centres");
	free(rd->open);
	return ret;
}

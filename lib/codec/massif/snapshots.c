/* SPDX-License-Identifier: ISC */
/* Finds the head and the snapshots of a massif.out. */
#include "reader.h"

#include <inttypes.h>

#include "util/mem.h"

#define BAD(rd, ...) decode_line_done((rd)->d, (diag_fail((rd)->d->diag, __VA_ARGS__), LINE_BAD))

/* The lines of a snapshot before its tree. */
static const char *const value_key[MASSIF_VALUES] = {
	[MASSIF_TIME] = "time=", [MASSIF_HEAP] = "mem_heap_B=",
	[MASSIF_EXTRA] = "mem_heap_extra_B=", [MASSIF_STACKS] = "mem_stacks_B=",
};

static const char *const tree_name[] = {
	[MASSIF_EMPTY] = "empty", [MASSIF_DETAILED] = "detailed", [MASSIF_PEAK] = "peak",
};

struct scan {
	struct massif *rd;
	const char *p, *end;
	bool open;		/* inside a snapshot, before its tree */
	unsigned has;		/* bits: the values that have come */
	bool tree;		/* lines of a tree follow */
};

static struct text
next_line(struct scan *s)
{
	const char *p = s->p, *lf = memchr(p, '\n', (size_t)(s->end - p));

	s->p = lf + 1;		/* even the last line has one: massif_decode() */
	s->rd->d->at.line++;
	return (struct text){ p, (size_t)(lf - p) };
}

/* ---- the head ---- */

static int
read_head_line(struct scan *s, struct text line)
{
	struct massif *rd = s->rd;
	struct text t;

	if (massif_key(line, "time_unit:", &t)) {
		rd->in_command = false;
		while (t.n && *t.s == ' ')
			t.s++, t.n--;
		rd->time_unit = t;
		return 0;
	}
	if (rd->in_command) {
		if (rd->command.s + rd->command.n + 1 == line.s && !memchr(rd->command.s, '\n',
		    rd->command.n))
			diag_say(rd->d->diag, DIAG_NOTE, "read as part of the command: %s (a "
			    "newline in an argument)", QUOTE(line));
		rd->command.n = (size_t)(line.s + line.n - rd->command.s);
		return 0;
	}
	if (massif_key(line, "cmd: ", &t)) {
		rd->command = t;
		rd->in_command = true;
		return 0;
	}
	if (massif_key(line, "desc:", &t)) {
		rd->metrics |= text_is(t, " xtree.produce_report");
		return 0;
	}
	if (!line.n || *line.s == '#' || massif_key(line, "cmd:", &t))
		return 0;
	return BAD(rd, "expected desc:, cmd:, time_unit: or snapshot=, found %s", QUOTE(line));
}

/* ---- snapshots ---- */

/* Ends a snapshot, some values of which may be missing, when something else begins. */
static int
close_snapshot(struct scan *s, bool at_end)
{
	struct massif *rd = s->rd;

	if (!s->open)
		return 0;
	s->open = false;
	rd->n--;
	return at_end ? decode_cut(rd->d, "the file is truncated in snapshot %" PRIu64,
	    rd->v[rd->n].number) :
	    BAD(rd, "snapshot %" PRIu64 " has no heap_tree=", rd->v[rd->n].number);
}

static int
open_snapshot(struct scan *s, struct text line, struct text number)
{
	struct massif *rd = s->rd;
	struct snapshot made = { 0 };

	if (close_snapshot(s, false) < 0)
		return -1;
	s->tree = false;
	if (!massif_number(number, &made.number))
		return BAD(rd, "expected the number of a snapshot, found %s", QUOTE(line));
	if (!rd->n)
		rd->head = (struct text){ rd->file.s, (size_t)(line.s - rd->file.s) };
	rd->v = mem_grow(rd->v, &rd->cap, rd->n + 1, sizeof *rd->v);
	rd->v[rd->n++] = made;
	s->open = true;
	s->has = 0;
	return 0;
}

static int
read_tree_kind(struct scan *s, struct text line, struct text kind)
{
	struct massif *rd = s->rd;
	struct snapshot *snap = &rd->v[rd->n - 1];
	size_t i;

	for (i = 0; i < sizeof tree_name / sizeof *tree_name; i++)
		if (text_is(kind, tree_name[i]))
			break;
	if (i == sizeof tree_name / sizeof *tree_name)
		return BAD(rd, "expected heap_tree=empty, detailed or peak, found %s",
		    QUOTE(line));
	if (s->has != (1u << MASSIF_VALUES) - 1)
		return BAD(rd, "snapshot %" PRIu64 " lacks its time or its bytes",
		    snap->number);
	snap->kind = (enum massif_tree)i;
	snap->line = rd->d->at.line;
	snap->tree = (struct text){ s->p, 0 };
	s->open = false;
	s->tree = i != MASSIF_EMPTY;
	return 0;
}

static int
read_value(struct scan *s, struct text line)
{
	struct snapshot *snap = &s->rd->v[s->rd->n - 1];
	struct text t;
	unsigned i;

	if (massif_key(line, "heap_tree=", &t))
		return read_tree_kind(s, line, t);
	for (i = 0; i < MASSIF_VALUES; i++) {
		if (!massif_key(line, value_key[i], &t))
			continue;
		if (!massif_number(t, &snap->value[i]))
			return BAD(s->rd, "expected a number of 64 bits: %s", QUOTE(line));
		s->has |= 1u << i;
		return 0;
	}
	return BAD(s->rd, "expected a value of snapshot %" PRIu64 ", found %s", snap->number,
	    QUOTE(line));
}

static void
add_tree_line(struct scan *s, struct text line)
{
	struct snapshot *snap = &s->rd->v[s->rd->n - 1];
	struct massif_line l;

	if (!snap->tree.n && massif_tree_line(line, &l))
		snap->root = l.what;
	snap->tree.n = (size_t)(s->p - snap->tree.s);
}

static int
read_line(struct scan *s, struct text line)
{
	struct text number;

	if (massif_key(line, "snapshot=", &number))
		return open_snapshot(s, line, number);
	if (line.n && *line.s == '#') {		/* the line before a snapshot, a comment */
		s->tree = false;
		return 0;
	}
	if (s->open)
		return line.n ? read_value(s, line) : 0;
	if (s->tree) {
		add_tree_line(s, line);
		return 0;
	}
	if (!s->rd->n)
		return read_head_line(s, line);
	return line.n ? BAD(s->rd, "expected the next snapshot, found %s", QUOTE(line)) : 0;
}

int
massif_find_snapshots(struct massif *rd)
{
	struct scan s = { .rd = rd, .p = rd->file.s, .end = rd->file.s + rd->file.n };

	rd->d->at.line = 0;
	while (s.p < s.end)
		if (read_line(&s, next_line(&s)) < 0)
			return -1;
	if (close_snapshot(&s, true) < 0)
		return -1;
	if (!rd->n)
		return decode_cut(rd->d, "the file has no snapshot");
	if (rd->metrics && rd->n > MASSIF_METRICS)
		return diag_fail(rd->d->diag, "an xtree of more than %d metrics",
		    MASSIF_METRICS);
	return 0;
}

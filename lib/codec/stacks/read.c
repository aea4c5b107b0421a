/* SPDX-License-Identifier: ISC */
/* Reads a file, twice: for its events, then for its samples. */
#include "stacks.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/* Handles a last line without a newline: it is not read, unless it proves the end. */
static int
read_last_line(struct reader *rd, struct text line)
{
	if (rd->scan)
		return 0;
	if (!rd->dialect->ends || !rd->dialect->ends(line))
		return decode_last_line(rd->d, "file", LAST_ENDS);
	return decode_line_done(rd->d, rd->dialect->read(rd, line));
}

/* Reads all lines. */
static int
read_lines(struct reader *rd, struct text file)
{
	const char *p = file.s, *end = p + file.n, *lf;
	int ret;

	rd->d->at.line = 0;
	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		struct text line = { p, (size_t)(lf - p) };

		rd->d->at.line++;
		if (line.n && line.s[line.n - 1] == '\r')
			line.n--;
		rd->rest = (struct text){ lf + 1, (size_t)(end - lf - 1) };
		if ((ret = rd->dialect->read(rd, line)) && decode_line_done(rd->d, ret) < 0)
			return -1;
	}
	rd->rest = (struct text){ end, 0 };
	return p < end ? read_last_line(rd, (struct text){ p, (size_t)(end - p) }) : 0;
}

/* Checks that no stack is open at the end. */
static int
check_end(struct reader *rd)
{
	if (rd->dialect->end && rd->dialect->end(rd) < 0)
		return -1;
	if (rd->scan || rd->d->cut)
		return 0;
	if (in_packed_cut(rd->d->in))
		return decode_cut(rd->d, "the file is truncated");
	return rd->open || rd->lines.n ?
	    decode_cut(rd->d, "the file is truncated: the last stack has no value") : 0;
}

/* Forgets what the first reading has left, except the events. */
static void
begin_again(struct reader *rd)
{
	stacks_forget(rd);
	rd->scan = false;
	rd->section.n = rd->nnode = 0;
	rd->left = rd->levels = 0;
	rd->unit = NULL;
	rd->in_map = rd->counts = rd->begun = rd->ended = false;
	rd->table = SIZE_MAX;
	rd->pid = (struct text){ 0 };
	name_index_clear(&rd->maps);
	memset(rd->drop, 0, sizeof rd->drop);
}

static void
say_dropped(struct reader *rd)
{
	static const struct { enum diag_level level; const char *text, *what; } drops[] = {
		[DROP_LINES] = { DIAG_NOTE, "skipped text that is not part of a stack", "line" },
		[DROP_STACKLESS] = { DIAG_NOTE, "skipped values without a stack", "value" },
		[DROP_TABLES] = { DIAG_WARN, "skipped distributions and other values "
		    "that are not whole numbers", "value" },
		[DROP_LOST] = { DIAG_WARN, "the tracer lost data", "event" },
		[DROP_UNKNOWN] = { DIAG_WARN, "values have no stack, as the file does "
		    "not contain it", "value" },
		[DROP_AGAIN] = { DIAG_WARN, "maps were printed several times and are "
		    "summed, which is right only if the script clears them", "print" },
		[DROP_EARLIER] = { DIAG_NOTE, "skipped tables of SITES that the last one "
		    "repeats", "table" },
	};
	size_t i;

	rd->d->at.line = 0;
	for (i = 0; i < DROPS; i++)
		if (rd->drop[i])
			diag_say(rd->d->diag, drops[i].level, "%s: %" PRIu64 " %s%s",
			    drops[i].text, rd->drop[i], drops[i].what,
			    rd->drop[i] == 1 ? "" : "s");
}

static int
read_all(struct reader *rd)
{
	struct text file;
	bool any;

	if (in_all(rd->d->in, &file.s, &file.n) < 0)
		return -1;
	if (!(rd->dialect = stacks_dialect(file.s, file.n, UINT_MAX - 1)))
		return diag_fail(rd->d->diag, "expected stacks of bpftrace, bcc, DTrace, "
		    "SystemTap, pmcstat, hprof, jstack or gdb");
	rd->scan = true;
	rd->table = SIZE_MAX;
	if (read_lines(rd, file) < 0 || check_end(rd) < 0)
		return -1;
	begin_again(rd);
	any = rd->nevent > 0;
	if (stacks_put_part(rd) < 0 || read_lines(rd, file) < 0 || check_end(rd) < 0)
		return -1;
	say_dropped(rd);
	return any || rd->d->cut ? 0 :
	    diag_fail(rd->d->diag, "%s's output has no stack with a number",
	    rd->dialect->name);
}

int
stacks_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	int ret = read_all(&rd);

	while (rd.nevent)
		buf_free(&rd.event[--rd.nevent].name);
	free(rd.event);
	name_index_free(&rd.events);
	name_index_free(&rd.maps);
	name_index_free(&rd.traces);
	name_index_free(&rd.threads);
	cache_free(&rd.frames);
	stack_free(&rd.stack);
	buf_free(&rd.section);
	buf_free(&rd.lines);
	buf_free(&rd.labels);
	buf_free(&rd.values);
	buf_free(&rd.text);
	free(rd.frame);
	free(rd.node);
	free(rd.trace);
	free(rd.thread);
	return ret;
}

/* SPDX-License-Identifier: ISC */
/*
 * The text of hprof, a profiler that the JDK had up to version 8 (-agentlib:hprof; its
 * hprof_io.c): stacks by number, then tables of values, which refer to them:
 *
 *	TRACE 300556: (thread=200001)
 *		java.io.RandomAccessFile.close0(RandomAccessFile.java:Unknown line)
 *		Sort.main(Sort.java:68)
 *	CPU SAMPLES BEGIN (total = 77) Fri Dec 18 16:33:00 2009
 *	rank   self  accum   count trace method
 *	   1 100.00% 100.00%      77 300556 java.io.RandomAccessFile.close0
 *	CPU SAMPLES END
 */
#include "words.h"

#include "stacks.h"

/* A column of a table: a whole number, or the percentage, rounded to hundredths, of the
 * total. */
struct table_column {
	size_t at;
	bool percent;
	const char *event, *unit, *attrs;
};

#define PERCENT_OF_MS { 1, true, "time", "ms", "calls=absent\tscale=1/10000" }

static const struct table {
	const char *begin, *end;
	size_t trace;		/* the column of the stack's number */
	const char *label;	/* of the name after it; NULL: it is the leaf's */
	bool sums;		/* since the start; others have what is new since a dump */
	struct table_column columns[5];
} tables[] = {
	{ "CPU SAMPLES BEGIN (total = ", "CPU SAMPLES END", 4, NULL, false, {
	    { .at = 3, .event = "samples" } } },
	{ "CPU TIME (ms) BEGIN (total = ", "CPU TIME (ms) END", 4, NULL, false, {
	    PERCENT_OF_MS, { .at = 3, .event = "calls" } } },
	{ "MONITOR TIME BEGIN (total = ", "MONITOR TIME END", 4, "monitor", false, {
	    { 1, true, "contention.time", "ms", "calls=absent\tscale=1/10000" },
	    { .at = 3, .event = "contentions" } } },
	{ "SITES BEGIN (", "SITES END", 7, "class", true, {
	    { .at = 3, .event = "inuse_bytes", .unit = "B" },
	    { .at = 4, .event = "inuse_objects" },
	    { .at = 5, .event = "alloc_bytes", .unit = "B" },
	    { .at = 6, .event = "alloc_objects" } } },
};
#define TABLES (sizeof tables / sizeof *tables)
#define NO_TABLE SIZE_MAX
#define MOST_COLUMNS 8		/* up to the stack's number */

static enum sight
see(struct text line)
{
	return text_begins(line, "JAVA PROFILE 1.0") ? LINE_OWN : LINE_FOREIGN;
}

/* Splits "Class.method(File.java:12)". */
static void
split(struct text line, struct frame *f)
{
	struct text t = words_trim(line);
	const char *open = find_last(t, "("), *colon;
	struct text place;

	f->name = if_any(t);
	if (!open || !text_ends(t, ")"))
		return;
	f->name = if_any(text_between(t.s, open));
	place = text_between(open + 1, t.s + t.n - 1);
	split_line(place, &f->file, &f->line);
	/* "Unknown line", "Native method", "Compiled method". */
	if (!f->line.s && (colon = find_last(place, ":")))
		f->file = if_any(text_between(place.s, colon));
	if (text_is(f->file, "<Unknown Source>"))
		f->file = (struct text){ 0 };
}

/* ---- stacks and threads, of which the first reading takes note ---- */

/* Reads "TRACE 300556: (thread=200001)"; its frames are lines that begin with a tab. */
static void
read_trace(struct reader *rd, struct text line)
{
	const char *colon = memchr(line.s, ':', line.n), *p = rd->rest.s;
	const char *end = p + rd->rest.n, *lf;
	struct trace t = { .frames = { p, 0 } };
	struct text after;

	if (!colon || !rd->scan)
		return;
	after = words_trim(text_between(colon + 1, line.s + line.n));
	if (take(&after, "(thread=") && (p = memchr(after.s, ')', after.n)))
		t.thread = text_between(after.s, p);
	for (p = rd->rest.s; p < end && *p == '\t'; p = lf + 1)
		if (!(lf = memchr(p, '\n', (size_t)(end - p))))
			break;
	t.frames.n = (size_t)(p - t.frames.s);
	rd->trace = mem_grow(rd->trace, &rd->captrace, rd->ntrace + 1, sizeof *rd->trace);
	if (name_index_add(&rd->traces, text_between(line.s + strlen("TRACE "), colon),
	    rd->ntrace) == rd->ntrace)
		rd->trace[rd->ntrace++] = t;
}

/* Reads "THREAD START (obj=5000012d, id = 200001, name="main", group="main")". */
static void
read_thread(struct reader *rd, struct text line)
{
	const char *id = memmem(line.s, line.n, "id = ", 5), *name, *end, *group;

	if (!rd->scan || !id || !(end = memchr(id, ',', (size_t)(line.s + line.n - id))) ||
	    !(name = memmem(line.s, line.n, ", name=\"", 8)) ||
	    !(group = find_last(line, "\", group=\"")) || group < name + 8)
		return;
	rd->thread = mem_grow(rd->thread, &rd->capthread, rd->nthread + 1, sizeof *rd->thread);
	if (name_index_add(&rd->threads, text_between(id + 5, end), rd->nthread) == rd->nthread)
		rd->thread[rd->nthread++] = text_between(name + 8, group);
}

/* ---- tables ---- */

static bool
begin_table(struct reader *rd, struct text line)
{
	size_t i;

	for (i = 0; i < TABLES; i++) {
		struct text t = line;

		if (!take(&t, tables[i].begin))
			continue;
		rd->table = i;
		if (!take_digits(&t, 10, &rd->total))
			rd->total = UINT64_MAX;
		if (tables[i].sums)
			rd->sums += rd->scan ? 1 : -1;
		rd->skip = tables[i].sums && !rd->scan && rd->sums;
		rd->drop[DROP_EARLIER] += rd->skip;
		return true;
	}
	return false;
}

/* Adds the percentage of the total, in hundredths of a percent, which may have a comma. */
static bool
add_share(struct reader *rd, struct text t)
{
	uint64_t share = 0;
	size_t i;

	for (i = 0; i < t.n && (is_digit(t.s[i]) || t.s[i] == '.' || t.s[i] == ','); i++)
		if (is_digit(t.s[i]))
			share = share * 10 + (uint64_t)(t.s[i] - '0');
	if (i < 4 || i > 6 || is_digit(t.s[i - 3]) || i + 1 != t.n || t.s[i] != '%' ||
	    rd->total > UINT32_MAX)
		return false;
	buf_printf(&rd->text, "%llu", (unsigned long long)(share * rd->total));
	return true;
}

/* Finds the context of a stack, which rows may share. */
static int
find_context(struct reader *rd, struct trace *t)
{
	if (t->known)
		return LINE_OK;
	if (t->frames.n && !text_begins(t->frames, "\t<empty>") &&
	    stacks_add_line(rd, (struct text){ t->frames.s, t->frames.n - 1 }) < 0)
		return LINE_FATAL;
	t->known = true;
	return stacks_context(rd, &t->ctx);
}

/* Finds the stack of a row, and its labels. */
static int
find_stack(struct reader *rd, struct text id, uint32_t *ctx)
{
	size_t at, thread;
	struct trace *t;

	if (!name_index_find(&rd->traces, id, &at)) {
		rd->drop[DROP_UNKNOWN]++;
		return LINE_OK;
	}
	t = &rd->trace[at];
	if (t->thread.s) {
		attr_add(&rd->labels, "tid", t->thread);
		if (name_index_find(&rd->threads, t->thread, &thread))
			attr_add(&rd->labels, "comm", rd->thread[thread]);
	}
	if (find_context(rd, t) < 0)
		return LINE_FATAL;
	*ctx = t->ctx;
	return LINE_OK;
}

/* Takes the words up to the stack's number; *t is what follows them. */
static bool
take_columns(struct text *t, struct text *word, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!(word[i] = words_first(t)).n)
			return false;
	return is_number(word[0]) && is_number(word[n - 1]);
}

/* Makes the values of a row; their texts are in rd->text.  Returns LINE_OK, or LINE_BAD if a
 * column is malformed. */
static int
make_values(struct reader *rd, const struct table_column *c, const struct text *word,
    struct value *v, size_t *n)
{
	size_t from[5], i;

	rd->text.n = 0;
	for (*n = 0; c[*n].event; ++*n) {
		const struct text w = word[c[*n].at];

		from[*n] = rd->text.n;
		v[*n].event = stacks_event(rd, text_of(c[*n].event), c[*n].unit, c[*n].attrs);
		if (v[*n].event == SIZE_MAX)
			return LINE_FATAL;
		if (c[*n].percent ? !add_share(rd, w) : !is_number(w))
			return BAD("expected a number, found %s", QUOTE(w));
		if (!c[*n].percent)
			buf_text(&rd->text, w);
		v[*n].number.n = rd->text.n - from[*n];
	}
	for (i = 0; i < *n; i++)
		v[i].number.s = rd->text.s + from[i];
	return LINE_OK;
}

/* Is it one of the two lines with the names of columns? */
static bool
is_heading(struct text line)
{
	return text_begins(line, "rank ") || text_begins(line, "percent ");
}

static int
read_row(struct reader *rd, struct text line)
{
	const struct table *table = &tables[rd->table];
	struct text word[MOST_COLUMNS], t = line;
	struct value v[5];
	uint32_t ctx = NO_ID;
	size_t n;
	int ret;

	if (text_begins(line, table->end)) {
		rd->table = NO_TABLE;
		return LINE_OK;
	}
	if (!take_columns(&t, word, table->trace + 1))
		return is_heading(words_trim(line)) ? LINE_OK :
		    BAD("expected a row of the table, found %s", QUOTE(line));
	if ((ret = make_values(rd, table->columns, word, v, &n)))
		return ret;
	if (rd->scan || rd->skip)
		return LINE_OK;
	if (find_stack(rd, word[table->trace], &ctx) < 0)
		return LINE_FATAL;
	if (table->label && t.n)
		attr_add(&rd->labels, table->label, t);
	ret = stacks_put(rd, ctx, v, n);
	stacks_forget(rd);
	return ret;
}

/* Is it a line between tables: of stacks, threads, monitors and the heap? */
static bool
is_known(struct text line)
{
	static const char *const known[] = { "\t", " ", "THREAD END ", "HEAP DUMP ", "ROOT ",
	    "CLS ", "OBJ ", "ARR ", "MONITOR ", "SLEEP: ", "WAIT: ", "WAITED: ", "EXIT: " };
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (text_begins(line, known[i]))
			return true;
	return false;
}

/* Reads the first line.  The numbers of stacks are those of one run of a program. */
static int
begin_profile(struct reader *rd)
{
	if (rd->begun) {
		diag_fail(rd->d->diag, "another profile begins here: split the file");
		return LINE_FATAL;
	}
	rd->begun = true;
	return LINE_OK;
}

static int
read(struct reader *rd, struct text line)
{
	if (text_begins(line, "JAVA PROFILE 1.0"))
		return begin_profile(rd);
	if (rd->table != NO_TABLE)
		return line.n ? read_row(rd, line) : LINE_OK;
	if (text_begins(line, "TRACE "))
		read_trace(rd, line);
	else if (text_begins(line, "THREAD START "))
		read_thread(rd, line);
	else if (begin_table(rd, line))
		rd->ended = true;
	else if (text_begins(line, "HEAP DUMP BEGIN") || text_begins(line, "MONITOR DUMP BEGIN"))
		rd->drop[DROP_TABLES]++;
	else if (rd->ended && line.n && !is_known(line))
		stacks_drop_line(rd, line);
	return LINE_OK;
}

static int
end(struct reader *rd)
{
	if (rd->scan)
		return 0;
	if (rd->table != NO_TABLE)
		return decode_cut(rd->d, "the file is truncated: it has no line '%s'",
		    tables[rd->table].end);
	return rd->ended ? 0 : decode_cut(rd->d, "the file is truncated: it has stacks, "
	    "but no values");
}

const struct dialect stacks_hprof = {
	.name = "hprof", .see = see, .read = read, .split = split, .end = end, .lines = true,
};

/* SPDX-License-Identifier: ISC */
/*
 * A call tree of Apple's Instruments as its "Deep Copy" puts it on the clipboard: columns
 * between TABs, the last of which is indented by the depth of the call:
 *
 *	Weight	Self Weight		Symbol Name
 *	4.93 s  100.0%	0 s	 	start
 *	4.92 s   99.8%	846.00 ms	 	 main
 *
 * Weights are rounded to what is shown.  The self weight of each line is what is read: the
 * sum of these is closer to the truth than the larger numbers in front of them.  Allocations
 * have none, but their counts are whole: those of callees are subtracted.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "stream/codec.h"
#include "util/mem.h"

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

enum measure { NOTHING, TIME, CYCLES, COUNT, MEASURES };

static const struct {
	const char *name, *unit, *description;
} measures[MEASURES] = {
	[NOTHING] = { "time", "ns", "as rounded by Instruments" },	/* all are 0 */
	[TIME] = { "time", "ns", "as rounded by Instruments" },
	[CYCLES] = { "cycles", NULL, "as rounded by Instruments" },
	[COUNT] = { "allocations", NULL, NULL },
};

static const struct {
	const char *name;
	enum measure measure;
	uint64_t n;
} units[] = {
	{ "ns", TIME, 1 }, { "\xc2\xb5s", TIME, 1000 }, { "\xce\xbcs", TIME, 1000 },
	{ "us", TIME, 1000 }, { "ms", TIME, 1000000 }, { "s", TIME, 1000000000 },
	{ "min", TIME, 60000000000 }, { "h", TIME, 3600000000000 },
	{ "cycles", CYCLES, 1 }, { "Kc", CYCLES, 1000 }, { "Mc", CYCLES, 1000000 },
	{ "Gc", CYCLES, 1000000000 }, { "Tc", CYCLES, 1000000000000 },
};

struct node {
	uint32_t parent, name, ctx;
	num self;
};

struct reader {
	struct decode *d;
	bool begun;
	size_t self;		/* the column of self weights, or of counts */
	bool counts;		/* it is that of counts */
	struct text unit;	/* of all self weights, if the heading has it */
	struct buf heading;
	enum measure measure;
	size_t base;		/* the indentation of the first line */
	struct node *node;	/* callers before callees */
	size_t nnode, capnode;
	uint32_t *open;		/* the nodes around the next line, by depth */
	size_t nopen, capopen;
};

static struct text
trim(struct text t)
{
	while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\r'))
		t.n--;
	while (t.n && *t.s == ' ')
		t.s++, t.n--;
	return t;
}

/* Returns column i of a line; absent if it has fewer. */
static struct text
column(struct text line, size_t i)
{
	const char *p = line.s, *end = p + line.n, *tab;

	for (; (tab = memchr(p, '\t', (size_t)(end - p))) && i; i--)
		p = tab + 1;
	return i ? (struct text){ 0 } : (struct text){ p, (size_t)((tab ? tab : end) - p) };
}

static struct text
last_column(struct text line)
{
	const char *tab = last_byte(line.s, '\t', line.n);

	return tab ? (struct text){ tab + 1, (size_t)(line.s + line.n - tab - 1) } : line;
}

/* ---- the heading ---- */

static bool
is_heading(struct text line)
{
	const struct text first = column(line, 0);

	return (text_is(first, "Weight") || text_is(first, "Running Time") ||
	    text_is(first, "Bytes Used")) && text_begins(trim(last_column(line)), "Symbol Name");
}

static int
read_heading(struct reader *rd, struct text line)
{
	struct text t;

	if (!is_heading(line))
		return BAD("expected a heading from 'Weight' to 'Symbol Name', found %s",
		    QUOTE(line));
	buf_text(&rd->heading, line);
	line = buf_as_text(&rd->heading);
	rd->begun = true;
	for (rd->self = 1; (t = column(line, rd->self)).s; rd->self++) {
		if (text_begins(t, "Self Weight") || text_begins(t, "Self ("))
			break;
		if (text_is(t, "Count")) {
			rd->counts = true;
			rd->measure = COUNT;
			break;
		}
	}
	if (!t.s)
		return BAD("no column of self weights or counts: copy the tree with such "
		    "a column");
	if (text_begins(t, "Self (") && t.s[t.n - 1] == ')')
		rd->unit = (struct text){ t.s + strlen("Self ("), t.n - strlen("Self ()") };
	return LINE_OK;
}

/* ---- numbers ---- */

/* Sets *n to a decimal number times `unit`; false if it is none, or not a whole number. */
static bool
read_decimal(struct text t, uint64_t unit, num *n)
{
	num v = 0, tens = 1;
	bool point = false;
	size_t i;

	for (i = 0; i < t.n; i++) {
		if (t.s[i] == '.' && !point && i) {
			point = true;
			continue;
		}
		if (t.s[i] < '0' || t.s[i] > '9' || i > 18)
			return false;
		v = 10 * v + (t.s[i] - '0');
		tens *= point ? 10 : 1;
	}
	v *= unit;
	*n = v / tens;
	return t.n && v % tens == 0;
}

/* Reads "846.00 ms", "404.75 Mc", or "0" in the unit of the heading. */
static int
read_weight(struct reader *rd, struct text t, num *n)
{
	struct text unit = rd->unit, number = trim(t);
	const char *blank = memchr(number.s, ' ', number.n);
	size_t i;

	if (blank) {
		unit = (struct text){ blank + 1, (size_t)(number.s + number.n - blank - 1) };
		number.n = (size_t)(blank - number.s);
	}
	for (i = 0; i < sizeof units / sizeof *units && !text_is(unit, units[i].name); i++)
		;
	if (i == sizeof units / sizeof *units || !read_decimal(number, units[i].n, n))
		return BAD("expected a weight such as '846.00 ms', found %s", QUOTE(t));
	if (rd->measure != NOTHING && rd->measure != units[i].measure)
		return BAD("expected a weight in the unit of those above, found %s", QUOTE(t));
	rd->measure = units[i].measure;
	return LINE_OK;
}

static int
read_self(struct reader *rd, struct text t, num *n)
{
	uint64_t count;
	const char *end;

	*n = 0;
	if (text_is(t, "-"))
		return LINE_OK;
	if (!rd->counts)
		return read_weight(rd, t, n);
	if (!t.n || (end = num_get_u64(t.s, &count)) != t.s + t.n)
		return BAD("expected a count, found %s", QUOTE(t));
	*n = count;
	return LINE_OK;
}

/* ---- the tree ---- */

static int
add_node(struct reader *rd, size_t depth, struct text name, num self)
{
	struct node *n, *up;

	if (rd->nnode >= UINT32_MAX - 1)
		return BAD("too many lines");
	rd->node = mem_grow(rd->node, &rd->capnode, rd->nnode + 1, sizeof *rd->node);
	n = &rd->node[rd->nnode];
	*n = (struct node){ NO_ID, dict_str(rd->d->dict, name), NO_ID, self };
	if (depth) {
		n->parent = rd->open[depth - 1];
		up = &rd->node[n->parent];
		if (rd->counts && up->self < self)
			return BAD("more than the %s that its caller has left",
			    measures[rd->measure].name);
		if (rd->counts)
			up->self -= self;
	}
	rd->open = mem_grow(rd->open, &rd->capopen, depth + 1, sizeof *rd->open);
	rd->open[depth] = (uint32_t)rd->nnode++;
	rd->nopen = depth + 1;
	return LINE_OK;
}

static int
read_node(struct reader *rd, struct text line)
{
	const struct text symbol = last_column(line), name = trim(symbol),
	    self = trim(column(line, rd->self));
	size_t indent = (size_t)(name.s - symbol.s);
	num n;
	int ret;

	if (!self.s || !name.n || symbol.s <= self.s)
		return BAD("expected a weight and a symbol between TABs, found %s", QUOTE(line));
	if (!rd->nnode)
		rd->base = indent;
	if (indent < rd->base || indent - rd->base > rd->nopen)
		return BAD("the symbol is more than one level deeper than the one above, "
		    "or less deep than the first");
	if ((ret = read_self(rd, self, &n)))
		return ret;
	return add_node(rd, indent - rd->base, name, n);
}

static int
read_line(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	const struct text line = { p, (size_t)(end - p) };

	if (!trim(line).n)
		return LINE_OK;
	return rd->begun ? read_node(rd, line) : read_heading(rd, line);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;

	return decode_each_line(rd->d, p, end, read_line, rd);
}

/* ---- records ---- */

static int
put_header(struct reader *rd)
{
	return decode_part(rd->d, "instruments", (struct text){ 0 }) < 0 ||
	    meta_put(rd->d->out, "creator", TEXT("Instruments")) < 0 ? -1 :
	    DECODE_EVENT(rd->d, 0, .name = text_of(measures[rd->measure].name),
	    .unit = text_of(measures[rd->measure].unit),
	    .description = text_of(measures[rd->measure].description));
}

static int
put_node(struct reader *rd, struct node *n)
{
	struct decode *d = rd->d;
	struct record r = rec_make(REC_SAMPLE);
	struct func_def f = NO_FUNC;
	struct ctx_def c = NO_CTX;
	char tmp[NUM_TEXT];

	f.name = n->name;
	if (n->parent != NO_ID)
		c.parent = rd->node[n->parent].ctx;
	if (decode_func(d, &f, &c.func) < 0 || decode_ctx(d, &c, &n->ctx) < 0)
		return -1;
	if (!n->self)
		return 0;
	r.col[0].n = n->ctx;
	r.values = num_text(tmp, n->self);
	return sink_put(d->out, &r);
}

/* Instruments 16, whose heading is in the plural, joins its lines with newlines. */
static enum end_proof
end_proof(const struct reader *rd)
{
	return text_is(trim(last_column(buf_as_text(&rd->heading))), "Symbol Names") ?
	    END_BY_HABIT : END_UNPROVED;
}

static int
read_all(struct reader *rd)
{
	struct decode *d = rd->d;
	size_t i;

	if (decode_lines(d, "copy", LAST_MAY_END, block, rd) < 0)
		return -1;
	if (!rd->nnode && !d->cut && decode_cut(d, "the copy is truncated: it has no "
	    "call tree") < 0)
		return -1;
	if (put_header(rd) < 0)
		return -1;
	for (i = 0; i < rd->nnode; i++)
		if (put_node(rd, &rd->node[i]) < 0)
			return -1;
	if (rd->measure != COUNT)
		diag_say(d->diag, DIAG_NOTE, "the weights are rounded, as Instruments "
		    "shows them");
	else
		diag_say(d->diag, DIAG_NOTE, "the bytes are rounded, and dropped; the "
		    "counts are kept");
	return decode_unended(d, "copy", end_proof(rd));
}

static int
instruments_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	int ret = read_all(&rd);

	buf_free(&rd.heading);
	free(rd.node);
	free(rd.open);
	return ret;
}

static int
instruments_probe(const char *p, size_t n)
{
	const char *lf = memchr(p, '\n', n < 400 ? n : 400);

	return lf && is_heading((struct text){ p, (size_t)(lf - p) }) ?
	    (int)strlen("Weight\t\tSymbol Name") : 0;
}

const struct codec codec_instruments = {
	.name = "instruments",
	.summary = "Call trees of Apple's Instruments: Edit > Deep Copy",
	.synonyms = "xctrace",
	.probe = instruments_probe,
	.decode = instruments_decode,
	.supports = {
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_YES, [FEATURE_FACTS] = SUPPORT_SOME,
	},
};

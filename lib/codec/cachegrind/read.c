/* SPDX-License-Identifier: ISC */
/*
 * Reading Cachegrind's output: Valgrind's manual, "Cachegrind File Format", and
 * what cachegrind/cg_main.c, cg_diff and cg_merge really write.
 *
 * A function is a pair of fl= and fn=, so code inlined from another file is a function
 * of that file, as in cg_annotate.
 */
#include "cachegrind.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/annotation.h"
#include "util/mem.h"
#include "util/num.h"
#include "util/scan.h"

enum state {
	START,			/* nothing but desc: yet */
	COMMAND,		/* cmd: was there, events: is due */
	BODY,
	DONE,			/* after summary: */
};

struct reader {
	struct decode *d;
	enum state state;
	bool in_part;

	/* the header */
	struct buf cmd;
	bool own_cmd;		/* it is from an annotation */
	bool reported_cmd;
	struct annotation_events own_events;
	uint64_t nevents;

	/* the body */
	uint32_t file, name;	/* dictionary: the file's number, a string's */
	bool have_name;		/* fn= was there, after fl= */
	bool reported_nameless;
	bool have_func;		/* the cost's function is that of file and name */
	struct record cost;
	num *sum;		/* of the lines, by event */
	num *value;		/* of one line */
	uint64_t skipped;	/* when the part began */
	enum end_proof proof;	/* whether the summary ends the profile */
	struct buf own_run;	/* the total that a fact of the toolkit's tells */
	bool have_own_run;
	struct buf scratch;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)
#define QUOTE(p, end) diag_quote((p), (size_t)((end) - (p)))
#define HEADER_LINE "expected 'desc:', 'cmd:' or 'events:'"

static bool
blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static int
put_meta(struct reader *rd, const char *key, struct text value)
{
	return meta_put(rd->d->out, key, value) < 0 ? LINE_FATAL : LINE_OK;
}

/* ---- header ---- */

static int
begin_part(struct reader *rd)
{
	struct decode *d = rd->d;

	rd->in_part = true;
	rd->state = START;
	rd->skipped = d->session->skipped;
	rd->own_cmd = rd->have_own_run = rd->have_func = rd->have_name = false;
	rd->file = rd->name = NO_ID;
	annotation_events_clear(&rd->own_events);
	return decode_part(d, "cachegrind", TEXT("positions=line")) < 0 ?
	    LINE_FATAL : LINE_OK;
}

static int
put_list(struct reader *rd, struct text key, struct text list)
{
	struct record r = rec_make(REC_META);

	r.col[0].t = key;
	r.attrs = list;
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

/* The total of the run, if it is not the summary. */
static int
own_total(struct reader *rd, struct text list)
{
	struct text values, v;
	uint64_t n = 0;

	if (rd->state != BODY || !annotation_total(list, rd->nevents, &values))
		return BAD("expected a total, found %s", diag_quote(list.s, list.n));
	rd->own_run.n = 0;
	for (; n < rd->nevents; n++) {
		if (!values_next(&values, &v))
			v = TEXT("0");
		buf_puts(&rd->own_run, n ? "\t" : "");
		buf_text(&rd->own_run, v);
	}
	rd->have_own_run = true;
	return 1;
}

/* A fact of the toolkit's own: 1 if it was one. */
static int
own_fact(struct reader *rd, struct text v)
{
	struct text key, list;
	struct record cmd = rec_make(REC_META);
	int ret;

	if (!annotation_get(v, &key, &list))
		return 0;
	if (text_is(key, "event")) {
		if (rd->state != START || !annotation_event(&rd->own_events, list, ""))
			return BAD("expected an event, found %s",
			    diag_quote(list.s, list.n));
	} else if (text_is(key, "total")) {
		return own_total(rd, list);
	} else if (text_is(key, "cmd") && rd->state == START && list.s &&
	    !text_is(list, "-") && !memchr(list.s, '\t', list.n)) {
		/* What cmd: has cannot be all of it. */
		cmd.attrs = list;
		rd->cmd.n = rd->scratch.n = 0;
		buf_text(&rd->cmd, meta_value(&cmd, &rd->scratch));
		rd->own_cmd = true;
	} else if (!text_is(key, "format") && (ret = put_list(rd, key, list))) {
		return ret;
	}
	return 1;
}

static int
read_desc(struct reader *rd, struct text v)
{
	int ret = own_fact(rd, v);

	return ret == 0 ? put_meta(rd, "desc", v) : ret > 0 ? LINE_OK : ret;
}

static int
put_event(struct reader *rd, struct text word)
{
	const struct record *own = annotation_event_of(&rd->own_events, rd->nevents,
	    word);
	struct record r = own ? *own : rec_make(REC_EVENT);

	r.col[EVENT_ID].n = rd->nevents++;
	if (!own)
		r.col[EVENT_NAME].t = word;
	/* The format has no calls, whatever the event's annotation says. */
	if (!attr_get(r.attrs, "calls", &rd->scratch).s) {
		rd->scratch.n = 0;
		if (r.attrs.s) {
			buf_text(&rd->scratch, r.attrs);
			buf_putc(&rd->scratch, '\t');
		}
		buf_puts(&rd->scratch, "calls=absent");
		r.attrs = buf_as_text(&rd->scratch);
	}
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

static int
read_events(struct reader *rd, const char *p, const char *end)
{
	const char *q;
	size_t i;
	int ret;

	if ((rd->own_cmd || rd->cmd.n) &&
	    (ret = put_meta(rd, "cmd", buf_as_text(&rd->cmd))))
		return ret;
	rd->cmd.n = 0;
	rd->nevents = 0;
	while (p < end) {
		for (q = p; q < end && !blank(*q); q++)
			;
		if ((ret = put_event(rd, (struct text){ p, (size_t)(q - p) })))
			return ret;
		for (p = q; p < end && blank(*p); p++)
			;
	}
	if (!rd->nevents)
		return BAD("events: expected the names of events");
	for (i = 0; i < rd->own_events.n; i++) {
		struct record derived = *rd->own_events.v[i];

		if (derived.col[EVENT_ID].n == NO_ID &&
		    sink_put(rd->d->out, &derived) < 0)
			return LINE_FATAL;
	}
	rd->sum = mem_resize(rd->sum, rd->nevents, sizeof *rd->sum);
	rd->value = mem_resize(rd->value, rd->nevents, sizeof *rd->value);
	memset(rd->sum, 0, rd->nevents * sizeof *rd->sum);
	rd->state = BODY;
	return LINE_OK;
}

/*
 * Cachegrind does not escape the command's arguments.  events: follows cmd: at once, so
 * lines between them come from newlines in an argument.
 */
static int
more_command(struct reader *rd, const char *p, const char *end)
{
	size_t n = (size_t)(end - p);

	if (n >= 3 && (memcmp(p, "fl=", 3) == 0 || memcmp(p, "fn=", 3) == 0))
		return BAD("expected 'events:', found %s", QUOTE(p, end));
	if (!rd->reported_cmd && !rd->own_cmd)
		diag_say(rd->d->diag, DIAG_NOTE, "read as part of the command: %s (a "
		    "newline in an argument)", QUOTE(p, end));
	rd->reported_cmd = true;
	if (!rd->own_cmd) {
		buf_putc(&rd->cmd, '\n');
		buf_add(&rd->cmd, p, n);
	}
	return LINE_OK;
}

/* Is it "KEY: value"?  Then *value is what follows the blanks. */
static bool
has_key(const char *p, const char *end, const char *key, struct text *value)
{
	size_t n = strlen(key);

	if ((size_t)(end - p) < n || memcmp(p, key, n) != 0)
		return false;
	for (p += n; p < end && blank(*p); p++)
		;
	*value = (struct text){ p, (size_t)(end - p) };
	return true;
}

static int
header_line(struct reader *rd, const char *p, const char *end)
{
	struct text v;
	int ret;

	/* After a summary, another profile: cat(1). */
	if (rd->state == DONE && !has_key(p, end, "desc:", &v) &&
	    !has_key(p, end, "cmd:", &v) && !has_key(p, end, "events:", &v))
		return BAD(HEADER_LINE ", found %s", QUOTE(p, end));
	if ((!rd->in_part || rd->state == DONE) && (ret = begin_part(rd)))
		return ret;
	if (has_key(p, end, "events:", &v))
		return read_events(rd, v.s, v.s + v.n);
	if (rd->state == COMMAND)
		return more_command(rd, p, end);
	if (has_key(p, end, "desc:", &v))
		return read_desc(rd, v);
	if (!has_key(p, end, "cmd:", &v))
		return BAD(HEADER_LINE ", found %s", QUOTE(p, end));
	rd->state = COMMAND;
	if (!rd->own_cmd) {
		rd->cmd.n = 0;
		buf_text(&rd->cmd, v);
	}
	return LINE_OK;
}

/* ---- body ---- */

static uint32_t
name_of(struct reader *rd, const char *p, const char *end)
{
	struct text t = { p, (size_t)(end - p) };

	return text_is(t, "???") ? NO_ID : dict_str(rd->d->dict, t);
}

/* The function of fl= and fn=; counts after fl= alone are of one without a name, as in
 * cg_annotate since Valgrind 3.21. */
static int
need_func(struct reader *rd)
{
	uint32_t cols[DEF_COLS] = { rd->name, rd->file, NO_ID, NO_ID, NO_ID }, func;

	if (!rd->have_name && !rd->reported_nameless) {
		diag_say(rd->d->diag, DIAG_WARN, "counts before any 'fn=' are counted "
		    "for an unknown function");
		rd->reported_nameless = true;
	}
	if (dict_put(rd->d->dict, rd->d->out, REC_FUNC, cols, &func) < 0)
		return LINE_FATAL;
	rd->cost.col[PLACE_FUNC].n = func;
	rd->cost.col[PLACE_FILE].n = rd->file;
	rd->have_func = true;
	return LINE_OK;
}

static int
set_file(struct reader *rd, const char *p, const char *end)
{
	uint32_t cols[DEF_COLS] = { name_of(rd, p, end), NO_ID };
	bool fresh;

	rd->file = cols[FILE_PATH] == NO_ID ? NO_ID :
	    dict_define(rd->d->dict, REC_FILE, cols, &fresh);
	rd->have_func = false;
	return LINE_OK;
}

static int
b_fl(struct reader *rd, const char *p, const char *end)
{
	rd->name = NO_ID;
	rd->have_name = false;
	return set_file(rd, p, end);
}

static int
b_fn(struct reader *rd, const char *p, const char *end)
{
	rd->name = name_of(rd, p, end);
	rd->have_name = true;
	return need_func(rd);
}

/* A count without its leading zeros. */
static int
put_count(struct buf *b, bool neg, const char *digits, const char *end, num *value)
{
	size_t was = b->n;

	buf_add(b, "-", neg);
	buf_add(b, digits, (size_t)(end - digits));
	return num_get_num(b->s + was, b->n - was, value);
}

/*
 * Counts in any spelling, [p, end), made canonical in rd->scratch, and as numbers in
 * rd->value.  "." (until Valgrind 3.20) and omitted counts are 0.
 */
static int
read_counts(struct reader *rd, const char *p, const char *end)
{
	struct buf *b = &rd->scratch;
	uint64_t n = 0;

	b->n = 0;
	memset(rd->value, 0, rd->nevents * sizeof *rd->value);
	for (;;) {
		const char *word, *digits;
		bool neg;

		while (p < end && blank(*p))
			p++;
		if (p == end)
			break;
		for (word = p; p < end && !blank(*p); p++)
			;
		if (n == rd->nevents)
			return BAD("more counts than events (%" PRIu64 "): %s",
			    rd->nevents, QUOTE(word, p));
		neg = *word == '-';
		for (digits = word + neg; digits < p && *digits >= '0' &&
		    *digits <= '9'; digits++)
			;
		if ((digits != p || digits == word + neg) &&
		    !(*word == '.' && p == word + 1))
			return BAD("expected a count, found %s", QUOTE(word, p));
		for (digits = word + neg; digits < p - 1 && *digits == '0'; digits++)
			;
		if (b->n)
			buf_putc(b, ' ');
		if (*word == '.' || *digits == '0')
			buf_putc(b, '0');
		else if (put_count(b, neg, digits, p, &rd->value[n]) < 0)
			return BAD("%s does not fit 128 bits", QUOTE(word, p));
		n++;
	}
	for (; n < rd->nevents; n++)
		buf_puts(b, b->n ? " 0" : "0");
	return LINE_OK;
}

/* Any line of cost, [p, end). */
static int
odd_cost(struct reader *rd, const char *p, const char *end)
{
	struct field *line = &rd->cost.col[PLACE_LINE];
	const char *q = num_get_u64(p, &line->n);
	uint64_t i;
	int ret;

	if (!q || q == p || (q < end && !blank(*q)))
		return BAD("expected a line number and counts, found %s",
		    QUOTE(p, end));
	line->has = line->n ? HAS_N : 0;
	if ((ret = read_counts(rd, q, end)))
		return ret;
	/* usual_cost() adds without checks: half the range is reserved for it. */
	for (i = 0; i < rd->nevents; i++)
		if (num_add(&rd->sum[i], rd->value[i]) < 0 ||
		    rd->sum[i] > NUM_MAX / 2 || rd->sum[i] < NUM_MIN / 2)
			return BAD("a sum does not fit 128 bits");
	rd->cost.values = buf_as_text(&rd->scratch);
	if (!rd->have_func && (ret = need_func(rd)))
		return ret;
	return sink_put(rd->d->out, &rd->cost);
}

/*
 * A usual line of cost: all numbers present and canonical, separated by single blanks.
 * Returns its newline, or NULL for any other line.
 */
static inline const char *
usual_cost(struct reader *rd, const char *p)
{
	struct record *r = &rd->cost;
	unsigned n, i, from;
	uint64_t left, run;
	struct scan s;

	if (!scan_line(p, ' ', &s) || !s.n || !scan_numbers(&s, 0, SCAN) ||
	    scan_count(s.blank) != rd->nevents)
		return NULL;
	run = s.digit & s.digit >> 1;	/* eight digits in a row? */
	run &= run >> 2;
	if (run & run >> 4)
		return NULL;
	n = scan_token(&s, 0);
	r->col[PLACE_LINE].n = scan_dec(p, n);
	r->col[PLACE_LINE].has = r->col[PLACE_LINE].n ? HAS_N : 0;
	r->values = (struct text){ p + n + 1, s.n - n - 1 };
	/* Most counts are 0: look only at the others. */
	for (left = s.blank << 1 & ~s.zero; left; left &= left - 1) {
		from = (unsigned)__builtin_ctzll(left);
		i = scan_count(s.blank & (left ^ (left - 1))) - 1;
		rd->sum[i] += scan_dec(p + from, scan_token(&s, from) - from);
	}
	return p + s.n;
}

/* ---- the end ---- */

/* cg_annotate takes the summary as the cost of the run, and since Valgrind 3.21 refuses
 * one that is not the sum of the lines. */
static void
check_summary(struct reader *rd)
{
	char sum[NUM_TEXT], stated[NUM_TEXT];
	uint64_t i;

	for (i = 0; i < rd->nevents && rd->sum[i] == rd->value[i]; i++)
		;
	rd->proof = i == rd->nevents ? END_WHOLE : END_CUT;
	if (rd->proof == END_WHOLE || rd->d->session->skipped != rd->skipped || rd->d->unended)
		return;
	*num_put_num(sum, rd->sum[i]) = '\0';
	*num_put_num(stated, rd->value[i]) = '\0';
	diag_say(rd->d->diag, DIAG_WARN, "summary: the lines add up to %s of event "
	    "%" PRIu64 ", not to %s", sum, i + 1, stated);
}

static int
b_summary(struct reader *rd, const char *p, const char *end)
{
	struct record r = rec_make(REC_TOTAL);
	int ret = read_counts(rd, p, end);

	if (ret)
		return ret;
	check_summary(rd);
	rd->state = DONE;
	r.col[0].t = TEXT("run");
	r.values = buf_as_text(rd->have_own_run ? &rd->own_run : &rd->scratch);
	return sink_put(rd->d->out, &r);
}

static int
comment(struct reader *rd, struct text v)
{
	int ret = own_fact(rd, v);

	rd->proof = END_UNPROVED;
	return ret == 0 ? put_meta(rd, "comment", v) : ret > 0 ? LINE_OK : ret;
}

/* ---- lines ---- */

static const struct {
	const char *key;
	int (*read)(struct reader *, const char *p, const char *end);
} body_table[] = {
	{ "fl=", b_fl }, { "fn=", b_fn },
	/* Before Valgrind 2.1: another file, the same function. */
	{ "fi=", set_file }, { "fe=", set_file },
	{ "summary:", b_summary },
};

static int
body_line(struct reader *rd, const char *p, const char *end)
{
	size_t i, n;

	if (*p >= '0' && *p <= '9')
		return odd_cost(rd, p, end);
	for (i = 0; i < sizeof body_table / sizeof *body_table; i++) {
		n = strlen(body_table[i].key);
		if ((size_t)(end - p) >= n && memcmp(p, body_table[i].key, n) == 0)
			return body_table[i].read(rd, p + n, end);
	}
	return BAD("expected counts, 'fl=', 'fn=' or 'summary:', found %s",
	    QUOTE(p, end));
}

/* Any line, [p, end). */
static int
other_line(struct reader *rd, const char *p, const char *end)
{
	const char *q = p;

	if (end > p && end[-1] == '\r')
		end--;
	if (rd->state < BODY)
		return header_line(rd, p, end);
	while (q < end && blank(*q))
		q++;
	if (q == end)
		return LINE_OK;
	if (*p == '#')
		return comment(rd, (struct text){ p + 1, (size_t)(end - p - 1) });
	if (rd->state == BODY)
		return body_line(rd, p, end);
	return header_line(rd, p, end);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	struct decode *d = rd->d;
	const char *q;
	int ret;

	while (p < end) {
		d->at.line++;
		if (rd->have_func && *p <= '9' && *p >= '0' &&
		    rd->state == BODY && (q = usual_cost(rd, p))) {
			if (sink_put(d->out, &rd->cost) < 0)
				return -1;
			p = q + 1;
			continue;
		}
		q = memchr(p, '\n', (size_t)(end - p));
		ret = other_line(rd, p, q);
		if (ret && decode_line_done(d, ret) < 0)
			return -1;
		p = q + 1;
	}
	return 0;
}

static int
read_all(struct reader *rd)
{
	struct decode *d = rd->d;

	if (decode_lines(d, "profile", LAST_MAY_END, block, rd) < 0)
		return -1;
	if (!rd->in_part || rd->state < BODY)
		return decode_line_done(d, BAD("no 'events:' line"));
	if (rd->state != DONE && !d->cut)
		return decode_cut(d, "the profile is cut: no 'summary:', which "
		    "cachegrind writes last");
	return decode_unended(d, "profile", rd->proof);
}

int
cachegrind_decode(struct decode *d)
{
	struct reader rd = { .d = d, .cost = rec_make(REC_COST) };
	int r = read_all(&rd);

	annotation_events_free(&rd.own_events);
	buf_free(&rd.cmd);
	buf_free(&rd.own_run);
	buf_free(&rd.scratch);
	free(rd.sum);
	free(rd.value);
	return r;
}

/* SPDX-License-Identifier: ISC */
/*
 * The body of a profile.
 *
 * A function is a pair of fl= and fn=, so code inlined from another file is a function
 * of that file, as in cg_annotate.
 */
#include "reader.h"

#include <inttypes.h>

/* ---- functions ---- */

static uint32_t
name_of(struct reader *rd, const char *p, const char *end)
{
	struct text t = { p, (size_t)(end - p) };

	return text_is(t, "???") ? NO_ID : dict_str(rd->d->dict, t);
}

/* Defines the function of fl= and fn=; without fn= after fl= it has no name, as in
 * cg_annotate since Valgrind 3.21. */
static int
need_func(struct reader *rd)
{
	struct func_def f = NO_FUNC;
	uint32_t func;

	if (!rd->have_name && !rd->reported_nameless) {
		diag_say(rd->d->diag, DIAG_WARN, "counts before the first 'fn=' are "
		    "charged to an unknown function");
		rd->reported_nameless = true;
	}
	f.name = rd->name;
	f.file = rd->file;
	if (decode_func(rd->d, &f, &func) < 0)
		return LINE_FATAL;
	rd->cost.col[PLACE_FUNC].n = func;
	rd->cost.col[PLACE_FILE].n = rd->file;
	rd->have_func = true;
	return LINE_OK;
}

static int
set_file(struct reader *rd, const char *p, const char *end)
{
	rd->file = dict_define_path(rd->d->dict, REC_FILE, name_of(rd, p, end));
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

/* ---- counts ---- */

/* Adds a count without its leading zeros. */
static int
put_count(struct buf *b, bool neg, const char *digits, const char *end, num *value)
{
	size_t was = b->n;

	buf_add(b, "-", neg);
	buf_add(b, digits, (size_t)(end - digits));
	return num_get_num(b->s + was, b->n - was, value);
}

/*
 * Reads counts in any spelling, [p, end): canonical text in rd->scratch, numbers in
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

		while (p < end && cachegrind_blank(*p))
			p++;
		if (p == end)
			break;
		for (word = p; p < end && !cachegrind_blank(*p); p++)
			;
		if (n == rd->nevents)
			return BAD("more counts than events (%" PRIu64 "): %s",
			    rd->nevents, QUOTE_TO(word, p));
		neg = *word == '-';
		for (digits = word + neg; digits < p && *digits >= '0' &&
		    *digits <= '9'; digits++)
			;
		if ((digits != p || digits == word + neg) &&
		    !(*word == '.' && p == word + 1))
			return BAD("expected a count, found %s", QUOTE_TO(word, p));
		for (digits = word + neg; digits < p - 1 && *digits == '0'; digits++)
			;
		if (b->n)
			buf_putc(b, ' ');
		if (*word == '.' || *digits == '0')
			buf_putc(b, '0');
		else if (put_count(b, neg, digits, p, &rd->value[n]) < 0)
			return BAD("%s does not fit 128 bits", QUOTE_TO(word, p));
		n++;
	}
	for (; n < rd->nevents; n++)
		buf_puts(b, b->n ? " 0" : "0");
	return LINE_OK;
}

/* Puts any line of cost, [p, end). */
static int
odd_cost(struct reader *rd, const char *p, const char *end)
{
	struct field *line = &rd->cost.col[PLACE_LINE];
	const char *q = num_get_u64(p, &line->n);
	uint64_t i;
	int ret;

	if (!q || q == p || (q < end && !cachegrind_blank(*q)))
		return BAD("expected a line number and counts, found %s", QUOTE_TO(p, end));
	line->has = line->n ? HAS_N : 0;
	if ((ret = read_counts(rd, q, end)))
		return ret;
	/* usual_cost() adds without checks: half the range is reserved for it. */
	for (i = 0; i < rd->nevents; i++)
		if (num_add(&rd->sum[i], rd->value[i]) < 0 ||
		    rd->sum[i] > NUM_MAX / 2 || rd->sum[i] < NUM_MIN / 2)
			return BAD("a sum does not fit 128 bits");
	rd->cost.values = buf_as_text(&rd->scratch);
	rd->cost.plain = NULL;
	if (!rd->have_func && (ret = need_func(rd)))
		return ret;
	return sink_put(rd->d->out, &rd->cost);
}

/* ---- the end ---- */

/* Compares the summary with the lines. cg_annotate takes it as the cost of the run, and
 * since Valgrind 3.21 rejects one that is not the sum of the lines. */
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

int
cachegrind_comment(struct reader *rd, struct text v)
{
	int ret = cachegrind_own_fact(rd, v);

	rd->proof = END_UNPROVED;
	return ret == 0 ? cachegrind_put_meta(rd, "comment", v) : ret > 0 ? LINE_OK : ret;
}

/* ---- lines ---- */

static const struct {
	const char *key;
	int (*read)(struct reader *, const char *p, const char *end);
} body_table[] = {
	{ "fl=", b_fl }, { "fn=", b_fn },
	/* Before Valgrind 2.1: another file for the same function. */
	{ "fi=", set_file }, { "fe=", set_file },
	{ "summary:", b_summary },
};

int
cachegrind_body_line(struct reader *rd, const char *p, const char *end)
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
	    QUOTE_TO(p, end));
}

/* SPDX-License-Identifier: ISC */
/* The header of a profile, and this toolkit's metadata in comments. */
#include "reader.h"

#include "util/mem.h"

#define HEADER_LINE "expected 'desc:', 'cmd:' or 'events:'"

int
cachegrind_put_meta(struct reader *rd, const char *key, struct text value)
{
	return meta_put(rd->d->out, key, value) < 0 ? LINE_FATAL : LINE_OK;
}

static int
begin_part(struct reader *rd)
{
	struct decode *d = rd->d;

	rd->in_part = true;
	rd->state = START;
	rd->skipped = d->session->skipped;
	rd->own_cmd = rd->have_own_run = rd->have_func = rd->have_name = false;
	rd->file = rd->name = NO_ID;
	comment_events_clear(&rd->own_events);
	return decode_part(d, "cachegrind", TEXT("positions=line")) < 0 ?
	    LINE_FATAL : LINE_OK;
}

/* ---- metadata in comments ---- */

static int
put_list(struct reader *rd, struct text key, struct text list)
{
	struct record r = rec_make(REC_META);

	r.col[0].t = key;
	r.attrs = list;
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

/* Keeps the total of the run, if it differs from the summary. */
static int
own_total(struct reader *rd, struct text list)
{
	struct text values, v;
	uint64_t n = 0;

	if (rd->state != BODY || !comment_total(list, rd->nevents, &values))
		return BAD("expected a total, found %s", QUOTE(list));
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

/* Takes metadata in a comment: 1 if it was one. */
int
cachegrind_own_fact(struct reader *rd, struct text v)
{
	struct text key, list;
	struct record cmd = rec_make(REC_META);
	int ret;

	if (!comment_get(v, &key, &list))
		return 0;
	if (text_is(key, "event")) {
		if (rd->state != START || !comment_event(&rd->own_events, list, ""))
			return BAD("expected an event, found %s", QUOTE(list));
	} else if (text_is(key, "total")) {
		return own_total(rd, list);
	} else if (text_is(key, "cmd") && rd->state == START && list.s &&
	    !text_is(list, "-") && !memchr(list.s, '\t', list.n)) {
		/* The comment has the command in full, unlike cmd:. */
		cmd.attrs = list;
		rd->cmd.n = rd->scratch.n = 0;
		buf_text(&rd->cmd, meta_value(&cmd, &rd->scratch));
		rd->own_cmd = true;
	} else if (!text_is(key, "format") && (ret = put_list(rd, key, list))) {
		return ret;
	}
	return 1;
}

/* ---- lines ---- */

static int
read_desc(struct reader *rd, struct text v)
{
	int ret = cachegrind_own_fact(rd, v);

	return ret == 0 ? cachegrind_put_meta(rd, "desc", v) : ret > 0 ? LINE_OK : ret;
}

static int
put_event(struct reader *rd, struct text word)
{
	const struct record *own = comment_event_of(&rd->own_events, rd->nevents,
	    word);
	struct record r = own ? rec_copy_of(own) : rec_make(REC_EVENT);

	r.col[EVENT_ID].n = rd->nevents++;
	if (!own)
		r.col[EVENT_NAME].t = word;
	/* The format has no calls, whatever the comment says about the event. */
	if (!attr_has(r.attrs, "calls")) {
		rd->scratch.n = 0;
		if (r.attrs.s) {
			buf_text(&rd->scratch, r.attrs);
			buf_putc(&rd->scratch, '\t');
		}
		buf_puts(&rd->scratch, "calls=absent");
		r.attrs = buf_as_text(&rd->scratch);
	}
	return decode_put_event(rd->d, &r) < 0 ? LINE_FATAL : LINE_OK;
}

static int
read_events(struct reader *rd, const char *p, const char *end)
{
	const char *q;
	size_t i;
	int ret;

	if ((rd->own_cmd || rd->cmd.n) &&
	    (ret = cachegrind_put_meta(rd, "cmd", buf_as_text(&rd->cmd))))
		return ret;
	rd->cmd.n = 0;
	rd->nevents = 0;
	while (p < end) {
		for (q = p; q < end && !cachegrind_blank(*q); q++)
			;
		if ((ret = put_event(rd, (struct text){ p, (size_t)(q - p) })))
			return ret;
		for (p = q; p < end && cachegrind_blank(*p); p++)
			;
	}
	if (!rd->nevents)
		return BAD("events: expected the names of events");
	for (i = 0; i < rd->own_events.n; i++) {
		struct record derived;

		rec_copy(&derived, rd->own_events.v[i]);
		if (derived.col[EVENT_ID].n == NO_ID &&
		    decode_put_event(rd->d, &derived) < 0)
			return LINE_FATAL;
	}
	rd->sum = mem_resize(rd->sum, rd->nevents, sizeof *rd->sum);
	rd->value = mem_resize(rd->value, rd->nevents, sizeof *rd->value);
	memset(rd->sum, 0, rd->nevents * sizeof *rd->sum);
	rd->state = BODY;
	return LINE_OK;
}

/*
 * Adds a line to the command.  Cachegrind does not escape the command's arguments; events:
 * follows cmd: at once, so lines between them come from newlines in an argument.
 */
static int
more_command(struct reader *rd, const char *p, const char *end)
{
	size_t n = (size_t)(end - p);

	if (n >= 3 && (memcmp(p, "fl=", 3) == 0 || memcmp(p, "fn=", 3) == 0))
		return BAD("expected 'events:', found %s", QUOTE_TO(p, end));
	if (!rd->reported_cmd && !rd->own_cmd)
		diag_say(rd->d->diag, DIAG_NOTE, "read as part of the command: %s (a "
		    "newline in an argument)", QUOTE_TO(p, end));
	rd->reported_cmd = true;
	if (!rd->own_cmd) {
		buf_putc(&rd->cmd, '\n');
		buf_add(&rd->cmd, p, n);
	}
	return LINE_OK;
}

/* Is it "KEY: value"?  Then sets *value to the text after the blanks. */
static bool
has_key(const char *p, const char *end, const char *key, struct text *value)
{
	size_t n = strlen(key);

	if ((size_t)(end - p) < n || memcmp(p, key, n) != 0)
		return false;
	for (p += n; p < end && cachegrind_blank(*p); p++)
		;
	*value = (struct text){ p, (size_t)(end - p) };
	return true;
}

int
cachegrind_header_line(struct reader *rd, const char *p, const char *end)
{
	struct text v;
	int ret;

	/* After a summary, another profile may follow: cat(1). */
	if (rd->state == DONE && !has_key(p, end, "desc:", &v) &&
	    !has_key(p, end, "cmd:", &v) && !has_key(p, end, "events:", &v))
		return BAD(HEADER_LINE ", found %s", QUOTE_TO(p, end));
	if ((!rd->in_part || rd->state == DONE) && (ret = begin_part(rd)))
		return ret;
	if (has_key(p, end, "events:", &v))
		return read_events(rd, v.s, v.s + v.n);
	if (rd->state == COMMAND)
		return more_command(rd, p, end);
	if (has_key(p, end, "desc:", &v))
		return read_desc(rd, v);
	if (!has_key(p, end, "cmd:", &v))
		return BAD(HEADER_LINE ", found %s", QUOTE_TO(p, end));
	rd->state = COMMAND;
	if (!rd->own_cmd) {
		rd->cmd.n = 0;
		buf_text(&rd->cmd, v);
	}
	return LINE_OK;
}

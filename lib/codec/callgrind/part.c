/* SPDX-License-Identifier: ISC */
/* The beginning of a part: its events and metadata, which wait for its body. */
#include "dialect.h"
#include "positions.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/num.h"

bool
cg_next_event(struct text *lines, struct text *name, struct text *formula,
    struct text *description)
{
	const char *p = lines->s, *end, *q;
	struct text t[3] = { { 0 } };
	int i = 0;

	if (!lines->n)
		return false;
	end = memchr(p, '\n', lines->n);
	*lines = (struct text){ end + 1, lines->n - (size_t)(end + 1 - p) };
	for (;;) {
		while (p < end && blank(*p))
			p++;
		for (q = p; q < end; q++)
			if ((*q == '=' && i == 0) || (*q == ':' && i < 2) ||
			    (i == 0 && blank(*q)))
				break;
		t[i] = (struct text){ p, (size_t)(q - p) };
		while (i < 2 && t[i].n && blank(t[i].s[t[i].n - 1]))
			t[i].n--;
		while (q < end && blank(*q))
			q++;
		if (q == end || i == 2)
			break;
		i = *q == '=' && i == 0 ? 1 : 2;
		p = *q == '=' || *q == ':' ? q + 1 : q;
	}
	*name = t[0];
	*formula = t[1];
	*description = t[2];
	return true;
}

/* The next word of a list with blanks between them; false at the end. */
static bool
next_word(struct text *words, struct text *word)
{
	const char *p = words->s, *end = p + words->n;

	if (!words->n)
		return false;
	while (p < end && !blank(*p))
		p++;
	*word = (struct text){ words->s, (size_t)(p - words->s) };
	while (p < end && blank(*p))
		p++;
	*words = (struct text){ p, (size_t)(end - p) };
	return true;
}

/* Finds the first `event:` line of each name. */
static void
find_event_lines(struct reader *rd)
{
	struct text rest = buf_as_text(&rd->event), name, formula, description;
	size_t at = 0;

	name_index_clear(&rd->event_line);
	while (cg_next_event(&rest, &name, &formula, &description)) {
		name_index_add(&rd->event_line, name, at);
		at = rd->event.n - rest.n;
	}
}

static int
put_measured(struct reader *rd, struct text name)
{
	struct record r = rec_make(REC_EVENT);
	const struct dialect_event known = dialect_event(buf_as_text(&rd->creator), name);
	const struct record *own;
	struct text line;
	size_t at;

	r.col[EVENT_ID].n = rd->nevents++;
	r.col[EVENT_NAME].t = name;
	r.col[EVENT_UNIT].t = known.unit;
	r.attrs = known.attrs;
	if (name_index_find(&rd->event_line, name, &at)) {
		line = (struct text){ rd->event.s + at, rd->event.n - at };
		cg_next_event(&line, &name, &r.col[EVENT_FORMULA].t,
		    &r.col[EVENT_DESCRIPTION].t);
	}
	if ((own = comment_event_of(&rd->own_events, r.col[EVENT_ID].n, name)))
		rec_copy(&r, own);
	return decode_put_event(rd->d, &r) < 0 ? LINE_FATAL : LINE_OK;
}

/* Puts the `event:` lines of events that are not measured. */
static int
put_derived(struct reader *rd, const struct name_index *measured)
{
	struct text rest = buf_as_text(&rd->event), name;
	struct record r = rec_make(REC_EVENT), copy;
	const struct record *own;
	size_t at;

	while (cg_next_event(&rest, &name, &r.col[EVENT_FORMULA].t,
	    &r.col[EVENT_DESCRIPTION].t)) {
		if (name_index_find(measured, name, &at))
			continue;
		r.col[EVENT_NAME].t = name;
		own = comment_event_of(&rd->own_events, NO_ID, name);
		copy = own ? rec_copy_of(own) : r;
		if (decode_put_event(rd->d, &copy) < 0)
			return LINE_FATAL;
	}
	return LINE_OK;
}

static int
put_events(struct reader *rd)
{
	struct text rest = buf_as_text(&rd->events), name;
	struct name_index measured = { 0 };
	int ret = LINE_OK;

	rd->nevents = 0;
	find_event_lines(rd);
	while (ret == LINE_OK && next_word(&rest, &name)) {
		if (rd->event.n)
			name_index_add(&measured, name, 0);
		ret = put_measured(rd, name);
	}
	if (ret == LINE_OK)
		ret = put_derived(rd, &measured);
	name_index_free(&measured);
	return ret;
}

static int
put_meta(struct reader *rd)
{
	const struct { const char *key; struct buf *b; } file_level[] = {
		{ "creator", &rd->creator }, { "pid", &rd->pid }, { "cmd", &rd->cmd },
	};
	size_t i;

	if (meta_put(rd->d->out, "format", TEXT("callgrind")) < 0)
		return LINE_FATAL;
	for (i = 0; i < 3; i++)
		if (file_level[i].b->n && meta_put(rd->d->out, file_level[i].key,
		    buf_as_text(file_level[i].b)) < 0)
			return LINE_FATAL;
	for (i = 0; i < rd->nmeta; i++)
		if (sink_put(rd->d->out, rd->meta[i]) < 0)
			return LINE_FATAL;
	return LINE_OK;
}

int
cg_tell_levels(struct reader *rd)
{
	if (rd->reported_levels || !rd->self_base)
		return LINE_OK;
	rd->reported_levels = true;
	rd->measured = false;
	return meta_put(rd->d->out, "recursion", TEXT("levels")) < 0 ? LINE_FATAL :
	    LINE_OK;
}

int
cg_put_total(struct reader *rd, const char *of, struct text values)
{
	struct record r = rec_make(REC_TOTAL);

	rd->measured = false;
	r.col[0].t = text_of(of);
	r.values = values;
	return sink_put(rd->d->out, &r);
}

/* Reads the header's `summary:`, which was not possible before the events were known.
 * Errors are on its line, not on this one. */
static int
put_summary(struct reader *rd)
{
	const char *s = buf_str(&rd->summary);
	uint64_t here = rd->d->at.line;
	struct text values;
	int ret;

	rd->d->at.line = rd->summary_line;
	ret = cg_values(rd, s, s + rd->summary.n, &values);
	if (ret) {
		ret = decode_line_done(rd->d, ret) < 0 ? LINE_FATAL : LINE_OK;
	} else {
		rd->total_run.n = 0;
		buf_text(&rd->total_run, values);
		ret = cg_put_total(rd, "run", values) < 0 ? LINE_FATAL : LINE_OK;
	}
	if (ret == LINE_OK)
		rd->d->at.line = here;
	return ret;
}

int
cg_start_part(struct reader *rd)
{
	struct record r = rec_make(REC_PART);
	struct buf b = { 0 }, attrs = { 0 };
	char run[24];
	unsigned i;
	int ret;

	if (!rd->have_events)
		return BAD("expected 'events:' before the first cost line");
	rd->no_counts = dialect_counts_no_calls(buf_as_text(&rd->creator),
	    buf_as_text(&rd->events));
	rd->stack.are = !rd->flat && dialect_stacks(buf_as_text(&rd->creator));
	for (i = 0; i < rd->npos; i++)
		buf_printf(&b, "%s%s", i ? "," : "", pos_names[rd->pos[i]].attr);
	attr_add(&attrs, "positions", buf_as_text(&b));
	r.attrs = buf_as_text(&attrs);
	/* A part of another process belongs to another run: cat a b. */
	rd->d->session->runs += rd->new_run || (rd->run_pid.n &&
	    !text_eq(buf_as_text(&rd->run_pid), buf_as_text(&rd->pid)));
	rd->new_run = false;
	rd->run_pid.n = 0;
	buf_text(&rd->run_pid, buf_as_text(&rd->pid));
	r.col[0].t = num_text_u64(run, rd->d->session->runs);
	rd->any_part = rd->started = true;
	rd->measured = false;
	ret = decode_put_part(rd->d, &r);
	buf_free(&b);
	buf_free(&attrs);
	if (ret < 0 || (ret = put_meta(rd)) || (ret = put_events(rd)))
		return ret < 0 ? LINE_FATAL : ret;
	return rd->have_summary ? put_summary(rd) : LINE_OK;
}

/* ---- metadata ---- */

/* Adds metadata with a list of values in the stream's form: before the body they wait with
 * the header, later they are put at once. */
static int
add_list(struct reader *rd, const char *key, struct text list)
{
	struct record r = rec_make(REC_META);

	r.col[0].t = text_of(key);
	r.attrs = list;
	rd->in_part = true;
	rd->measured = false;
	if (rd->started)
		return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
	rd->meta = mem_grow(rd->meta, &rd->capmeta, rd->nmeta + 1, sizeof *rd->meta);
	rd->meta[rd->nmeta++] = rec_keep(&r);
	return LINE_OK;
}

int
cg_add_meta(struct reader *rd, const char *key, struct text value)
{
	struct buf b = { 0 };
	int ret;

	field_escape(&b, value);
	ret = add_list(rd, key, buf_as_text(&b));
	buf_free(&b);
	return ret;
}

int
cg_own_fact(struct reader *rd, struct text v)
{
	struct text key, list;
	struct buf b = { 0 };
	int ret;

	if (!comment_get(v, &key, &list))
		return 0;
	if (text_is(key, "event"))
		return !rd->started && comment_event(&rd->own_events, list, EVENT_BAD) ? 1 :
		    BAD("expected an event, found %s", QUOTE(list));
	if (text_is(key, DIALECT_FLAT))
		return rd->flat = true;
	buf_text(&b, key);
	ret = add_list(rd, buf_str(&b), list);
	buf_free(&b);
	return ret ? LINE_FATAL : 1;
}

void
cg_forget_meta(struct reader *rd)
{
	while (rd->nmeta)
		free(rd->meta[--rd->nmeta]);
}

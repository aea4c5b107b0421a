/* SPDX-License-Identifier: ISC */
/* Callgrind's header lines, and parts. */
#include "reader.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/num.h"

/* Takes a line off `event:` values: NAME [= FORMULA] [: description].  Missing parts
 * are absent; false at the end. */
static bool
next_event(struct text *lines, struct text *name, struct text *formula,
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

/* The next word of a blank-separated list; false at the end. */
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

/* Records where the first `event:` line of each name begins. */
static void
find_event_lines(struct reader *rd)
{
	struct text rest = buf_as_text(&rd->event), name, formula, description;
	size_t at = 0;

	lookup_clear(&rd->event_line);
	while (next_event(&rest, &name, &formula, &description)) {
		lookup_add(&rd->event_line, name, at);
		at = rd->event.n - rest.n;
	}
}

static int
put_measured(struct reader *rd, struct text name)
{
	struct record r = rec_make(REC_EVENT);
	const struct record *own;
	struct text line;
	size_t at;

	r.col[EVENT_ID].n = rd->nevents++;
	r.col[EVENT_NAME].t = name;
	if (lookup_find(&rd->event_line, name, &at)) {
		line = (struct text){ rd->event.s + at, rd->event.n - at };
		next_event(&line, &name, &r.col[EVENT_FORMULA].t,
		    &r.col[EVENT_DESCRIPTION].t);
	}
	if ((own = annotation_event_of(&rd->own_events, r.col[EVENT_ID].n, name)))
		r = *own;
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

/* `event:` lines of what is not measured. */
static int
put_derived(struct reader *rd, const struct lookup *measured)
{
	struct text rest = buf_as_text(&rd->event), name;
	struct record r = rec_make(REC_EVENT), copy;
	const struct record *own;
	size_t at;

	while (next_event(&rest, &name, &r.col[EVENT_FORMULA].t,
	    &r.col[EVENT_DESCRIPTION].t)) {
		if (lookup_find(measured, name, &at))
			continue;
		r.col[EVENT_NAME].t = name;
		own = annotation_event_of(&rd->own_events, NO_ID, name);
		copy = own ? *own : r;
		if (sink_put(rd->d->out, &copy) < 0)
			return LINE_FATAL;
	}
	return LINE_OK;
}

static int
put_events(struct reader *rd)
{
	struct text rest = buf_as_text(&rd->events), name;
	struct lookup measured = { 0 };
	int ret = LINE_OK;

	rd->nevents = 0;
	find_event_lines(rd);
	while (ret == LINE_OK && next_word(&rest, &name)) {
		if (rd->event.n)
			lookup_add(&measured, name, 0);
		ret = put_measured(rd, name);
	}
	if (ret == LINE_OK)
		ret = put_derived(rd, &measured);
	lookup_free(&measured);
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
	return meta_put(rd->d->out, "recursion", TEXT("levels")) < 0 ? LINE_FATAL :
	    LINE_OK;
}

/* Puts values of `summary:` or `totals:`, which are read like those of a cost line. */
static int
put_total(struct reader *rd, const char *of, struct text values)
{
	struct record r = rec_make(REC_TOTAL);

	r.col[0].t = text_of(of);
	r.values = values;
	return sink_put(rd->d->out, &r);
}

/* Puts the header's `summary:`, which could not be parsed before the events were known.
 * Its errors name its own line, not this one. */
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
		ret = put_total(rd, "run", values) < 0 ? LINE_FATAL : LINE_OK;
	}
	if (ret == LINE_OK)
		rd->d->at.line = here;
	return ret;
}

/* The part's header is complete: its first body line is here. */
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
	for (i = 0; i < rd->npos; i++)
		buf_printf(&b, "%s%s", i ? "," : "", pos_names[rd->pos[i]].attr);
	attr_add(&attrs, "positions", buf_as_text(&b));
	r.attrs = buf_as_text(&attrs);
	/* A part of another process is another run: cat a b. */
	if (rd->run_pid.n &&
	    !text_eq(buf_as_text(&rd->run_pid), buf_as_text(&rd->pid)))
		rd->d->session->runs++;
	rd->run_pid.n = 0;
	buf_text(&rd->run_pid, buf_as_text(&rd->pid));
	r.col[0].t = (struct text){ run, (size_t)(num_put_u64(run, rd->d->session->runs) - run) };
	rd->any_part = rd->started = true;
	ret = sink_put(rd->d->out, &r);
	buf_free(&b);
	buf_free(&attrs);
	if (ret < 0 || (ret = put_meta(rd)) || (ret = put_events(rd)))
		return ret < 0 ? LINE_FATAL : ret;
	return rd->have_summary ? put_summary(rd) : LINE_OK;
}

/* A part ends, with the file or with the next one. */
int
cg_end_part(struct reader *rd)
{
	int ret = LINE_OK;

	if (rd->pending == CALL)
		return BAD("expected the cost line of 'calls='");
	if (rd->pending == JUMP && (ret = cg_emit_jump(rd, cg_last_line(rd))))
		return ret;
	if (!rd->in_part)
		return LINE_OK;
	if (!rd->started && (ret = cg_start_part(rd)))
		return ret;
	if (rd->have_fn && !rd->have_func && (ret = cg_need_func(rd)))
		return ret;
	if (rd->self_base && !rd->have_totals)
		return decode_cut(rd->d, "the profile is cut: a part has no "
		    "'totals:', which callgrind writes last") < 0 ? LINE_FATAL : 0;
	return LINE_OK;
}

void
cg_forget_meta(struct reader *rd)
{
	while (rd->nmeta)
		free(rd->meta[--rd->nmeta]);
}

/* The lines that a header has once, and that a new one may begin with. */
enum { KEY_FILE = 1, KEY_PID = 2, KEY_PART = 4, KEY_THREAD = 8, KEY_POSITIONS = 16,
    KEY_EVENTS = 32 };

static void
forget_header(struct reader *rd)
{
	rd->started = rd->have_events = false;
	rd->keys_seen = 0;
	rd->have_totals = rd->have_summary = rd->reported_levels = false;
	cg_forget_meta(rd);
	rd->event.n = 0;
	annotation_events_clear(&rd->own_events);
	rd->total_run.n = rd->total_sum.n = 0;
	rd->after_fn = false;
}

/*
 * A header line begins a new part if the current one has begun its body, or is complete
 * and has such a line already.  (Header lines come in any order.)
 */
static int
new_part(struct reader *rd, unsigned key)
{
	int ret = LINE_OK;

	if (rd->in_part && (rd->started || (rd->have_events && rd->keys_seen & key))) {
		ret = cg_end_part(rd);
		forget_header(rd);
	}
	rd->in_part = true;
	rd->keys_seen |= key;
	return ret;
}

void
cg_begin_file(struct reader *rd)
{
	rd->object = rd->file = rd->here = rd->last = NO_ID;
	rd->seen_fl = rd->moved = rd->have_fn = rd->have_func = false;
	rd->have_cob = rd->have_cfi = rd->have_cfn = rd->have_jfi = rd->have_jfn = false;
	rd->self_base = false;
	rd->base = (struct pos){ { 0 } };
	rd->at_base = true;
	memset(rd->has, 0, sizeof rd->has);
	rd->npos = 1;
	rd->pos[0] = POS_LINE;
	rd->has[POS_LINE] = true;
	rd->creator.n = rd->pid.n = rd->cmd.n = 0;
	rd->d->session->runs++;
}

int
cg_next_file(struct reader *rd)
{
	int ret = cg_end_part(rd);

	if (rd->in_part) {
		forget_header(rd);
		cg_begin_file(rd);
		rd->in_part = false;
		rd->run_pid.n = 0;
	}
	names_clear(&rd->fn);
	names_clear(&rd->fl);
	names_clear(&rd->ob);
	return ret;
}

/* Adds a fact whose values are a list as in the stream: in the header it is kept, in the
 * body it is put at once. */
static int
add_list(struct reader *rd, const char *key, struct text list)
{
	struct record r = rec_make(REC_META);

	r.col[0].t = text_of(key);
	r.attrs = list;
	rd->in_part = true;
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

static int
set_fact(struct reader *rd, struct buf *b, const char *key, struct text value)
{
	b->n = 0;
	buf_text(b, value);
	return rd->started ? cg_add_meta(rd, key, value) : LINE_OK;
}

static int
h_version(struct reader *rd, struct text v)
{
	/* Major version 0 or 1: later minor ones are compatible. */
	if (!v.n || (*v.s != '0' && *v.s != '1') || (v.n > 1 && v.s[1] != '.' &&
	    !blank(v.s[1])))
		return diag_fail(rd->d->diag, "format version %s is not supported, "
		    "only 0 and 1 are", diag_quote(v.s, v.n));
	/* The header is repeated by valgrind for each thread, with
	 * --separate-threads=yes --combine-dumps=yes, and by cat(1). */
	rd->fn.files = rd->fl.files = rd->ob.files = rd->started;
	return rd->started ? new_part(rd, KEY_FILE) : LINE_OK;
}

static int
h_creator(struct reader *rd, struct text v)
{
	int ret = rd->started ? new_part(rd, KEY_FILE) : LINE_OK;

	rd->self_base = rd->fn.expands = callgrind_wrote(v);
	return ret ? ret : set_fact(rd, &rd->creator, "creator", v);
}

static int
h_pid(struct reader *rd, struct text v)
{
	int ret = new_part(rd, KEY_PID);

	return ret ? ret : set_fact(rd, &rd->pid, "pid", v);
}

static int
h_cmd(struct reader *rd, struct text v)
{
	return set_fact(rd, &rd->cmd, "cmd", v);
}

static int
h_part(struct reader *rd, struct text v)
{
	int ret = new_part(rd, KEY_PART);

	return ret ? ret : cg_add_meta(rd, "part", v);
}

static int
h_thread(struct reader *rd, struct text v)
{
	int ret = new_part(rd, KEY_THREAD);

	return ret ? ret : cg_add_meta(rd, "thread", v);
}

/* Takes an annotation from a description or a comment; 1 if it was one. */
int
cg_own_fact(struct reader *rd, struct text v)
{
	struct text key, list;
	struct buf b = { 0 };
	int ret;

	if (!annotation_get(v, &key, &list))
		return 0;
	if (text_is(key, "event"))
		return !rd->started && annotation_event(&rd->own_events, list, EVENT_BAD) ? 1 :
		    BAD("expected an event, found %s", diag_quote(list.s, list.n));
	buf_text(&b, key);
	ret = add_list(rd, buf_str(&b), list);
	buf_free(&b);
	return ret ? LINE_FATAL : 1;
}

static int
h_desc(struct reader *rd, struct text v)
{
	int ret = cg_own_fact(rd, v);

	return ret == 0 ? cg_add_meta(rd, "desc", v) : ret > 0 ? LINE_OK : ret;
}

static unsigned
pos_kind(struct text t)
{
	unsigned k;

	for (k = 0; k < POS_KINDS; k++)
		if (text_is(t, pos_names[k].word) || text_is(t, pos_names[k].attr))
			break;
	return k;
}

static int
h_positions(struct reader *rd, struct text v)
{
	const char *p = v.s, *end = v.s + v.n;
	int ret = new_part(rd, KEY_POSITIONS);
	bool has[POS_KINDS] = { false };
	unsigned pos[POS_KINDS], n = 0, k;

	if (ret)
		return ret;
	while (p < end) {
		const char *q = p;

		while (q < end && *q != ' ' && *q != '\t')
			q++;
		k = pos_kind((struct text){ p, (size_t)(q - p) });
		if (k == POS_KINDS || n == POS_KINDS || has[k])
			return BAD("positions: expected instr, bb or line, found %s",
			    QUOTE(p, q));
		has[k] = true;
		pos[n++] = k;
		for (p = q; p < end && (*p == ' ' || *p == '\t'); p++)
			;
	}
	if (!n)
		return BAD("positions: expected instr, bb or line");
	memcpy(rd->has, has, sizeof has);
	memcpy(rd->pos, pos, n * sizeof *pos);
	rd->npos = n;
	return LINE_OK;
}

static int
h_events(struct reader *rd, struct text v)
{
	int ret = new_part(rd, KEY_EVENTS);
	size_t i;

	if (ret)
		return ret;
	while (v.n && (v.s[v.n - 1] == ' ' || v.s[v.n - 1] == '\t'))
		v.n--;
	rd->events.n = 0;
	buf_text(&rd->events, v);
	rd->have_events = true;
	rd->nevents = 0;	/* counted again when they are put */
	for (i = 0; i < v.n; i++)
		rd->nevents += v.s[i] != ' ' && v.s[i] != '\t' &&
		    (i == 0 || v.s[i - 1] == ' ' || v.s[i - 1] == '\t');
	return LINE_OK;
}

static int
h_event(struct reader *rd, struct text v)
{
	struct text rest, name, formula, description;

	if (rd->started)
		return BAD("event: comes after the first cost line");
	rd->in_part = true;
	buf_text(&rd->event, v);
	buf_putc(&rd->event, '\n');
	rest = (struct text){ rd->event.s + rd->event.n - v.n - 1, v.n + 1 };
	if (!next_event(&rest, &name, &formula, &description) || !name.n)
		return BAD("event: expected a name, found %s", diag_quote(v.s, v.n));
	return LINE_OK;
}

/* The second one of a part must say the same. */
static int
once(struct reader *rd, struct buf *b, bool *have, const char *key,
    struct text values)
{
	if (*have && !text_eq(buf_as_text(b), values))
		return BAD("%s: a second, different one in this part", key);
	b->n = 0;
	buf_text(b, values);
	return LINE_OK;
}

static int
h_summary(struct reader *rd, struct text v)
{
	struct text values;
	bool again = rd->have_summary;
	int ret;

	rd->in_part = true;
	if (!rd->started) {
		/* If the events are not known yet, start_part() checks it. */
		if ((rd->have_events && (ret = cg_values(rd, v.s, v.s + v.n, &values))) ||
		    (ret = once(rd, &rd->summary, &rd->have_summary, "summary", v)))
			return ret;
		rd->have_summary = true;
		rd->summary_line = rd->d->at.line;
		return LINE_OK;
	}
	if ((ret = cg_values(rd, v.s, v.s + v.n, &values)) ||
	    (ret = once(rd, &rd->total_run, &rd->have_summary, "summary", values)))
		return ret;
	rd->have_summary = true;
	rd->total_line = rd->d->at.line;
	return again || put_total(rd, "run", values) == 0 ? LINE_OK : LINE_FATAL;
}

static int
h_totals(struct reader *rd, struct text v)
{
	struct text values;
	bool again = rd->have_totals;
	int ret;

	rd->in_part = true;
	if (!rd->started && (ret = cg_start_part(rd)))
		return ret;
	if ((ret = cg_values(rd, v.s, v.s + v.n, &values)) ||
	    (ret = once(rd, &rd->total_sum, &rd->have_totals, "totals", values)))
		return ret;
	rd->have_totals = true;
	rd->total_line = rd->d->at.line;
	return again || put_total(rd, "sum", values) == 0 ? LINE_OK : LINE_FATAL;
}

static const struct {
	const char *key;
	int (*read)(struct reader *, struct text value);
} header_table[] = {
	{ "version", h_version }, { "creator", h_creator }, { "pid", h_pid },
	{ "cmd", h_cmd }, { "part", h_part }, { "thread", h_thread },
	{ "desc", h_desc }, { "positions", h_positions },
	{ "events", h_events }, { "event", h_event },
	{ "summary", h_summary }, { "totals", h_totals },
};

bool
callgrind_is_fact(struct text key)
{
	size_t i;

	for (i = 0; i < key.n && cg_in_key(key.s[i]); i++)
		;
	if (!key.n || i < key.n || cg_begins_cost(*key.s))
		return false;
	for (i = 0; i < sizeof header_table / sizeof *header_table; i++)
		if (text_is(key, header_table[i].key))
			return false;
	return true;
}

void
cg_tell_unknown(struct reader *rd, const char *p, const char *end)
{
	if (!rd->reported_unknown)
		diag_say(rd->d->diag, DIAG_WARN, "unknown line %s, kept as is (further "
		    "ones are not shown)", QUOTE(p, end));
	rd->reported_unknown = true;
}

/* "key: value"; unknown keys are kept as facts. */
int
cg_header_line(struct reader *rd, const char *p, const char *colon, const char *end)
{
	struct text key = { p, (size_t)(colon - p) }, value;
	struct buf b = { 0 };
	size_t i;
	int ret;

	for (p = colon + 1; p < end && (*p == ' ' || *p == '\t'); p++)
		;
	value = (struct text){ p, (size_t)(end - p) };
	for (i = 0; i < sizeof header_table / sizeof *header_table; i++)
		if (text_is(key, header_table[i].key))
			return header_table[i].read(rd, value);
	cg_tell_unknown(rd, key.s, end);
	buf_puts(&b, "callgrind.");
	buf_text(&b, key);
	ret = cg_add_meta(rd, buf_str(&b), value);
	buf_free(&b);
	return ret;
}

/* SPDX-License-Identifier: ISC */
/* Header lines of Callgrind's format, and the ends of parts. */
#include "dialect.h"
#include "positions.h"

int
cg_end_part(struct reader *rd)
{
	int ret = LINE_OK;

	if (rd->pending == PENDING_CALL)
		return BAD("expected the cost line of 'calls='");
	if (rd->pending == PENDING_JUMP && (ret = cg_emit_jump(rd, cg_last_line(rd))))
		return ret;
	if (!rd->in_part)
		return LINE_OK;
	if (!rd->started && (ret = cg_start_part(rd)))
		return ret;
	if (rd->have_fn && !rd->have_func && (ret = cg_need_func(rd)))
		return ret;
	if (rd->stack.ctx != NO_ID)
		return BAD("expected the rest of a stack");
	if ((rd->self_base || rd->stack.are) && !rd->have_totals)
		return decode_cut(rd->d, "the profile is truncated: a part has no "
		    "'totals:', which %s writes last",
		    rd->self_base ? "callgrind" : "valgrind") < 0 ? LINE_FATAL : 0;
	if (dialect_sums_up(buf_as_text(&rd->creator)) && !rd->have_summary)
		return decode_cut(rd->d, "the profile is truncated: a part has no "
		    "'summary:', which Xdebug writes last") < 0 ? LINE_FATAL : 0;
	return LINE_OK;
}

/* The header lines that a header has once, and with which a new one may begin. */
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
	comment_events_clear(&rd->own_events);
	rd->total_run.n = rd->total_sum.n = 0;
	rd->after_fn = rd->flat = rd->stack.are = false;
	cg_forget_stack(rd);
}

/*
 * Begins a new part for a header line if the current part has begun its body, or is
 * complete and has such a line already.  (Header lines come in any order.)
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

static void
forget_place(struct reader *rd)
{
	rd->object = rd->file = rd->here = rd->last = NO_ID;
	rd->seen_fl = rd->moved = rd->have_fn = rd->have_func = false;
	rd->have_cob = rd->have_cfi = rd->have_cfn = rd->have_jfi = rd->have_jfn = false;
	rd->base = (struct pos){ { 0 } };
	rd->at_base = true;
}

void
cg_begin_file(struct reader *rd)
{
	forget_place(rd);
	rd->self_base = rd->swapped = false;
	cg_forget_stack(rd);
	memset(rd->has, 0, sizeof rd->has);
	rd->npos = 1;
	rd->pos[0] = POS_LINE;
	rd->has[POS_LINE] = true;
	rd->creator.n = rd->pid.n = rd->cmd.n = 0;
	rd->new_run = true;
}

int
cg_next_file(struct reader *rd)
{
	int ret = cg_end_part(rd);

	forget_header(rd);
	cg_begin_file(rd);
	rd->in_part = false;
	rd->run_pid.n = 0;
	names_clear(&rd->fn);
	names_clear(&rd->fl);
	names_clear(&rd->ob);
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
	int ret;

	/* Major version 0 or 1; later minor versions are compatible. */
	if (!v.n || (*v.s != '0' && *v.s != '1') || (v.n > 1 && v.s[1] != '.' &&
	    !blank(v.s[1])))
		return diag_fail(rd->d->diag, "format version %s is not supported, "
		    "only 0 and 1 are", QUOTE(v));
	/* The header is repeated by valgrind for each thread, with
	 * --separate-threads=yes --combine-dumps=yes, and by cat(1). */
	rd->fn.files = rd->fl.files = rd->ob.files = rd->started;
	if (!rd->started)
		return LINE_OK;
	ret = new_part(rd, KEY_FILE);
	forget_place(rd);
	return ret;
}

static int
h_creator(struct reader *rd, struct text v)
{
	int ret = rd->started ? new_part(rd, KEY_FILE) : LINE_OK;

	rd->self_base = rd->fn.expands = callgrind_wrote(v);
	rd->swapped = dialect_swaps_lines(v);
	if (dialect_better(v))
		diag_say(rd->d->diag, DIAG_NOTE, "%s", dialect_better(v));
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
			    QUOTE_TO(p, q));
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
	rd->nevents = 0;	/* they are counted again when they are put */
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
	if (cg_next_event(&rest, &name, &formula, &description) && name.n)
		return LINE_OK;
	rd->event.n -= v.n + 1;
	return BAD("event: expected a name, found %s", QUOTE(v));
}

/* A second such line in a part must be equal. */
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
		/* If the events are not known yet, cg_start_part() checks them. */
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
	return again || cg_put_total(rd, "run", values) == 0 ? LINE_OK : LINE_FATAL;
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
	return again || cg_put_total(rd, "sum", values) == 0 ? LINE_OK : LINE_FATAL;
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
		    "ones are not shown)", QUOTE_TO(p, end));
	rd->reported_unknown = true;
}

/* Reads "key: value"; unknown keys are kept as metadata. */
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

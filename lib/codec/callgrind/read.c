/* SPDX-License-Identifier: ISC */
/*
 * Reading Callgrind's profile format, version 1: Valgrind's manual, "Callgrind
 * Format Specification", and what callgrind/dump.c really writes.
 *
 * Relative positions.  The specification counts from the last cost line.
 * dump.c counts from the last line of *self* cost: neither a call's cost line
 * nor a jump's source line moves its base (fprint_fcost is the only caller of
 * copy_apos).  The same holds for the file that a missing cfi= or jfi= stands
 * for, and for the file of a cost line after a call that was alone in another
 * file.  The two agree wherever a call site has cost of its own, and differ
 * with --toggle-collect and in dumps during a call.  Files whose creator is
 * callgrind are read dump.c's way, all others the specification's.
 */
#include "callgrind.h"

#include <inttypes.h>
#include <stdlib.h>

#include "mem.h"
#include "names.h"
#include "num.h"
#include "scan.h"

enum pending { NONE, CALL, JUMP, SKIP };	/* SKIP: the first line was bad */

struct reader {
	struct decode *d;
	struct names fn, fl, ob;
	bool self_base;		/* the creator is callgrind */

	/* the header of the part, until its body begins */
	bool in_part, started, have_events, have_totals, have_summary;
	unsigned npos, pos[POS_KINDS];	/* kinds, in the order of the columns */
	bool has[POS_KINDS];
	struct buf creator, pid, cmd;	/* hold for the parts that follow, too */
	struct buf meta;	/* of the part: key NUL size value ... */
	struct buf event;	/* `event:` lines, LF after each */
	struct buf events;	/* the names */
	struct buf summary;	/* as it stood */
	uint64_t nevents;
	struct buf total_run, total_sum;

	/* where we are */
	uint32_t object, file;	/* of the function: ob=, fl= */
	bool seen_fl;
	uint32_t here;		/* the file of the next line: fi=, fe= */
	uint32_t last;		/* the file of the last self cost line */
	bool moved;		/* a file line since the last call or jump */
	bool have_fn, after_fn;	/* after_fn: the line before was fn= */
	uint32_t fn_name;	/* in rd->fn */
	bool have_func;
	uint64_t func;		/* the dictionary's, once a line needed it */
	struct pos base;
	struct pos at;		/* of the last cost line of any kind, */
	bool at_base;		/* unless that is base */

	/* what calls=, jump= and jcnd= keep for their second line */
	enum pending pending;
	bool have_cob, have_cfi, have_cfn, have_jfi, have_jfn;
	uint32_t cob, cfi, jfi;
	uint32_t cfn, jfn;	/* in rd->fn */
	struct buf count[2];

	struct record call, jump, cost;
	const char *end;	/* of the block of lines */
	unsigned char keys[64];	/* body_table by hash: row + 1 */
	struct buf scratch;
	bool told_unknown;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)
#define QUOTE(p, end) diag_quote((p), (size_t)((end) - (p)))

static inline bool
blank(char c)
{
	return c == ' ' || c == '\t';
}

/* ---- names ---- */

/* Files and objects are not put: whoever writes a record that refers to one
 * writes it first, and a file that only opens a scope is in no record. */
static int
read_file(struct reader *rd, const char *p, const char *end, uint32_t *file)
{
	struct name *n = names_at(&rd->fl, p, end);
	uint32_t cols[DEF_COLS] = { n->str, NO_ID };
	bool fresh;

	if (n->def == NO_ID && n->str != NO_ID)
		n->def = dict_define(rd->d->dict, REC_FILE, cols, &fresh);
	*file = n->def;
	return LINE_OK;
}

static int
read_object(struct reader *rd, const char *p, const char *end, uint32_t *object)
{
	struct name *n = names_at(&rd->ob, p, end);
	uint32_t cols[DEF_COLS] = { n->str, NO_ID, NO_ID };
	bool fresh;

	if (n->def == NO_ID && n->str != NO_ID)
		n->def = dict_define(rd->d->dict, REC_OBJECT, cols, &fresh);
	*object = n->def;
	return LINE_OK;
}

/* The function that a name is in this file and object. */
static int
bind(struct reader *rd, uint32_t name, uint32_t file, uint32_t object,
    uint64_t *func)
{
	struct name *n = &rd->fn.v[name];
	uint32_t cols[DEF_COLS] = { n->str, file, object, NO_ID, NO_ID };

	if (!n->bound || n->file != file || n->object != object) {
		if (dict_put(rd->d->dict, rd->d->out, REC_FUNC, cols, &n->def) < 0)
			return LINE_FATAL;
		n->file = file;
		n->object = object;
		n->bound = true;
	}
	*func = n->def;
	return LINE_OK;
}

/* The function of fn=, when a line needs it. */
static int
need_func(struct reader *rd)
{
	if (rd->have_func)
		return LINE_OK;
	rd->have_func = true;
	rd->func = NO_ID;
	return rd->have_fn ?
	    bind(rd, rd->fn_name, rd->file, rd->object, &rd->func) : LINE_OK;
}

/* Where a jump without a line of its own is. */
static const struct pos *
last_line(const struct reader *rd)
{
	return rd->at_base ? &rd->base : &rd->at;
}

/* ---- header ---- */

/* Takes a line off `event:` values: NAME [= FORMULA] [: description].  Parts
 * that are not there are absent; false at the end. */
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

/* Is `word` one of the blank-separated words? */
static bool
listed(struct text words, struct text word)
{
	struct text w;

	while (words.n) {
		size_t i;

		for (i = 0; i < words.n && !blank(words.s[i]); i++)
			;
		w = (struct text){ words.s, i };
		if (text_eq(w, word))
			return true;
		while (i < words.n && blank(words.s[i]))
			i++;
		words.s += i;
		words.n -= i;
	}
	return false;
}

static int
put_events(struct reader *rd)
{
	const char *p = rd->events.s, *end = p + rd->events.n;
	struct record r = rec_make(REC_EVENT);
	struct text name, want, rest;

	rd->nevents = 0;
	while (p < end) {
		const char *q = p;

		while (q < end && *q != ' ' && *q != '\t')
			q++;
		name = (struct text){ p, (size_t)(q - p) };
		for (p = q; p < end && (*p == ' ' || *p == '\t'); p++)
			;
		r = rec_make(REC_EVENT);
		r.col[EVENT_ID].n = rd->nevents++;
		r.col[EVENT_NAME].t = name;
		want = (struct text){ 0 };
		rest = buf_as_text(&rd->event);
		while (next_event(&rest, &want, &r.col[EVENT_FORMULA].t,
		    &r.col[EVENT_DESCRIPTION].t))
			if (text_eq(want, name))
				break;
		if (!text_eq(want, name))
			r.col[EVENT_FORMULA].t = r.col[EVENT_DESCRIPTION].t =
			    (struct text){ 0 };
		if (sink_put(rd->d->out, &r) < 0)
			return LINE_FATAL;
	}
	/* The derived ones: `event:` lines of what is not measured. */
	rest = buf_as_text(&rd->event);
	r = rec_make(REC_EVENT);
	while (next_event(&rest, &want, &r.col[EVENT_FORMULA].t,
	    &r.col[EVENT_DESCRIPTION].t)) {
		if (listed(buf_as_text(&rd->events), want))
			continue;
		r.col[EVENT_NAME].t = want;
		if (sink_put(rd->d->out, &r) < 0)
			return LINE_FATAL;
	}
	return LINE_OK;
}

static int
put_meta(struct reader *rd)
{
	const struct { const char *key; struct buf *b; } file_level[] = {
		{ "creator", &rd->creator }, { "pid", &rd->pid }, { "cmd", &rd->cmd },
	};
	struct text key, value;
	const char *p = rd->meta.s, *end = p + rd->meta.n;
	size_t i;

	if (meta_put(rd->d->out, "format", TEXT("callgrind")) < 0)
		return LINE_FATAL;
	for (i = 0; i < 3; i++)
		if (file_level[i].b->n && meta_put(rd->d->out, file_level[i].key,
		    buf_as_text(file_level[i].b)) < 0)
			return LINE_FATAL;
	while (p < end) {
		key.s = p;
		key.n = strlen(p);
		p += key.n + 1;
		memcpy(&value.n, p, sizeof value.n);
		value.s = p + sizeof value.n;
		p = value.s + value.n;
		if (meta_put(rd->d->out, key.s, value) < 0)
			return LINE_FATAL;
	}
	return LINE_OK;
}

/* Values of `summary:` or `totals:`, which ride like those of a cost line. */
static int
put_total(struct reader *rd, const char *of, struct text values)
{
	struct record r = rec_make(REC_TOTAL);

	r.col[0].t = text_of(of);
	r.values = values;
	return sink_put(rd->d->out, &r);
}

static int read_values(struct reader *rd, const char *p, const char *end,
    struct text *values);

/* The part's header is complete: its first body line is here. */
static int
start_part(struct reader *rd)
{
	struct record r = rec_make(REC_PART);
	struct buf b = { 0 }, attrs = { 0 };
	struct text values;
	char run[24];
	unsigned i;
	int ret;
	if (!rd->have_events)
		return BAD("expected 'events:' before the first cost line");
	for (i = 0; i < rd->npos; i++)
		buf_printf(&b, "%s%s", i ? "," : "", pos_names[rd->pos[i]].attr);
	attr_add(&attrs, "positions", buf_as_text(&b));
	r.attrs = buf_as_text(&attrs);
	r.col[0].t = (struct text){ run, (size_t)(num_put_u64(run, rd->d->runs) - run) };
	rd->started = true;
	ret = sink_put(rd->d->out, &r);
	buf_free(&b);
	buf_free(&attrs);
	if (ret < 0 || (ret = put_meta(rd)) || (ret = put_events(rd)))
		return ret < 0 ? LINE_FATAL : ret;
	if (rd->have_summary) {
		ret = read_values(rd, rd->summary.s, rd->summary.s + rd->summary.n,
		    &values);
		if (ret)
			return ret;
		if (put_total(rd, "run", values) < 0)
			return LINE_FATAL;
	}
	return LINE_OK;
}

static int emit_jump(struct reader *, const struct pos *at);

/* A part ends, with the file or with the next one. */
static int
end_part(struct reader *rd)
{
	int ret = LINE_OK;

	if (rd->pending == CALL)
		return BAD("expected the cost line of 'calls='");
	if (rd->pending == JUMP && (ret = emit_jump(rd, last_line(rd))))
		return ret;
	if (!rd->in_part)
		return LINE_OK;
	if (!rd->started && (ret = start_part(rd)))
		return ret;
	if (rd->have_fn && !rd->have_func && (ret = need_func(rd)))
		return ret;
	if (rd->self_base && !rd->have_totals)
		return decode_cut(rd->d, "the profile is cut: a part has no "
		    "'totals:', which callgrind writes last") < 0 ? LINE_FATAL : 0;
	return LINE_OK;
}

static int
new_part(struct reader *rd)
{
	int ret = LINE_OK;

	if (rd->in_part && (rd->have_events || rd->started)) {
		ret = end_part(rd);
		rd->started = rd->have_events = false;
		rd->have_totals = rd->have_summary = false;
		rd->meta.n = rd->event.n = 0;
		rd->total_run.n = rd->total_sum.n = 0;
		rd->after_fn = false;
	}
	rd->in_part = true;
	return ret;
}

static void
keep_meta(struct reader *rd, const char *key, struct text value)
{
	buf_add(&rd->meta, key, strlen(key) + 1);
	buf_add(&rd->meta, &value.n, sizeof value.n);
	buf_text(&rd->meta, value);
}

/* A header line that is for others to know: before the body it waits with the
 * header, later it goes on at once. */
static int
add_meta(struct reader *rd, const char *key, struct text value)
{
	rd->in_part = true;
	if (!rd->started) {
		keep_meta(rd, key, value);
		return LINE_OK;
	}
	return meta_put(rd->d->out, key, value) < 0 ? LINE_FATAL : LINE_OK;
}

static int
set_fact(struct reader *rd, struct buf *b, const char *key, struct text value)
{
	b->n = 0;
	buf_text(b, value);
	return rd->started ? add_meta(rd, key, value) : LINE_OK;
}

static int
h_version(struct reader *rd, struct text v)
{
	if (!text_is(v, "1"))
		return diag_fail(rd->d->diag, "version %s of the format is not "
		    "supported, only 1 is", diag_quote(v.s, v.n));
	return LINE_OK;
}

static int
h_creator(struct reader *rd, struct text v)
{
	rd->self_base = v.n >= 10 && memcmp(v.s, "callgrind-", 10) == 0;
	return set_fact(rd, &rd->creator, "creator", v);
}

static int
h_pid(struct reader *rd, struct text v)
{
	int ret = new_part(rd);

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
	int ret = new_part(rd);

	return ret ? ret : add_meta(rd, "part", v);
}

static int
h_thread(struct reader *rd, struct text v)
{
	int ret = new_part(rd);

	return ret ? ret : add_meta(rd, "thread", v);
}

/*
 * "prof KEY: VALUE" in a description or a comment: a fact that prof-to has
 * written for itself, its value as in the stream.  1 if it was one.
 */
static int
own_fact(struct reader *rd, struct text v)
{
	const size_t n = sizeof OWN_FACT - 1;
	struct text rest = { v.s + n, v.n - n }, value;
	const char *colon;
	struct buf key = { 0 };
	int ret = 0;

	if (v.n < n || memcmp(v.s, OWN_FACT, n) != 0 ||
	    !(colon = memchr(rest.s, ':', rest.n)) || colon + 1 == v.s + v.n)
		return 0;
	buf_add(&key, rest.s, (size_t)(colon - rest.s));
	rest = (struct text){ colon + 2, (size_t)(v.s + v.n - colon - 2) };
	rd->scratch.n = 0;
	if (field_unescape(rest, &rd->scratch, &value))
		ret = add_meta(rd, buf_str(&key), value) < 0 ? LINE_FATAL : 1;
	buf_free(&key);
	return ret;
}

static int
h_desc(struct reader *rd, struct text v)
{
	int ret = own_fact(rd, v);

	return ret == 0 ? add_meta(rd, "callgrind.desc", v) : ret > 0 ? LINE_OK : ret;
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
	int ret = new_part(rd);
	unsigned n = 0, k;

	if (ret)
		return ret;
	memset(rd->has, 0, sizeof rd->has);
	while (p < end) {
		const char *q = p;

		while (q < end && *q != ' ' && *q != '\t')
			q++;
		k = pos_kind((struct text){ p, (size_t)(q - p) });
		if (k == POS_KINDS || n == POS_KINDS || rd->has[k])
			return BAD("positions: expected instr, bb or line, found %s",
			    QUOTE(p, q));
		rd->has[k] = true;
		rd->pos[n++] = k;
		for (p = q; p < end && (*p == ' ' || *p == '\t'); p++)
			;
	}
	if (!n)
		return BAD("positions: expected instr, bb or line");
	rd->npos = n;
	return LINE_OK;
}

static int
h_events(struct reader *rd, struct text v)
{
	int ret = new_part(rd);
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
		return BAD("%s: a second one in this part, and they differ", key);
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
		if ((ret = once(rd, &rd->summary, &rd->have_summary, "summary", v)))
			return ret;
		rd->have_summary = true;
		return LINE_OK;
	}
	if ((ret = read_values(rd, v.s, v.s + v.n, &values)) ||
	    (ret = once(rd, &rd->total_run, &rd->have_summary, "summary", values)))
		return ret;
	rd->have_summary = true;
	return again || put_total(rd, "run", values) == 0 ? LINE_OK : LINE_FATAL;
}

static int
h_totals(struct reader *rd, struct text v)
{
	struct text values;
	bool again = rd->have_totals;
	int ret;

	rd->in_part = true;
	if (!rd->started && (ret = start_part(rd)))
		return ret;
	if ((ret = read_values(rd, v.s, v.s + v.n, &values)) ||
	    (ret = once(rd, &rd->total_sum, &rd->have_totals, "totals", values)))
		return ret;
	rd->have_totals = true;
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

static void
tell_unknown(struct reader *rd, const char *p, const char *end)
{
	if (!rd->told_unknown)
		diag_say(rd->d->diag, DIAG_WARN, "unknown line %s, kept as it is "
		    "(further ones are not shown)", QUOTE(p, end));
	rd->told_unknown = true;
}

/* "key: value"; unknown keys are kept for whoever knows them. */
static int
header_line(struct reader *rd, const char *p, const char *colon, const char *end)
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
	tell_unknown(rd, key.s, end);
	buf_puts(&b, "callgrind.");
	buf_text(&b, key);
	ret = add_meta(rd, buf_str(&b), value);
	buf_free(&b);
	return ret;
}

/* ---- positions and values ---- */

/* One subposition; the end of it, NULL if it is none. */
static inline const char *
subposition(const char *p, uint64_t base, uint64_t *out)
{
	const char *q;
	uint64_t v;

	switch (*p) {
	case '*':
		*out = base;
		return p + 1;
	case '+':
		q = num_get_u64(p + 1, &v);
		return q && q > p + 1 && !__builtin_add_overflow(base, v, out) ?
		    q : NULL;
	case '-':
		q = num_get_u64(p + 1, &v);
		return q && q > p + 1 && !__builtin_sub_overflow(base, v, out) ?
		    q : NULL;
	case '0':
		if (p[1] == 'x') {
			q = num_get_hex(p + 2, out);
			return q && q > p + 2 ? q : NULL;
		}
		/* FALLTHROUGH */
	default:
		q = num_get_u64(p, out);
		return q && q > p ? q : NULL;
	}
}

/* Position k and the blanks after it; NULL: bad. */
static inline const char *
position(const struct reader *rd, const char *p, unsigned k, struct pos *at)
{
	p = subposition(p, rd->base.v[k], &at->v[k]);
	if (!p)
		return NULL;
	if (*p == ' ' && p[1] > ' ')
		return p + 1;
	if (!blank(*p) && *p != '\n' && *p != '\r')
		return NULL;
	while (blank(*p))
		p++;
	return p;
}

/* All subpositions of a line and the blanks after them; NULL: bad.  The two
 * usual layouts are spelt out for the compiler. */
static inline const char *
positions(const struct reader *rd, const char *p, struct pos *at)
{
	unsigned i;

	if (rd->npos == 2 && rd->pos[0] == POS_ADDR && rd->pos[1] == POS_LINE) {
		p = position(rd, p, POS_ADDR, at);
		return p ? position(rd, p, POS_LINE, at) : NULL;
	}
	if (rd->npos == 1 && rd->pos[0] == POS_LINE)
		return position(rd, p, POS_LINE, at);
	for (i = 0; i < rd->npos && p; i++)
		p = position(rd, p, rd->pos[i], at);
	return p;
}

/* Any spelling of values made canonical, in rd->scratch. */
static int
read_values(struct reader *rd, const char *p, const char *end, struct text *values)
{
	struct buf *b = &rd->scratch;
	char tmp[NUM_TEXT];
	uint64_t n = 0, v;

	b->n = 0;
	while (p < end && (blank(*p) || *p == '\r'))
		p++;
	while (p < end) {
		const char *word = p, *q;
		bool neg = *p == '-';

		while (p < end && !blank(*p) && *p != '\r')
			p++;
		if (n++ == rd->nevents)
			return BAD("more costs than events (%" PRIu64 "): %s",
			    rd->nevents, QUOTE(word, p));
		if (b->n)
			buf_putc(b, ' ');
		q = word + neg;
		if (p - q > 2 && q[0] == '0' && (q[1] | 32) == 'x') {
			if (num_get_hex(q + 2, &v) != p)
				return BAD("expected a cost, found %s", QUOTE(word, p));
			buf_add(b, "-", neg && v);
			buf_add(b, tmp, (size_t)(num_put_u64(tmp, v) - tmp));
		} else {
			const char *digits = q;

			while (q < p && *q >= '0' && *q <= '9')
				q++;
			if (q == digits || q != p)
				return BAD("expected a cost, found %s", QUOTE(word, p));
			while (digits < p - 1 && *digits == '0')
				digits++;
			buf_add(b, "-", neg && *digits != '0');
			buf_add(b, digits, (size_t)(p - digits));
		}
		while (p < end && (blank(*p) || *p == '\r'))
			p++;
	}
	*values = b->n ? buf_as_text(b) : (struct text){ 0 };
	return LINE_OK;
}

/* The costs of a line as they are, if they are canonical; NULL: not so. */
static inline const char *
canonical_values(const char *p, uint64_t max, struct text *values)
{
	const char *start = p;

	if (*p == '\n') {
		*values = (struct text){ 0 };
		return p;
	}
	for (;; p++) {
		if (max-- == 0)
			return NULL;
		if (*p == '0')
			p++;
		else if (*p < '1' || *p > '9')
			return NULL;
		else
			while (*++p >= '0' && *p <= '9')
				;
		if (*p == '\n')
			break;
		if (*p != ' ')
			return NULL;
	}
	*values = (struct text){ start, (size_t)(p - start) };
	return p;
}

static inline void
set_place(const struct reader *rd, const struct pos *at, struct field *line,
    struct field *addr)
{
	line->n = at->v[POS_LINE];
	line->has = rd->has[POS_LINE] && line->n ? HAS_N : 0;
	addr->n = at->v[POS_ADDR];
	addr->has = rd->has[POS_ADDR] ? HAS_N : 0;
	if (__builtin_expect(rd->has[POS_BB], 0)) {
		addr->m = at->v[POS_BB];
		addr->has |= HAS_BB;
	}
}

/* ---- the body ---- */

/* jfn= names a function whose file it does not tell: it is the one it was
 * elsewhere, or else its file is unknown. */
static int
bind_jfn(struct reader *rd, uint64_t *func)
{
	struct name *n = &rd->fn.v[rd->jfn];

	return bind(rd, rd->jfn, n->bound && n->object == rd->object ?
	    n->file : NO_ID, rd->object, func);
}

static int
emit_jump(struct reader *rd, const struct pos *at)
{
	struct record *r = &rd->jump;
	int ret;

	rd->pending = NONE;
	rd->moved = false;
	if ((ret = need_func(rd)))
		return ret;
	set_place(rd, at, &r->col[PLACE_LINE], &r->col[PLACE_ADDR]);
	r->col[PLACE_FUNC].n = rd->func;
	r->col[PLACE_FILE].n = rd->here;
	r->col[JUMP_TFILE].n = rd->have_jfi ? rd->jfi :
	    rd->self_base ? rd->last : rd->here;
	r->col[JUMP_TFUNC].n = rd->func;
	if (rd->have_jfn && (ret = bind_jfn(rd, &r->col[JUMP_TFUNC].n)))
		return ret;
	rd->have_jfi = rd->have_jfn = false;
	return sink_put(rd->d->out, r);
}

static int
emit_call(struct reader *rd, const struct pos *at, struct text values)
{
	struct record *r = &rd->call;
	uint32_t file = rd->have_cfi ? rd->cfi : rd->self_base ? rd->last : rd->here;
	uint32_t object = rd->have_cob ? rd->cob : rd->object;
	int ret;

	rd->pending = NONE;
	rd->moved = false;
	rd->have_cfi = rd->have_cob = false;
	if ((ret = need_func(rd)) ||
	    (ret = bind(rd, rd->cfn, file, object, &r->col[CALL_CALLEE].n)))
		return ret;
	set_place(rd, at, &r->col[PLACE_LINE], &r->col[PLACE_ADDR]);
	r->col[PLACE_FUNC].n = rd->func;
	r->col[PLACE_FILE].n = rd->here;
	r->values = values;
	return sink_put(rd->d->out, r);
}

#define TAKEN 1

/* A cost line after calls=, jump= or jcnd=: TAKEN, or LINE_OK for a line of
 * its own that a jump without a source line stands before. */
static int
second_line(struct reader *rd, const struct pos *at, struct text values)
{
	int ret;

	if (rd->pending == JUMP && values.n)
		return emit_jump(rd, last_line(rd));
	if (rd->pending == SKIP) {
		rd->pending = NONE;
		return BAD("this line belongs to the bad one before it");
	}
	ret = rd->pending == CALL ? emit_call(rd, at, values) : emit_jump(rd, at);
	if (ret)
		return ret;
	rd->at = *at;
	rd->at_base = false;
	if (!rd->self_base)
		rd->base = *at;
	return TAKEN;
}

/* A cost line at p.  Its newline, or NULL with *ret set. */
static const char *
cost_line(struct reader *rd, const char *p, int *ret)
{
	struct pos at = { { 0 } };
	struct text values;
	const char *start = p, *q;

	if (__builtin_expect(!rd->started, 0) && (*ret = start_part(rd)))
		return NULL;
	p = positions(rd, p, &at);
	if (!p) {
		q = memchr(start, '\n', (size_t)(rd->end - start));
		*ret = BAD("expected %u position%s and costs, found %s", rd->npos,
		    rd->npos == 1 ? "" : "s", QUOTE(start, q));
		return NULL;
	}
	if (!(q = canonical_values(p, rd->nevents, &values))) {
		q = memchr(p, '\n', (size_t)(rd->end - p));
		if ((*ret = read_values(rd, p, q, &values)))
			return NULL;
	}
	if (__builtin_expect(rd->pending != NONE, 0)) {
		*ret = second_line(rd, &at, values);
		if (*ret)
			return *ret == TAKEN ? q : NULL;
	}
	if (__builtin_expect(!rd->have_func, 0) && (*ret = need_func(rd)))
		return NULL;
	/* After a call alone in another file, dump.c is back where it was. */
	if (__builtin_expect(!rd->moved && rd->self_base, 0))
		rd->here = rd->last;
	rd->base = at;
	rd->at_base = true;
	rd->last = rd->here;
	rd->cost.col[PLACE_FUNC].n = rd->func;
	rd->cost.col[PLACE_FILE].n = rd->here;
	set_place(rd, &at, &rd->cost.col[PLACE_LINE], &rd->cost.col[PLACE_ADDR]);
	rd->cost.values = values;
	if (sink_put(rd->d->out, &rd->cost) < 0) {
		*ret = LINE_FATAL;
		return NULL;
	}
	return q;
}

/* The subpositions of a target, after "calls=N " and its like.  A target may
 * be left out, or be longer by zeros (xdebug writes two). */
static int
target(struct reader *rd, const char *p, const char *end, struct field *line,
    struct field *addr)
{
	struct pos at;
	const char *q = p;

	*line = *addr = (struct field){ .has = 0 };
	while (q < end && blank(*q))
		q++;
	if (q == end)
		return LINE_OK;
	if (!(q = positions(rd, q, &at)))
		return BAD("expected %u position%s, found %s", rd->npos,
		    rd->npos == 1 ? "" : "s", QUOTE(p, end));
	while (q < end && (*q == '0' || blank(*q)))
		q++;
	if (q < end)
		return BAD("expected the end of the line, found %s", QUOTE(q, end));
	set_place(rd, &at, line, addr);
	return LINE_OK;
}

/* A count at p, kept in *b as canonical text; NULL if there is none. */
static const char *
read_count(const char *p, const char *end, struct buf *b)
{
	const char *q = p;

	while (q < end && *q >= '0' && *q <= '9')
		q++;
	if (q == p)
		return NULL;
	while (p < q - 1 && *p == '0')
		p++;
	b->n = 0;
	buf_add(b, p, (size_t)(q - p));
	return q;
}

/* What a second line still waits for when another line comes. */
static int
settle(struct reader *rd)
{
	if (rd->pending == CALL) {
		rd->pending = NONE;
		return BAD("expected the cost line of 'calls='");
	}
	if (rd->pending == JUMP)
		return emit_jump(rd, last_line(rd));
	rd->pending = NONE;
	return LINE_OK;
}

static int
b_calls(struct reader *rd, const char *p, const char *end)
{
	struct record *r = &rd->call;
	const char *q = read_count(p, end, &rd->count[0]);

	if (!q || (q < end && !blank(*q)))
		return BAD("calls: expected a count, found %s", QUOTE(p, end));
	if (!rd->have_cfn)
		return BAD("calls: no 'cfn=' before it");
	r->col[CALL_COUNT].t = buf_as_text(&rd->count[0]);
	rd->pending = CALL;
	return target(rd, q, end, &r->col[CALL_TLINE], &r->col[CALL_TADDR]);
}

static int
b_jump(struct reader *rd, const char *p, const char *end)
{
	struct record *r = &rd->jump;
	const char *q = read_count(p, end, &rd->count[0]);

	if (!q || (q < end && !blank(*q)))
		return BAD("jump: expected a count, found %s", QUOTE(p, end));
	r->col[JUMP_FOLLOWED].t = buf_as_text(&rd->count[0]);
	r->col[JUMP_EXECUTED].t = (struct text){ 0 };
	rd->pending = JUMP;
	return target(rd, q, end, &r->col[JUMP_TLINE], &r->col[JUMP_TADDR]);
}

/* dump.c writes FOLLOWED/EXECUTED, the specification has EXECUTED FOLLOWED. */
static int
b_jcnd(struct reader *rd, const char *p, const char *end)
{
	struct record *r = &rd->jump;
	const char *q = read_count(p, end, &rd->count[0]), *q2 = NULL;
	bool slash = q && q < end && *q == '/';

	if (q && q < end && (slash || blank(*q)))
		q2 = read_count(q + 1, end, &rd->count[1]);
	if (!q2 || (q2 < end && !blank(*q2)))
		return BAD("jcnd: expected two counts, found %s", QUOTE(p, end));
	r->col[JUMP_FOLLOWED].t = buf_as_text(&rd->count[!slash]);
	r->col[JUMP_EXECUTED].t = buf_as_text(&rd->count[slash]);
	rd->pending = JUMP;
	return target(rd, q2, end, &r->col[JUMP_TLINE], &r->col[JUMP_TADDR]);
}

static int
b_fn(struct reader *rd, const char *p, const char *end)
{
	int ret = LINE_OK;

	/* fn= straight after fn= has but defined a name (--compress-mangled);
	 * else a function without costs is known of, too. */
	if (rd->have_fn && !rd->have_func && !rd->after_fn)
		ret = need_func(rd);
	rd->fn_name = names_read(&rd->fn, p, end);
	rd->have_fn = rd->after_fn = rd->moved = true;
	rd->have_func = false;
	if (rd->seen_fl)
		rd->here = rd->file;
	rd->last = rd->here;
	rd->have_cob = rd->have_cfi = false;
	return ret;
}

static int
b_fl(struct reader *rd, const char *p, const char *end)
{
	int ret = LINE_OK;

	if (rd->have_fn && !rd->have_func)
		ret = need_func(rd);
	rd->seen_fl = rd->moved = true;
	if (ret || (ret = read_file(rd, p, end, &rd->file)))
		return ret;
	rd->here = rd->last = rd->file;
	return LINE_OK;
}

/* Where no fl= is ever written (bzr's lsprof), fi= does its work. */
static int
b_fi(struct reader *rd, const char *p, const char *end)
{
	int ret = LINE_OK;

	if (!rd->seen_fl) {
		ret = b_fl(rd, p, end);
		rd->seen_fl = false;
		return ret;
	}
	rd->moved = true;
	return read_file(rd, p, end, &rd->here);
}

static int
b_ob(struct reader *rd, const char *p, const char *end)
{
	int ret = LINE_OK;

	if (rd->have_fn && !rd->have_func)
		ret = need_func(rd);
	return ret ? ret : read_object(rd, p, end, &rd->object);
}

static int
b_cob(struct reader *rd, const char *p, const char *end)
{
	rd->have_cob = true;
	return read_object(rd, p, end, &rd->cob);
}

static int
b_cfi(struct reader *rd, const char *p, const char *end)
{
	rd->have_cfi = true;
	return read_file(rd, p, end, &rd->cfi);
}

static int
b_cfn(struct reader *rd, const char *p, const char *end)
{
	rd->have_cfn = true;
	rd->cfn = names_read(&rd->fn, p, end);
	return LINE_OK;
}

static int
b_jfi(struct reader *rd, const char *p, const char *end)
{
	rd->have_jfi = true;
	return read_file(rd, p, end, &rd->jfi);
}

static int
b_jfn(struct reader *rd, const char *p, const char *end)
{
	rd->have_jfn = true;
	rd->jfn = names_read(&rd->fn, p, end);
	return LINE_OK;
}

static int
put_raw(struct reader *rd, struct text text)
{
	struct record r = rec_make(REC_RAW);

	r.col[0].n = rd->have_func ? rd->func : NO_ID;
	r.col[1].t = text;
	return sink_put(rd->d->out, &r);
}

/* "frfn=(12) name": the name is spelt out, as its number is lost.  "?(12)"
 * stands for one that was never defined, lest it be taken for a number. */
static int
b_frfn(struct reader *rd, const char *p, const char *end)
{
	struct name *n = names_at(&rd->fn, p, end);
	struct text name;

	rd->scratch.n = 0;
	name = n->str == NO_ID ? TEXT("???") : dict_text(rd->d->dict, n->str);
	buf_puts(&rd->scratch, name.n > 1 && name.s[0] == '(' && name.s[1] >= '0' &&
	    name.s[1] <= '9' ? "frfn=?" : "frfn=");
	buf_text(&rd->scratch, name);
	return put_raw(rd, buf_as_text(&rd->scratch));
}

static const struct {
	char key[8];
	int (*read)(struct reader *, const char *p, const char *end);
} body_table[] = {
	{ "cfn", b_cfn }, { "fn", b_fn },
	{ "cfi", b_cfi }, { "calls", b_calls },
	{ "jcnd", b_jcnd }, { "jump", b_jump },
	{ "fi", b_fi }, { "fe", b_fi }, { "fl", b_fl },
	{ "cob", b_cob }, { "ob", b_ob },
	{ "jfi", b_jfi }, { "jfn", b_jfn },
	{ "cfl", b_cfi }, { "cfe", b_cfi },
	{ "rcalls", b_calls }, { "frfn", b_frfn },
};

/* A line's key, as long as the table's, for one compare; "" if it is longer. */
static inline uint64_t
key_word(const char *p, size_t n)
{
	char word[8] = { 0 };
	uint64_t w;
	size_t i;

	for (i = 0; i < n && n < sizeof word; i++)
		word[i] = p[i];
	memcpy(&w, word, sizeof w);
	return w;
}

static inline unsigned
key_slot(uint64_t word)
{
	return word * 0x9e3779b97f4a7c15 >> 58;
}

/* The rows of body_table by their keys' hashes: a file has a line of them for
 * every three of costs. */
static void
index_keys(struct reader *rd)
{
	size_t i;
	unsigned k;

	for (i = 0; i < sizeof body_table / sizeof *body_table; i++) {
		for (k = key_slot(key_word(body_table[i].key,
		    strlen(body_table[i].key))); rd->keys[k]; k = (k + 1) % 64)
			;
		rd->keys[k] = (unsigned char)(i + 1);
	}
}

/* The row of body_table, or -1. */
static inline int
find_key(const struct reader *rd, const char *p, size_t n)
{
	uint64_t word = key_word(p, n);
	unsigned k;

	for (k = key_slot(word); rd->keys[k]; k = (k + 1) % 64)
		if (memcmp(body_table[rd->keys[k] - 1].key, &word, sizeof word) == 0)
			return rd->keys[k] - 1;
	return -1;
}

/* "key=value". */
static int
body_line(struct reader *rd, const char *p, const char *eq, const char *end)
{
	/* What --dump-bbs and --mangle-names=no add; nobody reads it. */
	static const char *const opaque[] = { "bb", "ln", "rec" };
	struct text key = { p, (size_t)(eq - p) };
	size_t i;
	int ret, row;

	if (!rd->started && (ret = start_part(rd)))
		return ret;
	row = find_key(rd, p, key.n);
	if (row >= 0) {
		rd->after_fn &= body_table[row].read == b_fn;
		return body_table[row].read(rd, eq + 1, end);
	}
	for (i = 0; i < sizeof opaque / sizeof *opaque; i++)
		if (text_is(key, opaque[i]))
			break;
	if (i == sizeof opaque / sizeof *opaque)
		tell_unknown(rd, p, end);
	if (rd->have_fn && (ret = need_func(rd)))
		return ret;
	return put_raw(rd, (struct text){ p, (size_t)(end - p) });
}

static int
comment(struct reader *rd, struct text v)
{
	struct text word = v;
	int ret;

	if (word.n && *word.s == ' ')
		word.s++, word.n--;
	ret = own_fact(rd, word);
	return ret == 0 ? add_meta(rd, "callgrind.comment", v) :
	    ret > 0 ? LINE_OK : ret;
}

/* Any line that is no cost line: [p, end). */
static int
other_line(struct reader *rd, const char *p, const char *end)
{
	const char *q = p;
	int ret;

	if (end > p && end[-1] == '\r')
		end--;
	if (rd->pending != NONE && (ret = settle(rd)))
		return ret;
	if (p == end) {
		rd->after_fn = false;
		return LINE_OK;
	}
	if (*p == '#') {
		if (text_is((struct text){ p, (size_t)(end - p) }, "# callgrind format"))
			return LINE_OK;
		return comment(rd, (struct text){ p + 1, (size_t)(end - p - 1) });
	}
	while (q < end && ((*q | 32) >= 'a' && (*q | 32) <= 'z'))
		q++;
	if (q > p && q < end && *q == '=')
		return body_line(rd, p, q, end);
	while (q < end && (((*q | 32) >= 'a' && (*q | 32) <= 'z') || *q == ' ' ||
	    (*q >= '0' && *q <= '9') || *q == '_' || *q == '-' || *q == '(' ||
	    *q == ')'))
		q++;
	if (q > p && q < end && *q == ':')
		return header_line(rd, p, q, end);
	return BAD("expected a cost line, 'key=value' or 'key: value', found %s",
	    QUOTE(p, end));
}

/* A position that is one of "*", "+N", "-N" and N, N short; the end of it. */
static inline unsigned
short_position(const char *p, const struct scan *s, unsigned from, uint64_t base,
    uint64_t *out, bool *bad)
{
	unsigned end = scan_token(s, from), star = p[from] == '*';
	unsigned plus = p[from] == '+', minus = p[from] == '-';
	unsigned digits = from + (star | plus | minus), n = end - digits;
	uint64_t mask = scan_range(digits, end), v;

	*bad |= (s->digit & mask) != mask || n > SCAN_DIGITS ||
	    (star ? n != 0 : n == 0);
	v = scan_dec(p + digits, n & SCAN_DIGITS);
	base = star | plus | minus ? base : 0;
	*bad |= minus ? v > base : base + v < base;
	*out = minus ? base - v : base + v;
	return end;
}

/*
 * A usual line of self cost, all at once; its newline, or NULL for any other:
 * cost_line() reads that.  Usual are the layouts "line" and "instr line".
 */
static inline const char *
usual_cost(struct reader *rd, const char *p)
{
	struct record *r = &rd->cost;
	struct scan s;
	unsigned end = 0;
	uint64_t addr = 0, line;
	bool bad = false, two = rd->npos == 2;

	if (!scan_line(p, ' ', &s))
		return NULL;
	if (two)
		end = short_position(p, &s, 0, rd->base.v[POS_ADDR], &addr, &bad) + 1;
	if (bad || end >= s.n)
		return NULL;
	end = short_position(p, &s, end, rd->base.v[POS_LINE], &line, &bad) + 1;
	if (bad || end >= s.n || !scan_numbers(&s, end, rd->nevents))
		return NULL;
	r->values = (struct text){ p + end, s.n - end };
	r->col[PLACE_LINE].n = rd->base.v[POS_LINE] = line;
	r->col[PLACE_LINE].has = line ? HAS_N : 0;
	r->col[PLACE_ADDR].n = rd->base.v[POS_ADDR] = addr;
	rd->last = rd->here;
	return p + s.n;
}

/* Is a line of self cost now nothing but that?  Asked again after any line
 * that is not. */
static bool
is_usual(struct reader *rd)
{
	rd->cost.col[PLACE_FUNC].n = rd->func;
	rd->cost.col[PLACE_FILE].n = rd->here;
	rd->cost.col[PLACE_ADDR].has = rd->has[POS_ADDR] ? HAS_N : 0;
	return rd->started && rd->pending == NONE && rd->have_func &&
	    (rd->moved || rd->here == rd->last || !rd->self_base) &&
	    rd->has[POS_LINE] && !rd->has[POS_BB];
}

static int
block(struct reader *rd, const char *p, const char *end)
{
	struct decode *d = rd->d;
	const char *q;
	bool usual = is_usual(rd);
	int ret = LINE_OK;

	rd->end = end;
	while (p < end) {
		d->diag->line++;
		if (*p <= '9' && (*p >= '0' || *p == '+' || *p == '-' || *p == '*')) {
			if (usual && (q = usual_cost(rd, p))) {
				rd->at_base = true;
				if (sink_put(d->out, &rd->cost) < 0)
					return -1;
				p = q + 1;
				continue;
			}
			if ((q = cost_line(rd, p, &ret))) {
				usual = is_usual(rd);
				p = q + 1;
				continue;
			}
			q = memchr(p, '\n', (size_t)(end - p));
			rd->pending = NONE;
		} else {
			q = memchr(p, '\n', (size_t)(end - p));
			ret = other_line(rd, p, q);
			if (ret == LINE_BAD && (*p == 'c' || *p == 'j' || *p == 'r'))
				rd->pending = SKIP;
		}
		if (ret && decode_line_done(d, ret) < 0)
			return -1;
		usual = is_usual(rd);
		p = q + 1;
	}
	return 0;
}

static int
read_all(struct reader *rd)
{
	struct decode *d = rd->d;
	char *p, *end;
	int r, ret;

	d->diag->line = 0;
	while ((r = in_lines(d->in, &p, &end)) > 0) {
		if (in_cut(d->in)) {
			char *last = memrchr(p, '\n', (size_t)(end - 1 - p));

			if (last && block(rd, p, last + 1) < 0)
				return -1;
			d->diag->line++;
			if (decode_cut(d, "the profile is cut: its last line has "
			    "no end") < 0)
				return -1;
			break;
		}
		if (block(rd, p, end) < 0)
			return -1;
	}
	if (r < 0)
		return -1;
	if (!rd->in_part)
		return decode_line_done(d, BAD("no 'events:' line"));
	ret = end_part(rd);
	return ret ? decode_line_done(d, ret) : 0;
}

int
callgrind_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	struct buf *bufs[] = { &rd.creator, &rd.pid, &rd.cmd, &rd.meta, &rd.event,
	    &rd.events, &rd.summary, &rd.total_run, &rd.total_sum, &rd.count[0],
	    &rd.count[1], &rd.scratch };
	size_t i;
	int r;

	rd.fn = (struct names){ .dict = d->dict, .diag = d->diag, .functions = true };
	rd.fl = rd.ob = (struct names){ .dict = d->dict, .diag = d->diag };
	rd.object = rd.file = rd.here = rd.last = NO_ID;
	rd.npos = 1;
	rd.pos[0] = POS_LINE;
	rd.has[POS_LINE] = true;
	index_keys(&rd);
	rd.call = rec_make(REC_CALL);
	rd.jump = rec_make(REC_JUMP);
	rd.cost = rec_make(REC_COST);
	d->runs++;
	r = read_all(&rd);
	names_free(&rd.fn);
	names_free(&rd.fl);
	names_free(&rd.ob);
	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	return r;
}

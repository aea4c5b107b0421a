/* SPDX-License-Identifier: ISC */
/* The header of a pprof profile: its metadata and sample types as records. */
#include "reader.h"

#include <inttypes.h>

#include "codec/units.h"

/* ---- metadata ---- */

static int
put_fact(struct reader *rd, int i)
{
	struct text t;
	char tmp[FIELD_TEXT];

	if (!rd->has_fact[i] || !rd->fact[i])
		return 0;
	if (!pprof_fact[i].text)
		t = (struct text){ tmp, (size_t)(pprof_put_signed(tmp, (int64_t)rd->fact[i]) -
		    tmp) };
	else if (pprof_string(rd, rd->file.s, rd->fact[i], &t) < 0)
		return -1;
	return t.s ? meta_put(rd->d->out, pprof_fact[i].key, t) : 0;
}

/* Puts the period, its type and its unit. */
static int
put_period(struct reader *rd)
{
	struct record r;
	struct text type, unit;

	rec_init(&r, REC_META);
	if (!rd->period && !rd->period_type.type && !rd->period_type.unit)
		return 0;
	if (pprof_string(rd, rd->file.s, rd->period_type.type, &type) < 0 ||
	    pprof_string(rd, rd->file.s, rd->period_type.unit, &unit) < 0)
		return -1;
	rd->text.n = 0;
	buf_printf(&rd->text, "%" PRId64 "\t", (int64_t)rd->period);
	field_escape(&rd->text, type);
	buf_putc(&rd->text, '\t');
	field_escape(&rd->text, unit);
	r.col[0].t = TEXT("pprof.period");
	r.attrs = buf_as_text(&rd->text);
	return sink_put(rd->d->out, &r);
}

/* Puts a comment, which may be metadata of ours (comments.h). */
static int
put_comment(struct reader *rd, struct text t)
{
	struct record r;
	struct text key, list;

	rec_init(&r, REC_META);
	if (!comment_get(t, &key, &list))
		return meta_put(rd->d->out, "comment", t);
	if (text_is(key, "event"))
		return comment_event(&rd->own_events, list, "") ? 0 :
		    meta_put(rd->d->out, "comment", t);
	r.col[0].t = key;
	r.attrs = list;
	return sink_put(rd->d->out, &r);
}

static int
put_comments(struct reader *rd)
{
	size_t i;
	struct text t;

	for (i = 0; i < rd->ncomment; i++)
		if (pprof_string(rd, rd->file.s, rd->comment[i], &t) < 0 ||
		    put_comment(rd, t.s ? t : TEXT("")) < 0)
			return -1;
	return 0;
}

/* ---- events ---- */

static bool
is_repeated(const struct reader *rd, size_t type)
{
	size_t i;

	for (i = 0; i < rd->ntype; i++)
		if (i != type && rd->type[i].type == rd->type[type].type)
			return true;
	return false;
}

/* Finds the sample type that `go tool pprof` shows: the first with the stated name,
 * otherwise the last one. */
static int
find_default(struct reader *rd)
{
	struct text want, type = { 0 };
	size_t i;

	if (pprof_string(rd, rd->file.s, rd->fact[PPROF_DEFAULT_TYPE], &want) < 0)
		return -1;
	rd->default_type = rd->ntype - 1;
	for (i = 0; want.s && i < rd->ntype; i++) {
		if (pprof_string(rd, rd->file.s, rd->type[i].type, &type) < 0)
			return -1;
		if (text_eq(type, want)) {
			rd->default_type = i;
			break;
		}
	}
	return 0;
}

/* Sets the columns of a sample type's event. */
static void
describe(struct reader *rd, size_t i, struct text type, struct text unit, struct buf *name,
    struct buf *attrs, struct record *r)
{
	buf_text(name, type);
	attr_add(attrs, "calls", TEXT("absent"));
	if (rd->ntype > 1 && i == rd->default_type)
		attr_add(attrs, "default", TEXT("1"));
	if (is_repeated(rd, i)) {
		buf_putc(name, '.');
		buf_text(name, unit);
		attr_add(attrs, "pprof.type", type.s ? type : TEXT(""));
	}
	r->col[EVENT_NAME].t = (struct text){ buf_str(name), name->n };
	if (!unit.s)
		attr_add(attrs, "pprof.unit", TEXT(""));
	else if (!text_is(unit, "count"))
		r->col[EVENT_UNIT].t = unit_ours(unit);
	r->attrs = buf_as_text(attrs);
}

/* Puts an event, which is named by its type; of two with one type also by the unit.  A
 * comment may have further columns. */
static int
put_event(struct reader *rd, size_t i)
{
	struct record r;
	struct buf name = { 0 }, attrs = { 0 };
	const struct record *own;
	struct text type, unit;
	int ret;

	rec_init(&r, REC_EVENT);
	if (pprof_string(rd, rd->file.s, rd->type[i].type, &type) < 0 ||
	    pprof_string(rd, rd->file.s, rd->type[i].unit, &unit) < 0)
		return -1;
	r.col[EVENT_ID].n = i;
	describe(rd, i, type, unit, &name, &attrs, &r);
	own = comment_event_of(&rd->own_events, i, r.col[EVENT_NAME].t);
	ret = decode_put_event(rd->d, own ? own : &r);
	buf_free(&name);
	buf_free(&attrs);
	return ret;
}

/* Puts events that are derived from others, which are in comments only. */
static int
put_derived(struct reader *rd)
{
	size_t i;

	for (i = 0; i < rd->own_events.n; i++)
		if (rd->own_events.v[i]->col[EVENT_ID].n == NO_ID &&
		    decode_put_event(rd->d, rd->own_events.v[i]) < 0)
			return -1;
	return 0;
}

/* ---- the whole ---- */

int
pprof_put_header(struct reader *rd)
{
	struct buf attrs = { 0 };
	size_t i;
	int ret;

	if (rd->addrs || rd->lines)
		attr_add(&attrs, "positions", rd->addrs && rd->lines ? TEXT("addr,line") :
		    rd->addrs ? TEXT("addr") : TEXT("line"));
	ret = decode_part(rd->d, "pprof", attrs.n ? buf_as_text(&attrs) :
	    (struct text){ 0 });
	buf_free(&attrs);
	for (i = 0; i < PPROF_FACTS && ret == 0; i++)
		ret = put_fact(rd, (int)i);
	if (ret < 0 || put_period(rd) < 0 || put_comments(rd) < 0 || find_default(rd) < 0)
		return -1;
	for (i = 0; i < rd->ntype && ret == 0; i++)
		ret = put_event(rd, i);
	return ret < 0 ? -1 : put_derived(rd);
}

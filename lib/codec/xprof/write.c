/* SPDX-License-Identifier: ISC */
/* Collects records, and writes the lines at the end. */
#include "writer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "stream/loss.h"
#include "util/mem.h"

/* ---- the data ---- */

static void
add(struct list *l, size_t i, size_t *next_of_last)
{
	if (l->n++)
		*next_of_last = i + 1;
	else
		l->first = i + 1;
	l->last = i + 1;
}

static struct object *
object_of(struct writer *w, uint32_t id)
{
	uint64_t key = id;
	size_t i = sums_row(&w->objects, &key);

	if (i == w->nobject) {
		w->object = mem_grow(w->object, &w->capobject, i + 1, sizeof *w->object);
		w->object[w->nobject++] = (struct object){ .id = id };
	}
	return &w->object[i];
}

static struct proc *
proc_of(struct writer *w, uint64_t func)
{
	size_t i = sums_row(&w->procs, &func);
	struct object *o;

	if (i < w->nproc)
		return &w->proc[i];
	w->proc = mem_grow(w->proc, &w->capproc, i + 1, sizeof *w->proc);
	w->proc[w->nproc++] = (struct proc){ .func = (uint32_t)func };
	o = object_of(w, dict_def(w->e.dict, REC_FUNC, (uint32_t)func)[FUNC_OBJECT]);
	add(&o->procs, i, o->procs.n ? &w->proc[o->procs.last - 1].next : NULL);
	return &w->proc[i];
}

/* Parses a count of the format: 64 bits, unsigned. */
static int
get_count(struct writer *w, uint64_t func, struct text t, uint64_t *out)
{
	*out = 0;
	if (!t.s || text_is(t, "-"))
		loss_add(w->e.loss, "absent counts (written as 0)");
	else if (!xprof_number(t, UINT64_MAX, out))
		return xprof_fail_func(w, func, *t.s == '-' ? "a count must not be negative" :
		    "does not fit 64 bits", t);
	return 0;
}

static int
not_counters(struct writer *w, uint64_t func)
{
	struct text f = { 0 };

	if (func != NO_ID)
		f = dict_func_name(w->e.dict, (uint32_t)func);
	return diag_fail_plain(w->e.diag, "%s needs counters of procedures, but the "
	    "costs of function %s have no counter", w->e.format,
	    diag_quote(f.s ? f.s : "???", f.s ? f.n : 3));
}

static int
put_cost(struct writer *w, const struct record *r)
{
	const size_t events = w->parts.part.events.measured;
	const struct field *addr = &r->col[PLACE_ADDR];
	uint64_t func = r->col[PLACE_FUNC].n, value;
	struct text rest = r->values, v;
	struct proc *p;
	size_t i;

	if (!values_next(&rest, &v))
		v = TEXT("0");
	if (addr->has ? addr->has != HAS_M || addr->m > UINT32_MAX : !text_is(v, "0"))
		return not_counters(w, func);
	if (events != 1)
		return diag_fail_plain(w->e.diag, "%s holds at most 1 event, but there are "
		    "%zu: choose with --events", w->e.format, events);
	if (func == NO_ID) {
		loss_add(w->e.loss, "costs outside any function");
		return 0;
	}
	if (r->col[PLACE_FILE].n != NO_ID || r->col[PLACE_LINE].has)
		loss_add(w->e.loss, "files and lines of counters");
	if (r->attrs.s)
		loss_add(w->e.loss, "attributes of costs");
	if (get_count(w, func, v, &value) < 0)
		return -1;
	p = proc_of(w, func);
	if (!addr->has)		/* a procedure that did not run */
		return 0;
	i = w->ncounter++;
	w->counter = mem_grow(w->counter, &w->capcounter, i + 1, sizeof *w->counter);
	w->counter[i] = (struct counter){ (uint32_t)addr->m, value, 0 };
	add(&p->counters, i, p->counters.n ? &w->counter[p->counters.last - 1].next :
	    NULL);
	return 0;
}

static bool
is_word(struct text t)
{
	size_t i;

	for (i = 0; i < t.n; i++)
		if (is_blank(t.s[i]) || t.s[i] == '\n')
			return false;
	return t.n;
}

static int
put_value(struct writer *w, const struct record *r)
{
	uint64_t func = r->col[VPROF_FUNC].n, site, count;
	struct text type = r->col[VPROF_TYPE].t, value = r->col[VPROF_VALUE].t;
	struct text where = r->col[VPROF_SITE].t;
	struct proc *p;
	size_t i;

	if (func == NO_ID) {
		loss_add(w->e.loss, "values outside any function");
		return 0;
	}
	if (!where.s || !num_is_canonical(where) ||
	    !xprof_number(where, UINT32_MAX, &site))
		return xprof_fail_func(w, func, "a site must be a 32-bit number",
		    where.s ? where : TEXT("-"));
	if (!is_word(type))
		return xprof_fail_func(w, func, "a type must be a word",
		    type.s ? type : TEXT("-"));
	if (value.s && !xprof_is_value(type, value))
		return xprof_fail_func(w, func, "not a value of its type", value);
	if (get_count(w, func, r->col[VPROF_COUNT].t, &count) < 0)
		return -1;
	p = proc_of(w, func);
	i = w->nvalue++;
	w->value = mem_grow(w->value, &w->capvalue, i + 1, sizeof *w->value);
	w->value[i] = (struct value){ (uint32_t)site, dict_str(w->e.dict, type),
	    dict_str(w->e.dict, value), count, 0 };
	add(&p->values, i, p->values.n ? &w->value[p->values.last - 1].next : NULL);
	return 0;
}

static int
put_raw(struct writer *w, const struct record *r)
{
	struct xprof_stated stated;

	if (w->converted || r->col[0].n == NO_ID)
		loss_record(w->e.loss, r);
	else if (!r->col[1].t.s || !xprof_stated_get(r->col[1].t, &stated))
		return xprof_fail_func(w, r->col[0].n, "expected statistics",
		    r->col[1].t.s ? r->col[1].t : TEXT("-"));
	else
		proc_of(w, r->col[0].n)->stated = stated;
	return 0;
}

/* ---- metadata ---- */

/* Reads PATH SIGNATURE SEC USEC VALUES SAYS. */
static int
put_objfile(struct writer *w, const struct record *r)
{
	struct text rest = r->attrs, f, t[6];
	struct xprof_stated stated;
	struct object_def def;
	struct buf b = { 0 };
	uint64_t n[4];
	struct object *o;
	bool good = true;
	int i;

	buf_room(&b, rest.n + 1);
	for (i = 0; i < 6 && good; i++)
		good = fields_next(&rest, &f) && field_unescape(f, &b, &t[i]) &&
		    (t[i].s || i == 5);
	good = good && xprof_signature(t[1], &n[0]) &&
	    xprof_number(t[2], UINT32_MAX, &n[1]) &&
	    xprof_number(t[3], UINT32_MAX, &n[2]) &&
	    xprof_number(t[4], UINT64_MAX, &n[3]) && xprof_stated_get(t[5], &stated);
	if (good) {
		def = xprof_object(w->e.dict, t[0], n[0], n[1], n[2]);
		o = object_of(w, dict_define_object(w->e.dict, NO_ID, &def));
		o->values = n[3];
		o->stated = stated;
	}
	buf_free(&b);
	return good ? 0 : xprof_malformed(w, r->col[0].t);
}

static int
put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	struct buf b = { 0 };
	const struct text v = meta_only(r, &b);
	int ret = 0;

	(void)p;
	if (meta_is(r, "format")) {
		w->converted = !text_is(v, "xprof");
	} else if (meta_is(r, "xprof.version")) {
		w->version.n = 0;
		buf_text(&w->version, v);
		ret = xprof_knows(v) ? 0 : xprof_malformed(w, r->col[0].t);
	} else if (meta_is(r, "xprof.n_proc_names")) {
		w->stated_names = xprof_number(v, UINT64_MAX, &w->names);
		ret = w->stated_names ? 0 : xprof_malformed(w, r->col[0].t);
	} else if (meta_is(r, "xprof.objfile")) {
		ret = put_objfile(w, r);
	} else if (meta_is(r, "xprof.program")) {
		late_records_keep(&w->programs, r);
	} else {
		loss_record(w->e.loss, r);
	}
	buf_free(&b);
	return ret;
}

/* Puts the event; the format has only counts, without a name. */
static int
put_event(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (r->col[EVENT_ID].n == NO_ID)
		loss_add(w->e.loss, "derived events");
	else if (!text_is(r->col[EVENT_NAME].t, XPROF_EVENT) ||
	    r->col[EVENT_UNIT].t.s || event_scale(r) != 1)
		loss_add(w->e.loss, "names and units of events");
	return 0;
}

/* ---- the whole ---- */

/* Counts the names of procedures among the values. */
static uint64_t
count_names(struct writer *w)
{
	uint32_t proc = dict_str(w->e.dict, TEXT("PROC"));
	struct sums names;
	uint64_t key, n;
	size_t i;

	if (w->stated_names && !xprof_is_filtered(w))
		return w->names;
	if (w->stated_names)
		loss_add(w->e.loss, "statistics that differ from the profiler's");
	sums_init(&names, 1, 0);
	for (i = 0; i < w->nvalue; i++)
		if (w->value[i].type == proc && w->value[i].value != NO_ID) {
			key = w->value[i].value;
			sums_row(&names, &key);
		}
	n = names.n;
	sums_free(&names);
	return n;
}

static int
put_total(struct part_sink *s, const struct record *r)
{
	loss_record(((struct writer *)s)->e.loss, r);
	return 0;
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	switch (rec_kind(r)) {
	case REC_COST:
		return put_cost(w, r);
	case REC_VPROF:
		return put_value(w, r);
	case REC_RAW:
		return put_raw(w, r);
	default:
		return 0;
	}
}

static int
finish(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;
	size_t i;

	if (!w->nproc && w->parts.part.events.measured > 1)
		return diag_fail_plain(w->e.diag, "%s needs counters of procedures, "
		    "but the profile has none", w->e.format);
	for (i = 0; i < w->nobject; i++)
		xprof_count_object(w, &w->object[i]);
	buf_puts(&w->text, XPROF_MAGIC " ");
	buf_text(&w->text, w->version.n ? buf_as_text(&w->version) :
	    TEXT(XPROF_VERSION));
	buf_printf(&w->text, " %zu %zu %" PRIu64, w->nobject, w->programs.n,
	    count_names(w));
	xprof_end_line(w);
	for (i = 0; i < w->nobject; i++)
		if (xprof_write_object(w, &w->object[i]) < 0)
			return -1;
	for (i = 0; i < w->programs.n; i++)
		if (xprof_write_program(w, w->programs.v[i]) < 0)
			return -1;
	return 0;
}

static void
free_writer(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;

	late_records_free(&w->programs);
	sums_free(&w->objects);
	sums_free(&w->procs);
	sums_free(&w->paths);
	free(w->object);
	free(w->proc);
	free(w->counter);
	free(w->value);
	buf_free(&w->version);
	buf_free(&w->text);
}

static const struct part_methods methods = {
	.meta = put_meta, .event = put_event, .total = put_total, .put = put_record,
	.finish = finish, .free = free_writer,
};

struct sink *
xprof_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	part_sink_init(&w->parts, &methods, e->diag, e->out);
	w->e = *e;
	sums_init(&w->objects, 1, 0);
	sums_init(&w->procs, 1, 0);
	sums_init(&w->paths, 1, XPROF_STATS);
	return &w->parts.sink;
}

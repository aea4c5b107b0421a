/* SPDX-License-Identifier: ISC */
/*
 * Writing xprof_text(4).  Its lines begin with the counts of what follows, so
 * everything is kept until the end.
 */
#include "xprof.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/annotation.h"
#include "stream/deferred.h"
#include "stream/event.h"
#include "stream/sums.h"
#include "util/mem.h"

/* Elements of an array in the order in which they came: indices + 1. */
struct list { size_t first, last, n; };

struct object {
	uint32_t id;
	uint64_t values;	/* of a value profile record */
	struct xprof_says says;
	struct list procs;
	num stat[XPROF_STATS];
};

struct proc {
	uint32_t func;
	struct xprof_says says;
	struct list counters, values;
	num stat[XPROF_STATS];
	size_t next;
};

struct counter {
	uint32_t id;
	uint64_t value;
	size_t next;
};

struct value {
	uint32_t site, type, value;	/* type, value: strings */
	uint64_t count;
	size_t next;
};

struct writer {
	struct sink sink;
	struct encode e;
	bool converted, filtered;
	struct events events;
	struct buf version;
	bool stated_names;	/* a fact gave their number */
	uint64_t names;

	struct object *object;
	size_t nobject, capobject;
	struct proc *proc;
	size_t nproc, capproc;
	struct counter *counter;
	size_t ncounter, capcounter;
	struct value *value;
	size_t nvalue, capvalue;
	struct sums objects, procs;	/* by number of the dictionary */
	struct sums paths;	/* of objects: statistics */
	struct late programs;

	struct buf text;
	char number[NUM_TEXT];
};

#define MOST_PADDING 65536	/* values of a record that may be filled up */

static const char *
number_text(uint64_t v, char *to)
{
	*num_put_u64(to, v) = '\0';
	return to;
}

static int
fail_func(struct writer *w, uint64_t func, const char *what, struct text value)
{
	struct text f = dict_func_name(w->e.dict, (uint32_t)func);

	return encode_fail(&w->e, "function %s, %s: %s",
	    diag_quote(f.s ? f.s : "???", f.s ? f.n : 3), diag_quote(value.s, value.n),
	    what);
}

/* ---- what there is ---- */

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

/* A count of the format: 64 bits, no sign. */
static int
get_count(struct writer *w, uint64_t func, struct text t, uint64_t *out)
{
	*out = 0;
	if (!t.s || text_is(t, "-"))
		loss_add(w->e.loss, "absent counts (written as 0)");
	else if (!xprof_number(t, UINT64_MAX, out))
		return fail_func(w, func, *t.s == '-' ? "a count must not be negative" :
		    "does not fit 64 bits", t);
	return 0;
}

static int
not_counters(struct writer *w, uint64_t func)
{
	struct text f = { 0 };

	if (func != NO_ID)
		f = dict_func_name(w->e.dict, (uint32_t)func);
	return diag_fail_plain(w->e.diag, "xprof needs counters of procedures, but the "
	    "costs of function %s have no counter", diag_quote(f.s ? f.s : "???",
	    f.s ? f.n : 3));
}

static int
put_cost(struct writer *w, const struct record *r)
{
	const struct field *addr = &r->col[PLACE_ADDR];
	uint64_t func = r->col[PLACE_FUNC].n, value;
	struct text rest = r->values, v;
	struct proc *p;
	size_t i;

	if (!values_next(&rest, &v))
		v = TEXT("0");
	if (addr->has ? addr->has != HAS_M || addr->m > UINT32_MAX : !text_is(v, "0"))
		return not_counters(w, func);
	if (w->events.measured != 1)
		return diag_fail_plain(w->e.diag, "xprof holds at most 1 event, but there are "
		    "%zu: choose with --events", w->events.measured);
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
	if (!addr->has)		/* a procedure that was not executed */
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
		if (xprof_blank(t.s[i]) || t.s[i] == '\n')
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
		return fail_func(w, func, "a site must be a 32-bit number",
		    where.s ? where : TEXT("-"));
	if (!is_word(type))
		return fail_func(w, func, "a type must be a word",
		    type.s ? type : TEXT("-"));
	if (value.s && !xprof_is_value(type, value))
		return fail_func(w, func, "not a value of its type", value);
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
	struct xprof_says says;

	if (w->converted || r->col[0].n == NO_ID)
		loss_record(w->e.loss, r);
	else if (!r->col[1].t.s || !xprof_says_get(r->col[1].t, &says))
		return fail_func(w, r->col[0].n, "expected statistics",
		    r->col[1].t.s ? r->col[1].t : TEXT("-"));
	else
		proc_of(w, r->col[0].n)->says = says;
	return 0;
}

/* ---- facts ---- */

static int
malformed(struct writer *w, struct text key)
{
	return encode_fail(&w->e, "the fact %.*s is malformed", (int)key.n,
	    key.s);
}

/* What a fact says besides what can be counted; "-" is nothing. */
static bool
get_says(struct text t, struct xprof_says *s)
{
	*s = (struct xprof_says){ 0 };
	return !t.s || xprof_says_get(t, s);
}

/* PATH SIGNATURE SEC USEC VALUES SAYS */
static int
put_objfile(struct writer *w, const struct record *r)
{
	struct text rest = r->attrs, f, t[6];
	struct xprof_says says;
	uint32_t cols[DEF_COLS], id;
	struct buf b = { 0 };
	uint64_t n[4];
	struct object *o;
	bool good = true, fresh;
	int i;

	buf_room(&b, rest.n + 1);
	for (i = 0; i < 6 && good; i++)
		good = fields_next(&rest, &f) && field_unescape(f, &b, &t[i]) &&
		    (t[i].s || i == 5);
	good = good && xprof_signature(t[1], &n[0]) &&
	    xprof_number(t[2], UINT32_MAX, &n[1]) &&
	    xprof_number(t[3], UINT32_MAX, &n[2]) &&
	    xprof_number(t[4], UINT64_MAX, &n[3]) && get_says(t[5], &says);
	if (good) {
		xprof_object(w->e.dict, t[0], n[0], n[1], n[2], cols);
		id = dict_define(w->e.dict, REC_OBJECT, cols, &fresh);
		o = object_of(w, id);
		o->values = n[3];
		o->says = says;
	}
	buf_free(&b);
	return good ? 0 : malformed(w, r->col[0].t);
}

static int
put_meta(struct writer *w, const struct record *r)
{
	struct buf b = { 0 };
	struct text v = meta_value(r, &b);
	int ret = 0;

	w->filtered |= meta_is(r, "filter");
	if (meta_is(r, "format")) {
		w->converted = !text_is(v, "xprof");
	} else if (meta_is(r, "xprof.version")) {
		w->version.n = 0;
		buf_text(&w->version, v);
		ret = xprof_knows(v) ? 0 : malformed(w, r->col[0].t);
	} else if (meta_is(r, "xprof.n_proc_names")) {
		w->stated_names = xprof_number(v, UINT64_MAX, &w->names);
		ret = w->stated_names ? 0 : malformed(w, r->col[0].t);
	} else if (meta_is(r, "xprof.objfile")) {
		ret = put_objfile(w, r);
	} else if (meta_is(r, "xprof.program")) {
		late_keep(&w->programs, r);
	} else {
		loss_record(w->e.loss, r);
	}
	buf_free(&b);
	return ret;
}

/* The format counts, and does not say what. */
static void
put_event(struct writer *w, const struct record *r)
{
	events_add(&w->events, r);
	if (r->col[EVENT_ID].n == NO_ID)
		loss_add(w->e.loss, "derived events");
	else if (!text_is(r->col[EVENT_NAME].t, XPROF_EVENT) ||
	    r->col[EVENT_UNIT].t.s || event_scale(r) != 1)
		loss_add(w->e.loss, "names and units of events");
}

/* ---- lines ---- */

enum name_at { NAME_WITHIN, NAME_ENDS_LINE };

/* A line's end ends a name, blanks around a name are not read back, and a backslash at the
 * end of a line says that it goes on. */
static bool
is_bad(struct text t, size_t i, enum name_at at)
{
	const bool last = i == t.n - 1;

	return t.s[i] == '\n' || ((i == 0 || last) && xprof_blank(t.s[i])) ||
	    (at == NAME_ENDS_LINE && last && t.s[i] == '\\' &&
	    (i == 0 || xprof_blank(t.s[i - 1])));
}

static void
put_name(struct writer *w, struct text t, enum name_at at)
{
	bool good = t.n != 0;
	size_t i;

	for (i = 0; i < t.n; i++) {
		bool bad = is_bad(t, i, at);

		buf_putc(&w->text, bad ? '_' : t.s[i]);
		good &= !bad;
	}
	if (!t.n)
		buf_putc(&w->text, '_');
	if (!good)
		loss_add(w->e.loss, "names that could not be read back (written with "
		    "'_')");
}

static void
put_known_name(struct writer *w, struct text t)
{
	if (!t.s) {
		loss_add(w->e.loss, "unknown names");
		t = TEXT("???");
	}
	put_name(w, t, NAME_WITHIN);
}

static void
end_line(struct writer *w)
{
	buf_putc(&w->text, '\n');
	out_write(w->e.out, w->text.s, w->text.n);
	w->text.n = 0;
}

static uint64_t
signature(struct writer *w, uint32_t key)
{
	uint64_t v = 0;

	if (key == NO_ID || !xprof_signature(dict_text(w->e.dict, key), &v)) {
		loss_add(w->e.loss, "unknown signatures (written as 0)");
		v = 0;
	}
	return v;
}

/* The number that a definition's attribute has. */
static uint64_t
attr(struct writer *w, struct text attrs, const char *key, const char *lost)
{
	struct buf b = { 0 };
	struct text t = { 0 };
	uint64_t v = 0;

	if (attrs.s)
		t = attr_get(attrs, key, &b);
	if (!t.s || !xprof_number(t, UINT32_MAX, &v)) {
		loss_add(w->e.loss, lost);
		v = 0;
	}
	buf_free(&b);
	return v;
}

/* Counts as lost what the format cannot hold of a function. */
static void
lose_func(struct writer *w, const uint32_t *f)
{
	struct text rest = dict_text(w->e.dict, f[FUNC_ATTRS]), field;

	if (f[FUNC_FILE] != NO_ID)
		loss_add(w->e.loss, "files of functions");
	while (fields_next(&rest, &field))
		if (field.n < 9 || memcmp(field.s, "xprof.id=", 9) != 0)
			loss_add(w->e.loss, "attributes of functions");
}

enum says_of { SAYS_OF_PROC, SAYS_OF_MORE };

/* Lines of statistics: the producer's, if they differ from what is counted; a filter makes
 * them stale, except a procedure's. */
static void
put_says(struct writer *w, const struct xprof_says *s, const num *stat,
    enum says_of of)
{
	char tmp[NUM_TEXT];
	unsigned i;

	for (i = 0; i < s->n; i++) {
		bool stated = s->stat[i].stated && (of == SAYS_OF_PROC || !w->filtered);
		num v = stated ? s->stat[i].value : stat[s->stat[i].what];

		if (s->stat[i].stated && !stated)
			loss_add(w->e.loss, "statistics that the producer "
			    "gave differently");
		if (v > UINT64_MAX) {
			loss_add(w->e.loss, "sums beyond 64 bits (left out)");
			continue;
		}
		buf_puts(&w->text, xprof_stat_name[s->stat[i].what]);
		buf_putc(&w->text, ' ');
		buf_add(&w->text, tmp, (size_t)(num_put_num(tmp, v) - tmp));
		end_line(w);
	}
}

/* ---- values ---- */

/* The number of consecutive values of one site from *i on, which is moved past them. */
static size_t
next_run(const struct writer *w, size_t *i)
{
	const struct value *a = &w->value[*i - 1], *b;
	size_t n = 0;

	for (; *i; *i = b->next, n++) {
		b = &w->value[*i - 1];
		if (b->site != a->site || b->type != a->type)
			break;
	}
	return n;
}

/*
 * All records have the same number of values.  If the values do not fill them, those of
 * each site are padded with values that were never seen.
 */
static uint64_t
padding(const struct proc *p, uint64_t values, uint64_t run)
{
	return values && p->values.n % values ? (values - run % values) % values : 0;
}

static int
count_lines(struct writer *w, const struct proc *p, uint64_t values, uint64_t *lines)
{
	size_t i = p->values.first;
	uint64_t run, pad;

	for (*lines = 0; i; *lines += run + pad) {
		run = next_run(w, &i);
		pad = padding(p, values, run);
		if (pad > MOST_PADDING)
			return fail_func(w, p->func, "too few values for a record of "
			    "this size", text_of(number_text(values, w->number)));
	}
	return 0;
}

static void
put_line(struct writer *w, const struct value *v, uint64_t count, struct text value)
{
	struct text type = dict_text(w->e.dict, v->type);

	buf_puts(&w->text, "VP_");
	buf_text(&w->text, type);
	buf_printf(&w->text, " %" PRIu32 " %" PRIu64, v->site, count);
	if (value.s) {
		buf_putc(&w->text, ' ');
		put_name(w, value, NAME_ENDS_LINE);
	}
	end_line(w);
}

static int
put_values(struct writer *w, const struct proc *p, uint64_t values)
{
	size_t i = p->values.first, end = i;
	const struct value *v = NULL;
	uint64_t pad;

	while (i) {
		pad = padding(p, values, next_run(w, &end));
		for (; i != end; i = v->next) {
			v = &w->value[i - 1];
			put_line(w, v, v->count, dict_text(w->e.dict, v->value));
		}
		for (; pad; pad--)
			put_line(w, v, 0, (struct text){ 0 });
	}
	return w->e.out->error ? out_check(w->e.out) : 0;
}

static size_t
count_sites(const struct writer *w, const struct proc *p)
{
	struct sums sites;
	uint64_t key;
	size_t i, n;

	sums_init(&sites, 1, 0);
	for (i = p->values.first; i; i = w->value[i - 1].next) {
		key = w->value[i - 1].site;
		sums_row(&sites, &key);
	}
	n = sites.n;
	sums_free(&sites);
	return n;
}

/* ---- procedures and objects ---- */

static int
put_proc(struct writer *w, const struct object *o, const struct proc *p)
{
	const uint32_t *f = dict_def(w->e.dict, REC_FUNC, p->func);
	uint64_t sites = count_sites(w, p), records = 0, lines;
	size_t i;

	lose_func(w, f);
	if (p->says.count[XPROF_SITES].stated)
		sites = p->says.count[XPROF_SITES].value;
	if (count_lines(w, p, o->values, &lines) < 0)
		return -1;
	if (o->values)
		records = lines / o->values;
	else if (p->says.count[XPROF_RECORDS].stated)
		records = p->says.count[XPROF_RECORDS].value;
	buf_puts(&w->text, "PROC: ");
	put_known_name(w, dict_text(w->e.dict, f[FUNC_NAME]));
	buf_printf(&w->text, " 0x%" PRIx64 " %zu %" PRIu64 " %" PRIu64 " %" PRIu64,
	    signature(w, f[FUNC_KEY]), p->counters.n, sites, records,
	    attr(w, dict_text(w->e.dict, f[FUNC_ATTRS]), "xprof.id",
	    "unknown numbers of procedures (written as 0)"));
	end_line(w);
	put_says(w, &p->says, p->stat, SAYS_OF_PROC);
	for (i = p->counters.first; i; i = w->counter[i - 1].next) {
		buf_printf(&w->text, "%" PRIu32 " %" PRIu64, w->counter[i - 1].id,
		    w->counter[i - 1].value);
		end_line(w);
	}
	return put_values(w, p, o->values);
}

static int
put_object(struct writer *w, const struct object *o)
{
	static const char lost[] = "unknown times (written as 0)";
	const uint32_t *d = dict_def(w->e.dict, REC_OBJECT, o->id);
	struct text attrs = dict_text(w->e.dict, d[OBJECT_ATTRS]);
	size_t i;

	buf_puts(&w->text, "OBJFILE: ");
	put_known_name(w, dict_text(w->e.dict, d[OBJECT_PATH]));
	buf_printf(&w->text, " %zu %" PRIu64, o->procs.n,
	    attr(w, attrs, "xprof.sec", lost));
	buf_printf(&w->text, " %" PRIu64 " %" PRIu64 " 0x%" PRIx64,
	    attr(w, attrs, "xprof.usec", lost), o->values,
	    signature(w, d[OBJECT_KEY]));
	end_line(w);
	put_says(w, &o->says, o->stat, SAYS_OF_MORE);
	for (i = o->procs.first; i; i = w->proc[i - 1].next)
		if (put_proc(w, o, &w->proc[i - 1]) < 0)
			return -1;
	return 0;
}

static void
add_stat(num stat[XPROF_STATS], num max, num sum)
{
	if (max > stat[XPROF_MAX])
		stat[XPROF_MAX] = max;
	stat[XPROF_SUM] += sum;	/* 2^63 lines would be needed to overflow */
}

/* Counts statistics and, if no fact states how many values a record has, uses the largest
 * number that a site has. */
static void
count_object(struct writer *w, struct object *o)
{
	const bool stated = o->values;
	uint64_t key = dict_def(w->e.dict, REC_OBJECT, o->id)[OBJECT_PATH], run;
	size_t i, k;
	num *stat;

	for (k = o->procs.first; k; k = w->proc[k - 1].next) {
		struct proc *p = &w->proc[k - 1];

		for (i = p->counters.first; i; i = w->counter[i - 1].next)
			add_stat(p->stat, w->counter[i - 1].value,
			    w->counter[i - 1].value);
		add_stat(o->stat, p->stat[XPROF_MAX], p->stat[XPROF_SUM]);
		for (i = stated ? 0 : p->values.first; i; )
			if ((run = next_run(w, &i)) > o->values)
				o->values = run;
	}
	stat = sums_val(&w->paths, sums_row(&w->paths, &key));
	add_stat(stat, o->stat[XPROF_MAX], o->stat[XPROF_SUM]);
}

/* ---- programs ---- */

static void
add_object(struct writer *w, struct text path, num stat[XPROF_STATS])
{
	uint64_t key = dict_str(w->e.dict, path);
	const num *v = sums_val(&w->paths, sums_row(&w->paths, &key));

	add_stat(stat, v[XPROF_MAX], v[XPROF_SUM]);
}

/* PATH SAYS OBJECT... */
static int
put_program(struct writer *w, const struct record *r)
{
	struct text rest = r->attrs, refs, f, path = { 0 }, t = { 0 };
	num stat[XPROF_STATS] = { 0 };
	struct xprof_says says;
	struct buf b = { 0 };
	uint64_t n = 0;
	bool good;

	buf_room(&b, 2 * rest.n + 1);
	good = fields_next(&rest, &f) && field_unescape(f, &b, &path) && path.s &&
	    fields_next(&rest, &f) && field_unescape(f, &b, &t) && get_says(t, &says);
	for (refs = rest; good && fields_next(&rest, &f); n++)
		if ((good = field_unescape(f, &b, &t) && t.s))
			add_object(w, t, stat);
	if (good) {
		buf_puts(&w->text, "PROGRAM: ");
		put_name(w, path, NAME_WITHIN);
		buf_printf(&w->text, " %" PRIu64, n);
		end_line(w);
		put_says(w, &says, stat, SAYS_OF_MORE);
	}
	while (good && fields_next(&refs, &f)) {
		field_unescape(f, &b, &t);
		buf_puts(&w->text, "OBJREF: ");
		put_name(w, t, NAME_ENDS_LINE);
		end_line(w);
	}
	buf_free(&b);
	return good ? 0 : malformed(w, r->col[0].t);
}

/* ---- the whole ---- */

/* Names of procedures among the values. */
static uint64_t
count_names(struct writer *w)
{
	uint32_t proc = dict_str(w->e.dict, TEXT("PROC"));
	struct sums names;
	uint64_t key, n;
	size_t i;

	if (w->stated_names && !w->filtered)
		return w->names;
	if (w->stated_names)
		loss_add(w->e.loss, "statistics that the producer gave differently");
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
finish(struct writer *w)
{
	size_t i;

	if (!w->nproc && w->events.measured > 1)
		return diag_fail_plain(w->e.diag, "%s needs counters of procedures, "
		    "but the profile has none", w->e.format);
	for (i = 0; i < w->nobject; i++)
		count_object(w, &w->object[i]);
	buf_puts(&w->text, XPROF_MAGIC " ");
	buf_text(&w->text, w->version.n ? buf_as_text(&w->version) :
	    TEXT(XPROF_VERSION));
	buf_printf(&w->text, " %zu %zu %" PRIu64, w->nobject, w->programs.n,
	    count_names(w));
	end_line(w);
	for (i = 0; i < w->nobject; i++)
		if (put_object(w, &w->object[i]) < 0)
			return -1;
	for (i = 0; i < w->programs.n; i++)
		if (put_program(w, w->programs.v[i]) < 0)
			return -1;
	return 0;
}

static int
put_record(struct writer *w, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_COST:
		return put_cost(w, r);
	case REC_VPROF:
		return put_value(w, r);
	case REC_RAW:
		return put_raw(w, r);
	case REC_META:
		return put_meta(w, r);
	case REC_EVENT:
		put_event(w, r);
		return 0;
	case REC_TOTAL:
		loss_record(w->e.loss, r);
		return 0;
	case REC_END:
		return finish(w);
	default:
		return 0;
	}
}

static int
xprof_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (put_record(w, r) < 0)
		return -1;
	return w->e.out->error ? out_check(w->e.out) : 0;
}

static void
xprof_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;

	events_free(&w->events);
	late_free(&w->programs);
	sums_free(&w->objects);
	sums_free(&w->procs);
	sums_free(&w->paths);
	free(w->object);
	free(w->proc);
	free(w->counter);
	free(w->value);
	buf_free(&w->version);
	buf_free(&w->text);
	free(w);
}

struct sink *
xprof_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = xprof_put, .free = xprof_free };
	w->e = *e;
	sums_init(&w->objects, 1, 0);
	sums_init(&w->procs, 1, 0);
	sums_init(&w->paths, 1, XPROF_STATS);
	return &w->sink;
}

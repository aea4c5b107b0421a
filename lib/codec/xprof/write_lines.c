/* SPDX-License-Identifier: ISC */
/* Writes lines: objects, their procedures with counters and values, programs. */
#include "writer.h"

#include <inttypes.h>

#include "stream/loss.h"

#define MOST_PADDING 65536	/* values of a record that may be padding */

static const char *
number_text(uint64_t v, char *to)
{
	*num_put_u64(to, v) = '\0';
	return to;
}

int
xprof_fail_func(struct writer *w, uint64_t func, const char *what, struct text value)
{
	struct text f = dict_func_name(w->e.dict, (uint32_t)func);

	return encode_fail(&w->e, "function %s, %s: %s",
	    diag_quote(f.s ? f.s : "???", f.s ? f.n : 3), QUOTE(value),
	    what);
}

int
xprof_malformed(struct writer *w, struct text key)
{
	return encode_fail(&w->e, "malformed metadata %.*s", (int)key.n,
	    key.s);
}

/* ---- parts of lines ---- */

enum name_at { NAME_WITHIN, NAME_ENDS_LINE };

/* Is this byte impossible in a name?  The end of a line ends a name, blanks around a name
 * are not read back, and a backslash at the end of a line continues it. */
static bool
is_bad(struct text t, size_t i, enum name_at at)
{
	const bool last = i == t.n - 1;

	return t.s[i] == '\n' || ((i == 0 || last) && is_blank(t.s[i])) ||
	    (at == NAME_ENDS_LINE && last && t.s[i] == '\\' &&
	    (i == 0 || is_blank(t.s[i - 1])));
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

void
xprof_end_line(struct writer *w)
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

/* Returns the number in a definition's attribute. */
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

/* Reports data of a function that the format cannot hold as dropped. */
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

enum stated_of { STATED_OF_PROC, STATED_OF_MORE };

/* Writes lines of statistics: the profiler's, if they differ from the computed ones.  After
 * a filter they are not valid, except a procedure's. */
static void
put_stated(struct writer *w, const struct xprof_stated *s, const num *stat,
    enum stated_of of)
{
	unsigned i;

	for (i = 0; i < s->n; i++) {
		bool stated = s->stat[i].stated && (of == STATED_OF_PROC || !xprof_is_filtered(w));
		num v = stated ? s->stat[i].value : stat[s->stat[i].what];

		if (s->stat[i].stated && !stated)
			loss_add(w->e.loss, "statistics that differ from the profiler's");
		if (v > UINT64_MAX) {
			loss_add(w->e.loss, "sums beyond 64 bits (left out)");
			continue;
		}
		buf_puts(&w->text, xprof_stat_name[s->stat[i].what]);
		buf_putc(&w->text, ' ');
		num_add_whole(&w->text, v);
		xprof_end_line(w);
	}
}

/* ---- values ---- */

/* Returns the number of consecutive values of one site from *i on, which moves past
 * them. */
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
 * Returns the padding.  All records have the same number of values: if the values do not
 * fill them, those of each site are padded with values that were never seen.
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
			return xprof_fail_func(w, p->func, "too few values for a record of "
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
	xprof_end_line(w);
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
	if (p->stated.count[XPROF_SITES].stated)
		sites = p->stated.count[XPROF_SITES].value;
	if (count_lines(w, p, o->values, &lines) < 0)
		return -1;
	if (o->values)
		records = lines / o->values;
	else if (p->stated.count[XPROF_RECORDS].stated)
		records = p->stated.count[XPROF_RECORDS].value;
	buf_puts(&w->text, "PROC: ");
	put_known_name(w, dict_text(w->e.dict, f[FUNC_NAME]));
	buf_printf(&w->text, " 0x%" PRIx64 " %zu %" PRIu64 " %" PRIu64 " %" PRIu64,
	    signature(w, f[FUNC_KEY]), p->counters.n, sites, records,
	    attr(w, dict_text(w->e.dict, f[FUNC_ATTRS]), "xprof.id",
	    "unknown numbers of procedures (written as 0)"));
	xprof_end_line(w);
	put_stated(w, &p->stated, p->stat, STATED_OF_PROC);
	for (i = p->counters.first; i; i = w->counter[i - 1].next) {
		buf_printf(&w->text, "%" PRIu32 " %" PRIu64, w->counter[i - 1].id,
		    w->counter[i - 1].value);
		xprof_end_line(w);
	}
	return put_values(w, p, o->values);
}

int
xprof_write_object(struct writer *w, const struct object *o)
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
	xprof_end_line(w);
	put_stated(w, &o->stated, o->stat, STATED_OF_MORE);
	for (i = o->procs.first; i; i = w->proc[i - 1].next)
		if (put_proc(w, o, &w->proc[i - 1]) < 0)
			return -1;
	return 0;
}

void
xprof_count_object(struct writer *w, struct object *o)
{
	const bool stated = o->values;
	uint64_t key = dict_def(w->e.dict, REC_OBJECT, o->id)[OBJECT_PATH], run;
	size_t i, k;
	num *stat;

	for (k = o->procs.first; k; k = w->proc[k - 1].next) {
		struct proc *p = &w->proc[k - 1];

		for (i = p->counters.first; i; i = w->counter[i - 1].next)
			xprof_add_stat(p->stat, w->counter[i - 1].value,
			    w->counter[i - 1].value);
		xprof_add_stat(o->stat, p->stat[XPROF_MAX], p->stat[XPROF_SUM]);
		for (i = stated ? 0 : p->values.first; i; )
			if ((run = next_run(w, &i)) > o->values)
				o->values = run;
	}
	stat = sums_val(&w->paths, sums_row(&w->paths, &key));
	xprof_add_stat(stat, o->stat[XPROF_MAX], o->stat[XPROF_SUM]);
}

/* ---- programs ---- */

static void
add_object(struct writer *w, struct text path, num stat[XPROF_STATS])
{
	uint64_t key = dict_str(w->e.dict, path);
	const num *v = sums_val(&w->paths, sums_row(&w->paths, &key));

	xprof_add_stat(stat, v[XPROF_MAX], v[XPROF_SUM]);
}

/* Writes PATH SAYS OBJECT... */
int
xprof_write_program(struct writer *w, const struct record *r)
{
	struct text rest = r->attrs, refs, f, path = { 0 }, t = { 0 };
	num stat[XPROF_STATS] = { 0 };
	struct xprof_stated stated;
	struct buf b = { 0 };
	uint64_t n = 0;
	bool good;

	buf_room(&b, 2 * rest.n + 1);
	good = fields_next(&rest, &f) && field_unescape(f, &b, &path) && path.s &&
	    fields_next(&rest, &f) && field_unescape(f, &b, &t) && xprof_stated_get(t, &stated);
	for (refs = rest; good && fields_next(&rest, &f); n++)
		if ((good = field_unescape(f, &b, &t) && t.s))
			add_object(w, t, stat);
	if (good) {
		buf_puts(&w->text, "PROGRAM: ");
		put_name(w, path, NAME_WITHIN);
		buf_printf(&w->text, " %" PRIu64, n);
		xprof_end_line(w);
		put_stated(w, &stated, stat, STATED_OF_MORE);
	}
	while (good && fields_next(&refs, &f)) {
		field_unescape(f, &b, &t);
		buf_puts(&w->text, "OBJREF: ");
		put_name(w, t, NAME_ENDS_LINE);
		xprof_end_line(w);
	}
	buf_free(&b);
	return good ? 0 : xprof_malformed(w, r->col[0].t);
}

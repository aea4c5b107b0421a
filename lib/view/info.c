/* SPDX-License-Identifier: ISC */
#include "view/info.h"

#include <stdlib.h>

#include "stream/name_index.h"
#include "stream/part.h"
#include "util/mem.h"
#include "util/printable.h"
#include "view/page.h"

/* Metadata whose values are listed once each; label NULL: as the key. */
static const struct { const char *fact, *label; } facts[] = {
	{ "format", "format" }, { "creator", "creator" }, { "cmd", "command" },
	{ "thread", "threads" }, { "pid", "processes" }, { "filter", "filter" },
	{ "estimate", "estimated" }, { "hostname", "host" }, { "os release", "system" },
	{ "arch", "architecture" }, { "cpus", "processors" }, { "cpu model", "processor" },
	{ "memory", "memory" }, { "sampling", "sampling" }, { "duration", "duration" },
	{ "lost", "lost" }, { "throttled", NULL }, { "truncated stacks", NULL },
	{ "full stacks", NULL }, { "full branch stacks", NULL }, { "undelivered stacks", NULL },
	{ "lost stacks", NULL }, { "failed stacks", NULL }, { "damaged stacks", NULL },
	{ "unknown registers", NULL }, { "samples of unknown events", NULL },
	{ "samples without period", NULL }, { "fallen values", NULL }, { "late records", NULL },
	{ "samples of late events", NULL },
};
#define FACTS_LISTED (sizeof facts / sizeof *facts)
#define VALUES_LISTED 8		/* for each key */

/* Different texts in order. */
struct list {
	struct name_index known;
	struct text *v;
	size_t n, cap;
};

struct info {
	struct part_sink parts;
	const struct dict *dict;
	struct diag *diag;
	struct list fact[FACTS_LISTED], label;
	struct list event;	/* their names, with units */
	struct sum {
		num n;
		struct num_extent parts;
		bool known;
		/* Of parts whose first event it is: self costs, and those of functions without
		 * names. */
		num costs, unnamed;
		struct num_extent extent;	/* of the costs */
	} *sum;			/* by event, of all parts */
	size_t capsum, first;	/* first: the part's first event */
	uint64_t records[REC_DECLARED + 1];
	num skipped;		/* lines */
	bool lines, addrs;	/* costs or frames have some */
	bool some;		/* the part has some self cost */
};

/* ---- lists ---- */

static size_t
list_add(struct list *l, struct text t)
{
	const size_t at = name_index_add(&l->known, t, l->n);

	if (at != l->n)
		return at;
	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct text){ mem_copy(t.n ? t.s : "", t.n), t.n };
	return at;
}

static void
list_free(struct list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free((char *)l->v[i].s);
	free(l->v);
	name_index_free(&l->known);
}

/* ---- records ---- */

static int
too_large(struct info *i)
{
	return diag_fail_plain(i->diag, "a sum does not fit 128 bits");
}

/* Adds "cpu (ns)". */
static void
name_event(struct buf *b, const struct record *event)
{
	const uint64_t scale = event_scale(event);

	buf_text(b, event->col[EVENT_NAME].t);
	if (scale == 1 && !event->col[EVENT_UNIT].t.n)
		return;
	buf_puts(b, " (");
	if (scale != 1)
		buf_printf(b, "1/%llu ", (unsigned long long)scale);
	buf_text(b, event->col[EVENT_UNIT].t);
	b->n -= b->s[b->n - 1] == ' ';
	buf_putc(b, ')');
}

/* Returns the number of an event of the part among those of all parts. */
static size_t
find_event(struct info *i, const struct part *p, size_t column)
{
	struct buf name = { 0 };
	size_t at;

	name_event(&name, events_at(&p->events, column));
	at = list_add(&i->event, buf_as_text(&name));
	i->sum = mem_reach(i->sum, &i->capsum, at, sizeof *i->sum, 0);
	buf_free(&name);
	return at;
}

static int
begin_part(struct part_sink *s, const struct part *p)
{
	struct info *i = (struct info *)s;

	if (p->events.measured)
		i->first = find_event(i, p, 0);
	return 0;
}

/* Adds the totals of the part to those of all parts. */
static int
end_part(struct part_sink *s, const struct part *p)
{
	struct info *i = (struct info *)s;
	size_t k, at;
	num total;
	int ret = 0;

	for (k = 0; k < p->events.measured; k++) {
		at = find_event(i, p, k);
		i->sum[at].known |= i->some || total_stated(&p->total, k, &total);
		total_known(&p->total, k, &total);
		num_see(&i->sum[at].parts, total);
		if (!num_fits(&i->sum[at].parts) || num_add(&i->sum[at].n, total) < 0)
			ret = too_large(i);
	}
	i->some = false;
	return ret;
}

static int
put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	struct info *i = (struct info *)s;
	struct text rest = r->attrs, f;
	struct buf scratch = { 0 };
	int ret = 0;
	uint64_t n;
	size_t k;

	(void)p;
	if (meta_is(r, "skipped") && meta_count(r, &n) && num_add(&i->skipped, n) < 0)
		ret = too_large(i);
	for (k = 0; k < FACTS_LISTED && !meta_is(r, facts[k].fact); k++)
		;
	while (k < FACTS_LISTED && fields_next(&rest, &f)) {
		struct text value = { 0 };

		scratch.n = 0;
		if (field_unescape(f, &scratch, &value))
			list_add(&i->fact[k], value);
	}
	buf_free(&scratch);
	return ret;
}

/* Returns the function of a cost or of a point, or that of a stack's leaf. */
static uint32_t
function_of(const struct info *i, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);
	const uint64_t ctx = kind == REC_SAMPLE ? r->col[0].n :
	    kind == REC_POINT ? r->col[POINT_CTX].n : NO_ID;

	if (kind == REC_SAMPLE || ctx != NO_ID)
		return dict_frame(i->dict, (uint32_t)ctx)[CTX_FUNC];
	return (uint32_t)r->col[kind == REC_COST ? PLACE_FUNC : POINT_FUNC].n;
}

static int
put_cost(struct info *i, const struct record *r)
{
	struct text rest = r->values, v;
	struct sum *sum;
	num n = 0;

	i->some = true;
	if (total_add(&i->parts.part.total, r) < 0 || (values_next(&rest, &v) && !text_is(v, "-") &&
	    num_get_num(v.s, v.n, &n) < 0))
		return too_large(i);
	if (!i->parts.part.events.measured)
		return 0;
	sum = &i->sum[i->first];
	num_see(&sum->extent, n);
	if (!num_fits(&sum->extent) || num_add(&sum->costs, n) < 0)
		return too_large(i);
	if (!dict_func_name(i->dict, function_of(i, r)).s)
		sum->unnamed += n;	/* fits if all costs do in any order */
	return 0;
}

/* A point has the cost of the first event. */
static int
put_point(struct info *i, const struct record *r)
{
	struct record self = rec_copy_of(r);

	self.values = r->col[POINT_SELF].t;
	return self.values.s ? put_cost(i, &self) : 0;
}

static void
put_labels(struct info *i, struct text attrs)
{
	struct buf scratch = { 0 };
	struct text k, v;

	while (attrs.n && attr_next(&attrs, &scratch, &k, &v)) {
		list_add(&i->label, k);
		scratch.n = 0;
	}
	buf_free(&scratch);
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	struct info *i = (struct info *)s;
	const enum rec_kind kind = rec_kind(r);

	i->records[kind]++;
	if (kind == REC_COST) {
		i->lines |= r->col[PLACE_LINE].has != 0;
		i->addrs |= (r->col[PLACE_ADDR].has & HAS_N) != 0;
	} else if (kind == REC_SAMPLE) {
		put_labels(i, r->attrs);
	}
	return kind == REC_COST || kind == REC_SAMPLE ? put_cost(i, r) :
	    kind == REC_POINT ? put_point(i, r) : 0;
}

static int
put_definition(struct part_sink *s, const struct record *r)
{
	struct info *i = (struct info *)s;

	if (rec_kind(r) == REC_CTX) {
		i->lines |= r->col[1 + CTX_LINE].has != 0;
		i->addrs |= r->col[1 + CTX_ADDR].has != 0;
	}
	return 0;
}

static const struct part_methods methods = {
	.begin = begin_part, .meta = put_meta, .put = put_record, .define = put_definition,
	.end = end_part,
};

struct info *
info_new(const struct dict *dict, struct diag *d)
{
	struct info *i = mem_alloc(1, sizeof *i);

	part_sink_init(&i->parts, &methods, d, NULL);
	i->parts.sink.free = NULL;	/* info_free() frees it */
	i->dict = dict;
	i->diag = d;
	return i;
}

void
info_free(struct info *i)
{
	size_t k;

	for (k = 0; k < FACTS_LISTED; k++)
		list_free(&i->fact[k]);
	list_free(&i->label);
	list_free(&i->event);
	free(i->sum);
	part_sink_clear(&i->parts);
	free(i);
}

struct sink *
info_sink(struct info *i)
{
	return &i->parts.sink;
}

/* ---- the facts ---- */

#define VALUES (VALUES_LISTED + 1)	/* the most that a fact has */

/* A fact under construction, and its taker. */
struct fact_maker {
	struct info_fact fact;
	struct info_value value[VALUES];
	info_put *put;
	void *arg;
};

static void
put_fact(struct fact_maker *m, const char *name)
{
	m->fact.name = name;
	m->fact.value = m->value;
	m->put(m->arg, &m->fact);
	m->fact.n = 0;
}

static void
add_text(struct fact_maker *m, const char *before, struct text t)
{
	m->value[m->fact.n++] = (struct info_value){ .before = before, .kind = INFO_TEXT,
	    .text = t };
}

static void
add_number(struct fact_maker *m, const char *key, const char *before, num n,
    const char *after)
{
	m->value[m->fact.n++] = (struct info_value){ key, before, after, INFO_NUMBER, .n = n };
}

static void
put_list(struct fact_maker *m, const char *name, const struct list *l)
{
	size_t k;

	for (k = 0; k < l->n && k < VALUES_LISTED; k++)
		add_text(m, k ? ", " : NULL, l->v[k]);
	if (k < l->n)
		add_number(m, "count", ", … ", (num)l->n, " in all");
	put_fact(m, name);
}

static void
put_events(const struct info *i, struct fact_maker *m)
{
	size_t k;

	for (k = 0; k < i->event.n; k++) {
		add_text(m, NULL, i->event.v[k]);
		if (i->sum[k].known)
			add_number(m, "total", ", ", i->sum[k].n, NULL);
		if (i->sum[k].unnamed)
			m->value[m->fact.n++] = (struct info_value){ "unnamed_percent", ", ",
			    " % in functions without a name", INFO_SHARE,
			    .n = i->sum[k].unnamed, .of = i->sum[k].costs };
		put_fact(m, "event");
	}
}

static void
put_records(const struct info *i, struct fact_maker *m)
{
	static const struct { enum rec_kind kind; const char *key, *one, *several; } kinds[] = {
		{ REC_COST, "costs", " cost", " costs" },
		{ REC_CALL, "calls", " call", " calls" },
		{ REC_JUMP, "jumps", " jump", " jumps" },
		{ REC_SAMPLE, "samples", " sample", " samples" },
		{ REC_POINT, "points", " point", " points" },
		{ REC_VPROF, "values_at_sites", " value at a site", " values at sites" },
	};
	size_t k;

	for (k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		const uint64_t n = i->records[kinds[k].kind];

		if (n)
			add_number(m, kinds[k].key, m->fact.n ? ", " : NULL, (num)n,
			    n == 1 ? kinds[k].one : kinds[k].several);
	}
	if (!m->fact.n)
		add_text(m, NULL, TEXT("none"));
	put_fact(m, "records");
}

static void
put_functions(const struct info *i, struct fact_maker *m)
{
	add_number(m, NULL, NULL, (num)dict_count(i->dict, REC_FUNC), NULL);
	put_fact(m, "functions");
}

static void
put_places(const struct info *i, struct fact_maker *m)
{
	if (i->lines)
		add_text(m, NULL, TEXT("lines"));
	if (i->addrs)
		add_text(m, i->lines ? ", " : NULL, TEXT("addresses"));
	if (!m->fact.n)
		add_text(m, NULL, TEXT("functions only"));
	put_fact(m, "places");
}

void
info_put_skipped(num lines, info_put *put, void *arg)
{
	struct info_value v = { .kind = INFO_NUMBER, .n = lines, .after = lines == 1 ?
	    " malformed or truncated line" : " malformed or truncated lines" };

	if (lines)
		put(arg, &(struct info_fact){ "skipped", &v, 1 });
}

void
info_each(const struct info *i, info_put *put, void *arg)
{
	struct fact_maker m = { .put = put, .arg = arg };
	size_t k;

	for (k = 0; k < FACTS_LISTED; k++)
		if (i->fact[k].n)
			put_list(&m, facts[k].label ? facts[k].label : facts[k].fact,
			    &i->fact[k]);
	info_put_skipped(i->skipped, put, arg);
	add_number(&m, NULL, NULL, (num)i->parts.part.number, NULL);
	put_fact(&m, "parts");
	put_events(i, &m);
	put_records(i, &m);
	put_functions(i, &m);
	put_places(i, &m);
	if (i->label.n)
		put_list(&m, "labels", &i->label);
}

/* ---- the lines ---- */

void
info_fact_add(struct buf *b, const struct info_fact *f)
{
	const struct info_value *v;

	for (v = f->value; v < f->value + f->n; v++) {
		buf_puts(b, v->before ? v->before : "");
		if (v->kind == INFO_TEXT)
			printable_add(b, v->text);
		else if (v->kind == INFO_NUMBER)
			num_add_grouped(b, v->n);
		else
			num_add_percent(b, v->n, v->of);
		buf_puts(b, v->after ? v->after : "");
	}
}

static void
put_line(void *page, const struct info_fact *f)
{
	struct page *p = page;

	buf_printf(&p->line, "%s: ", f->name);
	info_fact_add(&p->line, f);
	page_flush(p);
}

void
info_print(const struct info *i, struct output *out, size_t width)
{
	struct page p = { .out = out, .width = width };

	info_each(i, put_line, &p);
	buf_free(&p.line);
}

/* SPDX-License-Identifier: ISC */
/*
 * Reading xprof_text(4).  Its page wraps what it shows, with a backslash and
 * without, so lines are put together to statements first; then a keyword or a
 * number says what a statement is.  What must follow is told by counts: they
 * are checked, and nothing is allocated by them.
 */
#include "xprof.h"

#include <inttypes.h>
#include <stdlib.h>

#include "mem.h"
#include "num.h"
#include "table.h"

/* How many are told to come, and how many came. */
struct due { uint64_t told, found; };

struct reader {
	struct decode *d;

	/* lines of a statement that is not complete yet */
	struct buf text;
	uint64_t line;		/* where it begins */
	bool joined;		/* without a backslash */
	bool more;		/* the last one ends with a backslash */

	bool any_part, in_part, at_end;
	uint64_t skipped;	/* when the part began */
	struct due objects, programs, names;
	struct table name;	/* of VP_PROC, strings of the dictionary */
	struct table seen;	/* kind and number of definitions */
	struct table path;	/* of object files: the max and sum of its counters */

	bool in_object;
	uint32_t object;
	struct buf fact;	/* of the object or the program */
	struct text object_path;
	uint64_t values;	/* of a value profile record */
	struct due procs;
	struct xprof_says object_says;
	num object_stat[XPROF_STATS];

	bool in_proc;
	uint32_t func;
	struct due counters, sites;
	uint64_t records;	/* of values */
	unsigned __int128 lines_told;	/* records of so many values each */
	uint64_t lines;
	struct xprof_says proc_says;
	struct table id, site;
	num stat[XPROF_STATS];

	bool in_program;
	struct due refs;
	struct xprof_says program_says;
	struct buf ref;		/* escaped, a TAB before each */
	num program_stat[XPROF_STATS];

	struct buf scratch;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)
#define QUOTE(t) diag_quote((t).s, (t).n)

static struct text
trim(struct text t)
{
	while (t.n && xprof_blank(t.s[t.n - 1]))
		t.n--;
	while (t.n && xprof_blank(*t.s))
		t.s++, t.n--;
	return t;
}

/* Takes the first word off. */
static struct text
first_word(struct text *rest)
{
	struct text word = { rest->s, 0 };

	while (word.n < rest->n && !xprof_blank(word.s[word.n]))
		word.n++;
	*rest = trim((struct text){ rest->s + word.n, rest->n - word.n });
	return word;
}

/* The last one: names, which may have blanks, stand before numbers. */
static struct text
last_word(struct text *rest)
{
	size_t n = 0;
	struct text word;

	while (n < rest->n && !xprof_blank(rest->s[rest->n - n - 1]))
		n++;
	word = (struct text){ rest->s + rest->n - n, n };
	*rest = trim((struct text){ rest->s, rest->n - n });
	return word;
}

static size_t
count_words(struct text t)
{
	size_t n = 0;

	for (t = trim(t); t.n; n++)
		first_word(&t);
	return n;
}

/* An error that --lenient says and goes on after, with the same line. */
static int
tolerate(struct reader *rd, int bad)
{
	return decode_line_done(rd->d, bad) < 0 ? LINE_FATAL : LINE_OK;
}

/* ---- numbers ---- */

struct number {
	const char *name;
	uint64_t most;		/* 0: a signature */
};

static int
number(struct reader *rd, const struct number *what, struct text t, uint64_t *out)
{
	size_t digits = 0;

	if (what->most ? xprof_number(t, what->most, out) : xprof_signature(t, out))
		return LINE_OK;
	while (digits < t.n && t.s[digits] >= '0' && t.s[digits] <= '9')
		digits++;
	if (what->most && t.n && digits == t.n)
		return BAD("%s: %s does not fit %d bits", what->name, QUOTE(t),
		    what->most == UINT32_MAX ? 32 : 64);
	return BAD("%s: expected a %snumber, found %s", what->name,
	    what->most ? "" : "hexadecimal ", QUOTE(t));
}

/* The last n words of a statement; what stands before them is its name. */
static int
numbers(struct reader *rd, const struct number *what, size_t n, struct text *t,
    uint64_t *out)
{
	int ret;

	while (n--)
		if ((ret = number(rd, &what[n], last_word(t), &out[n])))
			return ret;
	return LINE_OK;
}

/* ---- records ---- */

/* A fact whose values are in rd->fact. */
static int
put_fact(struct reader *rd, const char *key)
{
	struct record r = rec_make(REC_META);

	r.col[0].t = text_of(key);
	r.attrs = buf_as_text(&rd->fact);
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

static void
add_says(struct reader *rd, const struct xprof_says *s)
{
	size_t was;

	buf_putc(&rd->fact, '\t');
	was = rd->fact.n;
	xprof_says_add(&rd->fact, s);
	buf_puts(&rd->fact, rd->fact.n == was ? "-" : "");
}

static int
put_number(struct reader *rd, const char *key, uint64_t v)
{
	char tmp[NUM_TEXT];

	return meta_put(rd->d->out, key, (struct text){ tmp,
	    (size_t)(num_put_u64(tmp, v) - tmp) }) < 0 ? LINE_FATAL : LINE_OK;
}

static int
begin_part(struct reader *rd, struct text version)
{
	struct decode *d = rd->d;
	struct record r = rec_make(REC_PART), event = rec_make(REC_EVENT);
	char run[24];

	rd->any_part = rd->in_part = true;
	rd->skipped = d->skipped;
	r.col[0].t = (struct text){ run, (size_t)(num_put_u64(run, ++d->runs) - run) };
	event.col[EVENT_ID].n = 0;
	event.col[EVENT_NAME].t = TEXT(XPROF_EVENT);
	event.attrs = TEXT("calls=absent");
	return sink_put(d->out, &r) < 0 ||
	    meta_put(d->out, "format", TEXT("xprof")) < 0 ||
	    meta_put(d->out, "xprof.version", version) < 0 ||
	    sink_put(d->out, &event) < 0 ? LINE_FATAL : LINE_OK;
}

/* A cost of the procedure; `value` of NULL is 0. */
static int
put_cost(struct reader *rd, const uint64_t *id, const uint64_t *value)
{
	struct record r = rec_make(REC_COST);
	char tmp[NUM_TEXT];

	r.col[PLACE_FUNC].n = rd->func;
	if (id) {
		r.col[PLACE_ADDR].has = HAS_M;
		r.col[PLACE_ADDR].m = *id;
	}
	if (value)
		r.values = (struct text){ tmp, (size_t)(num_put_u64(tmp, *value) - tmp) };
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

/* Was this definition met in this part already?  Then a warning has said so. */
static void
see(struct reader *rd, enum rec_kind kind, uint32_t id, struct text name)
{
	uint64_t key[2] = { kind, id };
	size_t n = rd->seen.n;

	if (table_row(&rd->seen, key) < n)
		diag_say(rd->d->diag, DIAG_WARN, "%s %s is there twice: taken for one",
		    kind == REC_OBJECT ? "object file" : "procedure", QUOTE(name));
}

/* ---- what is complete ---- */

/* Fewer came than were told: at the end of the file it was cut. */
static int
check_due(struct reader *rd, struct due *due, struct text of, const char *what)
{
	const char *of_s = of.s ? QUOTE(of) : "the file";
	uint64_t found = due->found;

	if (found >= due->told || rd->d->cut)
		return LINE_OK;
	due->found = due->told;		/* say it once */
	if (rd->at_end)
		return decode_cut(rd->d, "the profile is cut: %s has %" PRIu64 " of %"
		    PRIu64 " %s", of_s, found, due->told, what) < 0 ?
		    LINE_FATAL : LINE_OK;
	return tolerate(rd, BAD("%s has %" PRIu64 " of %" PRIu64 " %s before this",
	    of_s, found, due->told, what));
}

/* One more: too many are an error, too. */
static int
check_more(struct reader *rd, struct due *due, struct text of, const char *what)
{
	const char *of_s = of.s ? QUOTE(of) : "the file";

	return due->found++ < due->told ? LINE_OK :
	    BAD("%s has more than the %" PRIu64 " %s it tells", of_s, due->told, what);
}

/* Statistics say nothing that cannot be counted; if they do, that is kept. */
static void
check_says(struct reader *rd, struct xprof_says *s, const num *stat,
    const char *what, struct text name)
{
	char counted[NUM_TEXT];
	unsigned i;

	for (i = 0; i < s->n; i++) {
		struct xprof_stat *st = &s->stat[i];

		st->told = stat[st->what] != st->value && !rd->d->cut &&
		    rd->d->skipped == rd->skipped;
		if (!st->told)
			continue;
		*num_put_num(counted, stat[st->what]) = '\0';
		diag_say(rd->d->diag, DIAG_WARN, "%s %s: the %s of the counters is %s, "
		    "and the file says %" PRIu64, what, QUOTE(name),
		    xprof_stat_name[st->what], counted, st->value);
	}
}

static void
add_stat(num stat[XPROF_STATS], num max, num sum)
{
	if (max > stat[XPROF_MAX])
		stat[XPROF_MAX] = max;
	stat[XPROF_SUM] += sum;	/* 2^63 lines would be needed to overflow */
}

static struct text
proc_name(struct reader *rd)
{
	return dict_func_name(rd->d->dict, rd->func);
}

static int
end_proc(struct reader *rd)
{
	struct record r = rec_make(REC_RAW);
	struct text name;
	int ret;

	if (!rd->in_proc)
		return LINE_OK;
	rd->in_proc = false;
	name = proc_name(rd);
	if ((ret = check_due(rd, &rd->counters, name, "counters")))
		return ret;
	if (rd->lines < rd->lines_told) {
		struct due due = { rd->lines_told > UINT64_MAX ? UINT64_MAX :
		    (uint64_t)rd->lines_told, rd->lines };

		if ((ret = check_due(rd, &due, name, "lines of values")))
			return ret;
	}
	add_stat(rd->object_stat, rd->stat[XPROF_MAX], rd->stat[XPROF_SUM]);
	check_says(rd, &rd->proc_says, rd->stat, "procedure", name);
	rd->proc_says.count[XPROF_SITES].value = rd->sites.told;
	rd->proc_says.count[XPROF_SITES].told = rd->sites.told != rd->site.n;
	rd->proc_says.count[XPROF_RECORDS].value = rd->records;
	rd->proc_says.count[XPROF_RECORDS].told = rd->records && !rd->values;
	rd->scratch.n = 0;
	xprof_says_add(&rd->scratch, &rd->proc_says);
	r.col[0].n = rd->func;
	r.col[1].t = buf_as_text(&rd->scratch);
	return rd->scratch.n && sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

static int
end_object(struct reader *rd)
{
	uint64_t key;
	int ret;

	if ((ret = end_proc(rd)) || !rd->in_object)
		return ret;
	rd->in_object = false;
	if ((ret = check_due(rd, &rd->procs, rd->object_path, "procedures")))
		return ret;
	key = dict_str(rd->d->dict, rd->object_path);
	add_stat(table_val(&rd->path, table_row(&rd->path, &key)),
	    rd->object_stat[XPROF_MAX], rd->object_stat[XPROF_SUM]);
	check_says(rd, &rd->object_says, rd->object_stat, "object file",
	    rd->object_path);
	add_says(rd, &rd->object_says);
	return put_fact(rd, "xprof.objfile");
}

static int
end_program(struct reader *rd)
{
	struct text path;
	int ret;

	if (!rd->in_program)
		return LINE_OK;
	rd->in_program = false;
	path = buf_as_text(&rd->fact);	/* as it is spelt in the stream */
	if ((ret = check_due(rd, &rd->refs, path, "object files")))
		return ret;
	check_says(rd, &rd->program_says, rd->program_stat, "program", path);
	add_says(rd, &rd->program_says);
	buf_text(&rd->fact, buf_as_text(&rd->ref));
	return put_fact(rd, "xprof.program");
}

static int
end_part(struct reader *rd)
{
	const struct text file = { 0 };
	int ret;

	if (!rd->in_part)
		return LINE_OK;
	if ((ret = end_object(rd)) || (ret = end_program(rd)) ||
	    (ret = check_due(rd, &rd->objects, file, "object files")) ||
	    (ret = check_due(rd, &rd->programs, file, "programs")))
		return ret;
	rd->in_part = false;
	if (rd->names.told == rd->name.n || rd->d->cut)
		return LINE_OK;
	diag_say(rd->d->diag, DIAG_WARN, "there are %zu names of procedures among the "
	    "values, and the file says %" PRIu64, rd->name.n, rd->names.told);
	return put_number(rd, "xprof.n_proc_names", rd->names.told);
}

static void
clear(struct table *t, size_t nkey, size_t nval)
{
	table_free(t);
	table_init(t, nkey, nval);
}

/*
 * ---- statements ----
 *
 * enter_X(): one begins, whatever is wrong with the rest of its line.  What was
 * before it is complete, and what follows does not belong to that.
 */

static int
enter_header(struct reader *rd)
{
	return end_part(rd);	/* cat(1) puts one behind another */
}

/* VERSION n_objfiles n_programs n_proc_names */
static int
s_header(struct reader *rd, struct text word, struct text rest)
{
	static const struct number what[] = {
		{ "n_objfiles", UINT64_MAX }, { "n_programs", UINT64_MAX },
		{ "n_proc_names", UINT64_MAX },
	};
	struct text version = first_word(&rest);
	uint64_t n[3];
	int ret;

	(void)word;
	if (!xprof_knows(version)) {
		diag_fail(rd->d->diag, "xprof_text version %s: the versions known are "
		    "3.1 to " XPROF_VERSION, QUOTE(version));
		return LINE_FATAL;
	}
	if ((ret = numbers(rd, what, 3, &rest, n)))
		return ret;
	if (rest.n)
		return BAD("expected three numbers behind the version, found %s",
		    QUOTE(rest));
	rd->objects = (struct due){ n[0], 0 };
	rd->programs = (struct due){ n[1], 0 };
	rd->names = (struct due){ n[2], 0 };
	clear(&rd->name, 1, 0);
	clear(&rd->seen, 2, 0);
	clear(&rd->path, 1, XPROF_STATS);
	return begin_part(rd, version);
}

static int
enter_object(struct reader *rd)
{
	int ret = end_object(rd);

	if (ret)
		return ret;
	if (rd->programs.found)
		return BAD("an object file behind a program");
	return check_more(rd, &rd->objects, (struct text){ 0 }, "object files");
}

/* PATH n_procs tv_sec tv_usec n_values_per_vp SIGNATURE */
static int
s_object(struct reader *rd, struct text word, struct text rest)
{
	static const struct number what[] = {
		{ "n_procs", UINT64_MAX }, { "tv_sec", UINT32_MAX },
		{ "tv_usec", UINT32_MAX }, { "n_values_per_vp", UINT64_MAX },
		{ "signature", 0 },
	};
	enum { PROCS, SEC, USEC, VALUES, SIGNATURE };
	struct decode *d = rd->d;
	uint32_t cols[DEF_COLS];
	uint64_t n[5];
	int ret;

	(void)word;
	if ((ret = numbers(rd, what, 5, &rest, n)))
		return ret;
	xprof_object(d->dict, rest, n[SIGNATURE], n[SEC], n[USEC], cols);
	if (dict_put(d->dict, d->out, REC_OBJECT, cols, &rd->object) < 0)
		return LINE_FATAL;
	rd->object_path = dict_text(d->dict, cols[OBJECT_PATH]);
	see(rd, REC_OBJECT, rd->object, rest);
	rd->in_object = true;
	memset(rd->object_stat, 0, sizeof rd->object_stat);
	rd->values = n[VALUES];
	rd->procs = (struct due){ n[PROCS], 0 };
	rd->object_says = (struct xprof_says){ 0 };
	rd->fact.n = 0;
	field_escape(&rd->fact, rest);
	buf_printf(&rd->fact, "\t0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
	    n[SIGNATURE], n[SEC], n[USEC], n[VALUES]);
	return LINE_OK;
}

static int
define_func(struct reader *rd, struct text name, uint64_t signature, uint64_t id)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, rd->object, NO_ID, NO_ID };
	struct decode *d = rd->d;
	char tmp[FIELD_TEXT];

	cols[FUNC_NAME] = dict_str(d->dict, name);
	cols[FUNC_KEY] = dict_str(d->dict, (struct text){ tmp,
	    (size_t)(num_put_hex(tmp, signature) - tmp) });
	rd->scratch.n = 0;
	buf_printf(&rd->scratch, "xprof.id=%" PRIu64, id);
	cols[FUNC_ATTRS] = dict_str(d->dict, buf_as_text(&rd->scratch));
	if (dict_put(d->dict, d->out, REC_FUNC, cols, &rd->func) < 0)
		return LINE_FATAL;
	see(rd, REC_FUNC, rd->func, name);
	return LINE_OK;
}

static int
enter_proc(struct reader *rd)
{
	int ret = end_proc(rd);

	if (ret)
		return ret;
	return rd->in_object ? check_more(rd, &rd->procs, rd->object_path, "procedures") :
	    BAD("a procedure outside an object file");
}

/* NAME SIGNATURE n_counters n_vp_sites n_vp_records ID */
static int
s_proc(struct reader *rd, struct text word, struct text rest)
{
	static const struct number what[] = {
		{ "signature", 0 }, { "n_counters", UINT64_MAX },
		{ "n_vp_sites", UINT64_MAX }, { "n_vp_records", UINT64_MAX },
		{ "id", UINT32_MAX },
	};
	enum { SIGNATURE, COUNTERS, SITES, RECORDS, ID };
	uint64_t n[5];
	int ret;

	(void)word;
	if ((ret = numbers(rd, what, 5, &rest, n)) ||
	    (ret = define_func(rd, rest, n[SIGNATURE], n[ID])))
		return ret;
	rd->in_proc = true;
	rd->counters = (struct due){ n[COUNTERS], 0 };
	rd->sites = (struct due){ n[SITES], 0 };
	rd->records = n[RECORDS];
	rd->lines_told = (unsigned __int128)rd->records * rd->values;
	rd->lines = 0;
	rd->proc_says = (struct xprof_says){ 0 };
	memset(rd->stat, 0, sizeof rd->stat);
	clear(&rd->id, 1, 0);
	clear(&rd->site, 1, 0);
	/* One that was not executed has no counters: that is a count, too. */
	return n[COUNTERS] ? LINE_OK : put_cost(rd, NULL, NULL);
}

static int
enter_counter(struct reader *rd)
{
	if (!rd->in_proc)
		return BAD("a counter outside a procedure");
	if (rd->lines)
		return BAD("a counter behind lines of values");
	return check_more(rd, &rd->counters, proc_name(rd), "counters");
}

/* ID VALUE */
static int
s_counter(struct reader *rd, struct text word, struct text rest)
{
	static const struct number id_is = { "counter", UINT32_MAX };
	struct number value_is = { NULL, UINT64_MAX };
	char name[32] = "counter ";
	uint64_t id, value;
	size_t n;
	int ret;

	if ((ret = number(rd, &id_is, word, &id)))
		return ret;
	*num_put_u64(name + 8, id) = '\0';
	value_is.name = name;
	if ((ret = number(rd, &value_is, rest, &value)))
		return ret;
	n = rd->id.n;
	if (table_row(&rd->id, &id) < n)
		diag_say(rd->d->diag, DIAG_WARN, "procedure %s has counter %" PRIu64
		    " twice: they are added", QUOTE(proc_name(rd)), id);
	add_stat(rd->stat, value, value);
	return put_cost(rd, &id, &value);
}

/* The statistics of what is at hand, where only they may stand. */
static struct xprof_says *
says_at_hand(struct reader *rd)
{
	if (rd->in_program)
		return rd->refs.found ? NULL : &rd->program_says;
	if (rd->in_proc)
		return rd->counters.found || rd->lines ? NULL : &rd->proc_says;
	return rd->in_object && !rd->procs.found ? &rd->object_says : NULL;
}

/* max or sum VALUE */
static int
s_stat(struct reader *rd, struct text word, struct text rest)
{
	struct xprof_says *s = says_at_hand(rd);
	struct number value_is = { NULL, UINT64_MAX };
	uint64_t value;
	unsigned what, i;
	int ret;

	for (what = 0; !text_is(word, xprof_stat_name[what]); what++)
		;
	value_is.name = xprof_stat_name[what];
	if (!s)
		return BAD("'%s' belongs behind the first line of a procedure, an object "
		    "file or a program", value_is.name);
	if ((ret = number(rd, &value_is, rest, &value)))
		return ret;
	for (i = 0; i < s->n; i++)
		if (s->stat[i].what == what)
			return BAD("'%s' is there twice", value_is.name);
	s->stat[s->n++] = (struct xprof_stat){ what, true, value };
	return LINE_OK;
}

static int
enter_value(struct reader *rd)
{
	int ret;

	if (!rd->in_proc)
		return BAD("a value outside a procedure");
	if ((ret = check_due(rd, &rd->counters, proc_name(rd), "counters")))
		return ret;
	return rd->lines++ < rd->lines_told ? LINE_OK :
	    BAD("%s has more lines of values than its %" PRIu64 " records of %" PRIu64,
	    QUOTE(proc_name(rd)), rd->records, rd->values);
}

/* VP_TYPE SITE COUNT [VALUE] */
static int
s_value(struct reader *rd, struct text word, struct text rest)
{
	static const struct number site_is = { "site", UINT32_MAX },
	    count_is = { "count", UINT64_MAX };
	const struct text type = { word.s + 3, word.n - 3 };
	struct record r = rec_make(REC_VPROF);
	uint64_t site, count, key;
	char text[2][NUM_TEXT];
	int ret;

	if (!type.n)
		return BAD("expected a type behind 'VP_'");
	if ((ret = number(rd, &site_is, first_word(&rest), &site)) ||
	    (ret = number(rd, &count_is, first_word(&rest), &count)))
		return ret;
	if (rest.n && !xprof_is_value(type, rest))
		return BAD("%s is no value of the type VP_%.*s", QUOTE(rest),
		    (int)(type.n < 40 ? type.n : 40), type.s);
	table_row(&rd->site, &site);
	if (rest.n && text_is(type, "PROC")) {
		key = dict_str(rd->d->dict, rest);
		table_row(&rd->name, &key);
	}
	r.col[VPROF_FUNC].n = rd->func;
	r.col[VPROF_SITE].t = (struct text){ text[0],
	    (size_t)(num_put_u64(text[0], site) - text[0]) };
	r.col[VPROF_TYPE].t = type;
	r.col[VPROF_COUNT].t = (struct text){ text[1],
	    (size_t)(num_put_u64(text[1], count) - text[1]) };
	r.col[VPROF_VALUE].t = rest.n ? rest : (struct text){ 0 };
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

static int
enter_program(struct reader *rd)
{
	const struct text file = { 0 };
	int ret;

	if ((ret = end_object(rd)) || (ret = end_program(rd)) ||
	    (!rd->programs.found &&
	    (ret = check_due(rd, &rd->objects, file, "object files"))))
		return ret;
	return check_more(rd, &rd->programs, file, "programs");
}

/* PATH n_objrefs */
static int
s_program(struct reader *rd, struct text word, struct text rest)
{
	static const struct number what = { "n_objrefs", UINT64_MAX };
	uint64_t n;
	int ret;

	(void)word;
	if ((ret = numbers(rd, &what, 1, &rest, &n)))
		return ret;
	rd->in_program = true;
	rd->refs = (struct due){ n, 0 };
	rd->program_says = (struct xprof_says){ 0 };
	memset(rd->program_stat, 0, sizeof rd->program_stat);
	rd->fact.n = rd->ref.n = 0;
	field_escape(&rd->fact, rest);
	return LINE_OK;
}

static int
enter_ref(struct reader *rd)
{
	return rd->in_program ? check_more(rd, &rd->refs, buf_as_text(&rd->fact),
	    "object files") : BAD("a reference to an object file outside a program");
}

/* PATH */
static int
s_ref(struct reader *rd, struct text word, struct text rest)
{
	uint64_t key = dict_str(rd->d->dict, rest);
	size_t n = rd->path.n, row;

	(void)word;
	if ((row = table_row(&rd->path, &key)) == n)
		diag_say(rd->d->diag, DIAG_WARN, "the file has no object file %s",
		    QUOTE(rest));
	add_stat(rd->program_stat, table_val(&rd->path, row)[XPROF_MAX],
	    table_val(&rd->path, row)[XPROF_SUM]);
	buf_putc(&rd->ref, '\t');
	field_escape(&rd->ref, rest);
	return LINE_OK;
}

static const struct statement {
	const char *key;
	enum { PREFIX, WORD, TYPE, COUNTER } kind;	/* how it begins */
	size_t words;		/* behind the key, where it is complete */
	int (*enter)(struct reader *);
	int (*read)(struct reader *, struct text word, struct text rest);
} statements[] = {
	{ XPROF_MAGIC, PREFIX, 4, enter_header, s_header },
	{ "OBJFILE:", PREFIX, 6, enter_object, s_object },
	{ "PROC:", PREFIX, 6, enter_proc, s_proc },
	{ "PROGRAM:", PREFIX, 2, enter_program, s_program },
	{ "OBJREF:", PREFIX, 1, enter_ref, s_ref },
	{ "max", WORD, 1, NULL, s_stat },
	{ "sum", WORD, 1, NULL, s_stat },
	{ "VP_", TYPE, 2, enter_value, s_value },
	{ "", COUNTER, 1, enter_counter, s_counter },
};

/* The statement that t begins with, its first word taken off; NULL. */
static const struct statement *
find_statement(struct text *t, struct text *word)
{
	struct text rest = *t;
	size_t i, n;

	*word = first_word(&rest);
	for (i = 0; i < sizeof statements / sizeof *statements; i++) {
		const struct statement *s = &statements[i];

		n = strlen(s->key);
		if (t->n < n || memcmp(t->s, s->key, n) != 0)
			continue;
		if ((s->kind == WORD && word->n != n) || (s->kind == COUNTER &&
		    !(word->n && *word->s >= '0' && *word->s <= '9')))
			continue;
		if (s->kind == PREFIX)	/* a blank need not follow */
			rest = trim((struct text){ t->s + n, t->n - n });
		*t = rest;
		return s;
	}
	return NULL;
}

/* ---- lines ---- */

static int
read_statement(struct reader *rd, struct text t)
{
	struct text rest = t, word;
	const struct statement *s = find_statement(&rest, &word);
	size_t n;
	int ret;

	if (!s)
		return BAD("expected a counter, 'PROC:', 'OBJFILE:' or the like, "
		    "found %s", QUOTE(t));
	if (!rd->in_part && s->read != s_header)
		return BAD("expected '" XPROF_MAGIC "', found %s", QUOTE(t));
	if (s->enter && (ret = s->enter(rd)))
		return ret;
	n = count_words(rest);
	/* A name before numbers has blanks only on a line that is whole. */
	if (n < s->words || (n > s->words && s->kind != TYPE && rd->joined))
		return BAD("expected %zu words behind %s, found %zu: %s", s->words,
		    s->kind == COUNTER ? "a number" : QUOTE(word), n, QUOTE(t));
	return s->read(rd, word, rest);
}

/* The statement that lines were put together for. */
static int
read_joined(struct reader *rd)
{
	struct diag *diag = rd->d->diag;
	uint64_t here = diag->line;
	int ret;

	diag->line = rd->line;
	buf_str(&rd->text);
	ret = tolerate(rd, read_statement(rd, buf_as_text(&rd->text)));
	diag->line = here;
	rd->text.n = 0;
	rd->joined = rd->more = false;
	return ret;
}

/* Are all its words there? */
static bool
is_complete(struct text t)
{
	struct text word;
	const struct statement *s = find_statement(&t, &word);

	return !s || count_words(t) >= s->words;
}

/* The backslash at the end, which says that the statement goes on, taken off. */
static bool
take_backslash(struct text *t)
{
	if (!t->n || t->s[t->n - 1] != '\\' || (t->n > 1 && !xprof_blank(t->s[t->n - 2])))
		return false;
	*t = trim((struct text){ t->s, t->n - 1 });
	return true;
}

static int
add_line(struct reader *rd, struct text t, bool more)
{
	if (!rd->text.n)
		rd->line = rd->d->diag->line;
	else
		buf_putc(&rd->text, ' ');
	buf_text(&rd->text, t);
	rd->more = more;
	return more || !is_complete(buf_as_text(&rd->text)) ? LINE_OK : read_joined(rd);
}

static int
read_line(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	struct text t = { p, (size_t)(end - p) };
	struct text rest, word;
	const struct statement *s;
	bool more;

	t = rest = trim(t);
	more = take_backslash(&t);
	if (!t.n && !(more && rd->text.n))
		return LINE_OK;
	s = find_statement(&rest, &word);
	if (rd->text.n && !rd->more && s && s->kind != COUNTER) {
		if (read_joined(rd) < 0)	/* it lacks something */
			return LINE_FATAL;
	} else if (rd->text.n) {
		rd->joined |= !rd->more;
		return add_line(rd, t, more);
	}
	return more || !is_complete(t) ? add_line(rd, t, more) : read_statement(rd, t);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;

	return decode_each_line(rd->d, p, end, read_line, rd);
}

static int
read_all(struct reader *rd)
{
	struct decode *d = rd->d;

	if (decode_lines(d, "profile", block, rd) < 0)
		return -1;
	rd->at_end = true;
	if (rd->text.n && !d->cut && decode_cut(d, "the profile is cut: its last line, "
	    "%s, goes on", diag_quote(rd->text.s, rd->text.n)) < 0)
		return -1;
	if (!rd->any_part && !d->cut)
		return decode_line_done(d, BAD("no '" XPROF_MAGIC "'"));
	return end_part(rd) ? -1 : 0;
}

int
xprof_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	struct table *tables[] = { &rd.name, &rd.seen, &rd.path, &rd.id, &rd.site };
	struct buf *bufs[] = { &rd.text, &rd.fact, &rd.ref, &rd.scratch };
	size_t i;
	int r = read_all(&rd);

	for (i = 0; i < sizeof tables / sizeof *tables; i++)
		table_free(tables[i]);
	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	return r;
}

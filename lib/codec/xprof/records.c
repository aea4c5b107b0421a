/* SPDX-License-Identifier: ISC */
/*
 * The records of statements.  Stated counts of following statements are checked, but never
 * used to allocate memory.
 */
#include "reader.h"

#include <inttypes.h>

#include "util/num.h"

/* ---- records ---- */

/* Puts metadata with the values in rd->fact. */
static int
put_fact(struct reader *rd, const char *key)
{
	struct record r = rec_make(REC_META);

	r.col[0].t = text_of(key);
	r.attrs = buf_as_text(&rd->fact);
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

static void
add_stated(struct reader *rd, const struct xprof_stated *s)
{
	size_t was;

	buf_putc(&rd->fact, '\t');
	was = rd->fact.n;
	xprof_stated_add(&rd->fact, s);
	buf_puts(&rd->fact, rd->fact.n == was ? "-" : "");
}

static int
begin_part(struct reader *rd, struct text version)
{
	struct decode *d = rd->d;

	rd->any_part = rd->in_part = true;
	rd->skipped = d->session->skipped;
	return decode_part(d, "xprof", (struct text){ 0 }) < 0 ||
	    meta_put(d->out, "xprof.version", version) < 0 ||
	    DECODE_EVENT(d, 0, .name = TEXT(XPROF_EVENT)) < 0 ? LINE_FATAL : LINE_OK;
}

/* Puts a cost of the procedure; 0 if `value` is NULL. */
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
		r.values = num_text_u64(tmp, *value);
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

/* Warns if a definition occurs twice in the part. */
static void
see(struct reader *rd, enum rec_kind kind, uint32_t id, struct text name)
{
	uint64_t key[2] = { kind, id };
	size_t n = rd->seen.n;

	if (sums_row(&rd->seen, key) < n)
		diag_say(rd->d->diag, DIAG_WARN, "%s %s appears twice: read as one",
		    kind == REC_OBJECT ? "object file" : "procedure", QUOTE(name));
}

/* ---- complete statements ---- */

/* Checks whether fewer came than stated: at the end of the file, it is truncated. */
static int
check_due(struct reader *rd, struct due *due, struct text of, const char *what)
{
	const char *of_s = of.s ? QUOTE(of) : "the file";
	uint64_t found = due->found;

	if (found >= due->stated || rd->d->cut)
		return LINE_OK;
	due->found = due->stated;	/* report it once */
	if (rd->at_end)
		return decode_cut(rd->d, "the profile is truncated: %s has %" PRIu64 " of %"
		    PRIu64 " %s", of_s, found, due->stated, what) < 0 ?
		    LINE_FATAL : LINE_OK;
	return tolerate(rd, BAD("%s has %" PRIu64 " of %" PRIu64 " %s before this",
	    of_s, found, due->stated, what));
}

/* Counts one more; too many are also an error. */
static int
check_more(struct reader *rd, struct due *due, struct text of, const char *what)
{
	const char *of_s = of.s ? QUOTE(of) : "the file";

	return due->found++ < due->stated ? LINE_OK :
	    BAD("%s has more than the %" PRIu64 " %s it declares", of_s, due->stated,
	    what);
}

/* Statistics can be computed: keeps them only if they differ from that. */
static void
check_stated(struct reader *rd, struct xprof_stated *s, const num *stat,
    const char *what, struct text name)
{
	char counted[NUM_TEXT];
	unsigned i;

	for (i = 0; i < s->n; i++) {
		struct xprof_stat *st = &s->stat[i];

		st->stated = stat[st->what] != st->value && !rd->d->cut &&
		    rd->d->session->skipped == rd->skipped;
		if (!st->stated)
			continue;
		*num_put_num(counted, stat[st->what]) = '\0';
		diag_say(rd->d->diag, DIAG_WARN, "%s %s: the %s of the counters is %s, "
		    "but the file says %" PRIu64, what, QUOTE(name),
		    xprof_stat_name[st->what], counted, st->value);
	}
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
	if (rd->lines < rd->lines_stated) {
		struct due due = { rd->lines_stated > UINT64_MAX ? UINT64_MAX :
		    (uint64_t)rd->lines_stated, rd->lines };

		if ((ret = check_due(rd, &due, name, "lines of values")))
			return ret;
	}
	xprof_add_stat(rd->object_stat, rd->stat[XPROF_MAX], rd->stat[XPROF_SUM]);
	check_stated(rd, &rd->proc_stated, rd->stat, "procedure", name);
	rd->proc_stated.count[XPROF_SITES].value = rd->sites.stated;
	rd->proc_stated.count[XPROF_SITES].stated = rd->sites.stated != rd->site.n;
	rd->proc_stated.count[XPROF_RECORDS].value = rd->records;
	rd->proc_stated.count[XPROF_RECORDS].stated = rd->records && !rd->values;
	rd->scratch.n = 0;
	xprof_stated_add(&rd->scratch, &rd->proc_stated);
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
	xprof_add_stat(sums_val(&rd->path, sums_row(&rd->path, &key)),
	    rd->object_stat[XPROF_MAX], rd->object_stat[XPROF_SUM]);
	check_stated(rd, &rd->object_stated, rd->object_stat, "object file",
	    rd->object_path);
	add_stated(rd, &rd->object_stated);
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
	path = buf_as_text(&rd->fact);	/* as written in the stream */
	if ((ret = check_due(rd, &rd->refs, path, "object files")))
		return ret;
	check_stated(rd, &rd->program_stated, rd->program_stat, "program", path);
	add_stated(rd, &rd->program_stated);
	buf_text(&rd->fact, buf_as_text(&rd->ref));
	return put_fact(rd, "xprof.program");
}

int
xr_end(struct reader *rd)
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
	if (rd->names.stated == rd->name.n || rd->d->cut)
		return LINE_OK;
	diag_say(rd->d->diag, DIAG_WARN, "the values have %zu names of procedures, but "
	    "the file says %" PRIu64, rd->name.n, rd->names.stated);
	return meta_put_num(rd->d->out, "xprof.n_proc_names", rd->names.stated) < 0 ?
	    LINE_FATAL : LINE_OK;
}

static void
clear(struct sums *t, size_t nkey, size_t nval)
{
	sums_free(t);
	sums_init(t, nkey, nval);
}

/* ---- statements ---- */

int
xr_enter_header(struct reader *rd)
{
	return xr_end(rd);	/* cat(1) joins files */
}

int
xr_header(struct reader *rd, struct text version, const uint64_t n[HEADER_NUMBERS])
{
	rd->objects = (struct due){ n[N_OBJFILES], 0 };
	rd->programs = (struct due){ n[N_PROGRAMS], 0 };
	rd->names = (struct due){ n[N_PROC_NAMES], 0 };
	clear(&rd->name, 1, 0);
	clear(&rd->seen, 2, 0);
	clear(&rd->path, 1, XPROF_STATS);
	return begin_part(rd, version);
}

int
xr_enter_object(struct reader *rd)
{
	int ret = end_object(rd);

	if (ret)
		return ret;
	if (rd->programs.found)
		return BAD("an object file after a program");
	return check_more(rd, &rd->objects, (struct text){ 0 }, "object files");
}

int
xr_object(struct reader *rd, struct text path, const uint64_t n[OBJECT_NUMBERS])
{
	struct decode *d = rd->d;
	const struct object_def o = xprof_object(d->dict, path, n[OBJECT_SIGNATURE],
	    n[TV_SEC], n[TV_USEC]);

	if (decode_object_def(d, &o, &rd->object) < 0)
		return LINE_FATAL;
	rd->object_path = dict_text(d->dict, o.path);
	see(rd, REC_OBJECT, rd->object, path);
	rd->in_object = true;
	memset(rd->object_stat, 0, sizeof rd->object_stat);
	rd->values = n[N_VALUES];
	rd->procs = (struct due){ n[N_PROCS], 0 };
	rd->object_stated = (struct xprof_stated){ 0 };
	rd->fact.n = 0;
	field_escape(&rd->fact, path);
	buf_printf(&rd->fact, "\t0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
	    n[OBJECT_SIGNATURE], n[TV_SEC], n[TV_USEC], n[N_VALUES]);
	return LINE_OK;
}

static int
define_func(struct reader *rd, struct text name, uint64_t signature, uint64_t id)
{
	struct func_def f = NO_FUNC;
	struct decode *d = rd->d;

	f.object = rd->object;
	f.name = dict_str(d->dict, name);
	f.key = dict_addr(d->dict, signature);
	rd->scratch.n = 0;
	buf_printf(&rd->scratch, "xprof.id=%" PRIu64, id);
	f.attrs = dict_str(d->dict, buf_as_text(&rd->scratch));
	if (decode_func(d, &f, &rd->func) < 0)
		return LINE_FATAL;
	see(rd, REC_FUNC, rd->func, name);
	return LINE_OK;
}

int
xr_enter_proc(struct reader *rd)
{
	int ret = end_proc(rd);

	if (ret)
		return ret;
	return rd->in_object ? check_more(rd, &rd->procs, rd->object_path, "procedures") :
	    BAD("a procedure outside an object file");
}

int
xr_proc(struct reader *rd, struct text name, const uint64_t n[PROC_NUMBERS])
{
	int ret = define_func(rd, name, n[PROC_SIGNATURE], n[PROC_ID]);

	if (ret)
		return ret;
	rd->in_proc = true;
	rd->counters = (struct due){ n[N_COUNTERS], 0 };
	rd->sites = (struct due){ n[N_SITES], 0 };
	rd->records = n[N_RECORDS];
	rd->lines_stated = (unsigned __int128)rd->records * rd->values;
	rd->lines = 0;
	rd->proc_stated = (struct xprof_stated){ 0 };
	memset(rd->stat, 0, sizeof rd->stat);
	clear(&rd->id, 1, 0);
	clear(&rd->site, 1, 0);
	/* A procedure without counters did not run: its cost is 0. */
	return n[N_COUNTERS] ? LINE_OK : put_cost(rd, NULL, NULL);
}

int
xr_enter_counter(struct reader *rd)
{
	if (!rd->in_proc)
		return BAD("a counter outside a procedure");
	if (rd->lines)
		return BAD("a counter after lines of values");
	return check_more(rd, &rd->counters, proc_name(rd), "counters");
}

int
xr_counter(struct reader *rd, uint64_t id, uint64_t value)
{
	size_t n = rd->id.n;

	if (sums_row(&rd->id, &id) < n)
		diag_say(rd->d->diag, DIAG_WARN, "procedure %s has counter %"
		    PRIu64 " twice: the counts are added", QUOTE(proc_name(rd)), id);
	xprof_add_stat(rd->stat, value, value);
	return put_cost(rd, &id, &value);
}

struct xprof_stated *
xr_stated(struct reader *rd)
{
	if (rd->in_program)
		return rd->refs.found ? NULL : &rd->program_stated;
	if (rd->in_proc)
		return rd->counters.found || rd->lines ? NULL : &rd->proc_stated;
	return rd->in_object && !rd->procs.found ? &rd->object_stated : NULL;
}

int
xr_enter_value(struct reader *rd)
{
	int ret;

	if (!rd->in_proc)
		return BAD("a value outside a procedure");
	if ((ret = check_due(rd, &rd->counters, proc_name(rd), "counters")))
		return ret;
	return rd->lines++ < rd->lines_stated ? LINE_OK :
	    BAD("%s has more lines of values than its %" PRIu64 " records of %" PRIu64,
	    QUOTE(proc_name(rd)), rd->records, rd->values);
}

int
xr_value(struct reader *rd, struct text type, uint64_t site, uint64_t count,
    struct text value)
{
	struct record r = rec_make(REC_VPROF);
	char text[2][NUM_TEXT];
	uint64_t key;

	sums_row(&rd->site, &site);
	if (value.s && text_is(type, "PROC")) {
		key = dict_str(rd->d->dict, value);
		sums_row(&rd->name, &key);
	}
	r.col[VPROF_FUNC].n = rd->func;
	r.col[VPROF_SITE].t = num_text_u64(text[0], site);
	r.col[VPROF_TYPE].t = type;
	r.col[VPROF_COUNT].t = num_text_u64(text[1], count);
	r.col[VPROF_VALUE].t = value;
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

int
xr_enter_program(struct reader *rd)
{
	const struct text file = { 0 };
	int ret;

	if ((ret = end_object(rd)) || (ret = end_program(rd)) ||
	    (!rd->programs.found &&
	    (ret = check_due(rd, &rd->objects, file, "object files"))))
		return ret;
	return check_more(rd, &rd->programs, file, "programs");
}

int
xr_program(struct reader *rd, struct text path, uint64_t refs)
{
	rd->in_program = true;
	rd->refs = (struct due){ refs, 0 };
	rd->program_stated = (struct xprof_stated){ 0 };
	memset(rd->program_stat, 0, sizeof rd->program_stat);
	rd->fact.n = rd->ref.n = 0;
	field_escape(&rd->fact, path);
	return LINE_OK;
}

int
xr_enter_ref(struct reader *rd)
{
	return rd->in_program ? check_more(rd, &rd->refs, buf_as_text(&rd->fact),
	    "object files") : BAD("a reference to an object file outside a program");
}

int
xr_ref(struct reader *rd, struct text path)
{
	uint64_t key = dict_str(rd->d->dict, path);
	size_t n = rd->path.n, row;

	if ((row = sums_row(&rd->path, &key)) == n)
		diag_say(rd->d->diag, DIAG_WARN, "the file has no object file %s",
		    QUOTE(path));
	xprof_add_stat(rd->program_stat, sums_val(&rd->path, row)[XPROF_MAX],
	    sums_val(&rd->path, row)[XPROF_SUM]);
	buf_putc(&rd->ref, '\t');
	field_escape(&rd->ref, path);
	return LINE_OK;
}

/* SPDX-License-Identifier: ISC */
/*
 * The difference of two merges is a third one: what either has, with events named by
 * their side, and partner functions joined.
 */
#include "sum/diff.h"

#include <stdlib.h>

#include "state.h"
#include "stream/loss.h"
#include "util/mem.h"

enum { OLD, NEW, SIDES };
enum { CHANGE, TRIPLE = 3 };	/* of an event: the change, old, new */

static const char *const side_name[SIDES] = { "old", "new" };

struct side {
	struct merge *m;
	const char *name;	/* of the file */
	struct group *g;	/* NULL: no part was there */
	uint32_t *path[2];	/* by file, by object: its path in the difference */
	uint32_t *func;		/* by canonical function: its name in the difference */
	uint32_t *ctx;
	size_t *event;		/* by its event: the first of three of the other's */
};

struct diff {
	const struct diff_how *how;
	struct merge *to;
	struct group *g;
	struct dict *dict;
	struct side side[SIDES];
	size_t calls;		/* the event calls.old; calls.new follows it */
	bool has_calls;
	num *total;		/* of each event: old, new */
	uint64_t sums;		/* of rows so far */
	struct loss loss;
};

static uint32_t
str(struct diff *d, struct text t)
{
	return dict_str(d->dict, t);
}

static const uint32_t *
defs_of(const struct side *s, enum rec_kind kind, size_t *n)
{
	*n = s->m->canon.defs[kind - REC_OBJECT].n;
	return s->m->canon.defs[kind - REC_OBJECT].used;
}

/*
 * Joins definitions of both sides that have no partner yet, if they share a key and
 * each is the only one of its side that has it.  The sums are the numbers of old and
 * new ones, and the last of each.
 */
struct join {
	struct sums t;
	size_t at;
};

static void
join_add(struct join *j, int side, const uint64_t *key, uint32_t id)
{
	num *sum = sums_val(&j->t, sums_row(&j->t, key));

	sum[side]++;
	sum[2 + side] = id;
}

static bool
join_next(struct join *j, uint32_t *old, uint32_t *new)
{
	while (j->at < j->t.n) {
		const num *sum = sums_val(&j->t, j->at++);

		if (sum[OLD] == 1 && sum[NEW] == 1) {
			*old = (uint32_t)sum[2 + OLD];
			*new = (uint32_t)sum[2 + NEW];
			return true;
		}
	}
	sums_free(&j->t);
	return false;
}

static uint32_t *
no_ids(size_t n)
{
	uint32_t *v = mem_alloc(n + 1, sizeof *v);

	memset(v, 0xff, (n + 1) * sizeof *v);
	return v;
}

/* ---- files and objects ---- */

/* libfoo.so.1.2 without its version. */
static struct text
stem(struct text path)
{
	struct text t = text_base_name(path);
	size_t i;

	for (i = (size_t)(t.s - path.s); i + 3 <= path.n; i++)
		if (memcmp(path.s + i, ".so", 3) == 0 &&
		    (i + 3 == path.n || path.s[i + 3] == '.'))
			return (struct text){ path.s, i + 3 };
	return path;
}

/* The last n components of a path; 0: all. */
static struct text
tail(struct text path, int n)
{
	size_t i = path.n;

	if (!n)
		return path;
	for (; i > 0; i--)
		if (path.s[i - 1] == '/' && --n == 0)
			break;
	return (struct text){ path.s + i, path.n - i };
}

/* Paths are partners if they are equal, or else if their last three, two or one
 * components are. */
static void
join_paths(struct diff *d, int k)
{
	static const int levels[] = { 0, 3, 2, 1 };
	enum rec_kind kind = k ? REC_OBJECT : REC_FILE;
	size_t count = dict_count(d->dict, kind), n, i, level;
	const uint32_t *v;
	uint32_t old, new;
	int side;

	for (side = OLD; side <= NEW; side++)
		d->side[side].path[k] = no_ids(count);
	v = defs_of(&d->side[NEW], kind, &n);
	for (i = 0; i < n; i++)
		d->side[NEW].path[k][v[i]] = v[i];
	v = defs_of(&d->side[OLD], kind, &n);
	for (i = 0; i < n; i++)
		d->side[OLD].path[k][v[i]] = d->side[NEW].path[k][v[i]];
	v = defs_of(&d->side[NEW], kind, &n);
	for (i = 0; i < n; i++)
		d->side[NEW].path[k][v[i]] = d->side[OLD].path[k][v[i]];
	for (level = 0; level < sizeof levels / sizeof *levels; level++) {
		struct join j = { .at = 0 };

		sums_init(&j.t, 1, 4);
		for (side = OLD; side <= NEW; side++) {
			v = defs_of(&d->side[side], kind, &n);
			for (i = 0; i < n; i++) {
				struct text path = k ? dict_object_path(d->dict, v[i]) :
				    dict_path(d->dict, v[i]);
				uint64_t key;

				if (d->side[side].path[k][v[i]] != NO_ID || !path.s)
					continue;
				if (k && level)
					path = stem(path);
				key = str(d, tail(path, levels[level]));
				join_add(&j, side, &key, v[i]);
			}
		}
		while (join_next(&j, &old, &new))
			d->side[OLD].path[k][old] = d->side[NEW].path[k][new] = new;
	}
	for (side = OLD; side <= NEW; side++) {
		v = defs_of(&d->side[side], kind, &n);
		for (i = 0; i < n; i++)
			if (d->side[side].path[k][v[i]] == NO_ID)
				d->side[side].path[k][v[i]] = v[i];
	}
}

/* k: 0 for a file, 1 for an object. */
static uint32_t
path_in_diff(const struct side *s, int k, uint64_t id)
{
	return id == NO_ID || s->path[k][id] == NO_ID ? (uint32_t)id : s->path[k][id];
}

/* ---- functions ---- */

/* What functions are joined by, from most to least. */
enum { BY_ALL, BY_STEMS, BY_FILE_NAME, BY_NAME, LEVELS };

static void
join_key(struct diff *d, const struct side *s, int level, uint32_t func,
    uint64_t key[3])
{
	const uint32_t *f = dict_def(d->dict, REC_FUNC, func);
	struct text file = dict_path(d->dict, path_in_diff(s, 0, f[FUNC_FILE]));
	struct text object = dict_object_path(d->dict,
	    path_in_diff(s, 1, f[FUNC_OBJECT]));

	key[0] = f[FUNC_NAME];
	key[1] = level == BY_ALL ? str(d, file) : level == BY_NAME || !file.s ? NO_ID :
	    str(d, text_base_name(file));
	key[2] = level == BY_ALL ? str(d, object) : level != BY_STEMS || !object.s ?
	    NO_ID : str(d, text_base_name(stem(object)));
}

/* A function's name in the difference: unchanged, but without the key, which builds do
 * not share; a function without a name keeps its key, since it has nothing else. */
static uint32_t
name_in_diff(struct diff *d, const struct side *s, uint32_t func)
{
	uint32_t cols[DEF_COLS];
	bool fresh;

	memset(cols, 0xff, sizeof cols);
	memcpy(cols, dict_def(d->dict, REC_FUNC, func), (FUNC_KEY + 1) * sizeof *cols);
	cols[FUNC_FILE] = path_in_diff(s, 0, cols[FUNC_FILE]);
	cols[FUNC_OBJECT] = path_in_diff(s, 1, cols[FUNC_OBJECT]);
	if (cols[FUNC_NAME] != NO_ID)
		cols[FUNC_KEY] = NO_ID;
	return dict_define(d->dict, REC_FUNC, cols, &fresh);
}

static void
join_level(struct diff *d, int level)
{
	struct join j = { .at = 0 };
	uint64_t key[3];
	uint32_t old, new;
	size_t i, n;
	int side;

	sums_init(&j.t, 3, 4);
	for (side = OLD; side <= NEW; side++) {
		const struct side *s = &d->side[side];
		const uint32_t *v = defs_of(s, REC_FUNC, &n);

		for (i = 0; i < n; i++) {
			if (s->func[v[i]] != NO_ID ||
			    dict_def(d->dict, REC_FUNC, v[i])[FUNC_NAME] == NO_ID)
				continue;
			join_key(d, s, level, v[i], key);
			join_add(&j, side, key, v[i]);
		}
	}
	while (join_next(&j, &old, &new))
		d->side[OLD].func[old] = d->side[NEW].func[new] =
		    name_in_diff(d, &d->side[NEW], new);
}

static void
join_funcs(struct diff *d)
{
	size_t count = dict_count(d->dict, REC_FUNC), n, i;
	int side, level;

	for (side = OLD; side <= NEW; side++)
		d->side[side].func = no_ids(count);
	for (level = BY_ALL; level < LEVELS; level++)
		join_level(d, level);
	for (side = OLD; side <= NEW; side++) {
		struct side *s = &d->side[side];
		const uint32_t *v = defs_of(s, REC_FUNC, &n);

		for (i = 0; i < n; i++)
			if (s->func[v[i]] == NO_ID)
				s->func[v[i]] = name_in_diff(d, s, v[i]);
	}
}

/* The file of a line of this function in the difference: if it is the function's own
 * file, it stays that, whatever file its partner is in. */
static uint32_t
line_file_in_diff(struct diff *d, const struct side *s, uint64_t func, uint64_t file)
{
	if (func != NO_ID && dict_def(d->dict, REC_FUNC, (uint32_t)func)[FUNC_FILE] == file)
		return dict_def(d->dict, REC_FUNC, s->func[func])[FUNC_FILE];
	return path_in_diff(s, 0, file);
}

/* ---- events ---- */

static struct record *
triple(const struct record *event, const char *suffix, const char *role,
    const char *only)
{
	struct record r = *event, *kept;
	struct buf name = { 0 }, attrs = { 0 }, own = { 0 };

	buf_text(&name, event->col[EVENT_NAME].t);
	if (*suffix) {
		buf_puts(&name, ".");
		buf_puts(&name, suffix);
		attr_add(&own, "of", event->col[EVENT_NAME].t);
	}
	attr_add(&own, "role", text_of(role));
	if (only)
		attr_add(&own, "only", text_of(only));
	merge_attrs(&attrs, event->attrs, buf_as_text(&own));
	r.col[EVENT_NAME].t = buf_as_text(&name);
	r.attrs = buf_as_text(&attrs);
	kept = rec_keep(&r);
	buf_free(&name);
	buf_free(&attrs);
	buf_free(&own);
	return kept;
}

static int
name_twice(struct diff *d, struct text name)
{
	return diag_fail_plain(d->to->how.diag, "the difference would have event %s "
	    "twice", diag_quote(name.s, name.n));
}

static int
add_event(struct diff *d, const struct record *event, const char *suffix,
    const char *role, const char *only)
{
	struct record *r = triple(event, suffix, role, only);
	struct text name = r->col[EVENT_NAME].t;
	int ret = events_find(&d->g->events, name) < 0 ? 0 : name_twice(d, name);

	events_add(&d->g->events, r);
	free(r);
	return ret;
}

static int
check_diff(struct diff *d, const struct record *event)
{
	struct buf scratch = { 0 };
	struct text role = attr_get(event->attrs, "role", &scratch);
	bool is_diff = role.s != NULL;

	buf_free(&scratch);
	return !is_diff ? 0 : diag_fail(d->to->how.diag, "the profile is already a "
	    "difference, of event %s",
	    diag_quote(event->col[EVENT_NAME].t.s, event->col[EVENT_NAME].t.n));
}

/* The only side that has the event, whose growth is unknown then; NULL: both have it. */
static const char *
only_in(const struct diff *d, const struct side *s, const struct record *event)
{
	int side = s == &d->side[NEW];
	const struct group *other = d->side[!side].g;

	return other && events_find(&other->events, event->col[EVENT_NAME].t) >= 0 ?
	    NULL : side_name[side];
}

static int
add_side_events(struct diff *d, struct side *s)
{
	size_t i, n = s->g ? s->g->events.measured : 0;

	s->event = mem_alloc(n + 1, sizeof *s->event);
	for (i = 0; i < n; i++) {
		const struct record *e = events_at(&s->g->events, i);
		long at = events_find(&d->g->events, e->col[EVENT_NAME].t);

		if (check_diff(d, e) < 0)
			return -1;
		if (at >= 0 && event_check_units(events_at(&d->g->events,
		    (size_t)at), e, d->to->how.diag) < 0)
			return -1;
		if (at < 0) {
			at = (long)d->g->events.measured;
			if (add_event(d, e, "", "delta", only_in(d, s, e)) < 0 ||
			    add_event(d, e, "old", "old", NULL) < 0 ||
			    add_event(d, e, "new", "new", NULL) < 0)
				return -1;
		} else if (at % TRIPLE != CHANGE) {
			return name_twice(d, e->col[EVENT_NAME].t);
		}
		s->event[i] = (size_t)at;
	}
	return 0;
}

/* Warns if the profiles measured different things: then everything is new or gone. */
static void
warn_of_events(const struct diff *d)
{
	const struct group *old = d->side[OLD].g, *new = d->side[NEW].g;
	struct text a, b;
	size_t i;

	if (!old || !new || !old->events.measured || !new->events.measured)
		return;
	for (i = 0; i < new->events.measured; i++)
		if (events_find(&old->events, events_at(&new->events,
		    i)->col[EVENT_NAME].t) >= 0)
			return;
	a = events_at(&old->events, 0)->col[EVENT_NAME].t;
	b = events_at(&new->events, 0)->col[EVENT_NAME].t;
	diag_say(d->to->how.diag, DIAG_WARN, "the profiles have no event in common: "
	    "the old one has %s, the new one %s", diag_quote(a.s, a.n),
	    diag_quote(b.s, b.n));
}

static bool
has_calls(const struct side *s)
{
	return s->g && ROWS(s->g, REC_CALL)->t.n;
}

/* Events of both sides: those of the old one first. */
static int
add_events(struct diff *d)
{
	struct record calls = rec_make(REC_EVENT);
	int side, ret = 0;
	unsigned k;

	for (side = OLD; side <= NEW && ret == 0; side++) {
		struct cursor at = { .file = d->side[side].name };

		d->to->how.diag->at = &at;
		ret = add_side_events(d, &d->side[side]);
		d->to->how.diag->at = NULL;
	}
	if (ret < 0)
		return -1;
	warn_of_events(d);
	d->has_calls = has_calls(&d->side[OLD]) || has_calls(&d->side[NEW]);
	d->calls = d->g->events.measured;
	calls.col[EVENT_ID].n = 0;
	calls.col[EVENT_NAME].t = TEXT("calls");
	if (d->has_calls && (add_event(d, &calls, "old", "old", NULL) < 0 ||
	    add_event(d, &calls, "new", "new", NULL) < 0))
		return -1;
	for (k = 0; k < ROW_KINDS; k++)
		if (d->g->rows[k].def->tail & REC_VALUES)
			sums_widen(&d->g->rows[k].t, d->g->rows[k].nsum +
			    d->g->events.measured);
	return 0;
}

/* ---- records ---- */

static uint32_t
ctx_in_diff(struct diff *d, struct side *s, uint64_t ctx)
{
	size_t n = s->m->canon.defs[REC_CTX - REC_OBJECT].n, i;
	const uint32_t *used = s->m->canon.defs[REC_CTX - REC_OBJECT].used;
	bool fresh;

	if (ctx == NO_ID)
		return NO_ID;
	if (!s->ctx) {		/* callers come first */
		s->ctx = mem_alloc(dict_count(d->dict, REC_CTX) + 1, sizeof *s->ctx);
		for (i = 0; i < n; i++) {
			uint32_t cols[DEF_COLS];

			memset(cols, 0xff, sizeof cols);
			memcpy(cols, dict_def(d->dict, REC_CTX, used[i]),
			    (CTX_ADDR + 1) * sizeof *cols);
			if (cols[CTX_PARENT] != NO_ID)
				cols[CTX_PARENT] = s->ctx[cols[CTX_PARENT]];
			cols[CTX_FILE] = line_file_in_diff(d, s, cols[CTX_FUNC],
			    cols[CTX_FILE]);
			if (cols[CTX_FUNC] != NO_ID)
				cols[CTX_FUNC] = s->func[cols[CTX_FUNC]];
			s->ctx[used[i]] = dict_define(d->dict, REC_CTX, cols, &fresh);
		}
	}
	return s->ctx[ctx];
}

/* A row's key in the difference's names. */
static void
key_in_diff(struct diff *d, struct side *s, const struct rec_def *def,
    const uint64_t *key, uint64_t *to)
{
	uint64_t func = NO_ID, own;
	unsigned i;

	for (i = 0; i < def->ncol; i++) {
		enum col_type t = def->col[i].type;

		if (def->col[i].role != ROLE_KEY && def->col[i].role != ROLE_KIND)
			continue;
		*to = *key++;
		if (t == COL_FUNC) {
			func = *to;
			*to = func == NO_ID ? NO_ID : s->func[func];
			own = NO_ID;
			if (func != NO_ID)
				canon_func(&d->to->canon, *to, &own);
		} else if (t == COL_FILE) {
			*to = canon_file(&d->to->canon,
			    line_file_in_diff(d, s, func, *to));
		} else if (t == COL_CTX) {
			*to = canon_ctx(&d->to->canon, ctx_in_diff(d, s, *to));
		} else if (t == COL_LINE || t == COL_ADDR) {
			*++to = *key++;
		}
		to++;
	}
	if (def->tail & REC_ATTRS)
		*to = *key;
}

static int
add_to(struct diff *d, num *sum, num v)
{
	if (v == ABSENT)
		return 0;
	if (*sum == ABSENT)
		*sum = v;
	else if (num_add(sum, v) < 0)
		return diag_fail(d->to->how.diag, "a sum does not fit 128 bits");
	return 0;
}

/* The totals of the sides, by the first of three events.  A merge has one record of
 * them, of the run. */
static void
find_totals(struct diff *d)
{
	int side;
	size_t row, i;

	d->total = mem_alloc(2 * d->g->events.measured + 1, sizeof *d->total);
	for (side = OLD; side <= NEW; side++) {
		const struct side *s = &d->side[side];

		for (row = 0; s->g && row < ROWS(s->g, REC_TOTAL)->t.n; row++)
			for (i = 0; i < s->g->events.measured; i++)
				d->total[2 * s->event[i] + (size_t)side] =
				    sums_val(&ROWS(s->g, REC_TOTAL)->t, row)[i];
	}
}

/* Scales as if the new run had cost as much as the old one, rounded to nearest. */
static int
scale(struct diff *d, size_t event, num *cost)
{
	num old = d->total[2 * event + OLD], new = d->total[2 * event + NEW], x;
	bool minus = *cost < 0;

	if (old == ABSENT || new == ABSENT || old <= 0 || new <= 0)
		return 0;
	if (num_mul(minus ? -*cost : *cost, old, &x) < 0 || num_add(&x, new / 2) < 0)
		return diag_fail(d->to->how.diag, "--normalize: a product does not fit "
		    "128 bits");
	x /= new;
	*cost = minus ? -x : x;
	return 0;
}

static int
add_row(struct diff *d, int side, enum rec_kind kind, size_t row)
{
	struct side *s = &d->side[side];
	const struct rows *from = ROWS(s->g, kind);
	struct rows *to = ROWS(d->g, kind);
	const num *v = sums_val(&from->t, row);
	uint64_t key[KEY_WORDS];
	size_t was = to->t.n, i;
	num *sum;

	key_in_diff(d, s, from->def, sums_key(&from->t, row), key);
	sum = sums_val(&to->t, sums_row(&to->t, key)) + to->nsum;
	d->sums += (to->t.n - was) * to->t.nval;
	if (s->g->events.measured > TABLE_WIDE && !sums_fits(d->sums,
	    d->side[OLD].m->values + d->side[NEW].m->values))
		return sums_refuse(d->to->how.diag, s->g->events.measured);
	if (kind == REC_CALL && add_to(d, &sum[d->calls + (size_t)side], v[0]) < 0)
		return -1;
	for (i = 0; i < s->g->events.measured; i++) {
		num cost = v[from->nsum + i];

		if (side == NEW && d->how->normalize && cost != ABSENT &&
		    scale(d, s->event[i], &cost) < 0)
			return -1;
		if (add_to(d, &sum[s->event[i] + 1 + (size_t)side], cost) < 0)
			return -1;
	}
	return 0;
}

static int
add_rows(struct diff *d, int side)
{
	static const enum rec_kind kinds[] = { REC_COST, REC_CALL, REC_SAMPLE, REC_TOTAL };
	struct side *s = &d->side[side];
	size_t k, i;
	unsigned kind;

	if (!s->g)
		return 0;
	for (k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (i = 0; i < ROWS(s->g, kinds[k])->t.n; i++)
			if (add_row(d, side, kinds[k], i) < 0)
				return -1;
	for (kind = REC_COST; kind <= REC_RAW; kind++)
		if (kind != REC_COST && kind != REC_CALL && kind != REC_SAMPLE)
			for (i = 0; i < ROWS(s->g, kind)->t.n; i++) {
				struct record r = rec_make(kind);

				loss_record(&d->loss, &r);
			}
	return 0;
}

/* What a side lacks counts as 0 in the change. */
static int
add_changes(struct diff *d)
{
	unsigned k;
	size_t row, i;

	for (k = 0; k < ROW_KINDS; k++) {
		const struct rows *r = &d->g->rows[k];

		for (row = 0; row < r->t.n && r->def->tail & REC_VALUES; row++)
			for (i = 0; i < d->calls; i += TRIPLE) {
				num *v = sums_val(&r->t, row) + r->nsum + i;
				num was = v[1 + OLD] == ABSENT ? 0 : v[1 + OLD];

				v[CHANGE] = v[1 + NEW] == ABSENT ? 0 : v[1 + NEW];
				if (num_sub(&v[CHANGE], was) < 0)
					return diag_fail(d->to->how.diag,
					    "a sum does not fit 128 bits");
			}
	}
	return 0;
}

/* ---- the whole ---- */

static void
add_facts(struct diff *d)
{
	struct record r = rec_make(REC_META);
	struct buf list = { 0 };
	int side, any = 0;

	for (side = OLD; side <= NEW; side++)
		if (d->side[side].g)
			facts_join(&d->g->facts, &d->side[side].g->facts, any++ == 0);
	field_escape(&list, text_of(d->side[OLD].name));
	buf_putc(&list, '\t');
	field_escape(&list, text_of(d->side[NEW].name));
	r.col[0].t = TEXT("diff");
	r.attrs = buf_as_text(&list);
	facts_add(&d->g->facts, &r);
	if (d->how->normalize) {
		r.col[0].t = TEXT("estimate");
		r.attrs = TEXT("new costs are scaled to the old total");
		facts_add(&d->g->facts, &r);
	}
	buf_free(&list);
}

static int
set_up(struct diff *d, struct merge *m, int side, const char *name)
{
	d->side[side].m = m;
	d->side[side].name = strcmp(name, "-") == 0 ? "standard input" : name;
	if (m->ngroup > 1)
		return diag_fail_plain(m->how.diag, "%s: parts that are kept apart "
		    "cannot be compared", side_name[side]);
	d->side[side].g = m->ngroup ? &m->group[0] : NULL;
	if (m->ngroup)
		facts_sort(&m->group[0].facts);
	return m->ngroup ? merge_expand(m, &m->group[0]) : 0;
}

int
diff_write(struct merge *old, struct merge *new, const struct diff_how *how,
    struct sink *out)
{
	const struct merge_how sum = { .dict = how->dict, .diag = how->diag };
	struct diff d = { .how = how, .to = merge_new(&sum), .dict = how->dict };
	int ret, side;

	d.g = merge_one_group(d.to);
	ret = set_up(&d, old, OLD, how->old_name) < 0 ||
	    set_up(&d, new, NEW, how->new_name) < 0 ? -1 : 0;
	if (ret == 0) {
		join_paths(&d, 0);
		join_paths(&d, 1);
		join_funcs(&d);
		add_facts(&d);
		ret = add_events(&d);
	}
	if (ret == 0) {
		find_totals(&d);
		ret = add_rows(&d, OLD) < 0 || add_rows(&d, NEW) < 0 ||
		    add_changes(&d) < 0 ? -1 : 0;
	}
	if (ret == 0)
		ret = loss_tell(&d.loss, "a difference", false, how->diag);
	if (ret == 0)
		ret = merge_write(d.to, out);
	for (side = OLD; side <= NEW; side++) {
		free(d.side[side].path[0]);
		free(d.side[side].path[1]);
		free(d.side[side].func);
		free(d.side[side].ctx);
		free(d.side[side].event);
	}
	free(d.total);
	loss_free(&d.loss);
	merge_free(d.to);
	return ret;
}

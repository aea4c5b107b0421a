/* SPDX-License-Identifier: ISC */
/*
 * The difference of two merges is a third one: what either has, under names that
 * tell the sides apart, with functions that are partners made one.
 */
#include "diff.h"

#include <stdlib.h>

#include "loss.h"
#include "mem.h"
#include "merge/state.h"

enum { OLD, NEW, SIDES };
enum { CHANGE, TRIPLE = 3 };	/* of an event: the change, old, new */

static const char *const side_name[SIDES] = { "old", "new" };

struct side {
	struct merge *m;
	struct group *g;	/* NULL: no part was there */
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
	struct loss loss;
};

/* ---- functions ---- */

/* libfoo.so.1.2 without its version. */
static struct text
stem(struct text path)
{
	struct text t = text_base_name(path);
	size_t i;

	for (i = 0; i + 3 <= t.n; i++)
		if (memcmp(t.s + i, ".so", 3) == 0 && (i + 3 == t.n || t.s[i + 3] == '.'))
			return (struct text){ t.s, i + 3 };
	return t;
}

/* What functions are joined by, from all to little. */
enum { BY_ALL, BY_STEMS, BY_FILE_NAME, BY_NAME, LEVELS };

static uint64_t
str(struct diff *d, struct text t)
{
	return dict_str(d->dict, t);
}

/* Without what builds do not share. */
static uint32_t
new_name(struct diff *d, uint32_t name)
{
	return !d->how->rename || name == NO_ID ? name : (uint32_t)str(d,
	    rename_apply(d->how->rename, dict_text(d->dict, name)));
}

static void
join_key(struct diff *d, int level, uint32_t func, uint64_t key[3])
{
	const uint32_t *f = dict_def(d->dict, REC_FUNC, func);
	struct text file = dict_path(d->dict, f[FUNC_FILE]);
	struct text object = dict_object_path(d->dict, f[FUNC_OBJECT]);

	key[0] = new_name(d, f[FUNC_NAME]);
	key[1] = level == BY_ALL ? str(d, file) : level == BY_NAME || !file.s ? NO_ID :
	    str(d, text_base_name(file));
	key[2] = level == BY_ALL ? str(d, object) : level != BY_STEMS || !object.s ?
	    NO_ID : str(d, stem(object));
}

static const uint32_t *
funcs_of(const struct side *s, size_t *n)
{
	*n = s->m->canon.defs[REC_FUNC - REC_OBJECT].n;
	return s->m->canon.defs[REC_FUNC - REC_OBJECT].used;
}

/* What a function is called in the difference: as it is, but for its key, which
 * builds do not share. */
static uint32_t
name_in_diff(struct diff *d, uint32_t func)
{
	uint32_t cols[DEF_COLS];
	bool fresh;

	memset(cols, 0xff, sizeof cols);
	memcpy(cols, dict_def(d->dict, REC_FUNC, func), (FUNC_OBJECT + 1) * sizeof *cols);
	cols[FUNC_NAME] = new_name(d, cols[FUNC_NAME]);
	return dict_define(d->dict, REC_FUNC, cols, &fresh);
}

/*
 * Those that have no partner yet and share a key with one of the other side, if
 * that is one on each: sums are how many there are of the old and the new, and the
 * last of each.
 */
static void
join_level(struct diff *d, int level)
{
	struct table t;
	uint64_t key[3];
	size_t i, n, k;
	int side;

	table_init(&t, 3, 4);
	for (side = OLD; side <= NEW; side++) {
		const uint32_t *v = funcs_of(&d->side[side], &n);

		for (i = 0; i < n; i++) {
			num *sum;

			if (d->side[side].func[v[i]] != NO_ID ||
			    dict_def(d->dict, REC_FUNC, v[i])[FUNC_NAME] == NO_ID)
				continue;
			join_key(d, level, v[i], key);
			sum = table_val(&t, table_row(&t, key));
			sum[side]++;
			sum[2 + side] = v[i];
		}
	}
	for (k = 0; k < t.n; k++) {
		const num *sum = table_val(&t, k);

		if (sum[OLD] != 1 || sum[NEW] != 1)
			continue;
		d->side[OLD].func[sum[2 + OLD]] = d->side[NEW].func[sum[2 + NEW]] =
		    name_in_diff(d, (uint32_t)sum[2 + NEW]);
	}
	table_free(&t);
}

/* Functions of one side that have become one are summed, and that is said. */
static void
tell_collisions(struct diff *d, int side)
{
	size_t n, i, shared = 0;
	const uint32_t *v = funcs_of(&d->side[side], &n);
	struct table seen;
	uint64_t id;

	if (!d->how->rename)
		return;
	table_init(&seen, 1, 0);
	for (i = 0; i < n; i++) {
		size_t was = seen.n;

		id = d->side[side].func[v[i]];
		shared += table_row(&seen, &id) < was;
	}
	table_free(&seen);
	if (shared)
		diag_say(d->how->diag, DIAG_NOTE, "--match: of the %s profile %zu "
		    "function%s the name of another, and %s added to it",
		    side_name[side], shared, shared == 1 ? " gets" : "s get",
		    shared == 1 ? "is" : "are");
}

static void
join_funcs(struct diff *d)
{
	size_t count = dict_count(d->dict, REC_FUNC) + 1, n, i;
	int side, level;

	for (side = OLD; side <= NEW; side++) {
		d->side[side].func = mem_resize(NULL, count, sizeof(uint32_t));
		memset(d->side[side].func, 0xff, count * sizeof(uint32_t));
	}
	for (level = BY_ALL; level < LEVELS; level++)
		join_level(d, level);
	for (side = OLD; side <= NEW; side++) {
		const uint32_t *v = funcs_of(&d->side[side], &n);

		for (i = 0; i < n; i++)
			if (d->side[side].func[v[i]] == NO_ID)
				d->side[side].func[v[i]] = name_in_diff(d, v[i]);
		tell_collisions(d, side);
	}
}

/* ---- events ---- */

static struct record *
triple(const struct record *event, const char *suffix, const char *role)
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
	merge_attrs(&attrs, event->attrs, buf_as_text(&own));
	r.col[EVENT_NAME].t = buf_as_text(&name);
	r.attrs = buf_as_text(&attrs);
	kept = rec_keep(&r);
	buf_free(&name);
	buf_free(&attrs);
	buf_free(&own);
	return kept;
}

static void
add_event(struct diff *d, const struct record *event, const char *suffix,
    const char *role)
{
	struct record *r = triple(event, suffix, role);

	events_add(&d->g->events, r);
	free(r);
}

static int
check_diff(struct diff *d, const struct record *event)
{
	struct buf scratch = { 0 };
	struct text role = attr_get(event->attrs, "role", &scratch);
	bool is_diff = role.s != NULL;

	buf_free(&scratch);
	return !is_diff ? 0 : diag_fail_plain(d->to->how.diag, "one of the profiles is a "
	    "difference already, of event %s",
	    diag_quote(event->col[EVENT_NAME].t.s, event->col[EVENT_NAME].t.n));
}

/* Events of both sides: those of the old one first. */
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
		if (at >= 0 && merge_check_units(d->to,
		    events_at(&d->g->events, (size_t)at), e) < 0)
			return -1;
		if (at < 0) {
			at = (long)d->g->events.measured;
			add_event(d, e, "", "delta");
			add_event(d, e, "old", "old");
			add_event(d, e, "new", "new");
		}
		s->event[i] = (size_t)at;
	}
	return 0;
}

static bool
has_calls(const struct side *s)
{
	return s->g && ROWS(s->g, REC_CALL)->t.n;
}

static int
add_events(struct diff *d)
{
	struct record calls = rec_make(REC_EVENT);
	unsigned k;

	if (add_side_events(d, &d->side[OLD]) < 0 ||
	    add_side_events(d, &d->side[NEW]) < 0)
		return -1;
	d->has_calls = has_calls(&d->side[OLD]) || has_calls(&d->side[NEW]);
	d->calls = d->g->events.measured;
	calls.col[EVENT_ID].n = 0;
	calls.col[EVENT_NAME].t = TEXT("calls");
	if (d->has_calls) {
		add_event(d, &calls, "old", "old");
		add_event(d, &calls, "new", "new");
	}
	for (k = 0; k < ROW_KINDS; k++)
		if (d->g->rows[k].def->tail & REC_VALUES)
			table_widen(&d->g->rows[k].t, d->g->rows[k].nsum +
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
			if (cols[CTX_FUNC] != NO_ID)
				cols[CTX_FUNC] = s->func[cols[CTX_FUNC]];
			s->ctx[used[i]] = dict_define(d->dict, REC_CTX, cols, &fresh);
		}
	}
	return s->ctx[ctx];
}

/* A row's key with the names of the difference. */
static void
key_in_diff(struct diff *d, struct side *s, const struct rec_def *def,
    const uint64_t *key, uint64_t *to)
{
	unsigned i;

	for (i = 0; i < def->ncol; i++) {
		enum col_type t = def->col[i].type;
		uint64_t own;

		if (def->col[i].role != ROLE_KEY)
			continue;
		*to = *key++;
		if (t == COL_FUNC && *to != NO_ID) {
			*to = s->func[*to];
			own = dict_def(d->dict, REC_FUNC, (uint32_t)*to)[FUNC_FILE];
			canon_func(&d->to->canon, *to, &own);
		} else if (t == COL_FILE && i && def->col[i - 1].type == COL_FUNC &&
		    to[-1] != NO_ID) {
			/* By function the file of the line is the function's own. */
			*to = dict_def(d->dict, REC_FUNC, (uint32_t)to[-1])[FUNC_FILE];
			*to = canon_file(&d->to->canon, *to);
		} else if (t == COL_FILE) {
			*to = canon_file(&d->to->canon, *to);
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

/* The totals of the sides, by the first of three events. */
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
				    table_val(&ROWS(s->g, REC_TOTAL)->t, row)[i];
	}
}

/* As if the new run had cost as much as the old one, rounded to nearest. */
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
	const num *v = table_val(&from->t, row);
	uint64_t key[KEY_WORDS];
	num *sum;
	size_t i;

	key_in_diff(d, s, from->def, table_key(&from->t, row), key);
	sum = table_val(&to->t, table_row(&to->t, key)) + to->nsum;
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

/* What a side lacks is 0 in the change. */
static int
add_changes(struct diff *d)
{
	unsigned k;
	size_t row, i;

	for (k = 0; k < ROW_KINDS; k++) {
		const struct rows *r = &d->g->rows[k];

		for (row = 0; row < r->t.n && r->def->tail & REC_VALUES; row++)
			for (i = 0; i < d->calls; i += TRIPLE) {
				num *v = table_val(&r->t, row) + r->nsum + i;
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
add_facts(struct diff *d, const struct diff_how *how)
{
	struct record r = rec_make(REC_META);
	struct buf list = { 0 };
	int side, any = 0;

	for (side = OLD; side <= NEW; side++)
		if (d->side[side].g)
			facts_join(&d->g->facts, &d->side[side].g->facts, any++ == 0);
	field_escape(&list, text_of(how->old_name));
	buf_putc(&list, '\t');
	field_escape(&list, text_of(how->new_name));
	r.col[0].t = TEXT("diff");
	r.attrs = buf_as_text(&list);
	facts_add(&d->g->facts, &r);
	if (how->normalize) {
		r.col[0].t = TEXT("estimate");
		r.attrs = TEXT("new costs are scaled to the old total");
		facts_add(&d->g->facts, &r);
	}
	buf_free(&list);
}

static int
set_up(struct diff *d, struct merge *m, int side)
{
	d->side[side].m = m;
	if (m->ngroup > 1)
		return diag_fail_plain(m->how.diag, "%s: parts that are told apart "
		    "cannot be compared", side_name[side]);
	d->side[side].g = m->ngroup ? &m->group[0] : NULL;
	if (m->ngroup) {
		merge_settle(m, &m->group[0]);
		return merge_expand(m, &m->group[0]);
	}
	return 0;
}

int
diff_write(struct merge *old, struct merge *new, const struct diff_how *how,
    struct sink *out)
{
	const struct merge_how sum = { .dict = how->dict, .diag = how->diag };
	struct diff d = { .how = how, .to = merge_new(&sum), .dict = how->dict };
	int ret, side;

	d.g = merge_one_group(d.to);
	ret = set_up(&d, old, OLD) < 0 || set_up(&d, new, NEW) < 0 ? -1 : 0;
	if (ret == 0) {
		join_funcs(&d);
		add_facts(&d, how);
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
		free(d.side[side].func);
		free(d.side[side].ctx);
		free(d.side[side].event);
	}
	free(d.total);
	loss_free(&d.loss);
	merge_free(d.to);
	return ret;
}
